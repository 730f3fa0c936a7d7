"""Flow style shown as block style, in the hint of the problem."""

from __future__ import annotations

from flightdeck.config.document import parse_document


def hint(text: str) -> list[str]:
    (problem,) = parse_document(text, "f.yaml").faults
    return problem.hint.split("\n")[1:]


def test_list_becomes_dashes() -> None:
    assert hint("a: [b, [c, d]]\n") == ["    - b", "    - - c", "      - d"]


def test_mapping_becomes_lines() -> None:
    assert hint("{a: 1, b: {c: 2}, d: }\n") == ["    a: 1", "    b:", "      c: 2", "    d:"]


def test_quoted_text_stays_quoted() -> None:
    assert hint("a: [\"it's\", '#F5A623']\n") == ["    - 'it''s'", "    - '#F5A623'"]


def test_empty_list_in_a_list_is_a_bare_dash() -> None:
    assert hint("a: [[]]\n") == ["    - "]


def test_long_list_is_cut() -> None:
    assert hint("a: [1,2,3,4,5,6,7,8,9,10]\n")[-2:] == ["    - 8", "    …"]


def test_empty_flow_has_no_block_form() -> None:
    (problem,) = parse_document("a: []\n", "f.yaml").faults
    assert problem.hint == "leave the key out, or quote the text if the brackets belong to it"
