"""What a schema says of a verb's frontmatter, and what `validate` says, are one and the same.

The text below it is another's business: a frontmatter is good if there is one it goes with.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flightdeck import shipped
from flightdeck.config.document import parse_document
from flightdeck.config.frontmatter import KEYS, read_head
from flightdeck.config.schema import schema_of
from flightdeck.model.verb import KEYSTROKES
from tests.config.editing import Editor, typed
from tests.config.written_local import HEADS, spoilt_heads

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document
    from flightdeck.errors import Problem
    from tests.config.written import Tree

VERB_FILES = sorted(Path(shipped.folder("verbs")).glob("**/[!_R]*.md"))

# rule: what its problems say, and the shortest frontmatter the two differ about
ONLY_VALIDATORS = {
    "the id is the name of the file": ("in a file called", "kind: steer\nid: other\n"),
    "a label of digits fits its key": ("a key holds 11", "kind: steer\nlabel: 123456789012\n"),
}


def refused(document: Document) -> tuple[Problem, ...]:
    """Return what the validators say of a frontmatter, with the text it goes with best."""
    return min((tuple(read_head("mine", document, text)[1]) for text in KEYSTROKES), key=len)


EDITOR = Editor("verb", refused, tuple(rule for rule, _ in ONLY_VALIDATORS.values()))


@given(HEADS)
@settings(max_examples=50)
def test_schema_and_validators_agree_that_a_good_frontmatter_is_good(tree: Tree) -> None:
    EDITOR.agree_it_is_good(tree)


@given(spoilt_heads())
@settings(max_examples=100)
def test_schema_and_validators_agree_about_a_spoilt_frontmatter(tree: Tree) -> None:
    EDITOR.agree(tree)


@pytest.mark.parametrize("rule", ONLY_VALIDATORS)
def test_rule_no_schema_can_state_is_the_validators_alone(rule: str) -> None:
    says, text = ONLY_VALIDATORS[rule]
    told, marks = EDITOR.both(text)
    assert ([bool(re.search(says, message)) for message in told], marks) == ([True], [])


@pytest.mark.parametrize("path", VERB_FILES, ids=lambda path: path.stem)
def test_shipped_verb_is_good_to_an_editor(path: Path) -> None:
    _, head, _ = path.read_text(encoding="utf-8").split("---\n", 2)
    assert EDITOR.marked(typed(parse_document(head, path.name).root)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label: X\n", "'kind' is a required property"),
        ("kind: promt\n", "'promt' is not one of"),
        ("kind: steer\nlabels: X\n", "'labels' was unexpected"),
        ("kind: steer\nlabel: Twelve chars\n", "'Twelve chars' is too long"),
        ("kind: prompt\nconfirm: true\n", "True is not one of"),
        ("kind: steer\nconfirm: yes\n", "False schema does not allow 'yes'"),
        ("kind: prompt\nrequires: working\n", "False schema does not allow 'working'"),
        ("kind: key\n", "'requires' is a required property"),
        ("kind: key\nrequires: idle\n", "'idle' does not match"),
        ("kind: key\nrequires: blocked\n", "'confirm' is a required property"),
        ("kind: key\nrequires: blocked\nconfirm: no\n", "'yes' was expected"),
    ],
)
def test_common_mistake_is_marked_in_the_editor(text: str, expected: str) -> None:
    told, marks = EDITOR.both(text)
    assert any(expected in message for message in marks)
    assert told


def test_every_key_has_its_place_in_the_schema() -> None:
    properties = schema_of("verb")["properties"]
    assert isinstance(properties, dict)
    assert tuple(properties) == KEYS
