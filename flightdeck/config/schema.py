"""A JSON Schema of layouts for editors, made from the tables the validators use.

It says what a file can be told by itself: keys, words, the form of each value. What depends on
something elsewhere is left to `validate`: glyphs, verbs and slots that are named, contrast,
geometry, how large a number may be. Draft 7 is what every editor understands.

Source: layouts/README.md; JSON Schema draft-07; the settings of yaml-language-server.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flightdeck.config import bindings, geometry, looks, rows, rules
from flightdeck.config.compiling import SECTIONS
from flightdeck.config.meanings import MEANINGS
from flightdeck.config.merging import EXTENDS
from flightdeck.config.values import COLOUR, FLAGS, SECONDS_AND_MS, measured_in
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import LongPress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.deck import Grid

    Schema = dict[str, object]

FILE_NAME = "layout.schema.json"
TITLE = "flightdeck layout"
_COMMENT = "written by `flightdeck layout schema`: run it again after an upgrade"

# An editor takes an unquoted 42 for a number and true for a truth: to a layout all is text.
_TEXT: Schema = {"type": ["string", "number", "boolean"], "pattern": r"^[^\n]*\S[^\n]*$"}


def layout_schema() -> Schema:
    """Return the schema of a layout, and of one that extends another."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": _COMMENT,
        "title": TITLE,
        **_object("", _sections()),
        # Whatever a child leaves out, its parent has.
        "if": {"required": [EXTENDS]},
        "else": _whole(),
        "allOf": [_on_deck(name, model.grid) for name, model in MODELS.items()],
    }


def is_ours(text: str) -> bool:
    """Say whether a file holds a schema written here, of this version or another."""
    try:
        there = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(there, dict) and there.get("title") == TITLE


def _sections() -> dict[str, Schema]:
    sections: dict[str, Schema] = {
        EXTENDS: dict(_TEXT),
        "device": {"enum": list(MODELS)},
        "timings": _object("timings", {name: _duration(name) for name in rules.BOUNDS}),
        "states": _object("states", {name: _look() for name in looks.STATES}),
        "marks": _object("marks", {name: _glyph_name() for name in looks.MARKED}),
        "armed": _look(),
        "rest": _look(),
        "glyphs": _glyphs(),
        "labels": _object("labels", _labels()),
        "rows": {"type": "array", "items": _row()},
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
        "propertyNames": {
            "pattern": f"^0*(?:{columns})$",
            "patternErrorMessage": f"{name} has columns 1 to {grid.columns}",
        }
    }
    return {
        "if": {"properties": {"device": {"const": name}}, "required": ["device"]},
        "then": {
            "properties": {"rows": {"maxItems": grid.rows, "items": {"properties": {"keys": keys}}}}
        },
    }


def _row() -> Schema:
    keys: Schema = {
        "type": "object",
        "propertyNames": {"pattern": "^0*[1-9][0-9]*$"},
        "additionalProperties": _key(),
    }
    fields: dict[str, Schema] = {
        "name": dict(_TEXT),
        "fill": {"enum": [rows.FILLED_WITH]},
        "long_press": {"enum": [deed.value for deed in LongPress]},
        "keys": keys,
    }
    return _object("row", _just(rows.ROW_KEYS, fields))


def _key() -> Schema:
    """Return a key in its short form, a text, and in its long one."""
    fields = {"bind": _text(bindings.pattern(), _BINDING), "label": dict(_TEXT), **_look_values()}
    bare = {"bind": {"type": "string", "pattern": f"^{bindings.pattern(rows.BARE)}$"}}
    return {
        **_text(bindings.pattern(), _BINDING),
        "type": ["string", "object"],
        **{k: v for k, v in _object("key", _just(rows.KEY_KEYS, fields)).items() if k != "type"},
        "if": {"type": "object", "properties": bare, "required": ["bind"]},
        "then": {"propertyNames": {"enum": ["bind"]}},
    }


def _look() -> Schema:
    return _object("look", _look_values())


def _look_values() -> dict[str, Schema]:
    colour = _text(COLOUR, "six digits in quotes: '#F5A623'")
    fields = {"colour": colour, "ink": colour, "glyph": _glyph_name(), "glyph_ink": colour}
    return _told("look", _just(looks.LOOK_KEYS, fields))


def _glyph_name() -> Schema:
    return _text(geometry.NAME, "a name from `glyphs`, like `triangle-up`")


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
    return {
        "type": "object",
        "propertyNames": {"pattern": f"^{geometry.NAME}$"},
        "additionalProperties": {**glyph, **one_kind},
    }


def _shape() -> Schema:
    kinds = {name: _text(geometry.WRITTEN[kind]) for name, kind in geometry.KINDS.items()}
    stroke: Schema = {
        "type": ["number", "string"],
        "exclusiveMinimum": 0,
        "maximum": geometry.WIDEST_STROKE,
        "pattern": f"^{geometry.NUMBER}$",
    }
    fields: dict[str, Schema] = {**kinds, "stroke": stroke, "cut": {"enum": list(FLAGS)}}
    return {
        **_object("shape", _just(geometry.SHAPE_KEYS, fields)),
        "dependencies": {kind.value: ["stroke"] for kind in geometry.ONLY_STROKED},
        "oneOf": [{"required": [name]} for name in geometry.KINDS],
    }


def _labels() -> dict[str, Schema]:
    line = _text(measured_in([rules.LINE_UNIT]), f"a number and its unit: 12 {rules.LINE_UNIT}")
    fields: dict[str, Schema] = {
        "line": line,
        "strip": {"type": "array", "items": dict(_TEXT)},
        "short": {"type": "object", "additionalProperties": dict(_TEXT)},
    }
    return _just(rules.LABEL_KEYS, fields)


def _duration(name: str) -> Schema:
    least, most = rules.BOUNDS[name]
    message = f"a number and its unit, from {least} ms to {most // 1000} s"
    return _text(measured_in(SECONDS_AND_MS), message)


def _object(where: str, properties: Mapping[str, Schema]) -> Schema:
    """Return a mapping of these keys and no others, each with what it means."""
    told = _told(where, properties)
    return {"type": "object", "additionalProperties": False, "properties": told}


def _told(where: str, properties: Mapping[str, Schema]) -> dict[str, Schema]:
    meant = {name: MEANINGS.get(f"{where}.{name}".lstrip(".")) for name in properties}
    return {
        name: {**({"description": text} if text else {}), **properties[name]}
        for name, text in meant.items()
    }


def _just(names: Iterable[str], schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of these keys, the validators' own, in their order."""
    return {name: schemas[name] for name in names}


def _text(pattern: str, message: str = "") -> Schema:
    told = {"patternErrorMessage": message} if message else {}
    return {"type": "string", "pattern": f"^(?:{pattern})$", **told}


_BINDING = f"a binding: one of {', '.join(bindings.KINDS)}, and what it takes"
