"""Turns: how one begins, goes on where it seemed over, and ends.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from tests.real.scenario import foreign_hook, rest, scenario
from tests.real.script import NAP, REPORT
from tests.real.session import BUSY, IDLE, SHELL, until

if TYPE_CHECKING:
    from tests.real.play import Play


@scenario("prompt", 2, takes_s=16)
def prompt(play: Play) -> None:
    """The plain turn."""
    session = play.open()
    session.type("scenario:think")
    play.phase("prompt", session, "working", BUSY, to_the_end=True)
    play.phase("turn ends", session, "done", IDLE)


@scenario("queued", 1, takes_s=20)
def queued(play: Play) -> None:
    """A prompt typed while the agent works runs after that turn's Stop."""
    session = play.open()
    session.type("scenario:wait-for-me")
    session.reached(BUSY)
    session.type("scenario:after-you")
    start = until(lambda: play.lab.api.when("after-you", 0), 15, "the queued prompt")
    play.phase(
        "queued prompt runs", session, "working", BUSY, since=start, window_s=6, to_the_end=True
    )


@scenario("esc-stream", 1, takes_s=14)
def esc_stream(play: Play) -> None:
    """Esc while the model speaks: no hook at all."""
    session = play.open()
    session.type("scenario:stream")
    session.reached(BUSY)
    rest(4)
    session.press("Escape")
    play.phase("Esc while streaming", session, "idle", IDLE)


@scenario("esc-tool", 1, takes_s=14)
def esc_tool(play: Play) -> None:
    """Esc while a tool runs: no hook at all."""
    session = play.open("--allowedTools", NAP)
    session.type("scenario:tool")
    session.reached(BUSY)
    rest(4)
    session.press("Escape")
    play.phase("Esc while a tool runs", session, "idle", IDLE)


@scenario("stop-blocked", 2, takes_s=20)
def stop_blocked(play: Play) -> None:
    """Another hook sends the agent on when it wants to stop."""
    flag = play.lab.work(play.name) / "flag"
    name, more = shlex.quote(str(flag)), '{"decision":"block","reason":"scenario:more"}'
    foreign_hook(play, "Stop", f"test -e {name} || {{ touch {name}; printf '%s' '{more}'; }}")
    session = play.open()
    session.type("scenario:quick")
    session.reached(BUSY)
    until(flag.exists, 15, "the hook that blocks")
    play.phase(
        "Stop blocked by another hook",
        session,
        "working",
        BUSY,
        since=flag.stat().st_mtime,
        window_s=9,
        to_the_end=True,
    )
    play.phase("the second Stop", session, "done", IDLE)


@scenario("error-429", 2, takes_s=20)
def error_429(play: Play) -> None:
    """The service turns the client away."""
    _error(play, "limited", "model error 429")


@scenario("error-500", 2, takes_s=20)
def error_500(play: Play) -> None:
    """The service breaks."""
    _error(play, "broken", "model error 500")


def _error(play: Play, prompt: str, label: str) -> None:
    session = play.open(env={"CLAUDE_CODE_MAX_RETRIES": "1"})
    session.type(f"scenario:{prompt}")
    session.reached(BUSY)
    play.phase(label, session, "failed", IDLE, within_s=30)
    session.type("scenario:think")
    play.phase("next prompt after the error", session, "working", BUSY)


@scenario("reported", 3, takes_s=18)
def reported(play: Play) -> None:
    """The agent reports a failure itself, and ends its turn as any other."""
    _reported(play, "fails", "fails")


@scenario("reported-below", 3, takes_s=24)
def reported_below(play: Play) -> None:
    """A sub-agent reports it: the session it works for has failed."""
    _reported(play, "subagent-fails", "fails-below")


def _reported(play: Play, prompt: str, script: str) -> None:
    session = play.open("--allowedTools", REPORT)
    session.type(f"scenario:{prompt}")
    session.reached(BUSY)
    start = until(lambda: play.lab.api.when(script, 1), 15, "the report")
    play.phase("failure reported, turn runs", session, "failed", BUSY, since=start, to_the_end=True)
    play.phase("its turn ends", session, "failed", IDLE)
    session.type("scenario:think")
    play.phase("next prompt after the report", session, "working", BUSY)


@scenario("bg-shell", 2, takes_s=28)
def background_shell(play: Play) -> None:
    """The turn is over, a shell it started is not."""
    session = play.open("--allowedTools", NAP)
    session.type("scenario:shell")
    play.phase("turn over, shell runs", session, "working", SHELL, window_s=14, to_the_end=True)
    play.phase("shell ended", session, "done", IDLE, within_s=20)


@scenario("compact", 2, takes_s=22)
def compact(play: Play) -> None:
    """The person compacts: no prompt event, no Stop."""
    session = play.open()
    session.type("scenario:quick")
    session.reached(IDLE)
    rest(1)
    session.type("/compact")
    play.phase(
        "/compact runs 5 s", session, "working", BUSY, within_s=4, window_s=15, to_the_end=True
    )
    session.reached(IDLE)
    rest(1)
    play.phase("after /compact", session, "idle|done", IDLE, since=time.time(), window_s=8)


@scenario("auto-compact", 1, takes_s=25)
def auto_compact(play: Play) -> None:
    """The conversation outgrows the model in mid-turn."""
    session = play.open("--allowedTools", NAP)
    session.type("scenario:overflow")
    start = session.reached(BUSY) + 0.2
    play.phase(
        "compaction in mid-turn",
        session,
        "working",
        BUSY,
        since=start,
        window_s=25,
        to_the_end=True,
    )
    until(lambda: play.lab.api.when("after-summary", 0), 1, "a compaction")


@scenario("nudge", 1, takes_s=75)
def nudge(play: Play) -> None:
    """The client reminds of itself a minute after it finished: that is no change."""
    session = play.open()
    session.type("scenario:quick")
    play.phase("finished, then 66 s alone", session, "done", IDLE, window_s=66, to_the_end=True)
