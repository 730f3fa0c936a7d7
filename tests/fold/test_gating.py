"""What stands against a call of a gated session; where it cannot be told, that does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.claude_code.calls import Call
from flightdeck.fold.gating import objection
from flightdeck.store import latch
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

RULE = """rules:
  frob:
    tier: {tier}
    why: frobs
    program: frob
    matches:
      - frob
    spares:
      - echo frob
"""


@pytest.fixture
def folder(home: Path) -> StateFolder:
    place = StateFolder(home / ".fleet")
    place.create()
    return place


def bash(command: str) -> Call:
    return Call("Bash", {"command": command}, "/R/app")


def own(folder: StateFolder, text: str) -> None:
    folder.risk.mkdir(exist_ok=True)
    (folder.risk / "mine.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "call",
    [
        bash("rm -rf /"),
        bash("cd /tmp && sudo true"),
        Call("PowerShell", {"command": "Remove-Item -Recurse -Force C:\\"}, ""),
        Call("Monitor", {"command": "rm -rf /", "description": "the build"}, "/R/app"),
        Call("mcp__box__exec", {"command": "rm -rf /"}, "/R/app"),
        Call("Write", {"file_path": os.path.expanduser("~/.fleet/halt")}, "/R/app"),  # noqa: PTH111
    ],
    ids=lambda call: call.tool,
)
def test_high_call_of_any_tool_is_refused_with_the_rules_why(
    folder: StateFolder, call: Call
) -> None:
    against = objection(folder, call)
    assert against.startswith("the call is high risk: ")
    assert "(rule " in against


# HA-08
@pytest.mark.parametrize(
    "call",
    [
        bash("rm -f ~/.fleet/halt"),
        bash("rm -r ~/.fleet/gate"),
        bash("mv ~/.fleet ~/elsewhere"),
        bash("flightdeck halt --off"),
        bash("flightdeck gate 0 --off"),
        bash("flightdeck apply --remove --yes"),
        bash("flightdeck press 4.8"),
        Call("Write", {"file_path": "~/.fleet/halt"}, "/R/app"),
        Call("Edit", {"file_path": "~/.claude/settings.json"}, "/R/app"),
    ],
    ids=str,
)
def test_no_call_takes_the_brakes_off_by_itself(folder: StateFolder, call: Call) -> None:
    assert objection(folder, call).startswith("the call is high risk: ")


@pytest.mark.parametrize(
    "call",
    [
        bash("ls"),
        bash("make test"),
        bash("frob"),
        Call("Read", {"file_path": "/R/app/x"}, "/R/app"),
    ],
    ids=str,
)
def test_call_that_is_not_high_may_pass(folder: StateFolder, call: Call) -> None:
    assert objection(folder, call) == ""


def test_words_never_hold_what_the_call_holds(folder: StateFolder) -> None:
    against = objection(folder, bash("rm -rf / # SECRET"))
    assert against
    assert "SECRET" not in against


def test_own_rule_counts(folder: StateFolder) -> None:
    own(folder, RULE.format(tier="high"))
    assert objection(folder, bash("frob")) == "the call is high risk: frobs (rule frob)"


def test_broken_rule_file_refuses_every_call_and_is_named(folder: StateFolder) -> None:
    own(folder, RULE.format(tier="hihg"))
    against = objection(folder, bash("ls"))
    assert against.startswith("the risk rules cannot be relied on: ")
    assert f"{folder.risk / 'mine.yaml'}:3:" in against


def test_rule_whose_example_fails_refuses_every_call(folder: StateFolder) -> None:
    own(folder, RULE.format(tier="high").replace("      - frob\n", "      - brof\n", 1))
    assert "cannot be relied on" in objection(folder, bash("ls"))


def test_folder_of_rules_that_cannot_be_listed_refuses_every_call(folder: StateFolder) -> None:
    folder.risk.touch()
    assert "cannot be read" in objection(folder, bash("ls"))


@pytest.mark.parametrize("given", ["rm", None, ["rm"]])
def test_call_that_cannot_be_read_is_an_error_and_never_a_pass(
    folder: StateFolder, given: object
) -> None:
    with pytest.raises(TypeError):
        objection(folder, Call("Bash", given, ""))


def test_latch_that_was_set_meanwhile_refuses(folder: StateFolder) -> None:
    latch.put(folder)
    assert objection(folder, bash("ls")) == "HALT is set"
