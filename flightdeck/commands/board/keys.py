"""What was typed, from the bytes a terminal sends for it.

A verdict must be a key somebody pressed, so nothing else may look like one: not the tail
of an arrow key that came in two parts, not a letter with Alt, not a word of a pasted text.

Source: ECMA-48 (control sequences), xterm's control sequences (bracketed paste).
"""

from __future__ import annotations

import re

# What a terminal sends for a key that moves or opens; letters stand for themselves.
_NAMED = {
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\r": "enter",
    b"\n": "enter",
    b"\x7f": "backspace",
    b"\b": "backspace",
}
ESCAPE = "escape"
# Whatever is typed and is no key of the board, a whole pasted text too.
OTHER = ""

_ESC, _PASTE, _PASTED = b"\x1b", b"\x1b[200~", b"\x1b[201~"
_WHOLE = re.compile(
    rb"\x1b\[200~.*?\x1b\[201~"  # a pasted text
    rb"|\x1b\[(?!200~)[0-?]*[ -/]*[@-~]"  # a control sequence
    rb"|\x1bO."  # an arrow or function key in application mode
    rb"|\x1b[^\[O]"  # a key with Alt
    rb"|[^\x1b]",
    re.DOTALL,
)


class Keyboard:
    """Keys from bytes that may come in any parts."""

    def __init__(self) -> None:
        self._rest = b""

    def typed(self, data: bytes) -> list[str]:
        """Return the keys that are whole by now, in their order."""
        data = self._rest + data
        keys, end = [], 0
        while match := _WHOLE.match(data, end):
            keys.append(_key(match[0]))
            end = match.end()
        self._rest = _bounded(data[end:])
        return keys

    @property
    def unsure(self) -> bool:
        """Say whether an Escape has come that may be the first part of another key."""
        return self._rest == _ESC

    def silence(self) -> list[str]:
        """Return an Escape nothing came after as the key it is; the next one is its own."""
        keys = [ESCAPE] if self.unsure else []
        if not self._rest.startswith(_PASTE):
            self._rest = b""
        return keys


def _key(token: bytes) -> str:
    if token in _NAMED:
        return _NAMED[token]
    return token.decode() if len(token) == 1 and b" " < token < b"\x7f" else OTHER


def _bounded(rest: bytes) -> bytes:
    """Return what is needed of an unfinished sequence: a paste may be of any length."""
    if rest.startswith(_PASTE):
        return _PASTE + rest[len(_PASTE) :][-len(_PASTED) :]
    return rest[:64]
