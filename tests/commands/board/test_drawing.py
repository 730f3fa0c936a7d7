"""One frame of the board, looked at on a terminal that is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyte
import pytest
from rich.cells import cell_len
from rich.text import Text

from flightdeck.commands.board.choosing import Choice, Deed, Menu
from flightdeck.commands.board.drawing import HELP, STYLES, Picture, draw
from flightdeck.commands.board.rows import rows_of
from flightdeck.config.layouts import load_layout
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.local import Local

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[3]
ASKED = PendingView("r", "Bash", "high", answerable=True)
VIEWS = (
    SlotView(0, State.BLOCKED, Reason.PERMISSION, repo="webshop", pending=(ASKED,)),
    SlotView(1, State.WORKING, repo="api", title="\u4f60\u597d" * 40),
    SlotView(2, State.DONE, repo="docs", selected=True),
    SlotView(3, State.IDLE, repo="infra", gated=True),
    SlotView(4, State.FAILED, error="rate_limit", repo="x"),
    SlotView(5, State.BLOCKED, Reason.QUESTION, repo="y"),
    SlotView(6, State.BLOCKED, Reason.PLAN, repo="z"),
    SlotView(7),
)
PICTURE = Picture(rows_of(Fleet(VIEWS), 0.0), below=("no panel is running",), note="done")


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def words(lines: Sequence[str]) -> list[str]:
    return [Text.from_ansi(line).plain.rstrip() for line in lines]


def test_state_is_told_by_glyph_and_word() -> None:
    told = words(draw(PICTURE, 120, 24))
    assert [line[5:29].strip() for line in told[1:9]] == [
        "\u25b2 blocked (permission)",
        "\u25b6 working",
        "\u2713 done",
        "\u00b7 idle",
        "\u2715 failed (rate_limit)",
        "? blocked (question)",
        "\u2261 blocked (plan)",
        "empty",
    ]


def test_row_says_who_what_waits_and_what_else() -> None:
    told = words(draw(PICTURE, 120, 24))
    assert "webshop" in told[1]
    assert "high Bash" in told[1]
    assert told[3].endswith("selected")
    assert told[4].endswith("GUARDED")


@pytest.mark.parametrize("state", State)
def test_colour_is_the_shipped_layouts(state: State) -> None:
    colour = load_layout(ROOT / "layouts/xl.yaml", Local()).states[state].colour
    assert state is State.EMPTY or STYLES[state].endswith(f" on {colour.lower()}")


@pytest.mark.parametrize("width", [20, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("height", [4, 8, 12, 24])
def test_frame_is_never_larger_than_the_terminal(width: int, height: int) -> None:
    lines = draw(replace(PICTURE, note="word " * 40), width, height)
    assert len(lines) <= height
    assert max(cell_len(line) for line in words(lines)) <= width


@pytest.mark.parametrize("cursor", range(8))
@pytest.mark.parametrize("height", [4, 6, 24])
def test_row_of_the_cursor_is_always_shown(cursor: int, height: int) -> None:
    told = words(draw(replace(PICTURE, cursor=cursor, note=""), 80, height))
    (here,) = [line for line in told if line.startswith(">")]
    assert here.split()[1] == str(cursor)


def test_waits_and_marks_share_a_column_where_there_is_little_room() -> None:
    view = SlotView(0, State.BLOCKED, repo="api", selected=True, pending=(ASKED,))
    picture = Picture(rows_of(Fleet((view,)), 0.0))
    assert words(draw(picture, 80, 24))[1].endswith("high Bash, 0s, selected")


def test_what_has_no_room_in_the_row_of_the_cursor_is_told_whole_below_it() -> None:
    view = replace(VIEWS[0], title="word " * 8 + "end", selected=True, queued="explain")
    picture = Picture(rows_of(Fleet((view,)), 0.0))
    for width in (40, 80):
        told = " ".join(words(draw(picture, width, 12))[2:])
        assert "end; high Bash, 0s; selected, queued: explain" in told
    assert "selected" not in " ".join(words(draw(replace(picture, note="done"), 40, 12))[2:])


def test_narrow_window_keeps_the_state_and_what_waits() -> None:
    told = words(draw(PICTURE, 45, 24))
    assert "blocked" in told[1]
    assert "high" in told[1]
    assert "permission" not in told[1]


def test_note_is_read_whole() -> None:
    note = "y does it, any other key lets it go: " + "word " * 30 + "end"
    told = words(draw(replace(PICTURE, note=note), 60, 24))
    assert note in " ".join(told)


def test_halt_stands_above_everything() -> None:
    told = words(draw(replace(PICTURE, brakes=("HALTED: all of it",)), 80, 24))
    assert told[0] == "HALTED: all of it"


def test_no_color_leaves_no_colour_and_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    coloured = words(draw(PICTURE, 80, 24))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = draw(PICTURE, 80, 24)
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed("\r\n".join(lines))
    cells = [screen.buffer[y][x] for y in range(24) for x in range(80)]
    assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
    assert words(lines) == coloured


def test_terminal_without_shapes_gets_characters_it_has() -> None:
    picture = replace(PICTURE, rows=(PICTURE.rows[0], *PICTURE.rows[2:]))
    told = "\n".join(words(draw(picture, 45, 24, shapes=False)))
    assert "^ blocked" in told
    assert "= blocked" in told
    assert told.isascii()


def menu(deed: Deed = Deed.SEND, at: int = 0, typed: str = "") -> Picture:
    choices = (*(Choice(f"verb{number}") for number in range(30)), Choice("push", "asks first"))
    return replace(PICTURE, menu=Menu(deed, PICTURE.rows[0], choices, typed, at), note="")


def test_menu_asks_what_to_do_with_whom_and_shows_the_row_alone() -> None:
    told = words(draw(menu(typed="pu"), 80, 24))
    assert told[2:4] == ["send which verb to slot 0? pu_", "> push  (asks first)"]
    assert "webshop" in told[1]
    assert words(draw(menu(Deed.STEER), 80, 24))[2] == "deny with which steer, slot 0? _"


@pytest.mark.parametrize("at", [0, 15, 30])
@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 4)])
def test_menu_fits_and_shows_what_enter_takes(at: int, size: tuple[int, int]) -> None:
    lines = draw(menu(at=at), *size)
    told = words(lines)
    assert len(lines) <= size[1]
    assert max(cell_len(line) for line in told) <= size[0]
    want = "push" if at == 30 else f"verb{at}"
    assert [line.split()[1] for line in told[1:] if line.startswith(">")][-1] == want


def test_keys_are_all_told_where_there_is_room() -> None:
    told = " ".join(words(draw(PICTURE, 40, 24)))
    assert all(word in told for word in HELP)


def test_markup_in_a_title_is_shown_as_it_is() -> None:
    rows = rows_of(Fleet((SlotView(0, State.IDLE, title="[red]:smile:[/red]"),)), 0.0)
    assert "[red]:smile:[/red]" in words(draw(Picture(rows), 80, 24))[1]
