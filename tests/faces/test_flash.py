"""A flash is whole on its band, and a resting key keeps a word that can be read."""

from __future__ import annotations

import string
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.faces.picture import draw_face
from flightdeck.faces.svg import paint
from flightdeck.faces.text import FLOOR
from flightdeck.faces.words import glyph_to, words
from flightdeck.model.contrast import contrast
from tests.faces.boxes import Box, box, shown
from tests.faces.looks import ARMED, REASONS, REST, SIDES, a_view, of_look

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView

FLASHES = (
    *REASONS, "sent", "gone", "armed", "too soon", "changed", "nothing pending", "no window",
    "not current", "everything at last", "not delivered", "cancelled", "queued", "expired",
    "no target", "explain queued", "another queued", "not working", "not blocked",
    "delivered", "cannot be typed", "cannot type there", "not in front", "no id yet",
)  # fmt: skip


@pytest.mark.parametrize("look", [ARMED, REST], ids=["armed", "rest"])
@pytest.mark.parametrize("word", FLASHES)
def test_a_flash_is_whole_on_a_line_or_two(word: str, look: object) -> None:
    view = of_look(look, top="api", lines=("a", "b"), flash=word)  # type: ignore[arg-type]
    lines = shown(view)
    assert " ".join(line.text for line in lines) == word.upper()
    assert len(lines) <= 2
    assert min(line.size for line in lines) >= FLOOR


@pytest.mark.parametrize("look", [ARMED, REST], ids=["armed", "rest"])
@given(
    word=st.text(st.sampled_from(string.ascii_letters + " -"), max_size=40), selected=st.booleans()
)
def test_a_flash_stays_on_its_band(look: object, word: str, selected: bool) -> None:
    view = of_look(look, flash=word or "x", selected=selected)  # type: ignore[arg-type]
    told = words(view)
    assert told.band is not None
    edge = 9 if selected else 4
    band = Box(edge, told.band.top, 96 - edge, told.band.top + told.band.height)
    boxes = [box(line) for line in told.loud if line.path]
    assert all(one.inside(band) for one in boxes)
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))


@pytest.mark.parametrize("word", ["sent", "nothing pending"])
@pytest.mark.parametrize(
    "view",
    [of_look(ARMED), of_look(REST, queued=True, top="queued", bottom="TEST")],
    ids=["armed", "queued"],
)
def test_the_band_of_a_flash_leaves_what_is_above_it_alone(view: KeyView, word: str) -> None:
    view = replace(view, flash=word)
    told = words(view)
    assert told.band is not None
    assert told.band.top > glyph_to(view)
    assert told.band.top + told.band.height < 96


@pytest.mark.parametrize("word", ["x" * 18, "W" * 18])
def test_eighteen_letters_of_one_word_are_whole(word: str) -> None:
    assert [line.text for line in shown(a_view(flash=word))] == [word.upper()]


def test_a_longer_word_ends_in_an_ellipsis() -> None:
    assert shown(a_view(flash="x" * 19))[0].text.endswith("\u2026")


def test_a_short_flash_is_on_one_line() -> None:
    assert len(shown(a_view(flash="too soon"))) == 1


def test_two_lines_of_a_flash_are_larger_than_one_would_be() -> None:
    lines = shown(of_look(REST, flash="nothing pending"))
    assert [line.text for line in lines] == ["NOTHING", "PENDING"]
    assert min(line.size for line in lines) > 14


@pytest.mark.parametrize("side", SIDES)
def test_a_resting_key_can_be_read_as_it_is_drawn(side: int, rasteriser: str) -> None:
    view = of_look(REST, bottom="APPROVE", dimmed=True)
    colours = [colour for _, colour in draw_face(view, side, side).getcolors(99999) or []]
    brightest = max(colour for colour in colours if isinstance(colour, tuple))
    drawn = "#" + "".join(f"{part:02x}" for part in brightest)
    assert (rasteriser, contrast(drawn, paint(view).ground) >= 4.5) == (rasteriser, True)


def test_a_resting_key_is_darker_than_one_in_use() -> None:
    resting, used = paint(of_look(REST, dimmed=True)), paint(of_look(REST))
    assert contrast(used.ink, used.ground) > contrast(resting.ink, resting.ground)
    assert contrast(used.ground, resting.ground) > 1.08
