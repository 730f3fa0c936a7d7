"""What tests of layouts are made from: the smallest layout, and its faults in short form."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.layouts import load_layout
from flightdeck.config.resolving import resolved
from flightdeck.config.verbs import Verbs, load_verbs
from flightdeck.errors import ConfigError, Problem
from flightdeck.model.deck import Position
from flightdeck.model.local import Local
from flightdeck.shipped import folder

if TYPE_CHECKING:
    from flightdeck.model.layout import Key, Layout

SMALLEST = "device: stream-deck-xl\nrows:\n  - fill: slot\n"


@lru_cache(maxsize=1)
def shipped_xl() -> Layout:
    """Return the layout others stand on."""
    return load_layout(folder("layouts") / "xl.yaml", Local())


@lru_cache(maxsize=1)
def shipped_verbs() -> Verbs:
    """Return the verbs that ship."""
    return load_verbs(None)


def compiled(text: str, verbs: Verbs | None = None) -> Layout:
    """Return the layout `text` declares, standing on the shipped xl and the shipped verbs."""
    document = resolved(Path("panel.yaml"), parse_document(text, "panel.yaml"), None)
    return compile_layout("panel", document, verbs or shipped_verbs())


def problems_of(text: str) -> tuple[Problem, ...]:
    """Return every problem of a layout, none if it compiles."""
    try:
        compiled(text)
    except ConfigError as error:
        return error.problems
    return ()


def told(text: str) -> list[str]:
    """Return `line:column message` of every problem of a layout."""
    return [f"{p.location.line}:{p.location.column} {p.message}" for p in problems_of(text)]


def hints(text: str) -> list[str]:
    """Return the hint of every problem of a layout."""
    return [problem.hint for problem in problems_of(text)]


def marked(text: str) -> list[str]:
    """Return the piece of the source each problem points at."""
    return [
        p.source[p.location.column - 1 : p.location.column - 1 + p.width] for p in problems_of(text)
    ]


def key_at(layout: Layout, row: int, column: int) -> Key:
    """Return the key at a position."""
    return layout.keys[layout.grid.index(Position(row, column))]


def with_section(section: str) -> str:
    """Return the smallest layout with one more section."""
    return SMALLEST + section


def with_keys(*lines: str, fill: bool = False) -> str:
    """Return a layout of one row with these lines below `keys:`."""
    first = "  - fill: slot\n    keys:\n" if fill else "  - keys:\n"
    return "device: stream-deck-xl\nrows:\n" + first + "".join(f"      {line}\n" for line in lines)
