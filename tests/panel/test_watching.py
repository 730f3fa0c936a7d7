"""What wakes the panel, and what of all that is written in the state folder does not."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel.watching import Watching
from flightdeck.store import files, gates, latch, selection
from flightdeck.store.paths import StateFolder
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Alarm:
    """A panel that only counts how often it was woken."""

    def __init__(self, registry: Path) -> None:
        self.folder = StateFolder.from_environment()
        self.folder.create()
        self._woken = threading.Semaphore(0)
        self.watching = Watching(self.folder, self._woken.release)
        self._registry = registry
        self.tend()

    def tend(self) -> None:
        assert self.watching.tend([self._registry])

    def hears(self) -> bool:
        """Say whether it was woken once more."""
        return self._woken.acquire(timeout=DEADLINE_S)

    def slept(self) -> bool:
        """Say whether nothing has woken it so far: what is written now is told of last."""
        (self.folder.inbox / "1.Stop.ev").touch()
        return self.hears() and not self._woken.acquire(blocking=False)


@pytest.fixture
def alarm(tmp_path: Path) -> Iterator[Alarm]:
    alarm = Alarm(tmp_path)
    yield alarm
    alarm.watching.close()


def halted(folder: StateFolder) -> None:
    latch.put(folder)


def halted_by_hand(folder: StateFolder) -> None:
    folder.halt.symlink_to("nowhere")


def selected(folder: StateFolder) -> None:
    selection.write(folder, "k0")


def gated(folder: StateFolder) -> None:
    gates.close(folder, "the-first-gate-of-all")


def spooled(folder: StateFolder) -> None:
    (folder.inbox / "1.Stop.ev").touch()


@pytest.mark.parametrize("left", [halted, halted_by_hand, selected, gated, spooled])
def test_what_others_leave_wakes_at_once(alarm: Alarm, left: Callable[[StateFolder], None]) -> None:
    left(alarm.folder)
    assert alarm.hears()


def test_record_of_the_registry_wakes(alarm: Alarm, tmp_path: Path) -> None:
    (tmp_path / "1.json").write_text("{}")
    assert alarm.hears()


def test_latch_that_is_lifted_wakes(alarm: Alarm) -> None:
    latch.put(alarm.folder)
    assert alarm.hears()
    latch.lift(alarm.folder)
    assert alarm.hears()


def test_second_gate_wakes_once_the_folder_is_watched(alarm: Alarm) -> None:
    gates.close(alarm.folder, "one")
    assert alarm.hears()
    alarm.tend()
    gates.close(alarm.folder, "other")
    assert alarm.hears()


def test_what_a_fold_writes_wakes_nobody(alarm: Alarm) -> None:
    files.replace(alarm.folder.slots, b"{}")
    files.replace(alarm.folder.sessions / "1.json", b"{}")
    assert alarm.slept()


def test_closed_it_wakes_nobody(alarm: Alarm) -> None:
    alarm.watching.close()
    alarm.watching.close()
    latch.put(alarm.folder)
    alarm.tend()
    assert alarm.slept()
