"""A face is drawn once, remembered for as long as there is room, and never fails its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.faces import cache
from flightdeck.faces.cache import Faces
from flightdeck.faces.encode import encode
from flightdeck.faces.picture import draw_face, error_face
from flightdeck.model.decks import MODELS
from tests.faces.looks import a_view

if TYPE_CHECKING:
    from PIL import Image

    from flightdeck.model.keyview import KeyView

XL = MODELS["stream-deck-xl"].key


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[KeyView]:
    """Every view that really was drawn."""
    views: list[KeyView] = []

    def watched(view: KeyView, width: int, height: int, *_: object) -> Image.Image:
        views.append(view)
        return draw_face(view, width, height)

    monkeypatch.setattr(cache, "draw_face", watched)
    return views


def test_the_bytes_are_those_of_the_deck_s_format() -> None:
    assert Faces(XL).native(a_view()) == encode(draw_face(a_view(), 96, 96), XL)


def test_an_equal_view_is_not_drawn_again(drawn: list[KeyView]) -> None:
    faces = Faces(XL)
    assert faces.native(a_view(top="x")) is faces.native(a_view(top="x"))
    assert len(drawn) == 1


def test_a_name_for_screen_readers_is_no_new_picture(drawn: list[KeyView]) -> None:
    faces = Faces(XL)
    assert faces.native(a_view(name="one")) is faces.native(a_view(name="two"))
    assert len(drawn) == 1


def test_progress_the_eye_cannot_tell_apart_is_no_new_picture(drawn: list[KeyView]) -> None:
    faces = Faces(XL)
    for done in range(1000):
        faces.native(a_view(progress=done / 1000))
    assert len(drawn) <= 50


def test_the_face_unused_longest_is_forgotten_first(drawn: list[KeyView]) -> None:
    faces = Faces(XL, kept=2)
    for word in ("a", "b", "a", "c", "a", "b"):
        faces.native(a_view(bottom=word))
    assert [view.bottom for view in drawn] == ["a", "b", "c", "b"]


def test_a_broken_view_is_the_error_face() -> None:
    assert Faces(XL).native(a_view(ink="nonsense")) == encode(error_face(96, 96), XL)


def test_a_broken_view_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    faces = Faces(XL)
    for name in ("one", "two", "three"):
        faces.native(a_view(ink="nonsense", name=name))
    assert len(caplog.messages) == 1
