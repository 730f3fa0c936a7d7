"""Every verdict on every kind of request: what it does, and what stands in its way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model import verdict, wording
from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.ask import Grant
from flightdeck.model.decision import Decision
from flightdeck.model.deck import Position
from flightdeck.model.effect import Answer, Effect, Focus, Refuse, Select, SetArm
from flightdeck.model.lifecycle import Reason
from flightdeck.model.place import Place
from flightdeck.model.verdict import Press, effects
from tests.model.requests import (
    APPROVE,
    DECISIONS,
    DENY,
    DETAIL,
    INTERRUPT,
    KEYS,
    PLACE,
    REMEMBER,
    RULE,
    STEER,
    VERDICTS,
    an_ask,
    asking,
)

if TYPE_CHECKING:
    from flightdeck.model.ask import Ask

QUESTION, PLAN = Reason.QUESTION, Reason.PLAN
CONFIRM_S = 10.0


def press(
    binding: verdict.Verdict,
    ask: Ask | None,
    arms: tuple[Arm, ...] = (),
    *,
    at: float = 5.0,
    halted: bool = False,
    terminal: bool = False,
) -> list[Effect]:
    by = None if terminal else KEYS[binding]
    return effects(binding, ask, halted, arms, Press(by, at), CONFIRM_S)


def decided(binding: verdict.Verdict, ask: Ask) -> Decision:
    """Return the decision of one press, or of the one that confirms."""
    first = press(binding, ask)
    if isinstance(first[0], SetArm):
        first = press(binding, ask, (first[0].arm,), at=6.0)
    assert isinstance(first[0], Answer)
    assert (first[0].request_id, first[0].key) == ("r1", "a")
    return first[0].decision


# Which request the row is aimed at.


def test_row_is_aimed_at_the_oldest_request_of_all() -> None:
    assert verdict.aim(asking(an_ask("r1"), an_ask("r2", key="b"))) == an_ask("r1")


def test_selected_session_goes_first() -> None:
    fleet = asking(an_ask("r1"), an_ask("r2", key="b"), an_ask("r3", key="b"), selected="b")
    assert verdict.aim(fleet) == an_ask("r2", key="b")


def test_selected_session_that_asks_nothing_is_in_nobodys_way() -> None:
    assert verdict.aim(asking(an_ask("r1"), selected="b")) == an_ask("r1")


def test_request_whose_hook_is_gone_is_not_in_the_way_of_one_that_waits() -> None:
    gone = an_ask("r1", answerable=False)
    assert verdict.aim(asking(gone, an_ask("r2"))) == an_ask("r2")
    assert verdict.aim(asking(gone, an_ask("r2", answerable=False))) == gone


def test_nothing_is_aimed_at_where_nothing_waits() -> None:
    assert verdict.aim(asking()) is None


def test_request_is_found_by_its_id_only() -> None:
    fleet = asking(an_ask("r1"), an_ask("r2"))
    assert verdict.named(fleet, "r2") == an_ask("r2")
    assert verdict.named(fleet, "r") is None


# What a press does.


@pytest.mark.parametrize("binding", VERDICTS)
def test_every_key_says_that_nothing_is_pending(binding: verdict.Verdict) -> None:
    assert press(binding, None) == [Refuse("nothing pending")]


@pytest.mark.parametrize("answerable", [True, False])
@pytest.mark.parametrize("reason", [Reason.PERMISSION, QUESTION, PLAN])
@pytest.mark.parametrize("halted", [True, False])
def test_detail_selects_and_brings_the_window_forward(
    answerable: bool, reason: Reason, halted: bool
) -> None:
    ask = an_ask(answerable=answerable, reason=reason)
    assert press(DETAIL, ask, halted=halted) == [Select("a"), Focus("a", PLACE)]


def test_detail_selects_a_session_whose_window_nobody_knows() -> None:
    assert press(DETAIL, an_ask(place=Place())) == [Select("a"), Refuse("no window")]


@pytest.mark.parametrize(
    ("binding", "decision"),
    [
        (APPROVE, Decision(allow=True)),
        (REMEMBER, Decision(allow=True, permissions=RULE)),
        (DENY, Decision(allow=False, message=wording.DENIED)),
        (INTERRUPT, Decision(allow=False, message=wording.INTERRUPTED, interrupt=True)),
        (STEER, Decision(allow=False, message="Show what it would do first.")),
    ],
)
def test_verdict_is_the_decision_of_its_key(binding: verdict.Verdict, decision: Decision) -> None:
    assert decided(binding, an_ask()) == decision


@pytest.mark.parametrize("binding", [DENY, INTERRUPT])
@pytest.mark.parametrize("reason", [QUESTION, PLAN])
def test_choice_is_denied_without_ending_the_turn(binding: verdict.Verdict, reason: Reason) -> None:
    assert decided(binding, an_ask(reason=reason)) == Decision(
        allow=False, message=wording.DENIALS[reason]
    )


def test_denied_plan_stays_in_plan_mode() -> None:
    message = decided(INTERRUPT, an_ask(reason=PLAN)).message
    assert "not approved" in message
    assert "Stay in plan mode" in message


@pytest.mark.parametrize("reason", [QUESTION, PLAN])
def test_choice_may_be_steered(reason: Reason) -> None:
    assert decided(STEER, an_ask(reason=reason)).message == "Show what it would do first."


# What stands in the way.


@pytest.mark.parametrize("binding", DECISIONS)
def test_request_only_its_terminal_can_answer_is_answered_by_no_key(
    binding: verdict.Verdict,
) -> None:
    assert press(binding, an_ask(answerable=False)) == [Refuse("in terminal")]


@pytest.mark.parametrize("binding", [APPROVE, REMEMBER])
@pytest.mark.parametrize(("reason", "word"), [(QUESTION, "question"), (PLAN, "plan")])
@pytest.mark.parametrize("tier", ["high", "medium", "low", ""])
def test_choice_is_never_allowed(
    binding: verdict.Verdict, reason: Reason, word: str, tier: str
) -> None:
    assert press(binding, an_ask(reason=reason, tier=tier)) == [Refuse(word)]


@pytest.mark.parametrize("binding", [APPROVE, REMEMBER])
@pytest.mark.parametrize("reason", [Reason.PERMISSION, QUESTION])
def test_nothing_is_allowed_while_halted(binding: verdict.Verdict, reason: Reason) -> None:
    assert press(binding, an_ask(reason=reason), halted=True) == [Refuse("halted")]


@pytest.mark.parametrize("binding", [APPROVE, REMEMBER])
def test_halt_between_two_presses_is_in_the_way_of_the_second(
    binding: verdict.Verdict,
) -> None:
    ask = an_ask(tier="high")
    [armed] = press(binding, ask)
    assert isinstance(armed, SetArm)
    assert press(binding, ask, (armed.arm,), at=6.0, halted=True) == [Refuse("halted")]


@pytest.mark.parametrize("binding", [DENY, INTERRUPT, STEER])
def test_denials_work_while_halted(binding: verdict.Verdict) -> None:
    assert isinstance(press(binding, an_ask(), halted=True)[0], Answer)


@pytest.mark.parametrize("word", ["no rule", "too wide", "bypass", "outside", "user-wide"])
def test_what_cannot_be_granted_is_refused_and_never_armed(word: str) -> None:
    ask = an_ask(grant=Grant(refusal=word))
    assert press(REMEMBER, ask) == [Refuse(word)]
    assert isinstance(press(APPROVE, ask)[0], Answer)


@pytest.mark.parametrize(
    "grant",
    [
        Grant(("Bash(make a-very-long-target:*)",), "webshop", RULE),
        Grant(("Bash(make:*)", "b"), "a-repository-with-a-very-long-name", RULE),
        Grant(("a", "b", "c", "d"), "webshop", RULE),
    ],
)
def test_rule_the_key_cannot_show_whole_is_not_remembered(grant: Grant) -> None:
    assert press(REMEMBER, an_ask(grant=grant)) == [Refuse("too long")]


# What takes two presses.


@pytest.mark.parametrize("tier", ["high", "medium", "low", ""])
def test_remember_always_arms_and_says_what_is_written_where(tier: str) -> None:
    [effect] = press(REMEMBER, an_ask(tier=tier))
    assert isinstance(effect, SetArm)
    assert effect.arm.lines == ("webshop", "Bash(", "make:*)", "CONFIRM?")
    assert "Bash(make:*) for webshop" in effect.arm.deed


def test_long_name_of_a_repository_takes_two_lines() -> None:
    [effect] = press(REMEMBER, an_ask(grant=Grant(("Bash(make:*)",), "agent-of-empires-fork", "")))
    assert isinstance(effect, SetArm)
    assert effect.arm.lines == ("agent-of-", "empires-fork", "Bash(make:*)", "CONFIRM?")


def test_remember_of_a_mode_says_the_mode() -> None:
    [effect] = press(REMEMBER, an_ask(grant=Grant(("MODE", "acceptEdits"), "session", RULE)))
    assert isinstance(effect, SetArm)
    assert effect.arm.lines == ("session", "MODE", "acceptEdits", "CONFIRM?")


def test_approve_of_a_high_call_arms_and_says_what() -> None:
    [effect] = press(APPROVE, an_ask(tier="high", repeats=3))
    assert effect == SetArm(
        Arm(
            ArmKind.VERDICT,
            ("approve", "r1"),
            KEYS[APPROVE],
            5.0,
            15.0,
            ("webshop", "checkout", "high Bash \u00d73", "CONFIRM?"),
            "approve Bash (high) of webshop checkout, asked 3 times",
        )
    )


@pytest.mark.parametrize("tier", ["medium", "low", ""])
def test_approve_of_any_other_tier_takes_one_press(tier: str) -> None:
    assert isinstance(press(APPROVE, an_ask(tier=tier))[0], Answer)


@pytest.mark.parametrize("binding", [DENY, INTERRUPT, STEER])
def test_denials_take_one_press_whatever_the_tier(binding: verdict.Verdict) -> None:
    assert isinstance(press(binding, an_ask(tier="high"))[0], Answer)


@pytest.mark.parametrize("binding", [APPROVE, REMEMBER])
@pytest.mark.parametrize("terminal", [True, False])
def test_second_press_answers(binding: verdict.Verdict, terminal: bool) -> None:
    ask = an_ask(tier="high")
    [armed] = press(binding, ask, terminal=terminal)
    assert isinstance(armed, SetArm)
    assert isinstance(press(binding, ask, (armed.arm,), at=6.0, terminal=terminal)[0], Answer)


@pytest.mark.parametrize(
    "more",
    [{"at": 5.1}, {"at": 15.0}, {"terminal": True}, {"ask": an_ask("r2", tier="high")}],
    ids=["at once", "too late", "another hand", "another request"],
)
def test_second_press_that_is_none_arms_again(more: dict[str, Any]) -> None:
    ask = an_ask(tier="high")
    [armed] = press(APPROVE, ask)
    assert isinstance(armed, SetArm)
    told: dict[str, Any] = {"ask": ask, "at": 6.0} | more
    assert isinstance(press(APPROVE, arms=(armed.arm,), **told)[0], SetArm)


def test_armed_approve_is_not_confirmed_by_remember() -> None:
    ask = an_ask(tier="high")
    [armed] = press(APPROVE, ask)
    assert isinstance(armed, SetArm)
    arm = replace(armed.arm, by=KEYS[REMEMBER])
    assert isinstance(press(REMEMBER, ask, (arm,), at=6.0)[0], SetArm)


# What an arm does not outlive.

HIGH = an_ask(tier="high")


def an_arm(by: Position | None = KEYS[APPROVE]) -> Arm:
    return Arm(ArmKind.VERDICT, ("approve", "r1"), by, 0.0, 10.0)


@pytest.mark.parametrize("by", [KEYS[APPROVE], None])
def test_arm_stands_while_its_request_does(by: Position | None) -> None:
    assert verdict.upheld((an_arm(by),), asking(HIGH)) == (an_arm(by),)


@pytest.mark.parametrize("by", [KEYS[APPROVE], None])
@pytest.mark.parametrize(
    "fleet",
    [
        asking(),
        asking(an_ask("r2", tier="high")),
        asking(replace(HIGH, answerable=False)),
        asking(HIGH, halted=True),
    ],
    ids=["settled", "another", "hook gone", "halted"],
)
def test_arm_goes_with_its_request(by: Position | None, fleet: Any) -> None:
    assert verdict.upheld((an_arm(by),), fleet) == ()


def test_key_is_disarmed_when_the_row_is_aimed_elsewhere_a_terminal_is_not() -> None:
    fleet = asking(an_ask("r0", tier="high"), HIGH)
    assert verdict.upheld((an_arm(),), fleet) == ()
    assert verdict.upheld((an_arm(None),), fleet) == (an_arm(None),)


def test_arms_of_other_kinds_are_not_its_concern() -> None:
    arm = Arm(ArmKind.TEARDOWN, ("a",), Position(1, 1), 0.0, 3.0)
    assert verdict.upheld((arm,), asking()) == (arm,)


# Words.


@pytest.mark.parametrize("binding", VERDICTS)
@pytest.mark.parametrize("answerable", [True, False])
@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("halted", [True, False])
def test_every_refusal_fits_on_a_key(
    binding: verdict.Verdict, answerable: bool, reason: Reason, halted: bool
) -> None:
    ask = an_ask(answerable=answerable, reason=reason)
    told = [*press(binding, ask, halted=halted), *press(binding, None, halted=halted)]
    words = [effect.word for effect in told if isinstance(effect, Refuse)]
    assert words
    assert all(0 < len(word) <= 18 for word in words)


def test_every_key_has_a_name_of_its_own() -> None:
    names = [verdict.name(binding) for binding in VERDICTS]
    assert names == ["detail", "approve", "remember", "deny", "interrupt", "steer dryrun"]
