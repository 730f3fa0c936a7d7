"""The halt key on the true panel: the latch first, then everybody, and nobody twice."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.model.halt import RUNS_ON, STOPS_S
from flightdeck.model.layout import ControlBinding
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Session, Shown, Status, Story
from flightdeck.panel.braking import Tally
from flightdeck.panel.messages import Halted
from flightdeck.panel.perform import BrakeWorld
from flightdeck.panel.presses import Presses
from tests.fold.world import DEADLINE_S, until
from tests.panel.desk import PANE
from tests.panel.waiting import VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.model.place import Place

BUSY = Record(1, "s-k1", Status.BUSY, at=5.0)


@dataclass
class Brakes:
    """A latch and windows in memory; `log` is what was done, in order."""

    desk: VerdictDesk
    log: list[str] = field(default_factory=list)
    problem: Exception | None = None
    unreachable: set[str] = field(default_factory=set)
    slow: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Be quick."""
        self.slow.set()

    def halt(self) -> bool:
        assert self.slow.wait(DEADLINE_S)
        if self.problem:
            raise self.problem
        before = bool(self.desk.asking.facts.get("halted"))
        self.log.append("latch")
        self.desk.asking.facts["halted"] = True
        return not before

    def lift(self) -> None:
        self.log.append("lift")
        self.desk.asking.facts["halted"] = False

    def interrupt(self, place: Place) -> None:
        if place.tmux_pane in self.unreachable:
            raise Unavailable("pane is gone")
        self.log.append(f"esc {place.tmux_pane}")

    def gate(self, session_id: str, closed: bool) -> None:
        self.log.append(f"gate {session_id} {closed}")

    def world(self) -> BrakeWorld:
        return BrakeWorld(self.halt, self.lift, self.interrupt, self.gate)

    @property
    def escs(self) -> list[str]:
        return [line for line in self.log if line.startswith("esc")]


class BrakeDesk(VerdictDesk):
    """A desk with a halt and a gate key."""

    def __init__(self, turn: Callable[[float], None]) -> None:
        super().__init__(turn)
        self.brakes = Brakes(self)
        world = replace(self.world.world(), brakes=self.brakes.world())
        for performer in (self.panel._hands._brakes, self.panel._hands._answers):
            performer._world = world
        for key in self.layout.keys:
            if isinstance(key.binding, ControlBinding):
                self.keys[key.binding.brake.value] = self.layout.grid.index(key.position)

    def works(self, key: str, pane: str, record: Record | None = None) -> None:
        """Let a session be at work in a pane."""
        self.asking.told[key] = Session(
            key,
            "claude-code",
            1,
            session_id=f"s-{key}",
            place=replace(PANE, tmux_pane=pane),
            story=Story(State.WORKING, Reason.TURN, 5.0),
            shown=Shown(State.WORKING, Reason.TURN, "hook", 5.0),
            record=record,
        )
        self.settle()

    def halted(self, *, newly: bool) -> Tally:
        """Let a terminal have set the latch, and return what came of it."""
        return self.halting(newly=newly).result(DEADLINE_S)

    def halting(self, *, newly: bool = True) -> Future[Tally]:
        """Let a terminal have set the latch; what comes of it is told there."""
        self.asking.facts["halted"] = True
        told = Future[Tally]()
        self.panel.tell(Halted(newly, told))
        return told


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[BrakeDesk]:
    desk = BrakeDesk(held_clock)
    desk.begin()
    yield desk
    desk.end()
    assert desk.error is None


def refused(desk: BrakeDesk) -> list[str]:
    return [request_id for request_id, decision in desk.decisions if not decision.allow]


def test_one_press_sets_the_latch_then_refuses_who_waits_then_interrupts_who_works(
    desk: BrakeDesk,
) -> None:
    desk.works("k1", "%1")
    for number in range(3):
        desk.ask(f"r{number}")
    desk.press("halt")
    until(lambda: len(desk.brakes.log) == 2, "an Esc")
    assert desk.brakes.log == ["latch", "esc %1"]
    assert sorted(refused(desk)) == ["r0", "r1", "r2"]
    assert all(decision.interrupt for _, decision in desk.decisions)


def test_every_slot_and_the_key_say_so(desk: BrakeDesk) -> None:
    desk.press("halt")
    until(lambda: desk.face("halt") == "HALTED", "the word")
    desk.settle()
    assert [desk.name(slot).endswith(", halted") for slot in range(8)] == [True] * 8


@pytest.mark.parametrize("reason", [Reason.QUESTION, Reason.PLAN])
def test_choice_is_told_no_and_its_turn_is_left(desk: BrakeDesk, reason: Reason) -> None:
    desk.ask("r1", reason=reason)
    desk.press("halt")
    [(_, decision)] = desk.decisions
    assert (decision.allow, decision.interrupt) == (False, False)


def test_request_that_was_let_through_before_the_latch_is_refused_when_it_comes(
    desk: BrakeDesk,
) -> None:
    desk.press("halt")
    desk.ask("late")
    until(lambda: refused(desk) == ["late"], "the refusal")


