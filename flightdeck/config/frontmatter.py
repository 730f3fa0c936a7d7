"""What a verb file says of itself between its two `---` lines.

Source: verbs/README.md, "What a verb must state".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.config.nodes import Mapping, Scalar, Span
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.values import BadValue, flag
from flightdeck.model.lifecycle import State
from flightdeck.model.verb import ENTER, ESCAPE, VerbKind

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document, Entry
    from flightdeck.errors import Problem

# What one line of a key holds, as large as labels are meant to be read.
LINE_CHARS = 11

KEYS = ("kind", "label", "id", "confirm", "common", "requires")
NEEDED = ("kind",)
COMMON = ("git",)
_FENCE = Span(1, 1, 3)
KINDS = {kind.value: kind for kind in VerbKind}
STATES = {state.value: state for state in State if state is not State.EMPTY}

# Keys that mean something to some kinds only, and why.
ONLY_FOR = {
    "confirm": ((VerbKind.PROMPT, VerbKind.KEY), "a steer key is one press"),
    "common": ((VerbKind.PROMPT,), "only prompts are sent with common rules"),
    "requires": ((VerbKind.KEY,), "only keystrokes depend on the state of the agent"),
}

# What each keystroke means is known in one state only: Escape answers a dialog as well,
# and Enter sends whatever stands in an input box.
SENT_IN = {ESCAPE: State.WORKING, ENTER: State.BLOCKED}


@dataclass(frozen=True, slots=True)
class Head:
    """The frontmatter of a verb, defaults filled in."""

    kind: VerbKind
    label: str
    confirm: bool = False
    common: str = ""
    requires: tuple[State, ...] = ()


def read_head(name: str, document: Document, text: str) -> tuple[Head | None, list[Problem]]:
    """Return what `document`, the frontmatter of verb `name`, says, and every problem of it.

    `text` stands below it. Where there is a problem the rest is read as far as it goes; None:
    not even the kind of the verb is known.
    """
    reader = Reader(document)
    fields = _fields(reader, document)
    kind = reader.parsed(fields["kind"], _kind) if "kind" in fields else None
    label = _label(reader, fields.get("label"), name)
    if "id" in fields:
        reader.parsed(fields["id"], lambda text: _same(text, name))
    confirm = reader.parsed(fields["confirm"], flag) if "confirm" in fields else None
    common = reader.parsed(fields["common"], _common) if "common" in fields else None
    requires = reader.parsed(fields["requires"], _states) if "requires" in fields else None
    if kind is None:
        return None, reader.problems
    head = Head(kind, label, bool(confirm), common or "", requires or ())
    _check_kind(reader, fields, kind)
    if kind is VerbKind.KEY:
        _check_stroke(reader, fields, head, text)
    return head, reader.problems


def _fields(reader: Reader, document: Document) -> dict[str, Entry]:
    if isinstance(document.root, Mapping):
        owner = Scalar(_FENCE, "frontmatter")
        return reader.fields(owner, document.root, KEYS, NEEDED)
    at = _FENCE if document.root is None else document.root.span
    told = "an empty frontmatter" if document.root is None else "a frontmatter that is no mapping"
    reader.report(at, told, "write `kind: steer`, and what else the verb states, a line each")
    return {}


def _kind(text: str) -> VerbKind:
    if text not in KINDS:
        raise BadValue(f"unknown kind {quoted(text)}", choices(text, KINDS))
    return KINDS[text]


def _label(reader: Reader, entry: Entry | None, name: str) -> str:
    """Return what the key is called: the label, else the name in capitals."""
    label = reader.text(entry.key, entry.value) if entry else name.upper()
    if label is not None and len(label) > LINE_CHARS:
        told = f"label {quoted(label)} has {len(label)} characters, a key holds {LINE_CHARS}"
        hint = "shorten it" if entry else "give the verb a shorter `label:`"
        reader.report(entry.value if entry else _FENCE, told, hint)
    return label or ""


def _same(text: str, name: str) -> str:
    if text != name:
        hint = f"write `id: {name}`, leave it out, or rename the file"
        raise BadValue(f"id {quoted(text)} in a file called {quoted(name + '.md')}", hint)
    return text


def _common(text: str) -> str:
    if text not in COMMON:
        raise BadValue(f"no common rules are called {quoted(text)}", choices(text, COMMON))
    return text


def _states(text: str) -> tuple[State, ...]:
    for word in text.split():
        if word not in STATES:
            raise BadValue(f"unknown state {quoted(word)}", choices(word, STATES))
    return tuple(dict.fromkeys(STATES[word] for word in text.split()))


def _check_kind(reader: Reader, fields: dict[str, Entry], kind: VerbKind) -> None:
    for name, (kinds, why) in ONLY_FOR.items():
        if name in fields and kind not in kinds:
            told = f"{quoted(name)} on a {kind.value} verb"
            reader.report(fields[name].key, told, f"{why}: delete the line")


def _check_stroke(reader: Reader, fields: dict[str, Entry], head: Head, stroke: str) -> None:
    state = SENT_IN.get(stroke, State.WORKING)
    if "requires" not in fields:
        hint = f"add `requires: {state.value}`: in any other state it would do something else"
        reader.report(fields["kind"].value, "a key verb that requires no state", hint)
    for other in head.requires if stroke in SENT_IN else ():
        if other is not state:
            told = f"{stroke} is never sent to an agent that is {other.value}"
            reader.report(fields["requires"].value, told, f"write `requires: {state.value}`")
    if stroke == ENTER and not head.confirm:
        at = fields.get("confirm", fields["kind"]).value
        hint = "write `confirm: yes`: it answers whatever dialog is open"
        reader.report(at, "an Enter that asks for no second press", hint)
