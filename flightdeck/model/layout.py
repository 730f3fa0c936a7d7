"""A panel as its owner declared it, past the point where anybody sees YAML.

Frozen data only. `config/` makes these from layout files, with every fault told;
what is here is known to be consistent: every state has a look, every glyph named
exists, every key lies on the deck.

Source: layouts/README.md, the layout language.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.deck import Grid, Position
    from flightdeck.model.label import LabelRules
    from flightdeck.model.lifecycle import Reason, State
    from flightdeck.model.verb import Verb


class ShapeKind(enum.Enum):
    """The four SVG elements a glyph may be made of."""

    POLYGON = "polygon"
    PATH = "path"
    CIRCLE = "circle"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Shape:
    """One piece of a glyph on the 96 x 96 grid.

    `numbers` by kind: polygon x,y pairs; circle cx, cy, r; line x1, y1, x2, y2;
    a path keeps its text in `path`. `stroke` is a line width, None means filled.
    `cut` pieces are drawn in the background colour, over the ones before them.
    """

    kind: ShapeKind
    numbers: tuple[float, ...] = ()
    path: str = ""
    stroke: float | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Glyph:
    """A mark drawn as geometry, never as text: no font can lose a shape."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """How a state, or the armed key, is drawn: `#rrggbb` colours and a glyph.

    `ink` is the colour of the label, `glyph_ink` that of the glyph.
    """

    colour: str
    ink: str
    glyph: Glyph | None = None
    glyph_ink: str = "#ffffff"


# The longest a layout may hold a permission request: its hook's own time limit, which
# stands in the agent's settings, is above it.
LONGEST_DECIDE_S = 600


@dataclass(frozen=True, slots=True)
class Timings:
    """Durations of the panel, in milliseconds.

    `armed_ms` is the window of an armed teardown, `confirm_ms` that of an armed verdict or
    verb; `decide_ms` is how long a permission request is held for the deck.
    """

    long_press_ms: int = 800
    armed_ms: int = 3_000
    confirm_ms: int = 10_000
    decide_ms: int = 120_000
    reap_ms: int = 15_000
    flash_ms: int = 1_200


@dataclass(frozen=True, slots=True)
class AppTarget:
    """An application, by the name the system knows it under."""

    name: str


@dataclass(frozen=True, slots=True)
class UrlTarget:
    """A URL typed by the layout's author, opened as it stands."""

    url: str


# The scheme by which Claude Code starts a session with a prompt typed in.
LINK_SCHEME = "claude-cli"

Target = AppTarget | UrlTarget


@dataclass(frozen=True, slots=True)
class SlotBinding:
    """Shows one session; slots count from 0."""

    slot: int


@dataclass(frozen=True, slots=True)
class PinBinding:
    """A slot given to an application or URL for good: never assigned to a session."""

    slot: int
    target: Target


@dataclass(frozen=True, slots=True)
class OpenBinding:
    """Opens a URL or application."""

    target: Target


@dataclass(frozen=True, slots=True)
class RunBinding:
    """Runs a command: the words of an argument list, no shell."""

    argv: tuple[str, ...]


class Action(enum.Enum):
    """What a verdict key does; the value is its name in layouts and on the command line."""

    DETAIL = "detail"
    APPROVE = "approve"
    REMEMBER = "remember"
    DENY = "deny"
    INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class VerdictBinding:
    """Answers the permission request the row is aimed at."""

    action: Action


@dataclass(frozen=True, slots=True)
class SteerBinding:
    """Denies that request with the text of a steer verb."""

    verb: Verb


@dataclass(frozen=True, slots=True)
class VerbBinding:
    """Sends a prompt or key verb to the selected session."""

    verb: Verb


class Brake(enum.Enum):
    """What a control key brakes; the value is its name in layouts."""

    HALT = "halt"
    GATE = "gate"


@dataclass(frozen=True, slots=True)
class ControlBinding:
    """Halts the fleet, or gates the selected session."""

    brake: Brake


@dataclass(frozen=True, slots=True)
class BlankBinding:
    """Shows nothing and does nothing, on purpose."""


Binding = (
    SlotBinding
    | PinBinding
    | OpenBinding
    | RunBinding
    | VerdictBinding
    | SteerBinding
    | VerbBinding
    | ControlBinding
    | BlankBinding
)


class LongPress(enum.Enum):
    """What holding a key does; the value is its name in layouts."""

    TEARDOWN = "teardown"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the panel: where it is, what it is for, and what it is called.

    `label` is what the author wrote, or the binding's own word. Where there is a
    `long_press`, a short one acts when the key is let go, else when it goes down.
    """

    position: Position
    binding: Binding
    label: str = ""
    look: Look | None = None
    long_press: LongPress | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole panel.

    `rest` is the look of keys outside the slot row; `marks` are the glyphs that
    replace the blocked one for a question or a plan.
    """

    name: str
    device: str
    grid: Grid
    timings: Timings
    states: Mapping[State, Look]
    armed: Look
    rest: Look
    marks: Mapping[Reason, Glyph]
    glyphs: Mapping[str, Glyph]
    labels: LabelRules
    keys: tuple[Key, ...]

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots sessions may take, lowest first: those shown and not pinned."""
        return tuple(
            sorted(k.binding.slot for k in self.keys if isinstance(k.binding, SlotBinding))
        )
