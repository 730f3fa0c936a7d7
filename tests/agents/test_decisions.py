"""A decision as the client's hook prints it, beside outputs the client was seen to obey."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.agents.claude_code.kind import ClaudeCode
from flightdeck.model.decision import Decision

OUTPUTS = Path(__file__).parent / "outputs"
PUSH = (
    '[{"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "git push *"}],'
    ' "behavior": "allow", "destination": "localSettings"}]'
)
words = st.one_of(st.text(), st.text(alphabet="\n\r\x00\u2028\ud83d\"'\\"))


def answer(decision: Decision) -> str:
    return ClaudeCode({}).answer(decision)


def obeyed(name: str) -> Any:
    """Return an output the client obeyed."""
    return json.loads((OUTPUTS / f"PermissionRequest-{name}.json").read_bytes())


@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("allow", Decision(allow=True)),
        ("allow-remember", Decision(allow=True, permissions=PUSH)),
        ("deny", Decision(allow=False, message="Explain first what this does and why.")),
        ("deny-interrupt", Decision(allow=False, message="Stop.", interrupt=True)),
    ],
)
def test_decision_is_told_as_the_client_was_seen_to_obey_it(name: str, decision: Decision) -> None:
    assert json.loads(answer(decision)) == obeyed(name)


def test_allow_carries_neither_a_message_nor_an_interruption() -> None:
    told = json.loads(answer(Decision(allow=True, message="no", interrupt=True)))
    assert told == obeyed("allow")


def test_deny_writes_nothing_down() -> None:
    told = json.loads(answer(Decision(allow=False, message="no", permissions=PUSH)))
    assert "updatedPermissions" not in told["hookSpecificOutput"]["decision"]


@given(words, st.booleans())
def test_whatever_the_message_the_answer_is_one_plain_line(message: str, interrupt: bool) -> None:
    line = answer(Decision(allow=False, message=message, interrupt=interrupt))
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["hookSpecificOutput"]["decision"]["message"] == message


@pytest.mark.parametrize("permissions", ["{", "7", "null", '{"type": "addRules"}', '"x"'])
def test_permissions_that_are_no_suggestion_are_never_printed(permissions: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        answer(Decision(allow=True, permissions=permissions))
