"""Reads the words of a command; of one nobody knows it says what was probably meant.

Source: README.md, "The command line".
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, NoReturn

from flightdeck.commands.plain import harmless
from flightdeck.commands.result import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

# How argparse tells which word it does not take; one is a list of them.
_WRONG = re.compile(r"invalid choice: '(?P<one>[^']+)'|unrecognized arguments: (?P<all>.+)")


class Reader(argparse.ArgumentParser):
    """A parser whose every complaint ends with a way out."""

    def error(self, message: str) -> NoReturn:
        """End the process with the usage, the complaint and a hint."""
        self.print_usage(sys.stderr)
        meant = _meant(message, self)
        hint = f"did you mean '{meant}'?" if meant else f"`{self.prog} --help` says more"
        self.exit(Exit.USAGE, f"{self.prog}: {harmless(message)}\n  hint: {hint}\n")


def _meant(message: str, parser: argparse.ArgumentParser) -> str:
    """Return the word that comes nearest to the wrong one, "" where none does."""
    import difflib  # noqa: PLC0415 - only for a mistyped word

    wrong = _WRONG.search(message)
    if wrong is None:
        return ""
    word = wrong["one"] or wrong["all"].split()[0].partition("=")[0]
    return next(iter(difflib.get_close_matches(word, [*known(parser)], 1)), "")


def known(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Return the words a parser takes as they are, and those that parsers below it do."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask
        yield from action.option_strings
        yield from map(str, action.choices or ())
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            for below in action.choices.values():
                yield from known(below)
