"""The control keys: one press brakes, two let go; what they show is what a press would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flightdeck.model import brakes
from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.deck import Position
from flightdeck.model.display import display
from flightdeck.model.effect import Gate, Halt, Lift, Refuse, SetArm
from flightdeck.model.fleet import BYPASS, Fleet
from flightdeck.model.layout import Brake, ControlBinding, Key
from flightdeck.model.lifecycle import State
from flightdeck.model.respond import respond
from flightdeck.model.verdict import Press
from tests.model.panels import FIRST, PIN, SECOND, a_fleet, a_panel, a_view

HALT, GATE, OTHER = Position(3, 1), Position(3, 2), Position(3, 3)
PANEL = replace(
    a_panel(),
    keys=(
        *a_panel().keys,
        Key(HALT, ControlBinding(Brake.HALT), "HALT"),
        Key(GATE, ControlBinding(Brake.GATE), "GATE"),
        Key(OTHER, ControlBinding(Brake.HALT), "STOP"),
    ),
)
HALTED = replace(a_fleet(a_view(0)), halted=True)


def press(fleet: Fleet, key: Position, *arms: Arm, at: float = 100.0) -> object:
    """Return the one effect of a press."""
    (effect,) = respond(PANEL, fleet, None, arms, Press(key, at))
    return effect


def armed(at: float = 100.0, key: Position = HALT) -> Arm:
    effect = press(HALTED, key, at=at)
    assert isinstance(effect, SetArm)
    return effect.arm


def test_one_press_halts() -> None:
    assert press(a_fleet(), HALT) == Halt()


def test_press_while_halted_arms_for_the_confirming_time() -> None:
    arm = armed(at=100.0)
    assert (arm.kind, arm.by, arm.until) == (ArmKind.LIFT, HALT, 110.0)
    assert arm.lines[-1] == "CONFIRM?"
    assert "tool calls run again" in arm.deed


def test_second_press_lifts_it() -> None:
    assert press(HALTED, HALT, armed(at=100.0), at=101.0) == Lift()


@pytest.mark.parametrize("at", [100.1, 110.0])
def test_press_too_soon_or_too_late_only_arms_again(at: float) -> None:
    assert isinstance(press(HALTED, HALT, armed(at=100.0), at=at), SetArm)


def test_another_halt_key_does_not_confirm() -> None:
    assert isinstance(press(HALTED, OTHER, armed(at=100.0), at=101.0), SetArm)


def test_armed_key_halts_if_the_halt_is_over_by_then() -> None:
    assert press(a_fleet(), HALT, armed(at=100.0), at=101.0) == Halt()


def test_arm_goes_with_the_halt_it_would_lift() -> None:
    verdict = Arm(ArmKind.VERDICT, ("approve", "r1"), HALT, 100.0, 110.0)
    both = (armed(), verdict)
    assert brakes.upheld(both, HALTED) == both
    assert brakes.upheld(both, a_fleet()) == (verdict,)


@pytest.mark.parametrize("gated", [False, True])
def test_gate_turns_that_of_the_selected_session(gated: bool) -> None:
    fleet = a_fleet(a_view(0), a_view(1, key="b", session_id="s-1", selected=True, gated=gated))
    assert press(fleet, GATE) == Gate("s-1", closed=not gated)


def test_gate_needs_a_selected_session_with_an_id() -> None:
    assert press(a_fleet(a_view(0)), GATE) == Refuse("none selected")
    assert press(a_fleet(a_view(0, selected=True, session_id="")), GATE) == Refuse("no id yet")


def test_halt_key_says_how_many_are_out_of_its_reach() -> None:
    at_rest = display(PANEL, a_fleet())[HALT]
    assert (at_rest.top, at_rest.bottom, at_rest.name) == ("", "HALT", "HALT")
    some = display(PANEL, replace(a_fleet(), untracked=2))[HALT]
    assert (some.top, some.bottom, some.name) == ("2 untracked", "HALT", "HALT, 2 untracked")


def test_halt_key_says_that_the_fleet_is_halted() -> None:
    view = display(PANEL, replace(HALTED, untracked=1))[HALT]
    assert (view.top, view.bottom, view.halted) == ("1 untracked", "HALTED", True)
    assert view.name == "HALTED, 1 untracked"


def test_armed_halt_key_says_what_a_second_press_does_and_no_other_key_does() -> None:
    views = display(PANEL, HALTED, arms=(armed(),))
    assert views[HALT].background == PANEL.armed.colour
    assert views[HALT].lines[-1] == "CONFIRM?"
    assert views[HALT].name == "armed, press again to lift the halt: tool calls run again"
    assert views[OTHER].bottom == "HALTED"


def test_every_slot_is_hatched_while_halted_and_nothing_else_of_the_row() -> None:
    views = display(PANEL, HALTED)
    assert (views[FIRST].halted, views[SECOND].halted, views[PIN].halted) == (True, True, False)
    assert views[SECOND].name == "empty, halted"
    assert not display(PANEL, a_fleet(a_view(0)))[FIRST].halted


def test_gate_key_says_whose_gate_it_is_and_whether_it_is_closed() -> None:
    nobody = display(PANEL, a_fleet(a_view(0)))[GATE]
    assert (nobody.bottom, nobody.dimmed) == ("GATE", True)
    told = {"selected": True, "label": ("webshop", "retry")}
    opened = display(PANEL, a_fleet(a_view(0, **told)))[GATE]
    assert (opened.top, opened.bottom, opened.dimmed) == ("retry", "GATE", False)
    closed = display(PANEL, a_fleet(a_view(0, gated=True, **told)))[GATE]
    assert (closed.top, closed.bottom) == ("retry", "GUARDED")
    assert closed.name == "GUARDED, webshop, retry"


def test_gate_key_of_a_session_with_one_line_shows_that() -> None:
    fleet = a_fleet(a_view(0, selected=True, label=("webshop", "")))
    assert display(PANEL, fleet)[GATE].top == "webshop"


@pytest.mark.parametrize(
    ("more", "shown", "said"),
    [
        ({}, False, ""),
        ({"permission_mode": "somethingNew"}, False, ""),
        ({"permission_mode": "default"}, False, ""),
        ({"permission_mode": BYPASS}, True, "asks for nothing"),
        ({"gated": True}, True, "guarded"),
    ],
)
@pytest.mark.parametrize("state", [state for state in State if state is not State.EMPTY])
def test_pip_is_on_sessions_that_ask_for_nothing_or_are_gated(
    state: State, more: dict[str, object], shown: bool, said: str
) -> None:
    view = display(PANEL, a_fleet(a_view(0, state=state, **more)))[FIRST]
    assert view.brakes_off is shown
    assert said in view.name
