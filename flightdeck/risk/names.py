"""What a table calls a program, whatever it is called on a line.

Source: risk/README.md, "A file".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.risk.globs import is_glob, one_of, short, text_source

if TYPE_CHECKING:
    from flightdeck.model.risk import Table

# A program no rule names; no program can be called so.
OTHER = "\0"
_ANY_PROGRAM = "*"


class Names:
    """What a table calls a program, whatever it is called on a line.

    Programs no rule names are all alike to it, and called `OTHER`: so what is kept by
    name is bounded, and holds nothing of a command.
    """

    def __init__(self, table: Table) -> None:
        self._exact = {a: name for a, name in table.aliases.items() if not is_glob(a)}
        self._globs = [
            (re.compile(text_source(a)), name) for a, name in table.aliases.items() if is_glob(a)
        ]
        commands = [c for rule in table.rules for c in (*rule.programs, *rule.sources)]
        firsts = {command.words[0] for command in commands}
        self._known = {key.split(" ", 1)[0] for key in table.readings} | firsts | {"", OTHER}
        self._wild = one_of(text_source(one) for one in firsts - {_ANY_PROGRAM} if is_glob(one))
        self._found: dict[str, str] = {}
        self._fits: dict[str, re.Pattern[str]] = {}

    def program(self, name: str) -> str:
        """Return the name of a program on a line: in the table, fit for a glob there, or OTHER."""
        found = self.of(name)
        if found in self._known or self._wild.fullmatch(short(found)):
            return found
        return OTHER

    def knows(self, program: str) -> bool:
        """Return whether a program is named in the table, and not only fit for a glob there."""
        return program in self._known

    def of(self, name: str) -> str:
        """Return the name a name stands for."""
        found = self._found.get(name)
        if found is None:
            found = self._look_up(name)
            if found in self._known and (found == name or name in self._exact):
                self._found[name] = found
        return found

    def fit(self, first: str, program: str) -> bool:
        """Return whether the first word of a command is this program, by its name in the table."""
        if first == _ANY_PROGRAM:
            return program != ""
        if not is_glob(first):
            return self.of(first) == program
        glob = self._fits.get(first)
        if glob is None:
            glob = self._fits[first] = re.compile(text_source(first), re.DOTALL)
        return glob.fullmatch(short(program)) is not None

    def _look_up(self, program: str) -> str:
        small = program.removesuffix(".exe").lower()
        for name in (program, program.removesuffix(".exe"), small):
            if name in self._exact:
                return self._exact[name]
            if name in self._known:
                return name
        for glob, name in self._globs:
            if glob.fullmatch(short(small)):
                return name
        return program
