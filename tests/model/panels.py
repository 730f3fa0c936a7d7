"""A small panel to show a fleet on: two slots, a pin, a link, a command and a blank key."""

from __future__ import annotations

from typing import Any

from flightdeck.model.deck import Grid, Position
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.label import LabelRules
from flightdeck.model.layout import (
    AppTarget,
    BlankBinding,
    Glyph,
    Key,
    Layout,
    Look,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    Timings,
    UrlTarget,
)
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place

QUESTION = Glyph("question", ())
FIRST, SECOND, PIN = Position(1, 1), Position(1, 2), Position(1, 3)
LINK, COMMAND, BLANK, UNBOUND = Position(2, 1), Position(2, 2), Position(2, 3), Position(3, 3)
OWN_LOOK = Look("#123456", "#654321")
MUSIC, SITE = AppTarget("Music"), UrlTarget("https://example.org/")


def a_panel() -> Layout:
    """Return the panel."""
    return Layout(
        name="small",
        device="stream-deck-mini",
        grid=Grid(3, 3),
        timings=Timings(),
        states={state: Look(f"#{state.value}", "#ink", Glyph(state.value, ())) for state in State},
        armed=Look("#armed", "#ink"),
        rest=Look("#rest", "#quiet"),
        marks={Reason.QUESTION: QUESTION},
        glyphs={},
        labels=LabelRules(),
        keys=(
            Key(SECOND, SlotBinding(1)),
            Key(FIRST, SlotBinding(0)),
            Key(PIN, PinBinding(2, MUSIC), "Music"),
            Key(LINK, OpenBinding(SITE), "Site", OWN_LOOK),
            Key(COMMAND, RunBinding(("make", "all")), "make"),
            Key(BLANK, BlankBinding()),
        ),
    )


def a_view(slot: int = 0, **more: Any) -> SlotView:
    """Return a slot with a session on it."""
    told: dict[str, Any] = {
        "state": State.WORKING,
        "key": "a",
        "label": ("app", "main"),
        "place": Place("app", program="xterm"),
    }
    return SlotView(slot, **told | more)


def a_fleet(*views: SlotView, **more: Any) -> Fleet:
    """Return a fleet of these slots."""
    return Fleet(views, **more)
