"""The compiled risk table: risk/README.md, "Compiled"."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.risk import Command, Reading, Rule, Table, Tier
from flightdeck.model.shell import Code, Programs, Rest, Wrapper
from flightdeck.store import risktable
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

WRAPPER = Wrapper(
    verb=("exec",),
    values=frozenset({"-u", "-e"}),
    operands=1,
    assigns=True,
    rest=Rest.ARGV,
    code=(Code("-c", "exec="), Code("1")),
    inert=frozenset({"-v"}),
    embeds=frozenset({"-exec"}),
    drops=frozenset({":::"}),
    more=True,
    stays=True,
)
RULE = Rule(
    name="a",
    tier=Tier.HIGH,
    why="because",
    local=True,
    tools=("Bash",),
    programs=(Command(("git", "push"), ("-f",)),),
    flags=(("-f", "--force"), ("-d",)),
    before=(("-c=x",),),
    without=("-n",),
    operands=(("+*",),),
    only=("a",),
    outside=("b",),
    least=1,
    most=2,
    code=(("drop table",),),
    without_code=("where",),
    fields=("sql",),
    sources=(Command(("curl",)),),
    wrapper=("sudo",),
    assigns=("X",),
    writes=("w",),
    empties=("e",),
    reads=("r",),
    bomb=True,
    names=("drop",),
    path=("p",),
    input=(("url", ("http://*",)),),
)
TABLE = Table(
    rules=(RULE, Rule("b", Tier.LOW, "so")),
    readings={"git": Reading(frozenset({"-C"}), frozenset({"--x"}), frozenset({"*"}), before=True)},
    aliases={"python": "python3"},
    targets={"scratch": ("/tmp/?**",)},
    groups={"shells": (Command(("sh",)), Command(("base64",), ("-d",)))},
    programs=Programs(
        wrappers={"docker": (WRAPPER, Wrapper(rest=Rest.STRING))},
        shells=frozenset({"sh"}),
        interpreters={"python3": frozenset({"-c"})},
        dashed=frozenset({"git"}),
    ),
)


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    place = StateFolder(tmp_path)
    place.create()
    return place


@pytest.mark.parametrize("table", [TABLE, Table()])
def test_table_is_read_as_it_was_written(folder: StateFolder, table: Table) -> None:
    risktable.write(folder, {"d1": Table(), "d2": table})
    assert risktable.read(folder, "d2") == table


def test_table_of_other_sources_is_not_read(folder: StateFolder) -> None:
    risktable.write(folder, {"d1": TABLE})
    assert risktable.read(folder, "d2") is None


def test_table_of_another_release_is_not_read(folder: StateFolder) -> None:
    risktable.write(folder, {"d1": TABLE})
    told = json.loads(risktable.path(folder).read_text())
    risktable.path(folder).write_text(json.dumps(told | {"format": 0}))
    assert risktable.read(folder, "d1") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 1}',
        '{"format": 1, "tables": {"d1": {}}}',
        '{"format": 1, "tables": {"d1": 7}}',
        '{"format": 1, "tables": []}',
        "[" * 100_000,
    ],
    ids=lambda text: text[:40],
)
def test_broken_file_is_no_table(folder: StateFolder, text: str) -> None:
    risktable.path(folder).write_text(text)
    assert risktable.read(folder, "d1") is None


def test_rule_with_a_field_nobody_knows_is_no_table(folder: StateFolder) -> None:
    risktable.write(folder, {"d1": TABLE})
    text = risktable.path(folder).read_text().replace('"without":', '"witout":')
    risktable.path(folder).write_text(text)
    assert risktable.read(folder, "d1") is None


def test_missing_file_is_no_table(folder: StateFolder) -> None:
    assert risktable.read(folder, "d1") is None


def test_same_table_is_the_same_bytes(folder: StateFolder) -> None:
    risktable.write(folder, {"d1": TABLE})
    first = risktable.path(folder).read_bytes()
    risktable.write(folder, {"d1": TABLE})
    assert risktable.path(folder).read_bytes() == first
