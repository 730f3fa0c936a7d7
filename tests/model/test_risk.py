"""Risk rules as values."""

from __future__ import annotations

import pytest

from flightdeck.model.risk import Command, Rule, Tier

CURL = (Command(("curl",)),)


@pytest.mark.parametrize(
    "rule",
    [
        Rule("a", Tier.HIGH, "", sources=CURL),
        Rule("a", Tier.HIGH, "", programs=CURL, wrapper=("sudo",)),
        Rule("a", Tier.HIGH, "", assigns=("X",)),
        Rule("a", Tier.HIGH, "", writes=("x",)),
        Rule("a", Tier.HIGH, "", empties=("x",)),
        Rule("a", Tier.HIGH, "", reads=("x",)),
        Rule("a", Tier.HIGH, "", bomb=True),
    ],
)
def test_rule_about_what_stands_around_a_program_is_told_from_one_about_it(rule: Rule) -> None:
    assert rule.of_surroundings


def test_rule_about_a_program_and_its_words_is_of_no_surroundings() -> None:
    assert not Rule("a", Tier.HIGH, "", programs=CURL, flags=(("-r",),)).of_surroundings


@pytest.mark.parametrize(
    ("tier", "local", "expected"),
    [
        (Tier.LOW, False, True),
        (Tier.MEDIUM, True, True),
        (Tier.MEDIUM, False, False),
        (Tier.HIGH, True, False),
    ],
)
def test_rule_lowers_what_would_be_judged_higher_without_it(
    tier: Tier, local: bool, expected: bool
) -> None:
    assert Rule("a", tier, "", local=local).lowers is expected
