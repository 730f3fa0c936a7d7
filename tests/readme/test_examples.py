"""Every example of a README is read by what reads it, and says what it is said to say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import strictyaml

from flightdeck.cli import main
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import read_local
from flightdeck.config.report import render_text
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError
from flightdeck.fold.rulecheck import problems_of
from flightdeck.model.local import Local
from flightdeck.panel.demo import picture
from flightdeck.store.paths import StateFolder
from flightdeck.store.snapshot import fleet_json
from tests.readme import pages
from tests.readme.pages import FRONT, ROOT

# What `yaml` stands for is seen at its first words.
RULES = ("rules:", "groups:")
LOCAL = ("# local.yaml", "renderers:")
# The shipped states, the first of them written in a way that means nothing.
STATES = """\
device: stream-deck-xl

timings:
  armed: 5 s


states:
  blocked:
    colour: #F5A623
    glyph: triangle-up
  working:
    colour: '#1256A3'
    glyph: triangle-right
  done:
    colour: '#238636'
    glyph: check
  idle:
    colour: '#25282D'
    glyph: dot
  failed:
    colour: '#B42318'
    glyph: cross
  empty:
    colour: '#000000'

rows:
  - name: verdicts
"""


@pytest.fixture
def state(home: Path) -> StateFolder:
    return StateFolder(home / ".fleet")


@pytest.mark.parametrize("block", pages.blocks("yaml"), ids=str)
def test_yaml_is_a_whole_layout_or_file_of_rules_or_local_yaml(
    block: pages.Block, tmp_path: Path
) -> None:
    path = tmp_path / "panel.yaml"
    path.write_text(_whole(block), encoding="utf-8")
    if block.text.startswith(LOCAL):
        assert read_local(path, "local.yaml") != Local()
    elif _whole(block).startswith(RULES):
        assert problems_of([path]) == {path: ()}
    else:
        assert load_layout(path, Local()).keys


def _whole(block: pages.Block) -> str:
    """Return the file a block shows; of a rule's examples it shows a part."""
    if not block.text.startswith(" "):
        return block.text
    rule = "rules:\n  mine:\n    tier: high\n    why: it is shown\n    tool: Write\n"
    spares = "    spares:\n      - tool: Write\n        input:\n          file_path: a\n"
    return f"{rule}    path: ~/.claude/**\n{block.text}{spares}"


@pytest.mark.parametrize("block", pages.blocks("markdown"), ids=str)
def test_markdown_is_a_verb(block: pages.Block, state: StateFolder) -> None:
    state.verbs.mkdir(parents=True)
    (state.verbs / "mine.md").write_text(block.text, encoding="utf-8")
    found = load_verbs(state)
    assert found.problems == {}
    assert found.usable["mine"].text


@pytest.mark.parametrize("block", pages.blocks("yml"), ids=str)
def test_yml_is_what_the_program_it_is_for_takes(block: pages.Block) -> None:
    data: Any = strictyaml.load(block.text).data
    if "jobs" in data:
        (job,) = data["jobs"].values()
        assert set(data) == {"name", "on", "permissions", "jobs"}
        assert set(job) == {"runs-on", "env", "steps"}
        assert all(len({"uses", "run"} & set(step)) == 1 for step in job["steps"])
        return
    (repository,) = data["repos"]
    assert set(repository) == {"repo", "rev", "hooks"}


def _problems(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_layout(path, Local())
    return render_text(caught.value.problems) + "\n"


def test_problem_on_the_front_page_is_what_validate_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = (ROOT / "layouts/xl.yaml").read_text(encoding="utf-8")
    unquoted = re.sub(r"colour: '#F5A623' .*", "colour: #F5A623", shipped, count=1)
    path = Path("layouts/xl.yaml")
    path.parent.mkdir()
    path.write_text(unquoted, encoding="utf-8")
    assert _problems(path) in [block.text for block in pages.blocks("text")]


def test_problems_of_the_language_page_are_what_validate_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = (b.text for b in pages.blocks("text") if b.text.startswith("panel.yaml:"))
    until_the_last_row = "\n" * (39 - STATES.count("\n"))
    text = f"{STATES}{until_the_last_row}    keys:\n      1: verdict aprove\n"
    Path("panel.yaml").write_text(text, encoding="utf-8")
    assert _problems(Path("panel.yaml")) == shown


def test_origins_the_language_page_shows_are_what_layout_show_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk.yaml").write_text("extends: xl\n\ntimings:\n  armed: 5 s\n", encoding="utf-8")
    assert main(["layout", "show", "./desk.yaml"]) == 0
    (shown,) = (b.text for b in pages.blocks("text") if b.text.startswith("timings:"))
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in map(str.split, shown.splitlines()) if line not in printed] == []


def test_first_line_of_a_new_layout_is_the_one_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["layout", "new", "--out", "mine.yaml"]) == 0
    first, _ = (tmp_path / "mine.yaml").read_text(encoding="utf-8").split("\n", 1)
    assert first + "\n" in [block.text for block in pages.blocks("text")]


def test_problem_of_a_template_is_what_validate_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    face = tmp_path / "templates" / "faces" / "key.svg.j2"
    face.parent.mkdir(parents=True)
    text = (ROOT / "templates/faces/key.svg.j2").read_text(encoding="utf-8")
    face.write_text(text.replace("in words.quiet", "in words.quit"), encoding="utf-8")
    (shown,) = (b.text for b in pages.blocks("text") if b.text.startswith("templates/faces"))
    assert main(["validate", "templates"]) == 1
    assert capsys.readouterr().out == shown


# A drawing, in words or lines, is nothing that could be run.
DRAWINGS = ("How a key gets its colour", "Faces")
COMPARED = (
    "The panel as a file",
    "What is wrong is told at once",
    "What came from where",
    "In your editor",
    "Templates of your own",
)


@pytest.mark.parametrize("block", pages.blocks("text"), ids=str)
def test_text_is_printed_somewhere_or_a_drawing(block: pages.Block) -> None:
    assert block.heading in (*COMPARED, *DRAWINGS)


@pytest.mark.parametrize(("halted", "line"), [(False, "2 wait: "), (True, "HALTED")])
def test_renderer_that_is_shown_tells_a_real_snapshot_in_one_line(
    home: Path, tmp_path: Path, halted: bool, line: str
) -> None:
    (block,) = pages.blocks("python")
    script = tmp_path / "fleet-to-statusbar"
    script.write_text(block.text, encoding="utf-8")
    script.chmod(0o755)
    fleet = picture(load_layout(ROOT / "layouts/xl.yaml", Local()).labels)
    data = fleet_json(fleet, {"running": True}) | {"halted": halted}
    waiting = sum(slot["state"] == "blocked" for slot in data["slots"])
    subprocess.run([sys.executable, script], input=json.dumps(data), text=True, check=True)
    told = (home / ".cache/fleet-line").read_text(encoding="utf-8")
    assert told.startswith(line.replace("2", str(waiting)))
    assert told.count("\n") == 1


def test_snapshot_is_told_field_by_field() -> None:
    data = fleet_json(picture(load_layout(ROOT / "layouts/xl.yaml", Local()).labels), {})
    told = set(
        re.findall(r"`(\w+)`", " ".join(row[0] for row in pages.rows(FRONT, "The snapshot")))
    )
    assert told == set(data) | set(data["slots"][0])
    section = pages.section(FRONT, "The snapshot")
    pending = next(slot["pending"][0] for slot in data["slots"] if slot["pending"])
    assert {name for name in pending if f"`{name}`" not in section} == set()
