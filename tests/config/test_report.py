"""Problems as text, as JSON, and as notes in a pull request."""

from __future__ import annotations

import pytest

from flightdeck.config.report import render_github, render_json, render_text
from flightdeck.errors import Location, Problem

EMPTY = Problem(
    Location("layouts/xl.yaml", 14, 13),
    "colour of 'blocked' is empty",
    "quote it",
    "    colour: #F5A623",
    7,
)
VERB = Problem(
    Location("layouts/xl.yaml", 43, 10), "unknown verb 'comit'", "", "      1: verb comit", 10
)
WHOLE = Problem(Location("b.yaml"), "the layout is empty", "start it")


def test_text_shows_place_line_carets_hint_and_sum_by_position() -> None:
    assert render_text([VERB, EMPTY]) == (
        "layouts/xl.yaml:14:13: colour of 'blocked' is empty\n"
        "   14 |     colour: #F5A623\n"
        "      |             ^^^^^^^\n"
        "  hint: quote it\n"
        "layouts/xl.yaml:43:10: unknown verb 'comit'\n"
        "   43 |       1: verb comit\n"
        "      |          ^^^^^^^^^^\n"
        "2 problems in 1 layout"
    )


def test_problem_of_a_whole_file_has_no_line() -> None:
    assert render_text([WHOLE]) == (
        "b.yaml: the layout is empty\n  hint: start it\n1 problem in 1 layout"
    )


def test_files_are_counted() -> None:
    assert render_text([WHOLE, VERB]).endswith("2 problems in 2 layouts")


def test_local_file_is_no_layout() -> None:
    problem = Problem(Location("/home/j/.fleet/local.yaml", 1, 1), "unknown key 'pin'")
    assert render_text([problem]).endswith("1 problem in 1 file")


@pytest.mark.parametrize(
    ("file", "what"), [("verbs/a.md", "verb"), ("verbs/_common.md", "fragment")]
)
def test_texts_for_agents_are_called_what_they_are(file: str, what: str) -> None:
    assert render_text([Problem(Location(file), "x")]).endswith(f"1 problem in 1 {what}")


def test_carets_end_with_the_line() -> None:
    problem = Problem(Location("a.yaml", 1, 3), "long", source="abcd", width=99)
    assert "\n      |   ^^\n" in render_text([problem])


def test_very_long_line_is_cut_around_the_carets() -> None:
    problem = Problem(Location("a.yaml", 1, 5001), "far", source="x" * 5000 + "yy", width=2)
    _, source, carets, _ = render_text([problem]).split("\n")
    assert len(source) < 200
    assert source[carets.index("^") :] == "yy"


def test_nothing_in_a_file_can_steer_the_terminal() -> None:
    problem = Problem(Location("a.yaml", 1, 4), "odd \x1b[2J", source="a\t \x1b[2J")
    assert "\x1b" not in render_text([problem])
    assert "\t" not in render_text([problem])


def test_name_of_a_file_cannot_either() -> None:
    text = render_text([Problem(Location("a\x1b[31m\nb.yaml"), "the layout is empty")])
    assert text.splitlines()[0] == "a\ufffd[31m\ufffdb.yaml: the layout is empty"


def test_json_is_versioned_and_has_every_problem() -> None:
    assert render_json([VERB], ["layouts/xl.yaml"]) == {
        "schema": "flightdeck.validate/1",
        "ok": False,
        "files": ["layouts/xl.yaml"],
        "problems": [
            {
                "file": "layouts/xl.yaml",
                "line": 43,
                "column": 10,
                "width": 10,
                "message": "unknown verb 'comit'",
                "hint": "",
            }
        ],
    }


def test_json_without_problems_is_ok() -> None:
    assert render_json([], ["a.yaml"])["ok"] is True


def test_github_notes_stand_at_their_line() -> None:
    assert render_github([VERB, WHOLE]) == (
        "::error file=b.yaml,title=the layout is empty::the layout is empty%0Ahint: start it\n"
        "::error file=layouts/xl.yaml,line=43,col=10,endColumn=20,"
        "title=unknown verb 'comit'::unknown verb 'comit'"
    )


def test_github_notes_cannot_be_broken_out_of() -> None:
    problem = Problem(Location("a,b:c%.yaml", 1, 1), "x::y, 50%\r\n::error::z", "h\ni")
    assert render_github([problem]) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,endColumn=2,"
        "title=x%3A%3Ay%2C 50%25%0D%0A%3A%3Aerror%3A%3Az"
        "::x::y, 50%25%0D%0A::error::z%0Ahint: h%0Ai"
    )
