"""The row of verbs as the shipped panel shows it, in every scene, against a picture."""

from __future__ import annotations

import pytest

from flightdeck.faces.picture import draw_face, error_face
from flightdeck.faces.sheet import draw_deck
from flightdeck.faces.words import words
from flightdeck.model.decks import MODELS
from flightdeck.model.lifecycle import State
from tests.faces.golden import FAR_SHARE, MEAN, difference, stored
from tests.faces.verb_rows import ROW, scenes, sheet, verb_key
from tests.faces.verdict_rows import panel

SIDES = sorted({model.key.width for model in MODELS.values()})


def test_the_contact_sheet_looks_as_it_did(rasteriser: str) -> None:
    """Rendered anew like the golden faces, with FLIGHTDECK_GOLDEN=write."""
    drawn = draw_deck(*sheet())
    mean, far = difference(drawn, stored("verbs", drawn))
    assert (rasteriser, mean <= MEAN, far <= FAR_SHARE) == (rasteriser, True, True), (mean, far)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scene", scenes())
def test_every_key_of_every_scene_can_be_drawn(scene: str, side: int) -> None:
    views = {view for at, view in scenes()[scene].items() if at.row == ROW}
    broken = error_face(side, side).tobytes()
    assert broken not in {draw_face(view, side, side).tobytes() for view in views}


@pytest.mark.parametrize("scene", scenes())
def test_the_row_is_never_in_a_colour_of_a_state_that_wants_eyes(scene: str) -> None:
    states = panel().states
    taken = {states[s].colour for s in (State.BLOCKED, State.WORKING, State.DONE, State.FAILED)}
    row = [view for at, view in scenes()[scene].items() if at.row == ROW]
    assert not taken & {view.background for view in row}


@pytest.mark.parametrize("scene", scenes())
def test_all_that_a_key_says_is_whole(scene: str) -> None:
    for at, view in scenes()[scene].items():
        if at.row == ROW:
            told = words(view)
            lines = [line.text for line in (*told.quiet, *told.loud)]
            assert not any(line.endswith("\u2026") for line in lines), lines


@pytest.mark.parametrize("name", ["test", "issue", "stop"])
def test_a_resting_key_keeps_its_word(name: str) -> None:
    key = verb_key(panel(), name)
    resting = words(scenes()["nothing selected"][key.position])
    assert [line.text for line in resting.loud] == [key.label]


@pytest.mark.parametrize("side", SIDES)
def test_a_verb_that_waits_looks_unlike_every_other_face_of_its_key(side: int) -> None:
    at = verb_key(panel(), "issue").position
    faces = {name: draw_face(views[at], side, side).tobytes() for name, views in scenes().items()}
    assert faces["issue queued"] not in {
        face for name, face in faces.items() if name != "issue queued"
    }
