"""What a verdict key does to the request the row is aimed at, and what stands in its way.

Nothing here ever answers by itself: every answer is the effect of one press on one request,
and what is dangerous or lasting takes two.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model import wording
from flightdeck.model.arming import Arm, ArmKind, confirms
from flightdeck.model.decision import Decision
from flightdeck.model.effect import Answer, Effect, Focus, Refuse, Select, SetArm
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.risk import Tier
from flightdeck.model.wording import CHOICES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flightdeck.model.ask import Ask
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet

Verdict = VerdictBinding | SteerBinding

NOTHING = "nothing pending"
_ALLOWS = frozenset({Action.APPROVE, Action.REMEMBER})


@dataclass(frozen=True, slots=True)
class Press:
    """A press: of which key (None: from a terminal), and when, in monotonic seconds."""

    by: Position | None
    at: float


def aim(fleet: Fleet) -> Ask | None:
    """Return the request the row acts on: the selected session's, else the oldest of all.

    One the panel can answer goes before one it cannot, which would only be in its way.
    """
    asks = within_reach(fleet)
    return next((a for a in asks if a.answerable), None) or next(iter(asks), None)


def within_reach(fleet: Fleet) -> Sequence[Ask]:
    """Return the requests the row chooses among, oldest first."""
    return [ask for ask in fleet.asks if ask.key == fleet.selected] or fleet.asks


def named(fleet: Fleet, request_id: str) -> Ask | None:
    """Return the request of that id, None if it does not wait."""
    return next((ask for ask in fleet.asks if ask.request_id == request_id), None)


def effects(
    binding: Verdict,
    ask: Ask | None,
    halted: bool,  # noqa: FBT001 - a fact about the fleet, not a switch
    arms: Iterable[Arm],
    press: Press,
    confirm_s: float,
) -> list[Effect]:
    """Return what pressing `binding` does to `ask`; an armed key stands for `confirm_s`."""
    if ask is None:
        return [Refuse(NOTHING)]
    if binding == VerdictBinding(Action.DETAIL):
        return [Select(ask.key), _look(ask)]
    if word := refusal(binding, ask, halted):
        return [Refuse(word)]
    lines = guard(binding, ask)
    if lines:
        deed, until = wording.deed(binding, ask), press.at + confirm_s
        arm = Arm(ArmKind.VERDICT, what(binding, ask), press.by, press.at, until, lines, deed)
        if not confirms(arms, arm):
            return [SetArm(arm)]
    return [Answer(ask.request_id, ask.key, decision(binding, ask))]


def refusal(binding: Verdict, ask: Ask, halted: bool) -> str:  # noqa: FBT001
    """Return why this key cannot answer `ask`, in a word that fits on it; empty if it can."""
    allows = isinstance(binding, VerdictBinding) and binding.action in _ALLOWS
    if allows and halted:
        return "halted"
    if not ask.answerable:
        return "in terminal"
    if allows and ask.reason in CHOICES:
        return CHOICES[ask.reason]
    if binding != VerdictBinding(Action.REMEMBER):
        return ""
    return ask.grant.refusal or ("" if wording.legible(guard(binding, ask)) else "too long")


def guard(binding: Verdict, ask: Ask) -> tuple[str, ...]:
    """Return what the armed key says a second press does; empty where one press is enough."""
    if binding == VerdictBinding(Action.REMEMBER):
        return (*wording.whole(ask.grant.where), *ask.grant.what, wording.CONFIRM)
    if binding == VerdictBinding(Action.APPROVE) and ask.tier == Tier.HIGH.value:
        return (*wording.who(ask), wording.call(ask), wording.CONFIRM)
    return ()


def decision(binding: Verdict, ask: Ask) -> Decision:
    """Return what `binding` tells the agent; interrupting a plan would leave plan mode."""
    if isinstance(binding, SteerBinding):
        return Decision(allow=False, message=binding.verb.text)
    match binding.action:
        case Action.APPROVE:
            return Decision(allow=True)
        case Action.REMEMBER:
            return Decision(allow=True, permissions=ask.grant.permissions)
        case Action.INTERRUPT if ask.reason not in CHOICES:
            return Decision(allow=False, message=wording.INTERRUPTED, interrupt=True)
        case _:
            return Decision(allow=False, message=wording.DENIALS.get(ask.reason, wording.DENIED))


def what(binding: Verdict, ask: Ask) -> tuple[str, ...]:
    """Return what an arm of this key on this request stands for: exactly that, nothing else."""
    return (name(binding), ask.request_id)


def name(binding: Verdict) -> str:
    """Return what identifies a verdict: its action, or its verb."""
    if isinstance(binding, SteerBinding):
        return f"steer {binding.verb.name}"
    return binding.action.value


def upheld(arms: Iterable[Arm], fleet: Fleet) -> tuple[Arm, ...]:
    """Return the arms without those of verdicts whose request is not what it was.

    A key's arm goes with its aim, a terminal's with the request it named; no arm outlives
    the hook it would answer, or a halt.
    """
    return tuple(arm for arm in arms if arm.kind is not ArmKind.VERDICT or _stands(arm, fleet))


def _stands(arm: Arm, fleet: Fleet) -> bool:
    ask = named(fleet, arm.what[-1])
    if ask is None or not ask.answerable or fleet.halted:
        return False
    return arm.by is None or ask == aim(fleet)


def _look(ask: Ask) -> Effect:
    if ask.place.kind == "unknown":
        return Refuse("no window")
    return Focus(ask.key, ask.place)
