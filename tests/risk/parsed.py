"""What the parser's tests ask of a command line, in few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.risk.script import parse
from tests.risk.programs import PROGRAMS

if TYPE_CHECKING:
    from flightdeck.model.shell import Invocation, Script


def script(command: str) -> Script:
    """Return the script of a command line."""
    return parse(command, PROGRAMS)


def runs(command: str) -> list[str]:
    """Return each program that runs with its words, its wrappers in front: `sudo>rm -r x`."""
    return [told(one) for one in script(command).invocations]


def told(one: Invocation) -> str:
    """Return an invocation as a line."""
    return ">".join((*one.wrappers, " ".join((one.program, *(w.text for w in one.words)))))


def only(command: str, program: str) -> Invocation:
    """Return the one invocation of a program."""
    found = [one for one in script(command).invocations if one.program == program]
    assert len(found) == 1, [told(one) for one in script(command).invocations]
    return found[0]


def names(invocations: tuple[Invocation, ...]) -> list[str]:
    """Return the programs of some invocations."""
    return [one.program for one in invocations]
