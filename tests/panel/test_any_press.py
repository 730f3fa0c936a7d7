"""Whatever happens between a look and a press: an allow has a live press on that very request.

The rules and what remembers presses are driven without threads, so that every order of
world, look, paint and press is reached. What a person saw and did is kept apart from
them, and whether that person allowed a request is judged from it alone.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

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

LAYOUT = a_row()
INDEX = {binding: LAYOUT.grid.index(position) for binding, position in KEYS.items()}
BINDING = {index: binding for binding, index in INDEX.items()}
MAKE = Grant(("Bash(make:*)",), "webshop", '[{"type": "addRules"}]')
GRANTS = [*[MAKE] * 4, Grant(refusal="no rule"), Grant(refusal="too wide")]
WAITS = [*[0.31] * 6, 0.0, 0.005, 0.04, 0.12, 0.26, 1.0, 9.5, 10.5]
LATE = [*[0.0] * 6, 0.001, 0.02, 0.11, 0.4]


class Verdicts(RuleBasedStateMachine):
    """World, look, paint and press, each a step of its own."""

    def __init__(self) -> None:
        super().__init__()
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

    @initialize(tiers=st.lists(st.sampled_from(["high", "medium"]), max_size=3))
    def begin(self, tiers: list[str]) -> None:
        for tier in tiers:
            self.asks_for("a", tier, MAKE, Reason.PERMISSION, held=True)
        self.look()
        self.paint(set(INDEX.values()))

    # The world.

    @precondition(lambda self: len(self.asks) < 4)
    @rule(
        key=st.sampled_from("ab"),
        tier=st.sampled_from(["high", "medium", "low"]),
        grant=st.sampled_from(GRANTS),
        reason=st.sampled_from([Reason.PERMISSION] * 8 + [Reason.QUESTION, Reason.PLAN]),
        held=st.sampled_from([True] * 5 + [False]),
    )
    def asks_for(self, key: str, tier: str, grant: Grant, reason: Reason, *, held: bool) -> None:
        self.count += 1
        more = {"key": key, "tier": tier, "grant": grant, "reason": reason, "answerable": held}
        self.asks.append(an_ask(f"r{self.count}", since=100.0 + self.count, **more))

    @precondition(lambda self: self.asks)
    @rule(which=st.integers(0, 3))
    def is_settled_elsewhere(self, which: int) -> None:
        del self.asks[which % len(self.asks)]

    @precondition(lambda self: self.asks)
    @rule(which=st.integers(0, 3), held=st.booleans())
    def is_held_or_let_go(self, which: int, *, held: bool) -> None:
        which %= len(self.asks)
        self.asks[which] = replace(self.asks[which], answerable=held)

    @rule(halted=st.sampled_from([False] * 5 + [True]))
    def halts(self, *, halted: bool) -> None:
        self.halted = halted

    @rule(selected=st.sampled_from(["", "a", "b"]))
    def selects(self, selected: str) -> None:
        self.selected = selected

    # The panel's turn.

    @rule(wait=st.sampled_from(WAITS))
    def look(self, wait: float = 0.0) -> None:
        self.now += wait
        self.seen = Fleet(asks=tuple(self.asks), halted=self.halted, selected=self.selected)
        self.pressing.uphold(self.fleet, self.now)
        if self.halted:
            self.person.disarmed()

    @rule(which=st.one_of(st.just(set(INDEX.values())), st.sets(st.sampled_from([*BINDING]))))
    def paint(self, which: set[int]) -> None:
        aims = row.aims(LAYOUT, self.fleet, self.pressing.arms)
        for index in sorted(which):
            aim = aims[LAYOUT.grid.position(index)]
            self.person.sees(index, aim.request_id, aim.armed, self.now)
            stood = self.stood.setdefault(index, [])
            if not stood or stood[-1].aim != aim:
                stood.append(Stood(aim, self.now))

    @rule(wait=st.sampled_from(WAITS))
    def look_and_paint(self, wait: float) -> None:
        self.look(wait)
        self.paint(set(INDEX.values()))

    @precondition(lambda self: self.underway)
    @rule()
    def answer_is_given(self) -> None:
        answer = self.underway.pop(0)
        taken = self.waiting(answer.request_id) is not None
        if taken and answer.decision.allow:
            self.printed.append(answer.request_id)
        self.asks = [a for a in self.asks if a.request_id != answer.request_id]
        self.requests.end(answer, taken=taken)

    # Thumbs and terminals.

    @rule(
        index=st.sampled_from([*BINDING, *[INDEX[VERDICTS[1]], INDEX[VERDICTS[2]]] * 6, 0, 11]),
        glance=st.sampled_from([True, True, True, False]),
        wait=st.sampled_from(WAITS),
        late=st.sampled_from(LATE),
    )
    def press(self, index: int, wait: float, late: float, *, glance: bool) -> None:
        if glance:
            self.look_and_paint(0.0)
        self.now += wait
        at = self.now - late
        self.person.presses_key(index, at)
        if not self.pressing.bounced(index, at):
            self.told(self.pressing.key(index, at, self.fleet), BINDING.get(index))

    @precondition(lambda self: self.seen.asks)
    @rule(
        binding=st.sampled_from([*VERDICTS, *VERDICTS[1:3] * 3]),
        wait=st.sampled_from(WAITS),
        which=st.integers(0, 3),
    )
    def type(self, binding: Verdict, wait: float, which: int) -> None:
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

    @invariant()
    def nothing_is_allowed_twice(self) -> None:
        assert len(self.printed) == len(set(self.printed))


def action(binding: Verdict) -> str:
    """Return what a verdict key does, in a word."""
    if isinstance(binding, SteerBinding):
        return "steer"
    assert isinstance(binding, VerdictBinding)
    return Action(binding.action).value


TestVerdicts = Verdicts.TestCase
TestVerdicts.settings = settings(
    max_examples=300, stateful_step_count=40, deadline=None, database=None
)
