"""Whatever stands in an input box and whatever happens meanwhile, three promises hold.

Enter follows only where the box holds the line and nothing else, right after the agent was
asked; nothing anybody wrote there is lost; Esc is pressed once at most, and never at a box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.errors import FlightdeckError, Gone, Refused, Unavailable
from flightdeck.panel.typing import NotTyped
from tests.panel.prompt import CTRL_S, CTRL_U, ENTER, ESC, PLAIN, SHELL, Prompt
from tests.panel.test_typing import LINE, PASTE, Fingers, typed

if TYPE_CHECKING:
    from collections.abc import Callable

WRITTEN = [
    "",
    "",
    " ",
    "draft",
    "draft one\ndraft two",
    "\n",
    "draft " * 30,
    "/mod",
    LINE,
    f"{LINE} x",
]


def _write(prompt: Prompt, text: str) -> None:
    if prompt.view == "box":
        prompt.text += text


def _open(prompt: Prompt, view: str) -> None:
    prompt.view = view


def _propose(prompt: Prompt, ghost: str) -> None:
    prompt.ghost = ghost


def _deafen(prompt: Prompt) -> None:
    prompt.swallows |= {CTRL_S, CTRL_U}


HAPPENS: dict[str, Callable[[Prompt], None]] = {
    "somebody types": lambda prompt: _write(prompt, "Q"),
    "somebody breaks the row": lambda prompt: _write(prompt, "\n"),
    "dialog opens": lambda prompt: _open(prompt, "dialog"),
    "search opens": lambda prompt: _open(prompt, "search"),
    "back to the box": lambda prompt: _open(prompt, "box"),
    "agent proposes": lambda prompt: _propose(prompt, "run it"),
    "proposal goes": lambda prompt: _propose(prompt, ""),
    "nothing works": _deafen,
}
PROMPTS = st.builds(
    Prompt,
    text=st.sampled_from(WRITTEN),
    mark=st.sampled_from([PLAIN, PLAIN, SHELL]),
    stash=st.sampled_from([None, None, (PLAIN, "older"), (SHELL, "older")]),
    view=st.sampled_from(["box", "box", "box", "search", "dialog"]),
    ghost=st.sampled_from(["", 'Try "a"', "do it"]),
    width=st.sampled_from([30, 44, 90, 200]),
    swallows=st.sampled_from([frozenset(), frozenset(), frozenset(CTRL_S), frozenset(CTRL_U)]),
)
EVENTS = st.dictionaries(st.integers(0, 25), st.sampled_from(sorted(HAPPENS)), max_size=4)


class Watch:
    """Lets things happen ahead of a look or a question, and checks each key as it is pressed."""

    def __init__(self, prompt: Prompt, events: dict[int, str], fails: int, breaks: int) -> None:
        self.fingers = Fingers(prompt, before=self.before)
        self._prompt = prompt
        self._events = events
        self._fails, self._breaks = fails, breaks
        self._moment = self._asked = self._keys = 0
        self._since_asked: list[str] = ["never"]
        self.drafts = "".join(part for part in [prompt.text, *(prompt.stash or ())[1:]] if part)

    def still(self) -> None:
        """Say whether the agent takes a line."""
        self._pass()
        self._asked += 1
        if self._asked >= self._fails:
            raise Refused("busy")
        self._since_asked = []

    def before(self, key: str) -> None:
        """Check a key that is about to be pressed, or let something happen ahead of a look."""
        if key == "look":
            self._pass()
            return
        self._keys += 1
        if self._keys == self._breaks:
            raise Gone("pane is gone")
        prompt, box = self._prompt, self._prompt.view == "box"
        if key == ENTER:
            assert box
            assert (prompt.mark, prompt.text) == (PLAIN, LINE)
        if key in {PASTE, ENTER, ESC, CTRL_S}:
            assert not self._since_asked, "the agent was not asked"
        if key == ESC:
            assert key not in self.fingers.pressed
        if key == CTRL_U and box:
            ours = prompt.text.lstrip(" ").replace("\n", "")
            assert LINE.startswith(ours) or prompt.text == ""
        self._since_asked.append(key)

    def _pass(self) -> None:
        event = self._events.get(self._moment)
        self._moment += 1
        if event is None:
            return
        before = self._prompt.text
        HAPPENS[event](self._prompt)
        self.drafts += self._prompt.text[len(before) :]


@given(
    prompt=PROMPTS,
    events=EVENTS,
    fails=st.sampled_from([1, 2, 3, 4, 99, 99, 99]),
    breaks=st.sampled_from([1, 2, 3, 99, 99, 99, 99]),
)
@settings(max_examples=600, deadline=None)
def test_line_is_sent_alone_or_not_and_nothing_is_lost(
    prompt: Prompt, events: dict[int, str], fails: int, breaks: int
) -> None:
    watch = Watch(prompt, events, fails, breaks)
    error: FlightdeckError | None = None
    try:
        typed(prompt, watch.still, watch.fingers)
    except Unavailable as raised:
        error = raised
    assert prompt.sent == ([] if error else [(PLAIN, LINE)])
    kept = prompt.text + (prompt.stash[1] if prompt.stash else "")
    written = watch.drafts.replace(LINE, "")
    for letter in "Qdroptxe/m":
        assert kept.replace(LINE, "").count(letter) >= written.count(letter)
    if isinstance(error, NotTyped):
        assert kept.count(LINE) <= watch.drafts.count(LINE)
