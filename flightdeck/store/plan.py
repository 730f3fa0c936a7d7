"""`compiled/panel.json`: what every fold needs of the layout, written by `run` and `apply`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flightdeck.model.label import LabelRules
from flightdeck.model.plan import PanelPlan
from flightdeck.store import files

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder


def write(folder: StateFolder, plan: PanelPlan) -> None:
    """Keep `plan` for the commands that fold without a panel.

    Raises:
        OSError: it could not be written.
    """
    labels = plan.labels
    data = {
        "slots": list(plan.slots),
        "renderers": list(plan.renderers),
        "journal": {"bytes": plan.journal_bytes, "files": plan.journal_files},
        "labels": {
            "line_chars": labels.line_chars,
            "strip": list(labels.strip),
            "short": dict(labels.short),
        },
    }
    files.replace(folder.compiled / "panel.json", json.dumps(data, indent=1).encode())


def read(folder: StateFolder) -> PanelPlan:
    """Return the plan written last, or the default one: eight slots, shipped rules."""
    try:
        data = json.loads(files.read(folder.compiled / "panel.json"))
        labels, journal = data["labels"], data["journal"]
        return PanelPlan(
            slots=tuple(int(slot) for slot in data["slots"]),
            labels=LabelRules(
                int(labels["line_chars"]), tuple(map(str, labels["strip"])), dict(labels["short"])
            ),
            journal_bytes=int(journal["bytes"]),
            journal_files=int(journal["files"]),
            renderers=tuple(map(str, data["renderers"])),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return PanelPlan()
