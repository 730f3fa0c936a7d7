"""The row of verbs of the shipped panel in everything its keys can say, a scene a row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flightdeck.model import sending
from flightdeck.model.deck import DeckModel, Grid, Position
from flightdeck.model.display import display
from flightdeck.model.effect import SetArm
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.layout import VerbBinding
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.staged import Staged
from flightdeck.model.verdict import Press
from tests.faces.verdict_rows import XL, panel

if TYPE_CHECKING:
    from flightdeck.model.arming import Arm
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Key, Layout

ROW = 2
PANE = Place("tmux", tmux_socket="/s", tmux_pane="%1")
# What a press is answered with; the longest a flash may be is 18 letters.
ANSWERS = ("queued", "sent", "cancelled", "not delivered", "too soon", "changed", "expired")
REFUSALS = ("no target", "test queued", "explain queued", "not working", "not blocked", "no window")


def chosen(state: State = State.WORKING, **more: Any) -> SlotView:
    """Return a session that is selected."""
    told: dict[str, Any] = {
        "key": "a",
        "session_id": "s-a",
        "agent": "claude-code",
        "label": ("webshop", "1482-retry"),
        "place": PANE,
        "selected": True,
    }
    return SlotView(0, state, **told | more)


def fleet(view: SlotView | None = None, queued: str = "", **more: Any) -> Fleet:
    """Return a fleet of this session, for which the verb named by `queued` waits."""
    if view is None:
        return Fleet(**more)
    staged = ((view.key, Staged(queued, "0" * 16, view.session_id, 1, 0.0)),) if queued else ()
    return Fleet((replace(view, queued=queued),), selected=view.key, staged=staged, **more)


def verb_key(layout: Layout, name: str) -> Key:
    """Return the key of a verb."""
    return next(
        key
        for key in layout.keys
        if isinstance(key.binding, VerbBinding) and key.binding.verb.name == name
    )


def arm(layout: Layout, told: Fleet, name: str) -> Arm:
    """Return what the first press of a verb that asks for a second one sets."""
    key = verb_key(layout, name)
    assert isinstance(key.binding, VerbBinding)
    (effect,) = sending.effects(key.binding.verb, told, (), Press(key.position, 0.0), 10.0)
    assert isinstance(effect, SetArm)
    return effect.arm


def scenes() -> dict[str, dict[Position, KeyView]]:
    """Return the whole panel in every scene, by what happens in it."""
    layout = panel()
    works, rests = fleet(chosen()), fleet(chosen(State.IDLE))
    long = fleet(chosen(label=("payments-api", "currency\u2026ing")))
    waits = fleet(chosen(), "test")
    columns = [Position(ROW, column) for column in range(1, 9)]
    said = dict(zip(columns, ANSWERS, strict=False))
    refused = dict(zip(columns, REFUSALS, strict=False))
    return {
        "nothing selected": display(layout, fleet()),
        "working": display(layout, works),
        "idle": display(layout, rests),
        "test queued": display(layout, waits),
        "issue queued": display(layout, fleet(chosen(State.BLOCKED), "issue")),
        "another verb queued": display(layout, fleet(chosen(), "explain-in-detail")),
        "queued, halted": display(layout, fleet(chosen(), "test", halted=True)),
        "issue armed": display(layout, works, arms=[arm(layout, works, "issue")]),
        "push armed, long names": display(layout, long, arms=[arm(layout, long, "push")]),
        "ending": display(layout, fleet(chosen(ending=True))),
        "no id yet": display(layout, fleet(chosen(session_id="", place=Place()))),
        "answers": display(layout, works, said),
        "answers on a verb that waits": display(
            layout, waits, dict(zip(columns, ("queued", "sent", "cancelled"), strict=False))
        ),
        "refusals": display(layout, fleet(), refused),
    }


def sheet() -> tuple[dict[Position, KeyView], DeckModel]:
    """Return the row of every scene, one under another, as the keys of one deck."""
    keys = {
        Position(number, position.column): view
        for number, views in enumerate(scenes().values(), 1)
        for position, view in views.items()
        if position.row == ROW
    }
    return keys, DeckModel("sheet", "Contact sheet", Grid(8, len(scenes())), XL.key)
