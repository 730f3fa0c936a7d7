"""The JSON reader knows where everything stands, and what is not JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.install import jsontext
from flightdeck.install.jsontext import Kind, Node, NotJson, parse, position

# A shared machine must not fail a test by being slow.
UNHURRIED = settings(deadline=None)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@UNHURRIED
@given(value=VALUES, indent=st.sampled_from([None, 2, "\t", ""]), ascii_only=st.booleans())
def test_every_document_json_writes_is_read(value: object, indent: str, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    root = parse(f" {text}\r\n")
    assert (root.start, root.end) == (1, 1 + len(text))


@UNHURRIED
@given(value=st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_every_value_stands_where_its_node_says(value: dict[str, object]) -> None:
    text = json.dumps(value, indent=2)
    root = parse(text)
    held = {
        n: json.loads(text[i.start : i.end]) for n, i in zip(root.names, root.items, strict=True)
    }
    assert held == value


@UNHURRIED
@given(text=st.text(alphabet='{}[]",:\\/ \n0123456789.eE+-truefalsn\u00e9', max_size=40))
def test_reader_takes_nothing_the_standard_library_refuses(text: str) -> None:
    try:
        parse(text)
    except NotJson:
        return
    json.loads(text)


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("", "the file ends where a value is expected", 0),
        ('{"a": 1', "the file ends where ',' or '}' is expected", 7),
        ("[1 2]", "'2' where ',' or ']' is expected", 3),
        ('{"a" 1}', "'1' where ':' is expected", 5),
        ("{a: 1}", "'a' where a key in double quotes is expected", 1),
        ('{"a": 1,}', "a comma after the last item", 7),
        ("[1, ]", "a comma after the last item", 2),
        ("{} {}", "'{' where the end of the file is expected", 3),
        ("{// x\n}", "a comment", 1),
        ("/* x */ {}", "a comment", 0),
        ('{"a": # x\n 1}', "a comment", 6),
        ('{"a": 1, "a": 2}', 'the key "a" stands here a second time', 9),
        ('{"a": NaN}', "'N' where a value is expected", 6),
        ("[01]", "'1' where ',' or ']' is expected", 2),
        ('["a\nb"]', "a string that is not closed, or holds a control character", 1),
        (r'["\x"]', "a string that is not closed, or holds a control character", 1),
        ("[" * 200, "more than 100 levels of nesting", 101),
    ],
)
def test_what_is_not_json_is_named_with_its_place(text: str, message: str, offset: int) -> None:
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert (str(caught.value), caught.value.offset) == (message, offset)


def test_keys_that_differ_in_spelling_only_are_the_same_key() -> None:
    with pytest.raises(NotJson, match="a second time"):
        parse(r'{"a": 1, "\u0061": 2}')


def test_lines_and_columns_count_from_one() -> None:
    assert [position("ab\ncd", offset) for offset in (0, 1, 3, 4)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "scalar"),
    [
        ("null", Kind.NULL, None),
        ("true", Kind.BOOLEAN, True),
        ("false", Kind.BOOLEAN, False),
        ('"\\u00e9"', Kind.STRING, "é"),
        ("-1.5e+3", Kind.NUMBER, None),
    ],
)
def test_plain_values_know_what_they_are(text: str, kind: Kind, scalar: object) -> None:
    assert parse(text) == Node(kind, 0, len(text), scalar=scalar)


def test_key_an_object_lacks_is_none() -> None:
    assert parse('{"a": 1}').get("b") is None


@pytest.mark.parametrize(
    ("text", "index", "after"),
    [
        ("[ 1 ]", 0, "[]"),
        ("[1, 2, 3]", 0, "[2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        ('{"a": 1, "b": 2}', 0, '{"b": 2}'),
        ('{"a": 1 , "b": 2 }', 1, '{"a": 1 }'),
    ],
)
def test_dropped_item_takes_its_comma_along(text: str, index: int, after: str) -> None:
    assert jsontext.drop(text, parse(text), index) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[]", "[\n  7\n]"),
        ("[ \n ]", "[\n  7\n]"),
        ("[1]", "[1, 7]"),
        ("[\n    1\n]", "[\n    1,\n    7\n]"),
        ("[\r\n\t1\r\n]", "[\r\n\t1,\r\n\t7\r\n]"),
        ("[\n1\n]", "[\n1,\n7\n]"),
    ],
)
def test_added_item_is_written_as_its_neighbours_are(text: str, after: str) -> None:
    assert jsontext.append(text, parse(text), 7) == after


def test_added_text_keeps_its_letters_and_its_rare_line_breaks() -> None:
    text = jsontext.append("{}", parse("{}"), "é\u2028", "ü")
    assert text == '{\n  "ü": "é\u2028"\n}'


def test_empty_container_in_a_one_line_file_stays_on_the_line() -> None:
    text = '{"a": {}}'
    inner = parse(text).items[0]
    assert jsontext.append(text, inner, [1], "b") == '{"a": {"b": [1]}}'


@UNHURRIED
@given(
    value=st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=4),
    added=VALUES,
    indent=st.sampled_from([None, 1, 2, "\t"]),
)
def test_dropping_what_was_added_gives_the_text_back(
    value: dict[str, object], added: object, indent: str
) -> None:
    text = json.dumps(value, indent=indent) + "\n"
    grown = jsontext.append(text, parse(text), added, "a key longer than any other")
    root = parse(grown)
    assert json.loads(grown) == {**value, "a key longer than any other": added}
    assert jsontext.drop(grown, root, len(root.items) - 1) == text
