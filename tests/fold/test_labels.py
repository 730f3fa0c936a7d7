"""Labels: the repository over the title or branch, and siblings never the same."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.fold.folding import REST_S
from tests.fold.world import view_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fold.world import Machine


def a_repository(path: Path, branch: str) -> Path:
    subprocess.run(["git", "init", "-q", "-b", branch, str(path)], check=True)
    return path


def test_label_is_the_repository_over_the_branch(machine: Machine) -> None:
    repo = a_repository(machine.home / "webshop", "feature/retry")
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s", cwd=str(repo))
    view = view_of(machine.step(fold), 0)
    assert (view.repo, view.branch, view.label[0]) == ("webshop", "feature/retry", "webshop")
    subprocess.run(["git", "-C", str(repo), "checkout", "-q", "-b", "main"], check=True)
    assert view_of(machine.step(fold, REST_S), 0).branch == "main"


def test_title_stands_before_the_branch(machine: Machine) -> None:
    repo = a_repository(machine.home / "webshop", "main")
    machine.starts(machine.agent(), "s", cwd=str(repo), session_title="Refunds")
    assert view_of(machine.step(machine.fold()), 0).label == ("webshop", "Refunds")


def test_two_live_siblings_never_read_the_same(machine: Machine) -> None:
    repo = a_repository(machine.home / "webshop", "main")
    for name in ("a", "b"):
        machine.starts(machine.agent(), name, cwd=str(repo))
    outcome = machine.step(machine.fold())
    labels = [view.label for view in outcome.fleet.slots[:2]]
    assert labels[0] != labels[1]


def test_new_label_rules_are_followed_at_once(machine: Machine) -> None:
    repo = a_repository(machine.home / "webshop", "feature/retry")
    fold = machine.fold()
    machine.starts(machine.agent(), "s", cwd=str(repo))
    machine.step(fold)
    fold.plan = replace(fold.plan, labels=replace(fold.plan.labels, strip=("feature/",)))
    assert view_of(machine.step(fold), 0).label[1] == "retry"


def test_folder_that_is_gone_is_called_by_its_name(machine: Machine) -> None:
    machine.starts(machine.agent(), "s", cwd="/nowhere/at-all")
    assert view_of(machine.step(machine.fold()), 0).repo == "at-all"
