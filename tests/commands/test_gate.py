"""`flightdeck gate`: a session is guarded from a terminal, and its calls are checked."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.cli import main
from flightdeck.store import gates
from tests.commands.running import FLIGHTDECK
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fold.world import Machine


class Payload:
    """Standard input with these bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: bytes
) -> tuple[int, str]:
    """Return how a check of a payload ended, and what it printed."""
    monkeypatch.setattr(sys, "stdin", Payload(data))
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)
    code = main(["gate", "--check", "PreToolUse"])
    return code, capsys.readouterr().out


def call(command: str) -> bytes:
    told = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/R/app"}
    return json.dumps(told).encode() + b"\n"


def reason(out: str) -> str:
    told: dict[str, Any] = json.loads(out)["hookSpecificOutput"]
    assert (told["hookEventName"], told["permissionDecision"]) == ("PreToolUse", "deny")
    return str(told["permissionDecisionReason"])


def test_session_is_gated_and_the_gate_opened_again(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s-1")
    assert main(["gate", "0"]) == 0
    assert capsys.readouterr().out == "slot 0 is GUARDED: its high-risk calls are refused\n"
    assert gates.standing(machine.folder) == {"s-1"}
    assert machine.snapshot()["slots"][0]["gated"] is True
    assert main(["gate", "0", "--off"]) == 0
    assert capsys.readouterr().out == "slot 0 is not gated\n"
    assert gates.standing(machine.folder) == frozenset()
    assert machine.snapshot()["slots"][0]["gated"] is False


def test_session_whose_id_is_not_known_is_refused(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.says(machine.agent(), "UserPromptSubmit", prompt="x")
    assert main(["gate", "0"]) == 1
    assert "the id of this session is not known yet" in capsys.readouterr().err


def test_slot_must_be_named_and_somebody_in_it(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate"]) == 2
    assert "no slot is named" in capsys.readouterr().err
    assert main(["gate", "0"]) == 1
    assert "slot 0 is empty" in capsys.readouterr().err


def test_check_is_not_offered_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--help"]) == 0
    assert "--check" not in capsys.readouterr().out


def test_harmless_call_passes_with_one_word(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(monkeypatch, capsys, call("ls")) == (0, "pass\n")


def test_high_call_is_refused_with_the_rules_why(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = check(monkeypatch, capsys, call("sudo rm -rf / # SECRET"))
    assert code == 1
    assert reason(out).startswith(
        "flightdeck: this session is GUARDED, and the call is high risk: "
    )
    assert "SECRET" not in out


@pytest.mark.parametrize("data", [b"", b"{\n", b'{"tool_name": "Bash"}\n', b"\xff\n"])
def test_payload_that_cannot_be_read_is_refused(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    data: bytes,
) -> None:
    code, out = check(monkeypatch, capsys, data)
    assert code == 1
    assert "the call cannot be judged" in reason(out)


def test_broken_rule_file_is_named_to_the_agent(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.folder.risk.mkdir()
    (machine.folder.risk / "mine.yaml").write_text("rules: no\n", encoding="utf-8")
    code, out = check(monkeypatch, capsys, call("ls"))
    assert code == 1
    assert "mine.yaml:1" in reason(out)


def test_fault_of_our_own_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError("SECRET")

    monkeypatch.setattr("flightdeck.fold.gating.objection", fail)
    code, out = check(monkeypatch, capsys, call("ls"))
    assert code == 1
    assert "the call cannot be judged (RuntimeError)" in reason(out)


def test_check_that_gets_no_payload_ends_by_itself(home: Path) -> None:
    ours, theirs = os.pipe()
    script = "import flightdeck.commands.gate as g; g.CHECK_S = 0.2; "
    script += "from flightdeck.cli import main; main(['gate', '--check', 'PreToolUse'])"
    try:
        done = subprocess.run(
            [FLIGHTDECK[0], "-c", script],
            stdin=ours,
            capture_output=True,
            timeout=DEADLINE_S,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode < 0
    assert done.stdout == b""
