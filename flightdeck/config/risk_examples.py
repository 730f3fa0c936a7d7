"""Whether the rules of a file do what their own examples say.

It is told how to judge; it knows no rule itself.

Source: risk/README.md, "Examples".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.reader import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.config.risk import RiskFile
    from flightdeck.config.risk_rule import Example
    from flightdeck.errors import Problem
    from flightdeck.model.risk import Judgement

    Decide = Callable[[str, object], Judgement]
    Speaking = Callable[[str, object], frozenset[str]]

_LOOK = "see what its words are taken for: flightdeck risk --explain"


def failing(file: RiskFile, decide: Decide, speaking: Speaking) -> Iterator[Problem]:
    """Yield a problem for each example that is not as its rule says.

    `decide` judges a call by the table of `file`; `speaking` names all the rules that
    speak of it.
    """
    for example in file.examples:
        told = (_missed if example.wanted else _caught)(example, decide, speaking)
        if told and file.document:
            yield file.document.problem(example.at.span, *told)


def _missed(example: Example, decide: Decide, speaking: Speaking) -> tuple[str, str] | None:
    judged = decide(example.tool, example.input)
    if judged.rule == example.rule and judged.tier is example.tier:
        return None
    rule = quoted(example.rule)
    if not judged.rule:
        return f"{rule} does not match this: {judged.tier.value}, {judged.why}", _LOOK
    took = f"{quoted(judged.rule)} takes it, {judged.tier.value}"
    if example.rule in speaking(example.tool, example.input):
        hint = f"give the example to {quoted(judged.rule)}, or narrow that rule"
        return f"{rule} matches this, but {took}", hint
    return f"{rule} does not match this: {took}", _LOOK


def _caught(example: Example, _decide: Decide, speaking: Speaking) -> tuple[str, str] | None:
    if example.rule not in speaking(example.tool, example.input):
        return None
    return f"{quoted(example.rule)} matches this, which it spares", "narrow the rule, or move it"
