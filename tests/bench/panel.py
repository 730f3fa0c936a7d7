"""A real `flightdeck run` on the recorder deck, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.store.instance import running_panel
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEADLINE_S = 60.0
_LOOK_S = 0.002


@dataclass(frozen=True, slots=True)
class Frame:
    """One key written: when (epoch seconds), which column of row 1, and what it says."""

    at: float
    column: int
    name: str


class Panel:
    """The panel of one home, from the moment it can be pressed until the context ends."""

    def __init__(self, home: Path) -> None:
        """Start it; HOME and FLEET_HOME must already be those of `home`."""
        self._record = home / "record"
        self._folder = StateFolder(home / ".fleet")
        self._output = (home / "panel.out").open("wb")
        self._read = 0
        self.frames: list[Frame] = []
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "flightdeck", "run"),
                *("--deck", "recorder", "--record", str(self._record)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
        )

    def __enter__(self) -> Panel:
        """Wait until it can be pressed."""
        self.wait(lambda: bool(self.control), "the panel's control socket")
        return self

    def __exit__(self, *_: object) -> None:
        """End it as a service manager would."""
        self._process.terminate()
        self._process.wait(DEADLINE_S)
        self._output.close()

    @property
    def pid(self) -> int:
        """Return its process."""
        return self._process.pid

    @property
    def control(self) -> str:
        """Return where its control socket is, "" as long as there is none."""
        panel = running_panel(self._folder)
        return panel.control if panel else ""

    def look(self) -> list[Frame]:
        """Read what was written to the keys since the last look; `frames` has them all."""
        try:
            text = (self._record / "frames.jsonl").read_bytes()
        except FileNotFoundError:
            return []
        whole = text.rfind(b"\n") + 1
        fresh = [_frame(json.loads(line)) for line in text[self._read : whole].splitlines()]
        self._read = max(self._read, whole)
        self.frames += fresh
        return fresh

    def shows(self, column: int, word: str, since: float = 0.0) -> Frame:
        """Wait for a frame later than `since` on a key of row 1 whose name begins with `word`."""
        found: list[Frame] = []

        def there() -> bool:
            self.look()
            found.extend(
                frame
                for frame in self.frames
                if frame.at > since and frame.column == column and frame.name.startswith(word)
            )
            return bool(found)

        self.wait(there, f"'{word}' on key 1.{column}")
        return found[0]

    def quiet(self, seconds: float) -> None:
        """Wait until no key was written for so long."""
        last = time.monotonic()
        end = last + DEADLINE_S
        while time.monotonic() - last < seconds:
            assert time.monotonic() < end, "the panel never comes to rest"
            if self.look():
                last = time.monotonic()
            time.sleep(0.05)

    def wait(self, true: Callable[[], bool], what: str) -> None:
        """Wait for a transition; a panel that ended is told at once."""
        end = time.monotonic() + DEADLINE_S
        while not true():
            assert self._process.poll() is None, "the panel has ended"
            assert time.monotonic() < end, f"never came: {what}"
            time.sleep(_LOOK_S)


def _frame(line: dict[str, Any]) -> Frame:
    return Frame(line["time"], line["column"] if line["row"] == 1 else 0, line["name"])
