"""What the fold needs to know of the layout: which slots there are, and how to shorten names.

Compiled to a file by the panel, so that `reap` and `status` never read YAML and agree
with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.model.label import LabelRules

if TYPE_CHECKING:
    from flightdeck.model.layout import Layout
    from flightdeck.model.local import Local


@dataclass(frozen=True, slots=True)
class PanelPlan:
    """Slots sessions may take, lowest first, the label rules, and how much journal to keep.

    `journal_bytes` is the size of one journal file, 0 for no journal; `journal_files`
    how many rotated ones stay beside it. `renderers` are the executables that get each
    snapshot.
    """

    slots: tuple[int, ...] = tuple(range(8))
    labels: LabelRules = field(default_factory=LabelRules)
    journal_bytes: int = 1_000_000
    journal_files: int = 3
    renderers: tuple[str, ...] = ()

    @classmethod
    def of(cls, layout: Layout, local: Local) -> PanelPlan:
        """Return what `layout` and this machine's `local` say."""
        journal = local.journal
        return cls(
            slots=layout.slots,
            labels=layout.labels,
            journal_bytes=journal.size_bytes if journal else 0,
            journal_files=journal.files if journal else 0,
            renderers=local.renderers,
        )
