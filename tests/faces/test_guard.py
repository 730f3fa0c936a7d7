"""What no rasteriser ever sees: references, documents within documents, work without bound."""

from __future__ import annotations

import pytest

from flightdeck.faces.guard import Unsafe, check

SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
PLAIN = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"'


def svg(inside: str) -> str:
    """Return a picture with something in it."""
    return f"<svg {PLAIN}>{inside}</svg>"


def refused(text: str) -> str:
    """Return why `text` may not be drawn."""
    with pytest.raises(Unsafe) as caught:
        check(text)
    return str(caught.value)


def test_plain_shapes_may_be_drawn() -> None:
    check(svg('<g transform="translate(1 2) scale(2)"><path d="M0 0L9 9"/></g>'))


@pytest.mark.parametrize(
    "element",
    ["use", "image", "script", "foreignObject", "style", "text", "filter", "a", "animate"],
)
def test_only_shapes_are_allowed(element: str) -> None:
    assert refused(svg(f"<{element}/>")) == f"element '{element}' is not allowed"


@pytest.mark.parametrize(
    "attribute", ["href", "style", "onload", "class", "filter", "stroke-dasharray", "clip-path"]
)
def test_only_attributes_of_shapes_are_allowed(attribute: str) -> None:
    text = svg(f'<rect {attribute}="x"/>')
    assert refused(text) == f"attribute '{attribute}' is not allowed"


def test_a_linked_namespace_is_not_needed() -> None:
    assert refused(f"<svg {SVG}/>") == "attribute 'xmlns:xlink' is not allowed"


@pytest.mark.parametrize("fill", ["url(#a)", "URL (http://127.0.0.1/x)", "url(file:///etc/hosts)"])
def test_a_paint_refers_to_nothing(fill: str) -> None:
    assert refused(svg(f'<rect fill="{fill}"/>')) == "attribute 'fill' refers to something else"


def test_an_entity_that_names_a_file_is_refused() -> None:
    text = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + svg("&x;")
    assert refused(text) == "a document type is not allowed"


def test_entities_that_multiply_are_refused() -> None:
    text = '<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>' + svg("&b;")
    assert refused(text) == "a document type is not allowed"


def test_a_stylesheet_instruction_is_refused() -> None:
    text = '<?xml-stylesheet href="http://127.0.0.1/x"?>' + svg("")
    assert refused(text) == "a processing instruction is not allowed"


def test_an_encoding_of_its_own_is_refused() -> None:
    text = '<?xml version="1.0" encoding="cp037"?>' + svg("")
    assert refused(text) == "an XML declaration is not allowed"


def test_an_svg_in_the_svg_is_refused() -> None:
    assert refused(svg(svg(""))) == "an svg inside the svg is not allowed"


@pytest.mark.parametrize(
    "text", ["", "<svg", "<svg>&nope;</svg>", "<svg>\x00</svg>", "<svg/><svg/>"]
)
def test_what_is_not_xml_is_refused(text: str) -> None:
    assert refused(text).startswith("not well-formed")


def test_a_lone_surrogate_is_refused() -> None:
    assert refused(svg("\ud800")) == "holds a lone surrogate"


def test_too_many_elements_are_refused() -> None:
    assert refused(svg("<rect/>" * 100)) == "more than 96 elements"


def test_too_long_a_text_is_refused() -> None:
    assert refused(svg(" " * 30_000)) == "longer than 24000 characters"


@pytest.mark.parametrize("number", ["90000", "1e30", "1E5", "-123456", "12345.5"])
def test_a_huge_number_is_refused(number: str) -> None:
    reason = "attribute 'r' holds a number of more than four digits"
    assert refused(svg(f'<circle r="{number}"/>')) == reason


@pytest.mark.parametrize("number", ["0.0123456", "9999.125", "-12"])
def test_many_decimals_are_not_a_huge_number(number: str) -> None:
    check(svg(f'<circle r="{number}"/>'))


def test_a_colour_of_digits_is_not_a_huge_number() -> None:
    check(svg('<rect fill="#123456"/>'))


def test_groups_that_enlarge_each_other_are_refused() -> None:
    nested = '<g transform="scale(5)"><g transform="matrix(4 0 0 4 0 0)"><rect/></g></g>'
    assert refused(svg(nested)) == "enlarged more than 16 times"


def test_groups_beside_each_other_do_not_add_up() -> None:
    check(svg('<g transform="scale(5)"/>' * 5))


def test_a_tiny_view_box_is_an_enlargement() -> None:
    text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0.1 0.1"/>'
    assert refused(text) == "enlarged more than 16 times"


@pytest.mark.parametrize("box", ["0 0 0 96", "0 0 -1 96", "0 0 96"])
def test_a_view_box_has_an_inside(box: str) -> None:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"/>'
    assert refused(text) == "a viewBox is four numbers, the last two above 0"


@pytest.mark.parametrize(
    "transform", ["skewX(89.9)", "scale(nan)", "scale(2) nonsense", "ref(svg)"]
)
def test_a_transform_that_is_not_understood_is_refused(transform: str) -> None:
    assert refused(svg(f'<g transform="{transform}"/>')).startswith("a transform holds something")


def test_a_number_that_is_none_is_refused() -> None:
    assert refused(svg('<g transform="scale(1.2.3)"/>')) == "a number is not written as one"
