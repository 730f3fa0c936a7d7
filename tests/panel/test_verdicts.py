"""The verdict row under a thumb: one press, one request, and nothing nobody pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.fold.folding import Outcome, Unsaved
from flightdeck.model import remember, wording
from flightdeck.model.decision import Decision
from flightdeck.model.lifecycle import Reason, State
from flightdeck.panel.messages import KeyMoved
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import PANE
from tests.panel.waiting import ACTIONS, GRANT, VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BYPASS = '[{"type": "setMode", "mode": "bypassPermissions", "destination": "session"}]'
OUTSIDE = '[{"type": "addDirectories", "directories": ["/"], "destination": "localSettings"}]'
MODE = '[{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]'


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[VerdictDesk]:
    desk = VerdictDesk(held_clock)
    desk.begin()
    yield desk
    desk.end()
    assert desk.error is None


# One press, one answer.


@pytest.mark.parametrize(
    ("what", "decision"),
    [
        ("approve", Decision(allow=True)),
        ("deny", Decision(allow=False, message=wording.DENIED)),
        ("interrupt", Decision(allow=False, message=wording.INTERRUPTED, interrupt=True)),
    ],
)
def test_press_answers_the_request_the_key_showed(
    desk: VerdictDesk, what: str, decision: Decision
) -> None:
    desk.ask("r1")
    desk.press(what)
    assert desk.decisions == [("r1", decision)]
    assert desk.flash(what) == "sent"


def test_steer_key_denies_with_the_words_of_its_verb(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("steer justify")
    [(_, decision)] = desk.decisions
    assert (decision.allow, decision.interrupt) == (False, False)
    assert "why" in decision.message


def test_answered_request_is_settled_for_the_fold(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("approve")
    assert desk.asking.told["k0"].requests == ()
    assert desk.asking.told["k0"].story.state is State.WORKING
    assert "nothing pending" in desk.face("approve")


def test_interrupted_turn_is_over_for_the_fold(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("interrupt")
    assert (desk.asking.told["k0"].requests, desk.asking.told["k0"].story.state) == (
        (),
        State.IDLE,
    )


def test_answer_is_kept_for_the_fold_until_it_can_be_saved(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.asking.problem = Unsaved(Outcome(desk.asking.fleet), OSError(28, "full"))
    desk.press("approve")
    assert desk.allowed == ["r1"]
    assert "nothing pending" in desk.face("approve")
    assert [r.request_id for r in desk.asking.told["k0"].requests] == ["r1"]
    desk.asking.problem = None
    desk.settle()
    assert desk.asking.told["k0"].requests == ()


def test_nothing_is_answered_while_nobody_can_tell_what_still_stands(desk: VerdictDesk) -> None:
    desk.ask("r1", tier="high")
    desk.press("approve")
    desk.asking.problem = OSError(13, "Permission denied")
    desk.settle()
    assert "in terminal" in desk.face("approve")
    desk.press("approve")
    desk.press("deny")
    assert (desk.decisions, desk.panel._pressing.arms) == ([], ())
    desk.asking.problem = None
    desk.settle()
    desk.press("deny")
    assert len(desk.decisions) == 1


@pytest.mark.parametrize("what", ACTIONS)
def test_with_nothing_pending_a_press_says_so(desk: VerdictDesk, what: str) -> None:
    desk.press(what)
    assert (desk.decisions, desk.flash(what)) == ([], "nothing pending")


def test_key_does_not_go_on_saying_that_nothing_waits_once_something_does(
    desk: VerdictDesk,
) -> None:
    desk.press("deny")
    assert desk.face("deny").endswith("nothing pending, nothing pending")
    desk.ask("r1")
    assert "nothing pending" not in desk.face("deny")


def test_two_requests_are_both_answered_in_order(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    desk.press("approve")
    desk.press("deny")
    assert [(id_, d.allow) for id_, d in desk.decisions] == [("r1", True), ("r2", False)]
    assert "nothing pending" in desk.face("approve")


def test_two_presses_in_one_breath_do_not_answer_two_requests(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    desk.turn(1.0)
    desk.panel.tell(KeyMoved(desk.keys["approve"], down=True, at=clock.monotonic()))
    desk.panel.tell(KeyMoved(desk.keys["approve"], down=False, at=clock.monotonic()))
    desk.press("approve", later_s=0.1)
    assert desk.allowed == ["r1"]


def test_hook_that_has_gone_is_said_and_its_request_may_be_answered_elsewhere(
    desk: VerdictDesk,
) -> None:
    desk.ask("r1")
    desk.world.taken = False
    desk.press("approve")
    assert desk.flash("approve") == "gone"
    assert [r.request_id for r in desk.asking.told["k0"].requests] == ["r1"]
    desk.hooks.gone.add("r1")
    desk.settle()
    assert "in terminal" in desk.face("approve")


def test_bug_while_answering_is_said_and_the_request_stays(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.world.problem = ZeroDivisionError()
    desk.press("approve")
    assert desk.flash("approve") == "see log"
    assert "Bash" in desk.face("approve")


# Late presses, and faces that change under the finger.


def test_press_after_the_terminal_answered_does_nothing(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.turn(1.0)
    at = clock.monotonic()
    desk.settled("r1")
    desk.press_at("approve", at)
    assert (desk.decisions, desk.flash("approve")) == ([], "nothing pending")


@pytest.mark.parametrize("what", ["approve", "deny", "interrupt", "steer otherway"])
def test_press_made_for_one_request_never_answers_the_next(desk: VerdictDesk, what: str) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    desk.turn(1.0)
    at = clock.monotonic()
    desk.turn(0.01)
    desk.settled("r1")
    desk.press_at(what, at)
    assert (desk.decisions, desk.flash(what)) == ([], "changed")


@pytest.mark.parametrize("what", ["approve", "deny", "interrupt", "steer otherway"])
def test_face_that_is_new_takes_no_press(desk: VerdictDesk, what: str) -> None:
    desk.ask("r1")
    desk.press(what, later_s=0.2)
    assert (desk.decisions, desk.flash(what)) == ([], "too soon")
    desk.press(what)
    assert len(desk.decisions) == 1


def test_word_that_stands_on_a_key_does_not_make_its_face_new(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("approve", later_s=0.1)
    assert desk.flash("approve") == "too soon"
    desk.press("approve")
    assert desk.allowed == ["r1"]


def test_face_that_never_reached_the_deck_takes_no_press(desk: VerdictDesk) -> None:
    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    desk.ask("r1")
    desk.panel._painter._native = broken
    desk.settled("r1")
    desk.ask("r2", "k1")
    desk.press("approve", later_s=10)
    assert (desk.decisions, desk.flash("approve")) == ([], "changed")


def test_face_that_could_not_be_drawn_takes_no_press(desk: VerdictDesk) -> None:
    desk.panel.know_torn(b"torn")
    desk.panel._painter._native = lambda _: b"torn"
    desk.ask("r1")
    desk.press("approve", later_s=10)
    assert (desk.decisions, desk.flash("approve")) == ([], "changed")


def test_tab_that_goes_away_lifts_its_keys_and_answers_nothing(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.turn(1.0)
    for index in range(32):
        desk.panel.tell(KeyMoved(index, down=False, at=clock.monotonic()))
    desk.settle()
    assert (desk.decisions, desk.world.done) == ([], [])


def test_older_request_that_opens_under_the_finger_is_not_answered(desk: VerdictDesk) -> None:
    desk.hooks.opening_ids.add("r1")
    desk.ask("r1")
    desk.ask("r2", "k1")
    desk.turn(1.0)
    at = clock.monotonic()
    desk.turn(0.01)
    desk.hooks.opening_ids.clear()
    desk.settle()
    desk.press_at("approve", at)
    assert desk.decisions == []


def test_request_whose_hook_is_opening_is_not_said_to_be_in_the_terminal(
    desk: VerdictDesk,
) -> None:
    desk.hooks.opening_ids.add("r1")
    desk.ask("r1")
    assert "nothing pending" in desk.face("approve")
    assert desk.name(0).startswith("blocked")
    desk.hooks.opening_ids.clear()
    desk.settle()
    assert "Bash" in desk.face("approve")


# Detail.


def test_detail_selects_and_brings_the_window_forward(desk: VerdictDesk) -> None:
    desk.ask("r1", "k3")
    desk.press("detail")
    until(lambda: desk.world.done, "a window in front")
    assert (desk.world.selected, desk.world.done) == (["k3"], [("k3", PANE)])
    assert desk.decisions == []


def test_detail_is_no_decision_and_looks_at_what_it_showed(desk: VerdictDesk) -> None:
    desk.ask("r1", "k3")
    desk.ask("r2", "k1")
    at = clock.monotonic()
    desk.turn(0.01)
    desk.settled("r1")
    desk.press_at("detail", at)
    until(lambda: desk.world.done, "a window in front")
    assert desk.world.done == [("k3", PANE)]


def test_detail_that_has_only_just_come_up_may_be_pressed(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("detail", later_s=0.0)
    until(lambda: desk.world.done, "a window in front")


def test_row_is_aimed_at_the_selected_session(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    desk.asking.facts["selected"] = "k1"
    desk.settle()
    desk.press("approve")
    assert desk.allowed == ["r2"]


def test_press_of_a_slot_selects_its_session(desk: VerdictDesk) -> None:
    desk.ask("r1", "k2")
    desk.deck.press(2)
    desk.turn(0.1)
    desk.deck.release(2)
    until(lambda: desk.world.done, "a window in front")
    assert desk.world.selected == ["k2"]


# What only the terminal can answer.


@pytest.mark.parametrize("more", [{"thread": "a1"}, {"entrypoint": "sdk-cli"}])
def test_request_that_may_not_wait_is_let_go_and_answered_by_no_key(
    desk: VerdictDesk, more: dict[str, str]
) -> None:
    desk.ask("r1", **more)
    assert not desk.hooks.wanted
    assert desk.hooks.released == {"r1"}
    for what in ACTIONS[1:]:
        desk.press(what)
        assert desk.flash(what) == "in terminal"
    assert desk.decisions == []


def test_request_is_let_go_when_its_time_is_over(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.turn(desk.layout.timings.decide_ms / 1000 - 0.1)
    desk.settle()
    assert desk.hooks.held() == {"r1"}
    desk.turn(0.2)
    desk.settle()
    assert not desk.hooks.held()
    assert desk.hooks.released == {"r1"}
    assert "in terminal" in desk.face("approve")


def test_request_that_is_over_is_let_go(desk: VerdictDesk) -> None:
    desk.ask("r1")
    assert desk.hooks.held() == {"r1"}
    desk.settled("r1")
    assert (desk.hooks.held(), desk.hooks.released) == (frozenset(), frozenset())


def test_panel_that_starts_anew_holds_nothing_the_one_before_held(desk: VerdictDesk) -> None:
    desk.hooks.gone.add("r1")
    desk.asking.ask("r1")
    session = desk.asking.told["k0"]
    desk.asking.told["k0"] = type(session)(
        "k0", "claude-code", 1, requests=(type(session.requests[0])("r1", Reason.PLAN, 1.0),)
    )
    desk.settle()
    assert "in terminal" in desk.face("deny")


# The cases of public reports.


@pytest.mark.parametrize("what", ["approve", "remember"])
def test_question_is_never_allowed_and_detail_says_it_is_one(desk: VerdictDesk, what: str) -> None:
    """A plain allow answers a question in the person's name (helios#37, cc-connect#1086)."""
    desk.ask("r1", reason=Reason.QUESTION)
    assert "question" in desk.face("detail")
    desk.press(what)
    assert (desk.decisions, desk.flash(what)) == ([], "question")
    assert desk.panel._pressing.arms == ()


