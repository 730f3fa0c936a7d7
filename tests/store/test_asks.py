"""The FIFOs in `asks/`: which are ours, whose they are, and what crashes leave."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.store import asks
from flightdeck.system import clock
from tests.fold.world import until
from tests.hooks.place import QUIET, Place, is_root
from tests.hooks.waiting import Waiting, ask, asks_of, let_panel_live

if TYPE_CHECKING:
    from pathlib import Path

OLD_S = 1e9


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A place with a live panel."""
    place = Place(tmp_path / ".fleet", tmp_path / "flightdeck", "/bin/sh")
    let_panel_live(place)
    return place


def folder(place: Place) -> Path:
    return place.root / "asks"


def a_fifo(place: Place, pid: int = 0, made_s: float = 0.0) -> asks.Fifo:
    """Make one that nobody reads; by default of this process, and new."""
    path = folder(place) / f"{pid or os.getpid()}.fifo"
    os.mkfifo(path)
    if made_s:
        os.utime(path, (made_s, made_s))
    return next(fifo for fifo in asks.standing(folder(place)) if fifo.path == path)


def a_dead_pid() -> int:
    with subprocess.Popen(["true"]) as ended:
        pass
    return ended.pid


def waiting(hook: Waiting) -> asks.Fifo:
    """Return the FIFO of a hook that reads, or will in no time."""
    hook.send().request()
    (fifo,) = asks.standing(hook.fifo.parent)
    return fifo


def test_request_waits_while_its_hook_does(place: Place) -> None:
    fifo = a_fifo(place)
    assert asks.waits(folder(place), f"{fifo.made_ns}-{fifo.pid}")
    asks.remove(fifo)
    assert not asks.waits(folder(place), f"{fifo.made_ns}-{fifo.pid}")


def test_request_does_not_wait_with_what_is_not_its_own(place: Place) -> None:
    fifo = a_fifo(place)
    assert not asks.waits(folder(place), f"{fifo.made_ns - 1}-{fifo.pid}")
    assert not asks.waits(folder(place), "../../etc/passwd")
    (folder(place) / "77.fifo").touch()
    assert not asks.waits(folder(place), f"{fifo.made_ns}-77")


def test_fifo_says_whose_it_is_and_when_it_was_made(place: Place) -> None:
    fifo = a_fifo(place, pid=4711, made_s=OLD_S)
    assert (fifo.pid, fifo.made_ns) == (4711, 1_000_000_000_000_000_000)
    assert asks.standing(folder(place)) == [fifo]


@pytest.mark.parametrize(
    "name", ["0.fifo", "x.fifo", "1", "1.fifo.tmp", "12345678901.fifo", "٣.fifo"]
)
def test_name_no_hook_gives_is_a_strangers(place: Place, name: str) -> None:
    os.mkfifo(folder(place) / name)
    assert asks.standing(folder(place)) == []


@pytest.mark.skipif(not is_root(), reason="only root gives files away")
def test_fifo_of_another_user_is_a_strangers(place: Place) -> None:
    os.chown(a_fifo(place).path, 65_534, -1)
    assert asks.standing(folder(place)) == []


def test_folder_that_is_not_there_holds_nothing(place: Place) -> None:
    assert asks.standing(place.root / "none") == []
    assert asks.sweep(place.root / "none", panel_alive=False) == 0


@pytest.mark.parametrize(
    ("known", "found"),
    [
        ((), ""),
        (("1000000000000000000-4711",), "1000000000000000000-4711"),
        (("1000000000000000005-4711", "1000000000000000003-4711"), "1000000000000000003-4711"),
        (("999999999999999999-4711",), ""),
        (("1000000000000000001-711", "1000000000000000001-47110"), ""),
        (("record-4711", "", "1000000000000000001-4711 ", "٣-4711"), ""),
    ],
)
def test_request_of_a_fifo_is_the_first_after_it_with_its_pid(
    place: Place, known: tuple[str, ...], found: str
) -> None:
    assert a_fifo(place, pid=4711, made_s=OLD_S).request(known) == found


def test_fifo_nobody_reads_cannot_be_opened_yet(place: Place) -> None:
    assert asks.open_end(a_fifo(place)) is None


@pytest.mark.parametrize("left", ["nothing", "file", "folder", "link", "another"])
def test_fifo_that_is_another_thing_now_is_gone(place: Place, left: str) -> None:
    fifo = a_fifo(place)
    fifo.path.rename(folder(place) / "moved")
    if left == "file":
        fifo.path.write_text("")
    if left == "folder":
        fifo.path.mkdir()
    if left == "link":
        fifo.path.symlink_to("moved")
    if left == "another":
        os.mkfifo(fifo.path)
    reader = os.open(
        fifo.path if left == "another" else folder(place) / "moved", os.O_RDONLY | os.O_NONBLOCK
    )
    with pytest.raises(FileNotFoundError):
        asks.open_end(fifo)
    os.close(reader)


