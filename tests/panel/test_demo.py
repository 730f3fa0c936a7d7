"""The scripted fleet: all six states within a minute, and a press that answers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.decks.recorder import Recorder
from flightdeck.errors import Gone
from flightdeck.faces.cache import Faces
from flightdeck.model import verdict
from flightdeck.model.decision import Decision
from flightdeck.model.deck import Position
from flightdeck.model.decks import MODELS
from flightdeck.model.effect import Answer, SetArm, Stage, Unstage
from flightdeck.model.label import LabelRules
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.panel import claims
from flightdeck.panel.demo import PICTURE_S, DemoFleet, picture
from flightdeck.panel.demo_script import ROUND_S
from flightdeck.panel.loop import Panel
from flightdeck.panel.perform import VerbWorld, World
from flightdeck.panel.presses import press
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import the_layout

if TYPE_CHECKING:
    from flightdeck.model.staged import Staged

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


def test_picture_aims_the_verdict_row_at_a_high_request_that_may_be_remembered() -> None:
    fleet = picture(RULES)
    ask = verdict.aim(fleet)
    assert ask is not None
    assert (ask.key, ask.tier, ask.answerable, ask.grant.refusal) == (
        fleet.selected,
        "high",
        True,
        "",
    )


def test_sessions_that_wait_ask_oldest_first(demo: DemoFleet) -> None:
    asks = demo.step(16.0, {}).fleet.asks
    assert [(ask.label[0], ask.tool) for ask in asks] == [
        ("mobile", "Bash"),
        ("payments", "AskUserQuestion"),
    ]


def test_answer_lets_its_session_go_on(demo: DemoFleet) -> None:
    (ask,) = demo.step(6.0, {}).fleet.asks
    assert demo.answer(Answer(ask.request_id, ask.key, Decision(allow=True)))
    after = demo.step(6.25, {}).fleet
    assert (after.slots[0].state, after.asks) == (State.WORKING, ())


def test_answer_to_a_request_that_is_over_changes_nothing(demo: DemoFleet) -> None:
    (ask,) = demo.step(6.0, {}).fleet.asks
    demo.step(14.5, {})
    assert not demo.answer(Answer(ask.request_id, ask.key, Decision(allow=True)))


def test_request_of_the_next_round_is_another_one(demo: DemoFleet) -> None:
    ids = [demo.step(at, {}).fleet.asks[0].request_id for at in (6.0, ROUND_S + 6.0)]
    assert len(set(ids)) == 2


def test_selected_session_is_marked(demo: DemoFleet) -> None:
    demo.select("demo-0")
    fleet = demo.step(6.0, {}).fleet
    assert fleet.selected == "demo-0"
    assert [view.slot for view in fleet.slots if view.selected] == [0]


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


def test_turn_that_is_interrupted_ends(demo: DemoFleet) -> None:
    (ask,) = demo.step(6.0, {}).fleet.asks
    assert demo.answer(Answer(ask.request_id, ask.key, Decision(allow=False, interrupt=True)))
    assert states(demo, 6.25)[0] is State.IDLE


def test_looking_at_a_request_answers_nothing(demo: DemoFleet) -> None:
    (ask,) = demo.step(6.0, {}).fleet.asks
    demo.press(ask.key, ask.place)
    assert states(demo, 6.25)[0] is State.BLOCKED


def test_slot_tells_what_it_waits_for(demo: DemoFleet) -> None:
    (pending,) = demo.step(6.0, {}).fleet.slots[0].pending
    assert (pending.tool, pending.tier, pending.answerable) == ("Bash", "low", True)


def test_no_hook_waits_for_a_script(demo: DemoFleet) -> None:
    demo.step(6.0, {})
    assert {session.key for session in demo.sessions()} == {f"demo-{n}" for n in range(6)}
    assert [session.requests for session in demo.sessions()] == [()] * 6


def sent(demo: DemoFleet, slot: int, at: float, monkeypatch: pytest.MonkeyPatch) -> Staged:
    """Send a verb to a session at that time of the round."""
    monkeypatch.setattr(clock, "now", lambda: at)
    key = f"demo-{slot}"
    return demo.stage(Stage(Verb("test", VerbKind.PROMPT, "TEST", "Test."), key, key, 0))


def queued(demo: DemoFleet, at: float) -> list[str]:
    return [view.queued for view in demo.step(at, {}).fleet.slots if view.queued]


def test_verb_waits_for_the_end_of_the_part_and_sets_its_session_to_work(
    demo: DemoFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.step(25.0, {})
    staged = sent(demo, 0, 25.0, monkeypatch)
    fleet = demo.step(25.5, {}).fleet
    assert (fleet.staged, fleet.slots[0].queued) == ((("demo-0", staged),), "test")
    fleet = demo.step(27.0, {}).fleet
    assert (fleet.staged, fleet.slots[0].queued) == ((), "")
    assert fleet.slots[0].state is State.WORKING
    assert states(demo, 28.0)[0] is State.WORKING
    assert demo.sessions()[0].arrived == (staged.token,)


@pytest.mark.parametrize("at", [2.0, 6.0])
def test_verb_waits_while_its_session_works_or_asks(
    demo: DemoFleet, monkeypatch: pytest.MonkeyPatch, at: float
) -> None:
    demo.step(at, {})
    sent(demo, 0, at, monkeypatch)
    assert queued(demo, 12.0) == ["test"]
    assert queued(demo, 23.0) == ["test"]
    assert queued(demo, 24.5) == []


def test_nothing_arrives_while_the_demo_is_halted(
    demo: DemoFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(demo, 0, 0.5, monkeypatch)
    demo.halt()
    assert queued(demo, 20.0) == ["test"]
    demo.lift()
    assert queued(demo, 25.0) == []


def test_verb_can_be_taken_back_until_it_has_arrived(
    demo: DemoFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = sent(demo, 0, 0.5, monkeypatch)
    demo.unstage(Unstage(staged))
    assert queued(demo, 1.0) == []
    with pytest.raises(Gone):
        demo.unstage(Unstage(staged))


def test_verb_goes_with_its_session(demo: DemoFleet, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.step(28.0, {})
    sent(demo, 5, 28.0, monkeypatch)
    assert queued(demo, 30.0) == []
    assert "demo-5" not in {session.key for session in demo.sessions()}


def test_torn_down_session_says_that_it_is_ending_until_it_goes(demo: DemoFleet) -> None:
    demo.step(1.0, {}, claims.claim("demo-0"))
    assert demo.step(1.1, {}).fleet.slots[0].ending
    demo.tear_down("demo-0")
    assert states(demo, 1.2)[0] is State.EMPTY


def test_row_can_be_tried_with_a_call_that_takes_two_presses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layout, now = the_layout(), [100.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    demo = DemoFleet(layout.labels)
    world = World(demo.press, print, print, demo.answer, demo.select)
    deck = Recorder(MODELS[layout.device], None)
    panel = Panel(layout, deck, demo, world, Faces(deck.model.key).native)
    running = threading.Thread(target=panel.run)
    running.start()
    until(lambda: deck.current_name(31), "first faces")
    now[0] += 14.5  # two ask by now, and the first of them something dangerous
    until(lambda: press(panel, Position(3, 2), 0.0).problem != "nothing pending", "a request")
    until(lambda: "Bash (high)" in deck.current_name(17), "its face")
    now[0] += 0.5
    assert isinstance(press(panel, Position(3, 2), 0.0).effect, SetArm)
    until(lambda: deck.current_name(17).startswith("armed"), "an armed key")
    now[0] += 0.5
    assert press(panel, Position(3, 2), 0.0).problem == ""
    until(lambda: deck.current_name(5).startswith("working"), "a session that goes on")
    panel.stop()
    running.join()


def test_verb_can_be_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
    layout, now = the_layout(), [100.0]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    demo = DemoFleet(layout.labels)
    verbs = VerbWorld(demo.stage, demo.unstage)
    world = World(demo.press, print, print, demo.answer, demo.select, verbs=verbs)
    deck = Recorder(MODELS[layout.device], None)
    panel = Panel(layout, deck, demo, world, Faces(deck.model.key).native)
    demo.select("demo-4")  # at rest all the time
    running = threading.Thread(target=panel.run)
    running.start()
    until(lambda: "TEST, for" in deck.current_name(8), "its face")
    now[0] += 0.5
    assert press(panel, Position(2, 1), 0.0).said.startswith("queued")
    until(lambda: "queued for" in deck.current_name(8), "a verb that waits")
    now[0] += 2.0
    until(lambda: "sent" in deck.current_name(8), "its arrival")
    until(lambda: deck.current_name(4).startswith("working"), "a session that goes on")
    panel.stop()
    running.join()
