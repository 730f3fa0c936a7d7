"""Whatever happens between a look and a press: an allow has a live press on that very request.

The rules and what remembers presses are driven without threads, so that every order of
world, look, paint and press is reached. What a person saw and did is kept apart from
them, and whether that person allowed a request is judged from it alone.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.model import row
from flightdeck.model.ask import Ask, Grant
from flightdeck.model.effect import Answer, SetArm
from flightdeck.model.fleet import Fleet
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.lifecycle import Reason
from flightdeck.panel.messages import Ruled
from flightdeck.panel.painter import Stood
from flightdeck.panel.perform import Performed
from flightdeck.panel.pressing import Pressing
from flightdeck.panel.requests import Requests
from flightdeck.panel.ruling import about
from tests.model.requests import KEYS, VERDICTS, a_row, an_ask
from tests.panel.person import Person

if TYPE_CHECKING:
    from flightdeck.model.effect import Effect
    from flightdeck.model.verdict import Verdict

Step = tuple[Any, ...]

_MOST = 4
LAYOUT = a_row()
INDEX = {binding: LAYOUT.grid.index(position) for binding, position in KEYS.items()}
BINDING = {index: binding for binding, index in INDEX.items()}
MAKE = Grant(("Bash(make:*)",), "webshop", '[{"type": "addRules"}]')
GRANTS = [*[MAKE] * 4, Grant(refusal="no rule"), Grant(refusal="too wide")]
WAITS = [*[0.31] * 6, 0.0, 0.005, 0.04, 0.12, 0.26, 1.0, 9.5, 10.5]
LATE = [*[0.0] * 6, 0.001, 0.02, 0.11, 0.4]


class Verdicts:
    """World, look, paint and press, each a step of its own."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.asks: list[Ask] = []
        self.halted, self.selected = False, ""
        self.count = 0
        self.person = Person()
        self.stood: dict[int, list[Stood]] = {}
        self.requests = Requests(120.0)
        self.pressing = Pressing(LAYOUT, lambda index: tuple(self.stood.get(index, ())))
        self.seen = Fleet()
        self.underway: list[Answer] = []
        self.printed: list[str] = []

    @property
    def fleet(self) -> Fleet:
        """The fleet as the loop shows it."""
        return self.requests.open(self.seen)

    def waiting(self, request: str) -> Ask | None:
        """Return a request whose hook waits in the world, whatever the panel has seen."""
        return next((a for a in self.asks if a.request_id == request and a.answerable), None)

    def begin(self) -> None:
        """Let there be something to press on."""
        for tier in ("high", "medium"):
            self.asks_for("a", tier, MAKE, Reason.PERMISSION, True)
        self.look()
        self.paint(set(INDEX.values()))

    # The world.

    def asks_for(self, key: str, tier: str, grant: Grant, reason: Reason, held: bool) -> None:
        if len(self.asks) >= _MOST:
            return
        self.count += 1
        more = {"key": key, "tier": tier, "grant": grant, "reason": reason, "answerable": held}
        self.asks.append(an_ask(f"r{self.count}", since=100.0 + self.count, **more))

    def is_settled_elsewhere(self, which: int) -> None:
        if self.asks:
            del self.asks[which % len(self.asks)]

    def is_held_or_let_go(self, which: int, held: bool) -> None:
        if self.asks:
            which %= len(self.asks)
            self.asks[which] = replace(self.asks[which], answerable=held)

    def halts(self, halted: bool) -> None:
        self.halted = halted

    def selects(self, selected: str) -> None:
        self.selected = selected

    # The panel's turn.

    def look(self, wait: float = 0.0) -> None:
        self.now += wait
        self.seen = Fleet(asks=tuple(self.asks), halted=self.halted, selected=self.selected)
        self.pressing.uphold(self.fleet, self.now)
        if self.halted:
            self.person.disarmed()

    def paint(self, which: set[int]) -> None:
        aims = row.aims(LAYOUT, self.fleet, self.pressing.arms)
        for index in sorted(which):
            aim = aims[LAYOUT.grid.position(index)]
            self.person.sees(index, aim.of, aim.armed, self.now)
            stood = self.stood.setdefault(index, [])
            if not stood or stood[-1].aim != aim:
                stood.append(Stood(aim, self.now))

    def look_and_paint(self, wait: float) -> None:
        self.look(wait)
        self.paint(set(INDEX.values()))

    def answer_is_given(self) -> None:
        if not self.underway:
            return
        answer = self.underway.pop(0)
        taken = self.waiting(answer.request_id) is not None
        if taken and answer.decision.allow:
            assert answer.request_id not in self.printed
            self.printed.append(answer.request_id)
        self.asks = [a for a in self.asks if a.request_id != answer.request_id]
        self.requests.end(answer, taken=taken)

    # Thumbs and terminals.

    def press(self, index: int, wait: float, late: float, glance: bool) -> None:
        if glance:
            self.look_and_paint(0.0)
        self.now += wait
        at = self.now - late
        self.person.presses_key(index, at)
        if not self.pressing.bounced(index, at):
            self.told(self.pressing.key(index, at, self.fleet), BINDING.get(index))

    def press_twice(self, index: int, wait: float, late: float) -> None:
        """Look, press, look again and press again."""
        self.press(index, 0.31, 0.0, True)
        self.press(index, wait, late, True)

    def press_and_blink(self, index: int) -> None:
        """The same, and in between the fleet is halted for a moment."""
        self.press(index, 0.31, 0.0, True)
        self.halted = True
        self.look_and_paint(0.0)
        self.halted = False
        self.press(index, 0.31, 0.0, True)

    def type(self, binding: Verdict, wait: float, which: int) -> None:
        if not self.seen.asks:
            return
        self.now += wait
        self.pressing.uphold(self.fleet, self.now)
        request = self.seen.asks[which % len(self.seen.asks)].request_id
        asked = Ruled(binding, request, self.now, Future[Performed]())
        self.person.typed.append((action(binding), request, self.now))
        self.told(self.pressing.terminal(asked, about(asked, self.fleet), self.fleet), None)

    def told(self, effects: list[Effect], binding: Verdict | None) -> None:
        """Carry out what a press does, and judge it."""
        answers = [effect for effect in effects if isinstance(effect, Answer)]
        assert len(answers) <= 1
        assert not (answers and any(isinstance(effect, SetArm) for effect in effects))
        for answer in answers:
            self.judge(answer, binding)
            self.requests.begin(answer)
            self.underway.append(answer)

    def judge(self, answer: Answer, binding: Verdict | None) -> None:
        """Assert that a person has given this answer to this request."""
        ask = next(a for a in self.seen.asks if a.request_id == answer.request_id)
        decision = answer.decision
        assert ask.answerable
        assert answer.request_id not in {a.request_id for a in self.underway}
        if decision.allow:
            assert not self.seen.halted
            assert ask.reason is Reason.PERMISSION
            assert decision.permissions in {"", ask.grant.permissions}
        twice = decision.allow and (ask.tier == "high" or decision.permissions != "")
        if binding is None:
            did = self.person.typed[-1][0]
            assert self.person.typed_allow(did, ask.request_id, twice=twice)
        else:
            did = action(binding)
            assert self.person.allowed(INDEX[binding], ask.request_id, twice=twice)
        assert decision.allow == (did in {"approve", "remember"})
        assert bool(decision.permissions) == (did == "remember")


