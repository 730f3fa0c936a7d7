"""The pieces schemas are made of: texts, numbers, mappings, each as an editor understands them.

An editor takes an unquoted 42 for a number and true for a truth, where all is text to the
validators: what may be written so has more than one type here.

Source: JSON Schema draft-07; the settings of yaml-language-server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.meanings import MEANINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Schema = dict[str, object]

# One line that is not blank. What is written behind `|` ends in a line break.
TEXT: Schema = {"type": ["string", "number", "boolean"], "pattern": r"^[^\n]*\S[^\n]*\n?$"}


def whole_schema(name: str, schema: Mapping[str, object]) -> Schema:
    """Return the schema of a kind of file, from that of its mapping."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": f"written by `flightdeck schema {name}`: run it again after an upgrade",
        "title": title(name),
        **schema,
    }


def title(name: str) -> str:
    """Return what the schema of a kind of file is called, by which it is known again."""
    return f"flightdeck {name}"


def optional(schema: Schema) -> Schema:
    """Return the schema of a file that may as well be empty, or hold comments alone."""
    return {**schema, "type": ["object", "null"]}


def mapping(where: str, properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """Return a mapping of these keys and no others, each with what it means."""
    told = told_of(where, properties)
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "additionalProperties": False, "properties": told, **needed}


def named(names: str, schema: Schema) -> Schema:
    """Return a mapping of names that match a pattern to values of one schema."""
    return named_each({f"^(?:{names})$": schema})


def named_each(schemas: Mapping[str, Schema]) -> Schema:
    """Return a mapping of names to values, each of the schema whose pattern its name has.

    An editor takes an unquoted 9 for a number as a name too, and asks `propertyNames` only of text.
    """
    return {
        "type": "object",
        "patternProperties": dict(schemas),
        "additionalProperties": False,
    }


def told_of(where: str, properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return keys with what each means beside it; `where` is the mapping they stand in."""
    meant = {name: MEANINGS.get(f"{where}.{name}".lstrip(".")) for name in properties}
    return {
        name: {**({"description": text} if text else {}), **properties[name]}
        for name, text in meant.items()
    }


def just(names: Iterable[str], schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the schemas of these keys, the validators' own, in their order."""
    return {name: schemas[name] for name in names}


def text(pattern: str, message: str = "", *also: str) -> Schema:
    """Return a text of this pattern; `also` are the types an editor may take it for."""
    told = {"patternErrorMessage": message} if message else {}
    types = ["string", *also] if also else "string"
    return {"type": types, "pattern": f"^(?:{pattern})\\n?$", **told}


def a_list(item: Schema) -> Schema:
    """Return a list of such items."""
    return {"type": "array", "items": item}


def one_or_more(form: Schema) -> Schema:
    """Return one such value, or a list of them."""
    types = form["type"] if isinstance(form["type"], list) else [form["type"]]
    return {**form, "type": [*types, "array"], "items": form}