def test_request_whose_hook_is_about_to_be_held_is_refused_then(desk: BrakeDesk) -> None:
    desk.hooks.opening_ids = {"r1"}
    desk.ask("r1")
    desk.press("halt")
    assert desk.decisions == []
    desk.hooks.opening_ids = set()
    desk.settle()
    until(lambda: refused(desk) == ["r1"], "the refusal")


def test_request_the_terminal_holds_is_left_to_it(desk: BrakeDesk) -> None:
    desk.ask("sub", thread="ag-1")
    desk.press("halt")
    assert desk.decisions == []


def test_refusal_that_came_too_late_is_not_tried_again(desk: BrakeDesk) -> None:
    desk.world.taken = False
    desk.ask("r1")
    desk.press("halt")
    desk.settle()
    assert refused(desk) == ["r1"]


def test_session_that_waits_gets_no_esc(desk: BrakeDesk) -> None:
    desk.works("k0", "%1")
    desk.ask("r1")
    desk.press("halt")
    assert desk.brakes.escs == []


def test_second_halt_from_anywhere_sends_no_second_esc(desk: BrakeDesk) -> None:
    desk.works("k1", "%1")
    desk.press("halt")
    until(lambda: desk.brakes.escs == ["esc %1"], "an Esc")
    assert desk.halted(newly=False) == Tally()
    desk.press("halt")
    assert desk.brakes.escs == ["esc %1"]


def test_halt_after_a_lift_interrupts_anew(desk: BrakeDesk) -> None:
    desk.works("k1", "%1")
    desk.press("halt")
    until(lambda: desk.brakes.escs == ["esc %1"], "an Esc")
    desk.press("halt", later_s=1.0)
    desk.press("halt", later_s=1.0)
    until(lambda: desk.face("halt") == "HALT", "the lift")
    desk.press("halt", later_s=1.0)
    until(lambda: desk.brakes.escs == ["esc %1", "esc %1"], "another Esc")


def test_press_while_halted_arms_and_the_next_one_lifts(desk: BrakeDesk) -> None:
    desk.press("halt")
    desk.press("halt", later_s=1.0)
    assert desk.face("halt").startswith("armed, press again to lift the halt")
    desk.press("halt", later_s=1.0)
    until(lambda: desk.brakes.log == ["latch", "lift"], "the lift")
    until(lambda: desk.face("halt") == "HALT", "the word")


def test_arm_runs_out_and_the_fleet_stays_halted(desk: BrakeDesk) -> None:
    desk.press("halt")
    desk.press("halt", later_s=1.0)
    desk.turn(10.0)
    desk.settle()
    assert desk.face("halt") == "HALTED"


def test_any_other_key_disarms(desk: BrakeDesk) -> None:
    desk.press("halt")
    desk.press("halt", later_s=1.0)
    desk.press("gate", later_s=1.0)
    desk.press("halt", later_s=1.0)
    assert desk.brakes.log == ["latch"]


def test_thumb_that_hammers_on_the_brake_never_lets_go_of_it(desk: BrakeDesk) -> None:
    for _ in range(20):
        desk.press("halt", later_s=0.3)
    assert desk.brakes.log == ["latch"]
    assert desk.flash("halt") == "too soon"


def test_nothing_is_allowed_from_the_press_on(desk: BrakeDesk) -> None:
    desk.ask("r1")
    desk.brakes.slow.clear()
    desk.turn(1.0)
    desk.deck.press(desk.keys["halt"])
    until(lambda: desk.face("halt") == "HALTED", "the word, ahead of the latch")
    desk.press("approve")
    assert desk.flash("approve") == "halted"
    desk.brakes.slow.set()
    until(lambda: refused(desk) == ["r1"], "the refusal")
    assert desk.allowed == []


def test_allow_is_refused_while_halted(desk: BrakeDesk) -> None:
    desk.asking.facts["halted"] = True
    desk.ask("r1")
    desk.press("approve")
    assert (desk.allowed, desk.flash("approve")) == ([], "halted")


def test_latch_somebody_else_set_answers_nobody_and_interrupts_nobody(desk: BrakeDesk) -> None:
    desk.works("k1", "%1")
    desk.ask("r1")
    desk.asking.facts["halted"] = True
    desk.settle()
    assert desk.face("halt") == "HALTED"
    assert (desk.decisions, desk.brakes.log) == ([], [])


def test_latch_that_cannot_be_set_is_said_and_nobody_is_touched(desk: BrakeDesk) -> None:
    desk.works("k1", "%1")
    desk.ask("r1")
    desk.brakes.problem = Unavailable("disk is full")
    desk.press("halt")
    assert desk.flash("halt") == "disk is full"
    assert (desk.face("halt"), desk.decisions, desk.brakes.escs) == ("HALT, disk is full", [], [])
    desk.turn(5.0)
    desk.press("deny")
    assert refused(desk) == ["r1"]


