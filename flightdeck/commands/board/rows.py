"""The fleet as rows of words: everything the board shows of a slot, and what a key there means.

Pure; knows neither colours nor terminals. No character of it can steer one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.commands import slot_words
from flightdeck.commands.plain import plain

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.lifecycle import Reason, State


@dataclass(frozen=True, slots=True)
class Row:
    """One slot; `request_id` is the oldest request of its session, the one `waits` tells of."""

    slot: int
    state: State
    kind: Reason | None
    why: str
    since: str
    who: str
    waits: str
    marks: str
    key: str
    request_id: str
    view: SlotView = field(compare=False)

    @property
    def aim(self) -> tuple[str, str]:
        """What a key pressed at this row is for: which session, and which request."""
        return (self.key, self.request_id)


def rows_of(fleet: Fleet, now: float) -> tuple[Row, ...]:
    """Return every slot as a row; `now` in epoch seconds."""
    return tuple(_row(view, now) for view in fleet.slots)


def _row(view: SlotView, now: float) -> Row:
    marks = slot_words.marks(view)
    if view.refusal:
        marks.append(f"teardown refused, {view.refusal}")
    return Row(
        slot=view.slot,
        state=view.state,
        kind=view.reason,
        why=plain(slot_words.reason(view)),
        since=slot_words.since(view, now),
        who=plain(slot_words.name(view)),
        waits=plain(_waits(view, now)),
        marks=plain(", ".join(marks)),
        key=view.key,
        request_id=view.pending[0].request_id if view.pending else "",
        view=view,
    )


def _waits(view: SlotView, now: float) -> str:
    if not view.pending:
        return ""
    first, *more = view.pending
    told = [slot_words.call(first), slot_words.age(now - first.since)]
    if not first.answerable:
        told.append("in terminal")
    if more:
        told.append(f"{len(more)} more behind it")
    return ", ".join(told)
