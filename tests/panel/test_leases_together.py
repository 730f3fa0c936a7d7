"""Whatever happens to several hooks in whatever order: printed is what was taken, no more."""

from __future__ import annotations

import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.panel import leases
from tests.fold.world import until
from tests.hooks.place import Place
from tests.hooks.waiting import let_panel_live
from tests.panel.holding import FOREVER, Rig

if TYPE_CHECKING:
    from tests.hooks.waiting import Waiting

_HOOKS = 3
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["answer", "kill", "stop", "go on", "drop", "expire", "release all"]),
        st.integers(0, _HOOKS - 1),
    ),
    max_size=8,
)


class Story:
    """Hooks that are held, and what was done to them."""

    def __init__(self, rig: Rig, hooks: list[Waiting]) -> None:
        self.rig, self.hooks = rig, hooks
        self.requests = rig.hold(*hooks)
        self.wanted = dict.fromkeys(self.requests, FOREVER)
        self.took: dict[str, int] = dict.fromkeys(self.requests, 0)

    def step(self, what: str, which: int) -> None:
        """Do one thing to one hook, and let the panel go on."""
        hook, request = self.hooks[which], self.requests[which]
        alive = hook.process.poll() is None
        match what:
            case "answer":
                self.answer(hook, request)
            case "kill" if alive:
                hook.signal(signal.SIGKILL)
                hook.process.wait()
            case "stop" if alive and request in self.rig.leases.held():
                hook.stop()
            case "go on" if alive:
                hook.signal(signal.SIGCONT)
            case "drop":
                self.wanted.pop(request, None)
            case "expire":
                self.wanted.update({request: 0.0} if request in self.wanted else {})
            case "release all":
                self.rig.leases.release_all()
            case _:  # it has ended
                pass
        self.rig.leases.sync(self.wanted, self.requests)

    def answer(self, hook: Waiting, request: str) -> None:
        """Answer it; the answer is its own name."""
        if self.rig.leases.answer(request, request):
            self.took[request] += 1
            # `head` closes what it has read a moment before it prints: no kill in between.
            hook.process.wait()

    def end(self) -> None:
        """Let all of them go, and check what each has printed."""
        self.rig.leases.sync({}, self.requests)
        for hook, request in zip(self.hooks, self.requests, strict=True):
            if hook.process.poll() is None:
                hook.signal(signal.SIGCONT)
            assert self.took[request] in {0, 1}
            assert hook.end().out == (request + "\n").encode() * self.took[request]
        until(lambda: not self.rig.leases.held())
        assert self.rig.opened() == 0


@settings(max_examples=40, deadline=None, database=None)
@given(steps=_STEPS)
def test_hook_prints_its_answer_if_it_was_taken_and_nothing_otherwise(
    steps: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as top, ExitStack() as stack:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", "/bin/sh")
        let_panel_live(place)
        stack.enter_context(mock.patch.object(leases, "ANSWER_S", 0.02))
        rig = Rig(place)
        stack.callback(rig.leases.close)
        hooks = [stack.enter_context(rig.ask()) for _ in range(_HOOKS)]
        story = Story(rig, hooks)
        for what, which in steps:
            story.step(what, which)
        story.end()
