"""The shipped table against calls whose tier is known: corpus.jsonl.

The corpus is a file of JSON lines: a tool, its input, the tier the call must get, and
why. Approving a dangerous call too easily costs most, so no high call may come out low;
crying wolf wears the second press out, so hardly any other call may come out high.

Source: risk/README.md; git(1); bash(1).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from flightdeck.fold.rulecheck import in_folder, problems_of, shipped_table
from flightdeck.model.risk import Tier
from flightdeck.risk.judge import TableJudge
from flightdeck.shipped import folder

# A thousand calls: what they run is counted where each rule of judging has a test of its own.
pytestmark = pytest.mark.no_cover
CORPUS = Path(__file__).with_name("corpus.jsonl")
HOME = "/home/dev"


@dataclass(frozen=True)
class Call:
    """A call and the tier it must get."""

    tool: str
    input: dict[str, object]
    tier: Tier
    why: str


CALLS = [
    Call(told["tool"], told["input"], Tier(told["tier"]), told["why"])
    for told in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
]


@pytest.fixture(scope="module")
def judge() -> TableJudge:
    return TableJudge(shipped_table(), HOME)


def _wrong(judge: TableJudge, calls: list[Call]) -> dict[str, Call]:
    """Return the calls that are not judged as they must be, by what is said of them."""
    judged = ((call, judge(call.tool, call.input)) for call in calls)
    return {
        f"{call.tier.value} came out {told.tier.value} by {told.rule or 'no rule'}: {call}": call
        for call, told in judged
        if told.tier is not call.tier
    }


def _of(*tiers: Tier) -> list[Call]:
    return [call for call in CALLS if call.tier in tiers]


def test_the_corpus_is_large_and_of_every_tier() -> None:
    assert len(CALLS) >= 2_500
    assert min(len(_of(tier)) for tier in Tier) >= 100


def test_no_dangerous_call_comes_out_low(judge: TableJudge) -> None:
    low = [c for c in _of(Tier.HIGH) if judge(c.tool, c.input).tier is Tier.LOW]
    assert low == []


def test_hardly_a_dangerous_call_escapes(judge: TableJudge) -> None:
    high = _of(Tier.HIGH)
    wrong = _wrong(judge, high)
    assert len(wrong) <= len(high) * 0.02, "\n".join(wrong)


def test_hardly_another_call_is_called_dangerous(judge: TableJudge) -> None:
    others = _of(Tier.MEDIUM, Tier.LOW)
    wrong = [c for c in others if judge(c.tool, c.input).tier is Tier.HIGH]
    assert len(wrong) <= len(others) * 0.03, "\n".join(map(str, wrong))


def test_nine_calls_of_ten_get_the_very_tier(judge: TableJudge) -> None:
    wrong = _wrong(judge, CALLS)
    assert len(wrong) <= len(CALLS) * 0.1, "\n".join(wrong)


def test_every_example_of_the_shipped_rules_holds() -> None:
    problems = problems_of(in_folder(folder("risk")))
    assert [str(one) for file in problems.values() for one in file] == []
