"""A panel as `flightdeck run` puts it together, over true hooks, on a clock that can be put on.

The fold, the leases, the loop and its threads are the true ones. The deck writes down what
it is told to show before it shows it, the judge needs no table, and a latch halts the fleet.
"""

from __future__ import annotations

import json
import os
import threading
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.commands.selecting import select_session
from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.decks.recorder import Recorder
from flightdeck.fold.opening import fold_goodbye, open_fold, own_panel_json
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.local import Local
from flightdeck.model.plan import PanelPlan
from flightdeck.model.risk import Judgement, Tier
from flightdeck.panel.leases import Leases
from flightdeck.panel.loop import Panel
from flightdeck.panel.messages import KeyMoved, Ruled
from flightdeck.panel.perform import Performed, World
from flightdeck.panel.presence import Presence
from flightdeck.store.paths import StateFolder
from flightdeck.store.watch import Watch
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.fold.folding import Fold, Outcome
    from flightdeck.model.effect import Answer
    from flightdeck.model.fleet import SlotView
    from flightdeck.model.layout import Layout
    from flightdeck.model.session import Session


@cache
def xl() -> Layout:
    """Return the shipped layout."""
    nowhere = StateFolder(Path("/nonexistent"))
    return load_layout(find_layout("xl", nowhere), Local())


def keys() -> dict[str, int]:
    """Return the index of each verdict key by what it does."""
    grid = xl().grid
    named = {
        key.binding.action.value: grid.index(key.position)
        for key in xl().keys
        if isinstance(key.binding, VerdictBinding)
    }
    steer = next(key for key in xl().keys if isinstance(key.binding, SteerBinding))
    return named | {"steer": grid.index(steer.position)}


class Ahead:
    """A monotonic clock that goes on by itself and can be put on."""

    def __init__(self, by_s: float = 0.0) -> None:
        self.by_s = by_s
        self._true = clock.monotonic

    def monotonic(self) -> float:
        """Return what the panel's clock shows."""
        return self._true() + self.by_s

    def patched(self) -> Any:
        """Return a context in which it is the clock of this process."""
        return mock.patch.object(clock, "monotonic", self.monotonic)


def judge(tool: str, tool_input: object, cwd: str = "") -> Judgement:
    """Return the tier a call asks for."""
    high = isinstance(tool_input, dict) and tool_input.get("high")
    return Judgement(Tier.HIGH if high else Tier.MEDIUM)


class Watched(Recorder):
    """A deck that writes down, before it shows it, what each key comes to show."""

    log: int

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Write it down first: who finds it there cannot have seen it before."""
        line = json.dumps([clock.monotonic(), index, name]) + "\n"
        os.write(self.log, line.encode())
        super().write_key(index, image, name)


class Latched:
    """The fold, with a latch; counts its steps."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.halted = False
        self.steps = 0

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Fold, and say what the latch says."""
        outcome = self.fold.step(now, panel, amend)
        self.steps += 1
        halted = self.halted or outcome.fleet.halted
        return replace(outcome, fleet=replace(outcome.fleet, halted=halted))

    def sessions(self) -> list[Session]:
        """Return the sessions of the last step."""
        return self.fold.sessions()


class Station:
    """The panel of a home, in this process; what `come_of` is are words and answers, in order."""

    def __init__(self, home: Path) -> None:
        """Take the right to be its panel, and begin."""
        self.come_of: list[str] = []
        self.answered: list[str] = []
        self.error: BaseException | None = None
        folder = StateFolder(home / ".fleet")
        self._presence, self._leases = Presence(folder), Leases(folder.asks)
        plan = PanelPlan.of(xl(), Local())
        self.fold = Latched(open_fold(folder, plan, judge))
        self._kinds = agent_kinds()
        self.deck = Watched(MODELS[xl().device], None)
        self.deck.log = os.open(home / "faces", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        world = World(
            focus=lambda *_: None,
            open_target=lambda _: None,
            start=lambda _: None,
            answer=self._give,
            select=lambda key: select_session(folder, key),
        )
        self.panel = Panel(xl(), self.deck, self.fold, world, lambda view: view.name.encode())
        self.panel.scan.about = own_panel_json("recorder")
        self.panel.requests.leases = self._leases
        self._leases.changed = self.panel.wake
        self._watch = Watch(self.panel.wake)
        self.panel.tend = lambda: self._watch.tend([folder.inbox, *self.fold.fold.watched()])
        self._presence.open("recorder", plan, lambda _: {})
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        until(lambda: self.error or (self.panel._painter.settle(0) and self.panel.writes), "faces")

    def press(self, what: str, at: float) -> None:
        """Let a key go down at that time of the clock."""
        told = self._told()
        self.panel.tell(KeyMoved(keys()[what], down=True, at=at, told=told))

    def rule(self, what: str, request_id: str, at: float) -> None:
        """Give a verdict as a terminal does."""
        self.panel.tell(Ruled(VerdictBinding(Action(what)), request_id, at, self._told()))

    def touch(self, index: int) -> None:
        """Press a key that is none of the verdict row's."""
        self.panel.tell(KeyMoved(index, down=True, at=clock.monotonic(), told=self._told()))

    def halt(self, *, on: bool) -> None:
        """Turn the latch."""
        self.fold.halted = on
        self.panel.wake()

    def settle(self) -> None:
        """Wait until what has happened so far is on the keys."""
        self._look()
        until(lambda: not self.panel.requests._answering, "an answer")
        self._look()
        assert self.error is None, self.error

    def _look(self) -> None:
        for _ in range(2):
            before = self.fold.steps
            self.panel.wake()
            until(lambda before=before: self.fold.steps > before or self.error, "a look")  # type: ignore[misc]
        assert self.panel._painter.settle(DEADLINE_S)

    def stop(self) -> None:
        """End it as a signal does."""
        self.panel.stop()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()
        self._watch.close()
        fold_goodbye(self.fold.fold)
        self._presence.close()
        self._leases.close()
        os.close(self.deck.log)
        assert self.error is None, self.error

    def slots(self) -> tuple[SlotView, ...]:
        """Return what stands on the slots."""
        return self.panel.fleet.slots

    def _run(self) -> None:
        try:
            self.panel.run()
        except BaseException as error:
            self.error = error

    def _give(self, answer: Answer) -> bool:
        kind = self._kinds["claude-code"]
        taken = self._leases.answer(answer.request_id, kind.answer(answer.decision))
        if taken:
            self.answered.append(answer.request_id)
        return taken

    def _told(self) -> Future[Performed]:
        told = Future[Performed]()
        told.add_done_callback(lambda done: self.come_of.append(_word(done.result())))
        return told


def _word(done: Performed) -> str:
    return done.problem or type(done.effect).__name__
