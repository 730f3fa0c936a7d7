"""Every channel of a view is in the SVG, by itself, as geometry, with the contrast it needs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.faces import guard, svg
from flightdeck.model.contrast import contrast
from flightdeck.model.layout import Glyph, Look, Shape, ShapeKind
from flightdeck.model.lifecycle import State
from tests.faces.looks import ARMED, LOOKS, REST, TRIANGLE_UP, a_view, of_look

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView

NAMESPACE = "{http://www.w3.org/2000/svg}"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
SHOWN = [*(look for state, look in LOOKS.items() if state is not State.EMPTY), ARMED, REST]


def drawn(view: KeyView) -> ET.Element:
    """Return the face as a tree."""
    return ET.fromstring(svg.render_svg(view, 96, 96))


def elements(view: KeyView) -> set[str]:
    """Return the names of all elements of a face."""
    return {element.tag.removeprefix(NAMESPACE) for element in drawn(view).iter()}


def everything() -> KeyView:
    """Return a view with every channel in use at once."""
    return a_view(
        State.BLOCKED, top="a", bottom="b", selected=True, dimmed=True, halted=True, count=3,
        brakes_off=True, stale=True, untracked=True, queued=True, progress=0.5,
    )  # fmt: skip


def test_a_face_with_everything_on_it_is_plain_geometry() -> None:
    assert elements(everything()) == {"svg", "g", "rect", "path", "polygon", "circle"}


@pytest.mark.parametrize("flash", ["", "sent"])
def test_every_face_may_be_drawn(flash: str) -> None:
    guard.check(svg.render_svg(replace(everything(), flash=flash), 96, 96))


@pytest.mark.parametrize(
    "channel",
    [
        {"top": "other"},
        {"bottom": "other"},
        {"selected": True},
        {"dimmed": True},
        {"halted": True},
        {"brakes_off": True},
        {"count": 1},
        {"stale": True},
        {"untracked": True},
        {"queued": True},
        {"flash": "sent"},
        {"progress": 0.5},
        {"faulty": True},
        {"glyph": None},
        {"background": "#112233"},
        {"ink": "#eeeeee"},
        {"glyph_ink": "#eeeeee"},
    ],
    ids=lambda channel: next(iter(channel)),
)
def test_every_channel_changes_the_picture(channel: dict[str, object]) -> None:
    plain = a_view(top="checkout", bottom="fix-flaky")
    changed = replace(plain, **channel)  # type: ignore[arg-type]
    assert svg.render_svg(plain, 96, 96) != svg.render_svg(changed, 96, 96)


def test_the_name_for_screen_readers_is_not_in_the_picture() -> None:
    assert "secret" not in svg.render_svg(a_view(name="secret"), 96, 96)


@pytest.mark.parametrize(
    "label",
    [
        "R&D",
        "a<b>\"c'",
        "&amp;",
        '</text><image xlink:href="file:///etc/hosts"/>',
        "]]>",
        "\x00\ud800",
    ],
)
def test_no_label_reaches_the_markup(label: str) -> None:
    plain = elements(a_view(top="x", bottom="x", flash=""))
    assert elements(a_view(top=label, bottom=label)) == plain


@given(top=ANY_TEXT, bottom=ANY_TEXT, flash=ANY_TEXT)
def test_any_label_makes_a_face_that_may_be_drawn(top: str, bottom: str, flash: str) -> None:
    for view in (a_view(top=top, bottom=bottom), a_view(flash=flash)):
        guard.check(svg.render_svg(view, 96, 96))


def test_a_label_of_the_most_intricate_letters_may_be_drawn() -> None:
    stored = resources.files("flightdeck.faces").joinpath("glyphs.json").read_text("utf-8")
    glyphs: dict[str, tuple[int, str]] = json.loads(stored)["glyphs"]
    worst = max(glyphs, key=lambda letter: len(glyphs[letter][1]) / (glyphs[letter][0] or 1))
    view = replace(everything(), top=worst * 40, bottom=worst * 40)
    guard.check(svg.render_svg(view, 96, 96))


@pytest.mark.parametrize("halted", [False, True])
@pytest.mark.parametrize("dimmed", [False, True])
@pytest.mark.parametrize("look", SHOWN, ids=lambda look: look.colour)
def test_text_has_a_contrast_of_four_and_a_half(look: Look, dimmed: bool, halted: bool) -> None:
    paint = svg.paint(of_look(look, dimmed=dimmed, halted=halted))
    behind = paint.hatch if halted else paint.ground
    assert min(contrast(paint.ink, behind), contrast(paint.quiet, behind)) >= 4.5


@pytest.mark.parametrize("halted", [False, True])
@pytest.mark.parametrize("dimmed", [False, True])
@pytest.mark.parametrize("look", SHOWN, ids=lambda look: look.colour)
def test_a_glyph_has_a_contrast_of_three(look: Look, dimmed: bool, halted: bool) -> None:
    paint = svg.paint(of_look(look, dimmed=dimmed, halted=halted))
    assert contrast(paint.glyph, paint.hatch if halted else paint.ground) >= 3


@pytest.mark.parametrize("dimmed", [False, True])
@pytest.mark.parametrize("look", [*SHOWN, LOOKS[State.EMPTY]], ids=lambda look: look.colour)
def test_hatching_is_seen_on_every_ground(look: Look, dimmed: bool) -> None:
    paint = svg.paint(of_look(look, dimmed=dimmed, halted=True))
    assert contrast(paint.hatch, paint.ground) >= 1.3


@pytest.mark.parametrize("halted", [False, True])
@pytest.mark.parametrize("dimmed", [False, True])
@pytest.mark.parametrize("look", SHOWN, ids=lambda look: look.colour)
def test_a_ringed_mark_is_told_from_every_ground(look: Look, dimmed: bool, halted: bool) -> None:
    paint = svg.paint(of_look(look, dimmed=dimmed, halted=halted))
    behind = (paint.ground, paint.hatch) if halted else (paint.ground,)
    assert contrast(paint.light, paint.dark) >= 3
    assert all(max(contrast(paint.light, one), contrast(paint.dark, one)) >= 3 for one in behind)


@pytest.mark.parametrize("channel", ["untracked", "queued", "stale"])
def test_no_mark_covers_what_must_be_read_to_the_letter(channel: str) -> None:
    plain = of_look(ARMED, lines=("TEAR DOWN", "webshop", "1482-retry", "CONFIRM?"))
    marked = replace(plain, **{channel: True})  # type: ignore[arg-type]
    assert svg.render_svg(marked, 96, 96) == svg.render_svg(plain, 96, 96)


def test_the_sign_of_the_queue_stands_where_a_glyph_would_in_the_ink_of_the_key() -> None:
    group = drawn(of_look(REST, queued=True)).find(f"{NAMESPACE}g")
    assert group is not None
    assert group.get("transform") == svg.glyph_at(a_view())
    colours = {piece.get(name, "none").lower() for piece in group for name in ("fill", "stroke")}
    assert colours == {"none", REST.ink}


@pytest.mark.parametrize("look", SHOWN, ids=lambda look: look.colour)
def test_a_dimmed_key_is_darker(look: Look) -> None:
    seen, unseen = svg.paint(of_look(look, dimmed=True)), svg.paint(of_look(look))
    assert contrast(seen.ground, "#000000") < contrast(unseen.ground, "#000000")


def test_a_flash_is_ground_on_ink_and_brings_no_colour_of_its_own() -> None:
    view = a_view(State.BLOCKED, flash="sent")
    fills = {element.get("fill", "").lower() for element in drawn(view).iter()}
    assert fills - {"", "none"} == {view.background.lower(), view.ink.lower()}


def test_without_labels_the_glyph_stands_in_the_middle() -> None:
    group = drawn(a_view()).find(f"{NAMESPACE}g")
    assert group is not None
    assert "translate(48 48)" in group.get("transform", "")


def test_with_labels_the_glyph_stays_where_its_author_put_it() -> None:
    group = drawn(a_view(bottom="x")).find(f"{NAMESPACE}g")
    assert group is not None
    assert group.get("transform") is None


@pytest.mark.parametrize(("count", "shown"), [(1, "1"), (99, "99"), (100, "99+"), (10**9, "99+")])
def test_a_count_stays_small(count: int, shown: str) -> None:
    badge = svg.badge(count)
    assert badge is not None
    assert badge.line.text == shown


@pytest.mark.parametrize("count", [0, -3])
def test_nothing_waiting_shows_no_count(count: int) -> None:
    assert svg.badge(count) is None


@pytest.mark.parametrize(
    ("done", "shown"),
    [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (7.0, 1.0), (-1.0, 0.0), (float("inf"), 1.0)],
)
def test_progress_stays_between_nothing_and_all(done: float, shown: float) -> None:
    assert svg.progress(done) == shown


def test_progress_that_is_no_number_is_none() -> None:
    assert svg.progress(float("nan")) == 0.0


def test_a_cut_piece_takes_the_colour_of_the_ground() -> None:
    hole = Shape(ShapeKind.CIRCLE, (48, 40, 4), cut=True)
    view = a_view(State.DONE, glyph=Glyph("holed", (*TRIANGLE_UP.shapes, hole)))
    circle = drawn(view).find(f".//{NAMESPACE}circle")
    assert circle is not None
    assert circle.get("fill") == view.background.lower()


def test_each_kind_of_shape_is_drawn() -> None:
    shapes = (
        Shape(ShapeKind.POLYGON, (1, 2, 3, 4, 5, 6)),
        Shape(ShapeKind.PATH, path="M0 0L9 9", stroke=3),
        Shape(ShapeKind.CIRCLE, (48, 40, 4)),
        Shape(ShapeKind.LINE, (1, 2, 3, 4), stroke=2),
    )
    assert elements(a_view(glyph=Glyph("all", shapes))) >= {"polygon", "path", "circle", "line"}


def test_a_colour_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="#rrggbb"):
        svg.render_svg(a_view(background='red"/><image/>'), 96, 96)
