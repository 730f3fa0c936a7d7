"""Answering a hook: it takes the whole answer, once, or it prints nothing."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel import leases
from flightdeck.panel.lease import Lease
from flightdeck.store import asks
from flightdeck.system import clock, pipes
from flightdeck.system.pipes import Readers
from tests.fold.world import until
from tests.hooks.place import QUIET, SHELLS, Ended, Place
from tests.hooks.waiting import ANSWER, ask, asks_of, let_panel_live
from tests.panel.holding import FOREVER, Rig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOLD = Ended(0, ANSWER.encode() + b"\n", b"")


@pytest.fixture(params=SHELLS)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    """A place with a live panel that holds nothing yet."""
    place = Place(tmp_path / "it's .fleet", tmp_path / "flightdeck", str(request.param))
    let_panel_live(place)
    rig = Rig(place)
    yield rig
    rig.leases.close()


def test_hook_prints_its_answer_and_that_is_known(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        assert rig.leases.answer(request, ANSWER)
        assert hook.end() == TOLD
    assert rig.leases.held() == frozenset()
    assert asks_of(rig.place) == []


def test_answer_can_be_given_once(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        with ThreadPoolExecutor(2) as threads:
            both = [threads.submit(rig.leases.answer, request, ANSWER) for _ in range(2)]
        assert sorted(one.result() for one in both) == [False, True]
        assert hook.end() == TOLD


def test_answer_is_for_its_own_request(rig: Rig) -> None:
    with rig.ask() as first, rig.ask() as second:
        requests = rig.hold(first, second)
        assert rig.leases.answer(requests[1], "two")
        assert second.end().out == b"two\n"
        assert first.process.poll() is None
        assert rig.leases.answer(requests[0], "one")
        assert first.end().out == b"one\n"


def test_request_nobody_holds_cannot_be_answered(rig: Rig) -> None:
    assert not rig.leases.answer("1-2", ANSWER)


def test_hook_that_has_not_come_yet_cannot_be_answered(rig: Rig) -> None:
    with ask(rig.place) as hook:
        until(hook.event.exists)
        request = f"{hook.fifo.stat().st_mtime_ns}-{hook.pid}"
        rig.leases.sync({request: FOREVER})
        assert not rig.leases.answer(request, ANSWER)


def test_request_past_its_deadline_cannot_be_answered(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook, until_s=clock.monotonic() + 3600)
        late = clock.monotonic() + 3601
        with monkeypatch.context() as patch:
            patch.setattr(clock, "monotonic", lambda: late)
            assert not rig.leases.answer(request, ANSWER)


def test_answer_that_is_not_one_line_is_not_given(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        assert not rig.leases.answer(request, "one\ntwo")
        assert rig.leases.answer(request, ANSWER)
        assert hook.end() == TOLD


def test_answer_goes_whole_or_not_at_all(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        (lease,) = rig.leases._leases.values()
        assert lease.handle is not None
        most = pipes.capacity(lease.handle) - 1
        assert not rig.leases.answer(request, "x" * (most + 1))
        assert rig.leases.held() == {request}
        assert rig.leases.answer(request, "x" * most)
        assert hook.end().out == b"x" * most + b"\n"


def test_answer_nobody_took_in_time_is_never_printed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "ANSWER_S", 0.02)
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        hook.stop()
        assert not rig.leases.answer(request, ANSWER)
        hook.signal(signal.SIGCONT)
        assert hook.end() == QUIET


def answering(rig: Rig, request: str) -> tuple[threading.Thread, list[bool]]:
    """Give the answer on another thread, and return once it is written."""
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(rig.leases.answer(request, ANSWER)))
    thread.start()
    until(lambda: all(one.given for one in list(rig.leases._leases.values())))
    return thread, found


def test_hook_killed_with_its_answer_unread_did_not_take_it(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        hook.stop()
        thread, found = answering(rig, request)
        hook.signal(signal.SIGKILL)
        thread.join()
        assert found == [False]
        assert hook.end().out == b""


def test_hook_let_go_while_it_is_answered_prints_nothing(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        hook.stop()
        thread, found = answering(rig, request)
        rig.leases.release_all()
        thread.join()
        hook.signal(signal.SIGCONT)
        assert found == [False]
        assert hook.end() == QUIET


def test_request_that_is_being_answered_is_not_let_go_by_others(rig: Rig) -> None:
    with rig.ask() as hook:
        (request,) = rig.hold(hook)
        hook.stop()
        thread, found = answering(rig, request)
        rig.leases.sync({})
        rig.leases.sync({}, release=[request])
        hook.signal(signal.SIGCONT)
        thread.join()
        assert found == [True]
        assert hook.end() == TOLD


def test_hook_that_died_unnoticed_takes_nothing(rig: Rig) -> None:
    with rig.ask() as hook:
        hook.request()
        (fifo,) = asks.standing(rig.place.root / "asks")
        lease = Lease(fifo)
        until(lambda: lease.open(clock.monotonic()) is not None)
        hook.signal(signal.SIGKILL)
        hook.end()
        assert not lease.give(ANSWER)
        lease.end()
        assert not lease.taken


def test_many_hooks_get_their_own_answers_while_the_panel_goes_on(rig: Rig) -> None:
    hooks = [rig.ask() for _ in range(12)]
    wanted = dict.fromkeys(rig.hold(*hooks), FOREVER)
    done = threading.Event()

    def go_on() -> None:
        while not done.is_set():
            rig.leases.sync(wanted)

    loop = threading.Thread(target=go_on)
    loop.start()
    with ThreadPoolExecutor(4) as threads:
        took = list(threads.map(rig.leases.answer, wanted, wanted))
    done.set()
    loop.join()
    assert all(took)
    for hook, request in zip(hooks, wanted, strict=True):
        with hook:
            assert hook.end().out.decode() == request + "\n"


def test_fault_lets_every_hook_go_and_is_told(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(leases, "_FAULT_S", 0.0)

    def broken(self: Readers, timeout_s: float | None) -> set[int]:
        monkeypatch.undo()
        raise RuntimeError("a fault of ours")

    with rig.ask() as first:
        rig.hold(first)
        monkeypatch.setattr(Readers, "wait", broken)
        rig.leases._readers.wake()
        assert first.end() == QUIET
        assert "a fault of ours" in caplog.text
    with rig.ask() as second:
        (request,) = rig.hold(second)
        assert rig.leases.answer(request, ANSWER)


def test_hook_that_dies_is_seen_where_no_system_tells(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Readers, "look_s", 0.02)
    monkeypatch.setattr(Readers, "gone", lambda *_: False)
    with rig.ask() as hook:
        rig.hold(hook)
        hook.signal(signal.SIGKILL)
        hook.end()
        rig.holds_nothing()
