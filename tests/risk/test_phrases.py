"""Phrases: risk/README.md, "Phrases"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.risk.phrases import LONGEST, phrase, plain


def holds(written: str, text: str) -> bool:
    return phrase(written).is_in(plain(text))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("drop table", "DROP\n  TABLE users"),
        ("drop table", "x;drop table"),
        ("os.system(", "import os\nos.system('x')"),
        ("rmtree*", "shutil.rmtree_all"),
        ("*tree(", "rmtree("),
        ("exec( … urlopen", "exec(u.urlopen(x))"),
        ("exec( ... urlopen", "exec(u.urlopen(x))"),
        ("rm -r", "nrm -r; rm -r"),
    ],
)
def test_phrase_is_found(written: str, text: str) -> None:
    assert holds(written, text)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("drop table", "backdrop table"),
        ("drop table", "drop tables"),
        ("drop table", "drop the table"),
        ("exec( … urlopen", "urlopen(exec(x))"),
        ("exec( … urlopen", "exec(x)"),
    ],
)
def test_phrase_is_not_found_in_parts_of_words_or_out_of_order(written: str, text: str) -> None:
    assert not holds(written, text)


def test_text_that_nearly_holds_a_phrase_all_over_holds_it() -> None:
    assert holds("aaa", "a" * 10_000)


def test_what_stands_behind_the_longest_text_is_not_looked_at() -> None:
    assert not holds("drop table", " " * LONGEST + "drop table")


@given(st.text(max_size=30), st.text(max_size=200))
def test_any_phrase_can_be_looked_for_in_any_text(written: str, text: str) -> None:
    holds(written, text)
