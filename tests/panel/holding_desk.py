"""A desk whose slot keys are held: sessions that can be torn down, and what comes of it.

The fold is stood in for by the rules themselves, as in `waiting.py`; what a teardown does
to worktrees is tested with true ones elsewhere.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from flightdeck.model import ending, witness
from flightdeck.model.session import Session
from flightdeck.model.teardown import Outcome, Stage
from flightdeck.panel.messages import KeyMoved
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S
from tests.panel.desk import PANE, Desk, Source, a_fleet, a_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.layout import Layout

REMOVED = Outcome(Stage.DONE, "/w is removed", agent_ended=True)


class Crew(Source):
    """Sessions in their slots, as the fold would tell of them."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, Session] = {}
        self.slots: dict[str, int] = {}

    def join(self, slot: int, key: str, **more: Any) -> None:
        """Let a session take a slot."""
        self.slots[key] = slot
        self.told[key] = Session(key, "claude-code", 1, cwd="/w", place=PANE, **more)

    def leave(self, key: str) -> None:
        """Let a process end: the fold keeps what a teardown keeps."""
        stays = ending.outlived(self.told.pop(key), 1.0)
        if stays is not None:
            self.told[key] = stays

    def look(self, now: float, amend: Callable[[Session], Session]) -> None:
        told = {key: amend(session) for key, session in self.told.items()}
        self.told = {k: witness.weigh(s, now)[0] for k, s in told.items() if not s.closed}
        views = [
            a_view(
                self.slots[key],
                s.shown.state,
                key=key,
                label=("webshop", key),
                error=s.shown.error,
                ending=ending.under_way(s),
                ended=ending.has_ended(s),
                refusal=ending.refusal(s),
            )
            for key, s in self.told.items()
        ]
        self.fleet = a_fleet(*views)

    def sessions(self) -> list[Session]:
        return list(self.told.values())


class HoldDesk(Desk):
    """A desk with a thumb that holds; `turn` turns the clock, which nothing else does."""

    def __init__(self, turn: Callable[[float], None], layout: Layout | None = None) -> None:
        self.turn = turn
        self.crew = Crew()
        super().__init__(layout, source=self.crew)
        self.torn: list[str] = []
        self.outcome: Outcome | Exception = REMOVED
        self.may_end = threading.Event()
        self.may_end.set()
        self.panel._endings._tear_down = self._tear_down

    def _tear_down(self, key: str) -> Outcome:
        self.torn.append(key)
        assert self.may_end.wait(DEADLINE_S)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        if self.outcome.agent_ended:
            self.crew.leave(key)
        return self.outcome

    def down(self, index: int, later_s: float = 0.0) -> None:
        """Put a thumb on a key after so many seconds."""
        self._move(index, later_s, down=True)

    def up(self, index: int, later_s: float = 0.0) -> None:
        """Lift it after so many seconds."""
        self._move(index, later_s, down=False)

    def tap(self, index: int, later_s: float = 1.0) -> None:
        """Press a key for a tenth of a second."""
        self.down(index, later_s)
        self.up(index, 0.1)

    def hold(self, index: int, seconds: float = 1.0) -> None:
        """Hold a key for so long and let it go; the panel is looked at on the way."""
        self.down(index)
        self.wait(0.8)
        self.up(index, seconds - 0.8)

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass and have the panel see it."""
        self.turn(seconds)
        self.settle()

    def lose(self, index: int, later_s: float = 0.0) -> None:
        """Let whoever holds the key be gone."""
        self.turn(later_s)
        self.panel.tell(KeyMoved(index, down=False, at=clock.monotonic(), lost=True))
        self.settle()

    def is_armed(self, index: int) -> bool:
        """Say whether a key asks for its second press."""
        return self.name(index).startswith("armed")

    def flash(self, index: int) -> str:
        """Return the word that stands on a key, "" for none."""
        standing = self.panel._flashes._standing.get(self.layout.grid.position(index))
        return standing[0] if standing else ""

    def _move(self, index: int, later_s: float, *, down: bool) -> None:
        self.turn(later_s)
        self.panel.tell(KeyMoved(index, down=down, at=clock.monotonic()))
        self.settle()
