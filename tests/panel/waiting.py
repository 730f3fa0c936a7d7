"""A desk whose sessions ask for permission, and hooks that wait for what it answers.

The fold is stood in for by the rules themselves: what the panel amends is kept, and what
waits is told from what was kept. The true fold and true hooks are in tests/commands.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from flightdeck.model.ask import Ask, Grant
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Request, Session
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.pressing import FRESH_S
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import PANE, Desk, Source, a_fleet, a_view

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from flightdeck.model.decision import Decision
    from flightdeck.model.layout import Layout

GRANT = Grant(("Bash(make:*)",), "webshop", '[{"type": "addRules"}]')


class Asking(Source):
    """Sessions with requests, as the fold would tell of them."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, Session] = {}
        self.more: dict[str, dict[str, Any]] = {}
        self.facts: dict[str, Any] = {}

    def ask(self, request_id: str, key: str = "k0", **more: Any) -> None:
        """Let a session ask; `more` is what the request or its ask has beside the usual."""
        known = self.told.get(key, Session(key, "claude-code", 1))
        since = 100.0 + sum(len(s.requests) for s in self.told.values())
        reason, thread = more.pop("reason", Reason.PERMISSION), more.pop("thread", "")
        request = Request(request_id, reason, since, "Bash", thread, request_id, tier="medium")
        entrypoint = more.pop("entrypoint", "")
        self.more[request_id] = more
        self.told[key] = replace(known, requests=(*known.requests, request), entrypoint=entrypoint)

    def settle(self, request_id: str) -> None:
        """Let a request be over, as after an answer in the terminal."""
        for key, session in self.told.items():
            kept = tuple(r for r in session.requests if r.request_id != request_id)
            self.told[key] = replace(session, requests=kept)

    def look(self, now: float, amend: Callable[[Session], Session]) -> None:
        self.told = {key: amend(session) for key, session in self.told.items()}
        asks = sorted(
            (self._ask(s, r) for s in self.told.values() for r in s.requests),
            key=lambda ask: ask.since,
        )
        slots = [a_view(int(key[1:]), State.BLOCKED, key=key) for key in self.told]
        self.fleet = replace(a_fleet(*slots), asks=tuple(asks), **self.facts)

    def sessions(self) -> list[Session]:
        return list(self.told.values())

    def _ask(self, session: Session, request: Request) -> Ask:
        usual: dict[str, Any] = {"tier": request.tier, "grant": GRANT, "place": PANE}
        return Ask(
            request.request_id,
            session.key,
            "Claude Code",
            request.tool,
            since=request.since,
            label=("webshop", session.key),
            reason=request.reason,
            answerable=request.held,
            **usual | self.more[request.request_id],
        )


@dataclass
class Hooks:
    """Leases on hooks that are not there: held as soon as wanted, but those `opening_ids`."""

    wanted: dict[str, float] = field(default_factory=dict)
    released: frozenset[str] = frozenset()
    opening_ids: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    changed: Callable[[], None] = lambda: None

    def sync(self, wanted: Mapping[str, float], release: Collection[str] = ()) -> None:
        before = self.held()
        self.wanted, self.released = dict(wanted), frozenset(release)
        if self.held() != before:
            self.changed()

    def held(self) -> frozenset[str]:
        return frozenset(self.wanted) - self.opening_ids - self.gone

    def opening(self, request_id: str) -> bool:
        return request_id in self.wanted and request_id in self.opening_ids


class VerdictDesk(Desk):
    """A desk on which requests wait, and a thumb that looks before it presses."""

    def __init__(self, turn: Callable[[float], None], layout: Layout | None = None) -> None:
        """`turn` turns the clock, which nothing else does."""
        self.turn = turn
        self.asking, self.hooks = Asking(), Hooks()
        super().__init__(layout, source=self.asking)
        self.panel.requests.leases = self.hooks
        self.hooks.changed = self.panel.wake
        self.keys = {
            what: self.layout.grid.index(key.position)
            for key in self.layout.keys
            if (what := _named(key.binding))
        }

    def ask(self, request_id: str, key: str = "k0", **more: Any) -> None:
        """Let a session ask, and wait until the keys show what there is to show."""
        self.asking.ask(request_id, key, **more)
        self.settle()

    def settled(self, request_id: str) -> None:
        """Let a request be over, and wait until the keys show that."""
        self.asking.settle(request_id)
        self.settle()

    def face(self, what: str) -> str:
        """Return what a screen reader says of a verdict key."""
        return self.name(self.keys[what])

    def press(self, what: str, later_s: float = 1.01 * FRESH_S) -> None:
        """Look at the deck for so long, press a verdict key and wait for what comes of it."""
        self.turn(later_s)
        self.press_at(what, clock.monotonic())

    def press_at(self, what: str, at: float) -> None:
        """Let the panel hear of a press at that time, and wait for what comes of it."""
        self.panel.tell(KeyMoved(self.keys[what], down=True, at=at))
        self.settle()
        until(lambda: not self.panel.requests._answering, "the answer")
        self.settle()

    def flash(self, what: str) -> str:
        """Return the word that stands on a verdict key, "" for none."""
        position = self.layout.grid.position(self.keys[what])
        standing = self.panel._flashes._standing.get(position)
        return standing[0] if standing else ""

    @property
    def decisions(self) -> list[tuple[str, Decision]]:
        """Return which requests were answered, and how."""
        return [(answer.request_id, answer.decision) for answer in self.world.answers]

    @property
    def allowed(self) -> list[str]:
        """Return which requests were allowed."""
        return [request_id for request_id, decision in self.decisions if decision.allow]


def _named(binding: object) -> str:
    if isinstance(binding, VerdictBinding):
        return binding.action.value
    return f"steer {binding.verb.name}" if isinstance(binding, SteerBinding) else ""


ACTIONS = tuple(action.value for action in Action)
