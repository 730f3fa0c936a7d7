"""Whatever thumbs, decks and sessions do, only one story ends in a teardown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.model import arming, hold
from flightdeck.model.arming import SETTLED_S
from flightdeck.model.effect import SetArm, TearDown
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.painter import Stood
from flightdeck.panel.pressing import Pressing
from flightdeck.panel.thumbs import Deeds, Thumbs
from tests.config.panels import shipped_xl
from tests.panel.desk import a_fleet, a_view

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet

ARMED_S = 3.0

STEPS = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.004, 0.03, 0.06, 0.1, 0.26, 0.5, 0.81, 2.0, 3.1]),
        st.sampled_from(
            ["down 0", "up 0", "down 1", "up 1", "lost 0", "else", "swap", "swap", "wait"]
        )
        | st.sampled_from(["down 0", "up 0", "wait"]),
    ),
    max_size=24,
)


@dataclass
class Story:
    """A panel without a deck: two keys, two slots, and who is on them."""

    now: float = 100.0
    on_key: list[str] = field(default_factory=lambda: ["s0", "s1"])
    came: int = 2
    held: set[int] = field(default_factory=set)
    ups: dict[int, float] = field(default_factory=dict)
    torn: list[tuple[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.layout = shipped_xl()
        self.pressing = Pressing(self.layout, self.stood)
        self.thumbs = Thumbs(self.layout, self.pressing, self.stood)
        # The arms that stand, as whoever only watched would have it: key -> session, since.
        self.armed: dict[int, tuple[str, float]] = {}

    def stood(self, index: int) -> tuple[Stood, ...]:
        position = self.layout.grid.position(index)
        arm = hold.arm_on(self.pressing.arms, position, self.now)
        return (Stood(hold.aim_of(arm), arm.at),) if arm else ()

    def step(self, seconds: float, what: str) -> None:
        self.now += seconds
        self.pressing.arms = arming.standing(self.pressing.arms, self.now)
        self.check(self.thumbs.due(self.now, self.fleet))
        verb, _, key = what.partition(" ")
        if verb == "swap":
            self.on_key[0], self.came = f"s{self.came}", self.came + 1
        elif verb == "else":
            self.pressing.arms = arming.untouched(self.pressing.arms, self.layout.keys[20].position)
            self.armed.clear()
        elif key:
            self.move(int(key), verb)

    @property
    def fleet(self) -> Fleet:
        return a_fleet(*(a_view(slot, key=key) for slot, key in enumerate(self.on_key)))

    def move(self, index: int, verb: str) -> None:
        key = KeyMoved(index, down=verb == "down", at=self.now, lost=verb == "lost")
        assert self.thumbs.takes(key, self.fleet)
        self.check(self.thumbs.moved(key, self.fleet))
        if verb == "down":
            self.armed = {k: arm for k, arm in self.armed.items() if k == index}
            self.held.add(index)
        elif index in self.held:
            self.held.remove(index)
            self.ups[index] = self.now

    def check(self, deeds: Deeds) -> None:
        for effects, hand in deeds:
            assert hand.position is not None
            index = self.layout.grid.index(hand.position)
            for effect in effects:
                if isinstance(effect, SetArm):
                    self.armed[index] = (effect.arm.what[0], self.now)
                if isinstance(effect, TearDown):
                    self.tear_down(index, effect.key)

    def tear_down(self, index: int, key: str) -> None:
        session, at = self.armed.pop(index)
        assert session == key == self.on_key[index]
        assert at + SETTLED_S <= self.now < at + ARMED_S
        assert self.ups[index] >= at
        assert self.now - self.ups[index] >= SETTLED_S
        self.torn.append((key, self.now))


@given(STEPS)
@settings(max_examples=400)
def test_only_a_hold_a_release_and_a_press_of_one_session_tear_down(
    steps: list[tuple[float, str]],
) -> None:
    story = Story()
    for seconds, what in steps:
        story.step(seconds, what)
    assert len(story.pressing.arms) <= 1


def test_the_one_story_does() -> None:
    story = Story()
    for step in ((0.0, "down 0"), (0.81, "wait"), (0.1, "up 0"), (0.5, "down 0")):
        story.step(*step)
    assert [key for key, _ in story.torn] == ["s0"]
