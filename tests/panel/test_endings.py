"""What costs one key its face, and what ends the panel: it always lets the deck go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.faces import picture
from flightdeck.faces.cache import Faces
from flightdeck.faces.encode import encode
from flightdeck.faces.picture import error_face
from flightdeck.faces.svg import render_svg
from flightdeck.model.fleet import Fleet
from flightdeck.model.lifecycle import Reason, State
from flightdeck.panel import messages
from flightdeck.panel.loop import Panel
from tests.panel.desk import Desk, a_view

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView


def test_face_that_cannot_be_drawn_is_the_error_face_on_its_own_key(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:

    def broken(view: KeyView, width: int, height: int, *_: object) -> str:
        if view.name == "" and view.bottom == "broken":
            raise RecursionError("in a template")
        return render_svg(view, width, height)

    monkeypatch.setattr(picture, "render_svg", broken)
    desk.begin(a_view(0, label=("", "broken")), a_view(1))
    key = desk.deck.model.key
    assert desk.picture(0) == encode(error_face(key.width, key.height), key)
    assert desk.picture(1) != desk.picture(0)
    desk.show(a_view(0, label=("", "broken")), a_view(1, State.DONE))
    assert desk.name(1).startswith("done")


def test_bug_in_drawing_leaves_one_key_and_the_others_go_on() -> None:
    faces: list[Faces] = []

    def native(view: KeyView) -> bytes:
        if view.bottom == "broken":
            raise ZeroDivisionError
        return faces[0].native(view)

    desk = Desk(native=native)
    faces.append(Faces(desk.deck.model.key))
    desk.begin(a_view(0), a_view(1))
    shown = desk.picture(0)
    desk.show(a_view(0, label=("", "broken")), a_view(1, State.DONE))
    assert (desk.picture(0), desk.name(1)[:4]) == (shown, "done")
    desk.show(a_view(0, State.IDLE), a_view(1))
    assert desk.name(0).startswith("idle")
    desk.end()
    assert desk.error is None


@pytest.mark.parametrize("problem", [Unavailable("unplugged"), OSError("a driver's bug")])
def test_deck_that_goes_away_ends_the_panel(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    desk.begin(a_view(0))

    def gone(*_: object) -> None:
        raise problem

    monkeypatch.setattr(desk.deck, "write_key", gone)
    desk.source.fleet = Fleet()
    desk.panel.wake()
    assert isinstance(desk.ended(), Unavailable)
    with pytest.raises(Unavailable):
        desk.deck.press(0)  # closed


def test_deck_that_is_not_there_is_unavailable_and_closed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []

    def absent(_: object) -> None:
        raise Unavailable("no deck")

    monkeypatch.setattr(desk.deck, "open", absent)
    monkeypatch.setattr(desk.deck, "close", lambda: closed.append(1))
    with pytest.raises(Unavailable, match="no deck"):
        desk.panel.run()
    assert closed == [1]


def test_deck_is_closed_when_nobody_hears_that_it_is_open(desk: Desk) -> None:
    def broken_pipe() -> None:
        raise BrokenPipeError

    desk.panel.on_open = broken_pipe
    with pytest.raises(BrokenPipeError):
        desk.panel.run()
    with pytest.raises(Unavailable):
        desk.deck.press(0)


def test_panel_ends_by_itself_after_its_seconds(desk: Desk) -> None:
    desk.source.fleet = Fleet((a_view(0, reason=Reason.PLAN),))
    desk.panel.run(0.05)
    assert desk.source.steps >= 1


def test_stop_ends_it_before_the_rest_of_the_queue(desk: Desk) -> None:
    desk.panel.stop()
    desk.panel._queue.put(messages.KeyMoved(0, down=True, at=1.0))
    desk.panel.run()
    assert desk.world.done == []
    assert isinstance(desk.panel, Panel)
