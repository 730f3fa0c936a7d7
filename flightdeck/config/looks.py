"""How states and keys look: colours, inks and glyphs, checked to be readable.

Every state of `model.lifecycle` has a look and every look is of a state; text
reads at 4.5 : 1 and glyphs at 3 : 1 on their ground, or the layout is refused.

Source: layouts/README.md, "Looks"; WCAG 2.2, 1.4.3 and 1.4.11.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.nodes import Mapping
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.values import colour, readable_ink
from flightdeck.model.contrast import GLYPH_CONTRAST, TEXT_CONTRAST, contrast
from flightdeck.model.layout import Look
from flightdeck.model.lifecycle import Reason, State

if TYPE_CHECKING:
    from collections.abc import Mapping as ByName

    from flightdeck.config.nodes import Entry
    from flightdeck.model.layout import Glyph

LOOK_KEYS = ("colour", "ink", "glyph", "glyph_ink")
NEEDED = ("colour",)

_LEAST = {"label": TEXT_CONTRAST, "glyph": GLYPH_CONTRAST}
STATES = {state.value: state for state in State}
# Only amber is divided further: what a blocked agent waits for.
MARKED = {
    reason.value: reason
    for reason in (Reason.PERMISSION, Reason.QUESTION, Reason.PLAN, Reason.INPUT)
}


def read_states(reader: Reader, section: Entry, glyphs: ByName[str, Glyph]) -> dict[State, Look]:
    """Return the look of every state; one without, and looks of no state, are noted."""
    owner, node = section.key, section.value
    found: dict[str, Entry] = {}
    for entry in reader.entries(owner, node):
        name = entry.key.text
        if name not in STATES:
            told = f"a face for {quoted(name)}, which is no state"
            reader.report(entry.key, told, choices(name, STATES))
        elif name in found:
            told = f"state {quoted(name)} has two faces"
            reader.repeated(entry.key, found[name].key, told)
        else:
            found[name] = entry
    for name in STATES.keys() - found.keys() if isinstance(node, Mapping) else ():
        reader.report(owner, f"state {quoted(name)} has no face", f"add `{name}:` with its colour")
    looks = {name: _state_look(reader, entry, glyphs) for name, entry in found.items()}
    return {STATES[name]: look for name, look in looks.items() if look is not None}


def _state_look(reader: Reader, entry: Entry, glyphs: ByName[str, Glyph]) -> Look | None:
    fields = reader.fields(entry.key, entry.value, LOOK_KEYS, needed_by(entry.key.text))
    return compile_look(reader, fields, glyphs)


def needed_by(state: str) -> tuple[str, ...]:
    """Return what the look of a state cannot do without.

    Colour alone must never carry the message; only absence has no glyph.
    """
    return NEEDED if state == State.EMPTY.value else (*NEEDED, "glyph")


def read_look(reader: Reader, entry: Entry, glyphs: ByName[str, Glyph]) -> Look | None:
    """Return the look at `entry`, which must give a colour."""
    fields = reader.fields(entry.key, entry.value, LOOK_KEYS, NEEDED)
    return compile_look(reader, fields, glyphs)


def read_marks(reader: Reader, section: Entry, glyphs: ByName[str, Glyph]) -> dict[Reason, Glyph]:
    """Return the glyphs that replace the blocked one, by what the agent waits for."""
    marks = {}
    for name, entry in reader.fields(section.key, section.value, tuple(MARKED)).items():
        glyph = read_glyph_name(reader, entry, glyphs)
        if glyph is not None:
            marks[MARKED[name]] = glyph
    return marks


def read_glyph_name(reader: Reader, entry: Entry, glyphs: ByName[str, Glyph]) -> Glyph | None:
    """Return the glyph `entry` names; an unknown one is noted."""
    name = reader.text(entry.key, entry.value)
    if name is None:
        return None
    if name not in glyphs:
        reader.report(entry.value, f"unknown glyph {quoted(name)}", choices(name, glyphs))
    return glyphs.get(name)


def compile_look(
    reader: Reader,
    fields: ByName[str, Entry],
    glyphs: ByName[str, Glyph],
    ground: Look | None = None,
) -> Look | None:
    """Return the look `fields` describe; what they leave out comes from `ground`.

    An ink left out is the light or the dark one, whichever reads better.
    """
    background = _colour(reader, fields, "colour") or (ground.colour if ground else None)
    ink = _colour(reader, fields, "ink")
    glyph_ink = _colour(reader, fields, "glyph_ink")
    glyph = read_glyph_name(reader, fields["glyph"], glyphs) if "glyph" in fields else None
    if background is None:
        return None
    for name, what, colour_of_it in (("ink", "label", ink), ("glyph_ink", "glyph", glyph_ink)):
        if colour_of_it is not None:
            _check_ink(reader, fields, name, (what, colour_of_it, background))
    ink = ink or _inherited_ink(background, ground)
    return Look(background, ink, glyph, glyph_ink or ink)


def _inherited_ink(background: str, ground: Look | None) -> str:
    if ground is not None and ground.colour == background:
        return ground.ink
    return readable_ink(background)


def _colour(reader: Reader, fields: ByName[str, Entry], name: str) -> str | None:
    return reader.parsed(fields[name], colour) if name in fields else None


def _check_ink(
    reader: Reader, fields: ByName[str, Entry], name: str, found: tuple[str, str, str]
) -> None:
    """Note an ink that cannot be read: what is drawn, in which ink, on which ground."""
    what, ink, ground = found
    ratio, least = contrast(ink, ground), _LEAST[what]
    if ratio < least:
        message = f"{what} {ink} on {ground} has a contrast of {ratio:.1f}, needs {least:g}"
        written = fields[name].value
        on = fields["colour"].value if "colour" in fields else written
        _, told_at = reader.farthest_first(on, written)
        better = readable_ink(ground)
        beside = f"write {name}: '{better}' beside it, or take another colour"
        hint = f"take {better}, or leave it out" if told_at is written else beside
        reader.report_pair(written, on, message, hint)


def has_look(fields: ByName[str, Entry]) -> bool:
    """Say whether any of `fields` is about looks."""
    return not fields.keys().isdisjoint(LOOK_KEYS)
