"""A layout document turned into a `Layout`, or into every problem it has.

What it is given is resolved: every section is there, whoever wrote it.

Source: layouts/README.md, "Sections".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from flightdeck.config.geometry import read_glyphs
from flightdeck.config.looks import read_look, read_marks, read_states
from flightdeck.config.merging import EXTENDS
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.rows import read_rows
from flightdeck.config.rules import read_labels, read_timings
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.model.decks import MODELS
from flightdeck.model.label import LabelRules
from flightdeck.model.layout import Glyph, Layout, Look, Timings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.config.nodes import Document, Entry
    from flightdeck.config.verbs import Verbs
    from flightdeck.model.deck import DeckModel

T = TypeVar("T")

SECTIONS = (
    "device",
    "timings",
    "states",
    "marks",
    "armed",
    "rest",
    "glyphs",
    "labels",
    "rows",
)

# The deck a layout is checked against while it names none we know.
_BIGGEST = MODELS["stream-deck-xl"]

# Stands where a look is missing while the rest of a faulty file is still checked.
_UNSEEN = Look("#000000", "#ffffff")

EMPTY = (
    "the layout is empty",
    "start with `device: stream-deck-xl`, or copy the shipped layouts/row1.yaml",
)


def compile_layout(name: str, document: Document, verbs: Verbs) -> Layout:
    """Return the panel `document` declares, which is resolved; `verbs` are those a key can name.

    Raises:
        ConfigError: every problem of the document, by position.
    """
    if document.root is None:
        raise ConfigError([Problem(Location(document.file), *EMPTY)])
    reader = Reader(document)
    fields = reader.sections(document.root, (*SECTIONS, EXTENDS), SECTIONS)
    layout = _layout(name, reader, fields, verbs)
    if reader.problems:
        raise ConfigError(reader.problems)
    return layout


def _layout(name: str, reader: Reader, fields: Mapping[str, Entry], verbs: Verbs) -> Layout:
    """Return what the sections say; where one is at fault, what else there is can be checked."""

    def section(name: str, read: Callable[[Entry], T | None], otherwise: T) -> T:
        entry = fields.get(name)
        return (read(entry) if entry else None) or otherwise

    model = _device(reader, fields.get("device"))
    device = fields["device"].value if "device" in fields else None
    glyphs = section("glyphs", lambda own: read_glyphs(reader, own), dict[str, Glyph]())
    rest = section("rest", lambda own: read_look(reader, own, glyphs), None)
    return Layout(
        name=name,
        device=model.name,
        grid=model.grid,
        timings=section("timings", lambda own: read_timings(reader, own), Timings()),
        states=section("states", lambda own: read_states(reader, own, glyphs), {}),
        armed=section("armed", lambda own: read_look(reader, own, glyphs), _UNSEEN),
        rest=rest or _UNSEEN,
        marks=section("marks", lambda own: read_marks(reader, own, glyphs), {}),
        glyphs=glyphs,
        labels=section("labels", lambda own: read_labels(reader, own), LabelRules()),
        keys=section(
            "rows", lambda own: read_rows(reader, own, (model, device), (rest, glyphs), verbs), ()
        ),
    )


def _device(reader: Reader, entry: Entry | None) -> DeckModel:
    name = reader.text(entry.key, entry.value) if entry else None
    if entry and name is not None and name not in MODELS:
        reader.report(entry.value, f"unknown device {quoted(name)}", choices(name, MODELS))
    return MODELS.get(name or "", _BIGGEST)
