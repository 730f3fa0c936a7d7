"""Problems as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.errors import Problem


def render_text(problems: Sequence[Problem]) -> str:
    """Return every problem with its place, its line and its hint."""
    return "\n".join(f"{p.location}: {p.message}\n  hint: {p.hint}" for p in problems)
