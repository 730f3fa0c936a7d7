"""The windows a panel types into, each with a client in it, and a note of every key.

A window may be slow, gone, deaf or hold somebody's draft. What is to happen in the middle
of a wake happens here, at the nth look at a window or key typed into it.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.panel.verb_client import Client
    from tests.panel.verb_panel import PanelProcess

KEYS = frozenset({"paste", "Enter", "Esc", "stash"})
_RULE = "─" * 60
_NBSP = "\u00a0"
_SLOW_S = 0.03


@dataclass(frozen=True)
class Call:
    """What a panel asked of a window, from when until when."""

    panel: int
    window: int
    what: str
    text: str
    began: float
    ended: float
    refused: bool = False


@dataclass
class Windows:
    """Every window; `calls` is all that was done to them, in order."""

    clients: Mapping[str, Client]
    fault: str
    happens: Mapping[tuple[int, int], Callable[[], object]]
    calls: list[Call] = field(default_factory=list)
    sent: list[threading.Thread] = field(default_factory=list)
    drafts: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    _counts: dict[int, int] = field(default_factory=dict)
    _middle: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Let somebody have begun to type, if that is what is wrong."""
        if self.fault == "draft":
            self.drafts = dict.fromkeys(self.clients, "half a sentence")

    def serve(self, number: int, panel: PanelProcess) -> None:
        """Do what a panel asks until it is gone."""
        with panel.keys.makefile("rwb", buffering=0) as pipe:
            try:
                for asked in pipe:
                    pipe.write(json.dumps(self._answer(number, *json.loads(asked))).encode())
                    pipe.write(b"\n")
            except OSError:
                return  # it was killed

    def mend(self) -> None:
        """Nothing is wrong with any window any more, nothing stands in one and nothing happens."""
        with self._middle:
            self.happens = {}
        self.fault = ""
        self.drafts.clear()
        for client in self.clients.values():
            client.tells = True

    def _answer(self, number: int, what: str, pane: str, text: str) -> tuple[str, str]:
        client, began = self.clients[pane], time.time()
        if what != "front":
            self._count(client.number - 1)
        problem = ""
        try:
            answer = self._do(client, what, text)
        except Unavailable as error:
            problem, answer = error.message, ""
        refused = bool(problem)
        self.calls.append(
            Call(number, client.number, what, text, began, time.time(), refused=refused)
        )
        return problem, answer

    def _count(self, window: int) -> None:
        nth = self._counts[window] = self._counts.get(window, 0) + 1
        with self._middle:
            if happens := self.happens.get((window, nth)):
                happens()

    def _do(self, client: Client, what: str, text: str) -> str:
        if self.fault == "gone":
            raise Unavailable("its pane is gone")
        if self.fault == "slow":
            time.sleep(_SLOW_S)  # what is slow is slow; nothing is waited for here
        shows = not (client.asks or self.fault == "covered")
        match what:
            case "front":
                return "yes" if client.alive and client.pid == int(text) else "no"
            case "device":
                return f"/dev/pts/{client.number}"
            case "screen":
                return self._screen(client) if shows and client.alive else "$ \n"
            case _ if shows:
                self._type(client, what, text)
            case _:
                pass  # what covers the box takes the key
        return ""

    def _type(self, client: Client, what: str, text: str) -> None:
        pane = client.pane
        match what:
            case "paste":
                self.drafts[pane] = self.drafts.get(pane, "") + text
            case "Enter":
                self._enter(client)
            case "stash":
                self.kept[pane] = self.drafts.pop(pane, "")
            case "erase":
                self.drafts[pane] = ""
            case _:
                pass  # an Esc changes nothing in a box

    def _screen(self, client: Client) -> str:
        hint = "  draft stashed\n" if self.kept.get(client.pane) else ""
        box = f"\u276f{_NBSP}{self.drafts.get(client.pane, '')}"
        return f"{hint}{_RULE}\n{box}\n{_RULE}\n  ? for shortcuts\n" + "\n" * 20

    def _enter(self, client: Client) -> None:
        """Send what stands there: the client takes it when it comes to it."""
        line = self.drafts.get(client.pane, "")
        if not line or self.fault == "deaf":
            return
        self.drafts[client.pane] = self.kept.pop(client.pane, "")
        client.tells = self.fault != "mute"
        self.sent.append(threading.Thread(target=client.takes, args=(line,), daemon=True))
        self.sent[-1].start()
