"""Every command of a README is run, and every command there is stands in the table."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import tree
from flightdeck.commands.board.drawing import HELP
from flightdeck.commands.result import Exit
from flightdeck.commands.tree import COMMANDS
from flightdeck.doctor.visit import PARTS
from flightdeck.store.paths import StateFolder
from tests.commands.running import spare_it_compiling
from tests.readme import pages
from tests.readme.pages import FRONT, ROOT
from tests.readme.shell import Clone, lines_of

if TYPE_CHECKING:
    from pathlib import Path

# Nothing is installed yet, so there is something to be changed.
ENDS_WITH = {"flightdeck apply --plan": Exit.NO}


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def _expected(line: str) -> int:
    return next((code for start, code in ENDS_WITH.items() if line.startswith(start)), Exit.DONE)


@pytest.mark.parametrize("block", pages.blocks("sh"), ids=str)
def test_shell_block_runs_as_it_stands(clone: Clone, block: pages.Block) -> None:
    for line in lines_of(block.text):
        done = clone.run(line)
        assert done.returncode == _expected(line), (line, done.stdout, done.stderr)
        if told := re.search(r"# prints (\w+)$", line):
            assert done.stdout.split()[:1] == [told[1]]


def test_first_command_makes_a_venv_and_shows_the_demo(clone: Clone) -> None:
    first, *_ = pages.blocks("sh")
    done = clone.run(first.text)
    assert first.heading == "Try it"
    assert "panel on the browser deck: http://127.0.0.1:" in done.stdout + done.stderr
    assert clone.log.read_text(encoding="utf-8").split("\n")[:2] == [
        f"{clone.path}/bin/python3 -m venv .venv",
        ".venv/bin/python -m pip install -q .",
    ]


def test_programs_that_stand_in_are_called_with_files_there_are(clone: Clone) -> None:
    for block in pages.blocks("sh"):
        for line in lines_of(block.text):
            words = shlex.split(line, comments=True)
            if "pytest" in words:
                named = [word for word in words if word.startswith("tests/")]
                assert all(list(ROOT.glob(word)) for word in named)
                assert named
    assert (ROOT / ".ci/test").stat().st_mode & 0o100


def test_uninstalling_leaves_the_settings_as_they_were(clone: Clone) -> None:
    settings = clone.home / ".claude" / "settings.json"
    before = settings.read_bytes()
    assert clone.run("flightdeck apply").returncode == 0
    assert settings.read_bytes() != before
    (block,) = (block for block in pages.blocks("sh") if block.heading == "Uninstall")
    for line in lines_of(block.text):
        assert clone.run(line).returncode == 0
    assert settings.read_bytes() == before


def _table() -> dict[str, str]:
    """Return what the table says each command takes, by its name."""
    told = (row[0].strip("`").replace("\\|", "|") for row in pages.rows(FRONT, "The command line"))
    calls = (cell.split(maxsplit=2)[1:] for cell in told if cell.startswith("flightdeck "))
    return {name: " ".join(rest) for name, *rest in calls}


@pytest.mark.parametrize("name", COMMANDS)
def test_table_says_all_that_a_command_takes(name: str) -> None:
    told = _table()[name]
    actions = [a for a in tree.parser(name)._actions if a.help is not argparse.SUPPRESS]
    options = {option for a in actions for option in a.option_strings} - {"-h", "--help"}
    assert set(re.findall(r"--[a-z-]+", told)) == options
    for action in actions:
        if not action.option_strings and action.nargs != argparse.PARSER:
            assert str(action.metavar or "|".join(map(str, action.choices or ()))) in told


def test_table_has_the_commands_there_are_once_each() -> None:
    named = re.findall(r"^\| `flightdeck ([a-z]+)", pages.section(FRONT, "The command line"), re.M)
    assert sorted(named) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    told = tree.parser(name).format_help()
    assert f"flightdeck {name}" in told


@pytest.mark.parametrize("key", sorted({key for told in HELP for key in told.split()[:-1]}))
def test_key_of_the_board_is_told(key: str) -> None:
    assert f"`{key}`" in pages.section(FRONT, "The board")


@pytest.mark.parametrize("part", PARTS)
def test_part_the_doctor_looks_at_is_named(part: str) -> None:
    assert f"`{part}`" in pages.section(FRONT, "Doctor")


def test_commands_an_agent_must_be_asked_about_are_high(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spare_it_compiling(StateFolder(home / ".fleet"))
    told = pages.section(FRONT, "Its limits").partition("own permissions: ")[2].partition(" are *h")
    named = [call.removeprefix("flightdeck ") for call in told[0].split("`")[1::2]]
    calls = [f"flightdeck {call}" for call in named]
    for call in calls:
        assert main(["risk", call]) == Exit.DONE
    assert capsys.readouterr().out.split() == ["high"] * len(calls)
    assert len(calls) >= 5


def test_exit_codes_are_those_of_the_program() -> None:
    told = dict(re.findall(r"(\d+) (\w+)", pages.section(FRONT, "Exit codes")))
    assert {int(code) for code in told} == {code.value for code in Exit} | {130}
