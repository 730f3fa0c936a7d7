"""A slot in words: what `status` prints and the board shows of it.

What agents and folders are called comes out as it is; `plain` has the last word on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flightdeck.model.fleet import BYPASS
from flightdeck.model.lifecycle import Reason

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet, PendingView, SlotView


def reason(view: SlotView) -> str:
    """Return why it is in its state, empty where the state says it all."""
    known = view.reason.value if view.reason and view.reason is not Reason.TURN else ""
    return view.error or known


def since(view: SlotView, now: float) -> str:
    """Return how long it has been so, empty where nobody knows; `now` in epoch seconds."""
    return age(now - view.since) if view.since else ""


def name(view: SlotView) -> str:
    """Return the repository, and the title or else the branch."""
    return " ".join(part for part in (view.repo, view.title or view.branch) if part)


def marks(view: SlotView) -> list[str]:
    """Return everything else that is to be known of it, a word or two each."""
    known = (
        ("GUARDED", view.gated),
        ("bypass", view.permission_mode == BYPASS),
        ("selected", view.selected),
        ("registry only", view.untracked),
        ("stale", view.stale),
        ("being torn down", view.ending),
        (f"queued: {view.queued}", bool(view.queued)),
    )
    return [mark for mark, on in known if on]


def call(request: PendingView) -> str:
    """Return how dangerous a request is, for which tool, and how often it came."""
    times = f" \u00d7{request.repeats}" if request.repeats > 1 else ""
    return f"{request.tier} {request.tool or 'request'}{times}".strip()


def brakes(fleet: Fleet) -> list[str]:
    """Return what is to be read before anything else."""
    if not fleet.halted:
        return []
    lines = ["HALTED: no new tool call runs; `flightdeck halt --off` lifts it"]
    if fleet.untracked:
        who = f"{fleet.untracked} untracked, out of its reach"
        lines.append(f"  {who}: `flightdeck doctor` names them")
    return lines


def overflow(fleet: Fleet) -> list[str]:
    """Return who has no slot, if anybody."""
    if not fleet.overflow:
        return []
    return [f"{fleet.overflow} more without a slot, {fleet.overflow_blocked} blocked"]


def where(panel: dict[str, Any]) -> str:
    """Return which panel runs, if any; `panel` as the snapshot has it."""
    if not panel["running"]:
        return "no panel is running"
    if panel["deck"] is None:
        return "a panel is starting"
    return f"panel on the {panel['deck']} deck, pid {panel['pid']}"


def age(seconds: float) -> str:
    """Return a length of time in its largest unit."""
    if seconds < 60:
        return f"{max(0, int(seconds))}s"
    if seconds < 3600:
        return f"{int(seconds // 60)}m"
    return f"{int(seconds // 3600)}h"