def action(binding: Verdict) -> str:
    """Return what a verdict key does, in a word."""
    if isinstance(binding, SteerBinding):
        return "steer"
    assert isinstance(binding, VerdictBinding)
    return Action(binding.action).value


def step(what: str, *about: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
    return st.tuples(st.just(what), *about)


_waits, _which = st.sampled_from(WAITS), st.integers(0, _MOST - 1)
_asks = step(
    "asks_for",
    st.sampled_from("ab"),
    st.sampled_from(["high", "medium", "low"]),
    st.sampled_from(GRANTS),
    st.sampled_from([Reason.PERMISSION] * 8 + [Reason.QUESTION, Reason.PLAN]),
    st.sampled_from([True] * 5 + [False]),
)
_allow = [INDEX[VERDICTS[1]], INDEX[VERDICTS[2]]]
_press = step(
    "press",
    st.sampled_from([*BINDING, *_allow * 8, 0, 11]),
    _waits,
    st.sampled_from(LATE),
    st.sampled_from([True, True, True, False]),
)
_again = st.one_of(
    step("press_twice", st.sampled_from(_allow), _waits, st.sampled_from(LATE)),
    step("press_and_blink", st.sampled_from(_allow)),
)
_type = step("type", st.sampled_from([*VERDICTS, *VERDICTS[1:3] * 3]), _waits, _which)
_world = st.one_of(
    step("is_settled_elsewhere", _which),
    step("is_held_or_let_go", _which, st.booleans()),
    step("halts", st.sampled_from([False] * 5 + [True])),
    step("selects", st.sampled_from(["", "a", "b"])),
)
_panel = st.one_of(
    step("look", _waits),
    step("paint", st.sets(st.sampled_from([*BINDING]))),
    step("look_and_paint", _waits),
    step("answer_is_given"),
)
_steps = st.lists(
    st.one_of(_asks, _asks, _press, _press, _again, _again, _type, _world, _panel),
    min_size=20,
    max_size=60,
)


@settings(max_examples=300, database=None)
@given(_steps)
def test_whoever_is_answered_was_pressed_on(steps: list[Step]) -> None:
    verdicts = Verdicts()
    verdicts.begin()
    for what, *details in steps:
        getattr(verdicts, what)(*details)
