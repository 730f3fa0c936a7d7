"""What holds of a verdict whatever waits, whatever is armed, and whoever presses when.

What may be answered is told here once more, from the person's side, and shares no code
with the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.model import row, verdict
from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.ask import Ask, Grant
from flightdeck.model.effect import Answer, SetArm
from flightdeck.model.fleet import Fleet
from flightdeck.model.lifecycle import Reason
from tests.model.requests import (
    APPROVE,
    DENY,
    INTERRUPT,
    KEYS,
    PLACE,
    REMEMBER,
    STEER,
    VERDICTS,
    a_row,
    an_ask,
)

if TYPE_CHECKING:
    from flightdeck.model.decision import Decision

CONFIRM_S = 10.0
HANDS = [None, *KEYS.values()]
CHOICES = {Reason.QUESTION, Reason.PLAN}
LAYOUT = a_row()

grants = st.sampled_from(
    [
        Grant(("Bash(make:*)",), "webshop", '[{"type": "addRules"}]'),
        Grant(("MODE", "acceptEdits"), "this session", '[{"type": "setMode"}]'),
        Grant(refusal="too wide"),
        Grant(refusal="no rule"),
        Grant(("x" * 60,), "webshop", "[{}]"),  # no key can show it whole
    ]
)


def ask_of(request_id: str) -> st.SearchStrategy[Ask]:
    """Return any request of that id."""
    return st.builds(
        lambda **told: an_ask(request_id, **told),
        key=st.sampled_from("ab"),
        tier=st.sampled_from(["high", "medium", "low", ""]),
        reason=st.sampled_from([Reason.PERMISSION, Reason.PERMISSION, *CHOICES, Reason.INPUT]),
        answerable=st.sampled_from([True, True, False]),
        grant=grants,
        place=st.just(PLACE),
    )


asks = st.tuples(*(ask_of(f"r{i}") for i in range(3))).flatmap(
    lambda some: st.permutations(some).map(tuple)
)
fleets = st.builds(
    lambda some, count, halted, selected: Fleet(
        asks=some[:count], halted=halted, selected=selected
    ),
    asks,
    st.integers(0, 3),
    st.sampled_from([False, False, True]),
    st.sampled_from(["", "a", "b", "gone"]),
)
# About a window of ten seconds that is opened at 100: both its ends, and a bounce.
times = st.sampled_from([99.0, 100.0, 100.1, 100.249, 100.25, 101.0, 109.99, 110.0, 111.0])
names = [verdict.name(binding) for binding in VERDICTS]
arms = st.builds(
    Arm,
    st.sampled_from([ArmKind.VERDICT, ArmKind.VERDICT, ArmKind.TEARDOWN, ArmKind.VERB]),
    st.tuples(st.sampled_from(names), st.sampled_from(["r0", "r1", "r2"])),
    st.sampled_from(HANDS),
    st.just(100.0),
    st.just(110.0),
)


def may_be_confirmed(arm: Arm | None, action: str, ask: Ask, press: verdict.Press) -> bool:
    """Say whether a person who armed this has now pressed the same a second time."""
    if arm is None or arm.kind is not ArmKind.VERDICT:
        return False
    if arm.what != (action, ask.request_id) or arm.by != press.by:
        return False
    return (press.by is None or press.at - arm.at >= 0.25) and press.at < arm.until


def takes_two(decision: Decision, ask: Ask) -> bool:
    """Say whether one press is not enough for this."""
    return decision.allow and (bool(decision.permissions) or ask.tier == "high")


presses = st.builds(verdict.Press, st.sampled_from(HANDS), times)


@settings(max_examples=1500)
@given(st.sampled_from(VERDICTS), ask_of("r1"), st.booleans(), arms, presses, st.booleans())
def test_answer_is_about_the_request_pressed_on_and_says_no_more_than_the_key(
    binding: verdict.Verdict,
    ask: Ask,
    halted: bool,
    arm: Arm,
    press: verdict.Press,
    again: bool,
) -> None:
    if again:
        what = (verdict.name(binding), ask.request_id)
        arm = replace(arm, kind=ArmKind.VERDICT, what=what, by=press.by)
    told = verdict.effects(binding, ask, halted, [arm], press, CONFIRM_S)
    answers = [effect for effect in told if isinstance(effect, Answer)]
    assert len(answers) <= 1
    for answer in answers:
        check(answer, binding, ask, halted=halted)
        confirmed = may_be_confirmed(arm, verdict.name(binding), ask, press)
        assert confirmed or not takes_two(answer.decision, ask)


def check(answer: Answer, binding: verdict.Verdict, ask: Ask, *, halted: bool) -> None:
    """Assert what one answer may be."""
    decision = answer.decision
    assert (answer.request_id, answer.key) == (ask.request_id, ask.key)
    assert ask.answerable
    assert binding in {APPROVE, REMEMBER, DENY, INTERRUPT, STEER}
    assert decision.allow == (binding in {APPROVE, REMEMBER})
    assert bool(decision.permissions) == (binding == REMEMBER)
    assert decision.allow != bool(decision.message)
    assert decision.interrupt == (binding == INTERRUPT and ask.reason not in CHOICES)
    if decision.allow:
        assert not halted
        assert ask.reason not in CHOICES
    if decision.permissions:
        assert (decision.permissions, ask.grant.refusal) == (ask.grant.permissions, "")


@given(fleets)
def test_row_is_aimed_at_the_oldest_that_can_be_answered_of_the_selected_session(
    fleet: Fleet,
) -> None:
    mine = [ask for ask in fleet.asks if ask.key == fleet.selected]
    near = mine if mine else list(fleet.asks)
    wanted = [ask for ask in near if ask.answerable] + near
    assert verdict.aim(fleet) == (wanted[0] if wanted else None)
    for aim in row.aims(LAYOUT, fleet).values():
        assert aim.of == (wanted[0].request_id if wanted else "")


@settings(max_examples=1000)
@given(fleets, st.lists(arms, min_size=1, max_size=3))
def test_no_arm_outlives_a_halt_or_what_it_would_answer(fleet: Fleet, armed: list[Arm]) -> None:
    waiting = {ask.request_id for ask in fleet.asks if ask.answerable}
    for arm in verdict.upheld(armed, fleet):
        if arm.kind is ArmKind.VERDICT:
            assert not fleet.halted
            assert arm.what[-1] in waiting


@settings(max_examples=400)
@given(
    fleets,
    st.lists(st.tuples(st.sampled_from(VERDICTS), st.sampled_from([0.1, 0.24, 0.3, 4, 11]))),
)
def test_thumb_that_goes_along_the_row_answers_dangers_only_by_pressing_one_key_twice(
    fleet: Fleet, presses: list[tuple[verdict.Verdict, float]]
) -> None:
    """The arm of each press is all that the next one finds."""
    armed: list[Arm] = []
    pressed: list[tuple[verdict.Verdict, float]] = []
    now, ask = 100.0, verdict.aim(fleet)
    for binding, later_s in presses:
        now += later_s
        pressed.append((binding, now))
        press = verdict.Press(KEYS[binding], now)
        told = verdict.effects(binding, ask, fleet.halted, armed, press, CONFIRM_S)
        armed = [effect.arm for effect in told if isinstance(effect, SetArm)]
        for answer in told:
            if isinstance(answer, Answer) and ask and takes_two(answer.decision, ask):
                assert twice(pressed)


def twice(pressed: list[tuple[verdict.Verdict, float]]) -> bool:
    """Say whether the last two were of one key, not a bounce, and in the window."""
    *_, (one, at), (other, again) = [(None, 0.0), *pressed]
    return one == other and 0.25 <= again - at < CONFIRM_S
