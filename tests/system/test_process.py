"""Living, dead, zombie, and a pid that came round again: on real processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.system import process
from flightdeck.system.process import (
    alive,
    environment_of,
    parents_by_ps,
    parents_of,
    start_of,
    starts_by_ps,
    starts_of,
)
from flightdeck.system.run import Completed, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PS_OUTPUT = """\
    1 Ss   Mon Nov  9 08:00:01 2026
  501 S+   Mon Nov 30 12:20:05 2026
  502 Z    Mon Nov 30 12:20:06 2026
  503 R    Mon Nov 30 12:20:07 2026
  504
garbage
"""


class Ps:
    """Answers like `ps`, and remembers how it was asked."""

    def __init__(self, out: str) -> None:
        self.out = out
        self.asked: list[Sequence[str]] = []

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        self.asked.append(argv)
        return Completed(0, self.out, "")


class SilentPs(Ps):
    """Gives no answer in time."""

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        raise Unavailable("'ps' gave no answer in 2 s")


@pytest.fixture(autouse=True)
def nothing_told_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_told", {})


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as child:
        yield child
        child.kill()


@pytest.fixture
def zombie() -> Iterator[int]:
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    yield child.pid
    child.wait()


@pytest.fixture
def dead() -> int:
    child = subprocess.Popen(["true"])
    child.wait()
    return child.pid


def test_living_process_has_a_start_that_stays(sleeper: subprocess.Popen[bytes]) -> None:
    start = start_of(sleeper.pid)
    assert start
    assert start_of(sleeper.pid) == start


@pytest.mark.skipif(sys.platform != "linux", reason="field 22 is Linux")
def test_start_is_the_number_claude_code_writes_as_proc_start() -> None:
    fields = Path("/proc/self/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    assert start_of(os.getpid()) == fields[19]


def test_process_is_alive_under_its_own_start_or_any(sleeper: subprocess.Popen[bytes]) -> None:
    assert alive(sleeper.pid, start_of(sleeper.pid) or "none")
    assert alive(sleeper.pid, "")


def test_pid_that_came_round_again_is_not_the_process_it_was(
    sleeper: subprocess.Popen[bytes],
) -> None:
    assert not alive(sleeper.pid, "1")


def test_dead_process_has_no_start(dead: int) -> None:
    assert start_of(dead) is None
    assert not alive(dead, "")


def test_zombie_is_dead(zombie: int) -> None:
    assert start_of(zombie) is None
    assert starts_by_ps([zombie], run) == {}


@pytest.mark.parametrize("pid", [1, 0, -1, -(2**40), 2**40])
def test_pid_no_agent_can_have_is_dead(pid: int) -> None:
    assert start_of(pid) is None


@pytest.mark.parametrize("name", ["a b", "x) Z 1 (y", "(((", "\n) S 2"])
def test_name_of_the_program_does_not_disturb_its_start(name: str, tmp_path: Path) -> None:
    program = tmp_path / name
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    with subprocess.Popen([program, "60"]) as child:
        found, expected = start_of(child.pid), starts_by_ps([child.pid], run)
        child.kill()
    assert found
    assert child.pid in expected


def test_many_are_asked_at_once(sleeper: subprocess.Popen[bytes], dead: int, zombie: int) -> None:
    found = starts_of([os.getpid(), sleeper.pid, dead, zombie, 1])
    assert set(found) == {os.getpid(), sleeper.pid}


def test_without_proc_the_answer_comes_from_ps(
    sleeper: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_PROC", tmp_path)
    start = start_of(sleeper.pid)
    assert start == starts_by_ps([sleeper.pid], run)[sleeper.pid]
    assert alive(sleeper.pid, start)


def test_process_that_ends_while_it_is_asked_about_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "stat").touch()
    (tmp_path / "77" / "stat").mkdir(parents=True)  # opens, and cannot be read
    monkeypatch.setattr(process, "_PROC", tmp_path)
    assert start_of(77) is None


def test_stat_cut_short_is_no_proof_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pid in ("self", "77"):
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "stat").write_bytes(b"77 (sh) S 1")
    monkeypatch.setattr(process, "_PROC", tmp_path)
    assert start_of(77) is None


def test_ps_tells_the_start_of_those_that_live() -> None:
    assert starts_by_ps([501, 502, 503, 504, 505], Ps(PS_OUTPUT)) == {
        501: "Mon Nov 30 12:20:05 2026",
        503: "Mon Nov 30 12:20:07 2026",
    }


@pytest.mark.parametrize(("pids", "flags"), [([501], ["-p", "501"]), ([501, 503], ["-ax"])])
def test_ps_runs_once_however_many_are_asked(pids: list[int], flags: list[str]) -> None:
    ps = Ps(PS_OUTPUT)
    starts_by_ps(pids, ps)
    assert [list(argv) for argv in ps.asked] == [
        ["/usr/bin/env", "LC_ALL=C", "TZ=UTC0", "ps", *flags, "-o", "pid=,stat=,lstart="]
    ]


def test_ps_is_not_run_for_nobody() -> None:
    ps = Ps(PS_OUTPUT)
    assert starts_by_ps([], ps) == {}
    assert not ps.asked


def test_silent_ps_does_not_declare_anybody_dead(dead: int) -> None:
    assert starts_by_ps([os.getpid(), dead, 2**40], SilentPs("")) == {os.getpid(): ""}


def test_start_that_was_known_stands_while_ps_is_silent(
    sleeper: subprocess.Popen[bytes],
) -> None:
    known = starts_by_ps([sleeper.pid], run)
    assert starts_by_ps([sleeper.pid], SilentPs("")) == known


def test_start_of_a_process_that_ended_is_not_remembered(
    sleeper: subprocess.Popen[bytes],
) -> None:
    starts_by_ps([sleeper.pid], run)
    starts_by_ps([sleeper.pid], Ps(PS_OUTPUT))
    assert starts_by_ps([sleeper.pid], SilentPs("")) == {sleeper.pid: ""}


def test_process_that_may_not_be_signalled_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_pid: int, _signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert starts_by_ps([77], SilentPs("")) == {77: ""}


def test_unknown_start_matches_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "start_of", lambda _: "")
    assert alive(77, "Mon Nov 30 12:20:05 2026")


def test_only_the_names_asked_for_are_told_of_an_environment() -> None:
    environ = {"TMUX_PANE": "%7", "SECRET": "hunter2", "ODD": "a=b\nc"}
    with subprocess.Popen(["/bin/sleep", "60"], env=environ) as sleeper:
        # The environment is the child's own only once it has replaced its image.
        while Path(f"/proc/{sleeper.pid}/comm").read_text() != "sleep\n":
            pass
        told = environment_of(sleeper.pid, ["TMUX_PANE", "ODD", "ABSENT"])
        sleeper.kill()
    assert told == {"TMUX_PANE": "%7", "ODD": "a=b\nc"}


def test_environment_of_nobody_is_empty(dead: int) -> None:
    assert environment_of(dead, ["HOME"]) == {}


def test_parents_are_told_nearest_first() -> None:
    above = parents_of(os.getpid())
    assert above[0] == os.getppid()
    assert above[1:] == parents_of(os.getppid())


def test_grandchild_has_this_process_above_its_parent() -> None:
    script = "sleep 600 & echo $!; read wait; kill $!"
    with subprocess.Popen(
        ["/bin/sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        grandchild = int(parent.stdout.readline())
        assert parents_of(grandchild)[:2] == (parent.pid, os.getpid())
        parent.communicate("go\n")


def test_process_that_is_not_there_has_no_parents() -> None:
    assert parents_of(2**31 - 1) == ()


@pytest.mark.skipif(shutil.which("ps") is None, reason="no ps on this machine")
def test_ps_tells_the_same_parents() -> None:
    assert parents_by_ps(os.getpid(), run) == parents_of(os.getpid())


def test_parents_come_from_one_ps_whatever_else_it_says() -> None:
    ps = Ps("  7   5\n  5   1\n  1   0\nPID PPID\n 9\n")
    assert parents_by_ps(7, ps) == (5, 1)
    assert len(ps.asked) == 1


def test_pid_that_comes_round_again_ends_the_chain() -> None:
    assert parents_by_ps(7, Ps("7 5\n5 7\n")) == (5, 7)


def test_silent_ps_tells_no_parents() -> None:
    assert parents_by_ps(7, SilentPs("")) == ()


def test_machine_without_proc_is_asked_by_ps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(process, "_PROC", tmp_path)
    monkeypatch.setattr(process, "run", Ps("7 5\n5 1\n"))
    assert parents_of(7) == (5, 1)
