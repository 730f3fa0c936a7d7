"""Send a verb to the selected session, as its key does.

A session at work gets it when its turn ends, one at rest at once, one that asks for
something once that is answered and its turn over; the same again takes back what still
waits. What may not be taken back is armed first: the same command again, in time, sends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel, told
from flightdeck.commands.steering import sent_verb
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
  flightdeck verbs list           every verb there is"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the verb."""
    parser.add_argument("verb", metavar="VERB", help="a prompt or key verb, by its name")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Send it and return what came of it.

    Raises:
        FlightdeckError: there is no such verb, or it is a steer verb.
        Refused: it cannot be sent; the reason and hint.
        Unavailable: no panel runs.
    """
    folder = StateFolder.from_environment()
    verb = sent_verb(arguments.verb, folder)
    return told(verb.name, ask_panel(folder, {"do": "send", "verb": verb.name}))
