"""The verdict row as the shipped panel shows it, in every scene, against a picture."""

from __future__ import annotations

import pytest

from flightdeck.faces.picture import draw_face, error_face
from flightdeck.faces.sheet import draw_deck
from flightdeck.faces.words import words
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import Action
from flightdeck.model.lifecycle import State
from tests.faces.golden import FAR_SHARE, MEAN, difference, stored
from tests.faces.verdict_rows import key_of, panel, scenes, sheet

SIDES = sorted({model.key.width for model in MODELS.values()})


def test_the_contact_sheet_looks_as_it_did(rasteriser: str) -> None:
    """Rendered anew like the golden faces, with FLIGHTDECK_GOLDEN=write."""
    drawn = draw_deck(*sheet())
    mean, far = difference(drawn, stored("verdicts", drawn))
    assert (rasteriser, mean <= MEAN, far <= FAR_SHARE) == (rasteriser, True, True), (mean, far)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scene", scenes())
def test_every_key_of_every_scene_can_be_drawn(scene: str, side: int) -> None:
    views = {view for at, view in scenes()[scene].items() if at.row == 3}
    broken = error_face(side, side).tobytes()
    assert broken not in {draw_face(view, side, side).tobytes() for view in views}


@pytest.mark.parametrize("scene", scenes())
def test_the_row_is_never_in_a_colour_of_a_state_that_wants_eyes(scene: str) -> None:
    states = panel().states
    taken = {states[s].colour for s in (State.BLOCKED, State.WORKING, State.DONE, State.FAILED)}
    row = [view for at, view in scenes()[scene].items() if at.row == 3]
    assert not taken & {view.background for view in row}


@pytest.mark.parametrize(
    ("scene", "action", "lines"),
    [
        ("approve armed", Action.APPROVE, ("webshop", "1482-retry", "high Bash", "CONFIRM?")),
        (
            "remember armed",
            Action.REMEMBER,
            ("webshop", "Bash(git push", "origin:*)", "CONFIRM?"),
        ),
        (
            "remember a mode",
            Action.REMEMBER,
            ("this session", "MODE", "acceptEdits", "CONFIRM?"),
        ),
    ],
)
def test_an_armed_key_says_all_that_a_second_press_does(
    scene: str, action: Action, lines: tuple[str, ...]
) -> None:
    layout = panel()
    view = scenes()[scene][key_of(layout, action)]
    told = words(view)
    assert tuple(line.text for line in (*told.quiet, *told.loud)) == lines
    assert (view.background, view.glyph) == (layout.armed.colour, layout.armed.glyph)


@pytest.mark.parametrize("action", Action)
def test_a_resting_key_keeps_its_word(action: Action) -> None:
    key = key_of(panel(), action)
    resting = words(scenes()["at rest"][key])
    assert [line.text for line in resting.loud] == [action.value.upper()]
