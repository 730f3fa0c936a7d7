"""The command tree: exit codes, hints, the error boundary, and what is never imported."""

from __future__ import annotations

import importlib
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, NoReturn

import pytest

from flightdeck import cli
from flightdeck.cli import main
from flightdeck.commands import status, tree
from flightdeck.commands.result import Exit, Result
from flightdeck.commands.tree import COMMANDS
from flightdeck.errors import FlightdeckError
from flightdeck.store.log import log_to
from tests.commands.running import FLIGHTDECK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAVY = {"cairosvg", "PIL", "strictyaml", "jinja2", "StreamDeck", "iterm2", "watchdog"}
HEAVY |= {"rich", "shtab", "asyncio"}
# Only those who draw or press need a layout; the fold, and so every command, does not.
HEAVY_OURS = {"flightdeck.model.layout", "flightdeck.model.effect"}


def behave(monkeypatch: pytest.MonkeyPatch, outcome: Result | BaseException) -> None:
    """Let `flightdeck status` end like this."""

    def run(*_: object) -> Result:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr(status, "run", run)


def test_exit_codes_are_a_contract() -> None:
    assert {code.name: code.value for code in Exit} == {
        "DONE": 0,
        "NO": 1,
        "USAGE": 2,
        "UNEXPECTED": 3,
        "ARMED": 4,
        "INTERRUPTED": 130,
    }


def test_without_a_command_all_of_them_are_shown_and_it_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in COMMANDS)
    assert "`flightdeck demo` is the place to start" in out


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_is_the_same_and_no_fault(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 0
    assert "usage: flightdeck COMMAND" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["-V", "--version"])
def test_version_is_told(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 0
    assert capsys.readouterr().out.startswith("flightdeck 0.")


@pytest.mark.parametrize(
    ("word", "hint"),
    [("statsu", "did you mean 'status'?"), ("zzz", "`flightdeck --help` lists them"), ("", "")],
)
def test_unknown_command_gets_a_hint(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"flightdeck: unknown command '{word}'\n  hint: {hint}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"flightdeck.commands.{name}")
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"usage: flightdeck {name}" in out
    assert (module.__doc__ or "").split("\n\n")[0].split("\n")[0] in out


def test_argument_nobody_knows_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--js"]) == 2
    assert "unrecognized arguments: --js" in capsys.readouterr().err


def test_lines_go_out_and_notes_beside_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behave(monkeypatch, Result(("one", "two"), ("a note",), Exit.ARMED))
    assert main(["status"]) == 4
    assert capsys.readouterr() == ("one\ntwo\n", "a note\n")


def test_data_is_printed_instead_of_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behave(monkeypatch, Result(("never",), data={"name": "Ä"}))
    assert main(["status"]) == 0
    assert capsys.readouterr().out == '{\n  "name": "Ä"\n}\n'


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FlightdeckError("it broke"), "flightdeck: it broke\n"),
        (FlightdeckError("it broke", "mend it"), "flightdeck: it broke\n  hint: mend it\n"),
    ],
)
def test_fault_a_person_can_mend_is_told_without_a_trace(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: FlightdeckError,
    told: str,
) -> None:
    behave(monkeypatch, error)
    assert main(["status"]) == 1
    assert capsys.readouterr() == ("", told)


