"""The verdict row of the shipped panel in everything it can say, a scene a row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flightdeck import shipped
from flightdeck.config.layouts import load_layout
from flightdeck.model import row, verdict
from flightdeck.model.ask import Ask
from flightdeck.model.deck import DeckModel, Grid, Position
from flightdeck.model.decks import MODELS
from flightdeck.model.display import display
from flightdeck.model.effect import SetArm
from flightdeck.model.fleet import Fleet
from flightdeck.model.layout import Action, VerdictBinding
from flightdeck.model.lifecycle import Reason
from flightdeck.model.local import Local
from flightdeck.model.remember import grant
from flightdeck.model.risk import Tier
from flightdeck.model.verdict import Press

if TYPE_CHECKING:
    from flightdeck.model.arming import Arm
    from flightdeck.model.ask import Grant
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout

XL = MODELS["stream-deck-xl"]
HIGH, MEDIUM, LOW = (tier.value for tier in (Tier.HIGH, Tier.MEDIUM, Tier.LOW))


def panel() -> Layout:
    """Return the shipped panel of an XL."""
    return load_layout(shipped.folder("layouts") / "xl.yaml", Local())


def a_rule(content: str, repo: str = "webshop") -> Grant:
    """Return what REMEMBER makes of the client's suggestion to allow a command."""
    rules = [{"toolName": "Bash", "ruleContent": content}]
    entry = {"type": "addRules", "rules": rules, "behavior": "allow"}
    return grant(json.dumps([entry | {"destination": "localSettings"}]), repo, "/repo")


def a_mode() -> Grant:
    """Return what REMEMBER makes of the suggestion to accept edits from now on."""
    entry = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
    return grant(json.dumps([entry]), "webshop", "/repo")


def an_ask(request_id: str = "r1", **more: Any) -> Ask:
    """Return a request of a session in `webshop` that the panel can answer."""
    told: dict[str, Any] = {
        "key": "a",
        "agent": "claude-code",
        "tool": "Bash",
        "tier": MEDIUM,
        "since": 0.0,
        "label": ("webshop", "1482-retry"),
        "answerable": True,
        "grant": a_rule("git push origin:*"),
    }
    return Ask(request_id, **told | more)


def waiting(*asks: Ask, halted: bool = False) -> Fleet:
    """Return a fleet in which these requests wait."""
    return Fleet(asks=asks, halted=halted)


def key_of(layout: Layout, action: Action) -> Position:
    """Return where a verdict is on the panel."""
    binding = VerdictBinding(action)
    return next(key.position for key in layout.keys if key.binding == binding)


def arm(layout: Layout, fleet: Fleet, action: Action) -> Arm:
    """Return what the first press of a guarded key sets."""
    press = Press(key_of(layout, action), 0.0)
    binding, ask = VerdictBinding(action), verdict.aim(fleet)
    (effect,) = verdict.effects(binding, ask, fleet.halted, (), press, 10.0)
    assert isinstance(effect, SetArm)
    return effect.arm


def scenes() -> dict[str, dict[Position, KeyView]]:
    """Return the whole panel in every scene, by what happens in it."""
    layout = panel()
    high, low = an_ask(tier=HIGH), an_ask(tier=LOW, tool="Read", label=("docs", "Release notes"))
    often = an_ask(repeats=3, tool="mcp__tracker__create_issue")
    none, one, many = waiting(), waiting(high), waiting(often, *(an_ask(f"{n}") for n in "234"))
    mode = waiting(an_ask(tool="Edit", grant=a_mode()))
    rule = a_rule("npm run test:unit:*", "payments-api")
    long = waiting(an_ask(label=("payments-api", "currency"), grant=rule))
    elsewhere = an_ask(answerable=False, agent="claude-code")
    wide = an_ask(grant=a_rule("git -C * log"))
    shown = {
        "at rest": display(layout, none),
        "high": display(layout, one),
        "medium, three times, four wait": display(layout, many),
        "low": display(layout, waiting(low)),
        "question": display(layout, waiting(an_ask(reason=Reason.QUESTION, tier=LOW))),
        "plan": display(layout, waiting(an_ask(reason=Reason.PLAN, tier=LOW))),
        "in terminal": display(layout, waiting(elsewhere)),
        "too wide a rule": display(layout, waiting(wide)),
        "halted": display(layout, waiting(high, halted=True)),
        "approve armed": display(layout, one, arms=[arm(layout, one, Action.APPROVE)]),
        "remember armed": display(layout, one, arms=[arm(layout, one, Action.REMEMBER)]),
        "remember a mode": display(layout, mode, arms=[arm(layout, mode, Action.REMEMBER)]),
        "remember at length": display(layout, long, arms=[arm(layout, long, Action.REMEMBER)]),
    }
    said = ("gone", "sent", "too soon", "changed", "no window", "in terminal", "nothing pending")
    shown["flashes at rest"] = display(
        layout, none, dict(zip(row.aims(layout, none), said, strict=False))
    )
    said = (
        "halted",
        "question",
        "every project",
        "outside repo",
        "unsafe mode",
        "too long",
        "sent",
    )
    shown["flashes"] = display(layout, one, dict(zip(row.aims(layout, one), said, strict=False)))
    return shown


def sheet() -> tuple[dict[Position, KeyView], DeckModel]:
    """Return the verdict row of every scene, one under another, as the keys of one deck."""
    keys = {
        Position(number, position.column): view
        for number, views in enumerate(scenes().values(), 1)
        for position, view in views.items()
        if position.row == 3
    }
    return keys, DeckModel("sheet", "Contact sheet", Grid(8, len(scenes())), XL.key)
