"""Contrast as WCAG counts it."""

from __future__ import annotations

import pytest

from flightdeck.model.contrast import channels, contrast


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_a_colour_has_no_contrast_with_itself() -> None:
    assert contrast("#f5a623", "#f5a623") == pytest.approx(1)


def test_contrast_of_a_known_pair_is_the_published_one() -> None:
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("wrong", ["", "#fff", "red", "#12345g", "#1234567", " #123456"])
def test_only_six_hex_digits_are_a_colour(wrong: str) -> None:
    with pytest.raises(ValueError, match="#rrggbb"):
        channels(wrong)
