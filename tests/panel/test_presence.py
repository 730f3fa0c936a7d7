"""Others find the running panel, and go on finding it when its folder was removed."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.model.plan import PanelPlan
from flightdeck.panel.control import ask
from flightdeck.panel.presence import Presence
from flightdeck.store import plan as plans
from flightdeck.store.instance import Instance, RunningPanel, running_panel
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAN = PanelPlan(slots=(0, 3))


def yes(_: dict[str, Any]) -> dict[str, Any]:
    return {"yes": True}


@pytest.fixture
def folder() -> StateFolder:
    return StateFolder.from_environment()


@pytest.fixture
def presence(folder: StateFolder) -> Iterator[Presence]:
    presence = Presence(folder)
    presence.open("recorder", PLAN, yes)
    yield presence
    presence.close()


def reaches(folder: StateFolder) -> bool:
    panel = running_panel(folder)
    return panel is not None and ask(panel.control, {}, 20.0) == {"yes": True}


def test_open_panel_is_found_asked_and_its_plan_kept(
    presence: Presence, folder: StateFolder
) -> None:
    presence.tend()
    control = str(folder.control)
    assert running_panel(folder) == RunningPanel(os.getpid(), "recorder", control)
    assert reaches(folder)
    assert plans.read(folder) == PLAN


def test_removed_folder_is_made_again_with_all_that_others_look_for(
    presence: Presence, folder: StateFolder
) -> None:
    shutil.rmtree(folder.root)
    presence.tend()
    assert folder.inbox.is_dir()
    assert reaches(folder)
    assert plans.read(folder) == PLAN
    with pytest.raises(Refused):
        Instance(folder)


def test_removed_socket_is_made_again(presence: Presence, folder: StateFolder) -> None:
    folder.control.unlink()
    presence.tend()
    assert reaches(folder)


def test_panel_that_is_not_open_yet_keeps_its_lock_too(folder: StateFolder) -> None:
    presence = Presence(folder)
    shutil.rmtree(folder.root)
    presence.tend()
    with pytest.raises(Refused):
        Instance(folder)
    presence.close()


def test_hooks_wait_for_a_panel_that_is_not_open_yet_and_a_press_does_not_find_it(
    folder: StateFolder,
) -> None:
    presence = Presence(folder)
    assert folder.panel_pid.read_text().splitlines()[0] == str(os.getpid())
    assert running_panel(folder) == RunningPanel(os.getpid(), "", "")
    with pytest.raises(Refused, match=rf"\(pid {os.getpid()}\)"):
        Presence(folder)
    presence.close()


def test_lock_that_cannot_be_written_is_given_back(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Instance, "announce", full)
    with pytest.raises(Unavailable, match="No space left"):
        Presence(folder)
    assert running_panel(folder) is None


def test_folder_whose_lock_cannot_be_opened_is_told(folder: StateFolder) -> None:
    folder.panel_pid.mkdir(parents=True)
    with pytest.raises(Unavailable, match="cannot use the state folder"):
        Presence(folder)


def test_folder_that_cannot_be_made_is_tried_again(presence: Presence, folder: StateFolder) -> None:
    shutil.rmtree(folder.root)
    folder.root.write_bytes(b"in the way")
    presence.tend()
    folder.root.unlink()
    presence.tend()
    assert reaches(folder)


def test_socket_that_cannot_be_made_is_tried_again(presence: Presence, folder: StateFolder) -> None:
    folder.control.unlink()
    folder.control.mkdir()
    (folder.control / "in the way").touch()
    presence.tend()
    shutil.rmtree(folder.control)
    presence.tend()
    assert reaches(folder)


def test_folder_nothing_can_be_written_into_is_told(folder: StateFolder) -> None:
    presence = Presence(folder)
    folder.control.mkdir()
    with pytest.raises(Unavailable, match="cannot use the state folder"):
        presence.open("recorder", PLAN, yes)
    presence.close()


def test_panel_that_took_the_folder_over_is_left_in_peace(folder: StateFolder) -> None:
    first = Presence(folder)
    first.open("recorder", PLAN, yes)
    shutil.rmtree(folder.root)
    other = Presence(folder)
    other.open("browser", PLAN, yes)
    with pytest.raises(Refused, match="browser deck"):
        first.tend()
    first.close()
    assert reaches(folder)
    other.close()


def test_closed_panel_leaves_nothing(folder: StateFolder) -> None:
    presence = Presence(folder)
    presence.open("recorder", PLAN, yes)
    presence.close()
    assert not folder.control.exists()
    assert not folder.panel_pid.exists()
    assert running_panel(folder) is None
