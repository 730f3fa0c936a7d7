"""A verdict row, and requests it is aimed at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flightdeck.model.ask import Ask, Grant
from flightdeck.model.deck import Grid, Position
from flightdeck.model.fleet import Fleet
from flightdeck.model.layout import (
    Action,
    Glyph,
    Key,
    Layout,
    Look,
    SlotBinding,
    SteerBinding,
    VerdictBinding,
)
from flightdeck.model.place import Place
from flightdeck.model.verb import Verb, VerbKind
from tests.model.panels import a_panel

DETAIL, APPROVE, REMEMBER, DENY, INTERRUPT = (VerdictBinding(action) for action in Action)
STEER = SteerBinding(Verb("dryrun", VerbKind.STEER, "Dry run", "Show what it would do first."))
VERDICTS: tuple[VerdictBinding | SteerBinding, ...] = (
    DETAIL,
    APPROVE,
    REMEMBER,
    DENY,
    INTERRUPT,
    STEER,
)
DECISIONS = VERDICTS[1:]
KEYS = {binding: Position(2, column) for column, binding in enumerate(VERDICTS, 1)}
SLOT = Position(1, 1)

PLACE = Place("tmux", tmux_socket="/s", tmux_pane="%1")
RULE = '[{"type": "addRules"}]'
GRANT = Grant(("Bash(", "make:*)"), "webshop", RULE)
WARNING = Glyph("warning", ())


def an_ask(request_id: str = "r1", **more: Any) -> Ask:
    """Return a request the panel can answer."""
    told: dict[str, Any] = {
        "key": "a",
        "agent": "claude-code",
        "tool": "Bash",
        "tier": "medium",
        "since": 100.0,
        "label": ("webshop", "checkout"),
        "answerable": True,
        "place": PLACE,
        "grant": GRANT,
    }
    return Ask(request_id, **told | more)


def asking(*asks: Ask, **more: Any) -> Fleet:
    """Return a fleet in which these requests wait, oldest first."""
    return Fleet(asks=asks, **more)


def a_row(armed: Look | None = None) -> Layout:
    """Return a panel of one slot and a whole verdict row."""
    labels = ("Detail", "Approve", "Remember", "Deny", "Interrupt", "Dry run")
    keys = [Key(KEYS[b], b, label) for b, label in zip(VERDICTS, labels, strict=True)]
    return replace(
        a_panel(),
        grid=Grid(6, 2),
        armed=armed or Look("#armed", "#loud", WARNING, "#amber"),
        keys=(Key(SLOT, SlotBinding(0)), *keys),
    )
