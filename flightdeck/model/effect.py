"""What a press does, as values: rules return them, `panel/perform` carries them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.arming import Arm
    from flightdeck.model.decision import Decision
    from flightdeck.model.layout import Target
    from flightdeck.model.place import Place
    from flightdeck.model.staged import Staged
    from flightdeck.model.verb import Verb


@dataclass(frozen=True, slots=True)
class Focus:
    """Bring a session's window forward; `key` is the session's."""

    key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Open:
    """Open an application or URL."""

    target: Target


@dataclass(frozen=True, slots=True)
class Run:
    """Start a command: the words of an argument list, no shell."""

    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """Make the session with `key` the one rows 2 and 3 act on."""

    key: str


@dataclass(frozen=True, slots=True)
class SetArm:
    """Arm a key: its next press inside the window confirms."""

    arm: Arm


@dataclass(frozen=True, slots=True)
class Answer:
    """Give one request of the session with `key` its decision, through the hook it waits in."""

    request_id: str
    key: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Halt:
    """Set the latch; once it stands, whoever waits is refused and whoever works interrupted."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Take the latch away: tool calls run again."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Send one Esc to the window of the session with `key`."""

    key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Gate:
    """Gate the session of this id, or open its gate."""

    session_id: str
    closed: bool


@dataclass(frozen=True, slots=True)
class TearDown:
    """End the session with `key` and remove its worktree, if nothing would be lost."""

    key: str


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Somebody has seen why the session with `key` was not torn down."""

    key: str


@dataclass(frozen=True, slots=True)
class Stage:
    """Put a prompt verb into the queue of the session with `key`."""

    verb: Verb
    key: str
    session_id: str
    pid: int


@dataclass(frozen=True, slots=True)
class Unstage:
    """Take exactly this verb out of the queue again, unless somebody was quicker."""

    staged: Staged


@dataclass(frozen=True, slots=True)
class Wake:
    """Type one line into the window of the session with `key` that names its staged verb."""

    staged: Staged
    key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Forget:
    """Remove the prompt a typed line has named: its agent has read it, or never will."""

    staged: Staged


@dataclass(frozen=True, slots=True)
class Stroke:
    """Send the keystroke of a key verb to the window of the session with `key`.

    `since` is when what the session showed began, epoch seconds: a state that has begun
    anew is another one.
    """

    verb: Verb
    key: str
    place: Place
    since: float


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do nothing, and say why in a word that fits on a key."""

    word: str


Brakes = Halt | Lift | Interrupt | Gate
Endings = TearDown | Acknowledge
Sendings = Stage | Unstage | Wake | Forget | Stroke
Effect = Focus | Open | Run | Select | SetArm | Answer | Brakes | Endings | Sendings | Refuse
