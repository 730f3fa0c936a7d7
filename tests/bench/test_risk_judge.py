"""What judging a call costs, beside reading the same text as JSON and hashing it.

Source: README.md, "Figures"; risk/README.md, "Compiled".
"""

from __future__ import annotations

import hashlib
import json
import statistics
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.fold.rulecheck import shipped_table
from flightdeck.risk.judge import TableJudge
from tests.bench.figures import Budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_CORPUS = Path(__file__).parent.parent / "risk" / "corpus.jsonl"
_ROUNDS = 5
_KB = 10_240
_MEDIAN = Budget("≤ 0.5 ms", most=0.5)
_LONG = Budget("≤ 5 ms", most=5.0)
_ANY = Budget("≤ 50 ms", most=50.0)

_LONG_ONES = {
    "a here-document": "cat > notes.md <<'END'\n" + "never run rm -rf / here\n" * 430 + "END",
    "a message": "git commit -m '" + "words of a message\n" * 540 + "'",
    "a program": 'python3 -c "' + "import os; print(1)\n" * 510 + '"',
    "file names": "pytest " + " ".join(f"tests/test_{n}.py" for n in range(600)),
    "a script": "for f in *.py; do\n  grep -q x $f && sed -n 1p $f | head -1\ndone\n" * 150,
}

_HOSTILE = {
    "1 MB of words": "a " * 500_000,
    "1 MB in one word": "a" * 1_000_000,
    "brackets": "(" * _KB,
    "substitutions": "echo $(" * 3_000,
    "pipes": "x | " * 5_000,
    "commands": "\n".join(f"cp src/f{n}.py dst/f{n}.py" for n in range(400)),
    "operands": "cat " + " ".join(f"../x/./a{n}/../b" for n in range(500)),
    "wrappers": "sudo env nice " * 1_000 + "ls",
    "here-documents": "cat <<A\n" * 1_000,
    "braces": "{a,b}" * 2_000,
    "odd characters": "ls \0 \ud800 \x1b" * 1_000,
}


def _took_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU of the quietest of some rounds."""
    took = []
    for _ in range(_ROUNDS):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took) * 1000


def _beside_json(
    judge: TableJudge, tool: str, tool_input: dict[str, object]
) -> tuple[float, float]:
    """Return what a call takes, and what reading and hashing its text takes."""
    text = json.dumps({"tool": tool, "input": tool_input})
    ours = _took_ms(lambda: judge(tool, tool_input))
    theirs = _took_ms(lambda: (json.loads(text), hashlib.sha256(text.encode()).digest()))
    return ours, theirs


@pytest.fixture(scope="module")
def judge() -> TableJudge:
    """The shipped rules, each of them asked once."""
    made = TableJudge(shipped_table())
    for call in _calls():
        made(call["tool"], call["input"])
    return made


def _calls() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _CORPUS.read_text(encoding="utf-8").splitlines()]


def test_ordinary_call(judge: TableJudge, figures: Figures) -> None:
    took = [_beside_json(judge, call["tool"], call["input"]) for call in _calls()]
    ours = statistics.median(one for one, _ in took)
    theirs = statistics.median(one for _, one in took)
    what = f"a call judged, median of {len(took)}"
    figures.put(what, f"{ours:.2f} ms, {ours / theirs:.0f} x reading it as JSON", _MEDIAN, ours)


@pytest.mark.parametrize("what", _LONG_ONES)
def test_long_call(what: str, judge: TableJudge, figures: Figures) -> None:
    command = _LONG_ONES[what]
    ours, theirs = _beside_json(judge, "Bash", {"command": command})
    told = f"a call of {len(command) / 1024:.0f} KB judged, {what}"
    figures.put(told, f"{ours:.2f} ms, {ours / theirs:.0f} x reading it as JSON", _LONG, ours)


def test_call_made_to_hurt(judge: TableJudge, figures: Figures) -> None:
    took = {what: _took_ms(partial(judge, "Bash", {"command": c})) for what, c in _HOSTILE.items()}
    worst = max(took, key=lambda what: took[what])
    told = f"the worst of {len(took)} calls made to hurt"
    figures.put(told, f"{took[worst]:.1f} ms ({worst})", _ANY, took[worst])
