"""YAML to a tree with positions: what strictyaml refuses is told in our words, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import strictyaml

from flightdeck.config import document
from flightdeck.config.document import MAX_DEPTH, parse_document, read_document
from flightdeck.config.nodes import Mapping, Node, Scalar, Sequence, Span
from flightdeck.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.errors import Problem


def faults(text: str) -> tuple[Problem, ...]:
    try:
        return parse_document(text, "f.yaml").faults
    except ConfigError as error:
        return error.problems


def told(text: str) -> list[str]:
    return [f"{p.location.line}:{p.location.column}+{p.width} {p.message}" for p in faults(text)]


def value_of(text: str) -> Node:
    root = parse_document(text, "f.yaml").root
    assert isinstance(root, Mapping)
    return root.entries[0].value


def test_list_is_not_read_past_what_it_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_NODES", 150)  # the library takes seconds for the real one
    # The mapping is not closed before its end, so it counts last: one key, then items.
    fits = "a:\n" + "  - x\n" * 147
    assert told(fits) == []
    assert told(fits + "  - x\n" * 60_000) == ["151:5+1 more than 150 keys and values"]


def test_second_document_is_not_read_however_deep_it_is() -> None:
    assert told("a: b\n---\n" + "{{" * 5_000) == ["2:1+3 a second document"]


def test_every_piece_knows_its_line_column_and_width() -> None:
    root = parse_document("# top\nab:\n  c: 'x y'\n", "f.yaml").root
    assert isinstance(root, Mapping)
    (outer,) = root.entries
    assert isinstance(outer.value, Mapping)
    (inner,) = outer.value.entries
    assert outer.key == Scalar(Span(2, 1, 2), "ab")
    assert inner.value == Scalar(Span(3, 6, 5), "x y", plain=False)


def test_values_are_text_and_nothing_is_guessed() -> None:
    assert value_of("a: yes\n") == Scalar(Span(1, 4, 3), "yes")


def test_block_text_ends_without_its_last_newline() -> None:
    assert value_of("a: |\n  x\n  y\n") == Scalar(Span(1, 4, 1), "x\ny", plain=False)


def test_quotes_keep_an_empty_value_from_being_nothing() -> None:
    assert value_of("a: ''\n") == Scalar(Span(1, 4, 2), "", plain=False)


def test_missing_value_is_right_behind_its_colon() -> None:
    assert value_of("a:\n\n\nb: 1\n") == Scalar(Span(1, 3), "")


def test_missing_item_is_at_its_dash() -> None:
    assert value_of("a:\n  - # none\n  - b\n") == Sequence(
        Span(2, 3), (Scalar(Span(2, 3), ""), Scalar(Span(3, 5), "b"))
    )


def test_missing_key_is_where_the_parser_noticed() -> None:
    assert isinstance(parse_document("? \n: b\n", "f.yaml").root, Mapping)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "---\n"])
def test_file_in_which_nothing_is_written_has_no_root(text: str) -> None:
    assert parse_document(text, "f.yaml").root is None


def test_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("a: 1\n", encoding="utf-8")
    assert read_document(path, "f.yaml").lines == ("a: 1", "")


def test_document_start_and_end_marks_are_fine() -> None:
    assert told("---\na: 1\n...\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [b, c]\n", ["1:4+6 flow style, '[…]' or '{…}'"]),
        ("a: {b: [c]}\n", ["1:4+8 flow style, '[…]' or '{…}'"]),
        ("a: [b,\n  c]\n", ["1:4+3 flow style, '[…]' or '{…}'"]),
        ("a: &x 1\nb: *x\n", ["1:4+4 an anchor or alias", "2:4+2 an anchor or alias"]),
        ("a: !!int 1\n", ["1:4+7 a tag"]),
        ("%YAML 1.2\n---\na: 1\n", ["1:1+9 a % directive"]),
        ("a: 1\n---\nb: 2\n---\nc: 3\n", ["2:1+3 a second document"]),
        ("? - a\n: b\n", ["1:3+1 a key that is not plain text"]),
        ('a: "\\e\\0"\n', ["1:4+6 an invisible character, U+001B"]),
        ("a:\tb\n", ["1:3+1 a tab where only spaces may stand"]),
        ("a: b: c\n", ["1:5+1 a ':' where none can stand"]),
        ("a: - b\n", ["1:4+1 a '-' where none can stand"]),
        ("a: @b\n", ["1:4+1 text starts with a character YAML keeps for itself"]),
        ("b: 1\na: 'x\n", ["2:4+1 a quote that is never closed"]),
        ("a: 1\nb\n", ["2:1+1 neither a key with its ':' nor the rest of a value"]),
        ("a:\n  b: 1\n c: 2\n", ["3:2+1 out of line with what stands above it"]),
        ("a:\n  b: 1\nc:\n    d: 1\n", ["4:5+1 indented unlike the mappings before it"]),
        ("<<: x\n", ["1:5+1 '<<' is not a key here"]),
        ("a: ? b\n", ["1:4+1 not YAML as it stands: mapping keys are not allowed here"]),
        ('a: "\\U00110000"\n', ["0:0+1 not YAML as it stands: ValueError in the YAML library"]),
    ],
)
def test_yaml_beyond_the_language_has_a_message_of_ours(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def test_all_faults_of_the_yaml_are_told_at_once() -> None:
    assert [p.location.line for p in faults("a: [1]\nb: &x 2\nc: !t 3\n")] == [1, 2, 3]


def test_every_fault_carries_its_line_and_a_hint() -> None:
    (problem,) = faults("a: 1\nb: *x\n")
    assert problem.source == "b: *x"
    assert problem.hint


def test_nesting_ends_before_the_stack_does() -> None:
    assert told("- " * 2000 + "a\n") == [f"1:{2 * MAX_DEPTH + 1}+1 nested more than 12 deep"]


def test_flow_nesting_ends_before_the_stack_does() -> None:
    assert told("[" * 2000)[0] == f"1:{MAX_DEPTH + 1}+1 nested more than 12 deep"


def test_flow_hint_shows_what_was_written_in_block_style() -> None:
    (problem,) = faults("keys: [{slot: 16, verb: ship}]\n")
    assert problem.hint.endswith("\n    - slot: 16\n      verb: ship")


def test_comment_between_key_and_value_is_pointed_at() -> None:
    assert told("name: # row 2\n   deck\n\nkeys: 1\n") == [
        "1:7+1 a comment between a key and its value"
    ]


def test_comment_the_library_trips_over_elsewhere_names_the_file() -> None:
    text = "a:\n\n\n- # b\n"
    assert told(text) == ["0:0+1 a comment where the YAML library cannot take one"]


def test_error_the_library_never_meant_is_a_problem_too() -> None:
    text = "a:\n# x\n  d\na:\n\n\n"
    with pytest.raises(TypeError):
        strictyaml.load(text)
    assert told(text) == ["0:0+1 not YAML as it stands: TypeError in the YAML library"]


def test_what_is_accepted_here_is_what_strictyaml_accepts() -> None:
    for text in ("a: 1\n", "a:\n  - b\n  - c: d\n", "a: |\n  b\n", "'a': \"b\"\n"):
        assert not faults(text)
        strictyaml.load(text)
