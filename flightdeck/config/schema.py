"""JSON Schemas for editors, one a kind of file people write.

Each says what a file can be told by itself: keys, words, the form of each value. Each is made
from the tables the validators use. Draft 7 is what every editor understands.

Source: layouts/README.md, "In your editor"; JSON Schema draft-07; yaml-language-server.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flightdeck.config.forms import title, whole_schema
from flightdeck.config.schema_layout import layout_schema
from flightdeck.config.schema_local import local_schema
from flightdeck.config.schema_risk import risk_schema
from flightdeck.config.schema_verb import verb_schema

if TYPE_CHECKING:
    from flightdeck.config.forms import Schema

LAYOUT, LOCAL, RISK, VERB = "layout", "local", "risk", "verb"
_MADE = {LAYOUT: layout_schema, LOCAL: local_schema, RISK: risk_schema, VERB: verb_schema}
KINDS = tuple(_MADE)
FILES = {LAYOUT: "layouts", LOCAL: "local.yaml", RISK: "risk files", VERB: "a verb's frontmatter"}


def schema_of(kind: str) -> Schema:
    """Return the schema of a kind of file, one of `KINDS`."""
    return whole_schema(kind, _MADE[kind]())


def file_name(kind: str) -> str:
    """Return what the file with that schema is called beside the files it is for."""
    return f"{kind}.schema.json"


def editor_line(kind: str) -> str:
    """Return the first line of a file whose schema lies beside it."""
    return f"# yaml-language-server: $schema=./{file_name(kind)}"


def is_ours(text: str, kind: str) -> bool:
    """Say whether a file holds the schema of that kind, of this version or another."""
    try:
        there = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(there, dict) and there.get("title") == title(kind)
