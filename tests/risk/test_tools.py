"""Rules about tools without a command line: risk/README.md, "A rule"."""

from __future__ import annotations

import pytest

from flightdeck.model.risk import Tier
from flightdeck.risk.judge import TableJudge
from tests.risk.tables import HOME, rules

TARGETS = "targets:\n  settings: '**/.claude/settings*.json'\n  secret: ~/.ssh/**"


def speaks(fields: str, tool: str, tool_input: object, cwd: str = "") -> bool:
    judge = TableJudge(rules(fields, sections=TARGETS), HOME)
    return bool(judge.speaking(tool, tool_input, cwd))


def test_tool_itself_may_be_all_a_rule_is_about() -> None:
    assert speaks("tool: Read Glob", "Glob", {})
    assert not speaks("tool: Read Glob", "Write", {})
    assert not speaks("tool: Read", "Bash", {"command": "Read"})


@pytest.mark.parametrize(
    "path", ["/home/ada/.claude/settings.json", "../.claude/settings.local.json", "~/.ssh/id"]
)
@pytest.mark.parametrize("field", ["file_path", "notebook_path", "path", "destination"])
def test_path_is_found_in_whatever_field_holds_it(field: str, path: str) -> None:
    asked = "tool: Write Edit\npath: <settings> <secret>"
    assert speaks(asked, "Write", {field: path}, "/home/ada/app")
    assert not speaks(asked, "Write", {"content": path})


def test_relative_path_is_seen_from_the_folder() -> None:
    assert speaks("tool: Write\npath: <secret>", "Write", {"file_path": "id"}, "/home/ada/.ssh")


def test_path_that_lowers_must_be_sure() -> None:
    told = rules("tool: Read\npath: <secret> /srv/**", tier="low", sections=TARGETS)
    judge = TableJudge(told, HOME)
    assert judge("Read", {"path": "/srv/x"}).tier is Tier.LOW
    assert judge("Read", {"path": "../srv/x"}, "/home").tier is Tier.MEDIUM
    assert judge("Read", {"path": "id"}, f"{HOME}/.ssh").tier is Tier.MEDIUM


def test_field_is_asked_for_by_its_name() -> None:
    asked = "tool: WebFetch\ninput:\n  url: http://* file:*"
    assert speaks(asked, "WebFetch", {"url": "http://x.example"})
    assert not speaks(asked, "WebFetch", {"url": "https://x.example"})
    assert not speaks(asked, "WebFetch", {"prompt": "http://x.example"})
    assert not speaks(asked, "WebFetch", {"url": 7})


def test_fields_must_all_be_as_asked() -> None:
    asked = "tool: T\ninput:\n  a: x*\n  b: <secret>"
    assert speaks(asked, "T", {"a": "xy", "b": "~/.ssh/id"})
    assert not speaks(asked, "T", {"a": "xy", "b": "z"})


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("mcp__db__drop_table", True),
        ("mcp__db__dropTable", True),
        ("mcp__db__DROP-table", True),
        ("mcp__dropbox__list", False),
        ("mcp__db__list_tables", False),
    ],
)
def test_word_of_a_tools_name_is_found(tool: str, expected: bool) -> None:
    assert speaks("tool: 'mcp__*'\nname: drop delete", tool, {}) is expected


def test_text_of_the_input_is_looked_through_at_any_depth() -> None:
    asked = "tool: 'mcp__*'\ncode: drop table"
    assert speaks(asked, "mcp__x", {"a": [{"b": "DROP\nTABLE x"}, 1, None]})
    assert not speaks(asked, "mcp__x", {"a": "drop the table"})


def test_only_the_named_fields_are_looked_through() -> None:
    asked = "tool: 'mcp__*'\ncode: drop table\nwithout_code: explain\nfields: sql query"
    assert speaks(asked, "mcp__x", {"query": "drop table x", "title": "explain"})
    assert not speaks(asked, "mcp__x", {"title": "drop table x"})
    assert not speaks(asked, "mcp__x", {"sql": "explain drop table x"})


def test_endless_input_is_looked_through_up_to_an_end() -> None:
    asked = "tool: 'mcp__*'\ncode: drop table"
    assert not speaks(
        asked, "mcp__x", {"a": ["x"] * 10_000, "b": {str(n): "x" for n in range(9_999)}}
    )


def test_highest_rule_about_a_tool_decides_and_an_unknown_tool_is_medium() -> None:
    told = rules("tool: A*", "tool: AB", tier="low")
    judge = TableJudge(told, HOME)
    assert (judge("AB", {}).tier, judge("AB", {}).rule) == (Tier.LOW, "a")
    assert (judge("B", {}).tier, judge("B", {}).rule) == (Tier.MEDIUM, "")


def test_names_of_any_number_of_tools_can_be_asked() -> None:
    judge = TableJudge(rules("tool: t*"), HOME)
    assert all(judge(f"t{n}", {}).rule == "a" for n in range(300))
