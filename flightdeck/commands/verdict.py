"""Answer the permission request the verdict row is aimed at, as its keys do.

The selected session's oldest request, or else the oldest of all; --request names another.
What is dangerous or lasting is armed first: the same command again, in time, does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel, told
from flightdeck.commands.steering import steer_verb
from flightdeck.errors import FlightdeckError
from flightdeck.model.layout import Action
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Result, Say

EXAMPLES = """exit codes:
  0 sent: the agent has the answer
  1 refused, and why
  4 armed: the same command again, in time, does what the message says

examples:
  flightdeck verdict detail
  flightdeck verdict approve
  flightdeck verdict steer justify
  flightdeck verdict deny --request 1785585600000000000-4242"""

_STEER = "steer"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the action, the verb of a steer, and the request."""
    actions = [action.value for action in Action] + [_STEER]
    parser.add_argument("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    parser.add_argument("verb", nargs="?", default="", metavar="VERB", help="for steer: which")
    parser.add_argument(
        "--request", default="", metavar="ID", help="one of `flightdeck status --json`"
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Give the verdict and return what came of it.

    Raises:
        FlightdeckError: there is no such verb, or one is named where none belongs.
        Refused: it cannot be given; the reason and hint.
        Unavailable: no panel runs.
    """
    folder, action, verb = StateFolder.from_environment(), arguments.action, arguments.verb
    if action == _STEER:
        verb = steer_verb(verb, folder).name
    elif verb:
        raise FlightdeckError(f"'{action}' takes no verb", f"`flightdeck verdict steer {verb}`")
    request = {"do": "verdict", "action": action, "verb": verb, "request": arguments.request}
    return told(f"{action} {verb}".strip(), ask_panel(folder, request))
