"""`flightdeck validate`, called the way a person and a CI job call it."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.cli import main
from flightdeck.config.fragments import NAMES
from flightdeck.config.verbs import verb_files
from flightdeck.fold.rulecheck import in_folder
from tests.config.broken_verbs import BROKEN
from tests.config.panels import SMALLEST

if TYPE_CHECKING:
    from pathlib import Path

BAD = SMALLEST.replace("slot", "slots")
SHIPPED = 2
RULES = len(in_folder(shipped.folder("risk")))
OURS = shipped.folder("verbs")
VERBS = len(verb_files(OURS)) + len(verb_files(OURS / "overrides"))
FRAGMENTS = len(NAMES)
VERB = "---\nkind: steer\n---\nSay it.\n"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A current folder, with a state folder beside it."""
    monkeypatch.setenv("FLEET_HOME", str(tmp_path / "fleet"))
    (tmp_path / "fleet" / "layouts").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["validate", *words])
    return code, capsys.readouterr().out


def test_good_layout_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "a.yaml").write_text(SMALLEST, encoding="utf-8")
    assert call(capsys, "a.yaml") == (0, "1 layout, no problems\n")


def test_bad_layout_is_shown_and_is_a_no(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "a.yaml").write_text(BAD, encoding="utf-8")
    assert call(capsys, "a.yaml") == (
        1,
        (
            "a.yaml:3:11: a row cannot be filled with 'slots'\n"
            "    3 |   - fill: slots\n"
            "      |           ^^^^^\n"
            "  hint: only `slot`\n"
            "1 problem in 1 layout\n"
        ),
    )


def test_folder_is_all_its_files(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"a.yaml": SMALLEST, "b.yaml": BAD, "local.yaml": "pin: 1\n"}.items():
        (place / name).write_text(text, encoding="utf-8")
    code, out = call(capsys, ".")
    assert code == 1
    assert "b.yaml:3:11: " in out
    assert "local.yaml:1:1: unknown key 'pin'" in out
    assert out.endswith("2 problems in 2 files\n")


def test_file_named_twice_is_checked_once(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "a.yaml").write_text(SMALLEST, encoding="utf-8")
    assert call(capsys, "a.yaml", "./a.yaml", ".") == (0, "1 layout, no problems\n")


