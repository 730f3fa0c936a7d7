"""Say how dangerous a command is, and which rule says so.

COMMAND is judged as a shell command line an agent asks permission for: high, medium or
low. Nothing is run, nothing is kept. A high call has to be approved twice on the deck.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from flightdeck.commands.result import Result, Say
from flightdeck.errors import FlightdeckError
from flightdeck.fold.judging import judge_for
from flightdeck.model.risk import Judgement, Tier
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from flightdeck.ports import Judge

EXAMPLES = """\
examples:
  flightdeck risk 'git push -uf origin topic'
  flightdeck risk --explain 'find . -name "*.o" | xargs rm'
  flightdeck risk --tool Write '{"file_path": "~/.zshrc"}'
  flightdeck risk --stdin < calls.jsonl        a line of JSON each: {"tool": …, "input": {…}}
"""

SCHEMA = "flightdeck.risk/1"

_SHELLS = ("Bash", "PowerShell")
_NOT_A_CALL = Judgement(
    Tier.MEDIUM, why='not a JSON object with a text "tool" and an object "input"'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is judged and how it is told."""
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="what to judge")
    parser.add_argument(
        "--tool",
        default="Bash",
        metavar="NAME",
        help="the tool it is for; one that runs no command takes its input as JSON",
    )
    parser.add_argument("--explain", action="store_true", help="say which rule, why, and where")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help=f"one object, {SCHEMA}")
    how.add_argument("--stdin", action="store_true", help="judge calls, one JSON object a line")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Judge one call, or each line of standard input.

    Raises:
        FlightdeckError: there is nothing to judge, or the input of the tool is no JSON.
    """
    folder = StateFolder.from_environment()
    judge = judge_for(folder)
    if arguments.stdin:
        if arguments.command is not None:
            raise FlightdeckError("both COMMAND and --stdin", "give one of them")
        return _judge_lines(judge, say)
    if arguments.command is None:
        raise FlightdeckError("nothing to judge", "flightdeck risk 'rm -rf build'")
    judged = judge(arguments.tool, _input(arguments.tool, arguments.command))
    if arguments.json:
        return Result(data={"schema": SCHEMA, **_told(judged), "span": judged.span})
    if arguments.explain:
        return Result(tuple(_explained(judged, arguments.command)))
    return Result((judged.tier.value,))


def _input(tool: str, text: str) -> object:
    if tool in _SHELLS:
        return {"command": text}
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = f'flightdeck risk --tool {tool} \'{{"file_path": "~/.zshrc"}}\''
        raise FlightdeckError(f"the input of {tool} is not JSON", hint) from error


def _judge_lines(judge: Judge, say: Say) -> Result:
    for line in iter(sys.stdin.buffer.readline, b""):
        say(json.dumps(_told(_judged_line(judge, line))))
    return Result()


def _judged_line(judge: Judge, line: bytes) -> Judgement:
    try:
        call = json.loads(line.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return _NOT_A_CALL
    if not (
        isinstance(call, dict)
        and isinstance(call.get("tool"), str)
        and isinstance(call.get("input"), dict)
    ):
        return _NOT_A_CALL
    return judge(call["tool"], call["input"])


def _told(judged: Judgement) -> dict[str, object]:
    return {"tier": judged.tier.value, "rule": judged.rule, "why": judged.why}


def _explained(judged: Judgement, command: str) -> Iterator[str]:
    """Yield the tier, the rule, why, and the lines that tripped it, underlined."""
    yield judged.tier.value
    yield f"  rule: {judged.rule or 'none'}"
    yield f"  why:  {judged.why}"
    if judged.span is not None:
        yield from _underlined(command, *judged.span)


def _underlined(command: str, start: int, end: int) -> Iterator[str]:
    at = 0
    for line in command.split("\n"):
        first, last = max(start - at, 0), min(end - at, len(line))
        if first < last:
            yield "    " + _visible(line)
            yield "    " + " " * first + "^" * (last - first)
        at += len(line) + 1


def _visible(text: str) -> str:
    """Return `text` without what a terminal would act on, each character in its place."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)
