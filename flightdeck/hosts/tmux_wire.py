"""What is said to a tmux server, by its socket, and what its refusals come to mean.

Source: tmux(1), "PARSING SYNTAX"; the messages of tmux 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.programs import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.ports import Runner

_WAIT_S = 3.0

# What tmux says when something is not there, and what that means here.
_FAULTS = (
    (
        ("no server running", "error connecting", "server exited", "lost server"),
        Gone("tmux server is gone"),
    ),
    (("can't find pane", "can't find window", "can't find session"), Gone("pane is gone")),
    (("can't find client",), Unavailable("the attached client has just gone")),
)


def ask(run: Runner, socket: str, *commands: Sequence[str], stdin: str = "") -> str:
    """Run the commands in one invocation; tmux stops at the first that fails.

    Raises:
        Unavailable: the server or what was named is gone, or tmux refused.
    """
    argv = [find("tmux"), "-u", "-S", socket]
    for number, command in enumerate(commands):
        argv += [*([";"] if number else []), *command]
    done = run(argv, timeout_s=_WAIT_S, stdin=stdin)
    if done.code:
        raise _fault(done.err)
    return done.out


def _fault(err: str) -> Unavailable:
    for phrases, meaning in _FAULTS:
        if any(phrase in err for phrase in phrases):
            return type(meaning)(meaning.message)
    first = err.strip().partition("\n")[0]
    return Unavailable(f"tmux refused: {first[:120]}" if first else "tmux refused")
