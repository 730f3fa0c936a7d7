"""Which hooks the panel holds, and how each of the others comes to be let go."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel import lease
from flightdeck.store import asks
from flightdeck.system import clock
from tests.fold.world import until
from tests.hooks.place import QUIET, Ended, Place
from tests.hooks.waiting import ask, asks_of, let_panel_live
from tests.panel.holding import FOREVER, Rig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLDER = """
import math, os, sys, time
from pathlib import Path
from flightdeck.panel.leases import Leases
leases = Leases(Path(sys.argv[1]))
while not leases.held():
    leases.sync({sys.argv[2]: math.inf})
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A place with a live panel that holds nothing yet."""
    place = Place(tmp_path / ".fleet", tmp_path / "flightdeck", "/bin/sh")
    let_panel_live(place)
    rig = Rig(place)
    yield rig
    rig.leases.close()


def test_wanted_request_is_held_and_that_is_told(rig: Rig) -> None:
    with rig.ask() as hook:
        requests = rig.hold(hook)
        assert rig.leases.held() == set(requests)
        assert rig.changes.acquire(timeout=30)


def test_request_without_a_hook_is_not_held(rig: Rig) -> None:
    rig.leases.sync({f"1-{os.getpid()}": FOREVER, "of the registry": FOREVER})
    assert rig.leases.held() == frozenset()


def test_hook_that_has_not_come_to_read_is_about_to(rig: Rig) -> None:
    with ask(rig.place) as hook:
        until(hook.event.exists)
        request = f"{hook.fifo.stat().st_mtime_ns}-{hook.pid}"
        rig.leases.sync({request: FOREVER})
        assert rig.leases.opening(request)
        assert rig.leases.held() == frozenset()
        hook.send()
        until(lambda: rig.leases.held() == {request})
        assert not rig.leases.opening(request)


def test_hook_that_does_not_come_is_not_about_to_for_ever(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "OPENING_S", 0.02)
    with ask(rig.place) as hook:
        until(hook.event.exists)
        request = f"{hook.fifo.stat().st_mtime_ns}-{hook.pid}"
        rig.leases.sync({request: FOREVER})
        until(lambda: not rig.leases.opening(request))
        hook.send().request()
        rig.synced_until(lambda: bool(rig.leases.held()), {request: FOREVER})


def test_hook_that_died_before_it_came_leaves_nothing(rig: Rig) -> None:
    with ask(rig.place) as hook:
        until(hook.event.exists)
        request = f"{hook.fifo.stat().st_mtime_ns}-{hook.pid}"
        rig.leases.sync({request: FOREVER})
        hook.signal(signal.SIGKILL)
        hook.end()
        until(lambda: asks_of(rig.place) == [])
        assert not rig.leases.opening(request)


def test_request_that_is_not_to_be_held_is_let_go_at_once(rig: Rig) -> None:
    with rig.ask() as hook:
        rig.leases.sync({}, release=[hook.request()])
        assert hook.end() == QUIET
    until(lambda: asks_of(rig.place) == [])


def test_request_no_longer_wanted_is_let_go(rig: Rig) -> None:
    with rig.ask() as hook:
        rig.hold(hook)
        rig.leases.sync({})
        assert rig.leases.held() == frozenset()
        assert hook.end() == QUIET
    assert asks_of(rig.place) == []


def test_one_request_is_let_go_and_its_neighbour_is_not(rig: Rig) -> None:
    with rig.ask() as first, rig.ask() as second:
        requests = rig.hold(first, second)
        rig.leases.sync({requests[1]: FOREVER})
        assert first.end() == QUIET
        assert rig.leases.held() == {requests[1]}


# PM-07
def test_deadline_lets_a_hook_go_with_nothing_printed(rig: Rig) -> None:
    with rig.ask() as hook:
        rig.hold(hook, until_s=clock.monotonic() + 0.2)
        assert hook.end() == QUIET
        rig.holds_nothing()
    assert asks_of(rig.place) == []


def test_deadline_that_has_passed_holds_nothing(rig: Rig) -> None:
    with rig.ask() as hook:
        rig.leases.sync({hook.request(): clock.monotonic()})
        assert hook.end() == QUIET


def test_deadline_can_be_moved_nearer(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        rig.leases.sync({request: clock.monotonic() + 0.05})
        assert hook.end() == QUIET


def test_hook_no_request_is_known_of_is_let_go_after_a_moment(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "GRACE_S", 0.05)
    with rig.ask() as hook:
        hook.request()
        rig.synced_until(lambda: hook.process.poll() is not None, {})
        assert hook.end() == QUIET
        assert rig.leases.held() == frozenset()


def test_hook_whose_event_is_folded_within_that_moment_is_held(rig: Rig) -> None:
    with rig.ask() as hook:
        request = hook.request()
        rig.synced_until(lambda: rig.opened() == 1, {})
        assert rig.leases.held() == frozenset()
        rig.leases.sync({request: FOREVER})
        assert rig.leases.held() == {request}


def test_hook_that_has_not_come_yet_may_take_its_time(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "GRACE_S", 0.0)
    with ask(rig.place) as hook:
        until(hook.event.exists)
        rig.leases.sync({})
        assert asks_of(rig.place) == [hook.fifo.name]


# PM-20
def test_killed_hook_is_held_no_more_and_its_neighbour_still_is(rig: Rig) -> None:
    with rig.ask() as dead, rig.ask() as alive:
        requests = rig.hold(dead, alive)
        dead.signal(signal.SIGKILL)
        until(lambda: rig.leases.held() == {requests[1]})
        assert rig.changes.acquire(timeout=30)
        assert asks_of(rig.place) == [alive.fifo.name]
        assert not rig.leases.answer(requests[0], "late")


@pytest.fixture
def hears_hangups() -> Iterator[None]:
    """Started under `nohup`, these tests would hand that on to every hook."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize("signalled", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_hook_the_client_ends_leaves_nothing(rig: Rig, signalled: signal.Signals) -> None:
    with rig.ask() as hook:
        rig.hold(hook)
        until(hook.reads)
        hook.signal(signalled)
        assert hook.end() == Ended(-signalled, b"", b"")
        rig.holds_nothing()
    assert asks_of(rig.place) == []


