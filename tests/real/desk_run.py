"""Opens a lab with a few desks and plays on them what verdicts, brakes and verbs do.

`python -m tests.real.desk_run [NAME...]` plays by hand and prints what was measured.
"""

from __future__ import annotations

import argparse
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from tests.real import (
    braking,
    client,
    deeds,
    letting_go,
    newcomer,
    verb_deeds,
    verb_keys,
    verb_places,
    verb_races,
    verb_turns,
)
from tests.real.deed_script import DEED_SCRIPTS
from tests.real.desk import DEEDS, ERRANDS, Desk
from tests.real.fake_api import FakeApi
from tests.real.judge import table
from tests.real.lab import REAPER, Lab, isolate, unshare_argv
from tests.real.panel import Installed, Watch
from tests.real.play import Play, Stage
from tests.real.run import Outcome, end_with_thread
from tests.real.thumb import NOTHING, Thumb
from tests.real.verb_script import VERB_SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DEEDS",
    "ERRANDS",
    "braking",
    "deeds",
    "letting_go",
    "newcomer",
    "play_deeds",
    "verb_deeds",
    "verb_keys",
    "verb_places",
    "verb_races",
    "verb_turns",
]
ALL = DEEDS | ERRANDS
DESKS = 4
ALL_S = 280.0  # the lab ends by itself in about 80 s


def play_deeds(names: Sequence[str], program: Path, root: Path) -> Outcome:
    """Play the named scenarios in a lab below `root`, an empty folder, and return the outcome.

    Raises:
        CalledProcessError: the lab itself broke; it has said why on standard error.
        TimeoutExpired: it took longer than `ALL_S`.
    """
    inside = [sys.executable, "-m", "tests.real.desk_run", "--inside", str(root), *names]
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "CLAUDE_BIN": str(program)}
    argv = [*unshare_argv(), *REAPER, *inside]
    subprocess.run(argv, cwd=client.ROOT, env=env, check=True, timeout=ALL_S)
    return Outcome.from_json((root / "result.json").read_text())


def _inside(root: Path, names: Sequence[str]) -> None:
    threading.excepthook = end_with_thread
    program = client.find()
    assert program, client.FETCH
    isolate(root, program.parent)
    api = FakeApi(DEED_SCRIPTS | VERB_SCRIPTS)
    api.start()
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in sorted(set(names), key=lambda n: -ALL[n].takes_s):
        waiting.put(name)
    outcome, door = Outcome(), threading.RLock()
    labs = [Lab(root / f"desk{n}", program, api) for n in range(min(DESKS, len(names)))]
    desks = [threading.Thread(target=_desk, args=(lab, door, waiting, outcome)) for lab in labs]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()
    (root / "result.json").write_text(outcome.to_json())


def _desk(
    lab: Lab, door: threading.RLock, waiting: queue.SimpleQueue[str], outcome: Outcome
) -> None:
    lab.lay(list(ALL))
    panel = Installed(lab, ("--layout", str(lay_keys(lab.root))))
    stage = Stage(lab, Watch(panel, []), door=door)
    stage.install()
    stage.watch.start()
    thumb = Thumb(lab)
    while True:
        try:
            name = waiting.get_nowait()
        except queue.Empty:
            break
        _one(Desk(Play(name, stage), panel, thumb), outcome)
    outcome.faults += panel.faults()


def lay_keys(folder: Path) -> Path:
    """Write the shipped layout with the two verbs it has no key for in the place of two others."""
    layout = folder / "keys.yaml"
    shown = (shipped.folder("layouts") / "xl.yaml").read_text()
    layout.write_text(shown.replace("verb push", "verb fork").replace("verb pr", "verb confirm"))
    return layout


def _one(desk: Desk, outcome: Outcome) -> None:
    name = desk.play.name
    try:
        desk.thumb.shows("approve", NOTHING)
        ALL[name].play(desk)
    except Exception:  # whatever it is, the others are played and this one is told
        screens = "\n".join(session.screen() for session in desk.play.sessions)
        outcome.trouble[name] = f"{traceback.format_exc()}\n{screens}"
    outcome.rows += desk.play.rows
    desk.play.close_all()
    if desk.panel.process is None or desk.panel.process.poll() is not None:
        desk.panel.start()


def main(argv: Sequence[str] | None = None) -> None:
    """Play by hand, or, with `--inside`, be the lab's first program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--inside", type=Path)
    words = parser.parse_args(argv)
    if words.inside:
        _inside(words.inside, words.names)
        return
    program = client.find()
    if program is None:
        parser.error(f"no client: `{client.FETCH}`")
    root = Path(tempfile.mkdtemp(prefix="flightdeck-lab-"))
    try:
        outcome = play_deeds(words.names or list(ALL), program, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    report = [table(outcome.rows)] if outcome.rows else []
    report += [*(f"{n}: {why}" for n, why in outcome.trouble.items()), outcome.faults]
    sys.stdout.write("\n".join(report) + "\n")


if __name__ == "__main__":
    main()
