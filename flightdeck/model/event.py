"""A hook event as it lies in the inbox: the header a snippet wrote, then the client's payload.

Knows the wire format and nothing of any agent kind.

Source: templates/hooks/spool.sh.j2, which writes it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.place import Place, place_from

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEPARATOR = "\x1f"
# The last line of a file that is whole.
END = b"\n\x1e\n"
_WIRE = "flightdeck1"
# In the order the snippet writes them, after the wire name, the event and the pid.
NAMES = (
    "TMUX",
    "TMUX_PANE",
    "ITERM_SESSION_ID",
    "TERM_PROGRAM",
    "WEZTERM_PANE",
    "KITTY_WINDOW_ID",
    "KITTY_LISTEN_ON",
    "ZELLIJ_PANE_ID",
    "ZELLIJ_SESSION_NAME",
    "CLAUDE_CODE_ENTRYPOINT",
)


class Unreadable(ValueError):
    """Not an event of ours, or one that was cut short."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, the client's pid, when (epoch seconds), and the payload.

    `ident` is unique among events and safe as a file name; `about` is what the hook itself
    adds to the name of the event, the token of the verb it delivers.
    """

    ident: str
    agent: str
    name: str
    pid: int
    at: float
    place: Place
    entrypoint: str
    payload: Mapping[str, object]
    about: str = ""


def is_whole(data: bytes) -> bool:
    """Say whether the hook has written all of the file; what it has not cannot be read yet."""
    return data.endswith(END)


def parse(data: bytes, ident: str, at: float) -> Event:
    """Return the event in `data`, the bytes of an inbox file.

    Raises:
        Unreadable: the header or the payload is not what a snippet writes.
    """
    head, _, body = data.removesuffix(END).partition(b"\n")
    fields = head.decode("utf-8", "replace").split(_SEPARATOR)
    wire, _, agent = fields[0].partition(":")
    if wire != _WIRE or len(fields) != 3 + len(NAMES):
        raise Unreadable("no header of ours")
    name, _, about = fields[1].partition(":")
    names = dict(zip(NAMES, fields[3:], strict=True))
    return Event(
        ident=ident,
        agent=agent or "claude-code",
        name=name,
        pid=_pid(fields[2]),
        at=at,
        place=place_from(names),
        entrypoint=names["CLAUDE_CODE_ENTRYPOINT"][:40],
        payload=_payload(body),
        about=about,
    )


def _pid(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) > 0):
        raise Unreadable("no pid")
    return int(text)


def _payload(body: bytes) -> Mapping[str, object]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable("payload is not JSON") from error
    if not isinstance(payload, dict):
        raise Unreadable("payload is not an object")
    return payload
