"""Who hears what is typed while an agent has an editor open: on a real terminal.

The client opens its editor in its own process group, and its record says idle meanwhile.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.system.clock import monotonic
from flightdeck.system.foreground import in_front

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEADLINE_S = 10.0
# An editor reads the terminal, a tool nothing: each lives for as long as its own pipe.
AGENT = """\
import os, subprocess, sys
editor = subprocess.Popen(["cat", "/dev/fd/3"], pass_fds=[3]) if "editor" in sys.argv else None
tool = subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL)
if editor is not None:
    editor.wait()
open(sys.argv[1], "w").close()
tool.wait()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells")


def wait_until(true: Callable[[], bool]) -> None:
    end = monotonic() + DEADLINE_S
    while not true():
        assert monotonic() < end, "it never came to be"


class Window:
    """A terminal with an agent in front, which may have an editor open."""

    def __init__(self, told: Path, *words: str) -> None:
        self._told = told
        self._ours, theirs = pty.openpty()
        self.device = os.ttyname(theirs)
        kept, self._editor = os.pipe()
        # Whoever leads a session and opens a terminal has it for its own.
        shell = 'exec 3<&"$0"; exec "$@" <"$D" >"$D" 2>&1'
        python = (sys.executable, "-I", "-S", "-c", AGENT, str(told), *words)
        self._agent = subprocess.Popen(
            ["bash", "-c", shell, str(kept), *python],
            start_new_session=True,
            pass_fds=[kept],
            env={**os.environ, "D": self.device},
        )
        os.close(theirs)
        os.close(kept)

    @property
    def hears(self) -> bool:
        return in_front(self._agent.pid, self.device)

    def close_editor(self) -> None:
        os.close(self._editor)
        wait_until(self._told.exists)

    def begun(self) -> None:
        """Wait for the tool: its agent has started whatever it starts by then."""
        told = Path(f"/proc/{self._agent.pid}/task/{self._agent.pid}/children")

        def names() -> list[str]:
            return [_name(pid) for pid in told.read_text("ascii").split()]

        wait_until(lambda: "sleep" in names())

    def end(self) -> None:
        os.killpg(self._agent.pid, signal.SIGKILL)
        self._agent.wait(DEADLINE_S)
        os.close(self._ours)


def _name(pid: str) -> str:
    return Path(f"/proc/{pid}/comm").read_text("utf-8").strip()


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Make windows; everything in them ends when they do."""
    made: list[Window] = []

    def make(*words: str) -> Window:
        made.append(Window(tmp_path / "editor closed", *words))
        made[-1].begun()
        return made[-1]

    yield make
    for window in made:
        window.end()


def test_agent_that_has_lent_its_terminal_to_an_editor_does_not(
    windows: Callable[..., Window],
) -> None:
    window = windows("editor")
    assert not window.hears
    window.close_editor()
    assert window.hears


def test_agent_whose_tool_does_not_read_the_terminal_does(windows: Callable[..., Window]) -> None:
    assert windows().hears