def test_request_from_before_the_fifo_was_of_another_process(rig: Rig) -> None:
    with rig.ask() as hook:
        hook.request()
        made = hook.fifo.stat().st_mtime_ns
        older, own = f"{made - 1}-{hook.pid}", f"{made}-{hook.pid}"
        rig.leases.sync({older: FOREVER})
        assert rig.leases.held() == frozenset()
        assert not rig.leases.opening(older)
        rig.synced_until(lambda: rig.opened() == 1, {older: FOREVER, own: FOREVER})
        assert rig.leases.held() == {own}


def test_first_request_after_the_fifo_is_its_own(rig: Rig) -> None:
    with rig.ask() as hook:
        request = hook.request()
        later = f"{int(request.partition('-')[0]) + 1}-{hook.pid}"
        rig.synced_until(lambda: rig.opened() == 1, {later: 1.0, request: FOREVER})
        assert rig.leases.held() == {request}


def test_machine_out_of_handles_holds_as_soon_as_it_has_some(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more(_: asks.Fifo) -> int:
        raise OSError(errno.EMFILE, "too many open files")

    with rig.ask() as hook:
        request = hook.request()
        with monkeypatch.context() as patch:
            patch.setattr(asks, "open_end", no_more)
            rig.leases.sync({request: FOREVER})
            assert rig.leases.opening(request)
        until(lambda: rig.leases.held() == {request})


def test_fifo_that_is_gone_before_its_hook_came_is_forgotten(rig: Rig) -> None:
    with ask(rig.place) as hook:
        until(hook.event.exists)
        rig.leases.sync({})
        assert len(rig.leases._leases) == 1
        hook.fifo.unlink()
        rig.leases.sync({})
        assert rig.leases._leases == {}


def test_what_is_no_fifo_of_ours_is_left_alone(rig: Rig) -> None:
    folder = rig.place.root / "asks"
    os.mkfifo(folder / "real")
    (folder / "11.fifo").symlink_to("real")
    (folder / "12.fifo").write_text("")
    (folder / "13.fifo").mkdir()
    before = asks_of(rig.place)
    rig.leases.sync({f"9-{pid}": FOREVER for pid in (11, 12, 13)})
    rig.leases.sync({})
    assert asks_of(rig.place) == before
    assert rig.opened() == 0


# PM-20: the whole panel, with the kernel as its last will.
def test_killed_panel_lets_its_hooks_go(rig: Rig) -> None:
    with rig.ask() as hook:
        argv = [sys.executable, "-c", HOLDER, str(rig.place.root / "asks"), hook.request()]
        with subprocess.Popen(argv, stdout=subprocess.PIPE) as panel:
            assert panel.stdout
            assert panel.stdout.readline() == b"held\n"
            panel.kill()
        assert hook.end() == QUIET
    assert asks.sweep(rig.place.root / "asks", panel_alive=False) == 1


def test_all_hooks_can_be_let_go_at_once(rig: Rig) -> None:
    with rig.ask() as first, rig.ask() as second:
        rig.hold(first, second)
        rig.leases.release_all()
        assert rig.leases.held() == frozenset()
        assert [first.end(), second.end()] == [QUIET, QUIET]


def test_closed_leases_hold_nothing_any_more(rig: Rig) -> None:
    with rig.ask() as first:
        (request,) = rig.hold(first)
        rig.leases.close()
        rig.leases.close()
        assert first.end() == QUIET
    with rig.ask() as second:
        rig.leases.sync({second.request(): FOREVER})
        assert rig.leases.held() == frozenset()
        assert not rig.leases.answer(request, "late")
        os.close(second.hold())
        second.end()


def test_hook_that_comes_while_the_panel_ends_is_let_go(rig: Rig) -> None:
    with rig.ask() as hook:
        hook.request()
        rig.leases.close()
        assert hook.end() == QUIET
    assert asks_of(rig.place) == []


def test_leases_that_never_held_anything_have_no_thread_to_end(rig: Rig) -> None:
    rig.leases.sync({})
    assert rig.leases._thread is None
