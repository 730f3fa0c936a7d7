"""A held slot key: what arms, what a second press does, and what the key shows meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.model import hold
from flightdeck.model.deck import Position
from flightdeck.model.display import display
from flightdeck.model.effect import (
    Acknowledge,
    Effect,
    Focus,
    Refuse,
    Select,
    SetArm,
    TearDown,
)
from flightdeck.model.respond import slot_press
from flightdeck.model.verdict import Press
from tests.config.panels import compiled, shipped_xl
from tests.panel.desk import PANE, a_fleet, a_view

if TYPE_CHECKING:
    from flightdeck.model.arming import Arm
    from flightdeck.model.fleet import SlotView

KEY = Position(1, 1)


def arm_of(view: SlotView, at: float = 10.0) -> Arm:
    effect = hold.held(view, view.key, Press(KEY, at), 3.0)
    assert isinstance(effect, SetArm)
    return effect.arm


@pytest.mark.parametrize(
    ("view", "word"),
    [
        (None, "changed"),
        (a_view(0, key="other"), "changed"),
        (a_view(0, ending=True), "ending"),
    ],
)
def test_hold_arms_nothing_it_did_not_begin_on(view: SlotView | None, word: str) -> None:
    assert hold.held(view, "k0", Press(KEY, 10.0), 3.0) == Refuse(word)


def test_arm_says_whose_end_it_is_in_lines_a_key_can_show() -> None:
    arm = arm_of(a_view(0, label=("webshop", "a-branch-of-many-letters")))
    assert arm.lines == ("TEAR DOWN", "webshop", "a-branch-of-man\u2026", "CONFIRM?")
    assert (arm.what, arm.until) == (("k0",), 13.0)


def test_session_without_a_label_is_called_after_its_agent() -> None:
    arm = arm_of(a_view(0, label=("", ""), agent="claude-code"))
    assert arm.lines == ("TEAR DOWN", "claude-code", "CONFIRM?")
    assert arm.deed == "end claude-code and remove its worktree"


@pytest.mark.parametrize(
    ("at", "let_go", "stood", "effect"),
    [
        (11.0, 10.2, 10.01, TearDown("k0")),
        (11.0, None, 10.01, Refuse("too soon")),
        (11.0, 10.2, None, Refuse("too soon")),
        (10.24, 9.9, 9.9, Refuse("too soon")),
        (11.0, 10.8, 10.01, Refuse("too soon")),
        (11.0, 10.2, 10.8, Refuse("too soon")),
    ],
)
def test_second_press_counts_once_it_is_neither_bounce_nor_reflex(
    at: float, let_go: float | None, stood: float | None, effect: Effect
) -> None:
    view = a_view(0)
    assert hold.confirmed(view, arm_of(view), at, let_go, stood) == effect


@pytest.mark.parametrize("view", [None, a_view(0, key="other")])
def test_second_press_does_nothing_to_another(view: SlotView | None) -> None:
    assert hold.confirmed(view, arm_of(a_view(0)), 11.0, 10.2, 10.0) == Refuse("changed")


def test_arm_stands_for_its_key_and_its_time() -> None:
    arm = arm_of(a_view(0))
    assert hold.arm_on([arm], KEY, 12.9) == arm
    assert hold.arm_on([arm], KEY, 13.0) is None
    assert hold.arm_on([arm], Position(1, 2), 12.0) is None


@pytest.mark.parametrize(
    ("view", "effects"),
    [
        (a_view(0), [Select("k0"), Focus("k0", PANE)]),
        (
            a_view(0, refusal="status: changed"),
            [Acknowledge("k0"), Select("k0"), Focus("k0", PANE)],
        ),
        (a_view(0, refusal="status: changed", ended=True), [Acknowledge("k0")]),
        (a_view(0, ending=True, ended=True), [Refuse("ending")]),
        (None, [Refuse("no session")]),
    ],
)
def test_press_of_a_slot_looks_at_who_is_there(
    view: SlotView | None, effects: list[Effect]
) -> None:
    assert slot_press(view) == effects


def test_armed_face_is_near_black_and_every_other_mark_stays() -> None:
    layout, view = shipped_xl(), a_view(0, selected=True, seen=True, gated=True)
    fleet = replace(a_fleet(view, overflow=2), halted=True)
    rest = display(layout, fleet)[KEY]
    armed = display(layout, fleet, {}, [arm_of(view)], {KEY: 0.5})[KEY]
    assert (armed.background, armed.glyph) == (layout.armed.colour, layout.armed.glyph)
    assert armed.lines[0] == "TEAR DOWN"
    assert (armed.top, armed.bottom, armed.dimmed, armed.progress) == ("", "", False, 0.0)
    kept = ("selected", "halted", "brakes_off", "count", "stale", "untracked")
    assert [getattr(armed, mark) for mark in kept] == [getattr(rest, mark) for mark in kept]


def test_arm_is_shown_on_nobody_elses_key() -> None:
    layout, arm = shipped_xl(), arm_of(a_view(0))
    for fleet in (a_fleet(a_view(0, key="other")), a_fleet(), a_fleet(a_view(1, key="k0"))):
        assert display(layout, fleet, {}, [arm]) == display(layout, fleet)
        assert hold.aims(layout, fleet, [arm]) == {}
    assert hold.aims(layout, a_fleet(a_view(0)), [arm]) == {KEY: hold.aim_of(arm)}


def test_key_says_that_its_session_is_being_torn_down() -> None:
    face = display(shipped_xl(), a_fleet(a_view(0, ending=True)))[KEY]
    assert (face.flash, face.name.split(", ")[-1]) == ("ending", "being torn down")


def test_hold_that_goes_on_shows_how_far_it_has_come() -> None:
    fleet = a_fleet(a_view(0))
    assert display(shipped_xl(), fleet, holds={KEY: 0.5})[KEY].progress == 0.5
    assert display(shipped_xl(), fleet)[KEY].progress == 0.0


def test_only_slots_of_held_rows_take_a_hold() -> None:
    assert list(hold.takes(shipped_xl()).values()) == list(range(8))
    assert hold.takes(compiled("device: stream-deck-xl\nrows:\n  - fill: slot\n")) == {}


def test_short_press_is_for_its_session_wherever_that_is_by_now() -> None:
    view = a_view(3, key="k0")
    assert hold.pressed(a_fleet(a_view(0, key="other"), view), "k0") == slot_press(view)


def test_short_press_for_a_session_that_is_gone_does_nothing_to_another() -> None:
    assert hold.pressed(a_fleet(a_view(0, key="other")), "k0") == [Refuse("changed")]
