"""The scripted fleet: all six states within a minute, and a press that answers."""

from __future__ import annotations

import pytest

from flightdeck.model.layout import LabelRules
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.panel.demo import PICTURE_S, ROUND_S, DemoFleet, picture

RULES = LabelRules()


@pytest.fixture
def demo() -> DemoFleet:
    demo = DemoFleet(RULES)
    demo.step(0.0, {})
    return demo


def states(demo: DemoFleet, at: float) -> list[State]:
    return [view.state for view in demo.step(at, {}).fleet.slots]


def test_all_six_states_are_shown_within_a_minute(demo: DemoFleet) -> None:
    assert {state for at in range(60) for state in states(demo, at)} == set(State)


def test_picture_shows_all_six_at_once() -> None:
    assert {view.state for view in picture(RULES).slots} == set(State)


def test_round_begins_again(demo: DemoFleet) -> None:
    assert states(demo, 2.5) == states(demo, ROUND_S + 2.5)


def test_press_answers_a_waiting_session(demo: DemoFleet) -> None:
    assert states(demo, 6.0)[0] is State.BLOCKED
    demo.press("demo-0", Place("demo", window="0"))
    assert states(demo, 6.25)[0] is State.WORKING
    assert states(demo, 6.5)[0] is State.WORKING


def test_answer_is_forgotten_in_the_next_round(demo: DemoFleet) -> None:
    states(demo, 6.0)
    demo.press("demo-0", Place("demo", window="0"))
    states(demo, 6.25)
    assert states(demo, ROUND_S + 6.0)[0] is State.BLOCKED


def test_press_on_a_working_session_changes_nothing(demo: DemoFleet) -> None:
    demo.press("demo-1", Place("demo", window="1"))
    assert states(demo, 3.0)[1] is State.WORKING
    assert states(demo, 10.0)[1] is State.FAILED


def test_state_began_when_its_part_did(demo: DemoFleet) -> None:
    assert demo.step(PICTURE_S, {}).fleet.slots[0].since == 13.0


def test_clock_set_back_starts_over_instead_of_failing(demo: DemoFleet) -> None:
    assert states(demo, -50.0) == states(demo, 0.0)


def test_labels_of_siblings_differ() -> None:
    labels = [view.label for view in picture(RULES).slots if view.key]
    assert len(set(labels)) == len(labels)
