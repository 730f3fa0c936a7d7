"""Faces of states and keys: complete, known, and readable."""

from __future__ import annotations

import pytest

from flightdeck.model.lifecycle import Reason, State
from tests.config.panels import compiled, hints, key_at, marked, told, with_keys, with_section

STATES = {
    "blocked": ["colour: '#F5A623'", "glyph: triangle-up"],
    "working": ["colour: '#1256A3'", "glyph: triangle-right"],
    "done": ["colour: '#238636'", "glyph: check"],
    "idle": ["colour: '#25282D'", "glyph: dot"],
    "failed": ["colour: '#B42318'", "glyph: cross"],
    "empty": ["colour: '#000000'"],
}


def states(**changed: list[str] | None) -> str:
    """Return a layout with the six faces, some changed or (None) left out."""
    lines = ["states:"]
    for name, look in (STATES | changed).items():
        if look is not None:
            lines += [f"  {name}:", *(f"    {line}" for line in look)]
    return with_section("\n".join(lines) + "\n")


def blocked(*lines: str) -> str:
    return states(blocked=["glyph: triangle-up", *lines])


def test_six_faces_are_six_looks() -> None:
    looks = compiled(states()).states
    assert set(looks) == set(State)
    assert looks[State.BLOCKED].colour == "#f5a623"
    assert looks[State.EMPTY].glyph is None


def test_ink_left_out_is_the_one_that_reads_better() -> None:
    looks = compiled(states()).states
    assert (looks[State.BLOCKED].ink, looks[State.WORKING].ink) == ("#000000", "#ffffff")


def test_glyph_takes_the_ink_of_the_label_unless_told() -> None:
    assert compiled(blocked("colour: '#F5A623'", "ink: '#1A1203'")).states[
        State.BLOCKED
    ].glyph_ink == ("#1a1203")
    assert compiled(blocked("colour: '#F5A623'", "glyph_ink: '#222222'")).states[
        State.BLOCKED
    ].glyph_ink == ("#222222")


@pytest.mark.parametrize("name", STATES)
def test_state_without_a_face_is_a_problem(name: str) -> None:
    assert told(states(**{name: None})) == [f"4:1 state '{name}' has no face"]


def test_face_without_a_state_is_a_problem() -> None:
    text = states(dnoe=["colour: '#000000'"])
    assert [line.split(" ", 1)[1] for line in told(text)] == [
        "a face for 'dnoe', which is no state"
    ]
    assert hints(text) == ["did you mean 'done'?"]


def test_state_with_two_faces_is_a_problem() -> None:
    text = states() + "  done:\n    colour: '#000000'\n    glyph: check\n"
    assert told(text) == ["22:3 state 'done' has two faces"]
    assert hints(text) == ["the first is on line 11: keep one of them"]


def test_states_are_a_mapping() -> None:
    assert told(with_section("states: none\n")) == ["4:9 'states' is not a mapping"]


def test_colour_alone_never_carries_the_message() -> None:
    assert told(states(done=["colour: '#238636'"])) == ["11:3 'done' has no 'glyph'"]


def test_face_needs_a_colour() -> None:
    assert told(states(done=["glyph: check"])) == ["11:3 'done' has no 'colour'"]


def test_unquoted_colour_is_recognised_as_one() -> None:
    text = blocked("colour: #F5A623")
    assert told(text) == ["7:13 colour of 'blocked' is empty"]
    assert hints(text) == ["quote it: colour: '#F5A623' (an unquoted # starts a comment)"]
    assert marked(text) == ["#F5A623"]


def test_empty_colour_beside_a_comment_is_just_empty() -> None:
    text = blocked("colour: # amber")
    assert told(text) == ["7:12 colour of 'blocked' is empty"]
    assert hints(text) == ["give it a value, or leave it out"]


def test_bad_colour_is_told() -> None:
    assert told(blocked("colour: orange")) == ["7:13 'orange' is not a colour"]


def test_label_that_cannot_be_read_is_a_problem() -> None:
    text = blocked("colour: '#F5A623'", "ink: '#FFFFFF'")
    assert told(text) == ["8:10 label #ffffff on #f5a623 has a contrast of 2.0, needs 4.5"]
    assert hints(text) == ["take #000000, or leave it out"]


def test_glyph_needs_less_contrast_than_text() -> None:
    fine = "glyph_ink: '#5A6A7A'"
    assert told(states(empty=["colour: '#000000'", fine])) == []
    assert told(states(empty=["colour: '#000000'", "glyph_ink: '#444444'"])) == [
        "22:16 glyph #444444 on #000000 has a contrast of 2.2, needs 3"
    ]


def test_unknown_glyph_is_told_with_the_nearest() -> None:
    text = states(done=["colour: '#238636'", "glyph: chekc"])
    assert told(text) == ["13:12 unknown glyph 'chekc'"]
    assert hints(text) == ["did you mean 'check'?"]


def test_glyph_without_a_name_is_told() -> None:
    assert told(states(done=["colour: '#238636'", "glyph:"])) == ["13:11 glyph of 'done' is empty"]


def test_marks_are_for_what_a_blocked_session_waits_for() -> None:
    layout = compiled(with_section("marks:\n  input: dot\n  plan: check\n"))
    assert {reason: glyph.name for reason, glyph in layout.marks.items()} == {
        Reason.INPUT: "dot",
        Reason.PLAN: "check",
    }


def test_mark_for_anything_else_is_a_problem() -> None:
    text = with_section("marks:\n  compacting: dot\n  plan: dott\n")
    assert told(text) == ["5:3 unknown key 'compacting'", "6:9 unknown glyph 'dott'"]


def test_armed_and_rest_are_looks_of_their_own() -> None:
    layout = compiled(with_section("armed:\n  colour: '#000000'\nrest:\n  colour: '#111111'\n"))
    assert (layout.armed.colour, layout.rest.colour) == ("#000000", "#111111")


def test_armed_and_rest_need_a_colour() -> None:
    text = with_section("armed:\n  ink: '#ffffff'\nrest:\n  ink: '#ffffff'\n")
    assert told(text) == ["4:1 'armed' has no 'colour'", "6:1 'rest' has no 'colour'"]


def test_key_takes_what_it_does_not_say_from_rest() -> None:
    layout = compiled(with_keys("1:", "  bind: open app X", "  glyph: dot"))
    look = key_at(layout, 1, 1).look
    assert look is not None
    assert look.glyph is not None
    assert (look.colour, look.ink, look.glyph.name) == (layout.rest.colour, layout.rest.ink, "dot")


def test_key_of_another_colour_has_an_ink_that_reads_on_it() -> None:
    layout = compiled(with_keys("1:", "  bind: open app X", "  colour: '#FFFFFF'"))
    look = key_at(layout, 1, 1).look
    assert look is not None
    assert look.ink == "#000000"
