"""The schema of what a verb says of itself between its two `---` lines.

Whether it goes with the text below is left to `validate`, and so is the name of the file.

Source: verbs/README.md, "What a verb must state".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config import frontmatter
from flightdeck.config.forms import TEXT, just, mapping, text
from flightdeck.config.values import FLAGS, WORD
from flightdeck.model.verb import ENTER, VerbKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.config.forms import Schema

_BLANK = r"[^\S\n]"


def verb_schema() -> Schema:
    """Return the schema of a frontmatter."""
    fields: dict[str, Schema] = {
        "kind": {"enum": list(frontmatter.KINDS)},
        "label": {**TEXT, "maxLength": frontmatter.LINE_CHARS},
        "id": text(WORD, "the name of the file, without `.md`", "number", "boolean"),
        "confirm": {"enum": list(FLAGS)},
        "common": {"enum": list(frontmatter.COMMON)},
        "requires": text(_words(frontmatter.STATES), "states, with blanks between them"),
    }
    return {
        **mapping("verb", just(frontmatter.KEYS, fields), frontmatter.NEEDED),
        "allOf": [*_only_for_some_kinds(), *_of_keys()],
    }


def _only_for_some_kinds() -> Iterable[Schema]:
    for name, (kinds, _) in frontmatter.ONLY_FOR.items():
        for kind in VerbKind:
            if kind not in kinds:
                yield _where({"kind": {"const": kind.value}}, {"properties": {name: False}})


def _of_keys() -> Iterable[Schema]:
    """Yield what a keystroke must say: a state that one of them is sent in, and no other."""
    a_key = {"kind": {"const": VerbKind.KEY.value}}
    states = {stroke: _words([state.value]) for stroke, state in frontmatter.SENT_IN.items()}
    told = " or ".join(state.value for state in frontmatter.SENT_IN.values())
    required = {"requires": text("|".join(states.values()), f"of a key verb: {told}")}
    yield _where(a_key, {"required": ["requires"], "properties": required})
    entered = {"requires": text(states[ENTER])}
    asks: Schema = {"required": ["confirm"], "properties": {"confirm": {"const": "yes"}}}
    yield _where({**a_key, **entered}, asks)


def _where(properties: Mapping[str, Mapping[str, object]], then: Schema) -> Schema:
    return {"if": {"properties": properties, "required": list(properties)}, "then": then}


def _words(known: Iterable[str]) -> str:
    """Return the pattern of some of these words with blanks between them."""
    one = f"(?:{'|'.join(known)})"
    return f"{_BLANK}*{one}(?:{_BLANK}+{one})*{_BLANK}*"
