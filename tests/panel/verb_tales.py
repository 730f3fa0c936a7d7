"""Tales of a verb on its way and of everything that may come in between, drawn from a number.

A tale is what is going to be done, by whom, and how long after the one before; who is
quicker is not in it, so that the same tale may end in more ways than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

# How long after the one before, in milliseconds, what, and about what.
Step = tuple[float, str, tuple[Any, ...]]

AGENTS = 2
# What an agent does; it is always the first word about it which one.
OF_AGENTS = frozenset(
    {"prompt", "turn", "stop", "esc", "ask", "unask", "clear", "leave", "die", "reborn"}
)
_DELAYS = [0, 0, 0, 0, 1, 2, 4, 8, 15, 30, 60, 120, 200, 300]
# What may be in a tale beside people, turns and folds, and how often it is.
_SPICES = {
    "another": 0.3,
    "confirmed": 0.3,
    "expiring": 0.3,
    "latch": 0.3,
    "dialog": 0.3,
    "leaving": 0.25,
    "window": 0.2,
    "hook killed": 0.2,
    "panel killed": 0.2,
    "disk": 0.12,
    "two hooks": 0.3,
    "duel": 0.4,
}
_WINDOWS = ["slow", "gone", "deaf", "mute", "draft", "covered"]


@dataclass(frozen=True)
class Tale:
    """What happens in one round.

    `starts` is how each agent is at first, `rests` the status of one at rest. `strands` are
    done side by side; `moments` happen when a window is looked at or typed into for the nth
    time. `expires_s` is how long a verb that asks for a second press may wait.
    """

    seed: int
    shell: str
    spices: frozenset[str]
    starts: tuple[str, ...]
    rests: str
    window: str
    expires_s: float
    strands: tuple[tuple[Step, ...], ...]
    moments: tuple[tuple[int, int, Step], ...]
    ends: str

    def __str__(self) -> str:
        """Return it for somebody to read."""
        lines = [
            f"seed {self.seed}: {self.shell}, {', '.join(sorted(self.spices)) or 'plain'}",
            (
                f"  agents {' and '.join(self.starts)}, at rest {self.rests}; window {self.window};"
                f" expires after {self.expires_s:g} s; ends by {self.ends}"
            ),
        ]
        lines += [f"  strand: {_told(strand)}" for strand in self.strands]
        lines += [f"  at look {nth} at {who}: {_told([step])}" for who, nth, step in self.moments]
        return "\n".join(lines)


def _told(steps: Any) -> str:
    return ", ".join(
        f"+{ms:.3g} {what}{' '.join(['', *map(str, about)])}" for ms, what, about in steps
    )


def draw(seed: int) -> Tale:
    """Return the tale of a number, always the same one."""
    r = Random(seed)
    spices = frozenset(name for name, often in _SPICES.items() if r.random() < often)
    strands = [_person(r, spices) for _ in range(r.choice([1, 1, 2]))]
    strands += [_client(r, spices, who) for who in range(r.choice([1, 1, AGENTS]))]
    outlived = spices >= {"duel", "expiring"}  # nobody folds then: the hook alone can tell
    strands += [_folder(r) for _ in range(0 if outlived else r.choice([0, 1, 1, 2]))]
    strands += [strand for spice, strand in _others(r).items() if spice in spices]
    strands += _duel(r, spices) if "duel" in spices else []
    moments = [_moment(r, spices) for _ in range(r.choice([0, 1, 1, 2]))]
    return Tale(
        seed=seed,
        shell=r.choice(["/bin/dash", "/bin/bash"]),
        spices=spices,
        starts=(_start(r, spices), r.choice(["rest", "busy"])),
        rests=r.choice(["idle", "idle", "shell"]),
        window=r.choice(_WINDOWS) if "window" in spices else "",
        expires_s=_expires_s(r, spices),
        strands=tuple(map(tuple, strands)),
        moments=tuple(moments),
        ends=r.choice(["leave", "die", "clear", "reborn"]),
    )


def _start(r: Random, spices: frozenset[str]) -> str:
    return "busy" if "duel" in spices else r.choice(["rest", "rest", "busy", "busy", "asking"])


def _expires_s(r: Random, spices: frozenset[str]) -> float:
    if "expiring" not in spices:
        return 300.0
    return r.choice([0.04, 0.08] if "duel" in spices else [0.05, 0.2, 0.5, 1.0, 1.5])


def _step(r: Random, what: str, *about: Any) -> Step:
    return r.choice(_DELAYS), what, about


def _person(r: Random, spices: frozenset[str]) -> list[Step]:
    verbs = ["test"]
    verbs += ["diff"] if "another" in spices else []
    verbs += ["push", "push"] if spices & {"confirmed", "expiring"} else []
    steps: list[Step] = []
    for _ in range(r.randint(1, 3)):
        how, verb = r.choice(["send", "send", "key"]), r.choice(verbs)
        steps += [_step(r, how, verb)] * (2 if verb == "push" else 1)
        if r.random() < 0.3:
            steps.append(_step(r, how, verb))
        if r.random() < 0.15:
            steps.append(_step(r, "select", r.randrange(AGENTS)))
    return steps


def _client(r: Random, spices: frozenset[str], who: int) -> list[Step]:
    moves = ["prompt", "stop", "stop", "esc"]
    moves += ["ask", "unask"] if "dialog" in spices else []
    steps = [_move(r, spices, r.choice(moves), who) for _ in range(r.randint(1, 5))]
    if "leaving" in spices:
        steps.append(_step(r, r.choice(["clear", "clear", "leave", "die", "reborn"]), who))
        steps += [_move(r, spices, r.choice(moves), who) for _ in range(r.randint(0, 2))]
    return steps


def _move(r: Random, spices: frozenset[str], what: str, who: int) -> Step:
    if what != "stop":
        return _step(r, what, who)
    hooks = 2 if "two hooks" in spices and r.random() < 0.6 else 1
    killed = "hook killed" in spices and r.random() < 0.5
    full = "disk" in spices and r.random() < 0.4
    return _step(r, "stop", who, hooks, r.uniform(0.0, 0.02) if killed else None, full)


def _folder(r: Random) -> list[Step]:
    return [_step(r, "fold", r.choice(["reap", "status"])) for _ in range(r.randint(1, 4))]


def _duel(r: Random, spices: frozenset[str]) -> list[list[Step]]:
    """Return a verb that is staged, and a Stop hook that comes just as it should not have it."""
    stop = (r.uniform(0, 6), *_move(r, spices, "stop", 0)[1:])
    works: Step = (10, "prompt", (0,))
    if "expiring" in spices:
        push: list[Step] = [(0, "send", ("push",)), (r.uniform(2, 8), "send", ("push",))]
        return [push, [works, (0, "outlive panel", ()), (r.uniform(0, 120), *stop[1:])]]
    if "latch" in spices:
        return [[(0, "send", ("test",))], [works, (60, "halt", ()), stop, (5, "lift", ())]]
    taken_back: Step = (80 + r.uniform(0, 12), "send", ("test",))
    return [[(0, "send", ("test",)), taken_back], [works, (70, "nothing", ()), stop]]


def _others(r: Random) -> dict[str, list[Step]]:
    latch = [_step(r, "halt"), _step(r, "lift")] * r.choice([1, 2])
    disk = [_step(r, "full"), _step(r, "free")]
    killed = [_step(r, "nothing"), _step(r, "kill panel")]
    return {"latch": latch, "disk": disk, "panel killed": killed}


def _moment(r: Random, spices: frozenset[str]) -> tuple[int, int, Step]:
    """Return what happens in the middle of a wake: at one of the looks it takes."""
    happens: list[Step] = [(0, "prompt", (0,)), (0, "stop", (0, 1, None, False))]
    happens += [(0, "turn", (0, r.uniform(0, 0.008)))] * 3 if "duel" in spices else []
    happens += [(0, "ask", (0,))] if "dialog" in spices else []
    happens += [(0, "halt", ())] if "latch" in spices else []
    happens += [(0, "kill panel", ())] * 4 if "panel killed" in spices else []
    happens += [(0, "full", ())] if "disk" in spices else []
    if "leaving" in spices:
        happens += [(0, what, (0,)) for what in ("clear", "leave", "die", "reborn")]
    what = r.choice(happens)
    return 0, 1 if what[1] == "turn" else r.randint(1, 14), what
