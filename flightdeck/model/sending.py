"""What a verb key does: it stages a prompt for the selected session, or sends a keystroke.

A press never delivers by itself: it stages, and who takes it out of the queue decides
when. Pressing the key of a verb that waits takes it back. What may not be taken back
asks for a second press, on the same verb and the same session.

Source: README.md, "Row 2: verbs".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import wording
from flightdeck.model.arming import Arm, ArmKind, confirms
from flightdeck.model.brakes import selected
from flightdeck.model.effect import Effect, Refuse, SetArm, Stage, Stroke, Unstage
from flightdeck.model.place import TYPEABLE
from flightdeck.model.verb import ENTER, VerbKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.staged import Staged
    from flightdeck.model.verb import Verb
    from flightdeck.model.verdict import Press

NO_TARGET = "no target"
# As many letters as a key can show whole under its own word.
_WHOLE = 14


def effects(
    verb: Verb, fleet: Fleet, arms: Iterable[Arm], press: Press, confirm_s: float
) -> list[Effect]:
    """Return what pressing the key of `verb` does; an armed one stands for `confirm_s`."""
    view = selected(fleet)
    if view is None:
        return [Refuse(NO_TARGET)]
    if word := refusal(verb, fleet, view):
        return [Refuse(word)]
    waiting = staged_for(fleet, view)
    if waiting is not None and waiting.verb == verb.name:
        return [Unstage(waiting)]
    if verb.confirm:
        arm = _arm(verb, view, press, confirm_s)
        if not confirms(arms, arm):
            return [SetArm(arm)]
    if verb.kind is VerbKind.KEY:
        return [Stroke(verb, view.key, view.place, view.since)]
    return [Stage(verb, view.key, view.session_id, view.pid)]


def refusal(verb: Verb, fleet: Fleet, view: SlotView) -> str:
    """Return why this verb cannot be sent there, in a word that fits on a key; "" if it can."""
    if view.ended or view.ending:
        return "ending"
    if verb.kind is VerbKind.KEY:
        return _no_stroke(verb, fleet, view)
    if not view.session_id:
        return "no id yet"
    waiting = staged_for(fleet, view)
    if waiting is not None and waiting.verb != verb.name:
        word = f"{waiting.verb} queued"
        return word if len(word) <= _WHOLE else "another queued"
    return ""


def staged_for(fleet: Fleet, view: SlotView) -> Staged | None:
    """Return the verb that waits for the session of a slot, None if there is none."""
    return next((staged for key, staged in fleet.staged if key == view.key), None)


def upheld(arms: Iterable[Arm], fleet: Fleet) -> tuple[Arm, ...]:
    """Return the arms without those of verbs that are aimed at somebody or something else now."""
    view = selected(fleet)
    return tuple(arm for arm in arms if arm.kind is not ArmKind.VERB or _stands(arm, view))


def what(verb: Verb, view: SlotView) -> tuple[str, ...]:
    """Return what an arm of this verb on this session stands for: exactly that, nothing else.

    A keystroke goes to what the session shows now, so what it showed before is another deed;
    so is a prompt for the conversation its process has turned to since, and one whose file
    reads differently by now: a terminal sends a verb as its file reads.
    """
    shown = _showing(view) if verb.kind is VerbKind.KEY else ""
    return (verb.name, verb.text, view.key, view.session_id, shown)


def _stands(arm: Arm, view: SlotView | None) -> bool:
    if view is None or view.ending or view.ended:
        return False
    *_, key, session_id, shown = arm.what
    return (key, session_id) == (view.key, view.session_id) and shown in {"", _showing(view)}


def _showing(view: SlotView) -> str:
    return f"{view.doing.value} {view.since!r}"


def _no_stroke(verb: Verb, fleet: Fleet, view: SlotView) -> str:
    if verb.requires and view.doing not in verb.requires:
        return f"not {verb.requires[0].value}"
    if verb.text == ENTER and fleet.halted:
        return "halted"
    if view.place.kind not in TYPEABLE:
        return "no window"
    return ""


def _arm(verb: Verb, view: SlotView, press: Press, confirm_s: float) -> Arm:
    who = [wording.short(line) for line in view.label if line] or [wording.short(view.agent)]
    deed = f"send {verb.name} to {' '.join(filter(None, view.label)) or view.agent}"
    return Arm(
        ArmKind.VERB,
        what(verb, view),
        press.by,
        press.at,
        press.at + confirm_s,
        (verb.label, *who, wording.CONFIRM),
        deed,
    )
