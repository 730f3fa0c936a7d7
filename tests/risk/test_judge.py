"""A judge answers whatever it is given: risk/README.md, "What a call is judged by"."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.model.risk import Judgement, Tier
from flightdeck.risk import script
from flightdeck.risk.judge import TableJudge
from tests.risk.tables import HOME, rules

if TYPE_CHECKING:
    from flightdeck.ports import Judge

SECTIONS = """
targets:
  secret: ~/.ssh/**
programs:
  git:
    values: -C
    before: yes
wrappers:
  sudo, env:
    runs: words
"""

TABLE = rules(
    "program: rm\nflags: -r\noutside: <secret>",
    "program: git push\nflags: -f\nwithout: -n\noperands: +*",
    "program: python3\ncode: os.system",
    "wrapper: sudo",
    "tool: Write\npath: <secret>",
    sections=SECTIONS,
)

# Pieces of commands, between bars.
_WORDS = r"""rm -r x|git push -f +x|sudo |env |$(|)|`|"|'|<<EOF
|
EOF
|\|;|&&|{|}|((|<(|$'\x72m'|~/.ssh/id|#|a=(|for i in x; do |done"""
SCRAPS = st.sampled_from([*_WORDS.split("|"), "\0", "\ud800", " | ", "\n"])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def judge() -> Judge:
    return TableJudge(TABLE, HOME)


@settings(max_examples=300, deadline=None)
@given(st.lists(SCRAPS | st.text(max_size=5), max_size=12).map("".join))
@pytest.mark.parametrize("tool", ["Bash", "PowerShell"])
def test_any_command_is_judged(tool: str, command: str) -> None:
    judged = TableJudge(TABLE, HOME)(tool, {"command": command})
    assert isinstance(judged.tier, Tier)
    start, end = judged.span or (0, 0)
    assert 0 <= start <= end <= len(command)


@settings(max_examples=200, deadline=None)
@given(JSON | st.dictionaries(st.sampled_from(["command", "file_path", "x"]), JSON))
@pytest.mark.parametrize("tool", ["Bash", "PowerShell", "Write", "mcp__x", ""])
def test_any_input_is_judged(tool: str, tool_input: object) -> None:
    assert isinstance(TableJudge(TABLE, HOME)(tool, tool_input).tier, Tier)
    TableJudge(TABLE, HOME).speaking(tool, tool_input)


@pytest.mark.parametrize(
    "command",
    [
        "(" * 5_000,
        "$(" * 5_000,
        "`" * 5_000,
        "rm -r x; " * 20_000,
        "a" * 1_000_000,
        "ls\0; rm -r x",
        "\ud800",
        "x | " * 5_000,
        "x=" * 50_000,
        "{a,b}" * 40,
        '"' * 9_999,
        "cat <<A\n" * 500,
        "sudo " * 3_000 + "ls",
        "rm " + "*/" * 20_000,
    ],
    ids=lambda command: repr(command[:12]),
)
@pytest.mark.parametrize("tool", ["Bash", "PowerShell"])
def test_command_made_to_hurt_is_judged_and_never_low(
    tool: str, command: str, judge: Judge
) -> None:
    assert judge(tool, {"command": command}).tier is not Tier.LOW


@pytest.mark.parametrize("tool_input", [None, [], "ls", {"command": 7}, {"cmd": "ls"}, {}])
def test_shell_call_without_a_command_is_medium(tool_input: object, judge: Judge) -> None:
    judged = judge("Bash", tool_input)
    assert (judged.tier, judged.rule) == (Tier.MEDIUM, "")


def test_only_the_command_counts(judge: Judge) -> None:
    assert judge("Bash", {"command": "x", "description": "rm -r y"}).rule == ""


def test_session_folder_is_where_paths_are_seen_from(judge: Judge) -> None:
    assert judge("Write", {"file_path": "id"}, f"{HOME}/.ssh").rule == "e"


def test_failing_parser_is_a_medium_call_and_its_input_is_not_logged(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(command: str, programs: object) -> None:
        raise ZeroDivisionError(command)

    monkeypatch.setattr(script, "parse", fails)
    with caplog.at_level(logging.WARNING):
        judged = judge("Bash", {"command": "hush"})
    assert judged == Judgement(Tier.MEDIUM, why="it cannot be read")
    assert "ZeroDivisionError" in caplog.text
    assert "hush" not in caplog.text


def test_line_a_tool_would_give_to_a_shell_can_only_make_it_high(judge: Judge) -> None:
    high = judge("Monitor", {"command": "git push -f +x"})
    assert (high.tier, high.span) == (Tier.HIGH, None)
    for command in ("git push -n", "tail -f x.log", "", ["git push -f +x"]):
        assert judge("Monitor", {"command": command}) == judge("Monitor", {})


def test_own_rule_about_a_tool_is_the_last_word_on_its_line() -> None:
    (own,) = rules("tool: Monitor").rules
    table = replace(TABLE, rules=(*TABLE.rules, replace(own, local=True, tier=Tier.LOW)))
    judged = TableJudge(table, HOME)("Monitor", {"command": "git push -f +x"})
    assert judged.tier is Tier.LOW


@pytest.mark.parametrize("fields", [{}, {"command": ["rm"]}, {"command": None}])
def test_shell_without_a_line_is_no_call_that_may_pass(fields: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        TableJudge(TABLE, HOME).strictly("Bash", fields)
