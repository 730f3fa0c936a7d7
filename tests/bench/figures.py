"""Figures put down one by one, and the table they make; knows nothing of what is measured."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Budget:
    """What a figure may be: at most `most`, or at least `least`; `text` is how a table says it."""

    text: str
    most: float | None = None
    least: float | None = None

    def holds(self, value: float) -> bool:
        """Say whether `value` is within it."""
        return (self.most is None or value <= self.most) and (
            self.least is None or value >= self.least
        )


NONE = Budget("none")


@dataclass
class Figures:
    """Rows of the table, in the order they were taken."""

    taken: list[tuple[str, str, str]] = field(default_factory=list)
    over: list[str] = field(default_factory=list)

    def put(self, what: str, measured: str, budget: Budget = NONE, value: float = 0.0) -> None:
        """Put down one figure; `value` is the number in `measured` the budget is about."""
        if not budget.holds(value):
            self.over.append(what)
            measured += " **over budget**"
        self.taken.append((what, measured, budget.text))

    def table(self) -> list[str]:
        """Return the rows as lines of markdown."""
        head = [("what", "measured", "budget"), ("---", "---", "---")]
        return ["| " + " | ".join(row) + " |" for row in [*head, *self.taken]]
