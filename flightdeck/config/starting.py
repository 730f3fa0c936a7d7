"""The smallest layout of one's own that works on a deck, with what to read and what to try.

Source: layouts/README.md, "Standing on another layout" and "In your editor".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.config.merging import EXTENDS, row_name
from flightdeck.config.nodes import Mapping, Sequence
from flightdeck.config.schema import LAYOUT, editor_line
from flightdeck.model.layout import BlankBinding

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.layout import Layout

_PLAIN = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*")

_HEAD = f"""\
{editor_line(LAYOUT)}
#
# A panel of your own. `flightdeck validate FILE` checks it, `flightdeck preview --layout FILE`
# draws it, `flightdeck layout show FILE` says what is in force and where it was written."""

_ROWS = """\
rows:
  - name: fleet
    fill: slot              # a key for each session, left to right
  - name: verdicts          # they answer the request of the selected session, else the oldest
    keys:
      1: verdict approve
      2: verdict deny
      3: control halt       # one press: no new tool call runs; two more let go"""

_NEW_ROW = "mine"
_TRIED = "open url https://github.com/notifications"

_OVER = """\
# What stands here is laid over that layout: mappings key by key, rows by their name, keys by
# their column. To try it, take the `# ` off:"""

_ALONE = """\
# A section left out is that of the shipped xl. To try one, take the `# ` off:"""

_TIMINGS = """\
# timings:
#   armed: 5 s"""


def start_alone(model: DeckModel) -> str:
    """Return a layout of two rows, for a deck no layout was made for yet."""
    return _text(_HEAD, f"device: {model.name}", _ROWS, f"{_ALONE}\n#\n{_TIMINGS}")


def start_extending(parent: str, device: str = "") -> str:
    """Return a layout that stands on `parent` and changes nothing of it but the device, if any."""
    own = f"\ndevice: {device}" if device else ""
    return _text(_HEAD, f"{EXTENDS}: {_scalar(parent)}{own}", f"{_OVER}\n#\n{_TIMINGS}")


def with_example(text: str, layout: Layout, document: Document) -> str:
    """Return the text of a layout that extends another with a key to try, one that is free."""
    names = _row_names(document)
    free = (key.position for key in reversed(layout.keys) if isinstance(key.binding, BlankBinding))
    found = next((at for at in free if at.row > len(names) or names[at.row - 1]), None)
    if found is None:
        return text
    row = names[found.row - 1] if found.row <= len(names) else None
    lines = (
        "rows:",
        f"  - name: {_scalar(row or _NEW_ROW)}",
        "    keys:",
        f"      {found.column}: {_TRIED}",
    )
    return "\n".join((f"{text}#", *(f"# {line}" for line in lines), ""))


def _row_names(document: Document) -> list[str | None]:
    root = document.root
    entries = root.entries if isinstance(root, Mapping) else ()
    rows = next((one.value for one in entries if one.key.text == "rows"), None)
    return [row_name(item) for item in rows.items] if isinstance(rows, Sequence) else []


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "''") + "'"


def _text(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"
