"""How often a turn asked for the very same: each time is a request of its own, and answered anew.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.session import Request

# What was asked, how often, and when the last time (epoch seconds); the latest stands last.
Tally = tuple[tuple[str, int, float], ...]

# A turn that asks for more different things than this has forgotten the first.
MOST = 16


def counted(tally: Tally, request: Request) -> tuple[Tally, int]:
    """Return the tally with `request` counted, and how often it makes that call.

    One that is told again after a crash is not counted again.
    """
    call = " ".join((request.thread, request.tool, request.fingerprint))
    times, last = next(((n, at) for name, n, at in tally if name == call), (0, None))
    if last is not None and request.since <= last:
        return tally, times
    others = tuple(one for one in tally if one[0] != call)
    return (*others, (call, times + 1, request.since))[-MOST:], times + 1
