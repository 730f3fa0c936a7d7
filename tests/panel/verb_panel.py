"""A panel in a process that can be killed: the true one, but for its window and its deck.

What is typed goes over a socket to whoever plays the windows. What is done to the queue,
and what people are told of it, is written to a pipe, which a full disk does not concern
and a kill does not take back. Each prompt gets a mark of its own, so that it is known again.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from unittest import mock

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.commands.selecting import select_session
from flightdeck.config.verbs import load_verbs
from flightdeck.decks.recorder import Recorder
from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.fold.opening import fold_goodbye, open_fold, own_panel_json
from flightdeck.model import waking
from flightdeck.model.decks import MODELS
from flightdeck.model.local import Local
from flightdeck.model.plan import PanelPlan
from flightdeck.panel import delivering, pressing, reach
from flightdeck.panel.leases import Leases
from flightdeck.panel.loop import Panel
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.perform import VerbWorld, World
from flightdeck.panel.presence import Presence
from flightdeck.panel.presses import Presses
from flightdeck.panel.reach import Reach, Witnesses
from flightdeck.store.paths import StateFolder
from flightdeck.store.watch import Watch
from flightdeck.system import clock
from tests.panel.sending_desk import verb_keys
from tests.panel.station import judge, xl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flightdeck.model.effect import Forget, Stage, Stroke, Unstage, Wake
    from flightdeck.model.place import Place
    from flightdeck.model.staged import Staged
    from flightdeck.model.verb import Verb
    from tests.panel.verb_tales import Tale

Note = dict[str, Any]
# A tale is told in a second or two: what is waited for is shorter here than it is for people.
CALM_S, CONFIRM_S, FRESH_S = 0.15, 1.5, 0.02


class Verbs:
    """The shipped verbs, read once for every panel there will be."""

    known: dict[str, Verb]

    @classmethod
    def read(cls, home: Path) -> None:
        cls.known = dict(load_verbs(StateFolder(home / ".fleet")).usable)
        xl()


@dataclass(frozen=True)
class PanelProcess:
    """One that was forked, and waits to be told to begin."""

    pid: int
    orders: socket.socket
    keys: socket.socket
    diary: int

    @classmethod
    def fork(cls, home: Path, tale: Tale) -> PanelProcess:
        """Fork it; this must have no second thread yet."""
        orders, theirs = socket.socketpair()
        keys, typed = socket.socketpair()
        diary, notes = os.pipe()
        pid = os.fork()
        if pid == 0:
            for end in (orders, keys):
                end.close()
            os.close(diary)
            try:
                _be_panel(home, tale, theirs, typed, notes)
            finally:
                os._exit(0)
        for end in (theirs, typed):
            end.close()
        os.close(notes)
        return cls(pid, orders, keys, diary)

    def tell(self, *order: str) -> None:
        """Tell it something; one that was killed does not hear it."""
        try:
            self.orders.sendall(json.dumps(order).encode() + b"\n")
        except OSError:
            return


class Wire:
    """A keyboard at the other end of a socket."""

    def __init__(self, line: socket.socket) -> None:
        self._pipe = line.makefile("rwb", buffering=0)
        self._lock = threading.Lock()

    def must_take_lines(self, place: Place) -> None:
        """Every window here does."""

    def device(self, place: Place) -> str:
        return self._ask("device", place.tmux_pane)

    def screen(self, place: Place) -> str:
        return self._ask("screen", place.tmux_pane)

    def paste(self, place: Place, line: str) -> None:
        self._ask("paste", place.tmux_pane, line)

    def stash(self, place: Place) -> None:
        self._ask("stash", place.tmux_pane)

    def erase(self, place: Place) -> None:
        self._ask("erase", place.tmux_pane)

    def interrupt(self, place: Place) -> None:
        self._ask("Esc", place.tmux_pane)

    def confirm(self, place: Place) -> None:
        self._ask("Enter", place.tmux_pane)

    def is_in_front(self, pid: int, device: str) -> bool:
        return self._ask("front", "%" + device.rpartition("/")[2], str(pid)) == "yes"

    def _ask(self, what: str, pane: str, text: str = "") -> str:
        with self._lock:
            self._pipe.write(json.dumps([what, pane, text]).encode() + b"\n")
            problem, answer = json.loads(self._pipe.readline())
        if problem:
            raise Unavailable(problem)
        return str(answer)


@dataclass(frozen=True)
class Tapped:
    """What a panel does with verbs, and a note of it before and after."""

    reach: Reach
    note: Callable[..., None]
    numbers: itertools.count[int]

    def world(self) -> VerbWorld:
        return VerbWorld(self.stage, self.unstage, self.wake, self.forget, self.stroke)

    def stage(self, effect: Stage) -> Staged:
        mark, verb = f"MARK-{os.getpid():x}-{next(self.numbers)}", effect.verb
        whose = (effect.session_id, effect.pid)
        self.note("staging", mark=mark, whose=whose, verb=verb.name)
        marked = replace(effect, verb=replace(verb, text=f"{verb.text}\n{mark}\n"))
        try:
            staged = self.reach.stage(marked)
        except FlightdeckError as error:
            self.note("refused", mark=mark, why=error.message)
            raise
        self.note("staged", mark=mark, token=staged.token, until=staged.until)
        return staged

    def unstage(self, effect: Unstage) -> None:
        self.note("cancelling", token=effect.staged.token)
        self.reach.unstage(effect)
        self.note("cancelled", token=effect.staged.token)

    def wake(self, effect: Wake) -> None:
        self.note("waking", token=effect.staged.token)
        try:
            self.reach.wake(effect)
        except FlightdeckError as error:
            why = f"{error.message}: {error.hint}"
            self.note("woke", token=effect.staged.token, problem=error.message, why=why)
            raise
        self.note("woke", token=effect.staged.token, problem="", why="")

    def forget(self, effect: Forget) -> None:
        self.reach.forget(effect)
        self.note("forgotten", token=effect.staged.token)

    def stroke(self, effect: Stroke) -> None:
        self.reach.stroke(effect)


def _be_panel(
    home: Path, tale: Tale, orders: socket.socket, keys: socket.socket, notes: int
) -> None:
    """Wait to be told to begin, and be a panel until told to stop."""
    told = orders.makefile("rb")
    if not told.readline():
        return

    def note(what: str, **about: Any) -> None:
        os.write(notes, json.dumps({"at": time.time(), "what": what, **about}).encode() + b"\n")

    with ExitStack() as stack:
        _hurry(stack, tale, note)
        try:
            panel = _put_together(StateFolder(home / ".fleet"), Wire(keys), note, stack)
            threading.Thread(target=_obey, args=(panel, told), daemon=True).start()
            panel.run()
        except BaseException as error:
            note("broke", error=repr(error))


def _hurry(stack: ExitStack, tale: Tale, note: Callable[..., None]) -> None:
    """Let it wait for less, and say of which verb it tells what."""
    true = delivering.Delivering._over

    def over(self: Any, staged: Staged, word: str, *more: str) -> None:
        note("said", token=staged.token, word=word)
        true(self, staged, word, *more)

    for where, name, value in (
        (waking, "CALM_S", CALM_S),
        (reach, "CALM_S", CALM_S),
        (reach, "CONFIRMED_FOR_S", tale.expires_s),
        (delivering, "CONFIRM_S", CONFIRM_S),
        (pressing, "FRESH_S", FRESH_S),
        (delivering.Delivering, "_over", over),
    ):
        stack.enter_context(mock.patch.object(where, name, value))


def _put_together(
    folder: StateFolder, wire: Wire, note: Callable[..., None], stack: ExitStack
) -> Panel:
    """Put a panel together as `flightdeck run` does."""
    presence, leases = Presence(folder), Leases(folder.asks)
    stack.callback(leases.close)
    stack.callback(presence.close)
    plan = PanelPlan.of(xl(), Local())
    fold = open_fold(folder, plan, judge)
    witnesses = Witnesses(fold.session, agent_kinds, wire.is_in_front)
    world = World(
        focus=lambda *_: None,
        open_target=lambda _: None,
        start=lambda _: None,
        answer=lambda _: False,
        select=lambda key: select_session(folder, key),
        verbs=Tapped(Reach(folder, wire, witnesses), note, itertools.count(1)).world(),
    )
    deck = Recorder(MODELS[xl().device], None)
    panel = Panel(xl(), deck, fold, world, lambda view: view.name.encode())
    panel.scan.about = own_panel_json("recorder")
    panel.requests.leases, leases.changed = leases, panel.wake
    stack.callback(fold_goodbye, fold)
    watch = Watch(panel.wake)
    stack.callback(watch.close)
    panel.tend = lambda: watch.tend([folder.inbox, *fold.watched()])
    stack.callback(presence.stop_listening)
    presses = Presses(panel, Verbs.known.__getitem__, Verbs.known.__getitem__)
    presence.open(deck.name, plan, presses.answer)
    return panel


def _obey(panel: Panel, told: Any) -> None:
    keys = verb_keys()
    for order in told:
        match json.loads(order):
            case ["key", verb]:
                panel.tell(KeyMoved(keys[verb], down=True, at=clock.monotonic()))
                panel.tell(KeyMoved(keys[verb], down=False, at=clock.monotonic()))
            case ["stop"]:
                panel.stop()
            case order:
                raise AssertionError(order)
