"""How names become two short lines: by the word, numbers first, siblings told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.label import (
    SMALLEST_LINE,
    LabelRules,
    SessionNames,
    label_all,
    shorten,
    shorten_distinct,
)

RULES = LabelRules(
    line_chars=11,
    strip=("feature/", "fix/", ""),
    short={"repository": "repo", "the": "", "Authentication": "auth"},
)

words = st.text(st.sampled_from("abcABC12-_/. é…·#\n\x07\u202e\ud800ß"), max_size=40)
names = st.one_of(
    words, st.text(max_size=40), st.sampled_from(["main", "Main", "main·2", "feature/main"])
)
rules = st.builds(
    LabelRules,
    line_chars=st.integers(1, 16),
    strip=st.lists(words, max_size=3).map(tuple),
    short=st.dictionaries(words, words, max_size=3),
)


def label_pair(repo: str, branch: str, title: str, rules: LabelRules) -> tuple[str, str]:
    """Return the lines of a session on its own."""
    (pair,) = label_all([SessionNames(repo, branch, title)], rules)
    return pair


def bound(rules: LabelRules) -> int:
    return max(rules.line_chars, SMALLEST_LINE)


def test_first_line_is_the_repository_and_second_the_title() -> None:
    assert label_pair("flightdeck", "main", "pay bug", RULES) == ("flightdeck", "pay bug")


@pytest.mark.parametrize("title", ["", " \n", "\x07"])
def test_branch_stands_in_for_a_title_that_shows_nothing(title: str) -> None:
    assert label_pair("flightdeck", "main", title, RULES) == ("flightdeck", "main")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("main", "main"),
        ("feature/login", "login"),
        ("FEATURE/fix/login", "login"),
        ("feature/", "feature/"),
        ("", ""),
    ],
)
def test_name_that_fits_loses_only_its_prefixes(name: str, expected: str) -> None:
    assert shorten(name, RULES) == expected


def test_prefix_is_not_found_in_a_letter_that_only_folds_to_it() -> None:
    assert shorten("ßab", LabelRules(strip=("ss",))) == "ßab"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("payment-retry-backoff", "payment"),
        ("payment_retry_backoff", "payment"),
        ("fix.the.login.timeout", "fix.login"),
        ("paymentRetryQueue", "payment"),
        ("HTTPServerTimeout", "HTTPServer"),
        ("Fix the login bug at the door", "Fix login"),
        ("fix: repository of authentication", "fix repo of"),
    ],
)
def test_long_name_keeps_whole_words_from_its_start(name: str, expected: str) -> None:
    assert shorten(name, RULES) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("payment-retry-1234", "retry-1234"),
        ("feature/1482-checkout-retry", "1482-retry"),
        ("crash-on-startup-#7", "crash-on-#7"),
        ("retry-backoff-1234", "retry-1234"),
        ("#1234 crash on start", "#1234 crash"),
        ("PROJ-1234-crash-on-start", "PROJ-1234"),
        ("payment-retry-20240506123456", "payment"),
    ],
)
def test_number_is_kept_in_preference_to_words(name: str, expected: str) -> None:
    assert shorten(name, RULES) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("terraform-1.9", "terraform"),
        ("upgrade-terraform-1.9", "upgrade-1.9"),
        ("terraform-v2.1.332", "terraform"),
        ("terraform-step-2", "terraform-2"),
    ],
)
def test_version_or_lone_digit_is_worth_no_more_than_a_word(name: str, expected: str) -> None:
    assert shorten(name, RULES) == expected


def test_word_that_does_not_fit_makes_way_for_one_that_does() -> None:
    assert shorten("retry-reconciliation-job", RULES) == "retry-job"


def test_first_line_is_a_character_shorter_because_it_is_drawn_in_capitals() -> None:
    assert label_pair("checkout-api", "checkout-api", "", LabelRules(line_chars=12)) == (
        "checkout",
        "checkout-api",
    )


def test_word_longer_than_a_line_gives_way_to_one_that_fits() -> None:
    assert shorten("internationalization-dates", RULES) == "dates"


@pytest.mark.parametrize("name", ["internationalization", "-" * 30])
def test_letters_are_cut_only_where_no_word_fits(name: str) -> None:
    assert shorten(name, RULES) == name[:10] + "…"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a\nb", "a b"), ("a\x00\x1bb", "ab"), ("\u202eab\ud800", "ab"), ("e\u0301", "é")],
)
def test_what_cannot_be_drawn_is_dropped(name: str, expected: str) -> None:
    assert shorten(name, RULES) == expected


def test_name_with_nothing_to_draw_is_shown_as_a_question_mark() -> None:
    assert shorten("\x07", RULES) == "?"


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (
            ["feature/payment-retry-backoff", "feature/payment-retry-queue"],
            ["backoff", "retry-queue"],
        ),
        (
            ["payment-retry-a1", "payment-retry-b2", "payment-other-b2"],
            ["payment-a1", "retry-b2", "other-b2"],
        ),
        (["payment-retries", "payment-retries-queue"], ["payment", "queue"]),
        (["feature/login", "fix/login"], ["feature", "fix/login"]),
        (
            ["payment-internationalization", "payment-reconsiderations"],
            ["internatio…", "reconsider…"],
        ),
    ],
)
def test_siblings_that_collide_show_the_words_that_differ(
    group: list[str], expected: list[str]
) -> None:
    assert shorten_distinct(group, RULES) == expected


def test_smaller_groups_are_told_apart_among_themselves() -> None:
    group = [
        "payment-reconciliation-x1",
        "payment-reconciliation-x2",
        "payment-internationally-x1",
        "payment-internationally-x2",
    ]
    assert len(set(shorten_distinct(group, RULES))) == 4


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["main", "main", "main"], ["main", "main·2", "main·3"]),
        (["Main", "main"], ["Main", "main·2"]),
        (["main", "main·2", "main"], ["main", "main·2", "main·3"]),
        (["elevenchars", "elevenchars"], ["elevenchars", "elevench…·2"]),
        (["", ""], ["", "·2"]),
        (["\n", "\t"], ["?", "?·2"]),
    ],
)
def test_same_names_are_numbered_from_the_second_on(group: list[str], expected: list[str]) -> None:
    assert shorten_distinct(group, RULES) == expected


def test_key_keeps_its_text_when_a_sibling_that_reads_otherwise_appears() -> None:
    before = shorten_distinct(["payment-retry-backoff", "main"], RULES)
    after = shorten_distinct(["payment-retry-backoff", "main", "docs", "main"], RULES)
    assert after[:2] == before


def test_siblings_are_told_apart_only_under_one_repository() -> None:
    fleet = [SessionNames("app", "main"), SessionNames("web", "main"), SessionNames("app", "main")]
    assert label_all(fleet, RULES) == [("app", "main"), ("web", "main"), ("app", "main·2")]


def test_two_repositories_never_read_the_same() -> None:
    fleet = [SessionNames("payments-service-api"), SessionNames("payments-service-web")]
    wider = replace(RULES, line_chars=12)
    assert label_all(fleet, wider) == [("service-api", ""), ("service-web", "")]


@given(names, rules)
def test_line_is_never_longer_than_its_bound(name: str, rules: LabelRules) -> None:
    assert len(shorten(name, rules)) <= bound(rules)


@given(names, rules)
def test_line_is_empty_only_for_an_empty_name(name: str, rules: LabelRules) -> None:
    assert bool(shorten(name, rules)) == bool(name)


@given(st.lists(names, max_size=12), rules)
def test_no_two_siblings_ever_read_the_same(group: list[str], rules: LabelRules) -> None:
    shown = shorten_distinct(group, rules)
    assert len({text.casefold() for text in shown}) == len(group)
    assert all(len(text) <= bound(rules) for text in shown)


@given(st.lists(st.builds(SessionNames, names, names, names), max_size=10), rules)
def test_no_two_sessions_ever_get_the_same_pair(
    fleet: list[SessionNames], rules: LabelRules
) -> None:
    assert len(set(label_all(fleet, rules))) == len(fleet)
