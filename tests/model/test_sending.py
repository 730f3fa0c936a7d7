"""What pressing a verb's key does, and why it may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.deck import Position
from flightdeck.model.effect import Effect, Refuse, SetArm, Stage, Stroke, Unstage
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.sending import effects, refusal, staged_for, upheld
from flightdeck.model.staged import Staged
from flightdeck.model.verb import ENTER, ESCAPE, Verb, VerbKind
from flightdeck.model.verdict import Press

KEY = Position(2, 3)
PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")
TEST = Verb("test", VerbKind.PROMPT, "TEST", "Run the tests.")
PUSH = Verb("push", VerbKind.PROMPT, "PUSH", "Push.", confirm=True)
STOP = Verb("stop", VerbKind.KEY, "STOP", ESCAPE, requires=(State.WORKING,))
YES = Verb("confirm", VerbKind.KEY, "YES", ENTER, confirm=True, requires=(State.BLOCKED,))
CONFIRM_S = 10.0


def a_view(**more: Any) -> SlotView:
    told: dict[str, Any] = {
        "state": State.WORKING,
        "key": "a",
        "session_id": "s-aaaa",
        "pid": 7,
        "agent": "Claude Code",
        "label": ("webshop", "main"),
        "place": PANE,
        "since": 50.0,
        "selected": True,
    }
    return SlotView(0, **told | more)


def fleet(view: SlotView | None = None, *staged: Staged, **more: Any) -> Fleet:
    view = view or a_view()
    return Fleet((view,), staged=tuple((view.key, one) for one in staged), **more)


def waits(verb: str = "test") -> Staged:
    return Staged(verb, "0123456789abcdef", "s-aaaa", 7, 40.0)


def press(
    verb: Verb, fleet: Fleet, *arms: Arm, at: float = 5.0, by: Position | None = KEY
) -> list[Effect]:
    return effects(verb, fleet, arms, Press(by, at), CONFIRM_S)


def armed(verb: Verb, fleet: Fleet) -> Arm:
    [effect] = press(verb, fleet)
    assert isinstance(effect, SetArm)
    return effect.arm


# Prompts.


def test_press_stages_for_the_selected_session() -> None:
    assert press(TEST, fleet()) == [Stage(TEST, "a", "s-aaaa", 7)]


@pytest.mark.parametrize("state", [s for s in State if s is not State.EMPTY])
def test_prompt_may_be_staged_in_every_state(state: State) -> None:
    assert press(TEST, fleet(a_view(state=state))) == [Stage(TEST, "a", "s-aaaa", 7)]


def test_prompt_may_be_staged_while_halted_and_wherever_the_window_is() -> None:
    assert press(TEST, fleet(a_view(place=Place()), halted=True)) == [Stage(TEST, "a", "s-aaaa", 7)]


def test_without_a_selected_session_there_is_no_target() -> None:
    assert press(TEST, fleet(a_view(selected=False))) == [Refuse("no target")]
    assert press(TEST, Fleet()) == [Refuse("no target")]


@pytest.mark.parametrize("more", [{"ended": True}, {"ending": True}])
@pytest.mark.parametrize("verb", [TEST, STOP])
def test_session_that_ends_takes_none(verb: Verb, more: dict[str, bool]) -> None:
    assert press(verb, fleet(a_view(**more))) == [Refuse("ending")]


def test_session_whose_id_nobody_told_has_no_queue() -> None:
    assert press(TEST, fleet(a_view(session_id=""))) == [Refuse("no id yet")]


def test_second_press_takes_it_back() -> None:
    assert press(TEST, fleet(None, waits())) == [Unstage(waits())]


def test_press_of_another_verb_says_which_one_waits() -> None:
    assert press(PUSH, fleet(None, waits())) == [Refuse("test queued")]


def test_verb_of_another_session_is_in_nobodys_way() -> None:
    other = Fleet((a_view(),), staged=(("b", waits("push")),))
    assert staged_for(other, a_view()) is None
    assert press(TEST, other) == [Stage(TEST, "a", "s-aaaa", 7)]


# Verbs that ask for a second press.


def test_verb_that_cannot_be_taken_back_is_armed_first() -> None:
    arm = armed(PUSH, fleet())
    assert (arm.kind, arm.by, arm.at, arm.until) == (ArmKind.VERB, KEY, 5.0, 5.0 + CONFIRM_S)
    assert arm.lines[0] == "PUSH"
    assert arm.deed == "send push to webshop main"
    assert press(PUSH, fleet(), arm, at=6.0) == [Stage(PUSH, "a", "s-aaaa", 7)]


def test_armed_key_names_the_agent_where_a_session_has_no_label() -> None:
    arm = armed(PUSH, fleet(a_view(label=("", ""))))
    assert "Claude Code" in arm.lines
    assert arm.deed == "send push to Claude Code"


@pytest.mark.parametrize(
    ("at", "by"), [(5.1, KEY), (15.0, KEY), (6.0, Position(2, 4)), (6.0, None)]
)
def test_only_the_same_hand_confirms_and_in_time(at: float, by: Position | None) -> None:
    again = press(PUSH, fleet(), armed(PUSH, fleet()), at=at, by=by)
    assert [type(effect) for effect in again] == [SetArm]


@pytest.mark.parametrize("more", [{"key": "b"}, {"session_id": "s-bbbb"}])
def test_arm_is_for_one_verb_and_one_conversation(more: dict[str, str]) -> None:
    arm, other = armed(PUSH, fleet()), fleet(a_view(**more))
    assert [type(effect) for effect in press(PUSH, other, arm, at=6.0)] == [SetArm]
    assert upheld([arm], other) == ()
    fork = replace(PUSH, name="fork")
    assert [type(effect) for effect in press(fork, fleet(), arm, at=6.0)] == [SetArm]


def test_what_was_armed_is_what_is_sent() -> None:
    arm, edited = armed(PUSH, fleet()), replace(PUSH, text="Push, with force.")
    [effect] = press(edited, fleet(), arm, at=6.0)
    assert isinstance(effect, SetArm)
    assert press(edited, fleet(), effect.arm, at=7.0) == [Stage(edited, "a", "s-aaaa", 7)]


def test_queued_verb_is_taken_back_without_a_second_press() -> None:
    assert press(PUSH, fleet(None, waits("push"))) == [Unstage(waits("push"))]


# Keystrokes.


def test_keystroke_goes_to_the_window_of_what_was_shown() -> None:
    assert press(STOP, fleet()) == [Stroke(STOP, "a", PANE, 50.0)]


@pytest.mark.parametrize("state", [State.IDLE, State.DONE, State.FAILED, State.BLOCKED])
def test_keystroke_is_refused_in_any_other_state(state: State) -> None:
    assert press(STOP, fleet(a_view(state=state))) == [Refuse("not working")]


def test_red_over_a_turn_hides_it_from_no_keystroke() -> None:
    working = a_view(state=State.FAILED, beneath=State.WORKING)
    assert press(STOP, fleet(working)) == [Stroke(STOP, "a", PANE, 50.0)]
    assert press(STOP, fleet(a_view(state=State.FAILED))) == [Refuse("not working")]


def test_keystroke_that_requires_nothing_goes_in_any_state() -> None:
    anywhere = replace(STOP, requires=())
    assert refusal(anywhere, fleet(), a_view(state=State.IDLE)) == ""


def test_keystroke_goes_to_no_window_that_cannot_be_told_from_others() -> None:
    assert press(STOP, fleet(a_view(place=Place("app")))) == [Refuse("no window")]


def test_keystroke_needs_no_queue() -> None:
    assert press(STOP, fleet(a_view(session_id=""), waits("push")))[0] == Stroke(
        STOP, "a", PANE, 50.0
    )


def test_halted_fleet_is_told_no_enter_but_may_be_interrupted() -> None:
    blocked = a_view(state=State.BLOCKED)
    assert press(YES, fleet(blocked, halted=True)) == [Refuse("halted")]
    assert press(STOP, fleet(halted=True)) == [Stroke(STOP, "a", PANE, 50.0)]


def test_enter_is_confirmed_for_the_very_dialog_that_was_shown() -> None:
    blocked = a_view(state=State.BLOCKED)
    arm, another = armed(YES, fleet(blocked)), fleet(replace(blocked, since=51.0))
    assert press(YES, fleet(blocked), arm, at=6.0) == [Stroke(YES, "a", PANE, 50.0)]
    assert [type(effect) for effect in press(YES, another, arm, at=6.0)] == [SetArm]
    assert upheld([arm], fleet(blocked)) == (arm,)
    assert upheld([arm], another) == ()


# What keeps an arm.


@pytest.mark.parametrize(
    "view", [a_view(ended=True), a_view(ending=True), a_view(selected=False), a_view(key="b")]
)
def test_arm_goes_with_its_target(view: SlotView) -> None:
    assert upheld([armed(PUSH, fleet())], fleet(view)) == ()


def test_arm_of_a_prompt_outlives_what_its_session_does() -> None:
    arm = armed(PUSH, fleet())
    assert upheld([arm], fleet(a_view(state=State.DONE, since=60.0))) == (arm,)


def test_arms_of_others_are_not_touched() -> None:
    lift = Arm(ArmKind.LIFT, (), KEY, 1.0, 9.0)
    assert upheld([lift], Fleet()) == (lift,)
