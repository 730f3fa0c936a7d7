"""Broken verb files and fragments, one fault each: its place, its line and a way out."""

from __future__ import annotations

import pytest

from flightdeck.config.fragments import Fragment
from flightdeck.config.passage import MOST_BYTES
from flightdeck.config.report import render_text
from flightdeck.config.verbs import parse_verb
from flightdeck.errors import ConfigError, Location, Problem
from tests.config.broken_verbs import BROKEN, Broken

RULES = {"_common": Fragment("Ask first."), "_common-git": Fragment("Never force.")}


def report(text: str, name: str = "short") -> str:
    with pytest.raises(ConfigError) as caught:
        parse_verb(name, text, f"{name}.md", RULES)
    assert all(problem.hint for problem in caught.value.problems)
    return render_text(caught.value.problems)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.message)
def test_broken_file_is_told_with_its_place_and_a_way_out(broken: Broken) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_verb("short", broken.text, "short.md", RULES)
    (problem,) = caught.value.problems
    assert str(problem.location) == f"short.md:{broken.at}"
    assert (problem.message, problem.hint) == (broken.message, broken.hint)
    start = problem.location.column - 1
    assert problem.source[start : start + problem.width] == broken.marked


def test_every_character_nobody_can_see_is_told() -> None:
    text = "---\nkind: steer\n---\nSay\0it\u202e.\n"
    assert report(text) == (
        "short.md:4:4: an invisible character, NUL\n"
        "    4 | Say\ufffdit\ufffd.\n"
        "      |    ^\n"
        "  hint: delete it, or type the line again\n"
        "short.md:4:7: an invisible character, U+202E\n"
        "    4 | Say\ufffdit\ufffd.\n"
        "      |       ^\n"
        "  hint: delete it, or type the line again\n"
        "2 problems in 1 verb"
    )


def test_steer_too_long_for_the_hook_is_told() -> None:
    told = report("---\nkind: steer\n---\n" + "x" * (MOST_BYTES + 1)).splitlines()
    assert told[0] == "short.md:4:1: a text of 8193 bytes, a steer verb has 8192 at most"
    assert told[3] == "  hint: shorten it, or name a file the agent can read"


def test_long_name_needs_a_label() -> None:
    assert report("---\nkind: steer\n---\nx\n", "explain-it-all") == (
        "explain-it-all.md:1:1: label 'EXPLAIN-IT-ALL' has 14 characters, a key holds 11\n"
        "    1 | ---\n"
        "      | ^^^\n"
        "  hint: give the verb a shorter `label:`\n"
        "1 problem in 1 verb"
    )


def test_prompt_too_long_with_its_rules_is_told_how_much_is_theirs() -> None:
    before = len("Ask first.\n\n")
    told = report("---\nkind: prompt\n---\n\n" + "x" * (MOST_BYTES + 1 - before)).splitlines()
    assert told[0] == (
        f"short.md:5:1: a text of 8193 bytes, {before} of them its fragments', "
        "a prompt verb has 8192 at most"
    )
    assert told[3] == "  hint: shorten it, or name a file the agent can read"


def test_prompt_whose_rules_are_broken_is_told_so_beside_its_own_problems() -> None:
    broken = Problem(Location("_common.md", 1, 1), "the fragment '_common' is empty", "write it")
    rules = {**RULES, "_common": Fragment(problems=(broken,))}
    with pytest.raises(ConfigError) as caught:
        parse_verb("short", "---\nkind: prompt\n---\n{{x}}\n", "short.md", rules)
    assert [p.message for p in caught.value.problems] == [broken.message, "unknown token 'x'"]


def test_steer_needs_no_rules() -> None:
    broken = Problem(Location("_common.md", 1, 1), "the fragment '_common' is empty", "write it")
    rules = {**RULES, "_common": Fragment(problems=(broken,))}
    assert parse_verb("short", "---\nkind: steer\n---\nNo.\n", "short.md", rules).text == "No."
