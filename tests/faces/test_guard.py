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


def badly(attribute: str) -> str:
    """Return what is said of an attribute that holds something it should not."""
    return f"attribute '{attribute}' is not written as it should be"


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
    assert refused(svg(f'<rect fill="{fill}"/>')) == badly("fill")


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
    assert refused(svg(" " * 40_000)) == "longer than 36000 characters"


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("r", "1001"),
        ("x", "-90000"),
        ("points", "1 2 3 -1001"),
        ("d", "M0 0L1001 0"),
        ("d", "M0 0" + "l300 0" * 4),
        ("d", "M0 0h600h600"),
    ],
)
def test_nothing_lies_far_from_the_key(attribute: str, value: str) -> None:
    reason = f"attribute '{attribute}' leads farther than 1000"
    assert refused(svg(f'<g {attribute}="{value}"/>')) == reason


@pytest.mark.parametrize(
    "arc", ["A0.001 9 0 0 1 9 9", "a9 9 0 0 1 9 9 9 999 0 1 0 5 5", "A0 1 0 0 0 9 9"]
)
def test_an_arc_is_not_long_and_thin(arc: str) -> None:
    reason = "attribute 'd' leads farther than 1000"
    assert refused(svg(f'<path d="M0 0{arc}"/>')) == reason


def test_an_ellipse_on_the_grid_may_be_flat() -> None:
    check(svg('<path d="M0 0A5 90 0 0 1 90 90"/>'))


def test_a_number_counts_as_large_as_it_is_drawn() -> None:
    check(svg('<path transform="matrix(0.01 0 0 0.01 48 48)" d="M9000 0l90 90"/>'))


def test_an_enlarged_number_counts_as_large_as_it_is_drawn() -> None:
    reason = "attribute 'r' leads farther than 1000"
    assert refused(svg('<g transform="scale(4)"><circle r="300"/></g>')) == reason


@pytest.mark.parametrize("move", ["translate(600 0)", "rotate(9 300 0)", "matrix(1 0 0 1 0 600)"])
def test_moves_add_up(move: str) -> None:
    nested_moves = f'<g transform="{move}"><g transform="{move}"/></g>'
    assert refused(svg(nested_moves)) == "moved by more than 1000"


def test_stretches_of_a_path_do_not_add_up() -> None:
    check(svg(f'<path d="{"M0 0l300 300z" * 20}"/>'))


@pytest.mark.parametrize("number", ["0.0123456", "999.125", "-12"])
def test_many_decimals_are_not_a_large_number(number: str) -> None:
    check(svg(f'<circle cx="{number}"/>'))


def test_a_colour_of_digits_is_not_a_large_number() -> None:
    check(svg('<rect fill="#123456"/>'))


def test_groups_that_enlarge_each_other_are_refused() -> None:
    nested = '<g transform="scale(5)"><g transform="matrix(4 0 0 4 0 0)"><rect/></g></g>'
    assert refused(svg(nested)) == "enlarged more than 16 times"


def test_groups_beside_each_other_do_not_add_up() -> None:
    check(svg('<g transform="scale(5)"/>' * 5))


def test_a_tiny_view_box_is_an_enlargement() -> None:
    text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0.1 0.1"/>'
    assert refused(text) == "enlarged more than 16 times"


@pytest.mark.parametrize("box", ["0 0 0 96", "0 0 -1 96"])
def test_a_view_box_has_an_inside(box: str) -> None:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"/>'
    assert refused(text) == "a viewBox has an inside"


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("viewBox", "0 0 96"),
        ("transform", "skewX(89.9)"),
        ("transform", "scale(nan)"),
        ("transform", "scale(1.2.3) x"),
        ("transform", "scale()"),
        ("transform", "ref(svg)"),
        ("r", "1e30"),
        ("r", "inf"),
        ("r", ""),
        ("x", "9999in"),
        ("points", "1 2 3"),
        ("fill", "#12345"),
        ("fill", "rgb(1,2"),
        ("stroke-width", "none"),
        ("stroke-linejoin", "round;"),
        ("xmlns", "http://127.0.0.1/"),
        ("d", "nonsense"),
        ("d", "L1 2"),
        ("d", "M1"),
        ("d", "M1 2 3"),
        ("d", "M1 2L3"),
        ("d", "M1 2C3 4 5 6 7"),
        ("d", "M1 2A3 4 5 2 0 7 8"),
        ("d", "M1 2Z3"),
        ("d", "M1 2e5"),
        ("d", "M0 0A.5 inf"),
        ("d", "M0 0x"),
        ("d", "M0 0T9 9"),
    ],
)
def test_a_value_is_written_as_it_should_be(attribute: str, value: str) -> None:
    assert refused(svg(f'<g {attribute}="{value}"/>')) == badly(attribute)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("d", ""),
        ("d", " M 22 50 L 41 69 L 75 29 "),
        ("d", "M37 20A11 11 0 1 1 48 31L48 36"),
        ("d", "m1,2-3.5.5l1 2 3 4h5v-6q1 2,3 4c1 2 3 4 5 6s1 2 3 4zM0 0"),
        ("points", "48,24 74,68 22,68"),
        ("transform", "translate(48 48) scale(1.3), rotate(45)"),
        ("width", "100%"),
        ("fill", "none"),
        ("fill", "#fff"),
        ("preserveAspectRatio", "xMidYMid meet"),
    ],
)
def test_what_authors_write_is_accepted(attribute: str, value: str) -> None:
    check(svg(f'<g {attribute}="{value}"/>'))


def test_a_long_malformed_path_is_refused_in_one_pass() -> None:
    assert refused(svg(f'<path d="M{"1" * 4 + " "}{"1 " * 11_000}x"/>')) == badly("d")
