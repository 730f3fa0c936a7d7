"""A person at the panel: reads its keys and puts the thumb on them.

What a key shows is what the recorder kept of it, in the words a screen reader would say;
a press comes in through the control socket, as `flightdeck press` sends it. It must not
know the client.

Source: README.md, "Row 2: verbs", "Row 3: verdicts" and "Decks".
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.panel import control
from flightdeck.store.instance import running_panel
from flightdeck.store.paths import StateFolder
from tests.real.session import LabTrouble, until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.real.lab import Lab

# Row and column of every key that is read or pressed.
KEYS = {
    **{f"slot {slot}": (1, slot + 1) for slot in range(8)},
    "test": (2, 1),
    "note": (2, 3),
    "issue": (2, 4),
    "fork": (2, 5),
    "confirm": (2, 6),
    "stop": (2, 8),
    "detail": (3, 1),
    "approve": (3, 2),
    "remember": (3, 3),
    "deny": (3, 4),
    "justify": (3, 5),
    "interrupt": (3, 6),
    "otherway": (3, 7),
    "gate": (4, 1),
    "halt": (4, 8),
}
NOTHING = "nothing pending"
# A face younger than 300 ms takes no press: nobody has read it by then.
READS_S = 0.4
_PRESS_S = 15.0
_Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Face:
    """What a key shows from `at` on, seconds since the epoch."""

    at: float
    name: str


@dataclass(slots=True)
class Thumb:
    """The keys of one panel that act."""

    lab: Lab
    _read: int = 0
    _faces: dict[_Key, list[Face]] = field(default_factory=lambda: defaultdict(list))

    def faces(self, key: str) -> Sequence[Face]:
        """Return all that a key has shown, oldest first."""
        with self._frames.open("rb") as log:
            log.seek(self._read)
            while (line := log.readline()).endswith(b"\n"):
                self._read += len(line)
                frame = json.loads(line)
                place = frame["row"], frame["column"]
                self._faces[place].append(Face(frame["time"], frame["name"]))
        return self._faces[KEYS[key]]

    def forget(self) -> None:
        """Forget what a panel has shown that runs no longer; another one writes on behind it."""
        self._faces.clear()
        self._read = self._frames.stat().st_size

    @property
    def _frames(self) -> Path:
        return self.lab.root / "record" / "frames.jsonl"

    def shows(self, key: str, *words: str, within_s: float = 5) -> Face:
        """Wait until a key's face holds all these words and return it.

        Raises:
            AssertionError: it does not come to that.
        """

        def there() -> Face | None:
            faces = self.faces(key)
            return faces[-1] if faces and all(w in faces[-1].name for w in words) else None

        try:
            return until(there, within_s, "face")
        except LabTrouble:
            shown = "\n".join(f"  {f.at:.3f} {f.name}" for f in self.faces(key)[-6:])
            wanted = " ".join(words)
            raise AssertionError(f"{key} never showed '{wanted}' but\n{shown}") from None

    def press(self, key: str, *words: str) -> str:
        """Wait until the key shows these words, read it, press it; return what the panel says.

        The answer is `sent`, `armed`, or why nothing was done.
        """
        self.read(key, *words)
        return self.strike(key)

    def read(self, key: str, *words: str) -> None:
        """Wait until the key shows these words, and take the time to read them."""
        face = self.shows(key, *words)
        time.sleep(max(0.0, face.at + READS_S - time.time()))

    def strike(self, key: str) -> str:
        """Press the key at once, whatever it shows; return what the panel says."""
        panel = running_panel(StateFolder(self.lab.fleet))
        if panel is None:
            raise AssertionError("no panel runs")
        row, column = KEYS[key]
        place = {"do": "press", "row": row, "column": column}
        answer = control.ask(panel.control, place, _PRESS_S)
        if answer.get("armed"):
            return "armed"
        return str(answer["problem"] or answer["done"])
