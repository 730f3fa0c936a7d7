"""A line is typed into an agent's input box alone, and what stood there is not lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.claude_code import inputbox
from flightdeck.errors import FlightdeckError, Gone, Refused, Unavailable
from flightdeck.model.inputbox import Box, Mode
from flightdeck.model.place import Place
from flightdeck.panel.typing import Key, NotTyped, Pace, next_key, submit
from tests.panel.prompt import CTRL_S, CTRL_U, ENTER, ESC, PLAIN, SHELL, Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LINE = "flightdeck test: do what @/home/me/.fleet/queue/0123456789abcdef.md says"
PLACE = Place("tmux", tmux_socket="/tmp/s", tmux_pane="%1")
PASTE = "paste"


@dataclass
class Fingers:
    """A keyboard on a `Prompt`: it notes what is pressed, and time passes at each look.

    `before` is called with each key, and with "look", ahead of it.
    """

    prompt: Prompt
    pressed: list[str] = field(default_factory=list)
    now: float = 0.0
    before: Callable[[str], None] = lambda _: None

    def must_take_lines(self, place: Place) -> None:
        raise NotImplementedError

    def device(self, place: Place) -> str:
        raise NotImplementedError

    def screen(self, place: Place) -> str:
        self.before("look")
        self.now += 0.01
        return self.prompt.screen()

    def interrupt(self, place: Place) -> None:
        self._press(ESC)

    def erase(self, place: Place) -> None:
        self._press(CTRL_U)

    def stash(self, place: Place) -> None:
        self._press(CTRL_S)

    def confirm(self, place: Place) -> None:
        self._press(ENTER)

    def paste(self, place: Place, line: str) -> None:
        self._press(PASTE, line)

    def _press(self, key: str, text: str = "") -> None:
        self.before(key)
        self.pressed.append(key)
        self.prompt.press(text or key)

    def pause(self, seconds: float) -> None:
        self.now += seconds


def nothing_against_it() -> None:
    """Say that the agent takes a line."""


def typed(
    prompt: Prompt, still: Callable[[], None] = nothing_against_it, fingers: Fingers | None = None
) -> list[str]:
    """Type the line and return what was pressed for it."""
    fingers = fingers or Fingers(prompt)
    pace = Pace(lambda: fingers.now, fingers.pause)
    submit(fingers, inputbox.read, PLACE, LINE, still, pace)
    return fingers.pressed


def fails_at(
    call: int, error: FlightdeckError | None = None, then: Callable[[], None] | None = None
) -> Callable[[], None]:
    """Return what raises when it is asked for the `call`th time, counted from 1."""
    asked = iter(range(1, 1000))

    def still() -> None:
        if next(asked) == call:
            (then or nothing_against_it)()
            raise error or Refused("a dialog")

    return still


# What is pressed, and what is there afterwards.


@pytest.mark.parametrize(
    ("prompt", "keys", "after"),
    [
        (Prompt(), [], (PLAIN, "")),
        (Prompt(ghost='Try "edit app.py"'), [], (PLAIN, "")),
        (Prompt("a draft"), [CTRL_S], (PLAIN, "a draft")),
        (Prompt("one\ntwo\n\nthree"), [CTRL_S], (PLAIN, "one\ntwo\n\nthree")),
        (Prompt("\n"), [CTRL_S], (PLAIN, "\n")),
        (Prompt("/mod"), [CTRL_S], (PLAIN, "/mod")),
        (Prompt("a draft " * 30, width=44), [CTRL_S], (PLAIN, "a draft " * 30)),
        (Prompt("ls", SHELL), [CTRL_S], (SHELL, "ls")),
        (Prompt("", SHELL), [CTRL_U], (PLAIN, "")),
        (Prompt(view="search"), [ESC], (PLAIN, "")),
        (Prompt("a draft", view="search"), [ESC, CTRL_S], (PLAIN, "a draft")),
        (Prompt("ls", SHELL, view="search"), [ESC, CTRL_S], (SHELL, "ls")),
        (Prompt("", SHELL, view="search"), [ESC, CTRL_U], (PLAIN, "")),
        (Prompt(stash=(PLAIN, "older")), [], (PLAIN, "older")),
        (Prompt(width=30), [], (PLAIN, "")),
    ],
)
def test_line_goes_out_alone_and_the_draft_is_back(
    prompt: Prompt, keys: list[str], after: tuple[str, str]
) -> None:
    assert typed(prompt) == [*keys, PASTE, ENTER]
    assert prompt.sent == [(PLAIN, LINE)]
    assert (prompt.mark, prompt.text) == after
    assert not prompt.lost


def test_prompt_the_agent_proposes_yields_to_the_line() -> None:
    prompt = Prompt(ghost="run the tests")
    assert typed(prompt) == [CTRL_S, PASTE, ENTER]
    assert prompt.sent == [(PLAIN, LINE)]


def test_proposal_that_takes_the_place_of_a_draft_is_none() -> None:
    prompt = Prompt("a draft", ghost="run the tests")
    assert typed(prompt) == [CTRL_S, PASTE, ENTER]
    assert (prompt.sent, prompt.text) == ([(PLAIN, LINE)], "a draft")


def test_blanks_nobody_sees_are_taken_away() -> None:
    prompt = Prompt("   ")
    assert typed(prompt) == [PASTE, CTRL_U, PASTE, ENTER]
    assert prompt.sent == [(PLAIN, LINE)]


def test_line_is_looked_for_until_it_shows() -> None:
    prompt = Prompt()
    fingers = Fingers(prompt)
    late: list[str] = []

    def slow(key: str) -> None:
        if key == PASTE:
            prompt.view = "dialog"
        elif fingers.now > 0.5:
            prompt.view = "box"
            prompt.text = prompt.text or LINE
            late.append(key)

    fingers.before = slow
    typed(prompt, fingers=fingers)
    assert late[-1] == ENTER
    assert prompt.sent == [(PLAIN, LINE)]


# What is refused: nothing is typed.


@pytest.mark.parametrize(
    ("prompt", "keys", "why"),
    [
        (Prompt(view="dialog"), [], "no input box"),
        (Prompt("a draft", view="editor"), [], "no input box"),
        (Prompt(view="search", swallows=frozenset(ESC)), [ESC], "no input box"),
        (Prompt("new", stash=(PLAIN, "older")), [], "draft in the way"),
        (Prompt("ls", SHELL, stash=(PLAIN, "older")), [], "draft in the way"),
        (Prompt("one\ntwo", swallows=frozenset(CTRL_S)), [CTRL_S], "draft in the way"),
        (Prompt("ls", SHELL, swallows=frozenset(CTRL_S)), [CTRL_S], "draft in the way"),
        (Prompt("", SHELL, swallows=frozenset(CTRL_U)), [CTRL_U], "in shell mode"),
    ],
)
def test_box_that_cannot_be_made_free_is_left_alone(
    prompt: Prompt, keys: list[str], why: str
) -> None:
    text, stash, fingers = prompt.text, prompt.stash, Fingers(prompt)
    with pytest.raises(NotTyped, match=why) as refused:
        typed(prompt, fingers=fingers)
    assert fingers.pressed == keys
    assert (prompt.text, prompt.stash, prompt.sent) == (text, stash, [])
    assert refused.value.hint


@pytest.mark.parametrize("call", [1, 2])
def test_nothing_is_typed_once_the_agent_takes_no_line(call: int) -> None:
    prompt = Prompt("a draft")
    with pytest.raises(NotTyped, match="a dialog") as refused:
        typed(prompt, fails_at(call))
    assert prompt.text == ("a draft" if call == 1 else "")
    assert ("Ctrl-S" in refused.value.hint) is (call == 2)


def test_no_key_at_all_goes_to_an_agent_that_takes_no_line() -> None:
    fingers = Fingers(Prompt(view="search"))
    with pytest.raises(NotTyped, match="a dialog"):
        typed(fingers.prompt, fails_at(1), fingers)
    assert not fingers.pressed


def test_box_somebody_writes_in_all_the_time_is_left_to_them() -> None:
    prompt = Prompt(mark=SHELL)

    def writes() -> None:
        prompt.text += "x"

    fingers = Fingers(prompt)
    with pytest.raises(NotTyped, match="somebody types"):
        typed(prompt, writes, fingers)
    assert not fingers.pressed


def test_window_that_is_gone_before_anything_is_typed_is_told_so() -> None:
    fingers = Fingers(Prompt())

    def gone(_: str) -> None:
        raise Gone("pane is gone")

    fingers.before = gone
    with pytest.raises(NotTyped, match="pane is gone"):
        typed(fingers.prompt, fingers=fingers)


# What is typed and not sent.


@pytest.mark.parametrize("width", [12, 30, 44, 90])
def test_line_that_may_not_be_sent_any_more_is_taken_out_again(width: int) -> None:
    prompt = Prompt(width=width)
    with pytest.raises(NotTyped, match="a dialog"):
        typed(prompt, fails_at(2))
    assert (prompt.text, prompt.sent) == ("", [])
    assert "".join(reversed(prompt.lost)) == LINE


def test_draft_put_aside_for_a_line_taken_out_again_is_told_of() -> None:
    prompt = Prompt("a draft")
    with pytest.raises(NotTyped) as refused:
        typed(prompt, fails_at(3))
    assert (prompt.text, prompt.stash) == ("", (PLAIN, "a draft"))
    assert refused.value.hint == "Ctrl-S brings its draft back"


def test_proposal_comes_back_when_the_line_is_taken_out() -> None:
    prompt = Prompt(ghost="run the tests")
    with pytest.raises(NotTyped) as refused:
        typed(prompt, fails_at(3))
    assert (prompt.text, refused.value.hint) == ("", "")


def test_line_with_something_behind_it_is_neither_sent_nor_erased() -> None:
    prompt = Prompt()

    def somebody_types() -> None:
        prompt.text += " and more"

    with pytest.raises(Unavailable, match="typed, not sent: a dialog") as error:
        typed(prompt, fails_at(2, then=somebody_types))
    assert not isinstance(error.value, NotTyped)
    assert prompt.text == f"{LINE} and more"


def test_line_somebody_else_submits_was_typed() -> None:
    prompt = Prompt()

    def submits() -> None:
        prompt.press(ENTER)

    with pytest.raises(Unavailable, match="typed, not sent") as error:
        typed(prompt, fails_at(2, then=submits))
    assert not isinstance(error.value, NotTyped)
    assert prompt.sent == [(PLAIN, LINE)]


def test_line_somebody_adds_to_at_the_last_moment_is_not_sent() -> None:
    prompt = Prompt()
    asked = iter(range(1, 100))

    def still() -> None:
        if next(asked) == 2:
            prompt.text += "!"

    with pytest.raises(Unavailable, match="has changed"):
        typed(prompt, still)
    assert not prompt.sent


def test_dialog_that_opens_over_the_line_gets_no_key() -> None:
    prompt = Prompt()

    def opens() -> None:
        prompt.view = "dialog"

    with pytest.raises(Unavailable, match="typed, not sent"):
        typed(prompt, fails_at(2, then=opens))
    assert not prompt.elsewhere


def test_line_that_lands_behind_a_draft_is_not_sent() -> None:
    prompt = Prompt("a draft", swallows=frozenset(CTRL_S))
    with pytest.raises(Unavailable, match="does not hold just that line"):
        typed(prompt)
    assert (prompt.text, prompt.sent) == (f"a draft{LINE}", [])


def test_line_that_cannot_be_erased_is_told_of() -> None:
    prompt = Prompt(swallows=frozenset(CTRL_U))
    fingers = Fingers(prompt)
    with pytest.raises(Unavailable, match="typed, not sent: a dialog"):
        typed(prompt, fails_at(2), fingers)
    assert fingers.pressed.count(CTRL_U) == 1


def test_line_that_is_covered_while_it_is_erased_may_still_be_there() -> None:
    fingers = Fingers(Prompt(width=44))

    def search(pressed: str) -> None:
        erased = fingers.pressed.count(CTRL_U)
        fingers.prompt.view = "search" if pressed == "look" and erased else "box"

    fingers.before = search
    with pytest.raises(Unavailable, match="typed, not sent: a dialog") as error:
        typed(fingers.prompt, fails_at(2), fingers)
    assert not isinstance(error.value, NotTyped)
    assert fingers.prompt.text


@pytest.mark.parametrize("key", [PASTE, ENTER, CTRL_U])
def test_window_that_goes_while_it_is_typed_leaves_nobody_sure(key: str) -> None:
    fingers = Fingers(Prompt())

    def gone(pressed: str) -> None:
        if pressed == key:
            raise Gone("pane is gone")

    fingers.before = gone
    with pytest.raises(Unavailable, match="typed, not sent: ") as error:
        typed(fingers.prompt, fails_at(2) if key == CTRL_U else nothing_against_it, fingers)
    assert not isinstance(error.value, NotTyped)
    assert not fingers.prompt.sent


# The table of keys.


@pytest.mark.parametrize(
    ("box", "pressed", "key"),
    [
        (Box(Mode.COVERED), {}, Key.ESCAPE),
        (Box(), {}, None),
        (Box(), {Key.STASH: Box(text="a")}, None),
        (Box(stashed=True), {}, None),
        (Box(Mode.SHELL), {}, Key.ERASE),
        (Box(Mode.SHELL), {Key.ESCAPE: None}, Key.ERASE),
        (Box(text="a"), {}, Key.STASH),
        (Box(text="a"), {Key.ESCAPE: None}, Key.STASH),
        (Box(Mode.SHELL, "a"), {}, Key.STASH),
        (Box(text="a"), {Key.STASH: Box(text="a")}, None),
        (Box(text="b", stashed=True), {Key.STASH: Box(text="a")}, None),
    ],
)
def test_key_is_the_answer_to_what_is_seen(
    box: Box | None, pressed: Mapping[Key, Box | None], key: Key | None
) -> None:
    assert next_key(box, pressed) is key


@pytest.mark.parametrize(
    ("box", "pressed"),
    [
        (None, {}),
        (None, {Key.ESCAPE: Box(Mode.COVERED)}),
        (Box(Mode.COVERED), {Key.ESCAPE: Box(Mode.COVERED)}),
        (Box(Mode.COVERED), {Key.STASH: Box(text="a")}),
        (None, {Key.STASH: Box(text="a")}),
        (Box(Mode.SHELL), {Key.ERASE: Box(Mode.SHELL)}),
        (Box(text="a", stashed=True), {}),
        (Box(text="b"), {Key.STASH: Box(text="a")}),
        (Box(text="a\nb"), {Key.STASH: Box(text="a\nb")}),
        (Box(text="b\nc", stashed=True), {Key.STASH: Box(text="a")}),
        (Box(Mode.SHELL, "a"), {Key.STASH: Box(Mode.SHELL, "a")}),
    ],
)
def test_no_key_is_pressed_where_none_is_sure(
    box: Box | None, pressed: Mapping[Key, Box | None]
) -> None:
    with pytest.raises(NotTyped):
        next_key(box, pressed)
