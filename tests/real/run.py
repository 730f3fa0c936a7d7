"""Opens the lab, plays the scenarios in a few lanes at once, and hands back what was found.

`python -m tests.real.run [--panel registry] [NAME...]` plays by hand and prints the table;
with `registry` the client's own records stand in for the panel, which shows what of a bad
table is the lab's.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.real import client, dialogs, focus, lives, turns
from tests.real.fake_api import FakeApi
from tests.real.judge import Judgement, Row, table
from tests.real.lab import REAPER, Lab, isolate, unshare_argv
from tests.real.panel import Installed, Panel, Registry, Watch
from tests.real.play import Play, Stage
from tests.real.scenario import SCENARIOS
from tests.real.script import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.real.session import Session

__all__ = ["SCENARIOS", "Outcome", "dialogs", "focus", "lives", "play_all", "turns"]
LANES = 4
ALL_S = 420.0  # the lab ends by itself in about 150 s


@dataclass(slots=True)
class Outcome:
    """What came of it: the judged phases, per scenario why it could not be played, what broke."""

    rows: list[Row] = field(default_factory=list)
    trouble: dict[str, str] = field(default_factory=dict)
    faults: str = ""

    def of(self, name: str) -> list[Row]:
        """Return the phases of one scenario."""
        return [row for row in self.rows if row.scenario == name]

    def to_json(self) -> str:
        """Return it as text that `from_json` reads."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Outcome:
        """Return what `to_json` wrote."""
        raw = json.loads(text)
        rows = [Row(**{**row, "found": Judgement(**row["found"])}) for row in raw["rows"]]
        return cls(rows, raw["trouble"], raw["faults"])


def play_all(names: Sequence[str], program: Path, root: Path, panel: str = "installed") -> Outcome:
    """Play the named scenarios in a lab below `root`, an empty folder, and return the outcome.

    Raises:
        CalledProcessError: the lab itself broke; it has said why on standard error.
        TimeoutExpired: it took longer than `ALL_S`.
    """
    argv = [*unshare_argv(), *REAPER, sys.executable, "-m", "tests.real.run", "--inside", str(root)]
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "CLAUDE_BIN": str(program)}
    subprocess.run(
        [*argv, "--panel", panel, *names], cwd=client.ROOT, env=env, check=True, timeout=ALL_S
    )
    return Outcome.from_json((root / "result.json").read_text())


def _inside(root: Path, panel: str, names: list[str]) -> None:
    threading.excepthook = end_with_thread
    program = client.find()
    assert program, client.FETCH
    isolate(root, program.parent)
    lab = Lab(root, program, FakeApi(SCRIPTS))
    lab.api.start()
    lab.lay(names)
    outcome = _play(lab, panel, names)
    (root / "result.json").write_text(outcome.to_json())


def end_with_thread(failed: threading.ExceptHookArgs) -> None:
    """A thread that dies would leave the rest waiting for what it never does again."""
    traceback.print_exception(failed.exc_value)
    os._exit(1)


def _play(lab: Lab, panel: str, names: list[str]) -> Outcome:
    sessions: list[Session] = []
    shown: Panel = Registry(sessions) if panel == "registry" else Installed(lab)
    stage = Stage(lab, Watch(shown, sessions))
    stage.watch.start()
    outcome = Outcome()
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in sorted(set(names) - {"preinstalled"}, key=lambda n: -SCENARIOS[n].takes_s):
        waiting.put(name)
    early = _early(stage, names, outcome)
    lanes = [threading.Thread(target=_lane, args=(stage, waiting, outcome)) for _ in range(LANES)]
    for lane in lanes:
        lane.start()
    for lane in [*early, *lanes]:
        lane.join()
    outcome.faults = shown.faults()
    return outcome


def _early(stage: Stage, names: Sequence[str], outcome: Outcome) -> list[threading.Thread]:
    """Install the panel: before everything, or from the scenario whose client is there first."""
    if "preinstalled" not in names:
        stage.install()
        return []
    lane = threading.Thread(target=_one, args=(stage, "preinstalled", outcome))
    lane.start()
    while lane.is_alive() and not stage.installed.wait(0.05):
        pass
    if not stage.installed.is_set():
        stage.install()
    return [lane]


def _lane(stage: Stage, waiting: queue.SimpleQueue[str], outcome: Outcome) -> None:
    while True:
        try:
            name = waiting.get_nowait()
        except queue.Empty:
            return
        _one(stage, name, outcome)


def _one(stage: Stage, name: str, outcome: Outcome) -> None:
    play = Play(name, stage)
    try:
        SCENARIOS[name].play(play)
    except Exception:  # whatever it is, the others are played and this one is told
        outcome.trouble[name] = traceback.format_exc()
    outcome.rows += play.rows
    play.close_all()


def main(argv: Sequence[str] | None = None) -> None:
    """Play by hand, or, with `--inside`, be the lab's first program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--panel", choices=["installed", "registry"], default="installed")
    parser.add_argument("--inside", type=Path)
    words = parser.parse_args(argv)
    if words.inside:
        _inside(words.inside, words.panel, words.names)
        return
    names = words.names or [n for n in SCENARIOS if n != "press" or words.panel == "installed"]
    program = client.find()
    if program is None:
        parser.error(f"no client: `{client.FETCH}`")
    root = Path(tempfile.mkdtemp(prefix="flightdeck-lab-"))
    try:
        outcome = play_all(names, program, root, words.panel)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    report = [table(outcome.rows), *(f"{n}: {why}" for n, why in outcome.trouble.items())]
    report.append(outcome.faults)
    sys.stdout.write("\n".join(report) + "\n")


if __name__ == "__main__":
    main()
