"""A finding is told whole to its owner, and to others without what only the owner may read."""

from __future__ import annotations

import shlex
from pathlib import PurePath

import pytest

from flightdeck.model.finding import Finding, Known, Level, failure, ok, warning


def test_places_are_filled_for_the_owner() -> None:
    found = failure("{file} is gone", "rm {file}", file="/home/me/x")
    assert (found.what, found.mend) == ("/home/me/x is gone", "rm /home/me/x")


def test_what_fills_a_place_is_no_sentence_itself() -> None:
    assert ok("{file}", file="{secret}").what == "{secret}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(7, "7"), (1.5, "1.5"), (True, "True"), (Known("tmux"), "tmux"), ("tmux", "<it>")],
)
def test_numbers_and_known_words_alone_are_public(value: object, shown: str) -> None:
    assert warning("it is {it}", "see {it}", it=value).public == (f"it is {shown}", f"see {shown}")


def test_number_may_be_rounded_in_public_too() -> None:
    assert ok("{age:.0f} s", age=2.7).public[0] == "3 s"


@pytest.mark.parametrize(
    ("made", "level"), [(ok, Level.OK), (warning, Level.WARNING), (failure, Level.FAILURE)]
)
def test_each_level_has_a_maker(made: object, level: Level) -> None:
    assert callable(made)
    found = made("all of it")
    assert isinstance(found, Finding)
    assert found.level is level


def test_path_in_a_hint_is_one_word_to_a_shell() -> None:
    found = failure("{file} is odd", "rm {file}", file=PurePath("/my home/it's"))
    assert found.what == "/my home/it's is odd"
    assert shlex.split(found.mend) == ["rm", "/my home/it's"]
