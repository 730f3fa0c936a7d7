"""What an editor is told about rules, and what `validate` says, are one and the same."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flightdeck import shipped
from flightdeck.config.document import read_document
from flightdeck.config.risk import MOST_NODES, SECTIONS, compile_risk
from flightdeck.config.schema import schema_of
from flightdeck.fold import rulecheck
from tests.config.editing import Editor, typed
from tests.config.written_risk import RISKS, spoilt_risks

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document
    from flightdeck.errors import Problem
    from flightdeck.model.risk import Table
    from tests.config.written import Tree

SHIPPED = sorted(shipped.folder("risk").glob("*.yaml"))


def a_rule(*lines: str) -> str:
    """Return a file of one rule with these lines in it."""
    given = "".join(f"    {line}\n" for line in lines)
    examples = "    matches:\n      - a\n    spares:\n      - b\n"
    return f"rules:\n  a:\n    tier: high\n    why: x\n{given}{examples}"


# rule: what its problems say, and the shortest file the two differ about
ONLY_VALIDATORS = {
    "a class of paths is there": ("no class of paths is called", "targets:\n  a: <nobody>\n"),
    "a group of commands is there": (
        "no group of commands is called",
        "groups:\n  a: <nobody>\n",
    ),
    "a glob has few stars": ("has more than 6 stars", "targets:\n  a: '*a*b*c*d*e*f*g'\n"),
    "a phrase is long enough": ("is too short", a_rule("code: ab")),
    "an option begins with a dash, in quotes too": (
        "is no option",
        a_rule("flags: '-x \"a b\"'"),
    ),
    "a command begins with a program, in quotes too": (
        "has no program",
        a_rule("program: '\"-x\"'"),
    ),
    "a comma parts two things, beside quotes too": (
        "a comma with nothing beside it",
        a_rule("program: '\"a b\",'"),
    ),
    "a word of a name is one, beside quotes too": (
        "is no word of a name",
        a_rule("tool: X", "name: '\"A\"'"),
    ),
    "a number is written in digits": (
        "is no count|is no number of operands|is no word of a name|has no program",
        a_rule("count: 0x10"),
    ),
    "an option of a digit has its dash": ("'0' is no option", a_rule("flags: 0")),
    "a tool in quotes is known by what is in them": (
        "is about commands, and tool|is about tools that run no command",
        a_rule("tool: '\"Bash Bash\"'", "program: a"),
    ),
    "a file is not the word for nothing": ("a file that is no mapping", "null\n"),
    "what stands behind is a regular expression": (
        "is no regular expression",
        "wrappers:\n  a:\n    code:\n      -x: '(('\n",
    ),
}


@lru_cache(maxsize=1)
def table() -> Table:
    return rulecheck.shipped_table()


def refused(document: Document) -> tuple[Problem, ...]:
    """Return what the validators say of a file, read over the shipped rules."""
    return compile_risk(Path("mine.yaml"), document, table(), local=True).problems


EDITOR = Editor("risk", refused, tuple(rule for rule, _ in ONLY_VALIDATORS.values()))


@given(RISKS)
@settings(max_examples=30)
def test_schema_and_validators_agree_that_a_good_file_is_good(tree: Tree) -> None:
    EDITOR.agree_it_is_good(tree)


@given(spoilt_risks())
@settings(max_examples=100)
def test_schema_and_validators_agree_about_a_spoilt_file(tree: Tree) -> None:
    EDITOR.agree(tree)


@pytest.mark.parametrize("rule", ONLY_VALIDATORS)
def test_rule_no_schema_can_state_is_the_validators_alone(rule: str) -> None:
    says, text = ONLY_VALIDATORS[rule]
    told, marks = EDITOR.both(text)
    assert ([bool(re.search(says, message)) for message in told], marks) == ([True], [])


def test_whether_a_rule_does_what_its_examples_say_is_for_validate_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(a_rule("program: zzz"), encoding="utf-8")
    (problem,) = rulecheck.problems_of([path])[path]
    assert (problem.message, EDITOR.both(a_rule("program: zzz"))) == (
        "'a' does not match this: medium, no rule knows this program",
        ((), []),
    )


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_file_that_says_nothing_is_good_to_both(text: str) -> None:
    assert EDITOR.both(text) == ((), [])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_file_is_good_to_an_editor(path: Path) -> None:
    document = read_document(path, path.name, most=MOST_NODES, trusted=True)
    assert EDITOR.marked(typed(document.root)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule:\n  a:\n    tier: high\n", "'rule' was unexpected"),
        (a_rule("program: a").replace("high", "High"), "'High' is not one of"),
        (a_rule("program: a").replace("why", "because"), "'why' is a required property"),
        (a_rule("programs: a"), "'programs' was unexpected"),
        (a_rule(), "is not valid under any of the given schemas"),
        (a_rule("flags: rf"), "'rf' does not match"),
        (a_rule("flags: 5"), "5 is greater than the maximum of 0"),
        (a_rule("program: a,, b"), "'a,, b' does not match"),
        (a_rule("count: many"), "'many' does not match"),
        (a_rule("bomb: true"), "True is not one of"),
        (a_rule("tool: Write", "program: a"), "False schema does not allow 'a'"),
        (a_rule("path: /a"), "False schema does not allow '/a'"),
        (a_rule("code: drop table").replace("high", "low"), "is not valid under any"),
        ("programs:\n  git push:\n    shell: yes\n", "'shell' was unexpected"),
        ("wrappers:\n  sudo:\n    runs: word\n", "'word' is not one of"),
        ("wrappers:\n  sudo:\n    operands: 12\n", "12 is greater than the maximum of 9"),
    ],
)
def test_common_mistake_is_marked_in_the_editor(text: str, expected: str) -> None:
    told, marks = EDITOR.both(text)
    assert any(expected in message for message in marks), marks
    assert told


def test_every_section_has_its_place_in_the_schema() -> None:
    properties = schema_of("risk")["properties"]
    assert isinstance(properties, dict)
    assert tuple(properties) == SECTIONS
