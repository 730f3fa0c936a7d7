"""The keys of verbs: what each of them is aimed at, and what it shows.

All of them act on the selected session, which its own key says with a border; so a verb's
key says no name until a second press is to be made. A press belongs to what the key showed:
its `Aim` holds all that decides what a press does.

Source: README.md, "Row 2: verbs" and "The visual language".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import sending
from flightdeck.model.brakes import selected
from flightdeck.model.keyview import in_look
from flightdeck.model.layout import VerbBinding
from flightdeck.model.row import Aim, armed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.arming import Arm
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Key, Layout
    from flightdeck.model.verb import Verb

# Above the verb's word while it waits: what is told in small letters, and a sign in large.
QUEUED = "queued"


def aims(layout: Layout, fleet: Fleet, arms: Iterable[Arm] = ()) -> dict[Position, Aim]:
    """Return what every key of a verb stands for."""
    target, standing = selected(fleet), {arm.by: arm for arm in arms}
    return {
        key.position: _aim(key.binding.verb, fleet, target, standing.get(key.position))
        for key in layout.keys
        if isinstance(key.binding, VerbBinding)
    }


def _aim(verb: Verb, fleet: Fleet, target: SlotView | None, arm: Arm | None) -> Aim:
    if target is None:
        return Aim(refusal=sending.NO_TARGET)
    deed = sending.what(verb, target)
    # A session that was cleared is another conversation in the same place.
    of = " ".join((*deed, target.session_id))
    if refusal := sending.refusal(verb, fleet, target):
        return Aim(of, refusal, target=target)
    staged = sending.staged_for(fleet, target)
    if staged is not None and staged.verb == verb.name:
        return Aim(of, queued=staged.token, target=target)
    if arm is None or arm.what != deed:
        return Aim(of, target=target)
    return Aim(of, armed=True, target=target, arm=arm)


def view(layout: Layout, key: Key, aim: Aim) -> KeyView:
    """Return what the key of a verb shows."""
    if aim.arm is not None:
        return armed(layout.armed, aim.arm)
    look = in_look(key.look or layout.rest)
    if aim.target is None:
        return replace(look, bottom=key.label, dimmed=True, name=f"{key.label}, {aim.refusal}")
    who = " ".join(filter(None, aim.target.label)) or aim.target.agent
    if aim.refusal:
        name = f"{key.label}, {aim.refusal}, {who}"
        return replace(look, top=key.label, bottom=aim.refusal, dimmed=True, name=name)
    if aim.queued:
        # The sign of the queue stands where an author's glyph would: one of them is enough.
        name = f"{key.label}, queued for {who}"
        return replace(look, glyph=None, top=QUEUED, bottom=key.label, queued=True, name=name)
    return replace(look, bottom=key.label, name=f"{key.label}, for {who}")
