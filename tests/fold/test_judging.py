"""The judge of a state folder: risk/README.md, "Where rules lie" and "Compiled"."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config import document, risk
from flightdeck.fold import judging
from flightdeck.fold.judging import compile_rules, judge_for, ready_judge
from flightdeck.model.risk import Judgement, Tier
from flightdeck.store import risktable
from flightdeck.store.paths import StateFolder
from tests.risk.tables import rule

if TYPE_CHECKING:
    from pathlib import Path

FROB = {"command": "frob"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StateFolder:
    """A state folder, and one shipped rule."""
    place = StateFolder(tmp_path / "fleet")
    place.create()
    place.risk.mkdir()
    ours = tmp_path / "shipped"
    ours.mkdir()
    (ours / "default.yaml").write_text(frob("medium", "shipped"), encoding="utf-8")
    monkeypatch.setattr(shipped, "folder", lambda name: ours)
    return place


def frob(tier: str, name: str = "mine", command: str = "frob") -> str:
    """Return a rule file about the program `frob`, with examples that hold."""
    text = f"rules:\n{rule('program: frob', name=name, tier=tier)}"
    return text.replace("- x", f"- {command}")


def own(folder: StateFolder, text: str, name: str = "mine.yaml") -> None:
    (folder.risk / name).write_text(text, encoding="utf-8")


def no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("YAML is read")

    monkeypatch.setattr(risk, "read_document", read)


def test_shipped_rules_judge_where_there_are_no_others(folder: StateFolder) -> None:
    judged = judge_for(folder)("Bash", FROB)
    assert (judged.tier, judged.rule) == (Tier.MEDIUM, "shipped")


def test_rule_of_the_user_comes_first(folder: StateFolder) -> None:
    own(folder, frob("low"))
    assert judge_for(folder)("Bash", FROB).rule == "mine"


def test_edit_counts_from_the_next_call_on(folder: StateFolder) -> None:
    judge = ready_judge(folder)
    own(folder, frob("low"))
    assert judge("Bash", FROB).tier is Tier.LOW
    own(folder, frob("high").replace("because", "because of this"))
    assert judge("Bash", FROB).tier is Tier.HIGH
    own(folder, frob("low", "other"), "a.yaml")
    assert judge("Bash", FROB).tier is Tier.HIGH
    (folder.risk / "mine.yaml").unlink()
    assert judge("Bash", FROB).rule == "other"


def test_rules_are_read_once_while_nothing_changes(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(folder, frob("low"))
    judge = ready_judge(folder)

    def again(_: StateFolder) -> None:
        raise AssertionError("the rules are read again")

    monkeypatch.setattr(judging, "compile_rules", again)
    assert judge("Bash", FROB).tier is Tier.LOW


@pytest.mark.parametrize(
    "text",
    ["rules:\n  mine:\n    tier: hih\n", "{", frob("low", command="ls"), "\0"],
    ids=["fault", "yaml", "example", "binary"],
)
def test_file_with_a_problem_is_left_out_and_named(
    folder: StateFolder, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    own(folder, text)
    own(folder, frob("high", "good").replace("frob", "frab"), "good.yaml")
    judge = judge_for(folder)
    with caplog.at_level(logging.WARNING):
        assert judge("Bash", FROB).rule == "shipped"
    assert judge("Bash", {"command": "frab"}).rule == "good"
    assert "mine.yaml" in caplog.text
    assert {p.location.file.split("/")[-1] for p in compile_rules(folder).problems} == {"mine.yaml"}


def test_file_that_cannot_be_read_is_left_out(folder: StateFolder) -> None:
    (folder.risk / "mine.yaml").mkdir()
    os.mkfifo(folder.risk / "pipe.yaml")
    (folder.risk / "gone.yaml").symlink_to("nowhere")
    assert judge_for(folder)("Bash", FROB).rule == "shipped"
    assert len(compile_rules(folder).problems) == 3


def test_compiled_rules_are_used_without_reading_yaml(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(folder, frob("low"))
    compile_rules(folder)
    no_yaml(monkeypatch)
    assert judge_for(folder)("Bash", FROB).rule == "mine"


def test_edit_of_own_rules_reads_no_shipped_ones(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_rules(folder)
    own(folder, "")
    (shipped.folder("risk") / "default.yaml").touch()
    real = document.read_document
    read: list[str] = []

    def reading(path: Path, *rest: object, **more: object) -> object:
        read.append(path.name)
        return real(path, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(risk, "read_document", reading)
    compile_rules(folder)
    assert read == ["mine.yaml"]


@pytest.mark.parametrize("text", ["", "{", "[1]"])
def test_broken_compiled_file_is_made_again(folder: StateFolder, text: str) -> None:
    compile_rules(folder)
    good = risktable.path(folder).read_text()
    risktable.path(folder).write_text(text)
    assert judge_for(folder)("Bash", FROB).rule == "shipped"
    assert risktable.path(folder).read_text() == good


def test_rules_that_cannot_be_kept_judge_all_the_same(folder: StateFolder) -> None:
    folder.compiled.rmdir()
    folder.compiled.write_text("")
    assert judge_for(folder)("Bash", FROB).rule == "shipped"


def test_state_folder_that_is_not_there_is_not_made(folder: StateFolder, tmp_path: Path) -> None:
    nowhere = StateFolder(tmp_path / "nowhere")
    assert judge_for(nowhere)("Bash", FROB).rule == "shipped"
    assert not nowhere.root.exists()


def test_compiled_file_keeps_its_mode(folder: StateFolder) -> None:
    compile_rules(folder)
    assert risktable.path(folder).stat().st_mode & 0o777 == 0o600
    assert json.loads(risktable.path(folder).read_text())["format"] == risktable.FORMAT


def test_judge_without_a_table_says_medium(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: StateFolder) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(judging, "compile_rules", fails)
    with caplog.at_level(logging.WARNING):
        judged = judge_for(folder)("Bash", FROB)
    assert judged == Judgement(Tier.MEDIUM, why="the risk table cannot be read")
    assert "ZeroDivisionError" in caplog.text


def test_no_rule_at_all_is_a_medium_call(folder: StateFolder) -> None:
    (shipped.folder("risk") / "default.yaml").unlink()
    assert judge_for(folder)("Bash", FROB).tier is Tier.MEDIUM


def test_fold_that_judges_nothing_loads_no_rules() -> None:
    looked = (
        "import sys, flightdeck.fold.opening, flightdeck.fold.judging; "
        "print([m for m in sys.modules if m.startswith(('strictyaml', 'tree_sitter', "
        "'flightdeck.config.risk', 'flightdeck.risk.'))])"
    )
    told = subprocess.run(
        [sys.executable, "-c", looked], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
