"""How dangerous a tool call is: tiers, the rules that say so, and a judgement.

A tier only ever adds friction to a prompt its operator is already shown; it removes
none and grants nothing. Types only: `flightdeck.risk` asks the rules.

Source: risk/README.md.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.model.shell import Programs

if TYPE_CHECKING:
    from collections.abc import Mapping

# A condition of several lines: one of the words of each line must be there.
Lines = tuple[tuple[str, ...], ...]


class Tier(enum.Enum):
    """How dangerous a call is; the value is its name in state files and rules."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was decided of a call: its tier, the rule that decided it, and why.

    `rule` is empty where none spoke. `span` is where in the judged text the rule
    tripped, start and end in characters, None where no part of a text did.
    """

    tier: Tier
    rule: str = ""
    why: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A program with the operands it begins with, and options of which one must be there.

    `words` are globs, the program first; `**` stands for any number of operands.
    """

    words: tuple[str, ...]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How the words of a program are read.

    `values` are its options that take the next word as their value. `options` are long
    options it has, so that none of them is taken for another one cut short. `code` are
    the options whose value is code, `*` for every operand. `before` says that options
    ahead of the subcommand are not the subcommand's: `git -C` is not `git branch -C`.
    """

    values: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    before: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what must be true of a call for it to speak; all of it, where given.

    The fields are those of a rule file, in its order; risk/README.md tells each. `least`
    and `most` are `count`, `sources` is `from`. `local` says that it is the user's own.
    """

    name: str
    tier: Tier
    why: str
    local: bool = False
    tools: tuple[str, ...] = ()
    programs: tuple[Command, ...] = ()
    flags: Lines = ()
    before: Lines = ()
    without: tuple[str, ...] = ()
    operands: Lines = ()
    only: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    code: Lines = ()
    without_code: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    sources: tuple[Command, ...] = ()
    wrapper: tuple[str, ...] = ()
    assigns: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    empties: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    bomb: bool = False
    names: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    input: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def of_surroundings(self) -> bool:
        """Whether it speaks of what stands around a program, not of the program alone.

        A user's own rule about a program does not silence a shipped one of this kind:
        whoever lowers `make` has not said anything about `sudo make`.
        """
        around = (self.sources, self.wrapper, self.assigns, self.writes, self.empties, self.reads)
        return self.bomb or any(around)

    @property
    def lowers(self) -> bool:
        """Whether it can make a call less dangerous than it would be without the rule."""
        return self.tier is Tier.LOW or (self.local and self.tier is Tier.MEDIUM)


@dataclass(frozen=True, slots=True)
class Table:
    """Rules and all they lean on, compiled.

    `readings` are by program and the operands it begins with (`git push`), `aliases` by
    name or glob. `targets` are named classes of paths, `groups` of commands.
    """

    rules: tuple[Rule, ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, tuple[Command, ...]] = field(default_factory=dict)
    programs: Programs = field(default_factory=Programs)
