"""A panel over a true fold, a true queue and true hooks, and one agent in a window.

The window is the one of `window`; everything between a key and that window is what
`flightdeck run` puts together.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.commands.selecting import select_session
from flightdeck.commands.steering import sent_verb, steer_verb
from flightdeck.decks.recorder import Recorder
from flightdeck.fold.opening import open_fold, own_panel_json
from flightdeck.install.snippets import Kind, Site, render_hook
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import VerbBinding
from flightdeck.model.local import Local
from flightdeck.model.plan import PanelPlan
from flightdeck.panel.loop import Panel
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.perform import VerbWorld, World
from flightdeck.panel.presses import Presses
from flightdeck.panel.pressing import FRESH_S
from flightdeck.panel.reach import Reach, Witnesses
from flightdeck.store import queue
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S, until
from tests.panel.station import judge, xl
from tests.panel.window import Window

if TYPE_CHECKING:
    from flightdeck.model.fleet import SlotView
    from flightdeck.model.staged import Staged
    from tests.fold.world import Machine

SESSION = "5e55a0de-0000-4000-8000-000000000001"
TMUX = {"TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%3"}
LONG_AGO_S = 60.0


def verb_keys() -> dict[str, int]:
    """Return the index of each verb's key by the verb's name."""
    return {
        key.binding.verb.name: xl().grid.index(key.position)
        for key in xl().keys
        if isinstance(key.binding, VerbBinding)
    }


class SendingDesk:
    """The panel, and the agent its verbs go to."""

    def __init__(self, machine: Machine) -> None:
        """Start an agent that came to rest a while ago, and select it."""
        self.machine = machine
        machine.now = time.time() - LONG_AGO_S
        self.pid = machine.agent()
        self.window = Window(machine, self.pid, SESSION)
        self._hear("SessionStart", source="startup")
        machine.records(self.pid, SESSION, "idle")
        self.fold = open_fold(machine.folder, PanelPlan.of(xl(), Local()), judge)
        self.deck = Recorder(MODELS[xl().device], None)
        reach = Reach(
            machine.folder,
            self.window,
            Witnesses(self.fold.session, agent_kinds, self.window.is_in_front),
        )
        world = World(
            focus=lambda *_: None,
            open_target=lambda _: None,
            start=lambda _: None,
            answer=lambda _: True,
            select=lambda key: select_session(machine.folder, key),
            verbs=VerbWorld(reach.stage, reach.unstage, reach.wake, reach.forget, reach.stroke),
        )
        self.panel = Panel(xl(), self.deck, self.fold, world, lambda view: view.name.encode())
        self.panel.scan.about = own_panel_json("recorder")
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        until(lambda: any(view.pid == self.pid for view in self.panel.fleet.slots), "a slot")
        select_session(machine.folder, self.view.key)
        self.shows("test", "for")

    # What the agent does.

    def works(self) -> None:
        """Begin a turn somebody typed."""
        self._hear("UserPromptSubmit", prompt="hello")
        self.machine.records(self.pid, SESSION, "busy")
        self.is_("working")

    def asks(self) -> None:
        """Open a permission dialog."""
        call = {"tool_name": "Bash", "tool_input": {"command": "make"}}
        self._hear("PermissionRequest", **call)
        self.machine.records(self.pid, SESSION, "waiting", waitingFor="permission prompt")
        self.is_("blocked")

    def rests(self, ago_s: float = 0.0) -> None:
        """Come to rest without a word of any hook, so long ago."""
        self.machine.now = time.time() - ago_s
        self.machine.records(self.pid, SESSION, "idle")
        self.panel.wake()

    def stops(self) -> str:
        """End the turn: run the true Stop hook and return what it printed."""
        tools = {name: str(shutil.which(name)) for name in ("head", "rm", "mv", "mkfifo")}
        site = Site(self.machine.executable(), self.machine.folder.root, **tools)
        payload = {"hook_event_name": "Stop", "session_id": SESSION, "stop_hook_active": False}
        done = subprocess.run(
            ["/bin/sh", "-c", render_hook(Kind.DRAIN, "Stop", site)],
            input=json.dumps(payload) + "\n",
            env={
                "CLAUDE_PID": str(self.pid),
                "CLAUDE_CODE_SESSION_ID": SESSION,
                **TMUX,
            },
            capture_output=True,
            text=True,
            check=True,
        )
        if not done.stdout:
            self.machine.now = time.time()
            self.machine.records(self.pid, SESSION, "idle")
        self.panel.wake()
        return done.stdout

    def _hear(self, event: str, **payload: Any) -> None:
        self.machine.now = max(self.machine.now, time.time() - LONG_AGO_S)
        facts = {"session_id": SESSION, "cwd": str(self.machine.home), **payload}
        self.machine.spool(self.pid, event, json.dumps(facts).encode(), **TMUX)

    # What a person does.

    def press(self, verb: str) -> None:
        """Look at a key until it can be trusted, and press it."""
        index = verb_keys()[verb]
        until(lambda: self._old(index), "a face that has stood")
        self.panel.tell(KeyMoved(index, down=True, at=clock.monotonic()))
        self.panel.tell(KeyMoved(index, down=False, at=clock.monotonic()))

    def sends(self, verb: str) -> dict[str, Any]:
        """Send a verb from a terminal and return what it is told."""
        folder = self.machine.folder
        presses = Presses(
            self.panel, lambda name: steer_verb(name, folder), lambda name: sent_verb(name, folder)
        )
        return presses.answer({"do": "send", "verb": verb})

    # What there is to see.

    @property
    def view(self) -> SlotView:
        """Return the agent's slot."""
        return next(view for view in self.panel.fleet.slots if view.pid == self.pid)

    @property
    def staged(self) -> tuple[Staged, ...]:
        """Return what is in the queue."""
        return queue.standing(self.machine.folder)

    @property
    def left(self) -> list[str]:
        """Return the names of everything in the queue's folder."""
        return sorted(path.name for path in self.machine.folder.queue.iterdir())

    def face(self, verb: str) -> str:
        """Return what a screen reader says of a verb's key."""
        return self.deck.current_name(verb_keys()[verb])

    def shows(self, verb: str, word: str) -> None:
        """Wait until a verb's key says this."""
        until(lambda: word in self.face(verb) or self.error, f"{word} on {self.face(verb)}")
        assert self.error is None, self.error

    def is_(self, state: str) -> None:
        """Wait until the agent's slot is in this state."""
        self.panel.wake()
        until(lambda: self.view.state.value == state, f"{state}, it is {self.view.state.value}")

    def calm(self) -> None:
        """Wait until everything that is under way has come to something."""
        until(lambda: not self.panel._delivering._waking, "the end of a wake")
        assert self.panel._painter.settle(DEADLINE_S)

    def end(self) -> None:
        """Stop the panel."""
        self.panel.stop()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()

    def _old(self, index: int) -> bool:
        stood = self.panel._painter.stood(index)
        return bool(stood) and clock.monotonic() - stood[-1].since > FRESH_S

    def _run(self) -> None:
        try:
            self.panel.run()
        except BaseException as error:
            self.error = error
