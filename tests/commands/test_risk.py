"""`flightdeck risk`: risk/README.md, "The command"."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RULES = """
targets:
  yours: ~/.yours/**
rules:
  frob:
    tier: high
    why: because
    program: frob
    flags: -f --force
    without: -n
    matches:
      - frob -f
    spares:
      - frob -fn
  yours:
    tier: high
    why: because
    tool: Write Put
    path: <yours>
    matches:
      - tool: Write
        input:
          path: ~/.yours/a
    spares:
      - frob -f
"""


@pytest.fixture(autouse=True)
def rules(home: Path) -> None:
    """Rules of the user's own: what is told must not hang on the shipped ones."""
    place = home / ".fleet" / "risk"
    place.mkdir(parents=True)
    (place / "mine.yaml").write_text(RULES, encoding="utf-8")


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["risk", *words]) == 0
    return capsys.readouterr().out


def fed(monkeypatch: pytest.MonkeyPatch, lines: Iterable[bytes]) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)))
    monkeypatch.setattr(sys, "stdin", stream)


def test_command_has_a_tier(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, "frob -f x") == "high\n"
    assert asked(capsys, "no-such-program") == "medium\n"


def test_rule_reason_and_place_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, "--explain", "ls &&\nfrob x -vf y").splitlines() == [
        "high",
        "  rule: frob",
        "  why:  because",
        "    frob x -vf y",
        "    ^^^^^^^^^^",
    ]


def test_place_that_spans_lines_is_underlined_on_each(capsys: pytest.CaptureFixture[str]) -> None:
    lines = asked(capsys, "--explain", "frob x \\\n -f").splitlines()
    assert lines[3:] == ["    frob x \\", "    ^^^^^^^^", "     -f", "    ^^^"]


def test_call_no_rule_speaks_of_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    lines = asked(capsys, "--explain", "").splitlines()
    assert lines == ["medium", "  rule: none", "  why:  there is nothing to judge"]


def test_explained_command_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in asked(capsys, "--explain", "frob\t'\x1b[2J' -f")


def test_judgement_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(asked(capsys, "--json", "frob -f")) == {
        "schema": "flightdeck.risk/1",
        "tier": "high",
        "rule": "frob",
        "why": "because",
        "span": [0, 7],
    }
    assert json.loads(asked(capsys, "--json", ""))["span"] is None


def test_other_tool_takes_its_input_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, "--tool", "Write", '{"file_path": "~/.yours/x"}') == "high\n"
    assert asked(capsys, "--tool", "Put", "[]") == "medium\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing to judge"),
        (["--stdin", "ls"], "both COMMAND and --stdin"),
        (["--tool", "Write", "x"], "the input of Write is not JSON"),
        (["--tool", "Write", "[" * 100_000], "the input of Write is not JSON"),
    ],
)
def test_call_that_cannot_be_made_is_told(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", *words]) == 1
    assert told in capsys.readouterr().err


def test_json_and_stdin_are_not_asked_for_at_once() -> None:
    assert main(["risk", "--json", "--stdin"]) == 2


def test_each_line_of_input_has_one_of_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fed(
        monkeypatch,
        [
            b'{"tool": "Bash", "input": {"command": "frob -f"}}',
            b'{"tool": "Write", "input": {"path": "~/.yours/x"}, "more": 1}',
            b'{"tool": "Bash", "input": {"command": "frob \\ud800 \\u0000 -f"}}',
            b'{"tool": "Bash", "input": {"command": "frob \xff -f"}}',
        ],
    )
    told = [json.loads(line) for line in asked(capsys, "--stdin").splitlines()]
    assert [(one["tier"], one["rule"]) for one in told] == [
        ("high", "frob"),
        ("high", "yours"),
        ("high", "frob"),
        ("high", "frob"),
    ]
    assert set(told[0]) == {"tier", "rule", "why"}


@pytest.mark.parametrize(
    "line",
    [b"", b"nope", b"[]", b"{}", b'{"tool": 1, "input": {}}', b'{"tool": "Bash", "input": "ls"}',
     b"[" * 100_000, b"\xff"],
    ids=lambda line: line[:20].decode(errors="replace"),
)  # fmt: skip
def test_line_that_is_no_call_is_medium_and_the_next_is_judged(
    line: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fed(monkeypatch, [line, b'{"tool": "Bash", "input": {"command": "frob -f"}}'])
    first, second = map(json.loads, asked(capsys, "--stdin").splitlines())
    assert (first["tier"], first["rule"]) == ("medium", "")
    assert first["why"].startswith("not a JSON object")
    assert second["rule"] == "frob"


def test_no_input_has_no_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fed(monkeypatch, [])
    assert asked(capsys, "--stdin") == ""


def test_line_is_answered_before_the_next_is_given() -> None:
    argv = [sys.executable, "-m", "flightdeck", "risk", "--stdin"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for command in (b"frob -f", b"frob"):
            process.stdin.write(b'{"tool": "Bash", "input": {"command": "%s"}}\n' % command)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["tier"] in {"high", "medium"}
        process.stdin.close()
        assert process.wait(timeout=30) == 0
