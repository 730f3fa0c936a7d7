"""How soon a saved edit of a layout or a verb is on the keys of a running panel.

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


def _taken(panel: Panel, keys: _Keys, count: int, save: Callable[[str], float]) -> list[float]:
    taken = []
    for number in range(_EDITS):
        time.sleep(random.uniform(0.2, 0.5))  # not in step with any look
        word = f"x{number}y"
        at = save(word)
        taken.append((keys.changed(panel, word, count) - at) * 1000)
    return taken


def test_edit_is_on_the_keys(home: Path, figures: Figures) -> None:
    folder = StateFolder(home / ".fleet")
    layout, verb = folder.root / "layouts" / "xl.yaml", folder.verbs / "test.md"
    for path in (layout, verb):
        path.parent.mkdir(parents=True, exist_ok=True)
    panel_text = (shipped.folder("layouts") / "xl.yaml").read_text(encoding="utf-8")
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

    with agents_in(home), Panel(home) as panel:
        panel.quiet(1)
        keys = _Keys(home)
        for what, count, save in (
            ("a key of the layout", 1, one),
            ("a verb", 1, label),
            ("eight pins in `local.yaml`, all eight keys", 8, all_slots),
        ):
            half, most = p50_p95(_taken(panel, keys, count, save))
            told = f"median {half:.0f} ms, 95 of 100 within {most:.0f} ms"
            figures.put(f"edit of {what} → written to the deck", told, _BUDGET, most)
