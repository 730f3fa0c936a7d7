"""Lives: how a client comes, changes its session, and goes.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from tests.real.scenario import rest, scenario
from tests.real.session import BUSY, GONE, IDLE, WAITING, LabTrouble, until

if TYPE_CHECKING:
    from tests.real.play import Play

ONE_REAP_S = 16.0  # the timer's 15 s and the pass itself: a killed process says nothing


@scenario("start", 1, takes_s=8)
def start(play: Play) -> None:
    """A client starts."""
    session = play.open(ready=False)
    play.phase("client starts", session, "idle", IDLE, within_s=25)


@scenario("preinstalled", 3, takes_s=25)
def preinstalled(play: Play) -> None:
    """A client that ran before the panel was put in."""
    session = play.open()
    play.stage.install()
    play.phase("running before the install", session, "idle", IDLE, since=time.time(), window_s=17)
    session.type("scenario:think")
    play.phase("its next prompt", session, "working", BUSY)
    play.phase("that turn ends", session, "done", IDLE, within_s=20)


@scenario("two", 4, takes_s=25)
def two(play: Play) -> None:
    """Two clients in one repository do not colour each other."""
    first, second = play.open(), play.open(at=("new-window", "-d"))
    first.type("scenario:think")
    start = first.reached(BUSY)
    play.phase("A prompted", first, "working", BUSY, since=start, window_s=6, to_the_end=True)
    play.meanwhile("meanwhile B", second, "idle", since=start)
    first.reached(IDLE)
    rest(1)
    second.type("scenario:ask")
    start = second.reached(WAITING)
    play.phase("B asks", second, "blocked", WAITING, since=start, window_s=8)
    play.meanwhile("meanwhile A", first, "done", since=start)


@scenario("clear", 1, takes_s=20)
def clear(play: Play) -> None:
    """A new session id in the same process: the key stays, though a lower one is free."""
    lower, session = play.open(), play.open(at=("new-window", "-d"))
    session.type("scenario:quick")
    session.reached(IDLE)
    with play.alone():
        play.close(lower)
        rest(2)
        old, slot = session.id, play.slot_of(session)
        session.type("/clear")
        until(lambda: session.id != old, 15, "a new session id")
        play.phase("/clear", session, "idle", IDLE, slot=slot)


@scenario("resume", 2, takes_s=20)
def resume(play: Play) -> None:
    """The same session id in another process."""
    first = play.open()
    first.type("scenario:quick")
    first.reached(IDLE)
    rest(1)
    first.type("/exit")
    first.reached(GONE)
    again = play.open("--resume", first.id, ready=False)
    play.phase("--resume in a new process", again, "idle", IDLE, within_s=25)
    if again.id != first.id:
        raise LabTrouble(f"resumed {first.id} as {again.id}")
    again.type("scenario:think")
    play.phase("prompt in the resumed session", again, "working", BUSY)


@scenario("exit", 1, takes_s=8)
def leave(play: Play) -> None:
    """The person leaves."""
    session = play.open()
    rest(1)
    session.type("/exit")
    play.phase("/exit", session, "empty", GONE)


@scenario("sigterm", 1, takes_s=8)
def sigterm(play: Play) -> None:
    """The terminal closes."""
    session = play.open()
    rest(1)
    session.kill(signal.SIGTERM)
    play.phase("SIGTERM while idle", session, "empty", GONE)


@scenario("sigkill", 1, takes_s=30)
def sigkill(play: Play) -> None:
    """Killed while busy: no hook, and its record stays."""
    session = play.open()
    session.type("scenario:stream")
    session.reached(BUSY)
    rest(6)
    session.kill(signal.SIGKILL)
    play.phase("SIGKILL while busy", session, "empty", GONE, window_s=20, bound_s=ONE_REAP_S)


@scenario("sigkill-zombie", 1, takes_s=30)
def zombie(play: Play) -> None:
    """Killed, and its parent never asks after it."""
    session = play.open()
    play.tmux("set-option", "-t", session.pane, "remain-on-exit", "on")
    session.type("scenario:stream")
    session.reached(BUSY)
    rest(4)
    session.kill(signal.SIGKILL)
    play.phase(
        "SIGKILL, never reaped by its parent",
        session,
        "empty",
        GONE,
        window_s=20,
        bound_s=ONE_REAP_S,
    )
