"""What a permission request says beside that it asks: its tier, and what it offers to write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.model.risk import Judgement, Tier
from tests.agents.recorded import PAYLOADS, event, recorded

if TYPE_CHECKING:
    from flightdeck.model.signal import Signal

REQUESTS = [name for name in PAYLOADS if name.startswith("PermissionRequest-")]
RULE = recorded("PermissionRequest-Bash-rule-suggestion")
AT_MOST = 16 * 1024


class Judge:
    """Finds every call high, and remembers what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, object, str]] = []

    def __call__(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        self.asked.append((tool, tool_input, cwd))
        return Judgement(Tier.HIGH, "git/force-push", "rewrites what others have", (0, 3))


class Broken:
    """A judge with a bug."""

    def __call__(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        raise LookupError("rm -rf s3cret")


def only(payload: dict[str, Any], judge: Judge | Broken | None = None) -> Signal:
    (signal,) = agent_kinds(judge)["claude-code"].signals(event(payload))
    return signal


@pytest.mark.parametrize("name", REQUESTS)
def test_request_carries_the_tier_of_its_call_and_the_rule_that_decided(name: str) -> None:
    judge, payload = Judge(), recorded(name)
    signal = only(payload, judge)
    assert (signal.tier, signal.rule) == ("high", "git/force-push")
    assert judge.asked == [(payload["tool_name"], payload["tool_input"], payload["cwd"])]


@pytest.mark.parametrize("name", [n for n in PAYLOADS if n not in REQUESTS])
def test_nothing_else_is_judged(name: str) -> None:
    judge = Judge()
    agent_kinds(judge)["claude-code"].signals(event(recorded(name)))
    assert judge.asked == []


def test_request_without_a_judge_has_no_tier() -> None:
    assert (only(RULE).tier, only(RULE).rule) == ("", "")


def test_judge_that_fails_loses_no_request_and_tells_no_input(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert only(RULE, Broken()).tier == "medium"
    assert "LookupError" in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("name", REQUESTS)
def test_suggestions_are_kept_as_they_came(name: str) -> None:
    offered = recorded(name).get("permission_suggestions")
    kept = only(recorded(name)).suggestions
    assert (json.loads(kept) if kept else None) == offered


@pytest.mark.parametrize("value", [None, [], {}, "", "[1]", 7, True, {"type": "addRules"}])
def test_suggestions_that_are_none_are_empty(value: object) -> None:
    assert only(RULE | {"permission_suggestions": value}).suggestions == ""


def test_suggestions_too_long_to_keep_are_none() -> None:
    room = AT_MOST - len('[""]')
    for size, kept in ((room, True), (room + 1, False)):
        told = only(RULE | {"permission_suggestions": ["x" * size]}).suggestions
        assert bool(told) is kept


def test_suggestions_nested_too_deeply_are_none() -> None:
    deep: list[Any] = [1]
    for _ in range(100_000):
        deep = [deep]
    assert only(RULE | {"permission_suggestions": deep}).suggestions == ""
    while isinstance(deep, list):  # let go of it level by level: freeing it at once would recurse
        deep = deep[0]


def test_judged_input_is_kept_nowhere() -> None:
    secret = "Authorization: Bearer abc"
    signal = only(RULE | {"tool_input": {"command": f"curl -H '{secret}'"}}, Judge())
    assert secret not in repr(signal)
