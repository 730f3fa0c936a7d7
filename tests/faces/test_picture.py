"""Pixels of whole faces, and one broken face that stays one broken face."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from flightdeck.errors import FlightdeckError
from flightdeck.faces import picture, raster
from flightdeck.faces.picture import draw_face, error_face
from flightdeck.faces.svg import render_svg
from flightdeck.model.contrast import channels, contrast
from flightdeck.model.layout import Glyph, Shape, ShapeKind
from flightdeck.model.lifecycle import State
from tests.faces.conftest import here
from tests.faces.looks import LOOKS, a_view

if TYPE_CHECKING:
    from PIL import Image

    from flightdeck.model.keyview import KeyView

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def nested(levels: int) -> str:
    """Return a small picture in which each group holds ten references to the one before."""
    groups = "".join(
        f'<g id="a{level}">' + f'<use xlink:href="#a{level - 1}"/>' * 10 + "</g>"
        for level in range(1, levels + 1)
    )
    first = '<g id="a0"><rect width="9" height="9"/></g>'
    return f'{HEAD}<defs>{first}{groups}</defs><use xlink:href="#a{levels}"/></svg>'


def same(one: Image.Image, other: Image.Image) -> bool:
    """Say whether two pictures are equal in every pixel."""
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


def from_template(monkeypatch: pytest.MonkeyPatch, svg: str) -> Image.Image:
    """Return the face a template draws that somebody edited to give `svg`."""
    monkeypatch.setattr(picture, "render_svg", lambda *_: svg)
    return draw_face(a_view(), 96, 96)


@pytest.mark.parametrize("label", ["R&D", "a<b>\"c'", "&amp;"])
def test_a_label_of_markup_is_painted(label: str, rasteriser: str) -> None:
    with_label, without = (draw_face(a_view(bottom=b), 96, 96) for b in (label, " "))
    assert (rasteriser, same(with_label, without)) == (rasteriser, False)


def test_an_escaped_ampersand_is_five_characters(rasteriser: str) -> None:
    long, short = (draw_face(a_view(glyph=None, bottom=b), 96, 96) for b in ("&amp;", "&"))
    assert ink_width(long, LOOKS[State.WORKING].colour) > 2 * ink_width(
        short, LOOKS[State.WORKING].colour
    ), rasteriser


def ink_width(image: Image.Image, ground: str) -> int:
    """Return how many columns hold something that is not the ground."""
    plain = image.copy()
    plain.paste(channels(ground), (0, 0, *image.size))
    box = ImageChops.difference(image, plain).getbbox()
    return box[2] - box[0] if box else 0


@pytest.mark.parametrize("view", [a_view(State.EMPTY), a_view(State.IDLE, top="x"), a_view()])
def test_every_face_is_rgb_of_the_size_asked_for(view: KeyView, rasteriser: str) -> None:
    image = draw_face(view, 96, 96)
    assert (rasteriser, image.mode, image.size) == (rasteriser, "RGB", (96, 96))


def test_an_empty_key_is_black_in_every_pixel(rasteriser: str) -> None:
    image = draw_face(a_view(State.EMPTY), 96, 96)
    assert (rasteriser, image.getextrema()) == (rasteriser, ((0, 0), (0, 0), (0, 0)))


@pytest.mark.parametrize("state", [s for s in State if s is not State.EMPTY])
def test_the_ground_of_a_key_is_its_state_s_colour(state: State, rasteriser: str) -> None:
    image = draw_face(a_view(state, top="checkout", bottom="retry"), 96, 96)
    corner = image.getpixel((1, 1))
    assert (rasteriser, corner) == (rasteriser, channels(LOOKS[state].colour))


@pytest.mark.parametrize("side", [72, 80, 96, 120, 192])
def test_a_label_leaves_the_edge_of_the_key_free(side: int, rasteriser: str) -> None:
    image = draw_face(a_view(top="W" * 200, bottom="W" * 200), side, side)
    edge = image.crop((0, 0, side // 24, side))
    assert (rasteriser, edge.getcolors()) == (
        rasteriser,
        [(edge.width * edge.height, channels(LOOKS[State.WORKING].colour))],
    )


def test_a_view_that_cannot_be_drawn_shows_the_error_face(rasteriser: str) -> None:
    assert same(draw_face(a_view(ink="nonsense"), 96, 96), error_face(96, 96)), rasteriser


def test_a_glyph_without_its_numbers_costs_only_that_key_its_face() -> None:
    bad = Glyph("bad", (Shape(ShapeKind.CIRCLE, ()),))
    faces = [draw_face(v, 96, 96) for v in (a_view(), a_view(glyph=bad), a_view())]
    assert [same(face, error_face(96, 96)) for face in faces] == [False, True, False]


def test_the_log_says_why_but_not_what_the_key_showed(caplog: pytest.LogCaptureFixture) -> None:
    draw_face(a_view(ink="nonsense", top="private-repo"), 96, 96)
    assert caplog.messages == ["a face could not be drawn: ValueError: a colour is written #rrggbb"]


def test_a_broken_template_shows_the_error_face(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise FlightdeckError("templates/faces/key.svg.j2:3: unexpected '}'")

    monkeypatch.setattr(picture, "render_svg", broken)
    assert same(draw_face(a_view(), 96, 96), error_face(96, 96))


@pytest.mark.timeout(10)  # drawn as it stands, it takes longer with each level of nesting
def test_nested_references_give_the_error_face(
    monkeypatch: pytest.MonkeyPatch, rasteriser: str
) -> None:
    image = from_template(monkeypatch, nested(levels=9))
    assert same(image, error_face(96, 96)), rasteriser


def test_nested_references_never_reach_a_rasteriser(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    watched = dict.fromkeys(raster._DRAW, lambda svg, *_: seen.append(svg))
    monkeypatch.setattr(raster, "_DRAW", watched)
    from_template(monkeypatch, nested(levels=4))
    assert seen == []


def test_the_other_keys_go_on_beside_a_face_that_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def edited(view: KeyView, width: int, height: int, *_: object) -> str:
        return nested(levels=9) if view.bottom == "bad" else render_svg(view, width, height)

    monkeypatch.setattr(picture, "render_svg", edited)
    views = [a_view(bottom="bad" if index == 7 else str(index)) for index in range(32)]
    failed = [same(draw_face(view, 96, 96), error_face(96, 96)) for view in views]
    assert failed == [index == 7 for index in range(32)]


def test_a_picture_from_the_network_is_never_asked_for(
    monkeypatch: pytest.MonkeyPatch, rasteriser: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        href = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        from_template(monkeypatch, f'{HEAD}<image xlink:href="{href}" width="9" height="9"/></svg>')
        with pytest.raises(BlockingIOError):
            server.accept()
    assert rasteriser


@pytest.mark.parametrize("name", ["cairo", "resvg"])
def test_a_rasteriser_itself_would_not_ask_the_network_either(name: str) -> None:
    """The second line of defence: what they do with a picture nobody checked."""
    here(name)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        href = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        raster._DRAW[name](f'{HEAD}<image xlink:href="{href}" width="9" height="9"/></svg>', 9, 9)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_label_that_names_a_file_is_painted_as_its_letters(rasteriser: str) -> None:
    label = '</text><image xlink:href="file:///etc/hosts" width="96" height="96"/>'
    image = draw_face(a_view(bottom=label), 96, 96)
    assert (rasteriser, same(image, error_face(96, 96))) == (rasteriser, False)


@pytest.mark.parametrize("name", ["cairo", "resvg"])
@settings(max_examples=60, deadline=None)
@given(top=ANY_TEXT, bottom=ANY_TEXT)
def test_any_label_at_all_is_painted(name: str, top: str, bottom: str) -> None:
    here(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(raster.VARIABLE, name)
        assert not same(draw_face(a_view(top=top, bottom=bottom), 96, 96), error_face(96, 96))


def test_an_entity_that_names_a_file_gives_the_error_face(
    monkeypatch: pytest.MonkeyPatch, rasteriser: str
) -> None:
    entity = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    image = from_template(monkeypatch, f"{entity}{HEAD}<text>&x;</text></svg>")
    assert same(image, error_face(96, 96)), rasteriser


@pytest.mark.parametrize("look", LOOKS.values(), ids=lambda look: look.colour)
def test_the_error_face_has_no_state_s_colour(look: object) -> None:
    ground = error_face(96, 96).getpixel((1, 1))
    assert ground not in {channels(one.colour) for one in LOOKS.values()}, look


def test_the_error_face_is_read_without_colour() -> None:
    colours = error_face(96, 96).getcolors(9999)
    brightest = max(colour for _, colour in colours or [])
    assert isinstance(brightest, tuple)
    assert contrast("#" + "".join(f"{int(c):02x}" for c in brightest), "#3a3f45") >= 4.5


def test_a_caller_may_draw_on_an_error_face_of_its_own() -> None:
    draw_face(a_view(ink="x"), 96, 96).paste((1, 2, 3), (0, 0, 96, 96))
    assert error_face(96, 96).getpixel((1, 1)) != (1, 2, 3)
