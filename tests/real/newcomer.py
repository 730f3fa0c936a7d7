"""A newcomer: what `apply` puts in is taken up, and what it takes out leaves no trace.

Source: README.md, "Your own agents" and "Uninstall".
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.real.desk import Desk, deed
from tests.real.session import BUSY, EVER, IDLE, WAITING

if TYPE_CHECKING:
    from pathlib import Path

LEFT = {"events.jsonl", "install", "log"}  # a person's own to look into


@deed("newcomer", takes_s=14)
def newcomer(desk: Desk) -> None:
    """Take out, put in, answer one request, take out: all under one client that runs on."""
    session = desk.play.open()  # it may write the settings in a form of its own when it starts
    try:
        before = _taken_out(desk)
        desk.play.lab.run("flightdeck", "apply", "--yes")
        desk.restart()
        assert b"flightdeck" in _settings(desk).read_bytes()
        session.type("scenario:n-walk")
        desk.play.phase("asks", session, "blocked", WAITING, window_s=2)
        desk.thumb.read("approve", "APPROVE, Bash")
        pressed = time.time()
        assert desk.thumb.strike("approve") == "sent"
        desk.play.phase("approved", session, "working", EVER, since=pressed, window_s=2)
        desk.results("n-walk", 1)
        assert (desk.repo / "made").exists()
        desk.play.phase("its turn is over", session, "done", IDLE)
        assert _taken_out(desk) == before
        session.type("scenario:n-after")
        session.reached(BUSY)
        session.reached(IDLE)
        assert {path.name for path in desk.play.lab.fleet.iterdir()} <= LEFT
    finally:
        desk.play.lab.run("flightdeck", "apply", "--yes")


def _taken_out(desk: Desk) -> bytes:
    """End the panel, take the hooks out, and return what is left of the settings."""
    assert desk.panel.process
    desk.panel.process.terminate()
    desk.panel.process.wait(10)
    desk.play.lab.run("flightdeck", "apply", "--remove", "--yes")
    left = _settings(desk).read_bytes()
    assert b"flightdeck" not in left
    return left


def _settings(desk: Desk) -> Path:
    return desk.play.lab.config / "settings.json"
