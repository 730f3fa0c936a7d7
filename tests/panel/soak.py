"""`python -m tests.panel.soak SECONDS`: tell stories for so long, and count what came of them.

The same as tests/panel/test_any_interleaving.py, without its bound. The first story in
which a line was printed that nobody pressed for ends it, with that story made short.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings

from tests.panel.apart import Smithy
from tests.panel.stories import CRASHES, STORIES, Step, Story
from tests.panel.test_any_interleaving import play

_EXAMPLES = 20


def main(seconds: float) -> None:
    """Tell stories in turns: of panels that are stopped, and of panels that are killed."""
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds
    rules = settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )

    @rules
    @given(STORIES)
    def stopped(steps: list[Step]) -> None:
        count(counts, play(steps), steps)

    with Smithy() as smithy:

        @rules
        @given(CRASHES)
        def killed(steps: list[Step]) -> None:
            count(counts, play(steps, smithy), steps)

        while time.monotonic() < end:
            stopped()
            killed()
    for what, times in sorted(counts.items()):
        sys.stdout.write(f"{times:8} {what}\n")


def count(counts: Counter[str], story: Story, steps: list[Step]) -> None:
    """Add what happened in a story."""
    counts["stories"] += 1
    counts["steps"] += len(steps)
    counts["hooks"] += len(story.crowd.asked)
    counts["presses and verdicts"] += len(story.acts)
    counts["panels killed"] += steps.count(("panel", "kill"))
    counts.update(f"answered: {word}" for word in story.come_of)
    for asked in story.crowd.asked:
        decision = asked.printed
        if decision is not None:
            more = "".join(
                f", {key}" for key in ("updatedPermissions", "interrupt") if key in decision
            )
            counts[f"printed: {decision['behavior']}{more}"] += 1


if __name__ == "__main__":
    main(float(sys.argv[1]))
