"""One running agent, as every witness told of it.

Three witnesses are kept side by side and never mixed: the story the hooks told, the
set of requests that wait, and the agent's own registry record. What the panel shows
is derived from them (`witness.py`), so no witness can overwrite another's evidence.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place

# How a client says that it was started to print an answer and end.
_HEADLESS = "sdk-cli"


class Status(enum.Enum):
    """What an agent's own registry says of it."""

    IDLE = "idle"
    BUSY = "busy"
    SHELL = "shell"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Record:
    """An agent's entry in its own registry.

    `at` is when the status began and `born` when the process registered, in seconds
    since the epoch; `started` is the process's start time as an opaque token. `parked` says
    that the conversation went on in another process, under another id: its window shows that
    one's, and no turn of its own is to be expected. `spare` says that it is kept ready and
    nobody's session yet.
    """

    pid: int
    session_id: str
    status: Status
    at: float
    waiting_for: Reason | None = None
    cwd: str = ""
    title: str = ""
    started: str = ""
    born: float = 0.0
    entrypoint: str = ""
    parked: bool = False
    spare: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the agent that waits for its operator; `since` in epoch seconds.

    `seen_waiting` says the registry has confirmed that its dialog was open, `waits` that its
    hook waited for the panel when it was told of, `held` that the panel holds its hook,
    `ended` that the hook it held has ended by itself. `tier` is that of its call and `rule`
    what decided it; `repeats` counts how often this turn asked for the very same.
    `suggestions` is what the agent offers to write down, as the JSON it came in, for as long
    as it waits.
    """

    request_id: str
    reason: Reason
    since: float
    tool: str = ""
    thread: str = ""
    fingerprint: str = ""
    alone: bool = False
    how: str = "hook"
    seen_waiting: bool = False
    waits: bool = False
    held: bool = False
    ended: bool = False
    tier: str = ""
    rule: str = ""
    repeats: int = 1
    suggestions: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """What the hooks told: state, reason and time (epoch seconds) of the last change.

    `back_to` is what compaction returns to; `untold` that the last turn left work
    running the registry may not know of; `queued` that a prompt came in mid-turn and
    may run when the turn ends.
    """

    state: State = State.IDLE
    reason: Reason | None = None
    at: float = 0.0
    error: str = ""
    back_to: tuple[State, Reason | None] = (State.IDLE, None)
    untold: bool = False
    queued: bool = False
    how: str = "hook"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the panel shows of a session, since when (epoch seconds), and on whose word.

    `beneath` is what its witnesses tell where a red of somebody else's lies over it.
    """

    state: State = State.IDLE
    reason: Reason | None = None
    how: str = "hook"
    since: float = 0.0
    error: str = ""
    beneath: tuple[State, Reason | None] | None = None

    @property
    def told(self) -> tuple[State, Reason | None]:
        """What its witnesses tell, whatever lies over it."""
        return self.beneath or (self.state, self.reason)


@dataclass(frozen=True, slots=True)
class Teardown:
    """A teardown of the session that is under way, or was refused; see `ending`.

    `at` is when it began or was refused, epoch seconds. While it is under way `by` is the
    pid of who does it and `started` that process's start, an opaque token. Once refused
    `by` is 0, `check` names what refused it and `words` say why. `ended` says that the
    session's own process has gone, `asked` that it was asked to and had not yet.
    """

    at: float
    by: int = 0
    started: str = ""
    check: str = ""
    words: str = ""
    ended: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """A process of an agent. The key belongs to the process: `/clear` changes the id, not it.

    `started` is the process's start time as an opaque token; `first_seen` orders
    sessions that wait for a slot; `announced` says a hook has spoken for it. `tool_at` is
    when a tool last began or ended, `decided_at` when the panel last answered a request.
    `tally` counts what this turn asked for: the call, how often, when last (epoch seconds).
    `reported` is when the agent itself, or somebody for it, reported a failure nothing has
    cleared yet, epoch seconds; `arrived` are the tokens of the last verbs that reached it,
    the last one last.
    """

    key: str
    agent: str
    pid: int
    started: str = ""
    first_seen: float = 0.0
    session_id: str = ""
    cwd: str = ""
    title: str = ""
    permission_mode: str = ""
    transcript: str = ""
    entrypoint: str = ""
    place: Place = field(default_factory=Place)
    announced: bool = False
    closed: bool = False
    slot: int | None = None
    seen: bool = False
    stale: bool = False
    story: Story = field(default_factory=Story)
    requests: tuple[Request, ...] = ()
    record: Record | None = None
    shown: Shown = field(default_factory=Shown)
    tool_at: float = 0.0
    decided_at: float = 0.0
    tally: tuple[tuple[str, int, float], ...] = ()
    teardown: Teardown | None = None
    reported: float = 0.0
    arrived: tuple[str, ...] = ()

    @property
    def headless(self) -> bool:
        """Whether it is a run without a terminal: it shows no dialog and hears no key."""
        return _HEADLESS in {self.entrypoint, self.record.entrypoint if self.record else ""}
