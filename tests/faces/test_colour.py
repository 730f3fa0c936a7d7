"""Colours that never go quieter than can be read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flightdeck.faces.colour import darker, mix, quieter
from flightdeck.model.contrast import contrast, luminance

COLOURS = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")


def test_a_mix_of_nothing_is_the_colour_itself() -> None:
    assert mix("#F5A623", "#000000", 0) == "#f5a623"


def test_a_mix_of_all_is_the_other_colour() -> None:
    assert mix("#F5A623", "#102030", 1) == "#102030"


@given(ink=COLOURS, ground=COLOURS, other=COLOURS, share=st.floats(0, 1))
def test_a_quieter_ink_that_could_be_read_still_can(
    ink: str, ground: str, other: str, share: float
) -> None:
    before = min(contrast(ink, ground), contrast(ink, other))
    quiet = quieter(ink, (ground, other), share, 4.5)
    assert min(contrast(quiet, ground), contrast(quiet, other)) >= min(4.5, before)


def test_an_ink_that_could_not_be_read_is_left_as_its_author_chose_it() -> None:
    assert quieter("#444444", ("#333333",), 0.5, 4.5) == "#444444"


def test_an_ink_that_can_be_read_becomes_quieter() -> None:
    assert quieter("#ffffff", ("#000000",), 0.4, 4.5) == "#999999"


@given(ground=COLOURS, ink=COLOURS)
def test_a_darker_ground_never_costs_an_ink_its_contrast(ground: str, ink: str) -> None:
    if contrast(ink, ground) < 4.5:  # one of the two always reaches it
        ink = max("#000000", "#ffffff", key=lambda plain: contrast(plain, ground))
    assert contrast(ink, darker(ground, 0.5, ((ink, 4.5),))) >= 4.5


def test_an_ink_without_contrast_does_not_keep_the_ground_bright() -> None:
    assert darker("#444444", 0.5, (("#333333", 4.5),)) == "#222222"


@given(ground=COLOURS)
def test_a_darker_ground_is_not_brighter(ground: str) -> None:
    assert luminance(darker(ground, 0.5, ())) <= luminance(ground)


def test_a_ground_with_no_contrast_to_spare_stays_as_it_is() -> None:
    assert darker("#757575", 0.5, (("#000000", 4.5),)) == "#757575"
