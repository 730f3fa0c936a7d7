"""Every state and channel against a picture somebody has looked at, for both rasterisers.

After a change that is meant, draw them again with cairo and look at each:

    FLIGHTDECK_GOLDEN=write pytest -p no:randomly tests/faces/test_golden.py

Pixels are compared, not bytes, and with a tolerance: two rasterisers and their
versions smooth an edge differently, and that is no fault.
"""

from __future__ import annotations

import pytest
from PIL import Image

from flightdeck.faces.picture import draw_face, error_face
from flightdeck.model.lifecycle import State
from tests.faces.golden import FAR_SHARE, GOLDEN, MEAN, difference, stored
from tests.faces.looks import ARMED, LOOKS, REST, a_view, of_look

FOLDER = GOLDEN / "faces"
LABELLED = {"top": "checkout", "bottom": "fix-flaky"}
RULE = ("payments-api", "Bash(npm run", "test:unit:*)", "MODE plan")
LIVE = [state for state in LOOKS if state is not State.EMPTY]
VIEWS = {
    **{f"state-{state.value}": a_view(state, **LABELLED) for state in LIVE},
    **{f"seen-{state.value}": a_view(state, **LABELLED, dimmed=True) for state in LIVE},
    **{f"halted-{state.value}": a_view(state, **LABELLED, halted=True) for state in LIVE},
    **{f"queued-{state.value}": a_view(state, **LABELLED, queued=True) for state in LIVE},
    "queued-halted": a_view(State.DONE, **LABELLED, queued=True, halted=True),
    "queued-verb": of_look(REST, top="queued", bottom="TEST", queued=True),
    "queued-verb-flash": of_look(REST, top="queued", bottom="TEST", queued=True, flash="cancelled"),
    "state-empty": a_view(State.EMPTY),
    "halted-empty": a_view(State.EMPTY, halted=True),
    "armed": of_look(ARMED, top="checkout", bottom="CONFIRM?"),
    "armed-two-lines": of_look(ARMED, lines=("webshop", "CONFIRM?")),
    "armed-three-lines": of_look(ARMED, lines=("webshop", "high Bash", "CONFIRM?")),
    "armed-four-lines": of_look(ARMED, lines=(*RULE[:3], "CONFIRM?")),
    "armed-five-lines": of_look(ARMED, lines=(*RULE, "CONFIRM?")),
    "armed-selected": of_look(ARMED, lines=("TEAR DOWN", "webshop", "CONFIRM?"), selected=True),
    "armed-widest-lines": of_look(ARMED, lines=("M" * 13,) * 5),
    "lines-without-glyph": of_look(REST, lines=("webshop", "1482-retry", "high Bash"), count=4),
    "rest": of_look(REST, bottom="COMMIT"),
    "rest-dimmed": of_look(REST, bottom="REMEMBER", dimmed=True),
    "rest-two-lines": of_look(REST, top="steer", bottom="justify"),
    "rest-refused": of_look(REST, top="REMEMBER", bottom="in terminal", dimmed=True),
    "selected-blocked": a_view(State.BLOCKED, **LABELLED, selected=True),
    "selected-working": a_view(State.WORKING, **LABELLED, selected=True),
    "brakes-off": a_view(State.WORKING, **LABELLED, brakes_off=True),
    "brakes-off-blocked": a_view(State.BLOCKED, **LABELLED, brakes_off=True),
    "count": a_view(State.BLOCKED, **LABELLED, count=2),
    "count-urgent": a_view(
        State.IDLE, **LABELLED, count=2, count_ground="#F5A623", count_ink="#1A1203"
    ),
    "count-many": a_view(State.IDLE, **LABELLED, count=140),
    "stale": a_view(State.DONE, **LABELLED, stale=True),
    "untracked": a_view(State.WORKING, **LABELLED, untracked=True),
    "flash": a_view(State.WORKING, **LABELLED, flash="queued"),
    "flash-rest": of_look(REST, bottom="COMMIT", flash="no target"),
    "faulty": a_view(State.BLOCKED, **LABELLED, faulty=True),
    "faulty-rest": of_look(REST, bottom="HALT", faulty=True),
    "faulty-empty": a_view(State.EMPTY, faulty=True),
    "flash-two-lines": of_look(REST, bottom="APPROVE", flash="nothing pending"),
    "flash-armed": of_look(ARMED, lines=(*RULE, "CONFIRM?"), flash="every project"),
    "progress": a_view(State.DONE, **LABELLED, progress=0.6),
    "no-labels": a_view(State.WORKING),
    "long-labels": a_view(State.FAILED, top="infrastructure", bottom="a-branch-without-end"),
    "unknown-letters": a_view(State.IDLE, top="Größe", bottom="→ 漢字"),
    "everything": a_view(
        State.BLOCKED, **LABELLED, selected=True, halted=True, brakes_off=True, count=12,
        stale=True, untracked=True, queued=True, progress=0.4,
    ),
}  # fmt: skip
# Keys full of small letters are edges all over.
FULL = {"armed-five-lines", "armed-widest-lines"}


@pytest.mark.parametrize("name", VIEWS)
def test_a_face_looks_as_it_did(name: str, rasteriser: str) -> None:
    drawn = draw_face(VIEWS[name], 96, 96)
    mean, far = difference(drawn, stored(f"faces/{name}", drawn))
    most = 2 * MEAN if name in FULL else MEAN
    assert (rasteriser, mean <= most, far <= FAR_SHARE) == (rasteriser, True, True), (mean, far)


def test_the_error_face_looks_as_it_did(rasteriser: str) -> None:
    drawn = error_face(96, 96)
    mean, _ = difference(drawn, stored("faces/error", drawn))
    assert mean <= MEAN, rasteriser


def test_no_picture_is_kept_of_a_face_nobody_draws() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == {*VIEWS, "error"}


@pytest.mark.parametrize(
    "name", ["state-blocked", "stale", "untracked", "count", "brakes-off", "queued-working"]
)
def test_the_tolerance_is_smaller_than_what_a_mark_changes(name: str, rasteriser: str) -> None:
    plain = {"state-blocked": "state-failed", "stale": "state-done", "count": "state-blocked"}
    with Image.open(FOLDER / f"{plain.get(name, 'state-working')}.png") as image:
        mean, far = difference(draw_face(VIEWS[name], 96, 96), image.convert("RGB"))
    assert (rasteriser, mean > MEAN or far > FAR_SHARE) == (rasteriser, True)
