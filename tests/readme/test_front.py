"""The front page cannot lie: its picture, its states and its sizes are those of the product."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageStat

from flightdeck.config.layouts import load_layout
from flightdeck.model.layout import Action, SteerBinding, VerbBinding, VerdictBinding
from flightdeck.model.lifecycle import State
from flightdeck.model.local import Local
from tests.readme import pages
from tests.readme.pages import FRONT, ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.model.layout import Layout

PICTURE = ROOT / "tests/golden/panel.png"
# Rasterisers differ by a level or two at the edge of a shape.
TOLERANCE = 2.0


@pytest.fixture(scope="module")
def shipped() -> Layout:
    return load_layout(ROOT / "layouts/xl.yaml", Local())


def test_picture_is_what_preview_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "panel.png"
    words = ["preview", "--scale", "2", "--out", str(drawn)]
    subprocess.run([sys.executable, "-m", "flightdeck", *words], check=True)
    ours, shown = (Image.open(path).convert("RGB") for path in (drawn, PICTURE))
    assert ours.size == shown.size
    difference = ImageStat.Stat(ImageChops.difference(ours, shown))
    assert max(difference.mean) < TOLERANCE


def test_picture_shows_all_six_states(shipped: Layout) -> None:
    shown = Image.open(PICTURE).convert("RGB")
    colours = {colour for _, colour in shown.getcolors(shown.width * shown.height) or []}
    for look in shipped.states.values():
        red, green, blue = (int(look.colour[i : i + 2], 16) for i in (1, 3, 5))
        assert (red, green, blue) in colours, look.colour


@pytest.mark.parametrize("state", State)
def test_state_table_names_the_layouts_colour(shipped: Layout, state: State) -> None:
    told = {row[0]: row[1] for row in pages.rows(FRONT, "The state table")}
    assert shipped.states[state].colour.upper() in told[f"`{state.value}`"]


def test_rows_of_the_shipped_panel_are_told_key_by_key(shipped: Layout) -> None:
    bindings = [key.binding for key in shipped.keys]
    sent = {b.verb.label for b in bindings if isinstance(b, VerbBinding)}
    answers = {b.action.value.upper() for b in bindings if isinstance(b, VerdictBinding)}
    steers = {b.verb.label for b in bindings if isinstance(b, SteerBinding)}
    verbs, verdicts = (pages.section(FRONT, name) for name in ("Row 2: verbs", "Row 3: verdicts"))
    assert {word for word in sent if word not in verbs} == set()
    assert {word for word in answers | steers if word not in verdicts} == set()
    assert {a.value.upper() for a in Action if a.value.upper() not in verdicts} == set()
