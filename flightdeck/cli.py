"""The command tree, the one place that prints, and the error boundary.

A command is imported only when it is called: `status` must not pay for the
rasteriser `preview` needs. Knows no rule of the product.

Source: README.md, "The command line".
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from typing import TYPE_CHECKING, TextIO

from flightdeck.commands import tree
from flightdeck.commands.plain import harmless
from flightdeck.commands.result import Exit, Result
from flightdeck.commands.tree import COMMANDS
from flightdeck.commands.waiting import waiting
from flightdeck.errors import ConfigError, FlightdeckError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code of the process."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        result = _called(words)
        _show(result)
    except SystemExit as stop:  # argparse: 0 after --help, 2 on wrong usage
        return int(stop.code or 0)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.DONE
    except ConfigError as error:
        from flightdeck.config.report import render_text  # noqa: PLC0415 - only on the way out

        _print(render_text(error.problems), sys.stderr)
        return Exit.NO
    except FlightdeckError as error:
        _print(f"flightdeck: {error.message}", sys.stderr)
        if error.hint:
            _print(f"  hint: {error.hint}", sys.stderr)
        return Exit.NO
    except Exception:  # the boundary: whatever it is, the person gets a trace to paste
        _print(_unexpected(), sys.stderr)
        return Exit.UNEXPECTED
    return result.code


def _called(words: list[str]) -> Result:
    if not words or words[0] in {"-h", "--help"}:
        return Result((_overview(),), code=Exit.DONE if words else Exit.USAGE)
    if words[0] in {"-V", "--version"}:
        from importlib.metadata import version  # noqa: PLC0415 - costs 20 ms, asked for once

        return Result((f"flightdeck {version('flightdeck')}",))
    if words[0] not in COMMANDS:
        return Result(notes=(_unknown(words[0]),), code=Exit.USAGE)
    return _call(words[0], words[1:])


def _call(name: str, words: list[str]) -> Result:
    module = tree.module(name)
    parser = tree.parser(name)
    arguments = parser.parse_args(words)
    if os.path.expanduser("~") == "~":  # noqa: PTH111 - pathlib raises what nobody can mend
        raise FlightdeckError("this user has no home folder", "set HOME to one")
    _warn_on(sys.stderr)
    with waiting(getattr(module, "SLOW", "")):
        result: Result = module.run(arguments, _say)
    return result


def _warn_on(stream: TextIO | None) -> None:
    """Have warnings told on `stream`; what a log file takes beside them is for the log alone."""
    told = logging.StreamHandler(stream)
    told.setLevel(logging.WARNING)
    told.setFormatter(_Harmless("flightdeck: %(message)s"))
    logging.basicConfig(handlers=[told])


class _Harmless(logging.Formatter):
    """Warnings that name files of any name."""

    def format(self, record: logging.LogRecord) -> str:
        """Return what a record says, as a terminal may show it."""
        return harmless(super().format(record))


def _show(result: Result) -> None:
    for note in result.notes:
        _print(note, sys.stderr)
    if result.data is not None:
        _print(json.dumps(result.data, ensure_ascii=False, indent=2), sys.stdout)
        return
    for line in result.lines:
        _print(line, sys.stdout)


def _say(line: str) -> None:
    """Write a line as it is: a difference has colours."""
    _write(line, sys.stdout)


def _print(text: str, stream: TextIO | None) -> None:
    """Write a line, or some, that may hold anybody's words; see `_write`."""
    _write(harmless(text), stream)


def _write(text: str, stream: TextIO | None) -> None:
    """Write a line; who has closed a stream does not want to know.

    Raises:
        BrokenPipeError: nobody reads any more.
        FlightdeckError: the result cannot be written where it was to go.
    """
    if stream is None:
        return
    # What a terminal of an older encoding cannot show is written as an escape.
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()
    except OSError as error:
        _leave_quietly(stream)
        if stream is sys.stderr:  # there is nowhere left to say so
            return
        if isinstance(error, BrokenPipeError):
            raise
        raise FlightdeckError(f"cannot write to standard output: {error.strerror}") from error


def _leave_quietly(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, and not into a trace at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:<{width}}  {what}" for name, what in COMMANDS.items())
    return (
        "flightdeck: an annunciator panel for fleets of coding agents\n\n"
        f"usage: flightdeck COMMAND [...]\n\n{rows}\n\n"
        "`flightdeck COMMAND --help` says more; `flightdeck demo` is the place to start."
    )


def _unknown(word: str) -> str:
    import difflib  # noqa: PLC0415 - only for a mistyped command

    near = difflib.get_close_matches(word, COMMANDS, 1)
    hint = f"did you mean '{near[0]}'?" if near else "`flightdeck --help` lists them"
    return f"flightdeck: unknown command '{word}'\n  hint: {hint}"


def _unexpected() -> str:
    from flightdeck.store.log import write_crash  # noqa: PLC0415 - only on the way out

    where = write_crash(traceback.format_exc())
    last = traceback.format_exc().strip().splitlines()[-1]
    return f"flightdeck: unexpected {last}\n  hint: the whole trace is in {where}; please report it"
