"""Asking the panel: found when it listens, waited for while it starts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.commands import panel_door
from flightdeck.commands.panel_door import ask_panel, told
from flightdeck.commands.result import Exit
from flightdeck.errors import Refused, Unavailable
from flightdeck.model.plan import PanelPlan
from flightdeck.panel.presence import Presence
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def presence() -> Iterator[Presence]:
    """A panel that has only just started."""
    presence = Presence(StateFolder.from_environment())
    yield presence
    presence.close()


def no(_: dict[str, Any]) -> dict[str, Any]:
    return {"problem": "no", "hint": "ask nicely"}


def test_panel_that_is_starting_is_waited_for(presence: Presence) -> None:
    folder, said = StateFolder.from_environment(), threading.Event()

    def ask() -> None:
        with pytest.raises(Refused, match="no"):
            ask_panel(folder, {})
        said.set()

    asking = threading.Thread(target=ask)
    asking.start()
    presence.open("recorder", PanelPlan(), no)
    asking.join()
    assert said.is_set()


def test_panel_that_never_listens_is_told(
    presence: Presence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_door, "_START_S", 0.0)
    with pytest.raises(Unavailable, match="does not listen"):
        ask_panel(StateFolder.from_environment(), {})


def test_answer_that_says_nothing_is_a_problem(presence: Presence) -> None:
    presence.open("recorder", PanelPlan(), lambda _: {})
    with pytest.raises(Refused, match="did not say"):
        ask_panel(StateFolder.from_environment(), {})


def test_answer_cannot_steer_the_terminal() -> None:
    result = told("approve", {"done": "armed\x1b[2J", "armed": True})
    assert (result.lines, result.code) == (("approve: armed\ufffd[2J",), Exit.ARMED)


def test_answer_tells_how_to_mend_what_it_waits_for() -> None:
    result = told("test", {"problem": "", "done": "queued", "hint": "switch \x1bit on"})
    assert result.lines == ("test: queued", "  hint: switch \ufffdit on")
