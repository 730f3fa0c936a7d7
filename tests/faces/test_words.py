"""Labels and lines stay on the key, apart from each other, large enough and, told to, whole."""

from __future__ import annotations

import string
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageStat

from flightdeck.faces import guard
from flightdeck.faces.picture import draw_face, error_face
from flightdeck.faces.svg import badge, render_svg
from flightdeck.faces.text import FLOOR, UNKNOWN, exact
from flightdeck.faces.words import Words, glyph_to, words
from flightdeck.model.lifecycle import State
from flightdeck.model.wording import legible
from tests.faces.boxes import Box, box, shown
from tests.faces.looks import ARMED, REASONS, REST, SIDES, a_view, of_look
from tests.faces.verdict_rows import a_rule

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView

KEY = Box(4, 4, 92, 92)
TALL = "jgqy|(Q_$"
WIDE = "M" * 13
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=17)
PRINTABLE = st.text(st.sampled_from(string.printable[:94]), min_size=1, max_size=13)


def armed(*lines: str) -> KeyView:
    """Return an armed key that says `lines`."""
    return of_look(ARMED, lines=lines)


def glyph_box(view: KeyView) -> Box:
    """Return where the glyph of an armed key may be: the shipped ones are 54 units wide."""
    lowest = glyph_to(view)
    half = 27 * (lowest - 5) / 47
    return Box(48 - half, 4, 48 + half, lowest)


# Labels.


def test_the_repository_is_smaller_than_the_branch() -> None:
    top, bottom = shown(a_view(top="api", bottom="retry"))
    assert top.size < bottom.size


def test_a_long_branch_does_not_end_up_smaller_than_its_repository() -> None:
    top, bottom = shown(a_view(top="api", bottom="a-branch-that-goes-on"))
    assert top.size <= bottom.size


def test_the_repository_is_in_capitals_and_the_branch_as_it_is() -> None:
    assert [line.text for line in shown(a_view(top="api", bottom="Retry"))] == ["API", "Retry"]


@pytest.mark.parametrize("view", [a_view(top="api"), a_view(bottom="retry")])
def test_one_line_alone_is_drawn(view: KeyView) -> None:
    assert len(shown(view)) == 1


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("key", ["APPROVE", "REMEMBER", "INTERRUPT", "OTHERWAY"])
def test_a_key_says_whole_why_it_does_nothing(key: str, reason: str) -> None:
    lines = shown(of_look(REST, top=key, bottom=reason, dimmed=True))
    assert [line.text for line in lines] == [key, reason]
    assert all(box(line).inside(KEY) for line in lines)


@pytest.mark.parametrize("glyph", [None, ARMED.glyph])
def test_labels_stay_clear_of_the_border_of_a_selected_key(glyph: object) -> None:
    view = a_view(glyph=glyph, top="W" * 40, bottom="W" * 40, selected=True)
    assert all(box(line).inside(Box(9, 9, 87, 91)) for line in shown(view))


# Lines that are read to the letter.


@pytest.mark.parametrize("count", range(1, 6))
def test_one_line_to_five_take_the_place_of_the_labels(count: int) -> None:
    lines = ("webshop", "Bash", "git push", "--tags", "CONFIRM?")[-count:]
    view = of_look(ARMED, top="not", bottom="shown", lines=lines)
    assert tuple(line.text for line in shown(view)) == lines


