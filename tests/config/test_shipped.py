"""The layouts and the language page that ship: what they promise is what loads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document, read_document
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import compile_local
from flightdeck.config.risk import MOST_NODES
from flightdeck.model.contrast import contrast
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import (
    BlankBinding,
    Brake,
    ControlBinding,
    Look,
    SlotBinding,
    SteerBinding,
    Timings,
    VerbBinding,
    VerdictBinding,
)
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.local import Local
from flightdeck.model.verb import VerbKind
from tests.config.panels import compiled, key_at, shipped_verbs, shipped_xl

if TYPE_CHECKING:
    from pathlib import Path

LAYOUTS = shipped.folder("layouts")
README = (LAYOUTS / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def all_looks() -> list[Look]:
    layout = shipped_xl()
    return [*layout.states.values(), layout.armed, layout.rest]


@pytest.mark.parametrize(
    "path",
    [*LAYOUTS.glob("*.yaml"), *shipped.folder("risk").glob("*.yaml")],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_shipped_file_is_yaml_to_the_letter(path: Path) -> None:
    assert read_document(path, path.name, most=MOST_NODES).faults == ()


@pytest.mark.parametrize(
    ("state", "colour", "glyph"),
    [
        (State.BLOCKED, "#f5a623", "triangle-up"),
        (State.WORKING, "#1256a3", "triangle-right"),
        (State.DONE, "#238636", "check"),
        (State.IDLE, "#25282d", "dot"),
        (State.FAILED, "#b42318", "cross"),
        (State.EMPTY, "#000000", None),
    ],
)
def test_shipped_panel_has_the_state_table(state: State, colour: str, glyph: str | None) -> None:
    look = shipped_xl().states[state]
    assert (look.colour, look.glyph.name if look.glyph else None) == (colour, glyph)


def test_shipped_timings_are_the_defaults_of_the_model() -> None:
    assert shipped_xl().timings == Timings()


def test_shipped_panel_has_eight_slots_in_its_first_row() -> None:
    layout = shipped_xl()
    bound = [key.position.row for key in layout.keys if isinstance(key.binding, SlotBinding)]
    assert (bound, layout.slots) == ([1] * 8, tuple(range(8)))


def test_shipped_panel_sends_verbs_from_its_second_row() -> None:
    row = [key for key in shipped_xl().keys if key.position.row == 2]
    assert all(isinstance(key.binding, VerbBinding) for key in row)
    labels = ["TEST", "DIFF", "NOTE", "ISSUE", "PUSH", "PR", "DOUBT", "STOP"]
    assert [key.label for key in row] == labels


def test_shipped_panel_answers_requests_in_its_third_row() -> None:
    row = [key for key in shipped_xl().keys if key.position.row == 3]
    bound = [key for key in row if not isinstance(key.binding, BlankBinding)]
    assert all(isinstance(key.binding, VerdictBinding | SteerBinding) for key in bound)
    assert [(str(key.position), key.label) for key in bound] == [
        ("3.1", "DETAIL"),
        ("3.2", "APPROVE"),
        ("3.3", "REMEMBER"),
        ("3.4", "DENY"),
        ("3.5", "JUSTIFY"),
        ("3.6", "INTERRUPT"),
        ("3.7", "OTHERWAY"),
    ]


def test_shipped_panel_has_its_brakes_at_both_ends_of_its_fourth_row() -> None:
    row = [key for key in shipped_xl().keys if key.position.row == 4]
    bound = [key for key in row if not isinstance(key.binding, BlankBinding)]
    assert [(str(key.position), key.binding) for key in bound] == [
        ("4.1", ControlBinding(Brake.GATE)),
        ("4.8", ControlBinding(Brake.HALT)),
    ]


def test_key_the_shipped_panel_leaves_free_is_there_to_bind() -> None:
    assert "`steer dryrun`" in (LAYOUTS / "xl.yaml").read_text(encoding="utf-8")
    assert shipped_verbs().usable["dryrun"].kind is VerbKind.STEER


def test_question_and_plan_have_marks_of_their_own_inside_amber() -> None:
    marks = shipped_xl().marks
    blocked = shipped_xl().states[State.BLOCKED].glyph
    assert set(marks) == {Reason.QUESTION, Reason.PLAN}
    assert len({glyph.name for glyph in (*marks.values(), blocked) if glyph}) == 3


def test_armed_key_is_near_black_with_an_amber_triangle() -> None:
    armed = shipped_xl().armed
    assert armed.glyph is not None
    assert armed.glyph_ink == shipped_xl().states[State.BLOCKED].colour
    assert contrast(armed.colour, "#000000") < 1.2


@pytest.mark.parametrize("look", all_looks(), ids=lambda look: look.colour)
def test_every_shipped_face_can_be_read(look: Look) -> None:
    assert contrast(look.ink, look.colour) >= 4.5
    assert contrast(look.glyph_ink, look.colour) >= 3


def test_shipped_states_are_told_apart_by_glyph_alone() -> None:
    glyphs = [look.glyph.name for look in shipped_xl().states.values() if look.glyph]
    assert len(set(glyphs)) == 5


def test_smallest_layout_looks_like_the_shipped_one() -> None:
    row1 = load_layout(LAYOUTS / "row1.yaml", Local())
    xl = shipped_xl()
    assert row1.states == xl.states
    assert [key.binding for key in row1.keys[:8]] == [key.binding for key in xl.keys[:8]]
    assert all(isinstance(key.binding, BlankBinding) for key in row1.keys[8:])


def test_keys_the_shipped_panel_suggests_load_as_they_stand() -> None:
    text = (LAYOUTS / "xl.yaml").read_text(encoding="utf-8")
    example = re.findall(r"^#(   .*)$", text, re.MULTILINE)
    whole = parse_document(text + "\n".join(line[1:] for line in example) + "\n", "xl.yaml")
    layout = compile_layout("xl", whole, shipped_verbs())
    assert key_at(layout, 4, 7).label == "Notes"


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_of_the_language_page_loads(block: str) -> None:
    if block.startswith("# local.yaml"):
        compile_local(parse_document(block, "README.md"))
    else:
        compiled(block)


def test_language_page_names_every_deck() -> None:
    assert all(f"`{name}`" in README for name in MODELS)
