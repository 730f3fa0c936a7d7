"""Which verb a name means, for the commands that send one or deny a request with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.reader import choices
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import FlightdeckError
from flightdeck.model.verb import VerbKind

if TYPE_CHECKING:
    from flightdeck.config.verbs import Verbs
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
    _must_be_whole(name, verbs)
    raise FlightdeckError(f"'{name}' is no steer verb", f"there are {', '.join(steers) or 'none'}")


def sent_verb(name: str, folder: StateFolder) -> Verb:
    """Return the prompt or key verb of that name, as its file reads now.

    Raises:
        FlightdeckError: there is none, its file has problems, or it is a steer verb, which
            answers a request and is not sent by itself.
    """
    verbs = load_verbs(folder)
    verb = verbs.usable.get(name)
    if verb is None:
        _must_be_whole(name, verbs)
        known = sorted(v.name for v in verbs.usable.values() if v.kind is not VerbKind.STEER)
        raise FlightdeckError(f"unknown verb '{name}'", choices(name, known))
    if verb.kind is VerbKind.STEER:
        raise FlightdeckError(
            f"'{name}' is a steer verb: it denies a request",
            f"`flightdeck verdict steer {name}` while one waits",
        )
    return verb


def _must_be_whole(name: str, verbs: Verbs) -> None:
    if name in verbs.problems:
        raise FlightdeckError(
            f"the verb '{name}' has problems", "`flightdeck validate` tells every one"
        )