@pytest.mark.parametrize("what", ["approve", "remember"])
def test_plan_is_never_allowed_and_detail_says_it_is_one(desk: VerdictDesk, what: str) -> None:
    """The chooser stays up, and its mode is not ours to choose (claude-code#74256)."""
    desk.ask("r1", reason=Reason.PLAN)
    assert "plan" in desk.face("detail")
    desk.press(what)
    assert (desk.decisions, desk.flash(what)) == ([], "plan")
    assert [r.request_id for r in desk.asking.told["k0"].requests] == ["r1"]


@pytest.mark.parametrize("halted", [False, True])
def test_interrupt_of_a_plan_is_a_plain_denial(desk: VerdictDesk, halted: bool) -> None:
    """Interrupting a plan leaves plan mode (claude-code#81976)."""
    desk.asking.facts["halted"] = halted
    desk.ask("r1", reason=Reason.PLAN)
    desk.press("interrupt")
    [(_, decision)] = desk.decisions
    assert decision == Decision(allow=False, message=wording.DENIALS[Reason.PLAN])


@pytest.mark.parametrize("suggestions", ["", "[]"])
def test_remember_without_a_suggestion_does_not_arm(desk: VerdictDesk, suggestions: str) -> None:
    """Neither a rule nor a plain allow is made of nothing (mainframe#101)."""
    desk.ask("r1", grant=remember.grant(suggestions, "app", "/R/app"))
    assert "no rule" in desk.face("remember")
    desk.press("remember")
    desk.press("remember", later_s=1.0)
    assert (desk.decisions, desk.panel._pressing.arms) == ([], ())


