"""An edit under way: which keys are written, and what becomes of thumbs and of what is armed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.faces.cache import Faces
from flightdeck.model.arming import ArmKind
from flightdeck.model.deck import Position
from flightdeck.model.layout import (
    BlankBinding,
    Key,
    PinBinding,
    RunBinding,
    UrlTarget,
    VerbBinding,
)
from flightdeck.panel.following import changed
from flightdeck.panel.messages import Edited, KeyMoved
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import Desk, a_view, the_layout
from tests.panel.edits import edit, rebound, reworded, setup_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Binding, Layout
    from flightdeck.panel.loop import Panel

RUN = RunBinding(("/bin/one",))
SPARE, PUSH, LAST = Position(3, 8), Position(2, 5), 31
INDEX = 23
LATER_S = 60.0


def press(desk: Desk, index: int, at: float) -> None:
    desk.panel.tell(KeyMoved(index, down=True, at=at))
    desk.panel.tell(KeyMoved(index, down=False, at=at + 0.05))


def says(desk: Desk, index: int, word: str) -> None:
    until(lambda: word in desk.name(index), f"'{word}' on key {index}: {desk.name(index)}")


def armed(desk: Desk, kind: ArmKind) -> bool:
    return any(arm.kind is kind for arm in desk.panel._pressing.arms)


def test_one_key_that_is_rebound_is_one_key_written(desk: Desk) -> None:
    desk.begin(a_view(0))
    before = desk.panel.writes
    edit(desk, _with(SPARE, RUN))
    assert desk.panel.writes == before + 1
    assert "run" in desk.name(INDEX)


def test_edit_that_changes_nothing_writes_nothing(desk: Desk) -> None:
    desk.begin(a_view(0))
    before = desk.panel.writes
    edit(desk, the_layout())
    assert desk.panel.writes == before


def test_problem_is_marked_on_the_last_key_alone_and_the_mark_goes(desk: Desk) -> None:
    desk.begin(a_view(0))
    before = [desk.picture(index) for index in range(32)]
    edit(desk, None, "xl.yaml:3:1: no")
    after = [desk.picture(index) for index in range(32)]
    assert [i for i in range(32) if before[i] != after[i]] == [LAST]
    assert desk.name(LAST).endswith("a file has a problem")
    edit(desk, the_layout())
    assert desk.picture(LAST) == before[LAST]


def test_edit_with_a_problem_that_hurts_no_key_is_in_force_and_marked(desk: Desk) -> None:
    desk.begin(a_view(0))
    edit(desk, _with(SPARE, RUN), "mine.md:1:1: no frontmatter")
    assert "run" in desk.name(INDEX)
    assert "problem" in desk.name(LAST)


def test_thumb_on_its_way_does_not_do_what_the_key_has_become(desk: Desk) -> None:
    desk.begin(a_view(0))
    edit(desk, _with(SPARE, RUN))
    press(desk, INDEX, clock.monotonic())
    says(desk, INDEX, "changed")
    assert desk.world.done == []


def test_press_of_the_new_face_does_what_it_says(desk: Desk) -> None:
    desk.begin(a_view(0))
    edit(desk, _with(SPARE, RUN))
    press(desk, INDEX, clock.monotonic() + LATER_S)
    until(lambda: desk.world.done == [RUN.argv], "the program started")


def test_key_that_means_what_it_meant_takes_presses_all_the_time() -> None:
    desk = Desk(_with(SPARE, RUN))
    desk.begin(a_view(0))
    edit(desk, _with(Position(2, 1), BlankBinding(), _with(SPARE, RUN)))
    press(desk, INDEX, clock.monotonic())
    until(lambda: desk.world.done == [RUN.argv], "the program started")
    desk.end()


def test_key_whose_new_face_is_never_written_works_after_a_while(desk: Desk) -> None:
    desk.begin(a_view(0))
    edit(desk, _with(SPARE, RUN))
    desk.panel._painter._since.clear()
    edited = desk.panel.following._other[INDEX]
    press(desk, INDEX, edited + 1.9)
    says(desk, INDEX, "changed")
    press(desk, INDEX, edited + 2.0)
    until(lambda: desk.world.done == [RUN.argv], "the program started")


def test_verb_that_was_armed_is_disarmed_by_an_edit_of_its_text(desk: Desk) -> None:
    desk.begin(a_view(0, selected=True, session_id="s"))
    binding = _bound()[PUSH]
    assert isinstance(binding, VerbBinding)
    _arm(desk)
    edit(desk, rebound(PUSH, VerbBinding(reworded(binding.verb))))
    assert not armed(desk, ArmKind.VERB)


def test_verb_stays_armed_while_other_keys_are_edited(desk: Desk) -> None:
    desk.begin(a_view(0, selected=True, session_id="s"))
    _arm(desk)
    edit(desk, _with(SPARE, RUN))
    assert armed(desk, ArmKind.VERB)


def test_hold_ends_with_nothing_where_its_key_is_given_away(desk: Desk) -> None:
    desk.begin(a_view(0))
    desk.panel.tell(KeyMoved(0, down=True, at=clock.monotonic()))
    desk.settle()
    edit(desk, rebound(Position(1, 1), PinBinding(0, UrlTarget("https://example.org"))))
    assert desk.panel._thumbs._touches == {}
    desk.panel.tell(KeyMoved(0, down=False, at=clock.monotonic()))
    desk.settle()
    assert (desk.world.done, armed(desk, ArmKind.TEARDOWN)) == ([], False)


def test_hold_goes_on_while_other_keys_are_edited(desk: Desk) -> None:
    desk.begin(a_view(0))
    desk.panel.tell(KeyMoved(0, down=True, at=clock.monotonic() - 0.5))
    desk.settle()
    edit(desk, _with(SPARE, RUN))
    until(lambda: armed(desk, ArmKind.TEARDOWN), "an armed teardown")


def test_hold_ends_with_nothing_where_holds_have_another_length(desk: Desk) -> None:
    desk.begin(a_view(0))
    desk.panel.tell(KeyMoved(0, down=True, at=clock.monotonic()))
    desk.settle()
    layout = the_layout()
    edit(desk, replace(layout, timings=replace(layout.timings, long_press_ms=100)))
    assert desk.panel._thumbs._touches == {}


def test_armed_teardown_is_gone_with_its_slot(desk: Desk) -> None:
    desk.begin(a_view(0))
    desk.panel.tell(KeyMoved(0, down=True, at=clock.monotonic() - 1))
    until(lambda: armed(desk, ArmKind.TEARDOWN), "an armed teardown")
    edit(desk, rebound(Position(1, 1), BlankBinding()))
    assert not armed(desk, ArmKind.TEARDOWN)


def test_word_on_a_key_goes_with_what_it_was_about(desk: Desk) -> None:
    desk.begin(a_view(0))
    for column in (1, 2):
        desk.panel._flashes.add(Position(2, column), "sent", clock.monotonic() + LATER_S)
    edit(desk, rebound(Position(2, 1), RUN))
    assert desk.panel._flashes.words(clock.monotonic()) == {Position(2, 2): "sent"}


def test_another_template_is_seen_on_every_key_it_changes(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(1))
    before, faces = desk.panel.writes, Faces(desk.deck.model.key)

    def native(view: KeyView) -> bytes:
        return faces.native(replace(view, dimmed=True) if view.name.startswith("blocked") else view)

    desk.panel.tell(Edited(replace(setup_of(desk, desk.layout), native=native), ""))
    until(lambda: desk.panel._painter._native is native, "another who draws")
    desk.settle()
    assert desk.panel.writes == before + 2


@pytest.mark.parametrize(
    ("timing", "read"),
    [
        ("decide_ms", lambda panel: panel.requests.decide_s),
        ("flash_ms", lambda panel: panel._outcomes.flash_s),
        ("long_press_ms", lambda panel: panel._thumbs._hold_s),
    ],
)
def test_timings_are_those_of_the_edit(
    desk: Desk, timing: str, read: Callable[[Panel], float]
) -> None:
    desk.begin(a_view(0))
    layout = the_layout()
    edit(desk, replace(layout, timings=replace(layout.timings, **{timing: 4_000})))
    assert read(desk.panel) == 4.0


def test_label_alone_makes_no_key_another() -> None:
    layout = the_layout()
    keys = tuple(replace(key, label="other") for key in layout.keys)
    assert changed(layout, replace(layout, keys=keys)) == frozenset()


def test_hold_taken_from_a_key_makes_it_another() -> None:
    layout = the_layout()
    keys = tuple(replace(key, long_press=None) for key in layout.keys)
    assert changed(layout, replace(layout, keys=keys)) == {Position(1, n) for n in range(1, 9)}


def _bound() -> dict[Position, object]:
    return {key.position: key.binding for key in the_layout().keys}


def _with(position: Position, binding: Binding, layout: Layout | None = None) -> Layout:
    layout = layout or the_layout()
    keys = [key for key in layout.keys if key.position != position]
    return replace(layout, keys=(*keys, Key(position, binding, "run it")))


def _arm(desk: Desk) -> None:
    index = desk.layout.grid.index(PUSH)
    until(lambda: desk.panel._painter.stood(index), "a face")
    at = desk.panel._painter.stood(index)[-1].since + 0.4
    desk.panel.tell(KeyMoved(index, down=True, at=at))
    until(lambda: armed(desk, ArmKind.VERB), "an armed verb")
