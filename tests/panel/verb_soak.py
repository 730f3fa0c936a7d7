"""`python -m tests.panel.verb_soak --rounds N --seed S`: race verbs, and count what came of it.

Each round is the tale of one number, S and those after it, in a process of its own. One in
which a rule was broken is printed with its number, the tale and what was seen; `--rounds 1
--seed NUMBER` tells it again, though not always in the same order.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import pickle
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.panel.verb_panel import Verbs
from tests.panel.verb_round import run_round
from tests.panel.verb_seen import story
from tests.panel.verb_tales import draw

_HANGS_S = 90.0


@dataclass
class Came:
    """What came of rounds."""

    rounds: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)


def main() -> int:
    """Run the rounds; the exit code is 1 if a rule was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", type=int, default=4, help="how many are told side by side")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as nowhere:
        Verbs.read(Path(nowhere))
    came = soak(range(arguments.seed, arguments.seed + arguments.rounds), arguments.beside)
    for what, times in sorted(came.counts.items()):
        sys.stdout.write(f"{times:8} {what}\n")
    sys.stdout.write(f"{came.rounds:8} rounds, {len(came.broken)} broken\n")
    return bool(came.broken)


def soak(seeds: range, beside: int) -> Came:
    """Tell the tales of these numbers, so many at a time."""
    came, waiting = Came(), list(reversed(seeds))
    running: dict[int, tuple[int, Path]] = {}
    while waiting or running:
        while waiting and len(running) < beside:
            seed = waiting.pop()
            home = Path(tempfile.mkdtemp(prefix="fd-", dir=_fast()))
            running[_fork(seed, home)] = seed, home
        pid, status = os.wait()
        if pid in running:
            seed, home = running.pop(pid)
            _take(came, seed, home / "came", status)
            shutil.rmtree(home, ignore_errors=True)
    return came


def _fast() -> str | None:
    """Return a folder in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _fork(seed: int, home: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    faulthandler.dump_traceback_later(_HANGS_S, exit=True)
    try:
        (home / "h").mkdir()
        account = run_round(home / "h", draw(seed))
        came = account.faults, account.counts, story(account.seen)
        (home / "came").write_bytes(pickle.dumps(came))
    except BaseException:
        (home / "came").write_bytes(pickle.dumps(([traceback.format_exc()], Counter(), [])))
    finally:
        os._exit(0)


def _take(came: Came, seed: int, path: Path, status: int) -> None:
    came.rounds += 1
    try:
        faults, counts, lines = pickle.loads(path.read_bytes())
    except (OSError, EOFError):
        faults, counts, lines = [f"it hung or crashed: {status}"], Counter(), []
    came.counts.update(counts)
    if faults:
        came.broken.append(f"{seed}")
        told = [str(draw(seed)), *(f"  ! {fault}" for fault in faults), *lines]
        sys.stdout.write("\n".join(told) + "\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
