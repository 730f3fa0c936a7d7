"""When the panel ends, what is queued for a window is not typed any more."""

from __future__ import annotations

import queue
import threading
from typing import Any

from flightdeck.model.effect import Run, Wake
from flightdeck.model.place import Place
from flightdeck.model.staged import Staged
from flightdeck.panel.hands import Hands
from flightdeck.panel.perform import Hand, Performed, VerbWorld, World
from tests.fold.world import DEADLINE_S, until

STAGED = Staged("test", "0123456789abcdef", "s", 1, 0.0)
WAKE, LATER = Wake(STAGED, "a", Place()), Wake(STAGED, "b", Place())
NOBODY = Hand(None)


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
