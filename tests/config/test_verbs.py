"""Verb files: what they mean, which one wins, and every way they can be broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.fragments import Fragment
from flightdeck.config.passage import MOST_BYTES
from flightdeck.config.verbs import load_verbs, parse_verb, read_verb, verb_files
from flightdeck.errors import ConfigError
from flightdeck.model.lifecycle import State
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

RULES = {"_common": Fragment("Ask first."), "_common-git": Fragment("Never force.")}
GOOD = "---\nkind: steer\nlabel: SHORT\n---\n\nSay it in one line.\n"


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    """A state folder with room for verbs."""
    (tmp_path / "verbs").mkdir()
    return StateFolder(tmp_path)


def own(folder: StateFolder, name: str, text: str = GOOD) -> Path:
    path = folder.verbs / name
    path.write_text(text, encoding="utf-8")
    return path


def parsed(text: str, name: str = "short") -> Verb:
    return parse_verb(name, text, f"{name}.md", RULES)


def test_verb_is_its_frontmatter_and_its_text() -> None:
    assert parsed(GOOD) == Verb("short", VerbKind.STEER, "SHORT", "Say it in one line.")


def test_text_keeps_its_lines_and_loses_blanks_behind_and_around_them() -> None:
    text = "---\nkind: steer\n---\n\n \nOne. \n\n\tTwo.\n---\nThree.\n\n\n"
    assert parsed(text).text == "One.\n\n\tTwo.\n---\nThree."


def test_verb_without_a_label_is_called_by_its_name() -> None:
    assert parsed("---\nkind: steer\n---\nx\n", "do-less").label == "DO-LESS"


def test_prompt_can_ask_for_a_second_press_and_for_the_rules_of_git() -> None:
    verb = parsed("---\nid: short\nkind: prompt\nconfirm: yes\ncommon: git\n---\nCommit.\n")
    assert (verb.kind, verb.confirm, verb.common) == (VerbKind.PROMPT, True, "git")


def test_prompt_begins_with_the_rules_for_all_then_with_those_it_asks_for() -> None:
    assert parsed("---\nkind: prompt\n---\n\nTest.\n").text == "Ask first.\n\nTest."
    assert parsed("---\nkind: prompt\ncommon: git\n---\nCommit.\n").text == (
        "Ask first.\n\nNever force.\n\nCommit."
    )


def test_message_of_a_denial_and_a_keystroke_begin_with_nothing() -> None:
    assert parsed(GOOD).text == "Say it in one line."
    assert parsed("---\nkind: key\nrequires: working\n---\nEscape\n").text == "Escape"


def test_enter_is_pressed_twice_and_sent_to_a_dialog() -> None:
    verb = parsed("---\nkind: key\nconfirm: yes\nrequires: blocked\n---\nEnter\n")
    assert (verb.text, verb.confirm, verb.requires) == ("Enter", True, (State.BLOCKED,))


def test_keystroke_names_the_states_it_may_be_sent_in() -> None:
    verb = parsed("---\nkind: key\nrequires: working working\n---\nEscape\n")
    assert (verb.text, verb.requires) == ("Escape", (State.WORKING,))


def test_text_of_any_script_and_joined_pictures_are_fine() -> None:
    text = "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f4bb ß 表"
    assert parsed(f"---\nkind: steer\n---\n{text}\n").text == text


def test_text_as_long_as_it_may_be_is_fine() -> None:
    parsed("---\nkind: steer\n---\n" + "é" * (MOST_BYTES // 2))
    before = len("Ask first.\n\nNever force.\n\n")
    parsed("---\nkind: prompt\ncommon: git\n---\n" + "x" * (MOST_BYTES - before))


@pytest.mark.parametrize("name", ["My Verb", "größe", "_common", "-x", "a--b", "Short", ""])
def test_name_is_lower_case_letters_digits_and_dashes(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_verb(name, GOOD, "x.md", RULES)
    (problem,) = caught.value.problems
    assert str(problem.location) == "x.md"
    assert problem.message == f"'{name}' is no name for a verb"
    assert problem.hint == "call the file in a-z, 0-9 and '-': `my-verb.md`"


def test_every_problem_of_a_file_is_told_at_once() -> None:
    text = "---\nkind: key\nlabel: MUCH TOO LONG\nknd: x\nid: y\n---\nTab\u200b\n"
    with pytest.raises(ConfigError) as caught:
        parse_verb("Short", text, "Short.md", RULES)
    assert [(str(p.location), p.message) for p in caught.value.problems] == [
        ("Short.md", "'Short' is no name for a verb"),
        ("Short.md:2:7", "a key verb that requires no state"),
        ("Short.md:3:8", "label 'MUCH TOO LONG' has 13 characters, a key holds 11"),
        ("Short.md:4:1", "unknown key 'knd'"),
        ("Short.md:5:5", "id 'y' in a file called 'Short.md'"),
        ("Short.md:7:1", "'Tab\u200b' is no keystroke a verb may send"),
        ("Short.md:7:4", "an invisible character, U+200B"),
    ]


def test_text_is_checked_also_below_a_frontmatter_nobody_can_read() -> None:
    with pytest.raises(ConfigError) as caught:
        parsed("---\nkind: 'x\n---\n\n")
    assert [p.location.line for p in caught.value.problems] == [2, 3]


def test_file_that_is_not_there_is_named(folder: StateFolder) -> None:
    with pytest.raises(ConfigError) as caught:
        read_verb(folder.verbs / "none.md", RULES)
    assert caught.value.problems[0].message == "does not exist"


def test_file_that_is_not_utf8_has_line_and_column(folder: StateFolder) -> None:
    (folder.verbs / "x.md").write_bytes(b"---\nkind: steer\n---\nab\xff\n")
    with pytest.raises(ConfigError) as caught:
        read_verb(folder.verbs / "x.md", RULES)
    (problem,) = caught.value.problems
    assert str(problem.location) == f"{folder.verbs / 'x.md'}:4:3"


def test_own_verb_wins_over_the_shipped_one_and_leaves_the_others(folder: StateFolder) -> None:
    path = own(folder, "justify.md")
    own(folder, "more.md")
    verbs = load_verbs(folder)
    assert list(verbs.paths) == sorted([*load_verbs(None).paths, "more"])
    assert verbs.usable["justify"].text == "Say it in one line."
    assert verbs.paths["justify"] == path
    assert verbs.usable["dryrun"] == load_verbs(None).usable["dryrun"]


def test_broken_own_verb_never_falls_back_to_the_shipped_one(folder: StateFolder) -> None:
    own(folder, "justify.md", "Say it.\n")
    verbs = load_verbs(folder)
    assert "justify" not in verbs.usable
    assert [p.message for p in verbs.problems["justify"]] == ["no frontmatter"]


def test_machine_without_own_verbs_has_the_shipped_ones(tmp_path: Path) -> None:
    assert load_verbs(StateFolder(tmp_path / "none")) == load_verbs(None)


def test_fragments_the_page_and_what_editors_leave_are_no_verbs(folder: StateFolder) -> None:
    for name in ("_common.md", "README.md", ".#short.md", "short.md~", "short.txt"):
        own(folder, name)
    (folder.verbs / "overrides").mkdir()
    path = own(folder, "short.md")
    assert verb_files(folder.verbs) == [path]
