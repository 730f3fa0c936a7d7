"""The permission hook with a panel alive: it waits for one line, and ends without one."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.event import END
from flightdeck.store.paths import StateFolder
from tests.fold.world import until
from tests.hooks.place import QUIET, SHELLS, Ended, Place
from tests.hooks.waiting import (
    ANSWER,
    PAYLOAD,
    Waiting,
    ask,
    ask_inside,
    asks_of,
    let_panel_live,
    processes,
    wait_command,
)

if TYPE_CHECKING:
    from pathlib import Path

TOLD = Ended(0, ANSWER.encode() + b"\n", b"")
BIG = b'{"x":"' + b"y" * 5_000_000 + b'"}\n'


@pytest.fixture
def place(place: Place) -> Place:
    """The same, with a panel that lives."""
    let_panel_live(place)
    return place


def answer(hook: Waiting, line: bytes = ANSWER.encode() + b"\n") -> Ended:
    """Do what a panel does at a press."""
    held = hook.hold()
    os.write(held, line)
    os.close(held)
    return hook.end()


def test_answer_is_printed_as_it_was_given(place: Place) -> None:
    with ask(place) as hook:
        hook.send()
        assert answer(hook) == TOLD


def test_request_is_spooled_like_any_event(place: Place) -> None:
    with ask(place) as hook:
        hook.send().request()
        content = hook.event.read_bytes()
        answer(hook)
    assert content.startswith(b"flightdeck1\x1fPermissionRequest\x1f4242\x1f")
    assert content.endswith(PAYLOAD + END)


def test_hook_let_go_prints_nothing(place: Place) -> None:
    with ask(place) as hook:
        os.close(hook.send().hold())
        assert hook.end() == QUIET


def test_nothing_after_the_first_line_is_printed(place: Place) -> None:
    with ask(place) as hook:
        hook.send()
        assert answer(hook, ANSWER.encode() + b"\nmore\n") == TOLD


def test_fifo_is_there_before_the_event_and_never_younger(place: Place) -> None:
    with ask(place) as hook:
        until(hook.event.exists)
        assert hook.fifo.exists()
        hook.send().request()
        assert hook.fifo.stat().st_mtime_ns <= hook.event.stat().st_mtime_ns
        answer(hook)


def test_fifo_is_for_its_owner_only(place: Place) -> None:
    with ask(place) as hook:
        hook.send().request()
        mode = hook.fifo.lstat().st_mode
        answer(hook)
    assert stat.S_ISFIFO(mode)
    assert stat.S_IMODE(mode) == 0o600


def test_who_waits_is_one_head(place: Place) -> None:
    with ask(place) as hook:
        held = hook.send().hold()
        until(hook.reads)
        assert str(hook.pid) not in processes("-A", "-o", "ppid=")
        os.close(held)
        hook.end()


def test_hook_waits_although_the_client_never_closes_the_pipe(place: Place) -> None:
    with ask(place) as hook:
        assert answer(hook.send()) == TOLD


def test_payload_of_any_size_can_be_answered(place: Place) -> None:
    with ask(place) as hook:
        assert answer(hook.send(BIG)) == TOLD


@pytest.mark.parametrize(
    "environ",
    [{}, {"PATH": ""}, {"BASH_VERSION": "5"}, {"w": "/etc/passwd", "o": "", "p": "1"}],
    ids=["none", "no path", "a name of bash's", "names of its own"],
)
def test_environment_decides_nothing(place: Place, environ: dict[str, str]) -> None:
    with ask(place, environ=environ) as hook:
        assert answer(hook.send()) == TOLD


@pytest.mark.parametrize("options", ["noglob", "errexit", "nounset", "noclobber", "xtrace"])
def test_options_the_shell_inherits_decide_nothing(place: Place, options: str) -> None:
    with ask(place, environ={"SHELLOPTS": options}) as hook:
        assert answer(hook.send()) == TOLD


@pytest.mark.parametrize("shell", SHELLS)
def test_any_shell_may_be_called_sh(place: Place, shell: str) -> None:
    process = subprocess.Popen(
        ["sh", "-c", wait_command(place)],
        executable=shell,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    with Waiting(place, process) as hook:
        assert answer(hook.send()) == TOLD


def test_requests_wait_side_by_side(place: Place) -> None:
    with ask(place) as first, ask(place) as second:
        held = [hook.send().hold() for hook in (first, second)]
        for handle, line in zip(reversed(held), (b"second\n", b"first\n"), strict=True):
            os.write(handle, line)
        assert [hook.end().out for hook in (first, second)] == [b"first\n", b"second\n"]
        for handle in held:
            os.close(handle)


# PM-19
def test_signal_ends_a_hook_that_waits_and_nothing_is_printed(place: Place) -> None:
    with ask(place) as hook:
        held = hook.send().hold()
        until(hook.reads)
        hook.signal(signal.SIGTERM)
        assert hook.end() == Ended(-signal.SIGTERM, b"", b"")
        os.close(held)


def test_leftover_of_the_same_pid_makes_way(place: Place) -> None:
    with ask_inside(place, 'mkfifo asks/$$.fifo && touch -t 200001010000 asks/$$.fifo; "$@"') as a:
        until(lambda: a.fifo.exists() and a.fifo.stat().st_mtime < 1e9)
        a.signal(signal.SIGKILL)
    with ask_inside(
        place, 'mkfifo asks/$$.fifo; touch -t 200001010000 asks/$$.fifo; exec "$@"'
    ) as b:
        b.send().request()
        assert b.fifo.stat().st_mtime > 1e9
        assert answer(b) == TOLD


# PM-22
def test_nothing_below_the_state_folder_is_for_others(place: Place, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        folder = StateFolder(tmp_path / "made" / ".fleet")
        folder.create()
        made = Place(folder.root, tmp_path / "made" / "flightdeck", place.shell)
        let_panel_live(made)
        (folder.root / "panel.pid").chmod(0o600)
        with ask(made) as hook:
            hook.send(b'{"command":"curl -H \'Authorization: Bearer abc\'"}\n').request()
            loose = [path for path in folder.root.rglob("*") if path.lstat().st_mode & 0o077]
            answer(hook)
    finally:
        os.umask(before)
    assert loose == []
    assert stat.S_IMODE(folder.root.stat().st_mode) == 0o700


def test_hook_whose_exec_fails_is_silent(place: Place) -> None:
    head = place.site().head
    before, _, after = wait_command(place).rpartition(head)
    with ask(place, f"{before}/nowhere/head{after}") as hook:
        assert hook.send().end() == QUIET


def test_panel_that_ends_while_the_event_is_written_leaves_nobody_waiting(place: Place) -> None:
    with ask(place) as hook:
        until(hook.event.exists)
        (place.root / "panel.pid").unlink()
        assert hook.send().end() == QUIET


def test_fifo_somebody_took_away_is_not_waited_for(place: Place) -> None:
    with ask(place) as hook:
        until(hook.event.exists)
        hook.fifo.unlink()
        assert hook.send().end() == QUIET
    assert asks_of(place) == []


def test_client_that_is_killed_leaves_a_hook_that_can_be_let_go(place: Place) -> None:
    with ask(place) as hook:
        held = hook.send().hold()
        assert hook.process.stdin
        assert hook.process.stdout
        hook.process.stdin.close()
        hook.process.stdout.close()
        os.close(held)
        assert hook.process.wait(30) == 0
