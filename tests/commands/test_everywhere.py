"""Every command, wherever it is run: no trace, and the exit code it has anywhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.commands.tree import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.fold.world import Machine

# As little as each can be asked for, and nothing that takes long.
ASKED = (
    *("--help", "--version", "nonsense", "validate row1", "layout list", "layout show row1"),
    *("status", "status --json", "explain 0", "explain 7", "press 1.1", "risk ls"),
    *("verbs list", "verdict approve", "verdict aprove", "send test"),
    *("focus 7", "select 0", "select x", "teardown 7 --dry-run", "fail", "halt", "halt --off"),
    *("gate 7", "completion --names verbs", "reap", "apply --plan --agent nobody"),
    *("preview --out /no/such/folder/x.png", "run --layout nonsense", "demo --deck toaster"),
)
CALLS = (
    *ASKED,
    *(f"{name} --help" for name in COMMANDS if name not in {words.split()[0] for words in ASKED}),
)
# One process for all of them: each begins with the streams and the environment it was given.
DRIVER = """
import json, os, sys
from flightdeck.cli import main

told, out = {}, os.dup(1) if sys.stdout else None
for words in json.loads(sys.argv[1]):
    if out is not None:
        os.dup2(out, 1)
    told[words] = main(words.split())
with open(sys.argv[2], "w") as file:
    json.dump(told, file)
"""


def codes(
    machine: Machine, how: str = "{}", more: Mapping[str, str] | None = None
) -> tuple[dict[str, int], str]:
    """Run them all, `how` a shell redirects them; return the exit codes and what went wrong."""
    told = machine.home / "told.json"
    argv = [sys.executable, "-c", DRIVER, json.dumps([*CALLS]), str(told)]
    done = subprocess.run(
        ["/bin/sh", "-c", how.format('"$@"'), "sh", *argv],
        env={**os.environ, **(more or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert not [*machine.home.rglob("crash.log")]
    return json.loads(told.read_text(encoding="utf-8")), done.stdout + done.stderr


@pytest.fixture
def usual(machine: Machine) -> dict[str, int]:
    """Return the exit codes on a machine with one agent whose title is no ASCII."""
    machine.starts(machine.agent(), "s", cwd="/R/caf\u00e9", session_title="\u4f60\u597d \u25b6")
    told, _ = codes(machine)
    assert set(told.values()) == {0, 1, 2}
    return told


def test_streams_that_are_closed_change_nothing(machine: Machine, usual: dict[str, int]) -> None:
    for how in ("{} >&-", "{} <&- >&- 2>&-"):
        assert codes(machine, how)[0] == usual


def test_reader_that_has_left_ends_nothing_with_a_fault(
    machine: Machine, usual: dict[str, int]
) -> None:
    fifo = machine.home / "fifo"
    os.mkfifo(fifo)
    # Somebody reads while it is opened, and nobody any more when it begins.
    told, said = codes(machine, f'exec 3<>"{fifo}"; exec 1>"{fifo}" 3<&-; {{}}')
    wrong = {words for words, code in told.items() if code not in {0, usual[words]}}
    assert wrong == set()
    assert "Broken pipe" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_result_that_cannot_be_written_is_told_and_no_success(
    machine: Machine, usual: dict[str, int]
) -> None:
    told, said = codes(machine, "{} >/dev/full")
    assert told["status"] == told["status --json"] == told["verbs list"] == 1
    assert told["nonsense"] == told["select x"] == 2
    assert "flightdeck: cannot write to standard output: No space left on device" in said


@pytest.mark.parametrize("folder", ["/dev/null", "file/fleet"])
def test_state_folder_that_cannot_be_one_is_told(machine: Machine, folder: str) -> None:
    (machine.home / "file").touch()
    told, said = codes(machine, more={"FLEET_HOME": str(machine.home / folder)})
    assert told["status"] == told["select 0"] == told["halt"] == 1
    assert told["verbs list"] == told["layout list"] == told["risk ls"] == 0
    assert "cannot use the state folder" in said


def test_locale_without_its_letters_shows_them_somehow(
    machine: Machine, usual: dict[str, int]
) -> None:
    poor = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told, said = codes(machine, more=poor)
    assert told == usual
    assert "\\u4f60\\u597d" in said


def test_user_without_a_home_is_told_to_name_one(machine: Machine) -> None:
    nobody = "import os; os.path.expanduser = lambda path: path\n"
    argv = [sys.executable, "-c", nobody + DRIVER, '["status", "--help"]', str(machine.home / "t")]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert json.loads((machine.home / "t").read_text(encoding="utf-8")) == {
        "status": 1,
        "--help": 0,
    }
    assert done.stderr == "flightdeck: this user has no home folder\n  hint: set HOME to one\n"
