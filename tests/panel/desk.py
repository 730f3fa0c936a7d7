"""A desk with the true panel on it: the loop, the painter, the performer, a recorder deck.

The fleet is set by hand, and the world writes down what was asked of it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.decks.recorder import Recorder
from flightdeck.faces.cache import Faces
from flightdeck.fold.folding import Outcome
from flightdeck.model.decks import MODELS
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.lifecycle import State
from flightdeck.model.local import Local
from flightdeck.model.place import Place
from flightdeck.model.session import Session
from flightdeck.panel.loop import Panel
from flightdeck.panel.perform import World
from flightdeck.store.paths import StateFolder
from tests.fold.world import DEADLINE_S, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.effect import Answer
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout, Target

PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")


def a_view(slot: int = 0, state: State = State.BLOCKED, **more: Any) -> SlotView:
    """Return an occupied slot."""
    facts = {"key": f"k{slot}", "label": ("webshop", "main"), "place": PANE, "how": "hook"}
    return SlotView(slot, state, **{**facts, **more})


def a_fleet(*views: SlotView, overflow: int = 0) -> Fleet:
    """Return eight slots, these ones occupied."""
    by_slot = {view.slot: view for view in views}
    slots = tuple(by_slot.get(slot, SlotView(slot)) for slot in range(8))
    return Fleet(slots, overflow=overflow)


class Source:
    """A fleet set by hand; remembers what the panel amended."""

    def __init__(self) -> None:
        self.fleet = a_fleet()
        self.steps = 0
        self.amended: list[Session] = []
        self.problem: Exception | None = None

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Return the fleet as it is set."""
        self.steps += 1
        if self.problem is not None:
            raise self.problem
        self.look(now, amend or (lambda session: session))
        return Outcome(self.fleet)

    def look(self, now: float, amend: Callable[[Session], Session]) -> None:
        """Keep what `amend` says of the session of every slot."""
        sessions = [Session(view.key, "a", 1) for view in self.fleet.slots if view.key]
        told = [amend(session) for session in sessions]
        if told != sessions:
            self.amended += told

    def sessions(self) -> list[Session]:
        """Return none: nobody asks anything."""
        return []


@dataclass
class Doings:
    """What was asked of the world; `problem` is what it answers with.

    `taken` says whether hooks take what they are answered.
    """

    done: list[object] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    selected: list[str] = field(default_factory=list)
    taken: bool = True
    problem: Exception | None = None

    def focus(self, key: str, place: Place) -> None:
        self._do((key, place))

    def open_target(self, target: Target) -> None:
        self._do(target)

    def start(self, argv: tuple[str, ...]) -> None:
        self._do(argv)

    def answer(self, answer: Answer) -> bool:
        self.answers.append(answer)
        if self.problem is not None:
            raise self.problem
        return self.taken

    def select(self, key: str) -> None:
        self.selected.append(key)

    def world(self) -> World:
        """Return the world that does so."""
        return World(self.focus, self.open_target, self.start, self.answer, self.select)

    def _do(self, what: object) -> None:
        self.done.append(what)
        if self.problem is not None:
            raise self.problem


def the_layout(text: str = "") -> Layout:
    """Return the shipped layout, or one that is written here."""
    folder = StateFolder.from_environment()
    if not text:
        return load_layout(find_layout("xl", folder), Local())
    path = folder.root / "layouts" / "mine.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_layout(find_layout(str(path), folder), Local())


class Desk:
    """The panel, running on a thread of its own."""

    def __init__(
        self,
        layout: Layout | None = None,
        native: Callable[[KeyView], bytes] | None = None,
        source: Source | None = None,
    ) -> None:
        self.layout = layout or the_layout()
        self.deck = Recorder(MODELS[self.layout.device], None)
        self.source = source or Source()
        self.world = Doings()
        native = native or Faces(self.deck.model.key).native
        self.panel = Panel(self.layout, self.deck, self.source, self.world.world(), native)
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            self.panel.run()
        except BaseException as error:
            self.error = error

    def begin(self, *views: SlotView, overflow: int = 0) -> None:
        """Start the panel and wait until this fleet is on it."""
        self.source.fleet = a_fleet(*views, overflow=overflow)
        self._thread.start()
        until(lambda: all(self.name(i) for i in range(self.layout.grid.keys)), "first faces")
        self.settle()

    def show(self, *views: SlotView) -> None:
        """Change the fleet and wait until that is on the keys."""
        self.source.fleet = a_fleet(*views)
        self.panel.wake()
        self.settle()

    def settle(self) -> None:
        """Wait until the panel has looked twice and everything is painted."""
        before = self.source.steps
        self.panel.wake()
        until(lambda: self.source.steps > before, "one look")
        between = self.source.steps
        self.panel.wake()
        until(lambda: self.source.steps > between, "another look")
        assert self.panel._painter.settle(DEADLINE_S)

    def ended(self) -> BaseException | None:
        """Wait for the panel to end by itself and return why."""
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()
        return self.error

    def end(self) -> None:
        """Stop the panel if it runs."""
        self.panel.stop()
        if self._thread.ident is not None:
            self._thread.join(DEADLINE_S)

    def thumb(self, index: int) -> None:
        """Press a key and let it go."""
        self.deck.press(index)
        self.deck.release(index)

    def name(self, index: int) -> str:
        """Return what a screen reader says of a key."""
        return self.deck.current_name(index)

    def picture(self, index: int) -> bytes:
        """Return what a key shows."""
        return self.deck.current(index)
