"""One line of any text fits its room, stays readable, and never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.faces.text import FLOOR, UNKNOWN, Line, fit, outline, readable, width

SIZES = (18.0, 15.0, FLOOR)
ROOM = 80.0
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)


def fitted(text: str) -> Line:
    """Return `text` in a label's room."""
    return fit(text, SIZES, ROOM, 48, 80)


@given(text=ANY_TEXT)
def test_any_text_fits_its_room(text: str) -> None:
    assert fitted(text).width <= ROOM + 0.001


@given(text=ANY_TEXT)
def test_any_text_becomes_path_data_of_ascii_commands_only(text: str) -> None:
    assert set(fitted(text).path) <= set("Mmlhvcz-,0123456789")


@given(text=ANY_TEXT)
def test_no_text_is_smaller_than_twelve(text: str) -> None:
    assert fitted(text).size >= FLOOR


def test_a_short_word_takes_the_largest_size() -> None:
    assert fitted("main").size == 18.0


def test_a_longer_word_takes_a_smaller_size_and_stays_whole() -> None:
    line = fitted("login-retry2")
    assert (line.size, line.text) == (15.0, "login-retry2")


def test_eleven_capitals_are_shown_whole() -> None:
    assert fitted("API-GATEWAY").text == "API-GATEWAY"


def test_two_hundred_characters_end_in_an_ellipsis() -> None:
    line = fitted("x" * 200)
    assert (line.size, line.text[-1]) == (FLOOR, "…")


def test_the_ellipsis_follows_a_letter_not_a_blank() -> None:
    assert " …" not in fitted("averylongw " + "x " * 100).text


def test_a_line_is_centred() -> None:
    line = fitted("main")
    left = float(line.matrix.split()[4])
    assert left + line.width / 2 == pytest.approx(48, abs=0.01)


def test_an_empty_line_draws_nothing() -> None:
    assert fitted("").path == ""


@pytest.mark.parametrize(
    "text", ["漢字", "🚀", "שלום", "مرحبا", "\ud800", "\x00", "\x1b", "\ue000"]
)
def test_what_the_table_lacks_is_a_visible_mark(text: str) -> None:
    assert set(readable(text)) == {UNKNOWN}


def test_the_visible_mark_has_an_outline() -> None:
    assert outline(UNKNOWN)


@pytest.mark.parametrize("joined", ["a\u200bb", "a\u200db", "a\ufe0fb", "a\u202eb", "\ufeffab"])
def test_what_has_no_width_is_left_out(joined: str) -> None:
    assert readable(joined) == "ab"


def test_an_accent_of_its_own_joins_its_letter() -> None:
    assert readable("u\u0308ber") == "über"


@pytest.mark.parametrize("text", ["\u1e8d", "x\u0308", "x\u0335"])
def test_a_letter_keeps_its_shape_where_the_table_lacks_its_accent(text: str) -> None:
    assert readable(text) == "x"


def test_line_ends_and_tabs_are_one_blank() -> None:
    assert readable(" a\r\n\t b\u2028c ") == "a b c"


@pytest.mark.parametrize("text", ["R&D", "a<b>\"c'", "&amp;", "</text><image/>"])
def test_markup_is_characters_like_any_other(text: str) -> None:
    assert readable(text) == text


@pytest.mark.parametrize("letter", list("Aaßžñ€Ωжї…\u2013→•"))
def test_the_table_has_the_letters_of_our_languages(letter: str) -> None:
    assert readable(letter) == letter


def test_a_wide_letter_is_wider_than_a_narrow_one() -> None:
    assert width("M") > width("i") > 0


def test_a_million_characters_cost_no_more_than_a_line() -> None:
    assert len(readable("x" * 1_000_000)) < 100