def test_terminal_is_told_what_its_halt_has_done(desk: BrakeDesk) -> None:
    desk.works("k1", "%1")
    desk.works("k2", "%2")
    desk.ask("r1", key="k3")
    desk.brakes.unreachable = {"%2"}
    assert desk.halted(newly=True) == Tally(1, 1, ("process 1 in ?: pane is gone",))


def test_agent_counts_as_interrupted_once_its_record_says_so(desk: BrakeDesk) -> None:
    desk.works("k1", "%1", BUSY)
    desk.asking.facts["halted"] = True
    told = desk.halting()
    until(lambda: desk.brakes.escs == ["esc %1"], "an Esc")
    desk.turn(STOPS_S / 2)
    desk.settle()
    assert not told.done()
    desk.asking.told["k1"] = replace(
        desk.asking.told["k1"], record=replace(BUSY, status=Status.IDLE, at=6.0)
    )
    desk.panel.wake()
    assert told.result(DEADLINE_S) == Tally(0, 1)


@pytest.mark.parametrize("gone", [True, False], ids=["session", "record"])
def test_agent_that_is_gone_runs_no_more(desk: BrakeDesk, gone: bool) -> None:
    desk.works("k1", "%1", BUSY)
    told = desk.halting()
    until(lambda: desk.brakes.escs == ["esc %1"], "an Esc")
    session = desk.asking.told.pop("k1")
    if not gone:
        desk.asking.told["k1"] = replace(session, record=None)
    desk.panel.wake()
    assert told.result(DEADLINE_S) == Tally(0, 1)


def test_agent_whose_turn_runs_on_is_named_and_sent_no_second_esc(desk: BrakeDesk) -> None:
    desk.works("k1", "%1", BUSY)
    desk.works("k2", "%2")
    told = desk.halting()
    until(lambda: len(desk.brakes.escs) == 2, "each its Esc")
    desk.settle()
    assert not told.done()
    desk.turn(STOPS_S)
    assert told.result(DEADLINE_S) == Tally(0, 1, (f"process 1 in ?: {RUNS_ON}",))
    assert sorted(desk.brakes.escs) == ["esc %1", "esc %2"]


def test_nobody_is_looked_after_while_nobody_can_tell(desk: BrakeDesk) -> None:
    desk.works("k1", "%1", BUSY)
    told = desk.halting()
    until(lambda: desk.brakes.escs == ["esc %1"], "an Esc")
    desk.settle()
    desk.asking.problem = OSError(5, "Input/output error")
    tally = told.result(DEADLINE_S)
    assert (tally.interrupted, desk.panel._braking.ends()) == (0, [])
    assert "cannot be used" in tally.faults[0]
    desk.asking.problem = None


def test_terminal_is_told_where_nobody_can_tell_who_waits(desk: BrakeDesk) -> None:
    desk.asking.problem = OSError(5, "Input/output error")
    tally = desk.halted(newly=True)
    desk.asking.problem = None
    assert tally.refused == 0
    assert "cannot be used" in tally.faults[0]


def test_halt_waits_for_no_answer(desk: BrakeDesk) -> None:
    stuck = threading.Event()
    answers = desk.panel._hands._answers
    answers._world = replace(answers._world, answer=lambda _: stuck.wait(DEADLINE_S))
    desk.ask("r1")
    desk.turn(1.0)
    desk.deck.press(desk.keys["deny"])
    until(lambda: desk.panel.requests._answering, "an answer under way")
    desk.turn(1.0)
    desk.deck.press(desk.keys["halt"])
    until(lambda: desk.brakes.log == ["latch"], "the latch")
    stuck.set()


def test_gate_key_gates_the_selected_session(desk: BrakeDesk) -> None:
    desk.press("gate")
    assert desk.flash("gate") == "none selected"
    desk.works("k0", "%1")
    fleet = desk.asking.look

    def selected(now: float, amend: object) -> None:
        fleet(now, amend)  # type: ignore[arg-type]
        slots = (replace(desk.asking.fleet.slots[0], selected=True, session_id="s-k0"),)
        desk.asking.fleet = replace(
            desk.asking.fleet, slots=slots + desk.asking.fleet.slots[1:], selected="k0"
        )

    desk.asking.look = selected  # type: ignore[method-assign]
    desk.settle()
    desk.press("gate", later_s=5.0)
    until(lambda: desk.brakes.log == ["gate s-k0 True"], "the gate")


def test_control_socket_halts_and_hears_of_a_lift(desk: BrakeDesk) -> None:
    presses = Presses(desk.panel, pytest.fail, pytest.fail)
    desk.ask("r1")
    desk.asking.facts["halted"] = True
    told = presses.answer({"do": "halt", "newly": True})
    assert told == {"problem": "", "refused": 1, "interrupted": 0, "faults": []}
    assert presses.answer({"do": "lifted"}) == {"problem": ""}
    assert "does not know" in presses.answer({"do": "halt"})["problem"]
