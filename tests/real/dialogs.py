"""Dialogs: what opens them, and every way they are answered where no hook says so.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.real.scenario import foreign_hook, rest, scenario
from tests.real.session import BUSY, EVER, IDLE, WAITING, Session, until

if TYPE_CHECKING:
    from tests.real.play import Play

MCP_SERVER = Path(__file__).with_name("mcp_server.py")


def _asks(play: Play) -> Session:
    session = play.open()
    session.type("scenario:ask")
    play.phase("permission dialog", session, "blocked", WAITING, window_s=8)
    return session


@scenario("allow", 3, takes_s=22)
def allow(play: Play) -> None:
    """Yes in the terminal: no hook says so until the tool has ended."""
    session = _asks(play)
    session.choose("Yes")
    play.phase(
        "Yes in the terminal, tool runs 8 s",
        session,
        "working",
        BUSY,
        window_s=7.8,
        to_the_end=True,
    )
    play.phase("turn ends", session, "done", IDLE)


@scenario("refuse", 2, takes_s=12)
def refuse(play: Play) -> None:
    """No in the terminal: no hook at all."""
    session = _asks(play)
    session.choose("No")
    play.phase("No in the terminal", session, "idle", IDLE)


@scenario("esc-dialog", 2, takes_s=12)
def esc_dialog(play: Play) -> None:
    """Esc on the dialog: no hook at all."""
    session = _asks(play)
    session.press("Escape")
    play.phase("Esc on the dialog", session, "idle", IDLE)


@scenario("question", 3, takes_s=18)
def question(play: Play) -> None:
    """The agent asks a question of its own."""
    session = play.open()
    session.type("scenario:question")
    play.phase("question", session, "blocked", WAITING, window_s=8)
    session.press("Enter")
    play.phase("answered", session, "working", BUSY, to_the_end=True)
    play.phase("turn ends", session, "done", IDLE)


@scenario("plan", 2, takes_s=18)
def plan(play: Play) -> None:
    """The agent has a plan to approve."""
    session = play.open("--permission-mode", "plan")
    session.type("scenario:plan")
    play.phase("plan approval", session, "blocked", WAITING, window_s=8)
    session.choose(r"Yes[^\n]*manual|Yes")
    play.phase("plan approved", session, "working", BUSY, to_the_end=True)


@scenario("elicitation", 1, takes_s=12)
def elicitation(play: Play) -> None:
    """A tool server asks the person."""
    config = play.lab.work(play.name) / "mcp.json"
    server = {"command": sys.executable, "args": [str(MCP_SERVER)]}
    config.write_text(json.dumps({"mcpServers": {"labmcp": server}}))
    session = play.open("--mcp-config", str(config), "--allowedTools", "mcp__labmcp__ask")
    rest(1)
    session.type("scenario:elicit")
    play.phase("MCP elicitation", session, "blocked", WAITING, window_s=12)


@scenario("subagent", 3, takes_s=30)
def subagent(play: Play) -> None:
    """A sub-agent works on while the main thread has stopped, and asks."""
    raised = play.lab.work(play.name) / "raised"
    foreign_hook(play, "PermissionRequest", f"touch {shlex.quote(str(raised))}")
    session = play.open()
    session.type("scenario:agent")
    session.reached(BUSY)
    api = play.lab.api
    stopped = until(lambda: api.when("agent", 1), 15, "the main thread's last request")
    play.phase(
        "main thread stopped, sub-agent runs",
        session,
        "working",
        BUSY,
        since=stopped + 0.3,
        window_s=5,
        to_the_end=True,
    )
    until(raised.exists, 15, "the sub-agent's request")
    play.phase("sub-agent asks", session, "blocked", EVER, since=raised.stat().st_mtime)
    session.choose("Yes")
    play.phase("answered, all ends", session, "done", IDLE)
