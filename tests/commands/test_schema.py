"""`flightdeck schema`: what an editor is given for each kind of file."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from flightdeck.cli import main
from flightdeck.config.schema import KINDS, schema_of


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The current folder is an empty one."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_printed_as_one_object(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    assert main(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out) == schema_of(kind)


def test_written_schema_may_be_read_by_anybody_and_its_line_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = Path("mine.json")
    assert main(["schema", "risk", "--out", str(path)]) == 0
    told = capsys.readouterr()
    assert told.out == "mine.json is the schema of risk files\n"
    line = "# yaml-language-server: $schema=./mine.json"
    assert told.err == f"the first line of a file beside it: {line}\n"
    assert json.loads(path.read_text(encoding="utf-8")) == schema_of("risk")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_no_line_is_told_for_a_verb_where_no_editor_looks_for_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["schema", "verb", "--out", "verb.schema.json"]) == 0
    assert capsys.readouterr().err == ""


def test_schema_of_another_kind_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "local", "--out", "s.json"]) == 0
    assert main(["schema", "risk", "--out", "s.json"]) == 1
    assert "'s.json' holds something else" in capsys.readouterr().err
    assert json.loads(Path("s.json").read_text(encoding="utf-8")) == schema_of("local")


@pytest.mark.parametrize("words", [(), ("verbs",)])
def test_kind_of_file_has_to_be_named(words: tuple[str, ...]) -> None:
    assert main(["schema", *words]) == 2
