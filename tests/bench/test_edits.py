"""How soon a saved edit of a layout, a verb or a face is on the keys of a running panel.

Source: README.md, "Figures".
"""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.store.paths import StateFolder
from tests.bench.agents import agents_in
from tests.bench.figures import Budget
from tests.bench.measure import p50_p95
from tests.bench.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]

_EDITS = 40
_BUDGET = Budget("p95 ≤ 300 ms", most=300)


class _Keys:
    """What the record of a panel says of its keys, from one look to the next."""

    def __init__(self, home: Path) -> None:
        self._log = home / "record" / "frames.jsonl"
        self._read = self._log.stat().st_size

    def changed(self, panel: Panel, word: str, count: int) -> float:
        """Wait until so many keys were written with `word` in what they say; return when."""
        at: list[float] = []

        def there() -> bool:
            with self._log.open("rb") as log:
                log.seek(self._read)
                text = log.read()
            whole = text.rfind(b"\n") + 1
            self._read += whole
            rows = [json.loads(line) for line in text[:whole].splitlines()]
            at.extend(row["time"] for row in rows if word in row["name"])
            return len(at) >= count

        panel.wait(there, f"'{word}' on {count} keys")
        return at[-1]


def _saved(path: Path, text: str) -> float:
    """Save as most editors do, and return when."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text, encoding="utf-8")
    at = time.time()
    beside.replace(path)
    return at


def _taken(
    panel: Panel, keys: _Keys, count: int, save: Callable[[str], float], *, named: bool
) -> list[float]:
    taken = []
    for number in range(_EDITS):
        time.sleep(random.uniform(0.2, 0.5))  # not in step with any look
        word = f"x{number}y"
        at = save(word)
        taken.append((keys.changed(panel, word if named else "", count) - at) * 1000)
    return taken


def test_edit_is_on_the_keys(home: Path, figures: Figures) -> None:
    folder = StateFolder(home / ".fleet")
    layout, verb = folder.root / "layouts" / "xl.yaml", folder.verbs / "test.md"
    key = folder.templates / "faces" / "key.svg.j2"
    for path in (layout, verb, key):
        path.parent.mkdir(parents=True, exist_ok=True)
    panel_text = (shipped.folder("layouts") / "xl.yaml").read_text(encoding="utf-8")
    face_text = (shipped.folder("templates") / "faces" / "key.svg.j2").read_text(encoding="utf-8")
    verb_text = (shipped.folder("verbs") / "test.md").read_text(encoding="utf-8")
    _saved(layout, panel_text)
    _saved(verb, verb_text)

    def one(word: str) -> float:
        return _saved(
            layout, f"{panel_text}      2:\n        bind: run /bin/a\n        label: {word}\n"
        )

    def all_slots(word: str) -> float:
        pins = "".join(f"  {n}:\n    bind: app A\n    label: {word}\n" for n in range(8))
        return _saved(folder.local, f"pins:\n{pins}")

    def label(word: str) -> float:
        return _saved(verb, verb_text.replace("label: TEST", f"label: {word}"))

    def face(word: str) -> float:
        dot = f'<circle cx="9" cy="30" r="3" fill="#{int(word[1:-1]) * 6:02x}8000"/></svg>'
        return _saved(key, face_text.replace("</svg>", dot))

    with agents_in(home), Panel(home) as panel:
        panel.quiet(1)
        keys = _Keys(home)
        for what, count, save, named in (
            ("a key of the layout", 1, one, True),
            ("a verb", 1, label, True),
            ("eight pins in `local.yaml`, all eight keys", 8, all_slots, True),
            ("a face of one's own, all 32 keys", 32, face, False),
        ):
            half, most = p50_p95(_taken(panel, keys, count, save, named=named))
            told = f"median {half:.0f} ms, 95 of 100 within {most:.0f} ms"
            figures.put(f"edit of {what} → written to the deck", told, _BUDGET, most)
