"""The six states as the project's own table gives them, and views made of them for tests."""

from __future__ import annotations

from flightdeck.model.keyview import KeyView
from flightdeck.model.layout import Glyph, Look, Shape, ShapeKind
from flightdeck.model.lifecycle import State

WHITE, DARK = "#ffffff", "#14161a"


def _polygon(*numbers: float) -> Shape:
    return Shape(ShapeKind.POLYGON, numbers)


def _stroke(path: str, width: float) -> Shape:
    return Shape(ShapeKind.PATH, path=path, stroke=width)


TRIANGLE_UP = Glyph("triangle-up", (_polygon(48, 12, 70, 51, 26, 51),))
TRIANGLE_RIGHT = Glyph("triangle-right", (_polygon(31, 12, 69, 32, 31, 52),))
CHECK = Glyph("check", (_stroke("M 29 33 L 42 46 L 67 19", 9),))
DOT = Glyph("dot", (Shape(ShapeKind.CIRCLE, (48, 32, 8)),))
CROSS = Glyph("cross", (_stroke("M 33 17 L 63 47 M 63 17 L 33 47", 9),))
WARNING = Glyph(
    "warning",
    (
        _polygon(48, 10, 74, 53, 22, 53),
        Shape(ShapeKind.LINE, (48, 25, 48, 38), stroke=6, cut=True),
        Shape(ShapeKind.CIRCLE, (48, 46, 3.4), cut=True),
    ),
)

LOOKS = {
    State.BLOCKED: Look("#F5A623", DARK, TRIANGLE_UP, DARK),
    State.WORKING: Look("#1256A3", WHITE, TRIANGLE_RIGHT),
    State.DONE: Look("#238636", WHITE, CHECK),
    State.IDLE: Look("#25282D", WHITE, DOT),
    State.FAILED: Look("#B42318", WHITE, CROSS),
    State.EMPTY: Look("#000000", WHITE),
}
ARMED = Look("#0d0f12", WHITE, WARNING, "#F5A623")
REST = Look("#1c1f24", "#d6dae0")

# How many pixels keys are wide, and why a key of the verdict row does nothing.
SIDES = (72, 80, 96, 120)
REASONS = (
    "in terminal", "question", "plan", "no rule", "too wide", "too long", "halted", "bypass",
    "unsafe mode", "odd rule", "two places", "every project", "outside repo", "no message",
)  # fmt: skip


def a_view(state: State = State.WORKING, **channels: object) -> KeyView:
    """Return a view of `state`; name only the channels the test is about."""
    return of_look(LOOKS[state], **channels)


def of_look(look: Look, **channels: object) -> KeyView:
    """Return a view of any look."""
    values: dict[str, object] = {
        "background": look.colour,
        "ink": look.ink,
        "glyph": look.glyph,
        "glyph_ink": look.glyph_ink,
    }
    return KeyView(**(values | channels))  # type: ignore[arg-type]
