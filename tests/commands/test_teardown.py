"""`flightdeck teardown`: what it shows, what it does, what it asks, and how it refuses."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.cli import main
from flightdeck.model.teardown import Check
from flightdeck.system.process import start_of
from tests.fold.world import DEADLINE_S
from tests.panel.agents import SLEEP, Agents
from tests.system.repositories import Place, a_place, stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.fold.world import Machine

    AtATerminal = Callable[..., tuple[int, str]]


@pytest.fixture
def agents() -> Iterator[Agents]:
    agents = Agents()
    yield agents
    agents.end()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = a_place(tmp_path / "x")
    place.settle(monkeypatch)
    return place


@pytest.fixture
def agent(place: Place, agents: Agents, machine: Machine) -> int:
    """An agent in slot 0 that works in the place's worktree."""
    pid = agents.run(*SLEEP, cwd=place.worktree)
    machine.starts(pid, "s-aaaa", cwd=str(place.worktree))
    return pid


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    data = json.loads(capsys.readouterr().out)
    assert isinstance(data, dict)
    return data


def test_worktree_is_removed_and_its_branch_named(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = place.git("rev-parse", "--short", "feat")
    assert main(["teardown", "0"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{place.worktree} is removed, branch feat stays at {commit}\n"
    assert said.err == ""
    assert start_of(agent) is None


def test_stash_is_mentioned_beside_the_result(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place.sh("echo w >>a.txt; git stash -q")
    assert agent
    assert main(["teardown", "0"]) == 0
    assert capsys.readouterr().err == "note: the repository keeps 1 stash\n"


def test_refusal_names_its_check_and_what_is_true_now(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place.sh("echo S=1 >.env")
    assert main(["teardown", "0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "flightdeck: refused at the first look: ignored: ignored files would go with it: .env\n"
        "  nothing was done\n"
    )
    assert start_of(agent)


def test_refusal_by_git_says_that_the_agent_has_ended(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = 'echo "error: failed to delete it" >&2; exit 255'
    stand_in(place, monkeypatch, f'case "$all" in *"worktree remove"*) {fail} ;; esac')
    assert main(["teardown", "0"]) == 1
    assert capsys.readouterr().err == (
        "flightdeck: refused at the removal: error: failed to delete it\n"
        "  the agent has ended, the worktree stays\n"
    )
    assert start_of(agent) is None


def test_dry_run_shows_every_check_and_changes_nothing(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place.sh("git stash -q || true; echo w >>a.txt; git stash -q")
    assert main(["teardown", "0", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-2]] == [[c.value, "proven"] for c in Check]
    assert lines[-2:] == ["note: the repository keeps 1 stash", "it would be removed"]
    assert start_of(agent)
    assert place.worktree.exists()


def test_dry_run_names_everything_that_stands_against_it(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agent
    place.sh("echo S=1 >.env; mkdir n; for i in $(seq 22); do echo >n/$i; done")
    assert main(["teardown", "0", "--dry-run"]) == 1
    out = capsys.readouterr().out
    assert "ignored     refuted  ignored files would go with it\n" + " " * 21 + ".env\n" in out
    assert " " * 21 + "and 2 more\n" in out
    assert out.endswith("it would be refused: status\n")


def test_dry_run_as_json_is_one_object(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agent
    assert main(["teardown", "0", "--dry-run", "--json"]) == 0
    data = told(capsys)
    checks = data.pop("checks")
    assert data == {
        "schema": "flightdeck.teardown/1",
        "slot": 0,
        "session_id": "s-aaaa",
        "dry_run": True,
        "worktree": str(place.worktree),
        "branch": "feat",
        "removed": False,
        "agent_ended": False,
        "stage": "first look",
        "check": None,
        "words": None,
        "notes": [],
    }
    assert [row["check"] for row in checks] == [check.value for check in Check]
    assert checks[3] == {
        "check": "lock",
        "verdict": "proven",
        "words": "nobody locked it",
        "items": [],
        "more": 0,
    }


def test_refused_dry_run_as_json_names_the_check(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agent
    place.sh("echo n >new")
    assert main(["teardown", "0", "--dry-run", "--json"]) == 1
    data = told(capsys)
    assert (data["check"], data["words"]) == ("status", "untracked files: new")


def test_removal_as_json_says_what_is_true_now(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agent
    assert main(["teardown", "0", "--json"]) == 0
    data = told(capsys)
    assert (data["removed"], data["agent_ended"], data["stage"], data["dry_run"]) == (
        True,
        True,
        "done",
        False,
    )
    assert not place.worktree.exists()


def test_session_in_the_main_checkout_is_refused(
    place: Place, agents: Agents, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(agents.run(*SLEEP, cwd=place.main), "s", cwd=str(place.main))
    assert main(["teardown", "0"]) == 1
    assert f"worktree: {place.main} is the main checkout" in capsys.readouterr().err


def test_another_session_inside_is_named(
    place: Place,
    agent: int,
    agents: Agents,
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert agent
    other = agents.run(*SLEEP, cwd=place.root)
    machine.starts(other, "s-bbbb", cwd=str(place.worktree / "src"))
    assert main(["teardown", "0"]) == 1
    assert f"sessions: another session works inside: src (pid {other})" in capsys.readouterr().err


@pytest.mark.parametrize("slot", ["3", "99"])
def test_slot_without_an_agent_is_an_error(
    slot: str, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.folder.root.is_dir()
    assert main(["teardown", slot]) == 1
    assert "flightdeck: " in capsys.readouterr().err


def test_force_is_refused_away_from_a_terminal(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["teardown", "0", "--force"]) == 1
    assert "needs a real terminal" in capsys.readouterr().err
    assert start_of(agent)
    assert place.worktree.exists()


@pytest.mark.usefixtures("machine")
def test_force_and_dry_run_are_two_things(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teardown", "0", "--force", "--dry-run"]) == 2
    assert "not allowed with" in capsys.readouterr().err


@pytest.fixture
def at_a_terminal() -> Callable[..., tuple[int, str]]:
    """Run the command at a terminal of its own, type a line, return how it ended and showed."""

    def one(typed: str, *words: str) -> tuple[int, str]:
        near, far = pty.openpty()
        said = bytearray()
        reader = threading.Thread(target=read_all, args=(near, said))
        reader.start()
        os.write(near, typed.encode() + b"\n")
        shows, given = os.fdopen(far, "w", encoding="utf-8"), os.fdopen(os.dup(far), "r")
        with shows, given, pytest.MonkeyPatch.context() as patch:
            for name, stream in (("stdin", given), ("stdout", shows), ("stderr", shows)):
                patch.setattr(sys, name, stream)
            code = main(["teardown", *words])
        reader.join(DEADLINE_S)
        os.close(near)
        return code, said.decode().replace("\r\n", "\n")

    return one


def read_all(near: int, said: bytearray) -> None:
    """Take what a terminal shows until its other side is closed: that is an error on Linux."""
    with contextlib.suppress(OSError):
        while data := os.read(near, 1 << 16):
            said += data


def test_force_says_what_will_be_lost_and_does_it_when_the_name_is_typed(
    place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    place.sh(
        "echo S=1 >.env; echo n >new; git checkout -q --detach;"
        " git commit -q --allow-empty -m 'lost one'"
    )
    code, said = at_a_terminal("wt", "0", "--force")
    assert code == 0
    assert "will be lost, files:\n  new\n  .env\nwill be lost, commits:\n  " in said
    assert "lost one\n" in said
    assert f"to remove {place.worktree}, type its name, wt:\n" in said
    assert said.endswith(f"{place.worktree} is removed\n")
    assert not place.worktree.exists()
    assert start_of(agent) is None


@pytest.mark.parametrize("typed", ["", "yes", "WT", "wt2"])
def test_force_does_nothing_when_another_name_is_typed(
    typed: str, place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    place.sh("echo n >new")
    code, said = at_a_terminal(typed, "0", "--force")
    assert code == 1
    assert said.endswith("flightdeck: that is not its name; nothing was done\n")
    assert start_of(agent)
    assert (place.worktree / "new").exists()


def test_force_tells_what_only_the_branch_keeps(
    place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    assert agent
    place.sh("git commit -q --allow-empty -m 'mine alone'")
    code, said = at_a_terminal("wt", "0", "--force")
    assert code == 0
    assert "nothing will be lost that exists nowhere else\nstays, on the branch alone: " in said
    assert "mine alone\n" in said
    assert "(branch feat stays)" in said
    assert "mine alone" in place.git("log", "-1", "--format=%s", "feat", where="main")


def test_force_counts_what_it_does_not_name(
    place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    assert agent
    place.sh("mkdir n; for i in $(seq 22); do echo >n/$i; done")
    assert "  and 2 more\n" in at_a_terminal("no", "0", "--force")[1]


def test_force_tells_of_an_operation_under_way(
    place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    assert agent
    place.sh("git bisect start -q")
    assert "will be lost: a bisect is under way\n" in at_a_terminal("no", "0", "--force")[1]


def test_force_does_not_even_ask_where_it_overrules_nothing(
    place: Place, agent: int, at_a_terminal: AtATerminal
) -> None:
    place.sh("git init -q build/dep")
    code, said = at_a_terminal("wt", "0", "--force")
    assert code == 1
    assert "build/dep; --force does not overrule that\n" in said
    assert "type its name" not in said
    assert start_of(agent)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take UTF-8 only")
def test_name_of_a_file_cannot_steer_the_terminal(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agent
    place.sh("echo >\"$(printf 'a\\033[2J\\351')\"")
    assert main(["teardown", "0"]) == 1
    assert "a\ufffd[2J\ufffd" in capsys.readouterr().err
