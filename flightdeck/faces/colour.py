"""The quieter versions of a colour that a face needs, never too quiet to be read.

Knows no face and no channel, only `#rrggbb`.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from flightdeck.model.contrast import channels, contrast

_STEPS = 20


def mix(colour: str, other: str, share: float) -> str:
    """Return `colour` with `share` (0 to 1) of it replaced by `other`."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


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
