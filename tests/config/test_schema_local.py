"""What an editor is told about local.yaml, and what `validate` says, are one and the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flightdeck.config.local import KEYS, compile_local
from flightdeck.config.schema import schema_of
from flightdeck.errors import ConfigError, Problem
from tests.config.editing import Editor
from tests.config.written_local import LOCALS, spoilt_locals

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document
    from tests.config.written import Tree

# rule: what its problems say, and the shortest file the two differ about
ONLY_VALIDATORS = {
    "a slot is pinned once": ("is pinned twice", "pins:\n  1: app X\n  01: app X\n"),
    "a URL has a host and a port": ("is no URL", "pins:\n  1: url https://a:b\n"),
    "a file is not the word for nothing": ("a file that is no mapping", "null\n"),
    "a number is within its bounds": ("is out of range", "journal:\n  keep: 100 files\n"),
}


def refused(document: Document) -> tuple[Problem, ...]:
    """Return what the validators say of a file."""
    try:
        compile_local(document)
    except ConfigError as error:
        return error.problems
    return ()


EDITOR = Editor("local", refused, tuple(rule for rule, _ in ONLY_VALIDATORS.values()))


@given(LOCALS)
@settings(max_examples=50)
def test_schema_and_validators_agree_that_a_good_file_is_good(tree: Tree) -> None:
    EDITOR.agree_it_is_good(tree)


@given(spoilt_locals())
@settings(max_examples=100)
def test_schema_and_validators_agree_about_a_spoilt_file(tree: Tree) -> None:
    EDITOR.agree(tree)


@pytest.mark.parametrize("rule", ONLY_VALIDATORS)
def test_rule_no_schema_can_state_is_the_validators_alone(rule: str) -> None:
    says, text = ONLY_VALIDATORS[rule]
    told, marks = EDITOR.both(text)
    assert ([bool(re.search(says, message)) for message in told], marks) == ([True], [])


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_file_that_says_nothing_is_good_to_both(text: str) -> None:
    assert EDITOR.both(text) == ((), [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pin:\n  1: app X\n", "'pin' was unexpected"),
        ("pins:\n  one: app X\n", "'one' does not match"),
        ("pins:\n  1: Obsidian\n", "'Obsidian' does not match"),
        ("pins:\n  1:\n    label: X\n", "'bind' is a required property"),
        ("renderers:\n  - lamp\n", "'lamp' does not match"),
        ("renderers: /usr/bin/lamp\n", "'/usr/bin/lamp' is not of type 'array'"),
        ("journal: on\n", "'on' does not match"),
        ("journal:\n  size: 2 TB\n", "'2 TB' does not match"),
        ("journal:\n  keep: 5\n", "5 is not of type 'string'"),
    ],
)
def test_common_mistake_is_marked_in_the_editor(text: str, expected: str) -> None:
    told, marks = EDITOR.both(text)
    assert any(expected in message for message in marks)
    assert told


def test_every_section_has_its_place_in_the_schema() -> None:
    properties = schema_of("local")["properties"]
    assert isinstance(properties, dict)
    assert tuple(properties) == KEYS
