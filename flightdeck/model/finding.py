"""What `doctor` says of one thing it looked at, and the one thing that mends it.

A sentence has places, and what fills them is given beside it. So the same finding can be
told whole to the person it belongs to, and with every value left out that others must not
read: what stands in a public sentence was let in by its type, not kept out by a search.

Source: README.md, "Doctor".
"""

from __future__ import annotations

import enum
import shlex
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Level(enum.Enum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


class Known(str):
    """A word everybody may read: ours, a version, the name of somebody's product."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `hint` is the command or edit that mends it.

    Both are sentences with places such as `{file}`, filled from `said`.
    """

    level: Level
    text: str
    hint: str = ""
    said: Mapping[str, object] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """The sentence whole."""
        return self.text.format_map(self.said)

    @property
    def mend(self) -> str:
        """The hint whole, "" if there is nothing to do; its paths as a shell takes them."""
        return self.hint.format_map({name: _in_shell(it) for name, it in self.said.items()})

    @property
    def public(self) -> tuple[str, str]:
        """Sentence and hint with numbers and known words only; the rest by the name of its place.

        >>> warning("{file} is {age} s old", file="/home/me/x", age=3).public
        ('<file> is 3 s old', '')
        """
        shown = {name: _public(name, value) for name, value in self.said.items()}
        return self.text.format_map(shown), self.hint.format_map(shown)


def ok(text: str, /, **said: object) -> Finding:
    """Return that something is as it should be."""
    return Finding(Level.OK, text, "", said)


def warning(text: str, hint: str = "", /, **said: object) -> Finding:
    """Return that something is missing or will be missed."""
    return Finding(Level.WARNING, text, hint, said)


def failure(text: str, hint: str = "", /, **said: object) -> Finding:
    """Return that something does not work."""
    return Finding(Level.FAILURE, text, hint, said)


def _public(name: str, value: object) -> object:
    return value if isinstance(value, int | float | Known) else f"<{name}>"


def _in_shell(value: object) -> object:
    return shlex.quote(str(value)) if isinstance(value, PurePath) else value
