"""Stories of a fleet that asks, a person who answers, and everything that gets in between."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from flightdeck.store import asks
from flightdeck.store.instance import forget_dead
from flightdeck.store.paths import StateFolder
from flightdeck.store.selection import write as select
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.account import HALT, Account, Act
from tests.panel.crowd import AGENTS, KINDS, Crowd
from tests.panel.station import Ahead, Station

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.panel.apart import Apart, Smithy

Step = tuple[Any, ...]

_SLOT, _BLANK = 0, 8
_WAITS = [*[0.31] * 4, 0.0, 0.02, 0.26, 1.1]
_WHICH = st.integers(0, 7)
_AGENT = st.sampled_from([0, 0, 1, 1, 2])
_KIND = st.sampled_from([*["plain", "high", "offer", "high offer"] * 3, *KINDS])
_ASK = st.tuples(st.just("ask"), _AGENT, _KIND)
_KEY = st.sampled_from([*["approve", "remember"] * 3, "deny", "interrupt", "steer", "detail"])
_PRESS = st.tuples(
    st.just("press"), _KEY, st.sampled_from(_WAITS), st.sampled_from([0.0, 0.0, 0.0, 0.02, 0.2])
)
_HASTE = st.tuples(st.just("haste"), _KEY)
_TWICE = _KEY.map(lambda key: ("twice", key))
_CALL = st.tuples(
    st.just("call"), st.sampled_from([0, 1]), _KIND, _KEY, st.sampled_from([*[0.31] * 3, 0.02])
)
_TYPE = st.tuples(
    st.just("type"),
    st.sampled_from(["approve", "approve", "remember", "deny"]),
    st.one_of(st.none(), _WHICH),
)
_OVER = st.tuples(
    st.just("over"),
    _WHICH,
    st.sampled_from(["result", "record", "Stop", "UserPromptSubmit", "SessionEnd"]),
)
_SLIP = st.tuples(st.just("slip"), _KEY, _WHICH)
_REST = st.one_of(
    st.just(("again",)),
    st.just(("calm",)),
    st.tuples(st.just("old number"), st.sampled_from([0, 1])),
    st.tuples(st.just("kill"), _WHICH, st.sampled_from([signal.SIGTERM, signal.SIGKILL])),
    st.tuples(st.just("wait"), st.sampled_from([0.3, 1.1, 10.5, 121.0])),
    st.tuples(st.just("halt"), st.sampled_from([True, False, False])),
    st.tuples(st.just("select"), st.sampled_from([None, 0, 1])),
    st.tuples(st.just("touch"), st.sampled_from([_SLOT, _BLANK])),
    st.tuples(st.just("agent dies"), st.sampled_from(range(len(AGENTS)))),
    st.tuples(st.just("panel"), st.sampled_from(["stop", "begin"])),
)
_CRASH = st.tuples(st.just("panel"), st.sampled_from(["kill", "begin"]))
_FIRST = st.lists(_ASK, min_size=1, max_size=3)
_USUAL = (_ASK, _CALL, _CALL, _PRESS, _HASTE, _TWICE, _SLIP, _TYPE, _OVER, _REST)


def _stories(*steps: st.SearchStrategy[Step]) -> st.SearchStrategy[list[Step]]:
    then = st.lists(st.one_of(*steps), min_size=2, max_size=14)
    return st.builds(lambda first, then: [*first, *then], _FIRST, then)


STORIES = _stories(*_USUAL)
CRASHES = _stories(*_USUAL, _CRASH)


class Story:
    """A home in which it happens; with a smithy its panels are processes of their own."""

    def __init__(self, home: Path, smithy: Smithy | None) -> None:
        self.ahead = Ahead()
        self.crowd = Crowd(home)
        self.acts: list[Act] = []
        self.come_of: list[str] = []
        self._home, self._smithy = home, smithy
        self._folder = StateFolder(home / ".fleet")
        self._panel: Station | Apart | None = None
        self._halted = self._killed = False
        self._steps: dict[str, Callable[..., object]] = {
            "ask": self.crowd.ask,
            "again": self.crowd.ask_again,
            "old number": self._old_number,
            "over": self.crowd.settles,
            "kill": self.crowd.kill,
            "agent dies": self.crowd.agent_dies,
            "calm": self._calm,
            "press": self._press,
            "haste": self._haste,
            "twice": self._twice,
            "call": self._call,
            "slip": self._slip,
            "type": self._type,
            "wait": self._wait,
            "halt": self._halt,
            "select": self._select,
            "touch": self._touch,
            "panel": self._change_panel,
        }

    def play(self, steps: list[Step]) -> None:
        """Let everything happen, one after the other, and whatever it sets off at once."""
        self._change_panel("begin")
        for what, *about in steps:
            self._steps[what](*about)

    def end(self) -> None:
        """Stop the panel; then every hook ends, and what was printed has its reasons."""
        self._change_panel("stop")
        if self._killed:
            self._reap()
        self.crowd.gather()
        asks.sweep(self._folder.asks, panel_alive=False)
        assert list(self._folder.asks.iterdir()) == []
        assert not self._folder.panel_pid.exists()
        Account(self.acts, self._home / "faces").check(self.crowd.asked)

    def leave(self) -> None:
        """Leave nothing behind, whatever went wrong."""
        if self._panel is not None:
            panel, self._panel = self._panel, None
            panel.stop()
        self.crowd.end()

    # A person.

    def _press(self, what: str, wait_s: float, late_s: float) -> None:
        """Let things come to rest, look for so long, and press."""
        self._calm()
        self._wait(wait_s)
        self._key(what, late_s)

    def _haste(self, what: str) -> None:
        """Press without a look."""
        self._wait(0.31)
        self._key(what, 0.0)

    def _twice(self, what: str) -> None:
        self._press(what, 0.31, 0.0)
        self._press(what, 0.31, 0.0)

    def _call(self, agent: int, kind: str, what: str, wait_s: float) -> None:
        """Let an agent ask and have it answered, if nothing else is in the way."""
        self.crowd.ask(agent, kind)
        self._press(what, wait_s, 0.0)
        self._press(what, wait_s, 0.0)

    def _slip(self, what: str, which: int) -> None:
        """Press just as what the key showed is answered elsewhere; the panel hears of it late."""
        self.crowd.ask(which % 2, "plain")
        self.crowd.ask((which + 1) % 2, "plain")
        self._calm()
        self._wait(0.5)
        at = clock.monotonic()
        shown = [
            i for i, asked in enumerate(self.crowd.asked) if asked.tool in self.crowd.pending()
        ]
        if shown:
            self.crowd.settles(shown[which % len(shown)], "result")
        self._calm()
        self._key(what, clock.monotonic() - at)

    def _key(self, what: str, late_s: float) -> None:
        if self._panel is not None:
            at = clock.monotonic() - late_s
            self.acts.append(Act(what, at, halted=self._halted))
            self._panel.press(what, at)

    def _touch(self, index: int) -> None:
        if self._panel is not None:
            self.acts.append(Act("touch", clock.monotonic()))
            self._panel.touch(index)

    def _type(self, what: str, which: int | None) -> None:
        """Give a verdict in a terminal: on one of those that are known to wait, or on none."""
        if self._panel is None:
            return
        tool, request = "", ""
        if which is not None and (waiting := sorted(self.crowd.pending().items())):
            tool, request = waiting[which % len(waiting)]
        at = clock.monotonic()
        self.acts.append(Act(what, at, typed=True, tool=tool, halted=self._halted))
        self._panel.rule(what, request, at)

    # What else there is.

    def _old_number(self, agent: int) -> None:
        if self._panel is not None:
            self.crowd.ask_under_an_old_number(agent)

    def _calm(self) -> None:
        if self._panel is not None:
            self.crowd.have_arrived()
            self._panel.settle()

    def _wait(self, seconds: float) -> None:
        """Put the clock on; nobody really waits."""
        self.ahead.by_s += seconds
        if isinstance(self._panel, Station):
            self._panel.panel.wake()
        elif self._panel is not None:
            self._panel.put_on(self.ahead.by_s)

    def _halt(self, on: bool) -> None:
        """Turn the latch; while it is on it has been seen."""
        if self._panel is None:
            return
        self._halted = False
        self._panel.halt(on=on)
        if on:
            self._panel.settle()
            self._halted = True
            self.acts.append(Act(HALT, clock.monotonic()))

    def _select(self, agent: int | None) -> None:
        """Select an agent, if it is known, as another command does."""
        pid = self.crowd.pids[agent] if agent is not None else 0
        known = (path.stem for path in self._folder.sessions.glob("*.json"))
        key = next((stem for stem in known if stem.partition("-")[0] == str(pid)), "")
        select(self._folder, key)

    def _change_panel(self, how: str) -> None:
        if how == "begin" and self._panel is None:
            self._halted = self._killed = False
            smithy = self._smithy
            self._panel = smithy.panel(self._home, self.ahead) if smithy else Station(self._home)
        elif how != "begin" and self._panel is not None:
            panel, self._panel = self._panel, None
            if how == "stop" or isinstance(panel, Station):
                panel.stop()
            else:
                panel.kill()
                self._killed = True
            self.come_of += panel.come_of

    def _reap(self) -> None:
        """Do what the timer does for those who wait for a panel that was killed."""

        def nobody_waits() -> bool:
            forget_dead(self._folder)
            asks.sweep(self._folder.asks, panel_alive=False)
            return not any(asked.runs for asked in self.crowd.asked)

        until(nobody_waits, "the end of every hook")
