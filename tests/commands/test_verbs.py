"""`flightdeck verbs`: what can be sent, and where it is written."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.cli import main
from flightdeck.config.fragments import read_fragment

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
    (own / "zap.md").write_text("---\nkind: prompt\nconfirm: yes\n---\nx\n", encoding="utf-8")
    code, out, err = call(capsys, "list")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "name      kind    label     confirm  from"
    assert "dryrun    steer   DRYRUN    -        shipped" in lines
    assert "justify   steer   Why?      -        yours" in lines
    assert lines[-1] == "zap       prompt  ZAP       yes      yours"


def test_broken_verb_stays_in_the_list_and_is_noted(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "zap.md").write_text("x\n", encoding="utf-8")
    code, out, err = call(capsys, "list")
    assert (code, out.splitlines()[-1]) == (0, "zap       -       -         -        yours")
    assert err == "verbs/zap.md cannot be used: `flightdeck validate` says why\n"


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
            "confirm": False,
            "from": "shipped",
            "path": str(SHIPPED / "dryrun.md"),
        },
        {
            "name": "test",
            "kind": None,
            "label": None,
            "confirm": None,
            "from": "yours",
            "path": str(own / "test.md"),
        },
    ]


def test_show_prints_the_text_as_it_is_sent(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "mine.md").write_bytes(
        b"\xef\xbb\xbf---\r\nkind: steer\r\n---\r\n\r\nA\r\n\r\nB\r\n\r\n"
    )
    assert call(capsys, "show", "mine") == (0, "A\n\nB\n", "")


def test_show_of_a_prompt_begins_with_its_rules_and_has_no_token_left(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "_common.md").write_text("Ask `{{flightdeck}}` first.\n", encoding="utf-8")
    (own / "_common-git.md").write_text("Never force.\n", encoding="utf-8")
    text = "---\nkind: prompt\ncommon: git\n---\nCommit, or {{flightdeck}} fail.\n"
    (own / "mine.md").write_text(text, encoding="utf-8")
    command = shlex.quote(str(shipped.command()))
    told = f"Ask `{command}` first.\n\nNever force.\n\nCommit, or {command} fail.\n"
    assert call(capsys, "show", "mine") == (0, told, "")


@pytest.mark.parametrize(
    "raw",
    [
        b"---\r\ncommon: git\r\nkind: prompt\r\n---\r\n\r\nDo it.\r\n",
        b"\xef\xbb\xbf---\ncommon: git\nkind: prompt\n---\n\nDo it.\n",
        b"---  \ncommon: git\nkind: prompt\n---\t\n\nDo it.\n",
        b"---\rcommon: git\rkind: prompt\r---\r\rDo it. \r\r",
    ],
    ids=["crlf", "mark", "blanks", "cr"],
)
def test_what_an_editor_leaves_behind_is_never_sent(
    own: Path, capsys: pytest.CaptureFixture[str], raw: bytes
) -> None:
    # VB-01, mohitagw15856/pm-claude-skills#173 and others: the frontmatter was sent as prompt.
    (own / "do.md").write_text("---\ncommon: git\nkind: prompt\n---\n\nDo it.\n", encoding="utf-8")
    code, plain, _ = call(capsys, "show", "do")
    (own / "do.md").write_bytes(raw)
    assert (code, call(capsys, "show", "do")) == (0, (0, plain, ""))
    rules = [read_fragment(SHIPPED / f"{name}.md") for name in ("_common", "_common-git")]
    assert plain == "\n\n".join((*rules, "Do it.")) + "\n"
    assert "\r" not in plain
    assert "---" not in plain.splitlines()


def test_show_of_a_prompt_without_its_rules_is_what_is_wrong_with_them(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own / "_common.md").write_text("\n", encoding="utf-8")
    (own / "mine.md").write_text("---\nkind: prompt\n---\nTest.\n", encoding="utf-8")
    code, out, err = call(capsys, "show", "mine")
    assert (code, out) == (1, "")
    assert err.startswith("verbs/_common.md:1:1: the fragment '_common' is empty\n")


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


@pytest.mark.parametrize("asked", ["show", "path"])
def test_fragment_is_no_verb(own: Path, capsys: pytest.CaptureFixture[str], asked: str) -> None:
    (own / "_common.md").write_text("Always.\n", encoding="utf-8")
    code, _, err = call(capsys, asked, "_common")
    assert code == 1
    assert err.startswith("flightdeck: '_common' is a fragment of verbs, not a verb\n")


@pytest.mark.parametrize("words", [[], ["show"], ["list", "x"], ["edit", "justify"]])
def test_anything_else_is_wrong_usage(own: Path, words: list[str]) -> None:
    assert own.is_dir()
    assert main(["verbs", *words]) == 2
