"""Face templates are tried with a key of each kind; what is wrong has its line."""

from __future__ import annotations

import pytest

from flightdeck.config.templates import FACES, load_templates
from flightdeck.errors import Unavailable
from flightdeck.faces.trial import only_check, problems_of
from flightdeck.templating import Source, Templates

SIZE = [(96, 96)]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def made(text: str, *more: Source) -> Templates:
    return Templates([Source("faces/key.svg.j2", "key.svg.j2", text, own=True), *more], markup=True)


def told(text: str) -> list[tuple[str, str]]:
    found = problems_of(made(text), SIZE)
    return [(str(problem.location), problem.message) for problem in found]


def test_shipped_face_has_no_problem() -> None:
    assert problems_of(load_templates(FACES), SIZE) == []


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("\n<image/>", "key.svg.j2:2:1", "element 'image' is not allowed"),
        ("\n <g style='x'/>", "key.svg.j2:2:5", "attribute 'style' is not allowed"),
        ('\n<g fill="Red!"/>', "key.svg.j2:2:4", "attribute 'fill' is not written as it should be"),
        ("\n<g></h>", "key.svg.j2:2:1", "not well-formed: mismatched tag: line 2, column 5"),
        ("<g/>" * 96, "key.svg.j2", "more than 96 elements"),
        ('<g fill="{{ "Red" ~ "!" }}"/>', "key.svg.j2", "attribute 'fill' is not written"),
        ("\n<!DOCTYPE x>", "key.svg.j2:2:1", "not well-formed"),
    ],
)
def test_what_may_not_be_drawn_is_told_where_it_is_written(
    text: str, where: str, message: str
) -> None:
    ((place, said),) = told(SVG.format(text))
    assert place == where
    assert said.startswith(f"a key cannot be drawn: {message}")


def test_problem_is_told_once_however_many_keys_have_it() -> None:
    assert told("{{ nope }}") == [("key.svg.j2:1:4", "'nope' is undefined")]


def test_different_problems_of_different_keys_are_all_told() -> None:
    text = "{% if view.flash %}{{ a }}{% elif view.stale %}{{ b }}{% endif %}" + SVG.format("")
    assert {message for _, message in told(text)} == {"'a' is undefined", "'b' is undefined"}


def test_place_is_sought_in_ones_own_template_first() -> None:
    shipped = Source("faces/marks.svg.j2", "marks.svg.j2", "<image/>")
    templates = made(SVG.format("<image/>"), shipped)
    (problem,) = problems_of(templates, SIZE, draw=only_check)
    assert problem.location.file == "key.svg.j2"


def test_machine_without_a_rasteriser_is_not_the_templates_fault() -> None:
    def draw(*_: object) -> None:
        raise Unavailable("no rasteriser")

    assert problems_of(made(SVG.format("")), SIZE, draw=draw) == []


def test_rasteriser_that_fails_is_told_without_what_it_says() -> None:
    def draw(*_: object) -> None:
        raise KeyError("what the key shows")

    (problem,) = problems_of(made(SVG.format("")), SIZE, draw=draw)
    assert problem.message == "a key cannot be drawn (KeyError)"
