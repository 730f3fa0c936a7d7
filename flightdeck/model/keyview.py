"""What one key shows: the whole contract between the rules and a face template.

A face depends on nothing else, so two equal views are the same picture.

Source: README.md, "The visual language"; templates/README.md for face authors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.layout import Glyph, Look


@dataclass(frozen=True, slots=True)
class KeyView:
    """One key, each channel with one meaning.

    `background` and `glyph` say the lifecycle state; `top` (small, quiet) and
    `bottom` (larger) are the label lines; `selected` draws the inset border;
    `dimmed` says seen; `halted` hatches the key over; `brakes_off` is the dark-ringed
    light dot; `count` (0 = none) is how many more wait behind this key, `count_ground`
    and `count_ink` its colours where one of them needs you, else empty; `stale` says
    the target is gone; `queued` that a verb waits for it, or on a key without a glyph that
    its own verb waits; `untracked` that no hook ever announced the session; `flash` replaces
    the labels by a word or two of feedback, or is empty; `progress` is how far a hold has
    come, 0 to 1; `faulty` says that a file the panel is made of has a problem. `name` is what
    a screen reader says; it does not change the picture.
    `lines`, where there are any, take the place of both label lines: whole, small, under a
    smaller glyph, the last one as bright as `bottom`.
    """

    background: str
    ink: str
    glyph: Glyph | None = None
    glyph_ink: str = "#ffffff"
    top: str = ""
    bottom: str = ""
    lines: tuple[str, ...] = ()
    selected: bool = False
    dimmed: bool = False
    halted: bool = False
    brakes_off: bool = False
    count: int = 0
    count_ground: str = ""
    count_ink: str = ""
    stale: bool = False
    queued: bool = False
    untracked: bool = False
    flash: str = ""
    progress: float = 0.0
    faulty: bool = False
    name: str = ""


def in_look(look: Look) -> KeyView:
    """Return a key in the colours and with the glyph of `look`, that says nothing yet."""
    return KeyView(background=look.colour, ink=look.ink, glyph=look.glyph, glyph_ink=look.glyph_ink)
