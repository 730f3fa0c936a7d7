"""What an editor is told about layouts, and what `validate` says, are one and the same.

The validators are right by definition. `ONLY_VALIDATORS` names every rule a schema cannot state,
because it speaks of something elsewhere or of what a text means; only by one of these may they
refuse what the schema lets pass. The other way round there is one reason, told by `typed`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from jsonschema import Draft7Validator

from flightdeck import shipped
from flightdeck.config.bindings import KINDS
from flightdeck.config.compiling import SECTIONS, compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.meanings import MEANINGS
from flightdeck.config.nodes import Document, Mapping, Node, Scalar, Sequence, Span
from flightdeck.config.rendering import to_plain
from flightdeck.config.resolving import resolved
from flightdeck.config.schema import is_ours, layout_schema
from flightdeck.errors import ConfigError, Problem
from tests.config.panels import SMALLEST, shipped_verbs, with_keys, with_section
from tests.config.written import LAYOUTS, Tree, spoilt, write

SCHEMA = layout_schema()
EDITOR = Draft7Validator(SCHEMA)
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


def typed(node: Node) -> object:
    """Return a tree as an editor sees it: YAML 1.2 takes unquoted words for what they look like."""
    match node:
        case Sequence(items=items):
            return [typed(item) for item in items]
        case Mapping(entries=entries):
            return {entry.key.text: typed(entry.value) for entry in entries}
        case Scalar(text=text, plain=plain):
            return _resolved(text) if plain else text


def _resolved(text: str) -> object:
    """Return what YAML 1.2.2 makes of a plain scalar (10.3.2, the core schema)."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text in {"true", "True", "TRUE", "false", "False", "FALSE"}:
        return text.lower() == "true"
    if re.fullmatch("[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch("0x[0-9a-fA-F]+", text):
        return int(text, 16)
    if re.fullmatch(r"[-+]?([.][0-9]+|[0-9]+([.][0-9]*)?)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


def read(text: str) -> Document:
    return parse_document(text, "panel.yaml")


def refused(document: Document) -> tuple[Problem, ...]:
    """Return what the validators say of a layout."""
    try:
        compile_layout("panel", resolved(Path("panel.yaml"), document, None), shipped_verbs())
    except ConfigError as error:
        return error.problems
    return ()


def marked(tree: object) -> list[str]:
    """Return what an editor says of a layout."""
    return [error.message for error in EDITOR.iter_errors(tree)]


def check_agreement(tree: Tree) -> None:
    text = write(tree)
    document = read(text)
    assert not document.faults, text
    root = document.root or Scalar(Span(1, 1), "")
    problems, marks = refused(document), marked(typed(root))
    if problems and not marks:
        rules = [rule for rule, _ in ONLY_VALIDATORS.values()]
        by_others = [p for p in problems if not any(re.search(rule, p.message) for rule in rules)]
        assert not by_others, text
    if marks and not problems:
        assert not marked(to_plain(root)), (text, marks)


@pytest.mark.timeout(600)
@given(LAYOUTS)
@settings(max_examples=200)
def test_schema_and_validators_agree_that_a_good_layout_is_good(tree: Tree) -> None:
    document = read(write(tree))
    assert refused(document) == ()
    assert document.root
    assert marked(typed(document.root)) == []


@pytest.mark.timeout(600)
@given(spoilt())
@settings(max_examples=300)
def test_schema_and_validators_agree_about_a_spoilt_layout(tree: Tree) -> None:
    check_agreement(tree)


@pytest.mark.parametrize("rule", ONLY_VALIDATORS)
def test_rule_no_schema_can_state_is_the_validators_alone(rule: str) -> None:
    says, text = ONLY_VALIDATORS[rule]
    document = read(text)
    assert document.root
    assert [bool(re.search(says, problem.message)) for problem in refused(document)] == [True]
    assert marked(typed(document.root)) == []


@pytest.mark.parametrize("word", ["null", "~"])
def test_word_yaml_takes_for_nothing_is_text_to_the_validators_alone(word: str) -> None:
    text = with_keys("1:", "  bind: open app X", f"  label: {word}")
    document = read(text)
    assert document.root
    assert refused(document) == ()
    assert marked(typed(document.root))
    assert marked(to_plain(document.root)) == []


@pytest.mark.parametrize("path", LAYOUT_FILES, ids=lambda path: path.stem)
def test_shipped_layout_is_good_to_an_editor(path: Path) -> None:
    root = read(path.read_text(encoding="utf-8")).root
    assert root
    assert marked(typed(root)) == []


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
    document = read(text)
    assert document.root
    assert any(expected in message for message in marked(typed(document.root)))
    assert refused(document)


def test_schema_is_one_of_draft_7() -> None:
    Draft7Validator.check_schema(SCHEMA)


def test_every_section_has_its_place_in_the_schema() -> None:
    properties = SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["extends", *SECTIONS]


def test_every_kind_of_binding_is_named_where_one_is_mistyped() -> None:
    told = json.dumps(SCHEMA)
    assert f"a binding: one of {', '.join(KINDS)}, and what it takes" in told


@pytest.mark.parametrize("key", MEANINGS)
def test_editor_explains_a_key_in_the_words_of_the_language_page(key: str) -> None:
    name = key.rsplit(".", 1)[-1]
    assert re.search(rf"^\|.*`{name}\b.*\| {re.escape(MEANINGS[key])}", README, re.MULTILINE)


def test_every_meaning_is_shown_in_the_schema() -> None:
    told = set(re.findall(r'"description": "((?:[^"\\]|\\.)*)"', json.dumps(SCHEMA)))
    assert told == set(MEANINGS.values())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"title": "mine"}', "[" * 5000])
def test_file_of_somebody_elses_is_not_taken_for_a_schema_of_ours(text: str) -> None:
    assert not is_ours(text)


def test_schema_of_ours_is_known_again() -> None:
    assert is_ours(json.dumps(SCHEMA))
