"""A command given to a service manager, and how its failure is told."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install.document import printable

if TYPE_CHECKING:
    from flightdeck.system.run import Completed

Command = tuple[str, ...]


def failed(command: Command, done: Completed) -> FlightdeckError:
    """Return what to tell a person whose service manager refused a command."""
    said = done.err.strip() or done.out.strip() or f"it ended with {done.code}"
    told = printable(said.splitlines()[0])
    return FlightdeckError(
        f"`{shlex.join(command)}` failed: {told}",
        "run that by hand to see why, then `flightdeck apply` again; "
        "`flightdeck apply --no-services` goes without",
    )
