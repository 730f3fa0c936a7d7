"""Colours as the eye compares them: contrast, and the quieter versions a face needs.

Knows no face and no channel, only `#rrggbb`.

Source: WCAG 2.2, "contrast ratio" and "relative luminance"; README.md, "The visual
language" (text at least 4.5:1, glyphs at least 3:1).
"""

from __future__ import annotations

import re

TEXT_CONTRAST = 4.5
GLYPH_CONTRAST = 3.0

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_STEPS = 20


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255.

    Raises:
        ValueError: `colour` is not `#rrggbb`.
    """
    if not _COLOUR.fullmatch(colour):
        raise ValueError("a colour is written #rrggbb")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Return `colour` with `share` (0 to 1) of it replaced by `other`."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Return how bright a colour looks, 0 for black to 1 for white."""
    red, green, blue = (_linear(value / 255) for value in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 (equal) to 21."""
    darker, brighter = sorted((luminance(colour), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def quieter(ink: str, grounds: tuple[str, ...], share: float, least: float) -> str:
    """Return `ink` moved towards the first ground by `share`, or less where it would be lost.

    On none of the grounds does the contrast fall below `least`; an ink that starts
    below it on one of them is left alone.
    """
    for step in range(_STEPS, 0, -1):
        candidate = mix(ink, grounds[0], share * step / _STEPS)
        if all(contrast(candidate, ground) >= least for ground in grounds):
            return candidate
    return ink


def darker(ground: str, share: float, inks: tuple[tuple[str, float], ...]) -> str:
    """Return `ground` moved towards black by `share`, or by less where an ink would be lost.

    `inks` are the colours drawn on it, each with the contrast it has to keep; one that
    does not have it to begin with has no say.
    """
    held = [(ink, least) for ink, least in inks if contrast(ink, ground) >= least]
    for step in range(_STEPS, 0, -1):
        candidate = mix(ground, "#000000", share * step / _STEPS)
        if all(contrast(ink, candidate) >= least for ink, least in held):
            return candidate
    return ground


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
