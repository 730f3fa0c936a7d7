"""The schema of a layout, made from the tables its validators use.

What depends on something elsewhere is left to `validate`: glyphs, verbs and slots that are named,
contrast, geometry, how large a number may be.

Source: layouts/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config import bindings, geometry, looks, rows, rules
from flightdeck.config.compiling import SECTIONS
from flightdeck.config.forms import TEXT, a_list, just, mapping, named, text, told_of
from flightdeck.config.merging import EXTENDS
from flightdeck.config.values import COLOUR, FLAGS, SECONDS_AND_MS, measured_in
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import LongPress

if TYPE_CHECKING:
    from flightdeck.config.forms import Schema
    from flightdeck.model.deck import Grid


def layout_schema() -> Schema:
    """Return the schema of a layout, and of one that extends another."""
    return {
        **mapping("", _sections()),
        # Whatever a child leaves out, its parent has.
        "if": {"required": [EXTENDS]},
        "else": _whole(),
        "allOf": [_on_deck(name, model.grid) for name, model in MODELS.items()],
    }


def _sections() -> dict[str, Schema]:
    sections: dict[str, Schema] = {
        EXTENDS: TEXT,
        "device": {"enum": list(MODELS)},
        "timings": mapping("timings", {name: _duration(name) for name in rules.BOUNDS}),
        "states": mapping("states", {name: _look() for name in looks.STATES}),
        "marks": mapping("marks", {name: _glyph_name() for name in looks.MARKED}),
        "armed": _look(),
        "rest": _look(),
        "glyphs": _glyphs(),
        "labels": mapping("labels", _labels()),
        "rows": a_list(_row()),
    }
    return {name: sections[name] for name in (EXTENDS, *SECTIONS)}


def _whole() -> Schema:
    """Return what only a layout that stands on no other has to say."""
    key = {"if": {"type": "object"}, "then": {"required": ["bind"]}}
    row = {
        "dependencies": {"long_press": ["fill"]},
        "properties": {"keys": {"additionalProperties": key}},
    }
    states = {name: {"required": list(looks.needed_by(name))} for name in looks.STATES}
    return {
        "required": ["device", "rows"],
        "properties": {
            "states": {"required": list(looks.STATES), "properties": states},
            "armed": {"required": list(looks.NEEDED)},
            "rest": {"required": list(looks.NEEDED)},
            "labels": {"required": list(rules.LABELS_NEED)},
            "rows": {"items": row},
        },
    }


def _on_deck(name: str, grid: Grid) -> Schema:
    """Return which rows and columns this deck has."""
    columns = "|".join(str(column) for column in range(1, grid.columns + 1))
    keys: Schema = {
        "patternProperties": {f"^0*(?:{columns})$": True},
        "additionalProperties": False,
        "errorMessage": f"{name} has columns 1 to {grid.columns}",
    }
    return {
        "if": {"properties": {"device": {"const": name}}, "required": ["device"]},
        "then": {
            "properties": {"rows": {"maxItems": grid.rows, "items": {"properties": {"keys": keys}}}}
        },
    }


def _row() -> Schema:
    fields: dict[str, Schema] = {
        "name": TEXT,
        "fill": {"enum": [rows.FILLED_WITH]},
        "long_press": {"enum": [deed.value for deed in LongPress]},
        "keys": named("0*[1-9][0-9]*", _key()),
    }
    return mapping("row", just(rows.ROW_KEYS, fields))


def _key() -> Schema:
    """Return a key in its short form, a text, and in its long one."""
    fields = {"bind": text(bindings.pattern(), _BINDING), "label": TEXT, **_look_values()}
    bare = {"bind": {"type": "string", "pattern": f"^{bindings.pattern(rows.BARE)}$"}}
    return {
        **text(bindings.pattern(), _BINDING),
        "type": ["string", "object"],
        **{k: v for k, v in mapping("key", just(rows.KEY_KEYS, fields)).items() if k != "type"},
        "if": {"type": "object", "properties": bare, "required": ["bind"]},
        "then": {"propertyNames": {"enum": ["bind"]}},
    }


def _look() -> Schema:
    return mapping("look", _look_values())


def _look_values() -> dict[str, Schema]:
    colour = text(COLOUR, "six digits in quotes: '#F5A623'")
    fields = {"colour": colour, "ink": colour, "glyph": _glyph_name(), "glyph_ink": colour}
    return told_of("look", just(looks.LOOK_KEYS, fields))


def _glyph_name() -> Schema:
    return text(geometry.NAME, "a name from `glyphs`, like `triangle-up`")


def _glyphs() -> Schema:
    """Return glyphs by name; each is a shape or a list of shapes."""
    shape = _shape()
    glyph = {
        **shape,
        "type": ["object", "array"],
        "items": shape,
        "minItems": 1,
        "maxItems": geometry.MOST_SHAPES,
    }
    # `oneOf` speaks of lists too, and a list draws nothing by itself.
    one_kind = {"if": {"type": "object"}, "then": {"oneOf": glyph.pop("oneOf")}}
    return named(geometry.NAME, {**glyph, **one_kind})


def _shape() -> Schema:
    kinds = {name: text(geometry.WRITTEN[kind]) for name, kind in geometry.KINDS.items()}
    stroke: Schema = {
        "type": ["number", "string"],
        "exclusiveMinimum": 0,
        "maximum": geometry.WIDEST_STROKE,
        "pattern": f"^{geometry.NUMBER}$",
    }
    fields: dict[str, Schema] = {**kinds, "stroke": stroke, "cut": {"enum": list(FLAGS)}}
    return {
        **mapping("shape", just(geometry.SHAPE_KEYS, fields)),
        "dependencies": {kind.value: ["stroke"] for kind in geometry.ONLY_STROKED},
        "oneOf": [{"required": [name]} for name in geometry.KINDS],
    }


def _labels() -> dict[str, Schema]:
    line = text(measured_in([rules.LINE_UNIT]), f"a number and its unit: 12 {rules.LINE_UNIT}")
    fields: dict[str, Schema] = {
        "line": line,
        "strip": a_list(TEXT),
        "short": {"type": "object", "additionalProperties": TEXT},
    }
    return just(rules.LABEL_KEYS, fields)


def _duration(name: str) -> Schema:
    least, most = rules.BOUNDS[name]
    message = f"a number and its unit, from {least} ms to {most // 1000} s"
    return text(measured_in(SECONDS_AND_MS), message)


_BINDING = f"a binding: one of {', '.join(bindings.KINDS)}, and what it takes"
