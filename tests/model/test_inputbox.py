"""When an input box holds a line, and nothing but the line."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flightdeck.model.inputbox import Box, Mode, begins, has_room, holds

LINE = "flightdeck test: do what @/home/me/.fleet/queue/0123456789abcdef.md says"


def broken(line: str, width: int) -> str:
    """Return the line as a window of that width breaks it."""
    return "\n".join(textwrap.wrap(line, width, break_on_hyphens=False))


def test_box_without_text_is_empty() -> None:
    assert Box().empty
    assert not Box(text="a").empty


def test_box_of_empty_rows_is_not_empty() -> None:
    assert not Box(text="\n").empty


def test_box_holds_just_the_line() -> None:
    assert holds(Box(text=LINE), LINE)


@pytest.mark.parametrize("width", range(10, 90))
def test_line_broken_by_its_window_is_the_line(width: int) -> None:
    assert holds(Box(text=broken(LINE, width)), LINE)


@pytest.mark.parametrize("width", range(8, 90))
def test_line_cut_into_rows_keeps_its_blanks_or_drops_them(width: int) -> None:
    rows = [LINE[at : at + width] for at in range(0, len(LINE), width)]
    assert holds(Box(text="\n".join(rows)), LINE)
    assert holds(Box(text="\n".join(row.rstrip() for row in rows)), LINE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        f" {LINE}",
        f"x{LINE}",
        f"{LINE}x",
        f"{LINE}{LINE}",
        f"draft\n{LINE}",
        f"{LINE}\ndraft",
        f"\n{LINE}",
        f"{LINE}\n",
        LINE[:-1],
        LINE[1:],
        LINE.replace(" ", "  "),
        LINE.replace(" ", ""),
        LINE.replace("do what", "do\n\nwhat"),
        LINE.replace("do what", "do \n  what"),
    ],
)
def test_anything_else_is_not_the_line(text: str) -> None:
    assert not holds(Box(text=text), LINE)


def test_line_in_shell_mode_would_be_run() -> None:
    assert not holds(Box(Mode.SHELL, LINE), LINE)
    assert not begins(Box(Mode.SHELL, LINE), LINE)


def test_empty_line_is_held_by_no_box() -> None:
    assert not holds(Box(), "")


def test_draft_put_aside_does_not_matter() -> None:
    assert holds(Box(text=LINE, stashed=True), LINE)


@pytest.mark.parametrize("end", [0, 1, 10, 30, len(LINE)])
def test_what_is_left_of_an_erased_line_begins_it(end: int) -> None:
    assert begins(Box(text=broken(LINE[:end], 28)), LINE)


def test_blank_at_the_end_of_what_is_left_may_have_a_row_of_its_own() -> None:
    assert begins(Box(text="flightdeck test: do what\n"), LINE)


@pytest.mark.parametrize("text", ["x", f"{LINE}x", "flight\n\ndeck", LINE[3:], "\nflight"])
def test_anything_else_does_not_begin_it(text: str) -> None:
    assert not begins(Box(text=text), LINE)


@pytest.mark.parametrize(("width", "rows"), [(80, 6), (44, 7), (30, 8), (12, 14)])
def test_window_has_room_for_a_line_that_can_be_shown_whole(width: int, rows: int) -> None:
    for end in ("", "\n"):
        assert has_room("\n" * (rows - 1) + "─" * width + end, LINE)
        assert not has_room("\n" * (rows - 2) + "─" * width + end, LINE)


@pytest.mark.parametrize("screen", ["", "\n", "x", "─" * 4])
def test_window_of_no_size_has_room_for_no_line(screen: str) -> None:
    assert not has_room(screen, LINE)


@given(text=st.text(alphabet="ab \n", max_size=12), line=st.text(alphabet="ab ", max_size=10))
@example(text="a\nb", line="a b")
def test_what_holds_a_line_has_all_its_letters_and_no_other(text: str, line: str) -> None:
    if holds(Box(text=text), line):
        assert "".join(text.split()) == "".join(line.split())
        assert text.count("\n") == 0 or "\n\n" not in f"\n{text}\n"
        assert begins(Box(text=text), line)
