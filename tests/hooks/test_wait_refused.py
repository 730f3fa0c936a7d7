"""The permission hook that has nobody to wait for, or cannot: it returns at once, silent."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import BOUND
from flightdeck.model.event import is_whole
from flightdeck.store import asks
from tests.hooks.place import DEADLINE_S, QUIET, SHELLS, Place, argv, is_root
from tests.hooks.waiting import PAYLOAD, ask, ask_inside, asks_of, let_panel_live, wait_command

if TYPE_CHECKING:
    from collections.abc import Callable

BIG = b'{"x":"' + b"y" * 5_000_000 + b'"}\n'


def of_a_dead_panel() -> bytes:
    """Return what a killed panel leaves: its pid, which is nobody's now."""
    with subprocess.Popen(["true"]) as ended:
        pass
    return b"%d\n{}\n" % ended.pid


def spooled(place: Place) -> bool:
    """Say whether the one event that should be there is there, whole."""
    (event,) = place.spooled()
    return is_whole(event.read_bytes())


def test_request_is_spooled_and_the_hook_returns_where_no_panel_runs(place: Place) -> None:
    with ask(place) as hook:
        assert hook.send().end() == QUIET
    assert spooled(place)
    assert asks_of(place) == []


@pytest.mark.parametrize(
    "words",
    [b"", b"\n", b"0\n", b"-1\n", b"%d", b"0%d\n", b"%d %d\n", b' {"pid": %d}', b'{"pid": %d}\n'],
    ids=repr,
)
def test_what_is_no_pid_of_ours_is_no_panel(place: Place, words: bytes) -> None:
    own = (os.getpid(),) * words.count(b"%d")
    (place.root / "panel.pid").write_bytes(words % own)
    with ask(place) as hook:
        assert hook.send().end() == QUIET
    assert spooled(place)
    assert asks_of(place) == []


def test_panel_that_was_killed_is_not_waited_for(place: Place) -> None:
    (place.root / "panel.pid").write_bytes(of_a_dead_panel())
    with ask(place) as hook:
        assert hook.send().end() == QUIET
    assert asks_of(place) == []


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


@pytest.mark.parametrize("make", [Path.mkdir, pipe, link_to_nothing])
def test_whatever_stands_where_the_pid_should_hangs_nobody(
    place: Place, make: Callable[[Path], None]
) -> None:
    make(place.root / "panel.pid")
    with ask(place) as hook:
        assert hook.send().end() == QUIET
    assert spooled(place)


def test_hook_let_go_by_the_sweep_of_a_panel_that_starts_is_silent(place: Place) -> None:
    let_panel_live(place)
    with ask(place) as hook:
        hook.send().request()
        assert asks.sweep(place.root / "asks", panel_alive=False) == 1
        assert hook.end() == QUIET


def no_asks(place: Place) -> None:
    (place.root / "asks").rmdir()


def asks_is_a_file(place: Place) -> None:
    no_asks(place)
    (place.root / "asks").write_text("")


@pytest.mark.parametrize("fault", [no_asks, asks_is_a_file])
def test_request_without_a_place_to_wait_is_spooled(
    place: Place, fault: Callable[[Place], None]
) -> None:
    let_panel_live(place)
    fault(place)
    with ask(place) as hook:
        assert hook.send().end() == QUIET
    assert spooled(place)


def test_stranger_in_the_place_of_the_fifo_is_left_alone(place: Place) -> None:
    let_panel_live(place)
    with ask_inside(place, 'mkdir asks/$$.fifo; exec "$@"') as hook:
        assert hook.send().end() == QUIET
        assert hook.fifo.is_dir()
    assert spooled(place)


def no_inbox(place: Place) -> None:
    shutil.rmtree(place.inbox)


def no_executable(place: Place) -> None:
    place.executable.unlink()


def inbox_is_full(place: Place) -> None:
    for number in range(BOUND):
        (place.inbox / f"{number}.Stop.ev").write_text("old")


def fleet_is_a_file(place: Place) -> None:
    shutil.rmtree(place.root)
    place.root.write_text("")


# PM-19 is the last of them
@pytest.mark.parametrize("fault", [no_inbox, no_executable, inbox_is_full, fleet_is_a_file])
def test_event_that_is_not_kept_is_not_waited_for(
    place: Place, fault: Callable[[Place], None]
) -> None:
    let_panel_live(place)
    fault(place)
    with ask(place) as hook:
        assert hook.send(BIG).end() == QUIET
    assert not list(place.root.glob("asks/*"))


def test_event_the_disk_does_not_take_leaves_no_fifo(place: Place) -> None:
    let_panel_live(place)
    with ask_inside(place, 'ulimit -f 8; exec "$@"') as hook:
        assert hook.send(BIG).end() == QUIET
    assert place.spooled() == []
    assert asks_of(place) == []


def test_payload_that_ends_without_a_line_is_an_event_all_the_same(place: Place) -> None:
    let_panel_live(place)
    with ask(place) as hook:
        assert hook.process.stdin
        hook.process.stdin.close()
        os.close(hook.hold())
        assert hook.end() == QUIET
    assert spooled(place)


@pytest.mark.parametrize(("closed", "kept"), [("<&-", 0), (">&-", 1), ("2>&-", 1)])
def test_nobody_waits_whose_answer_would_be_lost(place: Place, closed: str, kept: int) -> None:
    if closed != "2>&-":
        let_panel_live(place)
    with ask_inside(place, f'exec "$@" {closed}') as hook:
        assert hook.send(b"" if closed == "<&-" else PAYLOAD).end() == QUIET
    assert len(place.spooled()) == kept
    assert asks_of(place) == []


# PM-19
@pytest.mark.parametrize("shell", SHELLS)
def test_state_folder_that_cannot_be_written_is_no_reason_to_fail(shell: str) -> None:
    # Not below tmp_path: root may write anywhere, and nobody else may look in there.
    with tempfile.TemporaryDirectory() as top:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        let_panel_live(place)
        Path(top).chmod(0o755)
        for folder in (place.inbox, place.root / "asks", place.root):
            folder.chmod(0o555)
        user = ["setpriv", "--reuid=65534", "--clear-groups"] if is_root() else []
        ended = subprocess.run(
            [*user, *argv(shell, wait_command(place))],
            input=BIG,
            capture_output=True,
            timeout=DEADLINE_S,
            check=False,
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
        assert place.spooled() == []