def test_folder_without_anything_to_check_is_no_success(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", str(place)]) == 1
    assert f"nothing to check in '{place}'" in capsys.readouterr().err


def test_missing_file_is_a_problem(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.is_dir()
    code, out = call(capsys, "none.yaml")
    assert (code, out.split("\n")[0]) == (1, "none.yaml: does not exist")


def test_without_a_path_what_ships_is_checked(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert place.is_dir()
    assert call(capsys) == (
        0,
        (
            f"{SHIPPED} layouts, {FRAGMENTS} fragments, {VERBS} verbs and {RULES} risk files, "
            "no problems\n"
        ),
    )


def test_without_a_path_the_users_own_files_are_checked_too(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = place.parent / "fleet"
    (fleet / "layouts" / "mine.yaml").write_text(SMALLEST, encoding="utf-8")
    (fleet / "local.yaml").write_text("journal: off\n", encoding="utf-8")
    (fleet / "verbs").mkdir()
    (fleet / "verbs" / "mine.md").write_text(VERB, encoding="utf-8")
    (fleet / "verbs" / "_common.md").write_text("Ask first.\n", encoding="utf-8")
    written = f"{FRAGMENTS + 1} fragments, {VERBS + 1} verbs"
    counted = f"{SHIPPED + 1} layouts, {written}, {RULES} risk files"
    told = f"{counted} and local.yaml, no problems\n"
    assert call(capsys) == (0, told)


def test_layout_may_name_a_verb_of_the_users_own(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = place.parent / "fleet" / "verbs"
    own.mkdir()
    layout = SMALLEST + "  - keys:\n      1: steer mine\n"
    (place / "a.yaml").write_text(layout, encoding="utf-8")
    assert "unknown verb 'mine'" in call(capsys, "a.yaml")[1]
    (own / "mine.md").write_text(VERB, encoding="utf-8")
    assert call(capsys, "a.yaml") == (0, "1 layout, no problems\n")


def test_broken_verb_is_told_at_its_file_and_at_the_key_that_names_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = place.parent / "fleet" / "verbs"
    own.mkdir()
    (own / "mine.md").write_text(VERB.replace("kind", "knd"), encoding="utf-8")
    layout = SMALLEST + "  - keys:\n      1: steer mine\n"
    (place / "a.yaml").write_text(layout, encoding="utf-8")
    assert call(capsys, "a.yaml", str(own)) == (
        1,
        (
            f"{own}/mine.md:1:1: 'frontmatter' has no 'kind'\n"
            "    1 | ---\n"
            "      | ^^^\n"
            "  hint: add `kind:`\n"
            f"{own}/mine.md:2:1: unknown key 'knd'\n"
            "    2 | knd: steer\n"
            "      | ^^^\n"
            "  hint: did you mean 'kind'?\n"
            "a.yaml:5:10: verb 'mine' cannot be used\n"
            "    5 |       1: steer mine\n"
            "      |          ^^^^^^^^^^\n"
            f"  hint: {own}/mine.md:1:1: 'frontmatter' has no 'kind'\n"
            "3 problems in 2 files\n"
        ),
    )


def test_verb_can_be_checked_alone(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "good.md").write_text(VERB, encoding="utf-8")
    (place / "bad.md").write_text("Say it.\n", encoding="utf-8")
    assert call(capsys, "good.md") == (0, "1 verb, no problems\n")
    code, out = call(capsys, "bad.md")
    assert code == 1
    assert out.startswith("bad.md:1:1: no frontmatter\n")
    assert out.endswith("1 problem in 1 verb\n")


@pytest.mark.parametrize("form", ["json", "github"])
def test_verbs_are_told_in_every_format(
    place: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    (place / "bad.md").write_text("Say it.\n", encoding="utf-8")
    code, out = call(capsys, "bad.md", "--format", form)
    assert code == 1
    assert "bad.md" in out
    assert "no frontmatter" in out


def test_folder_called_verbs_is_all_its_verbs(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("verbs", "notes"):
        (place / folder).mkdir()
        for name in ("mine.md", "README.md"):
            (place / folder / name).write_text(VERB, encoding="utf-8")
        (place / folder / "_common.md").write_text("Ask first.\n", encoding="utf-8")
    assert call(capsys, "verbs") == (0, "1 fragment and 1 verb, no problems\n")
    assert main(["validate", "notes"]) == 1


PROMPT = "---\nkind: prompt\ncommon: git\n---\nCommit.\n"
EMPTY = "_common.md:1:1: the fragment '_common' is empty\n"


def test_broken_fragment_is_told_once_however_many_verbs_need_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "verbs").mkdir()
    for name, text in {"a.md": PROMPT, "b.md": PROMPT, "_common.md": "\n"}.items():
        (place / "verbs" / name).write_text(text, encoding="utf-8")
    assert call(capsys, "verbs") == (
        1,
        (
            f"verbs/{EMPTY}"
            "  hint: write its rules, or delete a file of your own\n"
            "1 problem in 1 fragment\n"
        ),
    )


def test_verb_that_lies_anywhere_is_checked_with_the_fragments_it_would_get(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.md").write_text(PROMPT, encoding="utf-8")
    (place / "_common.md").write_text("\n", encoding="utf-8")
    assert call(capsys, "a.md") == (0, "1 verb, no problems\n")
    own = place.parent / "fleet" / "verbs"
    own.mkdir()
    (own / "_common.md").write_text("\n", encoding="utf-8")
    code, out = call(capsys, "a.md")
    assert (code, out.split("\n", 1)[0] + "\n") == (1, f"{own}/{EMPTY}")


def test_shipped_verb_is_checked_with_the_users_own_fragments(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = place.parent / "fleet" / "verbs"
    own.mkdir()
    (own / "_common.md").write_text("\n", encoding="utf-8")
    assert call(capsys, str(OURS / "justify.md"))[0] == 0
    assert call(capsys, str(OURS / "test.md"))[0] == 1


def test_each_of_many_broken_verbs_is_found_in_one_go(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for number, broken in enumerate(BROKEN):
        (place / f"{number}").mkdir()
        (place / f"{number}" / "short.md").write_text(broken.text, encoding="utf-8")
        told.append((f"{number}/short.md:{broken.at}", broken.message, broken.hint))
    names = [f"{number}/short.md" for number in range(len(BROKEN))]
    code, out = call(capsys, *names, "--format", "json")
    found = [
        (f"{one['file']}:{one['line']}:{one['column']}", one["message"], one["hint"])
        for one in json.loads(out)["problems"]
    ]
    assert len(BROKEN) > 20
    assert (code, sorted(found)) == (1, sorted(told))


def test_fragment_nobody_reads_is_a_problem(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "_comon.md").write_text("Ask first.\n", encoding="utf-8")
    assert call(capsys, "_comon.md") == (
        1,
        (
            "_comon.md: nobody reads a fragment called '_comon.md'\n"
            "  hint: did you mean '_common.md'?\n"
            "1 problem in 1 fragment\n"
        ),
    )


def test_verbs_that_ship_to_be_copied_are_checked_with_their_folder(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "verbs" / "overrides").mkdir(parents=True)
    (place / "verbs" / "overrides" / "bad.md").write_text("Say it.\n", encoding="utf-8")
    code, out = call(capsys, "verbs")
    assert (code, out.split("\n")[0]) == (1, "verbs/overrides/bad.md:1:1: no frontmatter")


def test_json_is_one_object_with_its_schema(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.yaml").write_text(BAD, encoding="utf-8")
    code, out = call(capsys, "a.yaml", "--format", "json")
    assert code == 1
    assert json.loads(out) == {
        "schema": "flightdeck.validate/1",
        "ok": False,
        "files": ["a.yaml"],
        "problems": [
            {
                "file": "a.yaml",
                "line": 3,
                "column": 11,
                "width": 5,
                "message": "a row cannot be filled with 'slots'",
                "hint": "only `slot`",
            }
        ],
    }


def test_json_of_good_files_says_ok(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "a.yaml").write_text(SMALLEST, encoding="utf-8")
    code, out = call(capsys, "a.yaml", "--format", "json")
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_github_format_is_a_note_at_the_line(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.yaml").write_text(BAD, encoding="utf-8")
    code, out = call(capsys, "a.yaml", "--format", "github")
    assert code == 1
    assert out.startswith("::error file=a.yaml,line=3,col=11,endColumn=16,title=a row cannot")


def test_unknown_format_is_wrong_usage(place: Path) -> None:
    assert place.is_dir()
    assert main(["validate", "--format", "xml"]) == 2


def test_answer_is_given_also_where_the_terminal_lacks_its_letters(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "é.yaml").write_text(BAD, encoding="utf-8")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["validate", "é.yaml"]) == 1
    out.seek(0)
    assert out.read().startswith("\\xe9.yaml:3:11: a row")


RULE = """\
rules:
  frob:
    tier: high
    why: because
    program: frob
    matches:
      - frob
    spares:
      - ls
"""


def test_rule_file_is_known_by_its_folder_or_its_sections(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "a.yaml").write_text(SMALLEST, encoding="utf-8")
    (place / "b.yaml").write_text(RULE, encoding="utf-8")
    (place / "risk").mkdir()
    (place / "risk" / "c.yaml").write_text("targets:\n  mine: /a\n", encoding="utf-8")
    assert call(capsys, ".") == (0, "1 layout and 1 risk file, no problems\n")
    assert call(capsys, "risk") == (0, "1 risk file, no problems\n")


def test_rule_that_does_not_do_what_it_says_is_a_problem(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "b.yaml").write_text(RULE.replace("- ls", "- frob x"), encoding="utf-8")
    assert call(capsys, "b.yaml") == (
        1,
        (
            "b.yaml:9:9: 'frob' matches this, which it spares\n"
            "    9 |       - frob x\n"
            "      |         ^^^^^^\n"
            "  hint: narrow the rule, or move it\n"
            "1 problem in 1 risk file\n"
        ),
    )


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_nothing_is_written_whatever_is_found(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    (tmp_path / "fleet" / "risk").mkdir()
    (tmp_path / "fleet" / "risk" / "mine.yaml").write_text(RULE, encoding="utf-8")
    (place / "bad.yaml").write_text(BAD, encoding="utf-8")
    there = sorted(tmp_path.rglob("*"))
    code, out = call(capsys)
    assert (code, f"and {RULES + 1} risk files" in out) == (0, True)
    assert call(capsys, "bad.yaml", "../fleet/risk", "--format", form)[0] == 1
    assert sorted(tmp_path.rglob("*")) == there
