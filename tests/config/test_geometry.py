"""Glyphs: four shapes on the grid, and what is no shape."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.faces.guard import check
from flightdeck.faces.svg import render_svg
from flightdeck.model.keyview import KeyView
from flightdeck.model.layout import Glyph, Shape, ShapeKind
from tests.config.panels import compiled, marked, told, with_section


def shapes(*lines: str) -> tuple[Shape, ...]:
    return compiled(glyph(*lines)).glyphs["mark"].shapes


def glyph(*lines: str) -> str:
    return with_section("glyphs:\n  mark:\n" + "".join(f"    {line}\n" for line in lines))


def messages(*lines: str) -> list[str]:
    return [line.split(" ", 1)[1] for line in told(glyph(*lines))]


def test_polygon_is_its_points() -> None:
    assert shapes("polygon: 48,10 72,52.5 24,52") == (
        Shape(ShapeKind.POLYGON, (48, 10, 72, 52.5, 24, 52)),
    )


def test_circle_is_centre_and_radius() -> None:
    assert shapes("circle: 48,31 7") == (Shape(ShapeKind.CIRCLE, (48, 31, 7)),)


def test_line_is_two_points_and_a_width() -> None:
    assert shapes("line: 1,2 3,4", "stroke: 2.5") == (
        Shape(ShapeKind.LINE, (1, 2, 3, 4), stroke=2.5),
    )


def test_path_keeps_its_text_evenly_spaced() -> None:
    assert shapes("path: M26,32L42 48 71 15H3V4", "stroke: 10") == (
        Shape(ShapeKind.PATH, path="M 26 32 L 42 48 71 15 H 3 V 4", stroke=10),
    )


@pytest.mark.parametrize(
    "path", ["M 1 2 C 1 2 3 4 5 6", "M 1 2 Q 1 2 3 4 Z", "M 1 2 A 9 9 0 1 1 3 4 A 9 9 -30 0 0 5 6"]
)
def test_curves_and_arcs_are_path_commands(path: str) -> None:
    assert shapes(f"path: {path}") == (Shape(ShapeKind.PATH, path=path),)


def test_list_of_shapes_is_drawn_in_its_order() -> None:
    drawn = shapes("- circle: 48,31 21", "- line: 36,31 60,31", "  stroke: 8", "  cut: yes")
    assert [(shape.kind, shape.cut) for shape in drawn] == [
        (ShapeKind.CIRCLE, False),
        (ShapeKind.LINE, True),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("polygon: 1,1 2,2", "a polygon of fewer than three points"),
        ("polygon: 1,1 2,200 3,3", "200 is off the grid"),
        ("polygon: 1,1 2,-1 3,3", "-1 is off the grid"),
        ("polygon: 1,1 2 3,3", "'2' is no point"),
        ("polygon: 1,1 2,x 3,3", "'2,x' is no point"),
        ("circle: 48,31", "'48,31' is no circle"),
        ("circle: 48,31 x", "'48,31 x' is no circle"),
        ("circle: 48,31 0", "a circle without a radius"),
        ("circle: 48,31 32", "-1 is off the grid"),
        ("line: 1,2", "'1,2' is no line"),
        ("path: L 1 2", "a path that does not start with M"),
        ("path: M 1 2", "a path that draws nothing"),
        ("path: M 1 2 Z", "a path that draws nothing"),
        ("path: M 1 2 L 3", "path command L with 1 numbers"),
        ("path: M 1 2 L", "path command L with 0 numbers"),
        ("path: M 1 2 L 3 4 Z 5", "path command Z with 1 numbers"),
        ("path: M 1 2 L 3 97", "97 is off the grid"),
        ("path: M 1 2 l 3 4", "path command 'l'"),
        ("path: M 1 2 X 3 4", "path command 'X'"),
        ("path: M 1 2 L 3 4; x", "'; x' is no path data"),
        ("path: M 1 2 L 3 12345", "' 12345' is no path data"),
        ("path: M 1 2 A 0 9 0 1 1 3 4", "an arc without a radius"),
        ("path: M 1 2 A 9 9 0 2 1 3 4", "an arc whose flags are not 0 or 1"),
        ("path: M 1 2 A 9 9 0 1.0 1 3 4", "an arc whose flags are not 0 or 1"),
        ("path: M 1 2 A 4 90 0 1 1 90 90", "an arc too long and thin to draw"),
        ("path: M 1 2 A 9 9 900 1 1 3 4", "an arc too long and thin to draw"),
        ("text: ▲", "unknown key 'text'"),
    ],
)
def test_bad_shape_is_told(line: str, message: str) -> None:
    assert message in messages(line)


def test_shape_is_one_thing_at_a_time() -> None:
    assert messages("circle: 48,31 7", "polygon: 1,1 2,2 3,3") == [
        "glyph 'mark' draws circle and polygon at once"
    ]


def test_glyph_must_draw_something() -> None:
    assert messages("stroke: 3") == ["glyph 'mark' draws nothing"]


def test_glyph_is_no_text() -> None:
    assert told(with_section("glyphs:\n  mark: ▲\n")) == ["5:9 'mark' is not a mapping"]


def test_line_without_a_width_would_not_be_seen() -> None:
    assert messages("line: 1,2 3,4") == ["a line without 'stroke' cannot be seen"]


@pytest.mark.parametrize("width", ["0", "-1", "25", "thick"])
def test_stroke_is_a_width(width: str) -> None:
    assert messages("circle: 48,31 7", f"stroke: {width}") == [f"stroke '{width}' is no width"]


def test_cut_is_yes_or_no() -> None:
    assert messages("circle: 48,31 7", "cut: maybe") == ["'maybe' is neither yes nor no"]


def test_glyph_of_countless_shapes_is_refused() -> None:
    assert messages(*["- circle: 48,31 7"] * 25) == ["glyph of 25 shapes"]


def test_glyph_of_more_than_a_face_can_hold_is_refused() -> None:
    assert messages("path: M 1 1" + " L 10 10" * 1000) == ["glyph 'mark' of 8005 characters"]


@given(
    st.lists(
        st.tuples(
            *[st.integers(1, 960).map(lambda tenths: tenths / 10)] * 2,
            *[st.integers(-999, 999), st.sampled_from([0, 1]), st.sampled_from([0, 1])],
            *[st.integers(0, 96)] * 2,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_every_arc_that_is_let_through_is_drawn(arcs: list[tuple[float, ...]]) -> None:
    path = "M 90 90 A " + " ".join(f"{number:g}" for arc in arcs for number in arc)
    told_of = messages(f"path: {path}")
    if not told_of:
        mark = Glyph("mark", shapes(f"path: {path}"))
        view = KeyView("#000000", "#ffffff", mark)
        for shown in (view, replace(view, top="repository", bottom="a/long-branch")):
            check(render_svg(shown, 96, 96))
    else:
        assert told_of == ["an arc too long and thin to draw"]


@pytest.mark.parametrize("name", ["Triangle", "a b", "-a", "a_b", "1"])
def test_glyph_name_is_small_letters_and_dashes(name: str) -> None:
    text = with_section(f"glyphs:\n  {name}:\n    circle: 48,31 7\n")
    assert told(text) == [f"5:3 '{name}' is no glyph name"]


def test_glyph_is_declared_once() -> None:
    text = glyph("circle: 48,31 7") + "  mark:\n    circle: 48,31 8\n"
    assert told(text) == ["7:3 glyph 'mark' is written twice"]


def test_bad_glyph_is_one_problem_not_one_a_use() -> None:
    text = glyph("circle: 48") + "marks:\n  plan: mark\n"
    assert told(text) == ["6:13 '48' is no circle"]


def test_problem_points_at_the_value() -> None:
    assert marked(glyph("circle: 48,31")) == ["48,31"]
