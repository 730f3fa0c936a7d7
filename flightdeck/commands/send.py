"""Send a verb to the selected session, as its key does.

A session at work gets it when its turn ends, one at rest at once, one that asks for
something once that is answered and its turn over; the same again takes back what still
waits. What may not be taken back is armed first: the same command again, in time, sends it.

It goes to the session that was selected when the command began, or to none. A script that
selects first names it with --session too: a thumb may select another one in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel, told
from flightdeck.commands.selecting import key_of
from flightdeck.commands.steering import sent_verb
from flightdeck.errors import Refused
from flightdeck.store import selection
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Result, Say

EXAMPLES = """exit codes:
  0 delivered, queued or cancelled: the message says which, and what it waits for
  1 refused, and why
  4 armed: the same command again, in time, does what the message says

examples:
  flightdeck select 2
  flightdeck send test
  flightdeck send test --session 0b5f2a1e-3c0d-4b8e-9d7a-2f1c6e5d4a3b
  flightdeck verbs list           every verb there is"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the verb, and whom it is for."""
    parser.add_argument("verb", metavar="VERB", help="a prompt or key verb, by its name")
    parser.add_argument(
        "--session",
        default="",
        metavar="ID",
        help="only if this session is selected; `flightdeck status --json` has the ids",
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Send it and return what came of it.

    Raises:
        FlightdeckError: there is no such verb or session, or it is a steer verb.
        Refused: it cannot be sent, or another session is selected; the reason and hint.
        Unavailable: no panel runs.
    """
    folder = StateFolder.from_environment()
    selected = selection.read(folder)
    verb = sent_verb(arguments.verb, folder)
    if arguments.session and key_of(folder, arguments.session) != selected:
        raise Refused("another session is selected", "`flightdeck select SLOT` selects that one")
    request = {"do": "send", "verb": verb.name, "key": selected}
    return told(verb.name, ask_panel(folder, request))
