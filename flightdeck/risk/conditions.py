"""Conditions of a rule, compiled: each is asked of a call and says where it holds.

Source: risk/README.md, "A rule" and "Proof".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.risk.phrases import phrase
from flightdeck.risk.tokens import UNSEEN, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flightdeck.model.risk import Lines
    from flightdeck.model.shell import Redirect, Span
    from flightdeck.risk.calls import Call
    from flightdeck.risk.options import Option
    from flightdeck.risk.places import Places
    from flightdeck.risk.tokens import Named

    # Where a condition holds, None where it does not.
    Check = Callable[[Call], "Span | None"]
    Given = Callable[[Option, Call], bool]


# From so many operands on, what none of them can be is looked for first.
_MANY = 16


class Conditions:
    """Makes checks out of what a rule says.

    With `proof`, for rules that lower a tier, they hold only where there is no doubt.
    """

    def __init__(self, places: Places, named: Named, *, proof: bool = False) -> None:
        self._proof = proof
        self.tokens = Tokens(places, named, proof=proof)

    def flags(self, lines: Lines, *, early: bool = False) -> list[Check]:
        """Return a check a line: one of its options is given."""
        return [self._any_flag(line, early=early) for line in lines]

    def without(self, tokens: Sequence[str]) -> Check:
        """Return the check that none of these options is given.

        A doubt whether one is goes against whoever has it: for a rule that raises it is
        none, for one that lowers it is one.
        """
        given = self._given(tokens, surely=not self._proof)
        taken_back = {"--no-" + token.partition("=")[0].removeprefix("--") for token in tokens}

        def check(call: Call) -> Span | None:
            options = call.given.own
            if not any(given(option, call) for option in options):
                return call.head
            back = not self._proof and any(option.name in taken_back for option in options)
            return call.head if back else None

        return check

    def operands(self, line: Sequence[str]) -> Check:
        """Return the check that an operand is one of these."""
        asked = self.tokens.line([token for token in line if token != UNSEEN])
        unseen = UNSEEN in line

        def check(call: Call) -> Span | None:
            operands = call.given.operands
            if len(operands) < _MANY or asked.may_hold(call):
                for word in operands[call.skip :]:
                    if asked.holds(call, word):
                        return word.span
            return call.head if unseen and call.invocation.more else None

        return check

    def only(self, tokens: Sequence[str]) -> Check:
        """Return the check that there are operands, all of them surely one of these."""
        inside = self.tokens.surely(tokens)

        def check(call: Call) -> Span | None:
            operands = call.given.operands[call.skip :]
            if operands and not call.invocation.more and all(map(inside, operands)):
                return operands[-1].span
            return None

        return check

    def outside(self, tokens: Sequence[str]) -> Check:
        """Return the check that not all operands are surely one of these."""
        only = self.only(tokens)
        return lambda call: call.head if only(call) is None else None

    def counted(self, least: int, most: int | None) -> Check:
        """Return the check that there are so many operands."""

        def check(call: Call) -> Span | None:
            count = len(call.given.operands) - call.skip
            if call.invocation.more:  # at least one more, nobody knows how many
                fits = most is None if self._proof else most is None or count < most
                return call.head if fits else None
            return call.head if count >= least and (most is None or count <= most) else None

        return check

    def redirects(self, tokens: Sequence[str], of: Callable[[Call], list[Redirect]]) -> Check:
        """Return the check that one of some redirections goes to one of these."""
        asked = self.tokens.line(tokens, path=True)

        def check(call: Call) -> Span | None:
            for redirect in of(call):
                if asked.holds(call, redirect.target):
                    return redirect.target.span
            return None

        return check

    def _any_flag(self, line: Sequence[str], *, early: bool) -> Check:
        asked = self._given(line, surely=self._proof)

        def check(call: Call) -> Span | None:
            given = call.given
            for option in given.options if early else given.own:
                if (option.early or not early) and asked(option, call):
                    return option.word.span
            return None

        return check

    def _given(self, tokens: Iterable[str], *, surely: bool) -> Given:
        flags = [self.tokens.flag(token) for token in tokens]
        tests = [flag.spelled_by if surely else flag.given_by for flag in flags]
        return lambda option, call: any(test(option, call) for test in tests)


def phrases(written: Iterable[str]) -> Callable[[str], bool]:
    """Return whether a text made by `plain` holds one of these phrases."""
    told = [phrase(one) for one in written]
    return lambda text: any(one.is_in(text) for one in told)
