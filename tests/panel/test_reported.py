"""What public reports say went wrong elsewhere, over the true panel and true hooks."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.lifecycle import State
from flightdeck.system import clock
from tests.fold.world import until
from tests.hooks.place import QUIET, SHELLS, Place
from tests.hooks.waiting import PAYLOAD, wait_command
from tests.panel.crowd import Crowd
from tests.panel.station import Ahead, Station

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.panel.crowd import Asked


class Scene:
    """A panel, agents that ask, and a thumb that looks before it presses."""

    def __init__(self, home: Path, ahead: Ahead) -> None:
        self.crowd, self.ahead = Crowd(home), ahead
        self.station = Station(home)

    def ask(self, kind: str, agent: int = 0) -> Asked:
        asked = self.crowd.ask(agent, kind)
        self.settle()
        return asked

    def press(self, what: str) -> str:
        """Press a key and return the word that comes of it, or what was done."""
        self.settle()
        self.ahead.by_s += 0.31
        told = len(self.station.come_of)
        self.station.press(what, clock.monotonic())
        until(lambda: len(self.station.come_of) > told, "what came of a press")
        self.settle()
        return self.station.come_of[-1]

    def settle(self) -> None:
        self.crowd.have_arrived()
        self.station.settle()

    def shows(self, state: State) -> bool:
        self.station.settle()
        return state in {view.state for view in self.station.slots()}


@pytest.fixture
def scene(home: Path) -> Iterator[Scene]:
    ahead = Ahead()
    with ahead.patched():
        scene = Scene(home, ahead)
        yield scene
        scene.station.stop()
        scene.crowd.end()


def test_nobody_presses_so_nothing_is_said_and_the_dialog_stands(scene: Scene) -> None:
    """A timeout that reports a denial tells the model its user refused (everything-evenhub#40)."""
    asked = scene.ask("plain")
    scene.ahead.by_s += 121.0
    scene.station.settle()
    assert asked.hook.end() == QUIET
    assert scene.shows(State.BLOCKED)
    assert scene.press("approve") == "in terminal"


def test_request_another_program_allowed_is_over_and_not_allowed_again(scene: Scene) -> None:
    """Two programs answer permission requests, the other one first (kimi-cli#1751)."""
    asked = scene.ask("plain")
    scene.crowd.settles(0, "result")
    assert asked.hook.end() == QUIET
    until(lambda: scene.shows(State.WORKING), "a call that runs")
    assert scene.press("approve") == "nothing pending"


@pytest.mark.parametrize("what", ["approve", "remember"])
def test_plan_waits_amber_until_its_own_dialog_is_answered(scene: Scene, what: str) -> None:
    """No allow, no mode: that choice is made in the dialog (claude-code#74256, #90498)."""
    asked = scene.ask("plan")
    assert scene.press(what) == "plan"
    assert asked.runs
    assert scene.shows(State.BLOCKED)
    scene.crowd.settles(0, "result")
    assert asked.hook.end() == QUIET
    until(lambda: not scene.shows(State.BLOCKED), "a plan that was approved")


def test_plan_is_refused_without_an_interrupt_and_told_to_stay_one(scene: Scene) -> None:
    """An interrupted plan leaves plan mode and may edit (claude-code#81976)."""
    asked = scene.ask("plan")
    assert scene.press("interrupt") == "Answer"
    asked.ended = asked.hook.end()
    assert asked.printed is not None
    assert asked.printed["behavior"] == "deny"
    assert "interrupt" not in asked.printed
    assert "not approved" in asked.printed["message"]
    assert "plan mode" in asked.printed["message"]


def test_halt_says_nothing_to_a_plan_that_waits(scene: Scene) -> None:
    """Nor does the latch end its turn, which would leave plan mode (claude-code#81976)."""
    asked = scene.ask("plan")
    scene.station.halt(on=True)
    scene.settle()
    assert scene.press("approve") == "halted"
    scene.station.stop()
    assert asked.hook.end() == QUIET
    scene.station = Station(scene.crowd.home)


def test_record_of_a_killed_hook_is_no_target_and_the_living_one_is(scene: Scene) -> None:
    """The harness kills a hook, and its record stays (claude-code#15433)."""
    first, second = scene.ask("plain"), scene.ask("plain", agent=1)
    scene.crowd.kill(0, signal.SIGKILL)
    assert scene.press("approve") == "Answer"
    second.ended, first.ended = second.hook.end(), first.hook.end()
    assert second.printed == {"behavior": "allow"}
    assert first.printed is None


@pytest.mark.parametrize("shell", SHELLS)
def test_state_folder_that_is_a_file_refuses_nothing(tmp_path: Path, shell: str) -> None:
    """A hook that breaks and exits 2 would be a denial (claude-code#80697, phoenix#5423)."""
    place = Place(tmp_path / ".fleet", tmp_path / "flightdeck", shell)
    command = wait_command(place)
    for folder in sorted(place.root.rglob("*"), reverse=True):
        folder.rmdir()
    place.root.rmdir()
    place.root.write_text("a file")
    assert place.fire(PAYLOAD, command) == QUIET
