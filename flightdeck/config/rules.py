"""Durations and label rules: the parts of a layout that are numbers and words.

Source: layouts/README.md, "Timings" and "Labels".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.reader import quoted
from flightdeck.config.values import count, duration
from flightdeck.model.label import LabelRules
from flightdeck.model.layout import LONGEST_DECIDE_S, Timings

if TYPE_CHECKING:
    from flightdeck.config.nodes import Entry, Scalar
    from flightdeck.config.reader import Reader

# Shortest and longest that make sense to a thumb, an agent or a reaper, in milliseconds.
BOUNDS = {
    "long_press": (200, 5_000),
    "armed": (1_000, 30_000),
    "confirm": (1_000, 30_000),
    "decide": (1_000, LONGEST_DECIDE_S * 1_000),
    "reap": (5_000, 300_000),
    "flash": (200, 5_000),
}
LABEL_KEYS = ("line", "strip", "short")
LABELS_NEED = ("line",)
LINE_UNIT, SHORTEST_LINE, LONGEST_LINE = "characters", 6, 24


def read_timings(reader: Reader, entry: Entry) -> Timings:
    """Return the durations at `entry`; what is left out has its default."""
    told: dict[str, int] = {}
    for name, one in reader.fields(entry.key, entry.value, tuple(BOUNDS)).items():
        value = reader.parsed(one, duration(name, *BOUNDS[name]))
        if value is not None:
            told[f"{name}_ms"] = value
    return Timings(**told)


def read_labels(reader: Reader, entry: Entry) -> LabelRules:
    """Return how names become two short lines; what is left out is not done."""
    fields = reader.fields(entry.key, entry.value, LABEL_KEYS, LABELS_NEED)
    line = None
    if "line" in fields:
        line = reader.parsed(fields["line"], count("line", LINE_UNIT, SHORTEST_LINE, LONGEST_LINE))
    return LabelRules(
        line_chars=line or LabelRules().line_chars,
        strip=_strip(reader, fields["strip"]) if "strip" in fields else (),
        short=_short(reader, fields["short"]) if "short" in fields else {},
    )


def _strip(reader: Reader, entry: Entry) -> tuple[str, ...]:
    items = reader.items(entry.key, entry.value)
    texts = (reader.text(entry.key, item) for item in items)
    return tuple(text for text in texts if text is not None)


def _short(reader: Reader, entry: Entry) -> dict[str, str]:
    found: dict[str, str] = {}
    seen: dict[str, Scalar] = {}
    for one in reader.entries(entry.key, entry.value):
        word = one.key.text
        if word in seen:
            reader.repeated(one.key, seen[word], f"{quoted(word)} is written twice")
            continue
        seen[word] = one.key
        short = reader.text(one.key, one.value)
        if short is not None:
            found[word] = short
    return found
