"""The promise above all, over true panels and true hooks, in any order of things.

No hook prints a line without a live press on that very request: whatever asks, presses,
ends, halts, stops and crashes at once. `python -m tests.panel.soak` goes on for longer.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import Phase, example, given, settings

from tests.panel.apart import Smithy
from tests.panel.stories import CRASHES, STORIES, Step, Story

if TYPE_CHECKING:
    from collections.abc import Iterator


def play(steps: list[Step], smithy: Smithy | None = None) -> Story:
    """Let a story happen in a home of its own, and check what was printed."""
    with tempfile.TemporaryDirectory() as top, ExitStack() as stack:
        home = Path(top)
        config = {"CLAUDE_CONFIG_DIR": str(home / ".claude"), "HOME": top}
        stack.enter_context(mock.patch.dict(os.environ, config))
        story = Story(home, smithy)
        stack.callback(story.leave)
        stack.enter_context(story.ahead.patched())
        story.play(steps)
        story.end()
        return story


@pytest.fixture(scope="module")
def smithy() -> Iterator[Smithy]:
    with Smithy() as smithy:
        yield smithy


# A story is told in half a second: making one short would take minutes.
PHASES = (Phase.explicit, Phase.generate)
ONCE = [("ask", 0, "plain"), ("press", "approve", 0.31, 0.0)]
APPROVE = [("press", "approve", 0.31, 0.0)] * 2
TWICE = [("ask", 0, "high offer"), *[("press", "remember", 0.31, 0.0)] * 2]


@settings(max_examples=25, database=None, phases=PHASES)
@example(ONCE)
@example(TWICE)
@example([("old number", 0), *APPROVE])
@example([("ask", 0, "sub-agent"), *APPROVE])
@example([("ask", 2, "plain"), *APPROVE])
@example([("ask", 0, "question"), ("ask", 1, "plan"), *APPROVE, *APPROVE])
@example([("ask", 0, "high"), ("again",), *APPROVE, *APPROVE])
@given(STORIES)
def test_whatever_is_printed_was_pressed_for(steps: list[Step]) -> None:
    story = play(steps)
    if steps in (ONCE, TWICE):
        assert [asked.printed["behavior"] for asked in story.crowd.asked if asked.printed] == [
            "allow"
        ]


@settings(max_examples=15, database=None, phases=PHASES)
@example([*ONCE, ("panel", "kill"), ("ask", 1, "plain"), ("panel", "begin"), *ONCE])
@given(CRASHES)
def test_whatever_is_printed_was_pressed_for_though_panels_are_killed(
    smithy: Smithy, steps: list[Step]
) -> None:
    play(steps, smithy)
