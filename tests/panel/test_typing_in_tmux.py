"""The keys of the real tmux keyboard reach the box, one by one and in order."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.claude_code import inputbox
from flightdeck.errors import Refused
from flightdeck.hosts.tmux_keyboard import TmuxKeyboard
from flightdeck.panel.typing import NotTyped, submit
from flightdeck.system.run import run
from tests.hosts.real_tmux import Server, wait_until
from tests.panel import prompt
from tests.panel.prompt import PLAIN, SHELL
from tests.panel.test_typing import LINE, fails_at, nothing_against_it

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name (108 bytes in all)."""
    path = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    yield path
    shutil.rmtree(path)


class Window:
    """A pane in which the box draws itself."""

    def __init__(self, server: Server, folder: Path, state: dict[str, object]) -> None:
        self._sent = folder / "sent"
        told = folder / "state"
        told.write_text(json.dumps({"width": 80} | state), encoding="utf-8")
        pane = server.session("s")
        self.place = server.place(pane)
        argv = [sys.executable, "-I", str(prompt.__file__), str(told), str(self._sent)]
        server.tell("respawn-pane", "-k", "-t", pane, *argv)
        self.keyboard = TmuxKeyboard(run)
        wait_until(lambda: "a hint" in self.screen() or "Esc to cancel" in self.screen())

    def screen(self) -> str:
        """Return what the pane shows."""
        return self.keyboard.screen(self.place)

    def submit(self, still: Callable[[], None] = nothing_against_it) -> None:
        """Type the line and submit it."""
        submit(self.keyboard, inputbox.read, self.place, LINE, still)

    def sent(self) -> list[list[str]]:
        """Return what was submitted, once there is any."""
        wait_until(self._sent.exists)
        found: list[list[str]] = json.loads(self._sent.read_text(encoding="utf-8"))
        return found


@pytest.fixture
def window(folder: Path) -> Iterator[Callable[..., Window]]:
    """Open a pane with a box in the state given."""
    server = Server(folder / "s")
    yield lambda **state: Window(server, folder, state)
    server.end()


@pytest.mark.parametrize(
    ("state", "after"),
    [
        ({}, ""),
        ({"text": "a draft"}, "a draft"),
        ({"text": "one\ntwo\nthree"}, "one\ntwo\nthree"),
        ({"text": "ls", "mark": SHELL}, "ls"),
        ({"mark": SHELL}, ""),
        ({"view": "search"}, ""),
        ({"ghost": "run the tests"}, "run the tests"),
        ({"text": "a draft", "width": 40}, "a draft"),
        ({"text": "  "}, ""),
    ],
)
def test_line_is_submitted_alone_and_the_draft_is_back(
    window: Callable[..., Window], state: dict[str, object], after: str
) -> None:
    box = window(**state)
    box.submit()
    assert box.sent() == [[PLAIN, LINE]]
    wait_until(lambda: (seen := inputbox.read(box.screen())) is not None and seen.text == after)


def test_line_is_taken_out_of_a_narrow_window(window: Callable[..., Window]) -> None:
    box = window(width=32)
    with pytest.raises(NotTyped, match="busy"):
        box.submit(fails_at(2, Refused("busy")))
    seen = inputbox.read(box.screen())
    assert seen is not None
    assert seen.empty


def test_dialog_is_told_nothing_but_one_esc(window: Callable[..., Window]) -> None:
    box = window(view="search", swallows=[prompt.ESC])
    with pytest.raises(NotTyped, match="no input box"):
        box.submit()
    assert "a search" in box.screen()
