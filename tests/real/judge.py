"""Was the panel right? One phase of a session, judged from what the panel showed over time.

Pure: no clock, no files. A phase has a wanted state and begins when the client itself
changed; what counts is how long the first right answer took, and whether a wrong one
followed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


@dataclass(frozen=True, slots=True)
class Answer:
    """What the panel showed of one session from `at` on, seconds since the epoch."""

    at: float
    state: str
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What follows from the answers alone.

    `late_ms` is the time to the first right answer, None where none came. `wrong` holds
    the milliseconds each other state was shown before that answer, `relapsed` after it.
    """

    late_ms: int | None
    wrong: dict[str, int]
    relapsed: dict[str, int]

    @property
    def clean(self) -> bool:
        """Whether every answer was right."""
        return self.late_ms == 0 and not self.relapsed


@dataclass(frozen=True, slots=True)
class Row:
    """One judged phase; `bound_s` is the latest a right answer may come."""

    scenario: str
    phase: str
    want: str
    window_s: float
    bound_s: float
    found: Judgement

    @property
    def right(self) -> bool:
        """Whether the right answer came in time and stood."""
        late = self.found.late_ms
        return late is not None and late <= self.bound_s * 1000 and not self.found.relapsed

    def __str__(self) -> str:
        late = "NEVER" if self.found.late_ms is None else f"{self.found.late_ms} ms"
        shown = [f"{state} {ms} ms" for state, ms in self.found.wrong.items()]
        shown += [f"then wrong: {state} {ms} ms" for state, ms in self.found.relapsed.items()]
        what = f"{self.scenario}: {self.phase}"
        return f"{what:<62} {self.want:<10} {late:>8}  {', '.join(shown)}".rstrip()


def judge(answers: Sequence[Answer], want: Collection[str], start: float, end: float) -> Judgement:
    """Judge the answers that stood between `start` and `end`, the earliest first.

    The first of them is the one that stood at `start` already.
    """
    late: float | None = None
    wrong: dict[str, int] = {}
    relapsed: dict[str, int] = {}
    for index, answer in enumerate(answers):
        begins = max(answer.at, start)
        if answer.state in want:
            late = begins - start if late is None else late
            continue
        until = answers[index + 1].at if index + 1 < len(answers) else end
        if shown_ms := round((until - begins) * 1000):
            lies = wrong if late is None else relapsed
            lies[answer.state] = lies.get(answer.state, 0) + shown_ms
    return Judgement(None if late is None else round(late * 1000), wrong, relapsed)


def median_ms(rows: Sequence[Row]) -> int:
    """Return the median time to the right answer; a phase that never got one counts as endless."""
    times = sorted(10**9 if row.found.late_ms is None else row.found.late_ms for row in rows)
    return times[len(times) // 2]


def table(rows: Sequence[Row]) -> str:
    """Return every phase as a line, and the sum of it below."""
    answered = [row.found.late_ms for row in rows if row.found.late_ms is not None]
    lines = [("  " if row.right else "X ") + str(row) for row in rows]
    good = sum(row.right for row in rows)
    worst = max(answered, default=0)
    lines.append(f"{good} of {len(rows)} right, median {median_ms(rows)} ms, worst {worst} ms")
    return "\n".join(lines)