def test_remember_of_a_mode_says_which_and_arms(desk: VerdictDesk) -> None:
    """A suggestion may be no rule at all (clawcodex#852)."""
    desk.ask("r1", grant=remember.grant(MODE, "app", "/R/app"))
    desk.press("remember")
    assert desk.panel._pressing.arms[0].lines[1:3] == ("MODE", "acceptEdits")
    assert "MODE acceptEdits" in desk.face("remember")


@pytest.mark.parametrize("suggestions", [BYPASS, OUTSIDE])
def test_remember_of_what_is_too_much_is_refused(desk: VerdictDesk, suggestions: str) -> None:
    """Bypass, and folders outside the repository (clawcodex#852, claudecode_webui#18)."""
    grant = remember.grant(suggestions, "app", "/R/app")
    assert grant.refusal
    desk.ask("r1", grant=grant)
    desk.press("remember")
    assert (desk.flash("remember"), desk.panel._pressing.arms) == (grant.refusal, ())


def test_request_whose_hook_was_killed_is_never_the_target(desk: VerdictDesk) -> None:
    """A dead hook leaves its record behind (claude-code#15433)."""
    desk.hooks.gone.add("r1")
    desk.ask("r1")
    desk.ask("r2")
    desk.press("approve")
    assert desk.allowed == ["r2"]


def test_remember_gives_the_suggestion_as_it_came(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.press("remember")
    assert desk.decisions == []
    desk.press("remember")
    assert desk.decisions == [("r1", Decision(allow=True, permissions=GRANT.permissions))]
