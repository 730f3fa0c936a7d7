"""The fleet as one snapshot: what the panel draws, `status` prints and `slots.json` holds.

Frozen data only; `fold` makes it, `model/display` turns it into keys.

Source: README.md, "The panel as a file".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place

if TYPE_CHECKING:
    from flightdeck.model.ask import Ask
    from flightdeck.model.staged import Staged


# The permission mode in which nothing is ever asked.
BYPASS = "bypassPermissions"


@dataclass(frozen=True, slots=True)
class PendingView:
    """One permission request that waits; `answerable` says the panel holds its hook."""

    request_id: str
    tool: str
    tier: str = ""
    repeats: int = 1
    since: float = 0.0
    answerable: bool = False


@dataclass(frozen=True, slots=True)
class SlotView:
    """One slot and the session in it, if any.

    `since` is when the state began, seconds since the epoch. `how` names the witness:
    `hook`, `registry`, `transcript`, `notification`. `error` is the client's own word
    for a failure. `untracked` says no hook ever announced the session, `stale` that
    its window was found gone, `gated` that its high-risk calls are refused. `ending` says
    that it is being torn down, `refusal` why it was not, `ended` that its process has gone.
    `queued` names the verb that waits for it, `beneath` is what it does where a red of
    somebody else's lies over it.
    """

    slot: int
    state: State = State.EMPTY
    reason: Reason | None = None
    how: str = ""
    error: str = ""
    key: str = ""
    session_id: str = ""
    agent: str = ""
    repo: str = ""
    branch: str = ""
    title: str = ""
    label: tuple[str, str] = ("", "")
    cwd: str = ""
    since: float = 0.0
    place: Place = field(default_factory=Place)
    pid: int = 0
    permission_mode: str = ""
    gated: bool = False
    selected: bool = False
    seen: bool = False
    untracked: bool = False
    stale: bool = False
    ending: bool = False
    ended: bool = False
    refusal: str = ""
    queued: str = ""
    beneath: State | None = None
    pending: tuple[PendingView, ...] = ()

    @property
    def doing(self) -> State:
        """What it does, whatever lies over it."""
        return self.beneath or self.state


@dataclass(frozen=True, slots=True)
class Fleet:
    """Every slot, lowest first, and what does not fit on them.

    `untracked` counts sessions that run without our hooks, `halted` says that the latch
    stands. `asks` are the requests that wait, of every session, oldest first; `selected`
    is the key of the session rows 2 and 3 act on, empty for none. `staged` are the verbs
    that wait, by the key of their session.
    """

    slots: tuple[SlotView, ...] = ()
    overflow: int = 0
    overflow_blocked: int = 0
    untracked: int = 0
    halted: bool = False
    selected: str = ""
    asks: tuple[Ask, ...] = ()
    staged: tuple[tuple[str, Staged], ...] = ()
