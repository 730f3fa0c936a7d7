"""What a key does beside a panel that is none: what it asks for, and what it says of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.commands import selecting
from flightdeck.commands.board import deeds
from flightdeck.commands.board.choosing import Deed
from flightdeck.commands.board.deeds import Deeds
from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.commands.selecting import select_session
from flightdeck.errors import Refused, Unavailable
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
        told["all"] = [*told.get("all", []), request]
        if "refused" in told:
            raise Refused(told["refused"], told["hint"])
        return told

    monkeypatch.setattr(deeds, "ask_panel", ask_panel)
    monkeypatch.setattr(selecting, "ask_panel", ask_panel)
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


def test_session_of_the_row_is_selected_by_the_panel(
    machine: Machine, answer: dict[str, Any]
) -> None:
    assert Deeds(machine.folder).select(row(key="mine")).text == "slot 3 is selected"
    assert answer["all"] == [{"do": "select", "slot": 3, "key": "mine"}]


def test_session_of_the_row_is_selected_without_a_panel(machine: Machine) -> None:
    assert Deeds(machine.folder).select(row(key="mine")).text == "slot 3 is selected"
    assert selection.read(machine.folder) == "mine"


def test_panel_that_does_not_answer_finds_the_selection_in_its_file(
    machine: Machine, answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def hangs(*_: object) -> None:
        raise Unavailable("the panel does not answer")

    monkeypatch.setattr(selecting, "ask_panel", hangs)
    assert Deeds(machine.folder).select(row(key="mine")).text == "slot 3 is selected"
    assert selection.read(machine.folder) == "mine"


def test_slot_that_has_changed_hands_is_neither_selected_nor_brought_forward(
    machine: Machine, answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hosts, "focus", lambda *_: pytest.fail("brought forward"))
    answer |= {"refused": "changed", "hint": "look"}
    hand = Deeds(machine.folder)
    assert {hand.select(row()).text, hand.focus(row()).text} == {"changed: look"}
    assert hand.chosen(Deed.SEND, "test", row()).text == "changed: look"
    assert [asked["do"] for asked in answer["all"]] == ["select"] * 3
    assert selection.read(machine.folder) == ""


def test_verb_is_sent_to_the_session_of_the_row_which_is_selected_for_it(
    machine: Machine, answer: dict[str, Any]
) -> None:
    answer |= {"done": "queued: its turn has to end", "hint": "it is at work"}
    told = Deeds(machine.folder).chosen(Deed.SEND, "test", row(key="mine"))
    assert told.text == "test: queued: its turn has to end: it is at work"
    assert answer["all"] == [
        {"do": "select", "slot": 3, "key": "mine"},
        {"do": "send", "verb": "test", "key": "mine"},
    ]


def test_verb_that_asks_first_comes_back_armed(machine: Machine, answer: dict[str, Any]) -> None:
    answer |= {"armed": True, "done": "armed; it will be sent"}
    told = Deeds(machine.folder).chosen(Deed.SEND, "push", row())
    assert told.armed == {"do": "send", "verb": "push", "key": "k"}
    assert told.text.endswith(": push: armed; it will be sent")


def test_steer_denies_the_request_of_the_row(machine: Machine, answer: dict[str, Any]) -> None:
    told = Deeds(machine.folder).chosen(Deed.STEER, "justify", row(ASKS))
    assert told.text == "steer justify: sent"
    want = {"do": "verdict", "action": "steer", "verb": "justify", "request": "r1"}
    assert answer["all"] == [want]
    assert Deeds(machine.folder).chosen(Deed.STEER, "justify", row()).text.startswith("steer: ")


@pytest.mark.parametrize("deed", Deed)
def test_without_a_panel_no_verb_is_sent(machine: Machine, deed: Deed) -> None:
    told = Deeds(machine.folder).chosen(deed, "test", row(ASKS))
    assert told.text.startswith("no panel is running")
    assert selection.read(machine.folder) == ""


def test_verbs_are_those_that_can_be_sent_and_steers_those_that_deny(machine: Machine) -> None:
    machine.folder.verbs.mkdir(parents=True)
    (machine.folder.verbs / "broken.md").write_text("no frontmatter\n", encoding="utf-8")
    hand = Deeds(machine.folder)
    sent = {choice.name: choice.about for choice in hand.choices(Deed.SEND)}
    steers = {choice.name for choice in hand.choices(Deed.STEER)}
    assert list(sent) == sorted(sent)
    told = (sent["test"], sent["push"], sent["stop"])
    assert told == ("", "asks first", "types Escape")
    assert "justify" in steers
    assert not steers & sent.keys()
    assert "broken" not in steers | sent.keys()


def test_fleet_is_halted_without_a_panel_too(machine: Machine) -> None:
    assert Deeds(machine.folder).halt().text.startswith("HALTED: no new tool call runs")
    assert machine.folder.halt.exists()


def test_halt_that_fails_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise Unavailable("the latch cannot be set", "mend it")

    monkeypatch.setattr(deeds, "halt", fails)
    assert Deeds(machine.folder).halt().text == "the latch cannot be set: mend it"


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
