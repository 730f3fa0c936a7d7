"""A permission request as the verdict row sees it: whose it is, and what may be answered.

Frozen data only; `fold` makes it, `model/verdict` decides with it. It holds no tool input:
the agent's own suggestion is in `grant`, which never leaves the process.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flightdeck.model.lifecycle import Reason
from flightdeck.model.place import Place


@dataclass(frozen=True, slots=True)
class Grant:
    """What REMEMBER would write down: `what` in lines short enough for a key, and `where`.

    `where` is the repository's name, or the word for a session. `permissions` is the
    agent's own suggestion, verbatim, as JSON. With `refusal` set there is nothing to
    grant: that word says why, and the rest is empty.
    """

    what: tuple[str, ...] = ()
    where: str = ""
    permissions: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request that waits, of the session with `key`.

    `agent` is what people call the kind of agent. `answerable` says the panel holds its
    hook; where it does not, only the terminal can answer. `tier` is that of its call;
    `repeats` counts how often this turn asked for the very same; `since` is in epoch
    seconds; `label` is that of its slot.
    """

    request_id: str
    key: str
    agent: str
    tool: str
    tier: str
    since: float
    label: tuple[str, str] = ("", "")
    repeats: int = 1
    reason: Reason = Reason.PERMISSION
    answerable: bool = False
    place: Place = field(default_factory=Place)
    grant: Grant = field(default_factory=lambda: Grant(refusal="no rule"))
