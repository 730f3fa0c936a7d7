"""A window with an agent in it that takes lines as the real client does, and tells of it.

Only what is typed and what is shown is stood in for: the record, the hooks' events and the
state folder they come to are files.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.errors import Unavailable
    from flightdeck.model.place import Place
    from tests.fold.world import Machine

DEVICE = "/dev/pts/97"
_RULE = "─" * 60
_NBSP = "\u00a0"


@dataclass
class Window:
    """A keyboard with one window. `typed` is all that was done to it, in order.

    `deaf` says that Enter and Esc do nothing, `dialog` that one covers the prompt, `draft` is what
    stands in the prompt; `unreachable` is why nobody gets to it, `takes_none` why no line does.
    `before_enter` happens when the line is there and nobody has pressed Enter yet.
    """

    machine: Machine
    pid: int
    session_id: str
    typed: list[str] = field(default_factory=list)
    draft: str = ""
    deaf: bool = False
    dialog: bool = False
    in_front: bool = True
    rows_below: int = 20
    unreachable: Unavailable | None = None
    takes_none: Unavailable | None = None
    before_enter: Callable[[], object] = lambda: None
    on_submit: Callable[[str], object] = lambda _: None

    @property
    def lines(self) -> list[str]:
        """Return the lines that were pasted."""
        return [what.removeprefix("paste ") for what in self.typed if what.startswith("paste ")]

    def is_in_front(self, pid: int, device: str) -> bool:
        """Say whether what is typed reaches the agent."""
        return self.in_front and (pid, device) == (self.pid, DEVICE)

    def must_take_lines(self, place: Place) -> None:
        if self.takes_none is not None:
            raise self.takes_none

    def device(self, place: Place) -> str:
        self._reach()
        return DEVICE

    def screen(self, place: Place) -> str:
        self._reach()
        if self.dialog:
            return "Do you want to proceed?\n 1. Yes\n"
        box = f"\u276f{_NBSP}{self.draft}"
        shown = f"{_RULE}\n{box}\n{_RULE}\n  ? for shortcuts\n" + "\n" * self.rows_below
        if self.draft and self.lines:
            self.before_enter()
        return shown

    def stash(self, place: Place) -> None:
        self._note("stash")
        self.draft = ""

    def erase(self, place: Place) -> None:
        self._note("erase")
        self.draft = ""

    def paste(self, place: Place, line: str) -> None:
        self._note(f"paste {line}")
        self.draft += line

    def interrupt(self, place: Place) -> None:
        self._note("Esc")
        if not self.deaf:
            self.machine.now = time.time()
            self.machine.records(self.pid, self.session_id, "idle")

    def confirm(self, place: Place) -> None:
        self._note("Enter")
        if self.draft and not self.deaf and not self.dialog:
            prompt, self.draft = self.draft, ""
            self.on_submit(prompt)
            self.submit(prompt)

    def submit(self, prompt: str) -> None:
        """Begin a turn with this prompt, as the client does."""
        self.machine.now = time.time()
        self.machine.records(self.pid, self.session_id, "busy")
        self.machine.says(self.pid, "UserPromptSubmit", session_id=self.session_id, prompt=prompt)

    def _note(self, what: str) -> None:
        self._reach()
        self.typed.append(what)

    def _reach(self) -> None:
        if self.unreachable is not None:
            raise self.unreachable
