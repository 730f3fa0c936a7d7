"""Single values: what they mean, and what is said when they mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.config.values import (
    BadValue,
    colour,
    count,
    duration,
    flag,
    readable_ink,
    size,
    whole,
)
from flightdeck.model.contrast import contrast

if TYPE_CHECKING:
    from collections.abc import Callable

press = duration("long_press", 200, 5_000)


def refusal(parse: Callable[[str], object], text: str) -> tuple[str, str]:
    with pytest.raises(BadValue) as caught:
        parse(text)
    return caught.value.message, caught.value.hint


@pytest.mark.parametrize(
    ("text", "ms"), [("800 ms", 800), ("800ms", 800), ("3 s", 3_000), ("0.5 s", 500)]
)
def test_duration_is_milliseconds(text: str, ms: int) -> None:
    assert press(text) == ms


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("800", "'long_press' has no unit", "write `800 ms`"),
        ("3", "'long_press' has no unit", "write `3 s`"),
        ("9000000", "'long_press' has no unit", "write `200 ms`"),
        ("3 sec", "'long_press' has the unit 'sec'", "write `3 s`"),
        ("1 ms", "'long_press' of 1 ms is out of range", "from 200 ms to 5 s"),
        ("6 s", "'long_press' of 6 s is out of range", "from 200 ms to 5 s"),
        ("-1 s", "'long_press' is no number with a unit", "write it like `200 ms`"),
        ("soon", "'long_press' is no number with a unit", "write it like `200 ms`"),
        ("1e3 ms", "'long_press' is no number with a unit", "write it like `200 ms`"),
        ("٣ s", "'long_press' is no number with a unit", "write it like `200 ms`"),
    ],
)
def test_bad_duration_is_refused_with_a_good_one(text: str, message: str, hint: str) -> None:
    assert refusal(press, text) == (message, hint)


def test_size_is_bytes() -> None:
    assert size("size", 10_000, 10_000_000)("1.5 MB") == 1_500_000


def test_count_demands_its_word() -> None:
    characters = count("line", "characters", 6, 24)
    assert characters("11 characters") == 11
    assert refusal(characters, "11") == ("'line' has no unit", "write `11 characters`")


@pytest.mark.parametrize("text", ["F5A623", "#F5A", "#F5A6233", "amber", "#GGGGGG"])
def test_what_is_not_six_digits_is_no_colour(text: str) -> None:
    assert refusal(colour, text)[0] == f"'{text}' is not a colour"


def test_colour_is_lower_case() -> None:
    assert colour("#F5A623") == "#f5a623"


def test_flag_is_yes_or_no() -> None:
    assert (flag("yes"), flag("no")) == (True, False)
    assert refusal(flag, "true") == ("'true' is neither yes nor no", "write `yes` or `no`")


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("07", 7), ("-1", None), ("x", None)])
def test_whole_number_has_no_sign(text: str, number: int | None) -> None:
    assert whole(text) == number


@given(st.integers(0, 0xFFFFFF).map("#{:06x}".format))
def test_one_of_the_two_inks_reads_on_any_ground(ground: str) -> None:
    assert contrast(readable_ink(ground), ground) >= 4.5
