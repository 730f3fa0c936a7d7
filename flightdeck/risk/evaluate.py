"""How rules combine over a command line: program by program, the highest decides.

Source: risk/README.md, "What a call is judged by".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.risk import Judgement, Tier
from flightdeck.risk.calls import Call, Scene
from flightdeck.risk.globs import one_of, text_source
from flightdeck.risk.index import Index
from flightdeck.risk.matching import Asking
from flightdeck.risk.names import Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flightdeck.model.risk import Rule, Table
    from flightdeck.model.shell import Invocation, Script, Span
    from flightdeck.risk.places import Places

# The tools whose input is a command line.
SHELLS = ("Bash", "PowerShell")

ORDER = {Tier.LOW: 0, Tier.MEDIUM: 1, Tier.HIGH: 2}

_UNKNOWN = "no rule knows this program"
_UNNAMED = "which program runs is known only when it runs"
_UNREAD = "part of it cannot be read"
_WRITES = "it writes to a file"
_NOTHING = "nothing runs"
_EMPTY = "there is nothing to judge"


@dataclass(frozen=True, slots=True)
class Trip:
    """A rule that speaks of a call, and where."""

    rule: Rule
    span: Span | None

    def judgement(self) -> Judgement:
        """Return it as what is decided."""
        return Judgement(self.rule.tier, self.rule.name, self.rule.why, self.span)


def strongest(trips: Iterable[Trip]) -> Trip | None:
    """Return the trip that decides: the user's own rules before the shipped, then the highest."""
    found = list(trips)
    if len(found) < 2:
        return found[0] if found else None
    own = [trip for trip in found if trip.rule.local]
    return max(own or found, key=lambda trip: ORDER[trip.rule.tier])


class ShellRules:
    """The rules for commands of one shell, by the program they are about."""

    def __init__(self, table: Table, tool: str, places: Places) -> None:
        self._table = table
        self._places = places
        self._names = Names(table)
        self._bombs = [rule for rule in table.rules if rule.bomb]
        rules = [rule for rule in table.rules if is_for(rule, tool) and not rule.bomb]
        self._index = Index(rules, self._names, Asking(table, places, self._names))

    def judge(self, script: Script, cwd: str) -> Judgement:
        """Return what is decided of a command line that could be parsed or not."""
        scene = Scene(self._table.readings, self._places, cwd)
        worst = self._bomb(script)
        for invocation in script.invocations:
            if worst is not None and worst.tier is Tier.HIGH:
                return worst
            worst = _worse(worst, self._of(invocation, scene))
        if script.opaque:
            worst = _worse(worst, Judgement(Tier.MEDIUM, why=_UNREAD))
        return worst or Judgement(Tier.LOW, why=_NOTHING)

    def trips(self, script: Script, cwd: str) -> Iterator[Trip]:
        """Yield every rule that speaks of a command line, whether it decides or not."""
        scene = Scene(self._table.readings, self._places, cwd)
        if script.bomb is not None:
            yield from (Trip(rule, script.bomb) for rule in self._bombs)
        for invocation in script.invocations:
            yield from self._trips(Call(invocation, self._names.program(invocation.program), scene))

    def _bomb(self, script: Script) -> Judgement | None:
        if script.bomb is None:
            return None
        told = strongest(Trip(rule, script.bomb) for rule in self._bombs)
        return told.judgement() if told else Judgement(Tier.MEDIUM, why=_UNREAD)

    def _of(self, invocation: Invocation, scene: Scene) -> Judgement:
        call = Call(invocation, self._names.program(invocation.program), scene)
        trips = list(self._trips(call))
        around = strongest([trip for trip in trips if trip.rule.of_surroundings])
        itself = strongest([trip for trip in trips if not trip.rule.of_surroundings])
        told = itself.judgement() if itself else _unruled(call)
        floor = _floor(call, around)
        if floor is not None and ORDER[told.tier] < ORDER[floor.tier]:
            told = floor
        if around is not None and ORDER[told.tier] < ORDER[around.rule.tier]:
            return around.judgement()
        return told

    def _trips(self, call: Call) -> Iterator[Trip]:
        for matcher in self._index.about(call):
            span = matcher.trip(call)
            if span is not None:
                yield Trip(matcher.rule, span)


def is_for(rule: Rule, tool: str) -> bool:
    """Return whether a rule is about a tool; one that names none is about the shells."""
    if not rule.tools:
        return tool in SHELLS
    return one_of(map(text_source, rule.tools)).fullmatch(tool) is not None


def empty() -> Judgement:
    """Return what is decided of a call with nothing in it."""
    return Judgement(Tier.MEDIUM, why=_EMPTY)


def _worse(one: Judgement | None, other: Judgement) -> Judgement:
    return one if one is not None and ORDER[one.tier] >= ORDER[other.tier] else other


def _unruled(call: Call) -> Judgement:
    """Return what is decided of a program no rule is about."""
    if call.program:
        return Judgement(Tier.MEDIUM, why=_UNKNOWN, span=call.head)
    if call.invocation.path is not None:
        return Judgement(Tier.MEDIUM, why=_UNNAMED, span=call.head)
    return Judgement(Tier.LOW, why=_NOTHING, span=call.invocation.span)


def _floor(call: Call, around: Trip | None) -> Judgement | None:
    """Return the least that is decided of what writes to a file, None if nothing does.

    A rule may say that writing one file is harmless, not that writing two is.
    """
    writes = call.writes()
    if not writes:
        return None
    if len(writes) == 1 and around is not None and around.rule.writes:
        return around.judgement()
    return Judgement(Tier.MEDIUM, why=_WRITES, span=writes[0].target.span)
