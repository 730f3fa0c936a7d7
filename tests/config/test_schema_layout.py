"""What an editor is told about layouts, and what `validate` says, are one and the same.

`ONLY_VALIDATORS` names every rule a schema cannot state, because it speaks of something elsewhere
or of what a text means.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flightdeck import shipped
from flightdeck.config.bindings import KINDS
from flightdeck.config.compiling import SECTIONS, compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.rendering import to_plain
from flightdeck.config.resolving import resolved
from flightdeck.config.schema import schema_of
from flightdeck.errors import ConfigError, Problem
from tests.config.editing import Editor, typed
from tests.config.panels import SMALLEST, shipped_verbs, with_keys, with_section
from tests.config.written import LAYOUTS, Tree, spoilt

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document

SCHEMA = schema_of("layout")
LAYOUT_FILES = sorted(shipped.folder("layouts").glob("*.yaml"))
README = (shipped.folder("layouts") / "README.md").read_text(encoding="utf-8")
OVER_XL = "extends: xl\n"

# rule: what its problems say, and the shortest layout the two differ about
ONLY_VALIDATORS = {
    "the parent is there": ("no layout is called|does not exist|declares no", "extends: nobody\n"),
    "the parent does not stand on the child": (
        "stands on itself",
        "extends: ./panel.yaml\n",
    ),
    "the glyph is drawn": ("unknown glyph", with_section("marks:\n  plan: nobody\n")),
    "the verb is there": ("unknown verb", with_keys("1: verb nobody")),
    "the verb is of that kind": ("is a (steer|prompt|key) verb", with_keys("1: verb justify")),
    "the ink can be read": (
        "has a contrast of",
        with_section("rest:\n  colour: '#000000'\n  ink: '#000000'\n"),
    ),
    "the deck has that slot": ("slot .* is out of range", with_keys("1: slot 32")),
    "a slot has one key": ("slot .* is bound twice", with_keys("1: slot 1", "2: slot 1")),
    "a key has one binding": ("has two bindings", with_keys("1: blank", "01: blank")),
    "a pin has a slot": ("a pin where there is no slot", with_keys("1: pin app X")),
    "a row has a name of its own": (
        "two rows are called",
        SMALLEST + "  - name: a\n  - name: a\n",
    ),
    "all of it fits the deck of the parent": (
        "is outside the deck",
        OVER_XL + "rows:\n  - name: a\n",
    ),
    "the parent has a key there": (
        "has no 'bind'",
        OVER_XL + "rows:\n  - name: brakes\n    keys:\n      3:\n        label: X\n",
    ),
    "the parent's row is filled": (
        "in a row that is not filled",
        OVER_XL + "rows:\n  - name: brakes\n    long_press: teardown\n",
    ),
    "a number is within its bounds": ("is out of range", with_section("timings:\n  armed: 99 s\n")),
    "a stroke is written in digits": (
        "stroke .* is no width",
        with_section("glyphs:\n  a:\n    circle: 48,48 9\n    stroke: 1e1\n"),
    ),
    "a point is on the grid": (
        "is off the grid",
        with_section("glyphs:\n  a:\n    circle: 1,1 2\n"),
    ),
    "a circle has a size": (
        "a circle without a radius",
        with_section("glyphs:\n  a:\n    circle: 1,1 0\n"),
    ),
    "a path draws something": (
        "a path that draws nothing|path command|no path data|an arc",
        with_section("glyphs:\n  a:\n    path: M 1 1\n"),
    ),
    "a deep link says one folder": (
        "does not say one folder",
        with_keys("1: open url claude-cli://open?cwd=../x"),
    ),
    "a URL has a host and a port": ("is no URL", with_keys("1: open url https://a:b")),
    "a command line has its quotes": ("a quote that is never closed", with_keys("1: run /a 'b")),
    "a program is a whole path": ("with the relative program", with_keys("1: run 'a'")),
}


def read(text: str) -> Document:
    return parse_document(text, "panel.yaml")


def refused(document: Document) -> tuple[Problem, ...]:
    """Return what the validators say of a layout."""
    try:
        compile_layout("panel", resolved(Path("panel.yaml"), document, None), shipped_verbs())
    except ConfigError as error:
        return error.problems
    return ()


EDITOR = Editor("layout", refused, tuple(rule for rule, _ in ONLY_VALIDATORS.values()))


@pytest.mark.timeout(600)
@given(LAYOUTS)
@settings(max_examples=80)
def test_schema_and_validators_agree_that_a_good_layout_is_good(tree: Tree) -> None:
    EDITOR.agree_it_is_good(tree)


@pytest.mark.timeout(600)
@given(spoilt())
@settings(max_examples=120)
def test_schema_and_validators_agree_about_a_spoilt_layout(tree: Tree) -> None:
    EDITOR.agree(tree)


@pytest.mark.parametrize("rule", ONLY_VALIDATORS)
def test_rule_no_schema_can_state_is_the_validators_alone(rule: str) -> None:
    says, text = ONLY_VALIDATORS[rule]
    told, marks = EDITOR.both(text)
    assert [bool(re.search(says, message)) for message in told] == [True]
    assert marks == []


@pytest.mark.parametrize("word", ["null", "~"])
def test_word_yaml_takes_for_nothing_is_text_to_the_validators_alone(word: str) -> None:
    text = with_keys("1:", "  bind: open app X", f"  label: {word}")
    root = read(text).root
    assert root
    told, marks = EDITOR.both(text)
    assert (told, bool(marks), EDITOR.marked(to_plain(root))) == ((), True, [])


@pytest.mark.parametrize("path", LAYOUT_FILES, ids=lambda path: path.stem)
def test_shipped_layout_is_good_to_an_editor(path: Path) -> None:
    assert EDITOR.marked(typed(read(path.read_text(encoding="utf-8")).root)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SMALLEST.replace("deck-xl", "deck-xxl"), "'stream-deck-xxl' is not one of"),
        (with_section("timings:\n  armed: 3\n"), "3 is not of type 'string'"),
        (with_section("rest:\n  colour: #F5A623\n"), "None is not of type 'string'"),
        (with_section("armed:\n  ink: '#FFFFFF'\n"), "'colour' is a required property"),
        (with_section("glyphs:\n  a:\n    line: 1,1 2,2\n"), "'stroke' is a dependency of 'line'"),
        (with_keys("1: vrb test"), "'vrb test' does not match"),
        (with_keys("1:", "  bind: slot 1", "  label: X"), "'label' is not one of ['bind']"),
        (with_keys("9: blank"), "'9' does not match"),
        (SMALLEST.replace("rows:", "row:"), "'rows' is a required property"),
    ],
)
def test_common_mistake_is_marked_in_the_editor(text: str, expected: str) -> None:
    told, marks = EDITOR.both(text)
    assert any(expected in message for message in marks)
    assert told


def test_every_section_has_its_place_in_the_schema() -> None:
    properties = SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["extends", *SECTIONS]


def test_every_kind_of_binding_is_named_where_one_is_mistyped() -> None:
    told = json.dumps(SCHEMA)
    assert f"a binding: one of {', '.join(KINDS)}, and what it takes" in told
