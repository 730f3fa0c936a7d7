"""What one machine adds to a layout: pins, renderers, and how much journal to keep.

Frozen data only; `config/local.py` makes it from `~/.fleet/local.yaml`.

Source: layouts/README.md, "This machine's own: local.yaml".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.layout import Target


@dataclass(frozen=True, slots=True)
class Pin:
    """A slot this machine gives to an application or URL, and what its key is called."""

    target: Target
    label: str


@dataclass(frozen=True, slots=True)
class Journal:
    """How much of `events.jsonl` is kept: bytes a file, and how many rotated files beside it."""

    size_bytes: int = 1_000_000
    files: int = 3


@dataclass(frozen=True, slots=True)
class Local:
    """`pins` by slot; `renderers` are absolute paths; `journal` is None when switched off."""

    pins: Mapping[int, Pin] = field(default_factory=dict)
    renderers: tuple[str, ...] = ()
    journal: Journal | None = field(default_factory=Journal)
