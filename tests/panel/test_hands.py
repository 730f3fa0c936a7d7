"""What waits for what, and what is not begun any more once the panel ends."""

from __future__ import annotations

import queue
import threading
from typing import Any

from flightdeck.model.effect import Run, Stroke, Wake
from flightdeck.model.place import Place
from flightdeck.model.staged import Staged
from flightdeck.model.verb import ESCAPE, Verb, VerbKind
from flightdeck.panel.hands import Hands
from flightdeck.panel.perform import Hand, Performed, VerbWorld, World
from tests.fold.world import DEADLINE_S, until

STAGED = Staged("test", "0123456789abcdef", "s", 1, 0.0)
WAKE, LATER = Wake(STAGED, "a", Place()), Wake(STAGED, "b", Place())
NOBODY = Hand(None)
STOP = Verb("stop", VerbKind.KEY, "STOP", ESCAPE)


def test_wake_under_way_is_finished_and_no_other_is_begun() -> None:
    begun, go_on = threading.Event(), threading.Event()
    woken: list[str] = []
    started: list[tuple[str, ...]] = []
    reports: queue.SimpleQueue[Performed] = queue.SimpleQueue()

    def wake(effect: Wake) -> None:
        begun.set()
        go_on.wait(DEADLINE_S)
        woken.append(effect.key)

    def nothing(*_: object) -> Any:
        return None

    world = World(nothing, nothing, started.append, nothing, nothing, verbs=VerbWorld(wake=wake))
    hands = Hands(world, reports.put)
    for effect in (WAKE, LATER, Run(("true",))):
        hands.perform(effect, NOBODY)
    hands.start()
    begun.wait(DEADLINE_S)
    stopping = threading.Thread(target=hands.stop)
    stopping.start()
    until(lambda: hands._verbs._ending, "the end to begin")
    go_on.set()
    stopping.join(DEADLINE_S)
    done = [reports.get(timeout=DEADLINE_S) for _ in range(3)]
    said = {one.effect: one.problem for one in done}
    assert (woken, started) == (["a"], [("true",)])
    assert (said[WAKE], said[LATER]) == ("", "the panel is ending")


def test_keystroke_waits_for_no_line_that_is_being_typed() -> None:
    go_on, struck = threading.Event(), threading.Event()

    def nothing(*_: object) -> Any:
        return None

    verbs = VerbWorld(wake=lambda _: go_on.wait(DEADLINE_S), stroke=lambda _: struck.set())
    world = World(nothing, nothing, nothing, nothing, nothing, verbs=verbs)
    hands = Hands(world, nothing)
    hands.start()
    hands.perform(WAKE, NOBODY)
    hands.perform(Stroke(STOP, "b", Place(), 0.0), NOBODY)
    assert struck.wait(DEADLINE_S)
    go_on.set()
    hands.stop()
