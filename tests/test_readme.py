"""The README cannot lie: its picture, its commands and its examples are run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from flightdeck.commands.tree import COMMANDS
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import load_local
from flightdeck.config.report import render_text
from flightdeck.errors import ConfigError
from flightdeck.model.lifecycle import State
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.M | re.S)
YAML = [text for kind, text in BLOCKS if kind == "yaml"]
SHELL = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
FLIGHTDECK = [sys.executable, "-m", "flightdeck"]
# Rasterisers differ by a level or two at the edge of a shape.
TOLERANCE = 2.0


def test_picture_is_what_preview_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "panel.png"
    subprocess.run([*FLIGHTDECK, "preview", "--scale", "2", "--out", str(drawn)], check=True)
    ours = Image.open(drawn).convert("RGB")
    shown = Image.open(ROOT / "tests/golden/panel.png").convert("RGB")
    assert ours.size == shown.size
    difference = ImageStat.Stat(ImageChops.difference(ours, shown))
    assert max(difference.mean) < TOLERANCE


def test_picture_shows_all_six_states() -> None:
    shown = Image.open(ROOT / "tests/golden/panel.png").convert("RGB")
    colours = {colour for _, colour in shown.getcolors(shown.width * shown.height) or []}
    for look in load_layout(ROOT / "layouts/xl.yaml", Local()).states.values():
        red, green, blue = (int(look.colour[i : i + 2], 16) for i in (1, 3, 5))
        assert (red, green, blue) in colours, look.colour


@pytest.mark.parametrize("state", State)
def test_state_table_names_the_layouts_colour(state: State) -> None:
    look = load_layout(ROOT / "layouts/xl.yaml", Local()).states[state]
    row = next(line for line in README.splitlines() if line.startswith(f"| `{state.value}` |"))
    assert look.colour.upper() in row


@pytest.mark.parametrize("text", YAML, ids=lambda text: str(text).splitlines()[0])
def test_yaml_example_loads(text: str, tmp_path: Path) -> None:
    if text.startswith("device:"):
        path = tmp_path / "panel.yaml"
        path.write_text(text, encoding="utf-8")
        assert load_layout(path, Local()).keys
        return
    (tmp_path / "local.yaml").write_text(text, encoding="utf-8")
    assert load_local(StateFolder(tmp_path)) != Local()


def test_problem_it_quotes_is_what_validate_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = (ROOT / "layouts/xl.yaml").read_text(encoding="utf-8")
    unquoted = re.sub(r"colour: '#F5A623' .*", "colour: #F5A623", shipped, count=1)
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts/xl.yaml").write_text(unquoted, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        load_layout(Path("layouts/xl.yaml"), Local())
    assert render_text(caught.value.problems) + "\n" in [text for _, text in BLOCKS]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_table(name: str) -> None:
    assert re.search(rf"^\| `flightdeck {name}\b", README, re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    done = subprocess.run(
        [*FLIGHTDECK, name, "--help"], capture_output=True, text=True, check=True, timeout=60
    )
    assert f"flightdeck {name}" in done.stdout


def test_first_command_ends_in_the_demo_and_second_is_the_test_script() -> None:
    assert SHELL[0].endswith("flightdeck demo")
    assert ".ci/test" in SHELL
