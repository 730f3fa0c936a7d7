"""A document to a layout: its own sections, and those of the layout it stands on."""

from __future__ import annotations

import pytest

from flightdeck.config.compiling import SECTIONS, compile_layout
from flightdeck.config.document import parse_document
from flightdeck.errors import ConfigError
from flightdeck.model.lifecycle import State
from tests.config.panels import (
    SMALLEST,
    compiled,
    hints,
    shipped_verbs,
    shipped_xl,
    told,
    with_section,
)


def test_sections_left_out_are_those_of_the_shipped_layout() -> None:
    layout, base = compiled(SMALLEST), shipped_xl()
    assert (layout.states, layout.marks, layout.armed, layout.rest) == (
        base.states,
        base.marks,
        base.armed,
        base.rest,
    )
    assert (layout.timings, layout.labels, layout.glyphs) == (
        base.timings,
        base.labels,
        base.glyphs,
    )


def test_layout_is_called_after_its_file() -> None:
    assert compiled(SMALLEST).name == "panel"


def test_device_decides_the_grid() -> None:
    layout = compiled(SMALLEST.replace("stream-deck-xl", "stream-deck-neo"))
    assert (layout.device, layout.grid.keys) == ("stream-deck-neo", 8)


def test_unknown_device_is_told_with_the_nearest() -> None:
    text = SMALLEST.replace("deck-xl", "deck-xxl")
    assert told(text) == ["1:9 unknown device 'stream-deck-xxl'"]
    assert hints(text) == ["did you mean 'stream-deck-xl'?"]


def test_device_like_no_other_is_told_with_all_there_are() -> None:
    assert hints(SMALLEST.replace("stream-deck-xl", "loupe"))[0].startswith(
        "there are: stream-deck-xl, stream-deck-mk2"
    )


def test_glyph_of_the_same_name_is_redrawn_wherever_it_is_shown() -> None:
    layout = compiled(with_section("glyphs:\n  dot:\n    circle: 48,31 9\n"))
    idle = layout.states[State.IDLE].glyph
    assert idle is layout.glyphs["dot"]
    assert idle.shapes[0].numbers == (48, 31, 9)


def test_device_and_rows_are_needed() -> None:
    assert told("timings:\n  armed: 3 s\n") == ["1:1 no section 'device'", "1:1 no section 'rows'"]


def test_layout_that_stands_on_nothing_needs_every_section() -> None:
    document = parse_document("rows:\n  - fill: slot\n", "xl.yaml")
    with pytest.raises(ConfigError) as caught:
        compile_layout("xl", document, shipped_verbs())
    assert [p.message for p in caught.value.problems] == [
        f"no section '{name}'" for name in sorted(set(SECTIONS) - {"rows"})
    ]


def test_unknown_section_is_told() -> None:
    assert told(SMALLEST + "row:\n  - fill: slot\n") == ["4:1 unknown key 'row'"]


def test_section_written_twice_is_told() -> None:
    assert told(SMALLEST + "device: stream-deck-mini\n") == ["4:1 'device' is written twice"]


@pytest.mark.parametrize("text", ["- a\n", "device\n"])
def test_layout_is_a_mapping(text: str) -> None:
    assert told(text) == ["1:1 a file that is no mapping"]
    assert hints(text) == ["start with `device:`"]


def test_empty_layout_is_a_problem_of_the_whole_file() -> None:
    assert told("# nothing yet\n") == ["0:0 the layout is empty"]


def test_value_over_several_lines_is_told() -> None:
    assert told(SMALLEST.replace("stream-deck-xl", "|\n  a\n  b")) == ["1:9 'device' spans lines"]


def test_section_without_anything_below_it_is_told() -> None:
    assert told(SMALLEST + "states:\n") == ["4:8 'states' is empty"]


def test_faulty_yaml_hides_no_other_problem() -> None:
    text = "device: stream-deck\nrows: []\nlabels:\n  line: &x 9 characters\n"
    assert told(text) == [
        "1:9 unknown device 'stream-deck'",
        "2:7 flow style, '[…]' or '{…}'",
        "4:9 an anchor or alias",
    ]


def test_long_values_are_cut_in_messages() -> None:
    (message,) = told(SMALLEST.replace("stream-deck-xl", "x" * 100))
    assert message == f"1:9 unknown device '{'x' * 39}…'"