@given(lines=st.lists(PRINTABLE, min_size=1, max_size=5), count=st.integers(0, 120))
@pytest.mark.parametrize("look", [ARMED, REST], ids=["armed", "rest"])
def test_any_thirteen_letters_are_whole_apart_and_on_the_key(
    look: object, lines: list[str], count: int
) -> None:
    view = of_look(look, lines=tuple(lines), count=count)  # type: ignore[arg-type]
    drawn = shown(view)
    boxes = [box(line) for line in drawn if line.path]
    assert [line.text for line in drawn] == lines
    assert min(line.size for line in drawn) >= FLOOR
    assert all(one.inside(KEY) for one in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("count", range(1, 6))
def test_no_line_touches_the_glyph(count: int) -> None:
    view = armed(*[TALL] * count)
    assert not any(box(line).overlaps(glyph_box(view)) for line in shown(view))


@pytest.mark.parametrize("count", range(1, 6))
def test_no_line_touches_the_count(count: int) -> None:
    view = of_look(REST, lines=(WIDE,) * count, count=99)
    pill = badge(99)
    assert pill is not None
    corner = Box(pill.left, 6, pill.left + pill.width, 21)
    assert not any(box(line).overlaps(corner) for line in shown(view))


@pytest.mark.parametrize("count", range(1, 6))
def test_the_triangle_of_an_armed_key_is_always_seen(count: int) -> None:
    face = draw_face(armed(*[WIDE] * count), 96, 96)
    amber = sum(
        n for n, colour in face.getcolors(9999) or [] if isinstance(colour, tuple)
        and colour[0] > 200 and 120 < colour[1] < 190 and colour[2] < 90
    )  # fmt: skip
    assert amber >= 100, amber


def test_the_triangle_is_larger_the_fewer_lines_there_are() -> None:
    reach = [glyph_to(armed(*["x"] * count)) for count in range(1, 6)]
    assert reach == sorted(reach, reverse=True)
    assert len(set(reach)) == 4


@pytest.mark.parametrize("letter", [*"MW@m%", UNKNOWN])
@pytest.mark.parametrize("count", [1, 5])
def test_thirteen_of_the_widest_letters_are_all_there(letter: str, count: int) -> None:
    for line in shown(armed(*[letter * 13] * count)):
        assert (line.text, line.size) == (letter * 13, FLOOR)
        assert line.width <= KEY.right - KEY.left


@pytest.mark.parametrize("letter", "MWm@%")
@pytest.mark.parametrize("side", SIDES)
def test_thirteen_wide_letters_are_told_apart(side: int, letter: str, rasteriser: str) -> None:
    """Between any two letters the picture is darker than in both of them, by a fifth."""
    view = of_look(ARMED, glyph=None, lines=(letter * 13,))
    where = box(shown(view)[0])
    edges = [(where.left + (where.right - where.left) * n / 13) * side / 96 for n in range(14)]
    row = draw_face(view, side, side).convert("L").crop((0, side // 2 - 3, side, side // 2 + 3))
    bright = [ImageStat.Stat(row.crop((x, 0, x + 1, row.height))).mean[0] for x in range(side)]
    letters = [max(bright[int(a) : int(b) + 1]) for a, b in pairwise(edges)]
    gaps = [min(bright[int(edge - 0.8) : int(edge + 0.8) + 1]) for edge in edges[1:-1]]
    pairs = zip(gaps, pairwise(letters), strict=True)
    assert (rasteriser, max(gap / min(both) for gap, both in pairs) < 0.8) == (rasteriser, True)


def test_the_lines_between_share_one_size() -> None:
    _, *rule, _ = shown(armed("infra", "Bash", "npm run test:*", "CONFIRM?"))
    assert len({line.size for line in rule}) == 1


def test_the_first_line_is_quiet_and_the_last_as_bright_as_a_label() -> None:
    told = words(armed("webshop", "Bash", "CONFIRM?"))
    assert [[line.text for line in part] for part in (told.quiet, told.loud)] == [
        ["webshop"],
        ["Bash", "CONFIRM?"],
    ]


@pytest.mark.parametrize("lines", [("TEAR DOWN", "claude-code", "CONFIRM?"), ("W" * 16,) * 5])
def test_lines_stay_clear_of_the_border_of_a_selected_key(lines: tuple[str, ...]) -> None:
    view = of_look(ARMED, lines=lines, selected=True)
    assert all(box(line).inside(Box(8, 8, 88, 92)) for line in shown(view))


def test_a_line_alone_is_not_quiet() -> None:
    assert words(armed("CONFIRM?")).quiet == ()


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u202e", "\u0301", "\xa0", "\t", "\n", "\xad", "\x00"]
)
def test_what_cannot_be_seen_in_a_rule_is_a_visible_mark(hidden: str) -> None:
    assert shown(armed(f"x{hidden}y"))[0].text == f"x{UNKNOWN}y"


def test_every_letter_a_rule_may_hold_has_a_shape_of_its_own() -> None:
    letters = [chr(code) for code in range(0x20, 0x250)]
    granted = [one for one in letters if one in "".join(a_rule(f"x{one}y").what)]
    assert len(granted) > 200
    assert [one for one in granted if exact(one) != one] == []


def test_blanks_of_a_rule_are_all_there() -> None:
    assert shown(armed(" a  b "))[0].text == " a  b "


@pytest.mark.parametrize("lines", [("x",) * 6, ("x" * 17,)])
def test_what_cannot_be_shown_whole_is_not_shown_at_all(lines: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="whole"):
        words(armed(*lines))
    assert draw_face(armed(*lines), 96, 96).tobytes() == error_face(96, 96).tobytes()


@given(lines=st.lists(ANY_TEXT, min_size=1, max_size=6))
def test_what_the_rules_take_for_legible_can_be_shown(lines: list[str]) -> None:
    if legible(lines):
        guard.check(render_svg(armed(*lines), 96, 96))


@pytest.mark.parametrize("letter", ["@", "M", UNKNOWN, "\u2030"])
def test_five_lines_of_the_most_intricate_letters_may_be_drawn(letter: str) -> None:
    face = draw_face(armed(*[letter * 13] * 4, "CONFIRM?"), 96, 96)
    assert face.tobytes() != error_face(96, 96).tobytes()


@pytest.mark.parametrize("side", SIDES)
def test_lines_leave_the_edge_of_the_key_free(side: int, rasteriser: str) -> None:
    face = draw_face(armed(*[WIDE] * 5), side, side)
    edge = side // 24
    strips = [(0, 0, edge, side), (side - edge, 0, side, side), (0, side - edge, side, side)]
    colours = {len(face.crop(strip).getcolors() or []) for strip in strips}
    assert (rasteriser, colours) == (rasteriser, {1})


def test_an_empty_view_has_no_words() -> None:
    assert words(a_view(State.EMPTY)) == Words()


def test_every_line_of_a_confirmation_is_in_the_picture() -> None:
    drawn = render_svg(armed("webshop", "Bash", "git push", "CONFIRM?"), 96, 96)
    assert drawn.count("<path ") == 4
