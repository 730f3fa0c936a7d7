"""How well one colour reads on another, as WCAG counts it.

Knows no state and no face, only `#rrggbb`.

Source: WCAG 2.2, "contrast ratio" and "relative luminance"; README.md, "The visual
language" (text at least 4.5:1, glyphs at least 3:1).
"""

from __future__ import annotations

import re

TEXT_CONTRAST = 4.5
GLYPH_CONTRAST = 3.0

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255.

    Raises:
        ValueError: `colour` is not `#rrggbb`.
    """
    if not _COLOUR.fullmatch(colour):
        raise ValueError("a colour is written #rrggbb")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """Return how bright a colour looks, 0 for black to 1 for white."""
    red, green, blue = (_linear(value / 255) for value in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 (equal) to 21."""
    darker, brighter = sorted((luminance(colour), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
