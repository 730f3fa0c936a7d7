"""The schema of a file of risk rules, made from the tables its validators use.

What a schema cannot know is left to `validate`: classes and groups that are named, what quotes
hold together, what is a regular expression, and whether a rule does what its examples say.

Source: risk/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config import risk, risk_programs, risk_rule, risk_words
from flightdeck.config.forms import (
    TEXT,
    a_list,
    just,
    mapping,
    named,
    named_each,
    one_or_more,
    optional,
    text,
)
from flightdeck.config.values import FLAGS
from flightdeck.model.risk import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.config.forms import Schema

_FLAG: Schema = {"enum": list(FLAGS)}
_OPTIONS = {**text(risk_words.OPTIONS, "options: `-r --recursive`", "number"), "maximum": 0}
_COMMANDS = {
    **text(risk_words.COMMANDS, "commands, with commas: `git push, npm`", "number", "boolean"),
    "minimum": 0,
}
_PHRASES = text(risk_words.ITEMS, "phrases, with commas between them", "number", "boolean")
_PROGRAM_NAMES = r"[^\S\n]*[^\s,][^\n,]*(?:,[^\S\n]*[^\s,][^\n,]*)*"
_SUBCOMMAND = r".*[^\s,]\s+[^\s,]"


def risk_schema() -> Schema:
    """Return the schema of a file of rules."""
    sections = {
        "groups": named(risk_words.NAMED, _COMMANDS),
        "targets": named(risk_words.NAMED, TEXT),
        "programs": _programs(),
        "wrappers": named(_PROGRAM_NAMES, _wrapper()),
        "rules": named(risk_words.NAMED, _rule()),
    }
    return optional(mapping("risk", just(risk.SECTIONS, sections)))


def _programs() -> Schema:
    """Return how words are read: of a program, and of a subcommand, of which less is said."""
    fields: dict[str, Schema] = {
        "values": _OPTIONS,
        "options": _OPTIONS,
        "code": {
            **text(risk_words.CODE_PLACES, "options, or '*': any operand", "number"),
            "maximum": 0,
        },
        "before": _FLAG,
        "dashed": _FLAG,
        "aliases": TEXT,
        "shell": _FLAG,
        "interpreter": _FLAG,
    }
    of_both = [name for name in risk_programs.PROGRAM if name not in risk_programs.OF_WHOLE]
    whole = mapping("program", just(risk_programs.PROGRAM, fields))
    lesser = mapping("program", just(of_both, fields))
    named_so = f"(?:{_PROGRAM_NAMES})$"
    return named_each(
        {f"^(?!{_SUBCOMMAND}){named_so}": whole, f"^(?={_SUBCOMMAND}){named_so}": lesser}
    )


def _wrapper() -> Schema:
    of_code: Schema = {
        "type": "object",
        "additionalProperties": {**TEXT, "pattern": r"^(?:[^\n]*\S[^\n]*\n?)?$"},
    }
    fields: dict[str, Schema] = {
        "runs": {"enum": list(risk_programs.RUNS)},
        "values": _OPTIONS,
        "operands": _number("0*[0-9]", risk_words.MOST_BEFORE, "0 to 9"),
        "assigns": _FLAG,
        "code": of_code,
        "inert": _OPTIONS,
        "embeds": TEXT,
        "drops": TEXT,
        "more": _FLAG,
        "stays": _FLAG,
    }
    return mapping("wrapper", just(risk_programs.WRAPPER, fields))


def _rule() -> Schema:
    lines, options, phrases = (one_or_more(form) for form in (TEXT, _OPTIONS, _PHRASES))
    words = {**text(risk_words.NAME_WORDS, "small letters", "integer", "boolean"), "minimum": 0}
    fields: dict[str, Schema] = {
        "tier": {"enum": [tier.value for tier in Tier]},
        "why": TEXT,
        "program": _COMMANDS,
        "count": _number(risk_words.COUNT, risk_words.MOST_COUNTED, "`2`, `2+` or `1-3`"),
        "from": _COMMANDS,
        "bomb": _FLAG,
        "name": one_or_more(words),
        "input": {"type": "object", "additionalProperties": TEXT},
        "matches": a_list(_example()),
        "spares": a_list(_example()),
    }
    fields |= dict.fromkeys(("flags", "before", "without"), options)
    fields |= dict.fromkeys(("code", "without_code"), phrases)
    globs = ("operands", "only", "outside", "writes", "empties", "reads", "path")
    fields |= dict.fromkeys((*globs, "tool", "fields", "wrapper", "assigns"), lines)
    return {
        **mapping("rule", just(risk_rule.FIELDS, fields), risk_rule.REQUIRED),
        "if": _of_other_tools(),
        "then": _without(risk_rule.OF_COMMANDS),
        "else": {**_without(risk_rule.OF_TOOLS), "allOf": list(_of_shells())},
    }


def _of_other_tools() -> Schema:
    """Return the rules about tools that run no command."""
    shells = "|".join(risk_rule.SHELLS)
    other = text(rf"(?:.*\s)?(?!\"?(?:{shells})\"?(?:\s|$))\S.*", "", "number", "boolean")
    listed: Schema = {"type": "array", "contains": other}
    one: Schema = {"anyOf": [other, listed]}
    return {"properties": {"tool": one}, "required": ["tool"]}


def _of_shells() -> Iterable[Schema]:
    """Yield what a rule about commands must say: which, and a low one exactly."""
    yield _one_of(risk_rule.CONDITIONS)
    low: Schema = {"properties": {"tier": {"const": Tier.LOW.value}}, "required": ["tier"]}
    yield {"if": low, "then": _one_of(risk_rule.OF_LOW)}


def _one_of(names: Iterable[str]) -> Schema:
    return {"anyOf": [{"required": [name]} for name in names]}


def _without(names: Iterable[str]) -> Schema:
    return {"properties": dict.fromkeys(names, False)}


def _example() -> Schema:
    """Return an example: a command, of several lines if need be, or a call of another tool."""
    any_value: Schema = {"type": ["string", "number", "boolean", "null"]}
    given: Schema = {"type": "object", "additionalProperties": any_value}
    fields = just(risk_rule.EXAMPLE, {"tool": TEXT, "input": given})
    return {
        **mapping("example", fields, risk_rule.EXAMPLE),
        "type": ["string", "number", "boolean", "object"],
        "pattern": r"\S",
    }


def _number(pattern: str, most: int, message: str) -> Schema:
    return {**text(pattern, message, "integer"), "minimum": 0, "maximum": most}
