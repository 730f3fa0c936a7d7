"""What the runtime asks of agents, hosts and decks; `commands/run` picks the drivers.

Everything here may be called from one thread only unless it says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from flightdeck.model.decision import Decision
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.event import Event
    from flightdeck.model.inputbox import Box
    from flightdeck.model.place import Place
    from flightdeck.model.risk import Judgement
    from flightdeck.model.session import Record, Session
    from flightdeck.model.signal import Signal


class OnKey(Protocol):
    """Who hears what the switch of a key does; it must only queue, and not raise."""

    def __call__(
        self,
        index: int,
        down: bool,  # noqa: FBT001 - what the switch does, not a mode
        at: float,
        *,
        lost: bool = False,
    ) -> None:
        """Key `index` went down or came up at `at`, seconds of `system.clock.monotonic`.

        `lost` says that nobody let it go: the deck or page that held it has gone.
        """


class Deck(Protocol):
    """Where the keys are: hardware, a browser tab, or a recording.

    `write_key` and `set_brightness` are called by one painter thread only.
    """

    @property
    def name(self) -> str:
        """What to call this deck in messages and in `status`, e.g. `recorder`."""

    @property
    def model(self) -> DeckModel:
        """Its grid and the picture its keys take."""

    @property
    def where(self) -> str:
        """Where a person finds it: a URL, a folder, a serial number."""

    def open(self, on_key: OnKey) -> None:
        """Start hearing keys.

        `on_key` is called from the deck's own thread.

        Raises:
            Unavailable: it is not there, or another program holds it.
        """

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Show `image`, already in the model's key format; `name` is for screen readers.

        Raises:
            Unavailable: the deck has gone.
        """

    def set_brightness(self, percent: int) -> None:
        """Set the brightness, 0 to 100; decks without any ignore it."""

    def close(self) -> None:
        """Stop hearing keys and let the device go; never raises, may be called twice."""


class Host(Protocol):
    """Something that can bring a session's window forward."""

    def focus(self, place: Place) -> None:
        """Bring the window to the front, its tab and pane selected.

        Raises:
            Unavailable: it is gone or may not be reached; the message is short
                enough for a log line, `hint` says what a person can do.
        """


class Interrupter(Protocol):
    """A host that can also reach the program in a session's window."""

    def interrupt(self, place: Place) -> None:
        """Send one Esc to exactly that window or pane, and to no other.

        Raises:
            Unavailable: it is gone, may not be reached, or others would hear it too.
        """


class Keyboard(Interrupter, Protocol):
    """A host that can also type into a session's window, and into no other one.

    Each does one thing, so that a caller can look at the screen in between; what may have
    arrived is never sent again. All raise Unavailable as `interrupt` does.
    """

    def must_take_lines(self, place: Place) -> None:
        """Raise Unavailable where nothing but an Esc could be sent, without typing anything."""

    def device(self, place: Place) -> str:
        """Return the terminal device the window or pane is on, `/dev/pts/3` say."""

    def screen(self, place: Place) -> str:
        """Return the rows the window or pane shows now, the topmost first, without colours."""

    def stash(self, place: Place) -> None:
        """Send one Ctrl-S: the program there puts a half-written line aside."""

    def erase(self, place: Place) -> None:
        """Send one Ctrl-U: the program there erases what stands before its cursor."""

    def paste(self, place: Place, line: str) -> None:
        """Put `line` in where the cursor is, as one paste, and press nothing.

        Raises:
            Unavailable: as `interrupt`; then how much of it has arrived is not known.
            ValueError: it is not one line of 1 to 1000 printable characters.
        """

    def confirm(self, place: Place) -> None:
        """Send one Enter."""


class Runner(Protocol):
    """The one door to other programs; see `system/run.py`."""

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        """Run `argv`, no shell, and return what it did.

        Raises:
            Unavailable: it is not installed, or took longer than `timeout_s`.
        """


class Completed(Protocol):
    """How a program ended."""

    @property
    def code(self) -> int:
        """Exit status; negative is the signal that ended it."""

    @property
    def out(self) -> str:
        """Its standard output."""

    @property
    def err(self) -> str:
        """Its standard error."""


class Judge(Protocol):
    """Says how dangerous a tool call is; see `risk/`."""

    def __call__(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        """Return the tier of a call of `tool` with its input, as JSON values; never raises."""


class AgentKind(Protocol):
    """What the fold asks of one kind of agent."""

    @property
    def name(self) -> str:
        """Its name in state files and on the command line."""

    @property
    def title(self) -> str:
        """What people call it."""

    def signals(self, event: Event) -> list[Signal]:
        """Return what a hook event says, oldest first; never raises."""

    def learn(self, sessions: Iterable[Session]) -> None:
        """Notice where these sessions keep their registry."""

    def records(self) -> list[Record]:
        """Return the registry records that stand now; never raises."""

    def interrupted_at(self, session: Session) -> float | None:
        """Return when the transcript says the running turn was interrupted, epoch seconds."""

    def watched(self) -> list[Path]:
        """Return the folders whose changes are news."""

    def carry_on(self, prompt: str) -> str:
        """Return the line its Stop hook prints so that the turn goes on with `prompt`."""

    def wake_line(self, label: str, prompt_file: Path) -> str:
        """Return the one line that, typed, has it do what is in that file, "" if none does."""

    def input_box(self, screen: str) -> Box | None:
        """Return its input box as a screen without colours shows it; None: there is none."""

    def answer(self, decision: Decision) -> str:
        """Return the line its waiting permission hook prints, without a newline."""
