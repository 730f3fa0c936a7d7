"""What templates/README.md says a face is given is what it is given, no more and no less."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import fields

import pytest

from flightdeck import shipped
from flightdeck.faces.svg import Badge, Paint, given
from flightdeck.faces.text import Line
from flightdeck.faces.trial import SAMPLES
from flightdeck.faces.words import Band, Words
from flightdeck.model.keyview import KeyView
from flightdeck.sandbox import filters, meter

README = (shipped.folder("templates") / "README.md").read_text(encoding="utf-8")
VIEW = KeyView("#000000", "#ffffff")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading."""
    text = README.split(f"# {heading}\n", 1)[1]
    table = re.search(r"(?:^\|.*\n)+", text, re.M)
    assert table
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`([\w.]+)`", cell))


def named(dataclass: type) -> set[str]:
    return {field.name for field in fields(dataclass)}


def test_names_in_the_table_are_the_names_a_face_is_given() -> None:
    told = set[str]().union(*(names(row[0]) for row in rows("What a face is given")))
    assert told == set(given(VIEW, 96, 96))


@pytest.mark.parametrize(
    ("name", "of"),
    [("paint", named(Paint)), ("words", named(Words) | named(Band)), ("badge", named(Badge))],
)
def test_what_is_in_a_name_is_in_its_row(name: str, of: set[str]) -> None:
    row = next(row for row in rows("What a face is given") if names(row[0]) == {name})
    assert names(row[1]) & of == of


def test_line_has_what_is_said_of_it() -> None:
    assert "A line has `path` and `matrix`" in README
    assert {"path", "matrix"} <= set(dir(Line))


def test_channels_in_the_table_are_those_of_the_view() -> None:
    told = set[str]().union(*(names(row[0]) for row in rows("One channel, one meaning")))
    # The colours come by way of `paint`, and the name is no picture.
    colours = {"background", "ink", "glyph_ink", "name"}
    assert told == named(KeyView) - colours


def test_every_channel_is_tried() -> None:
    for field in fields(KeyView):
        values = {getattr(view, field.name) for view in SAMPLES}
        assert len(values) > 1 or field.name == "name", field.name


def test_sample_is_a_key_of_its_own() -> None:
    assert len(set(SAMPLES)) == len(SAMPLES)
    assert all(dataclasses.is_dataclass(view) for view in SAMPLES)


def test_filters_and_tests_there_are_are_told() -> None:
    told = {row[0]: names(row[1]) for row in rows("What a template may do")}
    ours = {name for name in filters.all_filters() if not name.startswith(" ")}
    assert told["filters"] == ours
    words = {name for name in filters.all_tests() if name.isalpha()}
    assert told["tests"] == words
    assert told["functions"] == set(filters.all_names())


def test_limits_are_told() -> None:
    for limit in (meter.STEPS, meter.CHARACTERS, filters.LONGEST_RANGE):
        assert f"{limit:,}" in README
    assert f"{meter.DEPTH} deep" in README
