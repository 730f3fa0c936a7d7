"""Which steer verb a name means, for the commands that deny a request with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.verbs import load_verbs
from flightdeck.errors import FlightdeckError
from flightdeck.model.verb import VerbKind

if TYPE_CHECKING:
    from flightdeck.model.verb import Verb
    from flightdeck.store.paths import StateFolder


def steer_verb(name: str, folder: StateFolder) -> Verb:
    """Return the steer verb of that name.

    Raises:
        FlightdeckError: there is none, or its file has problems; the hint names those there are.
    """
    verbs = load_verbs(folder)
    steers = sorted(verb.name for verb in verbs.usable.values() if verb.kind is VerbKind.STEER)
    if name in steers:
        return verbs.usable[name]
    if name in verbs.problems:
        raise FlightdeckError(
            f"the verb '{name}' has problems", "`flightdeck validate` tells every one"
        )
    raise FlightdeckError(f"'{name}' is no steer verb", f"there are {', '.join(steers) or 'none'}")
