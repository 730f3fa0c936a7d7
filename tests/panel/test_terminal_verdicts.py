"""Verdicts over the control socket: the same rules, but for what only a face needs."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.model.decision import Decision
from flightdeck.model.effect import SetArm
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.panel.perform import Hand, Performed, Performer
from flightdeck.panel.presses import Presses
from tests.fold.world import DEADLINE_S, until
from tests.panel.desk import Doings
from tests.panel.waiting import VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.model.place import Place


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[VerdictDesk]:
    desk = VerdictDesk(held_clock)
    desk.begin()
    yield desk
    desk.end()
    assert desk.error is None


def steer_verb(name: str) -> Verb:
    """Know one verb."""
    if name != "dryrun":
        raise FlightdeckError(f"'{name}' is no steer verb", "there is dryrun")
    return Verb(name, VerbKind.STEER, "Dry run", "Show it first.")


def asked(desk: VerdictDesk, **request: object) -> dict[str, Any]:
    return Presses(desk.panel, steer_verb, steer_verb).answer(request)


def verdict(desk: VerdictDesk, action: str, **more: object) -> dict[str, Any]:
    return asked(desk, do="verdict", action=action, **more)


def test_verdict_is_sent_however_new_the_request_is(desk: VerdictDesk) -> None:
    desk.ask("r1")
    assert verdict(desk, "approve") == {"problem": "", "hint": "", "done": "sent"}
    assert desk.allowed == ["r1"]


def test_verdict_is_about_what_there_is_now_not_what_was_last_looked_at(
    desk: VerdictDesk,
) -> None:
    desk.asking.ask("r1")
    assert verdict(desk, "deny")["done"] == "sent"


def test_steer_is_sent_in_the_words_of_its_verb(desk: VerdictDesk) -> None:
    desk.ask("r1")
    verdict(desk, "steer", verb="dryrun")
    assert desk.decisions == [("r1", Decision(allow=False, message="Show it first."))]


def test_verb_nobody_knows_is_told(desk: VerdictDesk) -> None:
    desk.ask("r1")
    assert verdict(desk, "steer", verb="x") == {
        "problem": "'x' is no steer verb",
        "hint": "there is dryrun",
    }


def test_request_is_named_by_its_id(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    verdict(desk, "approve", request="r2")
    assert desk.allowed == ["r2"]


def test_request_nobody_knows_is_refused(desk: VerdictDesk) -> None:
    desk.ask("r1")
    assert verdict(desk, "approve", request="r9")["problem"] == "no such request"
    assert desk.decisions == []


@pytest.mark.parametrize(
    ("facts", "more", "problem"),
    [
        ({}, {}, "nothing pending"),
        ({"halted": True}, {"tier": "low"}, "halted"),
        ({}, {"thread": "a1"}, "in terminal"),
    ],
)
def test_verdict_that_cannot_be_given_says_why(
    desk: VerdictDesk, facts: dict[str, bool], more: dict[str, str], problem: str
) -> None:
    desk.asking.facts = facts
    if more:
        desk.ask("r1", **more)
    said = verdict(desk, "approve")
    assert said["problem"] == problem
    assert desk.decisions == []


def test_hook_that_is_opening_is_waited_for(desk: VerdictDesk) -> None:
    desk.hooks.opening_ids.add("r1")
    desk.ask("r1")
    said: list[dict[str, Any]] = []
    asking = threading.Thread(target=lambda: said.append(verdict(desk, "approve")))
    asking.start()
    until(lambda: desk.panel._ruling._waiting, "a verdict that waits")
    desk.hooks.opening_ids.clear()
    desk.panel.wake()
    asking.join()
    assert said[0]["done"] == "sent"


def test_hook_that_never_opens_is_not_waited_for_longer_than_two_seconds(
    desk: VerdictDesk,
) -> None:
    desk.hooks.opening_ids.add("r1")
    desk.ask("r1")
    said: list[dict[str, Any]] = []
    asking = threading.Thread(target=lambda: said.append(verdict(desk, "approve")))
    asking.start()
    until(lambda: desk.panel._ruling._waiting, "a verdict that waits")
    desk.turn(2.0)
    desk.panel.wake()
    asking.join()
    assert said[0]["problem"] == "in terminal"


# Armed.


def test_high_call_arms_and_the_answer_says_what_the_second_does(desk: VerdictDesk) -> None:
    desk.ask("r1", tier="high")
    said = verdict(desk, "approve")
    assert said == {
        "problem": "",
        "hint": "",
        "done": "armed; the same again within 10 s will approve Bash (high) of webshop k0",
        "armed": True,
    }
    assert verdict(desk, "approve")["done"] == "sent"
    assert desk.allowed == ["r1"]


def test_arm_of_a_terminal_is_not_confirmed_by_a_key_nor_the_other_way_round(
    desk: VerdictDesk,
) -> None:
    desk.ask("r1", tier="high")
    assert verdict(desk, "approve")["armed"]
    desk.press("approve")
    assert desk.decisions == []
    assert verdict(desk, "approve")["armed"]
    assert desk.decisions == []


def test_arm_is_of_one_request_only(desk: VerdictDesk) -> None:
    desk.ask("r1", tier="high")
    desk.ask("r2", "k1", tier="high")
    assert verdict(desk, "approve", request="r2")["armed"]
    assert verdict(desk, "approve")["armed"]
    assert verdict(desk, "approve")["done"] == "sent"
    assert desk.allowed == ["r1"]


def test_any_other_verdict_of_a_terminal_disarms(desk: VerdictDesk) -> None:
    desk.ask("r1", tier="high")
    assert verdict(desk, "approve")["armed"]
    verdict(desk, "detail")
    assert verdict(desk, "approve")["armed"]


def test_arm_is_over_when_its_time_is(desk: VerdictDesk) -> None:
    desk.ask("r1", tier="high")
    assert verdict(desk, "approve")["armed"]
    desk.turn(10.0)
    assert verdict(desk, "approve")["armed"]
    assert desk.decisions == []


def test_press_from_a_terminal_is_held_to_what_a_thumb_is(desk: VerdictDesk) -> None:
    desk.ask("r1")
    assert asked(desk, do="press", row=3, column=2)["problem"] == "too soon"
    desk.turn(1.0)
    assert asked(desk, do="press", row=3, column=2)["done"] == "sent"


# Selecting.


def test_slot_is_selected_by_its_number(desk: VerdictDesk) -> None:
    desk.ask("r1", "k3")
    assert asked(desk, do="select", slot=3, key="k3")["done"] == "selected"
    assert desk.world.selected == ["k3"]


@pytest.mark.parametrize("slot", [0, 99, -1])
def test_slot_without_a_session_is_not_selected(desk: VerdictDesk, slot: int) -> None:
    assert asked(desk, do="select", slot=slot, key="k3")["problem"] == "no session"
    assert desk.world.selected == []


# What else somebody may send.


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "verdict"},
        {"do": "verdict", "action": "allow"},
        {"do": "verdict", "action": ["approve"]},
        {"do": "verdict", "action": "steer"},
        {"do": "verdict", "action": "approve", "request": 7},
        {"do": "verdict", "action": "approve", "request": {"a": 1}},
        {"do": "select"},
        {"do": "select", "slot": 3},
        {"do": "select", "slot": "three"},
        {"do": "select", "slot": None},
    ],
)
def test_anything_else_is_not_known_and_answers_nothing(
    desk: VerdictDesk, request_: dict[str, Any]
) -> None:
    desk.ask("r1")
    assert (
        "does not know" in Presses(desk.panel, steer_verb, steer_verb).answer(request_)["problem"]
    )
    assert desk.decisions == []


def test_nobody_but_the_loop_sets_an_arm() -> None:
    told: list[Performed] = []
    performer = Performer(Doings().world(), told.append)
    performer.start()
    performer.perform(SetArm(None), Hand(None))  # type: ignore[arg-type]
    performer.stop()
    assert told[0].problem


def test_answer_does_not_wait_for_a_window_that_takes_its_time(
    desk: VerdictDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()

    def take_its_time(key: str, place: Place) -> None:
        released.wait(DEADLINE_S)

    slow = replace(desk.world.world(), focus=take_its_time)
    monkeypatch.setattr(desk.panel._hands._windows, "_world", slow)
    desk.ask("r1")
    desk.thumb(0)
    assert verdict(desk, "approve")["done"] == "sent"
    released.set()
