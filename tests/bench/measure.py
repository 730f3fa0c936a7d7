"""CPU and time of programs, compared with others in turn, so that both meet the same machine.

Source: getrusage(2), RUSAGE_CHILDREN; proc_pid_stat(5).
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Program:
    """Something to run to its end; `env` None: as it is here."""

    argv: Sequence[str]
    executable: str | None = None
    stdin: bytes = b""
    env: Mapping[str, str] | None = None

    def cpu_s(self, runs: int) -> float:
        """Return the user and system seconds of one run, the mean over `runs`."""
        before = _children_s()
        self.run(runs)
        return (_children_s() - before) / runs

    def run(self, runs: int) -> None:
        """Run it so many times, each to its end."""
        for _ in range(runs):
            subprocess.run(
                self.argv,
                executable=self.executable,
                input=self.stdin,
                env=self.env,
                capture_output=True,
                check=True,
            )


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times what another program takes one does; both in milliseconds as well."""

    times: float
    ours_ms: float
    theirs_ms: float
    what: str = "CPU"

    def __str__(self) -> str:
        """Return it as a table says it."""
        return f"{self.times:.1f} x ({self.ours_ms:.1f} ms of {self.what})"

    def precise(self) -> str:
        """Return it as a table says it whose budget is near one."""
        return f"{self.times:.2f} x ({self.ours_ms:.2f} ms of {self.what})"


def compare(
    ours: Program, theirs: Program, *, rounds: int, runs: int, after: Callable[[], None]
) -> Ratio:
    """Run both in turn, `runs` times each a round, and return the median round of their CPU.

    `after` is called when a round is over, to clear away what it left.
    """

    def one() -> tuple[float, float]:
        taken = ours.cpu_s(runs), theirs.cpu_s(runs)
        after()
        return taken

    return _ratio([one() for _ in range(rounds)], "CPU")


def compare_both(
    ours: Program, theirs: Program, *, rounds: int, runs: int, before: Callable[[], None]
) -> tuple[Ratio, Ratio]:
    """Run both in turn as `compare` does, and return the median rounds of CPU and of time.

    `before` is called before either runs, to make the world what it was. Who goes first
    changes with every round: the second finds the machine warmer.
    """
    cpu, wall = [], []
    for number in range(rounds):
        taken = {}
        for program in (ours, theirs) if number % 2 else (theirs, ours):
            before()
            spent, began = _children_s(), time.perf_counter()
            program.run(runs)
            taken[program is ours] = (time.perf_counter() - began, _children_s() - spent)
        wall.append((taken[True][0] / runs, taken[False][0] / runs))
        cpu.append((taken[True][1] / runs, taken[False][1] / runs))
    return _ratio(cpu, "CPU"), _ratio(wall, "time")


def _ratio(pairs: Sequence[tuple[float, float]], what: str) -> Ratio:
    return Ratio(
        statistics.median(mine / other for mine, other in pairs),
        statistics.median(mine for mine, _ in pairs) * 1000,
        statistics.median(other for _, other in pairs) * 1000,
        what,
    )


def p50_p95(values: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return statistics.median(values), cuts[18]


def cpu_of(pid: int) -> float:
    """Return the CPU seconds a running process has used, all its threads together.

    The scheduler counts them in nanoseconds where the kernel keeps such books, else the
    clock's ticks have to do: ten milliseconds each, too coarse for less than a minute.
    """
    tasks = Path("/proc", str(pid), "task")
    try:
        spent = [int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()]
    except FileNotFoundError:
        return ticks_of(pid)
    return sum(spent) / 1e9


def ticks_of(pid: int) -> float:
    """Return the CPU seconds of a running process as `ps` and `top` count them."""
    stat = Path("/proc", str(pid), "stat").read_text()
    fields = stat[stat.rindex(")") + 1 :].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def rss_mib(pid: int) -> float:
    """Return the memory a running process holds, in MiB."""
    lines = Path("/proc", str(pid), "status").read_text().splitlines()
    kib = next(line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(kib) / 1024


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