def test_nothing_anybody_named_steers_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behave(monkeypatch, Result(("a\tb\x1b[31m",), ("c\x9b1m\nd",)))
    assert main(["status"]) == 0
    assert capsys.readouterr() == ("a\tb\\u001b[31m\n", "c\\u009b1m\nd\n")
    behave(monkeypatch, FlightdeckError("it \x07 broke", "mend \x1b"))
    assert main(["status"]) == 1
    assert capsys.readouterr().err == "flightdeck: it \\u0007 broke\n  hint: mend \\u001b\n"
    assert main(["status", "\x1b[31m"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_name_in_json_is_the_same_to_who_reads_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {"name": "\x1b \x7f \x9b \n é"}
    behave(monkeypatch, Result(data=data))
    assert main(["status"]) == 0
    told = capsys.readouterr().out
    assert all(c.isprintable() or c == "\n" for c in told)
    assert json.loads(told) == data


def test_unexpected_error_keeps_its_trace_and_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    behave(monkeypatch, ZeroDivisionError("by zero"))
    assert main(["status"]) == 3
    log = home / ".fleet" / "log" / "crash.log"
    assert capsys.readouterr().err == (
        "flightdeck: unexpected ZeroDivisionError: by zero\n"
        f"  hint: the whole trace is in {log}; please report it\n"
    )
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_interrupted_command_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    behave(monkeypatch, KeyboardInterrupt())
    assert main(["status"]) == 130


def test_reader_that_left_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def gone(*_: object) -> NoReturn:
        raise BrokenPipeError

    monkeypatch.setattr(cli, "_show", gone)
    behave(monkeypatch, Result())
    stdout = os.dup(1)
    try:
        code = main(["status"])
    finally:
        os.dup2(stdout, 1)
        os.close(stdout)
    assert (code, capfd.readouterr()) == (0, ("", ""))


def test_reader_that_left_before_the_first_line_sees_no_trace() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*FLIGHTDECK, "status"], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_interrupted_process_leaves_no_trace() -> None:
    with subprocess.Popen(
        [*FLIGHTDECK, "status", "--watch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as watching:
        assert watching.stdout
        watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        _, err = watching.communicate()
    assert (watching.returncode, err) == (130, b"")


def test_console_script_leaves_with_the_commands_code() -> None:
    done = subprocess.run([*FLIGHTDECK, "no-such"], capture_output=True, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize("words", [["status"], ["reap"], ["press", "1.1"], ["explain", "0"]])
def test_quick_command_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom flightdeck.cli import main\n"
        f"main({words!r})\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stderr.split())
    loaded = {name.partition(".")[0] for name in modules}
    assert "flightdeck" in loaded
    assert loaded & HEAVY == set()
    assert words != ["status"] or modules & HEAVY_OURS == set()


def _examples() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every call of ours in an EXAMPLES, with the command whose help it stands in."""
    for name in COMMANDS:
        text: str = tree.module(name).EXAMPLES
        for line in text.partition("examples:")[2].splitlines():
            # What is said of an example stands to its right, two blanks or more away.
            reader = shlex.shlex(re.split(r" {2,}", line.strip())[0], punctuation_chars=True)
            reader.whitespace_split = True
            words: list[str] = []
            for word in [*reader, ";"]:
                if set(word) <= set("|;<>"):
                    if words[:1] == ["flightdeck"]:
                        yield name, tuple(words[1:])
                    words = []
                else:
                    words.append(word)


@pytest.mark.parametrize(("name", "words"), list(_examples()))
def test_example_is_one_its_command_takes(name: str, words: tuple[str, ...]) -> None:
    assert name in COMMANDS
    tree.parser(words[0]).parse_args(words[1:])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_of_its_own(name: str) -> None:
    assert name in {words[0] for of, words in _examples() if of == name}


def test_check_of_everything_says_so_at_a_terminal() -> None:
    assert tree.module("validate").SLOW


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("verdict aprove", "did you mean 'approve'?"),
        ("status --jsn", "did you mean '--json'?"),
        ("run --layuot=x", "did you mean '--layout'?"),
        ("layout shwo", "did you mean 'show'?"),
        ("layout show --jsno", "did you mean '--json'?"),
        ("demo --deck zzz", "`flightdeck demo --help` says more"),
        ("focus", "`flightdeck focus --help` says more"),
    ],
)
def test_wrong_word_gets_what_was_meant(
    words: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err.endswith(f"\n  hint: {hint}\n")


def test_slot_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["focus", "webshop"]) == 2
    assert "a slot is a number, not 'webshop': `flightdeck status` shows" in capsys.readouterr().err


def test_terminal_is_spared_what_is_for_the_log_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with monkeypatch.context() as bare:
        bare.setattr(logging.root, "handlers", [])
        main(["verbs", "list"])
        end = log_to(tmp_path / "panel.log")
        logging.getLogger("part").info("as it should be")
        logging.getLogger("part").warning("not as it should be")
        end()
    assert capsys.readouterr().err == "flightdeck: not as it should be\n"
    assert "INFO part: as it should be" in (tmp_path / "panel.log").read_text(encoding="utf-8")
