"""How wide columns are that want more room than there is.

Pure: numbers only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def shares(wanted: Sequence[int], room: int) -> list[int]:
    """Return as much for each as it wants, or the same for all those that want too much.

    What one does not need is the others'. All in cells; together never more than `room`.
    """
    given = [0] * len(wanted)
    left, hungry = max(0, room), [at for at, want in enumerate(wanted) if want > 0]
    while hungry and left >= len(hungry):
        share = left // len(hungry)
        for at in hungry:
            more = min(share, wanted[at] - given[at])
            given[at] += more
            left -= more
        hungry = [at for at in hungry if given[at] < wanted[at]]
    if hungry:  # what is over is too little for all of them
        given[hungry[0]] += min(left, wanted[hungry[0]] - given[hungry[0]])
    return given