def test_machine_out_of_handles_says_nothing_of_the_fifo(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more(*_: object) -> int:
        raise OSError(errno.EMFILE, "too many open files")

    fifo = a_fifo(place)
    monkeypatch.setattr(os, "open", no_more)
    with pytest.raises(OSError, match="too many"):
        asks.open_end(fifo)


def an_end(fifo: asks.Fifo, text: bytes) -> int:
    """Return the write end of a FIFO nobody reads any more, `text` left in it."""
    reader = os.open(fifo.path, os.O_RDONLY | os.O_NONBLOCK)
    handle = asks.open_end(fifo)
    assert handle is not None
    os.write(handle, text)
    os.close(reader)
    return handle


@pytest.mark.parametrize(("text", "left"), [(b"", False), (b"x" * 70, True)])
def test_what_was_not_read_is_taken_back(place: Place, text: bytes, left: bool) -> None:
    fifo = a_fifo(place)
    handle = an_end(fifo, text)
    assert asks.take_back(fifo, handle) is left
    assert asks.take_back(fifo, handle) is False
    os.close(handle)


@pytest.mark.parametrize("replaced", [True, False])
@pytest.mark.parametrize(("text", "left"), [(b"", False), (b"x" * 70, True)])
def test_what_was_not_read_is_known_although_the_fifo_was_taken_away(
    place: Place, text: bytes, left: bool, replaced: bool
) -> None:
    fifo = a_fifo(place)
    handle = an_end(fifo, text)
    fifo.path.rename(folder(place) / "moved")
    if replaced:
        os.mkfifo(fifo.path)
    assert asks.take_back(fifo, handle) is left
    os.close(handle)


def test_another_one_in_its_place_is_not_removed(place: Place) -> None:
    fifo = a_fifo(place)
    fifo.path.rename(folder(place) / "moved")
    os.mkfifo(fifo.path)
    asks.remove(fifo)
    assert fifo.path.exists()


@pytest.mark.parametrize("panel_alive", [True, False])
def test_sweep_takes_what_the_dead_left(place: Place, panel_alive: bool) -> None:
    a_fifo(place, pid=a_dead_pid())
    assert asks.sweep(folder(place), panel_alive=panel_alive) == 1
    assert asks_of(place) == []


def test_sweep_beside_a_panel_leaves_hooks_that_wait(place: Place) -> None:
    with ask(place) as hook:
        fifo = waiting(hook)
        os.utime(fifo.path, (OLD_S, OLD_S))
        assert asks.sweep(folder(place), panel_alive=True) == 0
        assert hook.process.poll() is None
        assert asks_of(place) == [hook.fifo.name]


def test_sweep_without_a_panel_lets_hooks_that_wait_go(place: Place) -> None:
    with ask(place) as hook:
        waiting(hook)
        assert asks.sweep(folder(place), panel_alive=False) == 1
        assert hook.end() == QUIET
    assert asks_of(place) == []


def test_sweep_waits_a_moment_for_a_hook_about_to_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks, "_PATIENCE_S", 30.0)
    with ask(place) as hook:
        until(hook.fifo.exists)
        # Once: what a hook does not read would fill its pipe.
        sends = iter([hook.send])
        monkeypatch.setattr(clock, "pause", lambda _: next(sends, hook.event.exists)())
        assert asks.sweep(folder(place), panel_alive=False) == 1
        assert hook.end() == QUIET


def test_sweep_leaves_a_hook_that_has_not_come_to_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks, "_PATIENCE_S", 0.0)
    a_fifo(place)
    assert asks.sweep(folder(place), panel_alive=False) == 0
    assert len(asks_of(place)) == 1


def test_sweep_takes_what_nobody_has_come_to_read_for_long(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks, "_PATIENCE_S", 0.0)
    a_fifo(place, made_s=time.time() - 31)
    assert asks.sweep(folder(place), panel_alive=False) == 1


def test_sweep_that_finds_one_gone_goes_on(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, dead = a_fifo(place), a_fifo(place, pid=a_dead_pid())
    gone.path.unlink()
    monkeypatch.setattr(asks, "standing", lambda _: [gone, dead])
    assert asks.sweep(folder(place), panel_alive=False) == 1


def test_hook_that_was_killed_is_gone_for_the_sweep(place: Place) -> None:
    with ask(place) as hook:
        waiting(hook)
        hook.signal(signal.SIGKILL)
        hook.end()
        assert asks.sweep(folder(place), panel_alive=True) == 1
