"""What a panel is made of that people write in files: all of it together, or none.

Frozen data only; `loading` makes it, the loop and its parts follow it.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout
    from flightdeck.model.plan import PanelPlan
    from flightdeck.ports import Judge


@dataclass(frozen=True, slots=True)
class Setup:
    """A layout with this machine's pins, the plan of the fold, its judge, and who draws.

    `native` draws a view as the deck takes it: the same object while no template changed.
    """

    layout: Layout
    plan: PanelPlan
    judge: Judge
    native: Callable[[KeyView], bytes]
