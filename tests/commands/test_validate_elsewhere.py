"""`flightdeck validate` in other people's repositories: the README's workflow, and pre-commit."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import strictyaml

from flightdeck.commands import tree
from tests.commands.running import FLIGHTDECK

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _read(text: str) -> Any:
    return strictyaml.load(text).data


WORKFLOW, CONFIG = map(_read, re.findall(r"^```yml\n(.*?)^```", README, re.M | re.S))
(HOOK,) = _read((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

BAD = "device: stream-deck-xl\nrows:\n  - nam: fleet\n    keys:\n      1: verb mine\n"
VERB = "---\nkind: prompt\n---\nSay it.\n"


@pytest.fixture
def dotfiles(tmp_path: Path) -> Path:
    """A repository that keeps what others have in ~/.fleet."""
    for name, text in {"layouts/mine.yaml": BAD, "verbs/mine.md": VERB}.items():
        path = tmp_path / "fleet" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def step(dotfiles: Path) -> subprocess.CompletedProcess[str]:
    """Run the last step of the workflow as a runner does."""
    job: dict[str, Any] = WORKFLOW["jobs"]["validate"]
    home = job["env"]["FLEET_HOME"].replace("${{ github.workspace }}", str(dotfiles))
    called, *words = shlex.split(job["steps"][-1]["run"])
    assert called == "flightdeck"
    return subprocess.run(
        [*FLIGHTDECK, *words],
        env=os.environ | {"FLEET_HOME": home},
        cwd=dotfiles,
        capture_output=True,
        text=True,
        check=False,
    )


def test_workflow_notes_a_problem_at_its_line_of_the_repository(dotfiles: Path) -> None:
    done = step(dotfiles)
    place = "file=fleet/layouts/mine.yaml,line=3,col=5,endColumn=8"
    told = "title=unknown key 'nam'::unknown key 'nam'%0Ahint: did you mean 'name'?"
    assert (done.returncode, done.stdout) == (1, f"::error {place},{told}\n")


def test_workflow_passes_what_is_right_and_knows_the_repositorys_own_verbs(
    dotfiles: Path,
) -> None:
    right = BAD.replace("nam:", "name:")
    (dotfiles / "fleet/layouts/mine.yaml").write_text(right, encoding="utf-8")
    done = step(dotfiles)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(", no problems\n")


def test_hook_of_the_readme_is_one_there_is() -> None:
    (repository,) = CONFIG["repos"]
    assert repository["hooks"] == [{"id": HOOK["id"]}]


def test_hook_calls_a_command_with_what_it_takes() -> None:
    called, name, *words = shlex.split(HOOK["entry"])
    assert called == "flightdeck"
    told = tree.parser(name).parse_args([*words, "fleet/layouts/mine.yaml"])
    assert told.paths == ["fleet/layouts/mine.yaml"]


@pytest.mark.parametrize(
    ("path", "checked"),
    [
        ("layouts/xl.yaml", True),
        ("dotfiles/.fleet/layouts/xl.yaml", True),
        ("fleet/verbs/commit.md", True),
        ("fleet/verbs/_common.md", True),
        ("fleet/verbs/overrides/review.md", True),
        ("fleet/risk/mine.yaml", True),
        ("fleet/local.yaml", True),
        (".fleet/local.yaml", True),
        ("fleet/verbs/README.md", False),
        ("docs/notes.md", False),
        ("other/local.yaml", False),
        (".github/workflows/ci.yaml", False),
        ("my-layouts/x.yaml", False),
        ("layouts/old/x.yaml", False),
    ],
)
def test_hook_is_run_on_what_can_be_checked(path: str, *, checked: bool) -> None:
    wanted = re.search(HOOK["files"], path) and not re.search(HOOK["exclude"], path)
    assert bool(wanted) is checked
