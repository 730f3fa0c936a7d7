"""What a verdict key does to the request the row is aimed at, and what stands in its way.

Nothing here ever answers by itself: every answer is the effect of one press on one request,
and what is dangerous or lasting takes two.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.arming import Arm, ArmKind, confirms
from flightdeck.model.decision import Decision
from flightdeck.model.effect import Answer, Effect, Focus, Refuse, Select, SetArm
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.lifecycle import Reason
from flightdeck.model.risk import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flightdeck.model.ask import Ask
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet

DENIED = "The operator refused this call. Do not try it again in another form; say what you need."
INTERRUPTED = "The operator stopped this turn."
NOT_APPROVED = (
    "The operator has not approved this. Do not act on it: stay in the mode you are in "
    "and wait for the operator's next message."
)
_ALLOWS = frozenset({Action.APPROVE, Action.REMEMBER})
# Their answer is a choice that only the terminal can make.
_CHOICES = {Reason.QUESTION: "question", Reason.PLAN: "plan"}
CONFIRM = "CONFIRM?"


@dataclass(frozen=True, slots=True)
class Press:
    """A press: of which key (None: from a terminal), and when, in monotonic seconds."""

    by: Position | None
    at: float


def aim(fleet: Fleet) -> Ask | None:
    """Return the request the row acts on: the selected session's, else the oldest of all.

    One the panel can answer goes before one it cannot, which would only be in its way.
    """
    mine = [ask for ask in fleet.asks if ask.key == fleet.selected]
    return _first(mine) or _first(fleet.asks)


def effects(
    binding: VerdictBinding | SteerBinding,
    ask: Ask | None,
    halted: bool,  # noqa: FBT001 - a fact about the fleet, not a switch
    arms: Iterable[Arm],
    press: Press,
    confirm_s: float,
) -> list[Effect]:
    """Return what pressing `binding` does to `ask`; an armed key stands for `confirm_s`."""
    if ask is None:
        return [Refuse("nothing pending")]
    if binding == VerdictBinding(Action.DETAIL):
        return [Select(ask.key), _look(ask)]
    if word := refusal(binding, ask, halted):
        return [Refuse(word)]
    lines = guard(binding, ask)
    if lines:
        what = (name(binding), ask.request_id)
        arm = Arm(ArmKind.VERDICT, what, press.by, press.at, press.at + confirm_s, lines)
        if not confirms(arms, arm):
            return [SetArm(arm)]
    return [Answer(ask.request_id, ask.key, decision(binding, ask), "sent")]


def refusal(binding: VerdictBinding | SteerBinding, ask: Ask, halted: bool) -> str:  # noqa: FBT001
    """Return why this key cannot answer `ask`, in a word that fits on it; empty if it can."""
    allows = isinstance(binding, VerdictBinding) and binding.action in _ALLOWS
    if allows and halted:
        return "halted"
    if not ask.answerable:
        return "in terminal"
    if allows and ask.reason in _CHOICES:
        return _CHOICES[ask.reason]
    return ask.grant.refusal if binding == VerdictBinding(Action.REMEMBER) else ""


def guard(binding: VerdictBinding | SteerBinding, ask: Ask) -> tuple[str, ...]:
    """Return what the armed key says a second press does; empty where one press is enough."""
    if binding == VerdictBinding(Action.REMEMBER):
        return (ask.grant.where, *ask.grant.what, CONFIRM)
    if binding == VerdictBinding(Action.APPROVE) and ask.tier == Tier.HIGH.value:
        return (ask.label[1] or ask.label[0], f"{ask.tier} {ask.tool}", CONFIRM)
    return ()


def decision(binding: VerdictBinding | SteerBinding, ask: Ask) -> Decision:
    """Return what `binding` tells the agent; interrupting a plan would leave plan mode."""
    if isinstance(binding, SteerBinding):
        return Decision(allow=False, message=binding.verb.text)
    match binding.action:
        case Action.APPROVE:
            return Decision(allow=True)
        case Action.REMEMBER:
            return Decision(allow=True, permissions=ask.grant.permissions)
        case Action.INTERRUPT if ask.reason not in _CHOICES:
            return Decision(allow=False, message=INTERRUPTED, interrupt=True)
        case _:
            return Decision(allow=False, message=NOT_APPROVED if ask.reason in _CHOICES else DENIED)


def name(binding: VerdictBinding | SteerBinding) -> str:
    """Return what identifies a verdict: its action, or its verb."""
    if isinstance(binding, SteerBinding):
        return f"steer {binding.verb.name}"
    return binding.action.value


def _first(asks: Sequence[Ask]) -> Ask | None:
    return next((a for a in asks if a.answerable), None) or next(iter(asks), None)


def _look(ask: Ask) -> Effect:
    if ask.place.kind == "unknown":
        return Refuse("no window")
    return Focus(ask.key, ask.place)
