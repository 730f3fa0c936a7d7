"""Verbs on their way, raced at random: each arrives once or never, and what is told is true.

True hooks in true shells, true panels that are killed, a true queue and true folds from
other processes; only the windows and the agents' records are stood in for. What may happen
is drawn from numbers. `python -m tests.panel.verb_soak --rounds 1000` goes on for longer.
"""

from __future__ import annotations

import secrets
import subprocess
import sys

_ROUNDS = 50


def test_verb_arrives_once_or_never_whatever_comes_in_between() -> None:
    seed = str(secrets.randbelow(2**31))  # a failing round tells its own
    soak = [sys.executable, "-m", "tests.panel.verb_soak", "--rounds", str(_ROUNDS), "--seed", seed]
    done = subprocess.run(soak, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
