"""A verb's key under a thumb: what it showed when the thumb came down decides, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.model.arming import ArmKind
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.pressing import FRESH_S
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.sending_desk import SendingDesk, verb_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fold.world import Machine


@pytest.fixture
def desk(machine: Machine) -> Iterator[SendingDesk]:
    desk = SendingDesk(machine)
    desk.works()
    yield desk
    desk.end()
    assert desk.error is None


def since(desk: SendingDesk, verb: str) -> float:
    """Return since when the key of a verb has stood for what it does now."""
    index = verb_keys()[verb]
    until(lambda: desk.panel._painter.stood(index), "a face")
    return desk.panel._painter.stood(index)[-1].since


def press_at(desk: SendingDesk, verb: str, at: float) -> None:
    desk.panel.tell(KeyMoved(verb_keys()[verb], down=True, at=at))


@pytest.mark.parametrize("verb", ["test", "push"])
def test_face_nobody_can_have_read_takes_no_press(desk: SendingDesk, verb: str) -> None:
    press_at(desk, verb, since(desk, verb) + FRESH_S / 2)
    desk.shows(verb, "too soon")
    assert (desk.staged, desk.panel._pressing.arms) == ((), ())


@pytest.mark.parametrize("verb", ["test", "push"])
def test_press_for_what_the_key_showed_before_is_dropped(desk: SendingDesk, verb: str) -> None:
    press_at(desk, verb, since(desk, verb) - 0.01)
    desk.shows(verb, "changed")
    assert (desk.staged, desk.panel._pressing.arms) == ((), ())


def test_press_that_meant_to_send_does_not_take_back(desk: SendingDesk) -> None:
    before = clock.monotonic()
    desk.sends("test")
    desk.shows("test", "queued for")
    press_at(desk, "test", before)
    desk.shows("test", "changed")
    assert [staged.verb for staged in desk.staged] == ["test"]


def test_press_that_did_nothing_anyway_says_why_at_once(desk: SendingDesk) -> None:
    desk.sends("test")
    desk.shows("diff", "test queued")
    press_at(desk, "diff", since(desk, "diff"))
    until(lambda: desk.face("diff").count("test queued") > 1, "the reason")


def test_any_other_key_disarms(desk: SendingDesk) -> None:
    desk.press("push")
    desk.shows("push", "armed")
    desk.press("test")
    desk.shows("test", "queued")
    assert desk.panel._pressing.arms == ()


def test_what_is_sent_uses_its_arm_up(desk: SendingDesk) -> None:
    desk.press("push")
    desk.shows("push", "armed")
    assert [arm.kind for arm in desk.panel._pressing.arms] == [ArmKind.VERB]
    desk.press("push")
    desk.shows("push", "queued")
    assert desk.panel._pressing.arms == ()


def test_terminal_does_not_confirm_what_a_key_has_armed(desk: SendingDesk) -> None:
    desk.press("push")
    desk.shows("push", "armed")
    assert desk.sends("push")["armed"]
    assert desk.staged == ()


def test_verb_stays_queued_while_the_state_folder_cannot_be_used(
    desk: SendingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(desk.fold, "step", fails)
    assert "state folder" in desk.sends("test")["done"]
    assert desk.window.typed == []
