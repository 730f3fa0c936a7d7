"""`flightdeck verbs`: what can be sent, and where it is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = shipped.folder("verbs")


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the user's own verbs."""
    monkeypatch.setenv("FLEET_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "verbs").mkdir()
    return tmp_path / "verbs"


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["verbs", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_list_says_name_kind_label_and_whose(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "justify.md").write_text("---\nkind: steer\nlabel: Why?\n---\nx\n", encoding="utf-8")
    (own / "test.md").write_text("---\nkind: prompt\n---\nx\n", encoding="utf-8")
    assert call(capsys, "list") == (
        0,
        (
            "name      kind    label     from\n"
            "dryrun    steer   DRYRUN    shipped\n"
            "justify   steer   Why?      yours\n"
            "otherway  steer   OTHERWAY  shipped\n"
            "test      prompt  TEST      yours\n"
        ),
        "",
    )


def test_broken_verb_stays_in_the_list_and_is_noted(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "test.md").write_text("x\n", encoding="utf-8")
    code, out, err = call(capsys, "list")
    assert (code, out.splitlines()[-1]) == (0, "test      -      -         yours")
    assert err == "verbs/test.md cannot be used: `flightdeck validate` says why\n"


def test_list_as_json_is_one_object_with_its_schema(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "test.md").write_text("x\n", encoding="utf-8")
    code, out, _ = call(capsys, "list", "--json")
    told = json.loads(out)
    assert (code, set(told), told["schema"]) == (0, {"schema", "verbs"}, "flightdeck.verbs/1")
    assert [row for row in told["verbs"] if row["name"] in {"dryrun", "test"}] == [
        {
            "name": "dryrun",
            "kind": "steer",
            "label": "DRYRUN",
            "from": "shipped",
            "path": str(SHIPPED / "dryrun.md"),
        },
        {
            "name": "test",
            "kind": None,
            "label": None,
            "from": "yours",
            "path": str(own / "test.md"),
        },
    ]


def test_show_prints_the_text_as_it_is_sent(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "mine.md").write_bytes(
        b"\xef\xbb\xbf---\r\nkind: steer\r\n---\r\n\r\nA\r\n\r\nB\r\n\r\n"
    )
    assert call(capsys, "show", "mine") == (0, "A\n\nB\n", "")


def test_show_of_a_broken_verb_is_its_problems(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "justify.md").write_text("x\n", encoding="utf-8")
    code, out, err = call(capsys, "show", "justify")
    assert (code, out) == (1, "")
    assert err.startswith("verbs/justify.md:1:1: no frontmatter\n")


def test_path_is_that_of_the_file_which_counts(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "path", "justify") == (0, f"{SHIPPED / 'justify.md'}\n", "")
    (own / "justify.md").write_text("broken\n", encoding="utf-8")
    assert call(capsys, "path", "justify") == (0, f"{own / 'justify.md'}\n", "")


@pytest.mark.parametrize("asked", ["show", "path"])
def test_unknown_verb_is_answered_with_the_nearest(
    own: Path, capsys: pytest.CaptureFixture[str], asked: str
) -> None:
    assert own.is_dir()
    assert call(capsys, asked, "justfy") == (
        1,
        "",
        "flightdeck: unknown verb 'justfy'\n  hint: did you mean 'justify'?\n",
    )


def test_fragment_is_no_verb(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "_common.md").write_text("Always.\n", encoding="utf-8")
    code, _, err = call(capsys, "show", "_common")
    assert code == 1
    assert err.startswith("flightdeck: '_common' is a fragment of verbs, not a verb\n")


@pytest.mark.parametrize("words", [[], ["show"], ["list", "x"], ["edit", "justify"]])
def test_anything_else_is_wrong_usage(own: Path, words: list[str]) -> None:
    assert own.is_dir()
    assert main(["verbs", *words]) == 2
