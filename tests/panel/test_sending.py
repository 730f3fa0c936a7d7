"""Verbs from a key to an agent: each arrives once or never, and its key says which.

Cases: VB-02 (a prompt of several lines), VB-04 (typed into a dialog), VB-05 (typed too
early) of the public reports on prompts that were sent from elsewhere.
"""

from __future__ import annotations

import json
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import Unavailable
from flightdeck.panel import delivering, reach
from flightdeck.store import latch, queue
from tests.fold.world import until
from tests.panel.sending_desk import SESSION, SendingDesk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fold.world import Machine


@pytest.fixture
def desk(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Iterator[SendingDesk]:
    monkeypatch.setattr(delivering, "CONFIRM_S", 0.5)
    monkeypatch.setattr(delivering, "TELLS_S", 0.5)
    desk = SendingDesk(machine)
    yield desk
    desk.end()
    assert desk.error is None


# At rest.


def test_agent_at_rest_is_told_in_one_line_that_names_the_prompt(desk: SendingDesk) -> None:
    prompts: list[str] = []
    folder = desk.machine.folder

    def read(line: str) -> None:
        path = line.partition("@")[2].removesuffix(" says")
        prompts.append((folder.queue / path).read_text(encoding="utf-8"))

    desk.window.on_submit = read
    desk.press("test")
    desk.shows("test", "sent")
    [line] = desk.window.lines
    assert line.startswith("flightdeck test: do what @")
    assert "\n" in prompts[0]
    assert desk.window.typed[-2:] == [f"paste {line}", "Enter"]
    until(lambda: desk.left == [], "an empty queue")


def test_prompt_is_for_nobody_else_to_read(desk: SendingDesk) -> None:
    modes: list[int] = []
    queue_ = desk.machine.folder.queue
    desk.window.on_submit = lambda _: modes.extend(
        path.stat().st_mode & 0o777 for path in queue_.glob("*.md")
    )
    desk.press("test")
    desk.shows("test", "sent")
    assert modes == [0o600]


def test_what_was_typed_and_not_heard_of_is_not_delivered(desk: SendingDesk) -> None:
    desk.window.deaf = True
    desk.press("test")
    desk.shows("test", "not delivered")
    until(lambda: desk.left == [], "an empty queue")
    assert len(desk.window.lines) == 1


def test_terminal_is_told_that_it_was_delivered(desk: SendingDesk) -> None:
    assert desk.sends("test") == {"problem": "", "hint": "", "done": "delivered"}
    assert len(desk.window.lines) == 1


def test_terminal_is_told_that_it_was_not(desk: SendingDesk) -> None:
    desk.window.deaf = True
    assert desk.sends("test")["problem"] == "not delivered"


def test_agent_that_has_just_come_to_rest_is_let_be_for_a_moment(desk: SendingDesk) -> None:
    desk.works()
    desk.rests()
    desk.is_("idle")
    desk.press("test")
    desk.shows("test", "sent")
    assert len(desk.window.lines) == 1


# At work, and asking.


def test_agent_at_work_gets_it_when_its_turn_ends_exactly_once(desk: SendingDesk) -> None:
    desk.works()
    desk.press("test")
    desk.shows("test", "queued")
    assert desk.view.queued == "test"
    printed = json.loads(desk.stops())
    assert printed["decision"] == "block"
    assert printed["reason"].count("\n") > 2
    desk.shows("test", "sent")
    assert (desk.stops(), desk.window.typed, desk.left) == ("", [], [])


def test_nothing_is_typed_while_a_dialog_is_open(desk: SendingDesk) -> None:
    desk.works()
    desk.asks()
    desk.press("test")
    desk.shows("test", "queued")
    assert desk.sends("diff")["problem"] == "test queued"
    desk.calm()
    assert (desk.window.typed, len(desk.staged)) == ([], 1)


def test_terminal_is_told_what_it_waits_for(desk: SendingDesk) -> None:
    desk.works()
    assert desk.sends("test")["done"] == "queued: it is sent when its turn ends"
    assert desk.sends("test")["done"] == "cancelled"
    desk.asks()
    assert "dialog" in desk.sends("test")["done"]


def test_turn_that_ends_without_a_word_is_followed_by_a_line(desk: SendingDesk) -> None:
    desk.works()
    desk.press("test")
    desk.shows("test", "queued")
    desk.rests()
    desk.shows("test", "sent")
    assert len(desk.window.lines) == 1


# Taken back, expired, halted.


def test_second_press_takes_it_back(desk: SendingDesk) -> None:
    desk.works()
    desk.press("test")
    desk.shows("test", "queued for")
    desk.press("test")
    desk.shows("test", "cancelled")
    assert (desk.staged, desk.stops()) == ((), "")


def test_verb_that_cannot_be_taken_back_takes_two_presses(desk: SendingDesk) -> None:
    desk.works()
    desk.press("push")
    desk.shows("push", "armed")
    assert desk.left == []
    desk.press("push")
    desk.shows("push", "queued")
    [staged] = desk.staged
    assert staged.until == pytest.approx(staged.at + 300)


def test_terminal_confirms_with_the_same_command(desk: SendingDesk) -> None:
    desk.works()
    first = desk.sends("push")
    assert first["armed"]
    assert "send push to" in first["done"]
    assert desk.sends("push")["done"].startswith("queued")


def test_expired_verb_reaches_nobody_and_says_so(
    desk: SendingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "CONFIRMED_FOR_S", 0.3)
    desk.works()
    desk.sends("push")
    desk.sends("push")
    desk.shows("push", "expired")
    assert (desk.stops(), desk.staged, desk.window.typed) == ("", (), [])


def test_halted_fleet_is_sent_nothing_until_it_is_lifted(desk: SendingDesk) -> None:
    latch.put(desk.machine.folder)
    desk.panel.wake()
    until(lambda: desk.panel.fleet.halted, "a halt")
    assert "halted" in desk.sends("test")["done"]
    desk.calm()
    assert (desk.window.typed, len(desk.staged)) == ([], 1)
    latch.lift(desk.machine.folder)
    desk.panel.wake()
    desk.shows("test", "sent")


# What the last look finds.


def test_window_with_something_else_in_front_is_left_alone(desk: SendingDesk) -> None:
    desk.window.in_front = False
    said = desk.sends("test")
    assert (said["problem"], "not in front" in said["done"]) == ("", True)
    desk.calm()
    assert (desk.window.typed, len(desk.staged)) == ([], 1)
    assert "test" in json.loads(desk.stops())["reason"]


@pytest.mark.parametrize("turn", [True, False], ids=["after the next turn", "before it"])
def test_wake_that_came_to_nothing_is_tried_again(
    desk: SendingDesk, monkeypatch: pytest.MonkeyPatch, turn: bool
) -> None:
    monkeypatch.setattr(delivering, "RETRY_S", 3600.0 if turn else 0.05)
    desk.window.unreachable = Unavailable("tmux refused")
    assert "tmux refused" in desk.sends("test")["done"]
    desk.window.unreachable = None
    desk.panel.wake()
    if turn:
        desk.calm()
        assert desk.window.typed == []
        desk.rests(ago_s=5.0)
    desk.shows("test", "sent")


def test_verb_that_is_being_typed_is_not_sent_once_more(desk: SendingDesk) -> None:
    said: list[dict[str, Any]] = []

    def again() -> None:
        desk.window.before_enter = lambda: None
        second.start()
        until(desk.panel._hands._verbs._work.qsize, "the second press")

    second = Thread(target=lambda: said.append(desk.sends("test")))
    desk.window.before_enter = again
    assert desk.sends("test")["done"] == "delivered"
    second.join()
    assert (said[0]["problem"], len(desk.window.lines)) == ("too late", 1)


def test_verb_that_may_still_be_heard_is_not_sent_once_more(
    desk: SendingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "CONFIRM_S", 60.0)
    desk.window.deaf = True
    desk.press("test")
    until(lambda: "Enter" in desk.window.typed, "the end of its line")
    assert desk.sends("test")["problem"] == "too late"
    assert (desk.staged, len(desk.window.lines)) == ((), 1)


def test_dialog_that_opens_before_enter_is_not_answered(desk: SendingDesk) -> None:
    def opens() -> None:
        desk.window.before_enter = lambda: None
        desk.machine.records(desk.pid, SESSION, "waiting")

    desk.window.before_enter = opens
    assert "an open dialog" in desk.sends("test")["done"]
    assert ("Enter" in desk.window.typed, desk.window.draft) == (False, "")
    assert ([staged.verb for staged in desk.staged], len(desk.left)) == (["test"], 1)


def test_line_that_is_covered_before_enter_is_not_delivered(desk: SendingDesk) -> None:
    def opens() -> None:
        desk.window.before_enter = lambda: None
        desk.machine.records(desk.pid, SESSION, "waiting")
        desk.window.dialog = True

    desk.window.before_enter = opens
    said = desk.sends("test")
    assert (said["problem"], "its dialog" in said["hint"]) == ("not delivered", True)
    assert "Enter" not in desk.window.typed
    until(lambda: desk.left == [], "an empty queue")


def test_prompt_nobody_can_see_keeps_the_verb_in_the_queue(desk: SendingDesk) -> None:
    desk.window.dialog = True
    assert "no input box" in desk.sends("test")["done"]
    desk.calm()
    assert (desk.window.lines, len(desk.staged)) == ([], 1)


def test_verb_that_its_stop_hook_took_first_was_sent(
    desk: SendingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    true = queue.take

    def late(*about: object) -> object:
        taken.append(desk.stops())
        return true(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(queue, "take", late)
    assert desk.sends("test") == {"problem": "", "hint": "", "done": delivering.HANDED_OVER}
    assert (len(taken), desk.window.typed) == (1, [])


def test_session_that_goes_by_another_id_takes_nothing_along(desk: SendingDesk) -> None:
    desk.works()
    desk.press("test")
    desk.shows("test", "queued")
    desk.machine.starts(desk.pid, "another-id", source="clear")
    desk.machine.records(desk.pid, "another-id", "idle")
    desk.panel.wake()
    until(lambda: desk.staged == (), "an empty queue")
    desk.calm()
    assert desk.window.typed == []


# Keystrokes.


def test_stop_interrupts_a_turn_that_runs(desk: SendingDesk) -> None:
    desk.works()
    desk.press("stop")
    desk.shows("stop", "sent")
    assert desk.window.typed == ["Esc"]


def test_stop_is_refused_at_rest(desk: SendingDesk) -> None:
    assert desk.sends("stop")["problem"] == "not working"
    assert desk.window.typed == []


def test_stop_is_refused_where_the_record_knows_better(desk: SendingDesk) -> None:
    desk.works()
    desk.machine.records(desk.pid, SESSION, "waiting")
    said = desk.sends("stop")
    assert said["problem"] in {"not working", "changed"}
    assert desk.window.typed == []


def test_enter_confirms_the_dialog_that_has_been_open_for_a_while(desk: SendingDesk) -> None:
    desk.works()
    desk.asks()
    desk.window.dialog = True
    assert desk.sends("confirm")["armed"]
    assert desk.sends("confirm")["done"] == "sent"
    assert desk.window.typed == ["Enter"]


def test_enter_goes_to_no_dialog_that_is_not_drawn_yet(desk: SendingDesk) -> None:
    desk.works()
    desk.asks()
    desk.sends("confirm")
    assert desk.sends("confirm")["problem"] == "too soon"
    assert desk.window.typed == []
