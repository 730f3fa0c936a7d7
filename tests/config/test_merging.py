"""A layout laid over its parent: what is merged, what is replaced, and whose place is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.model.layout import (
    AppTarget,
    BlankBinding,
    LongPress,
    OpenBinding,
    SlotBinding,
    UrlTarget,
)
from flightdeck.model.lifecycle import State
from tests.config.layers import layered, problems, told
from tests.config.panels import key_at, shipped_xl

if TYPE_CHECKING:
    from pathlib import Path

PARENT = """\
device: stream-deck-mk2
timings:
  armed: 5 s
  flash: 2 s
rows:
  - name: fleet
    fill: slot
  - name: desk
    keys:
      1: open app Mail
      2:
        bind: open url https://a.org
        label: News
        colour: '#101010'
"""
OVER = "extends: parent\n"


def rows(*lines: str) -> str:
    return OVER + "rows:\n" + "".join(f"  {line}\n" for line in lines)


def test_layout_that_only_extends_is_its_parent_under_its_own_name(tmp_path: Path) -> None:
    layout = layered(tmp_path, OVER, parent=PARENT)
    assert layout.name == "top"
    assert (layout.device, layout.grid.keys) == ("stream-deck-mk2", 15)
    assert key_at(layout, 2, 1).binding == OpenBinding(AppTarget("Mail"))


def test_timings_are_merged_one_by_one(tmp_path: Path) -> None:
    layout = layered(tmp_path, OVER + "timings:\n  armed: 7 s\n", parent=PARENT)
    timings = layout.timings
    assert (timings.armed_ms, timings.flash_ms, timings.decide_ms) == (7000, 2000, 120_000)


def test_one_colour_of_one_state_can_be_changed(tmp_path: Path) -> None:
    text = OVER + "states:\n  blocked:\n    colour: '#FFB000'\n"
    states = layered(tmp_path, text, parent=PARENT).states
    shipped = shipped_xl().states
    blocked = states[State.BLOCKED]
    assert (blocked.colour, blocked.ink) == ("#ffb000", shipped[State.BLOCKED].ink)
    assert states[State.DONE] == shipped[State.DONE]


def test_face_of_the_armed_key_is_merged(tmp_path: Path) -> None:
    armed = layered(tmp_path, OVER + "armed:\n  glyph: dot\n", parent=PARENT).armed
    assert armed.glyph is not None
    assert (armed.glyph.name, armed.colour) == ("dot", shipped_xl().armed.colour)


def test_short_forms_add_up_and_prefixes_are_replaced(tmp_path: Path) -> None:
    text = OVER + "labels:\n  strip:\n    - x/\n  short:\n    database: data\n    extra: x\n"
    labels = layered(tmp_path, text, parent=PARENT).labels
    assert labels.strip == ("x/",)
    assert (labels.short["database"], labels.short["extra"], labels.short["service"]) == (
        "data",
        "x",
        "svc",
    )


def test_glyph_is_replaced_whole(tmp_path: Path) -> None:
    text = OVER + "glyphs:\n  check:\n    circle: 48,31 9\n"
    (shape,) = layered(tmp_path, text, parent=PARENT).glyphs["check"].shapes
    assert (shape.numbers, shape.stroke) == ((48, 31, 9), None)


def test_row_of_the_same_name_is_merged_by_column(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    01: open app Chat", "    3: open app Clock")
    layout = layered(tmp_path, text, parent=PARENT)
    assert [key_at(layout, 2, n).label for n in (1, 2, 3)] == ["Chat", "News", "Clock"]


def test_key_without_a_binding_changes_how_the_parents_looks(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    2:", "      label: Paper")
    key = key_at(layered(tmp_path, text, parent=PARENT), 2, 2)
    assert (key.binding, key.label) == (OpenBinding(UrlTarget("https://a.org")), "Paper")
    assert key.look is not None
    assert key.look.colour == "#101010"


def test_label_can_be_given_to_a_key_in_short_form(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    1:", "      label: Post")
    key = key_at(layered(tmp_path, text, parent=PARENT), 2, 1)
    assert (key.binding, key.label) == (OpenBinding(AppTarget("Mail")), "Post")


@pytest.mark.parametrize(
    "lines", [("    2: open app Chat",), ("    2:", "      bind: open app Chat")]
)
def test_key_bound_anew_keeps_no_label_of_what_it_did_before(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    key = key_at(layered(tmp_path, rows("- name: desk", "  keys:", *lines), parent=PARENT), 2, 2)
    assert (key.label, key.look) == ("Chat", None)


def test_key_is_taken_away_with_blank(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    1: blank")
    assert key_at(layered(tmp_path, text, parent=PARENT), 2, 1).binding == BlankBinding()


def test_key_of_the_parent_that_takes_no_label_gets_none(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    1:", "      label: Post")
    blank = PARENT.replace("1: open app Mail", "1: blank")
    assert told(tmp_path, text, parent=blank) == ["top.yaml:6:9 'label' on a key that takes none"]


def test_row_takes_a_key_its_parent_did_not_have(tmp_path: Path) -> None:
    layout = layered(tmp_path, rows("- name: fleet", "  long_press: teardown"), parent=PARENT)
    key = key_at(layout, 1, 1)
    assert (key.binding, key.long_press) == (SlotBinding(0), LongPress.TEARDOWN)


@pytest.mark.parametrize("name", ["- name: mine", "- fill: slot"])
def test_other_rows_stand_below_the_parents(tmp_path: Path, name: str) -> None:
    line = "  fill: slot" if "name" in name else "  long_press: teardown"
    layout = layered(tmp_path, rows(name, line), parent=PARENT)
    assert key_at(layout, 3, 1).binding == SlotBinding(5)


def test_parents_parent_counts_too(tmp_path: Path) -> None:
    middle = OVER + "timings:\n  flash: 3 s\n"
    text = "extends: middle\ntimings:\n  armed: 7 s\n"
    timings = layered(tmp_path, text, middle=middle, parent=PARENT).timings
    assert (timings.armed_ms, timings.flash_ms) == (7000, 3000)


def test_device_may_change_where_everything_fits(tmp_path: Path) -> None:
    layout = layered(tmp_path, OVER + "device: stream-deck-xl\n", parent=PARENT)
    assert layout.grid.keys == 32


def test_what_no_longer_fits_is_told_where_the_device_was_changed(tmp_path: Path) -> None:
    small = PARENT.replace("1: open app Mail", "5: open app Mail") + "  - name: more\n"
    found = problems(tmp_path, OVER + "device: stream-deck-mini\n", parent=small)
    parent = tmp_path / "layouts/parent.yaml"
    assert [(str(p.location), p.message) for p in found] == [
        (f"{tmp_path}/layouts/top.yaml:2:9", f"column 5 is outside the deck ({parent}:10:7)"),
        (f"{tmp_path}/layouts/top.yaml:2:9", f"row 3 is outside the deck ({parent}:15:5)"),
    ]


def test_ink_of_the_parent_on_a_ground_of_the_child_is_told_at_the_ground(tmp_path: Path) -> None:
    text = OVER + "states:\n  blocked:\n    colour: '#101010'\n"
    (problem,) = problems(tmp_path, text, parent=PARENT)
    assert str(problem.location).endswith("top.yaml:4:13")
    assert problem.message.startswith("label #1a1203 on #101010 has a contrast of 1.")
    assert problem.message.endswith("layouts/xl.yaml:23:10)")
    assert problem.hint == "write ink: '#ffffff' beside it, or take another colour"


def test_slot_bound_twice_is_told_in_the_nearer_file(tmp_path: Path) -> None:
    text = rows("- name: desk", "  keys:", "    3: slot 2")
    (problem,) = problems(tmp_path, text, parent=PARENT)
    assert str(problem.location).endswith("top.yaml:5:10")
    assert problem.hint == (
        f"the first is on line 7 of {tmp_path}/layouts/parent.yaml: a session has one key"
    )


def test_fault_of_the_parent_is_told_where_the_parent_wrote_it(tmp_path: Path) -> None:
    wrong = PARENT.replace("open app Mail", "opne app Mail").replace("5 s", "5")
    assert told(tmp_path, OVER + "timings:\n  decide: 9\n", parent=wrong) == [
        "parent.yaml:3:10 'armed' has no unit",
        "parent.yaml:10:10 nobody implements 'opne' yet",
        "top.yaml:3:11 'decide' has no unit",
    ]


def test_fault_of_the_parent_that_the_child_replaced_is_nobodys(tmp_path: Path) -> None:
    wrong = PARENT.replace("5 s", "5")
    assert told(tmp_path, OVER + "timings:\n  armed: 6 s\n", parent=wrong) == []


def test_unquoted_colour_of_a_parent_is_shown_in_its_own_line(tmp_path: Path) -> None:
    wrong = PARENT.replace("'#101010'", "#101010")
    (problem,) = problems(tmp_path, OVER, parent=wrong)
    assert problem.source == "        colour: #101010"
    assert (problem.location.line, problem.location.column, problem.width) == (14, 17, 7)


def test_yaml_at_fault_in_a_parent_is_told_there(tmp_path: Path) -> None:
    wrong = PARENT.replace("armed: 5 s", "armed: &x 5 s")
    assert told(tmp_path, OVER, parent=wrong) == ["parent.yaml:3:10 an anchor or alias"]


def test_key_written_twice_is_told_in_whichever_file_has_both(tmp_path: Path) -> None:
    wrong = PARENT.replace("  flash: 2 s", "  flash: 2 s\n  flash: 3 s")
    text = OVER + "timings:\n  armed: 6 s\n  armed: 7 s\n  flash: 1 s\n"
    assert told(tmp_path, text, parent=wrong) == [
        "parent.yaml:5:3 'flash' is written twice",
        "top.yaml:4:3 'armed' is written twice",
    ]


def test_second_row_of_one_name_is_told(tmp_path: Path) -> None:
    text = rows("- name: desk", "- name: desk")
    assert told(tmp_path, text, parent=PARENT) == ["top.yaml:4:11 two rows are called 'desk'"]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("rows: none\n", "top.yaml:2:7 'rows' is not a list"),
        ("rows:\n  - desk\n", "top.yaml:3:5 'row 3' is not a mapping"),
        ("rows:\n  - name:\n      - a\n", "top.yaml:4:7 name of 'row 3' is not a single value"),
        ("timings: none\n", "top.yaml:2:10 'timings' is not a mapping"),
        (
            "rows:\n  - name: desk\n    keys:\n      a:\n        label: X\n",
            "top.yaml:5:7 'a' is no column",
        ),
        (
            "rows:\n  - name: desk\n    keys:\n      4:\n        label: X\n",
            "top.yaml:5:7 '4' has no 'bind'",
        ),
        (
            "rows:\n  - name: desk\n    keys:\n      1:\n        - x\n",
            "top.yaml:6:9 '1' is not a single value",
        ),
    ],
)
def test_what_cannot_be_merged_is_told_as_it_stands(
    tmp_path: Path, section: str, said: str
) -> None:
    assert told(tmp_path, OVER + section, parent=PARENT) == [said]
