"""One thumb on one key: what is a press, what is a hold, and what is neither."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model import gesture
from flightdeck.model.gesture import What

HOLD_S = 0.8
DOWN, UP = True, False


def played(edges: list[tuple[float, bool]], until: float, hold_s: float = HOLD_S) -> list[str]:
    """Play edges to a key, asking whenever it wants to be asked; return what came of it, when."""
    touch, came, waiting = None, [], sorted(edges, key=lambda edge: edge[0])
    now = 0.0
    while now <= until:
        while waiting and waiting[0][0] <= now:
            at, down = waiting.pop(0)
            if down:
                touch = gesture.put_down(touch, "k0", at)
            elif touch:
                touch = gesture.lifted(touch, at)
            if touch and (what := gesture.meant(touch, at, hold_s)) is not What.NOTHING:
                came.append(f"{what.value} {at:.2f}")
                touch = gesture.spent(touch)
        if touch and (what := gesture.meant(touch, now, hold_s)) is not What.NOTHING:
            came.append(f"{what.value} {now:.2f}")
            touch = gesture.spent(touch)
        asks = gesture.asks_at(touch, now, hold_s) if touch else None
        after = [at for at in (asks, waiting[0][0] if waiting else None) if at is not None]
        if not after:
            break
        now = max(now + 1e-6, min(after))
    return came


@pytest.mark.parametrize(
    ("edges", "came"),
    [
        pytest.param([(0, DOWN), (0.1, UP)], ["press 0.10"], id="tap, at its release"),
        pytest.param([(0, DOWN), (0.7, UP)], ["press 0.76"], id="slow press, once it has stood"),
        pytest.param([(0, DOWN), (0, UP)], ["press 0.06"], id="press without any length"),
        pytest.param([(0, DOWN), (1.0, UP)], ["hold 0.80"], id="hold, while the key is down"),
        pytest.param([(0, DOWN)], ["hold 0.80"], id="hold that goes on"),
        pytest.param(
            [(0, DOWN), (0.003, UP), (0.006, DOWN), (1, UP)],
            ["hold 0.80"],
            id="bounce as it closes",
        ),
        pytest.param(
            [(0, DOWN), (0.5, UP), (0.504, DOWN), (1, UP)], ["hold 0.80"], id="bounce on the way"
        ),
        pytest.param(
            [(0, DOWN), (0.1, UP), (0.103, DOWN), (0.106, UP)],
            ["press 0.10"],
            id="bounce as it opens",
        ),
        pytest.param(
            [(0, DOWN), (0.02, UP), (0.05, DOWN), (0.12, UP)],
            ["press 0.12"],
            id="two downs in 60 ms",
        ),
        pytest.param([(0, DOWN), (0.05, DOWN), (0.1, UP)], ["press 0.10"], id="the same, no up"),
        pytest.param(
            [(0, DOWN), (1, UP), (1.01, DOWN), (2, UP)], ["hold 0.80"], id="bounce after a hold"
        ),
        pytest.param(
            [(0, DOWN), (0.5, DOWN), (0.6, UP)], ["press 0.60"], id="down after a lost release"
        ),
        pytest.param(
            [(0, DOWN), (0.1, UP), (0.3, DOWN), (0.4, UP)],
            ["press 0.10", "press 0.40"],
            id="two presses",
        ),
    ],
)
def test_touch_is_what_a_thumb_meant(edges: list[tuple[float, bool]], came: list[str]) -> None:
    assert played(edges, until=5.0) == came


def test_hold_nobody_saw_arm_is_nothing_once_it_is_let_go() -> None:
    touch = gesture.lifted(gesture.put_down(None, "k0", 0.0), 0.9)
    assert gesture.meant(touch, 2.0, HOLD_S) is What.NOTHING
    assert gesture.asks_at(touch, 2.0, HOLD_S) is None


def test_touch_whose_holder_has_gone_comes_to_nothing() -> None:
    touch = gesture.lost(gesture.put_down(None, "k0", 0.0), 0.1)
    assert gesture.meant(touch, 2.0, HOLD_S) is What.NOTHING
    assert gesture.put_down(touch, "k1", 1.0) == gesture.put_down(None, "k1", 1.0)


def test_second_release_changes_nothing() -> None:
    touch = gesture.lifted(gesture.put_down(None, "k0", 0.0), 0.1)
    assert gesture.lifted(touch, 0.5) == touch


def test_bounce_keeps_what_the_key_stood_for() -> None:
    touch = gesture.lifted(gesture.put_down(None, "k0", 0.0), 0.01)
    assert gesture.put_down(touch, "k1", 0.02).aim == "k0"


@pytest.mark.parametrize(
    ("now", "done"),
    [(0.0, 0.0), (0.199, 0.0), (0.2, 1 / 12), (0.51, 7 / 12), (0.79, 1.0), (9.0, 1.0)],
)
def test_progress_goes_from_200_ms_to_the_whole_hold(now: float, done: float) -> None:
    touch = gesture.put_down(None, "k0", 0.0)
    assert gesture.progress(touch, now, HOLD_S) == pytest.approx(done)


def test_progress_ends_with_the_touch() -> None:
    touch = gesture.put_down(None, "k0", 0.0)
    assert gesture.progress(gesture.lifted(touch, 0.4), 0.5, HOLD_S) == 0.0
    assert gesture.progress(gesture.spent(touch), 0.5, HOLD_S) == 0.0


@pytest.mark.parametrize("hold_s", [0.2, 0.8, 5.0])
def test_every_step_of_a_hold_is_asked_for_once(hold_s: float) -> None:
    touch, now, steps = gesture.put_down(None, "k0", 100.0), 100.0, []
    while gesture.meant(touch, now, hold_s) is What.NOTHING:
        asks = gesture.asks_at(touch, now, hold_s)
        assert asks is not None
        now = max(asks, now + 1e-6)
        steps.append(gesture.progress(touch, now + 1e-9, hold_s))
    assert now == pytest.approx(100.0 + hold_s)
    assert sorted(set(steps)) == pytest.approx([n / 12 for n in range(1, 13)])
    assert len(steps) <= 20


edges = st.lists(
    st.tuples(st.floats(0, 4).map(lambda at: round(at, 3)), st.booleans()), max_size=12
)


@given(edges)
def test_no_touch_is_both_a_press_and_a_hold(edges: list[tuple[float, bool]]) -> None:
    came = [(word.split()[0], float(word.split()[1])) for word in played(edges, until=10.0)]
    downs = [at for at, down in edges if down]
    assert len(came) <= len(downs)
    for (one, first), (other, then) in pairwise(came):
        between = [at for at in downs if first - 0.07 <= at <= then + 1e-6]
        assert between, f"{one} at {first} and {other} at {then} of one touch"


@given(edges)
def test_hold_is_a_key_that_was_down_all_the_while(edges: list[tuple[float, bool]]) -> None:
    ordered = sorted(edges, key=lambda edge: edge[0])
    for word in played(edges, until=10.0):
        what, at = word.split()[0], float(word.split()[1])
        if what != "hold":
            continue
        began = at - HOLD_S
        inside = [edge for edge in ordered if began + 0.006 < edge[0] < at - 0.006]
        for (up_at, up), (then, down) in pairwise([*inside, (at, DOWN)]):
            assert up or then - up_at < gesture.BOUNCE_S + 0.01 or down is UP
