"""Arms: one of each kind, confirmed by the same hand, gone with time and with other presses."""

from __future__ import annotations

import pytest

from flightdeck.model.arming import (
    SETTLED_S,
    Arm,
    ArmKind,
    armed,
    confirms,
    standing,
    untouched,
    without,
)
from flightdeck.model.deck import Position

KEY, OTHER = Position(3, 2), Position(3, 3)
APPROVE, DENY = ("approve", "r1"), ("deny", "r1")


def an_arm(
    by: Position | None = KEY,
    at: float = 10.0,
    what: tuple[str, ...] = APPROVE,
    kind: ArmKind = ArmKind.VERDICT,
) -> Arm:
    return Arm(kind, what, by, at, at + 10)


def test_arm_stands_until_its_window_is_over() -> None:
    arm = an_arm()
    assert standing([arm], 19.9) == (arm,)
    assert standing([arm], 20.0) == ()


def test_arm_takes_the_place_of_one_of_its_kind_only() -> None:
    verb, old, new = an_arm(kind=ArmKind.VERB), an_arm(), an_arm(by=OTHER)
    assert armed((verb, old), new) == (verb, new)


def test_used_arm_leaves_the_other_kinds() -> None:
    verb = an_arm(kind=ArmKind.VERB)
    assert without((verb, an_arm()), ArmKind.VERDICT) == (verb,)


def test_second_press_of_the_same_key_confirms() -> None:
    assert confirms([an_arm()], an_arm(at=11.0))


def test_nothing_confirms_where_nothing_is_armed() -> None:
    assert not confirms([], an_arm())


@pytest.mark.parametrize(
    "press",
    [
        an_arm(at=11.0, by=OTHER),
        an_arm(at=11.0, by=None),
        an_arm(at=11.0, what=("approve", "r2")),
        an_arm(at=11.0, what=DENY),
        an_arm(at=11.0, kind=ArmKind.VERB),
        an_arm(at=20.0),
        an_arm(at=10.0 + SETTLED_S - 0.01),
    ],
    ids=["another key", "a terminal", "another request", "another deed", "kind", "late", "bounce"],
)
def test_any_other_press_confirms_nothing(press: Arm) -> None:
    assert not confirms([an_arm()], press)


def test_terminal_has_no_switch_that_bounces() -> None:
    assert confirms([an_arm(by=None)], an_arm(by=None, at=10.01))


def test_press_of_any_other_key_disarms() -> None:
    assert untouched([an_arm()], OTHER) == ()
    assert untouched([an_arm()], KEY) == (an_arm(),)


def test_any_other_deed_of_a_terminal_disarms_its_own() -> None:
    arm = an_arm(by=None)
    assert untouched([arm], None, DENY) == ()
    assert untouched([arm], None, APPROVE) == (arm,)


def test_terminal_and_deck_do_not_disarm_each_other() -> None:
    assert untouched([an_arm()], None, DENY) == (an_arm(),)
    assert untouched([an_arm(by=None)], OTHER) == (an_arm(by=None),)
