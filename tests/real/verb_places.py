"""Where verbs go: to one of two, and into windows that show something else than a prompt box.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import json
import os
import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.panel.delivering import LONGEST_RETRY_S
from tests.real.desk import LONGEST_S, Desk, errand
from tests.real.errand import (
    BEHIND,
    HALTED,
    MOVED,
    NO_BOX,
    SOON_S,
    TOOLS,
    Errand,
    listening,
    opened,
    pressed,
)
from tests.real.scenario import rest
from tests.real.session import IDLE, Session, until
from tests.real.verb_deeds import BOX, NBSP, draft, woken

if TYPE_CHECKING:
    from collections.abc import Callable

NEVER_S = 2.5


@errand("two-agents", takes_s=18)
def two_agents(desk: Desk) -> None:
    """The selected one gets it; an arm for the one is none for the other."""
    first = opened(desk)
    second = opened(desk, at=("new-window", "-d"))
    first.choose()
    assert desk.thumb.press("fork", "FORK, for", first.who) == "armed"
    second.choose()
    assert desk.thumb.press("fork", "FORK, for", second.who) == "armed"
    assert not first.queue()
    woken(second, "second of two")
    second.arrived("test")
    assert not first.submitted()
    assert not first.carrying("test")
    first.choose()
    woken(first, "first of two")
    first.arrived("test")
    assert len(second.submitted()) == 1
    assert not first.carrying("fork") + second.carrying("fork")


@errand("other-modes", takes_s=24)
def other_modes(desk: Desk) -> None:
    """Whatever the window shows, the verb is a prompt, alone; what stood there is kept."""
    sent = opened(desk)
    _in_mode(sent, "copy mode", _copy_mode)
    _in_mode(sent, "transcript", _keys("C-o"))
    _in_mode(sent, "history search", _keys("C-r"))
    _in_mode(sent, "empty shell mode", _keys("!"))
    _in_mode(sent, "shell mode", _shell_line, f"!{NBSP}ls")
    sent.arrived("test", 5)


def _in_mode(sent: Errand, name: str, prepare: Callable[[Session], None], after: str = BOX) -> None:
    sent.rests()
    prepare(sent.session)
    woken(sent, name)
    until(lambda: after in sent.session.screen(), LONGEST_S, f"'{after}'")


@errand("vim", takes_s=16)
def vim(desk: Desk) -> None:
    """Where letters are commands nothing of the line is one."""
    sent = opened(desk, "--settings", '{"editorMode": "vim"}')
    draft(sent.session, "in insert mode")
    woken(sent, "vim, insert mode")
    until(lambda: f"{BOX}in insert mode" in sent.session.screen(), LONGEST_S, "the draft")
    sent.rests()
    sent.session.press("Escape")
    rest(0.4)
    woken(sent, "vim, normal mode")
    until(lambda: f"{BOX}in insert mode" in sent.session.screen(), LONGEST_S, "the draft")
    sent.arrived("test", 2)


@errand("unknown-screen", takes_s=13)
def unknown_screen(desk: Desk) -> None:
    """A picker of the client's own its record says nothing of: no key is pressed in it.

    Once it is closed the agent is woken, though its record is as it was.
    """
    sent = opened(desk)
    _keys("M-p")(sent.session)
    until(lambda: BOX not in sent.session.screen(), LONGEST_S, "a picker")
    pressed(sent, "test", NO_BOX)
    _untouched(sent)
    sent.session.press("Escape")
    until(lambda: BOX in sent.session.screen(), LONGEST_S, "the client's box")
    _woken_again(sent)


@errand("moved", takes_s=20)
def moved(desk: Desk) -> None:
    """A conversation that Left moves to the background is another session: this one gets nothing.

    What waited for it is dropped, and the key says why; what the client keeps ready is on no key.
    """
    sent = opened(desk)
    sent.session.type("scenario:s-first")
    sent.session.reached(IDLE)
    (desk.play.lab.fleet / "halt").touch()
    desk.thumb.shows("halt", "HALTED")
    pressed(sent, "test", HALTED)
    sent.session.press("Left")
    until(lambda: MOVED in sent.words("test"), LONGEST_S, f"'{MOVED}'")
    assert not sent.queue()
    desk.play.lab.run("flightdeck", "halt", "--off")
    until(lambda: any(map(_kept_ready, _records(desk))), 20, "one that is kept ready")
    pressed(sent, "test", MOVED)
    rest(NEVER_S)
    assert not sent.carrying("test")
    status = desk.play.lab.run("flightdeck", "status", "--json")
    assert len([slot for slot in json.loads(status)["slots"] if slot["pid"]]) == 2, status
    _end_all_below(sent.session.pid)


def _records(desk: Desk) -> list[Path]:
    sessions = desk.play.lab.home / ".claude" / "sessions"
    return [path for path in sessions.iterdir() if path.suffix == ".json"]


def _kept_ready(record: Path) -> bool:
    try:
        return bool(json.loads(record.read_bytes()).get("spare"))
    except ValueError:  # it is being written
        return False


def _end_all_below(pid: int) -> None:
    """End what a client has started, that none of it is on a key of the next scenario."""
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGSTOP)  # or it would start another
            _end_all_below(int(child))
            os.kill(int(child), signal.SIGKILL)


@errand("suspended", takes_s=24)
def suspended(desk: Desk) -> None:
    """Behind a shell or another program nothing is typed; in front again it is woken."""
    sent = _in_a_shell(desk)
    session = sent.session
    session.press("C-z")
    until(lambda: _stopped(session.pid), LONGEST_S, "a suspended client")
    until(lambda: session.screen().endswith("\n$"), LONGEST_S, "a prompt of the shell")
    pressed(sent, "test", BEHIND)
    sent.waits("test")
    _untouched(sent)
    _line(session, "cat")
    _untouched(sent)
    session.press("C-c")
    rest(0.3)
    _line(session, "fg")
    until(lambda: BOX in session.screen(), LONGEST_S, "the client's box")
    _woken_again(sent)


def _woken_again(sent: Errand) -> None:
    """See that a verb arrives that was in vain before, though nothing tells of the change."""
    sent.arrives("test", within_s=LONGEST_RETRY_S + SOON_S)
    sent.arrived("test")
    assert len(sent.submitted()) == 1


def _untouched(sent: Errand) -> None:
    """See that nothing is typed at what is in front, for a while."""
    rest(0.5)
    screen = sent.session.screen()
    rest(NEVER_S)
    assert sent.session.screen() == screen
    assert sent.queued == "test"


def _line(session: Session, line: str) -> None:
    session.tmux("send-keys", "-t", session.pane, "-l", line)
    session.press("Enter")


def _in_a_shell(desk: Desk) -> Errand:
    """Start a client as a job of an interactive shell."""
    listening(desk)
    play = desk.play
    play.stage.seats.acquire()
    with play.alone():
        place = ("new-session", "-d", "-x", "130", "-y", "45")
        pane, shell = play.tmux.open(place, desk.repo, ["env", "PS1=$ ", "bash", "--norc", "-i"])
        argv = ("exec", "claude", "--permission-mode", "manual", *TOOLS)
        play.tmux("send-keys", "-t", pane, "-l", f"({shlex.join(argv)})")
        play.tmux("send-keys", "-t", pane, "Enter")
        children = Path(f"/proc/{shell}/task/{shell}/children")
        pid = until(lambda: children.read_text().split(), LONGEST_S, "a job of the shell")[0]
        session = play.join(pane, int(pid))
        session.reached(IDLE)
    sent = Errand(desk, session)
    sent.choose()
    return sent


def _stopped(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    return stat.rpartition(")")[2].split()[0] == "T"


def _keys(key: str) -> Callable[[Session], None]:
    def prepare(session: Session) -> None:
        session.tmux("send-keys", "-t", session.pane, key)
        rest(0.4)

    return prepare


def _copy_mode(session: Session) -> None:
    session.tmux("copy-mode", "-t", session.pane)


def _shell_line(session: Session) -> None:
    session.tmux("send-keys", "-t", session.pane, "!")
    rest(0.3)
    session.tmux("send-keys", "-t", session.pane, "-l", "ls")
    rest(0.3)
