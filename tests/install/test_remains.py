"""What is left of the state folder once the hooks are out, and what is not."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.install import remains
from flightdeck.store.instance import Instance, RunningPanel
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    return place


@pytest.fixture
def state(place: Path) -> StateFolder:
    return StateFolder(place / "fleet")


def test_folder_nobody_used_goes_whole(state: StateFolder) -> None:
    remains.create(state)
    state.lock.write_text("1")
    state.reaped.write_text("")
    assert remains.clear(state) == ()
    assert not state.root.exists()


def test_folders_above_it_go_if_they_were_made_for_it(place: Path) -> None:
    (place / "there").mkdir()
    state = StateFolder(place / "there" / "a" / "b" / "fleet")
    remains.create(state)
    remains.create(state)
    remains.clear(state)
    assert list(place.rglob("*")) == [place / "there"]


@pytest.mark.parametrize("text", ["{", "{}", "[1]"])
def test_torn_list_of_folders_is_none(place: Path, text: str) -> None:
    state = StateFolder(place / "a" / "fleet")
    remains.create(state)
    (state.root / "install" / "above.json").write_text(text)
    remains.clear(state)
    assert list(place.iterdir()) == [place / "a"]


def test_what_says_who_is_at_work_goes_and_what_somebody_may_read_stays(
    state: StateFolder,
) -> None:
    remains.create(state)
    for path in (state.inbox / "1.ev", state.sessions / "a.json", state.queue / "a.1", state.slots):
        path.write_text("a prompt")
    for path in (state.journal, state.halt, state.local, state.log / "panel.out"):
        path.write_text("mine")
    assert remains.clear(state) == ("events.jsonl", "halt", "local.yaml", "log")
    assert [path.name for path in state.log.iterdir()] == ["panel.out"]


def test_panel_that_runs_keeps_everything(state: StateFolder) -> None:
    remains.create(state)
    panel = Instance(state)
    panel.announce(RunningPanel(os.getpid(), "browser", ""))
    before = {path.name for path in state.root.iterdir()}
    assert set(remains.clear(state)) == before
    panel.release()


def test_half_of_a_killed_run_goes_when_the_folder_is_made_again(state: StateFolder) -> None:
    remains.create(state)
    half = state.compiled / ".risk.json.1.ab12_x.tmp"
    half.write_text("half")
    os.utime(half, (0, 0))
    remains.create(state)
    assert list(state.compiled.iterdir()) == []


def test_folder_that_cannot_be_written_is_told(place: Path) -> None:
    state = StateFolder(place / "a" / "fleet")
    state.root.mkdir(parents=True)
    (state.root / "inbox").mkdir()
    (state.root / "inbox" / "1.ev").mkdir()
    with pytest.raises(Unavailable, match="cannot use the state folder"):
        remains.clear(state)


def test_list_that_cannot_be_written_is_told(
    state: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("flightdeck.store.files.replace", full)
    deep = StateFolder(state.root / "a" / "b")
    with pytest.raises(Unavailable, match="No space left"):
        remains.create(deep)


def test_one_waits_for_the_other(state: StateFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    remains.create(state)
    order: list[str] = []
    waits, pause = threading.Event(), clock.pause

    def noticed(seconds: float) -> None:
        waits.set()
        pause(seconds)

    monkeypatch.setattr(clock, "pause", noticed)

    def second() -> None:
        with remains.alone(state):
            order.append("second")

    thread = threading.Thread(target=second)
    with remains.alone(state):
        thread.start()
        assert waits.wait(30)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_one_who_waits_too_long_is_told(
    state: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    remains.create(state)
    monkeypatch.setattr(remains, "_PATIENCE_S", 0.0)
    with (
        remains.alone(state),
        pytest.raises(Unavailable, match="another `flightdeck apply`"),
        remains.alone(state),
    ):
        pytest.fail("two at once")


def test_folder_that_is_not_there_is_nothing_to_wait_for(state: StateFolder) -> None:
    with remains.alone(state):
        assert not state.root.exists()
    assert remains.clear(state) == ()
