"""The verbs of a row, to choose one by name: typing narrows them down.

Pure: what is typed makes another menu. A character no name has is not taken, so a slip
leaves something to choose.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.commands.board.rows import Row

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_STEPS = {"up": -1, "down": 1}


class Deed(enum.Enum):
    """What is done with the verb that is chosen."""

    SEND = "send"
    STEER = "steer"


@dataclass(frozen=True, slots=True)
class Choice:
    """A verb, and what is to be known of it before it is chosen."""

    name: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """What can be chosen for the row it was opened at; `at` counts those that fit `typed`."""

    deed: Deed
    row: Row
    choices: tuple[Choice, ...]
    typed: str = ""
    at: int = 0

    @property
    def fitting(self) -> tuple[Choice, ...]:
        """Return those whose name holds what was typed; those it begins with come first."""
        known = [choice for choice in self.choices if self.typed in choice.name]
        return tuple(sorted(known, key=lambda choice: not choice.name.startswith(self.typed)))

    @property
    def chosen(self) -> Choice:
        """Return the one that Enter takes."""
        return self.fitting[self.at]

    def stands(self, row: Row | None) -> bool:
        """Say whether it is still about what its row shows by now."""
        if row is None or row.key != self.row.key:
            return False
        return self.deed is Deed.SEND or row.request_id == self.row.request_id

    def after(self, key: str) -> Menu:
        """Return the menu after one more key."""
        if key in _STEPS:
            at = self.at + _STEPS[key]
            return replace(self, at=max(0, min(at, len(self.fitting) - 1)))
        if key == "backspace":
            return replace(self, typed=self.typed[:-1], at=0)
        if key not in _LETTERS:
            return self
        narrower = replace(self, typed=self.typed + key, at=0)
        return narrower if narrower.fitting else self
