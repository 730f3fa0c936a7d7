"""What a key does beside a panel that is none: what it asks for, and what it says of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.commands.board import deeds
from flightdeck.commands.board.deeds import Deeds
from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.commands.selecting import select_session
from flightdeck.errors import Refused
from flightdeck.hosts.catalogue import Hosts
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.layout import Action
from flightdeck.model.lifecycle import State
from flightdeck.store import selection
from flightdeck.store.instance import Instance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fold.world import Machine

ASKS = PendingView("r1", "Bash", answerable=True)


def row(*pending: PendingView, key: str = "k") -> Row:
    state = State.BLOCKED if pending else State.IDLE
    return rows_of(Fleet((SlotView(3, state, key=key, pending=pending),)), 0.0)[0]


@pytest.fixture
def panel(machine: Machine) -> Iterator[Instance]:
    instance = Instance(machine.folder)
    yield instance
    instance.release()


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, panel: Instance) -> dict[str, Any]:
    """What the panel answers; `asked` is what it was asked."""
    assert panel.stands()
    told: dict[str, Any] = {"done": "sent"}

    def ask_panel(_: object, request: dict[str, Any]) -> dict[str, Any]:
        told["asked"] = request
        if "refused" in told:
            raise Refused(told["refused"], told["hint"])
        return told

    monkeypatch.setattr(deeds, "ask_panel", ask_panel)
    return told


def test_verdict_asks_for_the_request_of_the_row(machine: Machine, answer: dict[str, Any]) -> None:
    told = Deeds(machine.folder).verdict(Action.DENY, row(ASKS))
    assert (told.text, told.armed) == ("deny: sent", None)
    assert answer["asked"] == {"do": "verdict", "action": "deny", "verb": "", "request": "r1"}


def test_armed_verdict_says_what_y_does(machine: Machine, answer: dict[str, Any]) -> None:
    answer |= {"armed": True, "done": "armed; this will rm\x1b[2J"}
    told = Deeds(machine.folder).verdict(Action.APPROVE, row(ASKS))
    assert told.text == (
        "y does it, any other key lets it go: approve: armed; this will rm\ufffd[2J"
    )
    assert told.armed == answer["asked"]


@pytest.mark.parametrize(("hint", "told"), [("", "too soon"), ("look", "too soon: look")])
def test_refusal_is_told_with_its_hint(
    machine: Machine, answer: dict[str, Any], hint: str, told: str
) -> None:
    answer |= {"refused": "too soon", "hint": hint}
    assert Deeds(machine.folder).verdict(Action.APPROVE, row(ASKS)).text == told


def test_verdict_where_nothing_waits_asks_nobody(machine: Machine, answer: dict[str, Any]) -> None:
    told = Deeds(machine.folder).verdict(Action.APPROVE, row())
    assert told.text == "approve: nothing waits in slot 3"
    assert "asked" not in answer


def test_verdict_without_a_panel_is_none(machine: Machine) -> None:
    told = Deeds(machine.folder).verdict(Action.APPROVE, row(ASKS))
    assert told.text.startswith("no panel is running")


def test_session_of_the_row_is_selected(
    machine: Machine, answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[int] = []
    monkeypatch.setattr(deeds, "show_selected", lambda _, slot: shown.append(slot))
    select_session(machine.folder, "other")
    assert Deeds(machine.folder).select(row(key="mine")).text == "slot 3 is selected"
    assert (selection.read(machine.folder), shown) == ("mine", [3])
    assert "asked" not in answer


def test_nobody_is_neither_selected_nor_brought_forward(machine: Machine) -> None:
    select_session(machine.folder, "other")
    hand = Deeds(machine.folder)
    assert {hand.select(row(key="")).text, hand.focus(row(key="")).text} == {"slot 3 is empty"}
    assert selection.read(machine.folder) == "other"


def test_window_is_brought_forward(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hosts, "focus", lambda *_: None)
    assert Deeds(machine.folder).focus(row()).text.startswith("slot 3 is in front")


def test_window_that_cannot_be_is_told_and_its_session_selected(machine: Machine) -> None:
    assert Deeds(machine.folder).focus(row()).text == "where this session runs is unknown"
    assert selection.read(machine.folder) == "k"
