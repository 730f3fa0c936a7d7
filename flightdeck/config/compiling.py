"""A layout document turned into a `Layout`, or into every problem it has.

A section a layout leaves out is taken from the layout it stands on, the shipped xl;
`timings` and `glyphs` add to what it has, every other section replaces it whole.

Source: layouts/README.md, "Sections".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flightdeck.config.geometry import read_glyphs
from flightdeck.config.looks import read_look, read_marks, read_states
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.rows import read_rows
from flightdeck.config.rules import read_labels, read_timings
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import LabelRules, Layout, Look, Timings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.config.nodes import Document, Entry
    from flightdeck.config.verbs import Verbs
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.layout import Glyph, Key
    from flightdeck.model.lifecycle import Reason, State

_OWN = ("device", "rows")
_SHARED = ("timings", "states", "marks", "armed", "rest", "glyphs", "labels")
SECTIONS = ("device", *_SHARED, "rows")

# The deck a layout is checked against while it names none we know.
_BIGGEST = MODELS["stream-deck-xl"]

# Stands where a look is missing while the rest of a faulty file is still checked.
_UNSEEN = Look("#000000", "#ffffff")

EMPTY = (
    "the layout is empty",
    "start with `device: stream-deck-xl`, or copy the shipped layouts/row1.yaml",
)


@dataclass(frozen=True, slots=True)
class Shared:
    """The sections layouts can have in common, each whole."""

    timings: Timings = field(default_factory=Timings)
    states: Mapping[State, Look] = field(default_factory=dict)
    marks: Mapping[Reason, Glyph] = field(default_factory=dict)
    armed: Look = _UNSEEN
    rest: Look = _UNSEEN
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    labels: LabelRules = field(default_factory=LabelRules)


def compile_layout(name: str, document: Document, base: Layout | None, verbs: Verbs) -> Layout:
    """Return the panel `document` declares.

    `base` is the layout whose sections stand in for those left out; without one the
    document must have every section. `verbs` are those a key can name.

    Raises:
        ConfigError: every problem of the document, by position.
    """
    if document.root is None:
        raise ConfigError([Problem(Location(document.file), *EMPTY)])
    reader = Reader(document)
    fields = reader.sections(document.root, SECTIONS, _OWN if base else SECTIONS)
    model = _device(reader, fields.get("device"))
    shared = _shared(reader, fields, base)
    keys = _keys(reader, fields.get("rows"), model, shared, verbs)
    if reader.problems:
        raise ConfigError(reader.problems)
    return Layout(
        name=name,
        device=model.name,
        grid=model.grid,
        timings=shared.timings,
        states=shared.states,
        armed=shared.armed,
        rest=shared.rest,
        marks=shared.marks,
        glyphs=shared.glyphs,
        labels=shared.labels,
        keys=keys,
    )


def _device(reader: Reader, entry: Entry | None) -> DeckModel:
    name = reader.text(entry.key, entry.value) if entry else None
    if entry and name is not None and name not in MODELS:
        reader.report(entry.value, f"unknown device {quoted(name)}", choices(name, MODELS))
    return MODELS.get(name or "", _BIGGEST)


def _shared(reader: Reader, fields: Mapping[str, Entry], base: Layout | None) -> Shared:
    """Return the shared sections: the file's own, else those of `base`."""
    had = _of(base) if base else Shared()
    glyphs = dict(had.glyphs)
    if own := fields.get("glyphs"):
        glyphs |= read_glyphs(reader, own.key, own.value)
    shared = replace(_redrawn(had, glyphs), glyphs=glyphs)
    if own := fields.get("timings"):
        shared = replace(shared, timings=read_timings(reader, own, had.timings))
    if own := fields.get("states"):
        shared = replace(shared, states=read_states(reader, own.key, own.value, glyphs))
    if own := fields.get("marks"):
        shared = replace(shared, marks=read_marks(reader, own.key, own.value, glyphs))
    if own := fields.get("armed"):
        shared = replace(shared, armed=read_look(reader, own, glyphs) or had.armed)
    if own := fields.get("rest"):
        shared = replace(shared, rest=read_look(reader, own, glyphs) or had.rest)
    if own := fields.get("labels"):
        shared = replace(shared, labels=read_labels(reader, own))
    return shared


def _redrawn(shared: Shared, glyphs: Mapping[str, Glyph]) -> Shared:
    """Return the sections with every glyph they name as `glyphs` draws it."""

    def redrawn(look: Look) -> Look:
        return replace(look, glyph=glyphs[look.glyph.name]) if look.glyph else look

    return replace(
        shared,
        states={state: redrawn(look) for state, look in shared.states.items()},
        marks={reason: glyphs[glyph.name] for reason, glyph in shared.marks.items()},
        armed=redrawn(shared.armed),
        rest=redrawn(shared.rest),
    )


def _of(base: Layout) -> Shared:
    return Shared(**{name: getattr(base, name) for name in _SHARED})


def _keys(
    reader: Reader, entry: Entry | None, model: DeckModel, shared: Shared, verbs: Verbs
) -> tuple[Key, ...]:
    if entry is None:
        return ()
    return read_rows(reader, entry, model, (shared.rest, shared.glyphs), verbs)
