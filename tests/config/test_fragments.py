"""The rules before a prompt: which file they come from, and what keeps one from being sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.fragments import (
    NAMES,
    Fragment,
    fragment_files,
    load_fragments,
    needed,
    parse_fragment,
    places_for,
    read_fragment,
)
from flightdeck.config.passage import MOST_BYTES
from flightdeck.config.report import render_text
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = "---\nkind: prompt\n---\nTest.\n"
GIT = "---\nkind: prompt\ncommon: git\n---\nCommit.\n"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """The user's own folder and the shipped one, which has both fragments."""
    own, ours = tmp_path / "own", tmp_path / "ours"
    own.mkdir()
    ours.mkdir()
    (ours / "_common.md").write_text("Ask first.\n", encoding="utf-8")
    (ours / "_common-git.md").write_text("Never force.\n", encoding="utf-8")
    return own, ours


def report(text: str, name: str = "_common") -> str:
    with pytest.raises(ConfigError) as caught:
        parse_fragment(name, text, f"{name}.md")
    assert all(problem.hint for problem in caught.value.problems)
    return render_text(caught.value.problems, lambda _: "fragment")


def test_fragment_is_its_text_without_blanks_around_it() -> None:
    assert parse_fragment("_common", "\n\nAsk first. \n\nThen wait.\n\n", "_common.md") == (
        "Ask first.\n\nThen wait."
    )


@pytest.mark.parametrize(
    "raw",
    [b"\xef\xbb\xbfA\r\n\r\nB\r\n", b"A\r\rB", b"\nA  \n \nB\t\n\n"],
    ids=["dos", "cr", "blanks"],
)
def test_what_an_editor_leaves_behind_changes_no_fragment(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "_common.md").write_bytes(raw)
    assert read_fragment(tmp_path / "_common.md") == "A\n\nB"


def test_own_fragment_wins_over_the_shipped_one_file_by_file(places: tuple[Path, Path]) -> None:
    (places[0] / "_common.md").write_text("Mine.\n", encoding="utf-8")
    assert load_fragments(*places) == {
        "_common": Fragment("Mine."),
        "_common-git": Fragment("Never force."),
    }


def test_broken_own_fragment_never_falls_back_to_the_shipped_one(
    places: tuple[Path, Path],
) -> None:
    (places[0] / "_common.md").write_text(" \n", encoding="utf-8")
    (problem,) = load_fragments(*places)["_common"].problems
    assert problem.message == "the fragment '_common' is empty"


def test_own_fragment_that_links_to_nothing_is_a_problem(places: tuple[Path, Path]) -> None:
    (places[0] / "_common.md").symlink_to("gone.md")
    (problem,) = load_fragments(*places)["_common"].problems
    assert (problem.location.file, problem.message) == (
        str(places[0] / "_common.md"),
        "does not exist",
    )


def test_folder_that_cannot_be_looked_into_is_a_problem(places: tuple[Path, Path]) -> None:
    places[0].rmdir()
    places[0].symlink_to(places[0])
    (problem,) = load_fragments(*places)["_common"].problems
    assert problem.location.file == str(places[0] / "_common.md")
    assert problem.message.startswith("cannot be read: ")


def test_file_where_a_folder_should_be_has_no_fragments(places: tuple[Path, Path]) -> None:
    places[0].rmdir()
    places[0].write_text("", encoding="utf-8")
    assert load_fragments(*places)["_common"] == Fragment("Ask first.")


def test_missing_fragment_is_told_by_name_and_where_it_was_looked_for(
    places: tuple[Path, Path],
) -> None:
    (places[1] / "_common-git.md").unlink()
    (problem,) = load_fragments(*places)["_common-git"].problems
    first, second = (place / "_common-git.md" for place in places)
    assert str(problem.location) == str(first)
    assert problem.message == "there is no fragment '_common-git'"
    assert problem.hint == f"looked for in {first} and {second}: put it in one of them"


def test_prompt_cannot_be_used_without_its_fragment_and_the_others_can(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, text in {
        "test": PROMPT,
        "push": GIT,
        "why": PROMPT.replace("prompt", "steer"),
    }.items():
        (places[1] / f"{name}.md").write_text(text, encoding="utf-8")
    (places[1] / "_common-git.md").unlink()
    monkeypatch.setattr(shipped, "folder", lambda _: places[1])
    verbs = load_verbs(StateFolder(tmp_path))
    assert set(verbs.usable) == {"test", "why"}
    assert [p.message for p in verbs.problems["push"]] == ["there is no fragment '_common-git'"]


def test_fragments_are_looked_for_in_the_state_folder_first(tmp_path: Path) -> None:
    ours = shipped.folder("verbs")
    assert places_for(StateFolder(tmp_path)) == (tmp_path / "verbs", ours)
    assert places_for(None) == (ours,)


def test_rules_for_all_come_before_those_for_some() -> None:
    assert needed("") == ("_common",)
    assert needed("git") == NAMES


def test_every_file_with_the_mark_is_meant_as_a_fragment(tmp_path: Path) -> None:
    for name in ("_common.md", "_mine.md", "test.md", "_x.txt", "README.md"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert [path.name for path in fragment_files(tmp_path)] == ["_common.md", "_mine.md"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "",
            (
                "_common.md:1:1: the fragment '_common' is empty\n"
                "  hint: write its rules, or delete a file of your own\n"
                "1 problem in 1 fragment"
            ),
        ),
        (
            "\n---\nkind: prompt\n---\nAsk first.\n",
            (
                "_common.md:2:1: a frontmatter in a fragment\n"
                "    2 | ---\n"
                "      | ^^^\n"
                "  hint: delete it, the second `---` included\n"
                "1 problem in 1 fragment"
            ),
        ),
        (
            "Ask\u200b first.\n",
            (
                "_common.md:1:4: an invisible character, U+200B\n"
                "    1 | Ask\ufffd first.\n"
                "      |    ^\n"
                "  hint: delete it, or type the line again\n"
                "1 problem in 1 fragment"
            ),
        ),
        (
            "Ask first.\n\nThen {{flightdeck}}, or {{ask}} {{\n",
            (
                "_common.md:3:25: unknown token 'ask'\n"
                "    3 | Then {{flightdeck}}, or {{ask}} {{\n"
                "      |                         ^^^^^^^\n"
                "  hint: the only token is `{{flightdeck}}`\n"
                "_common.md:3:33: a '{{' that is never closed\n"
                "    3 | Then {{flightdeck}}, or {{ask}} {{\n"
                "      |                                 ^^\n"
                "  hint: the only token is `{{flightdeck}}`\n"
                "2 problems in 1 fragment"
            ),
        ),
    ],
    ids=["empty", "frontmatter", "invisible", "token"],
)
def test_broken_fragment_is_told_with_its_place_and_a_way_out(text: str, told: str) -> None:
    assert report(text) == told


def test_fragment_longer_than_a_whole_prompt_is_told_once() -> None:
    told = report("\n" + "x" * (MOST_BYTES + 1)).splitlines()
    assert told[0] == "_common.md:2:1: a fragment of 8193 bytes, a whole prompt has 8192 at most"
    assert told[-2] == "  hint: shorten it"


def test_fragment_nobody_reads_is_answered_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_fragment(tmp_path / "_common_git.md")
    (problem,) = caught.value.problems
    assert problem.message == "nobody reads a fragment called '_common_git.md'"
    assert problem.hint == "did you mean '_common-git.md'?"


def test_fragment_nobody_reads_and_nothing_like_it_is_answered_with_both(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_fragment(tmp_path / "_x.md")
    assert caught.value.problems[0].hint == "there are: _common.md, _common-git.md"
