"""What must be proved before a worktree is removed, and what came of trying to.

A worktree goes only if every check proves that nothing in it exists nowhere else. A
check that was refuted, that could not be decided, or that nobody answered says no: there
is no finding that means "probably". Pure: how each is found out is `system/worktree*.py`.

Source: README.md, "Safety"; git-worktree(1), "remove".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# How many files or commits a finding names; the rest is counted.
NAMED = 20


class Check(enum.Enum):
    """What is looked at, in the order a refusal is told; the value is its public name.

    What says most about the worktree stands before what merely follows from it: a nested
    checkout is also an ignored folder, a stopped rebase also a detached HEAD.
    """

    WORKTREE = "worktree"
    GIT = "git"
    AGENT = "agent"
    LOCK = "lock"
    SUBMODULES = "submodules"
    NESTED = "nested"
    OPERATION = "operation"
    BRANCH = "branch"
    UPSTREAM = "upstream"
    AHEAD = "ahead"
    COMMITS = "commits"
    STATUS = "status"
    IGNORED = "ignored"
    CONTENT = "content"
    HIDDEN = "hidden"
    FILES = "files"
    METADATA = "metadata"
    SESSIONS = "sessions"
    PROCESSES = "processes"


PROVES = {
    Check.WORKTREE: "it is a linked worktree, by its own .git file and by git's word",
    Check.GIT: "git answers and is new enough",
    Check.AGENT: "the process is the one this session began with",
    Check.LOCK: "nobody locked it",
    Check.SUBMODULES: "there is no submodule in it",
    Check.NESTED: "no other checkout lies inside",
    Check.OPERATION: "no rebase, merge, cherry-pick, revert or bisect is under way",
    Check.BRANCH: "HEAD is on a branch that has a commit",
    Check.UPSTREAM: "the branch follows a branch of a remote",
    Check.AHEAD: "the upstream, as last fetched, has every commit of the branch",
    Check.COMMITS: "every commit it was ever at is kept by a branch, tag or reflog that stays",
    Check.STATUS: "nothing is changed, staged or untracked",
    Check.IGNORED: "no ignored file is present",
    Check.CONTENT: "every file is, byte for byte, what git would check out again",
    Check.HIDDEN: "no edit hides behind skip-worktree or assume-unchanged",
    Check.FILES: "every file on disk is a plain one that git knows, on one file system",
    Check.METADATA: "git keeps no setting, ref or note for this worktree alone",
    Check.SESSIONS: "no other session works inside",
    Check.PROCESSES: "no other process stands inside",
}

# What even a person who typed the worktree's name cannot overrule: each is about work that
# is not this worktree's own, or about a worktree that is not what it seems to be.
_NEVER_FORCED = frozenset(
    {
        Check.WORKTREE,
        Check.GIT,
        Check.AGENT,
        Check.LOCK,
        Check.SUBMODULES,
        Check.NESTED,
        Check.FILES,
        Check.SESSIONS,
        Check.PROCESSES,
    }
)
_LOSES_FILES = (Check.STATUS, Check.IGNORED, Check.HIDDEN, Check.CONTENT, Check.METADATA)


class Verdict(enum.Enum):
    """What came of a check; only PROVEN lets a worktree go."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on one check: why, and what stands against it, `more` left unnamed."""

    check: Check
    verdict: Verdict
    words: str = ""
    items: tuple[str, ...] = ()
    more: int = 0

    @property
    def told(self) -> str:
        """Why, in words: its own, or what the check proves."""
        return self.words or PROVES[self.check]

    @property
    def sentence(self) -> str:
        """What a person reads: the reason and the first things it is about."""
        words = self.told
        if not self.items:
            return words
        shown = ", ".join(self.items[:3])
        rest = len(self.items[3:]) + self.more
        return f"{words}: {shown}" + (f" and {rest} more" if rest else "")


def proven(check: Check, words: str = "") -> Finding:
    """Return that a check holds."""
    return Finding(check, Verdict.PROVEN, words)


def refuted(check: Check, words: str, items: Iterable[str] = ()) -> Finding:
    """Return that a check does not hold, and on account of what."""
    named = tuple(items)
    rest = len(named[NAMED:])
    return Finding(check, Verdict.REFUTED, words, named[:NAMED], rest)


def unknown(check: Check, words: str) -> Finding:
    """Return that a check could not be decided."""
    return Finding(check, Verdict.UNKNOWN, words)


@dataclass(frozen=True, slots=True)
class Inspection:
    """One look at a worktree: every check, and `notes` worth knowing that decide nothing.

    `worktree` is the absolute path of its top, empty if there is none; `branch` the name
    of its branch, empty on a detached HEAD.
    """

    findings: tuple[Finding, ...] = ()
    worktree: str = ""
    branch: str = ""
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> tuple[Finding, ...]:
        """The finding of every check in order; one nobody answered is unknown."""
        by_check: dict[Check, Finding] = {}
        for finding in self.findings:
            known = by_check.get(finding.check)
            if known is None or known.verdict is Verdict.PROVEN:
                by_check[finding.check] = finding
        return tuple(by_check.get(c) or unknown(c, "was not looked at") for c in Check)

    @property
    def refusal(self) -> Finding | None:
        """The finding to name for a refusal, None only if every check is proven.

        What was refuted is told before what is merely unknown because of it.
        """
        against = [f for f in self.complete if f.verdict is not Verdict.PROVEN]
        refuted_ones = (f for f in against if f.verdict is Verdict.REFUTED)
        return next(refuted_ones, against[0] if against else None)

    @property
    def beyond_force(self) -> Finding | None:
        """The finding no typed name overrules, None if there is none.

        An undecided check is one: nobody could say what would be lost.
        """
        for finding in self.complete:
            if finding.verdict is Verdict.UNKNOWN:
                return finding
            if finding.verdict is Verdict.REFUTED and finding.check in _NEVER_FORCED:
                return finding
        return None

    @property
    def losses(self) -> Losses:
        """What removing it by force would destroy."""
        found = {f.check: f for f in self.complete if f.verdict is Verdict.REFUTED}
        files = [found[check] for check in _LOSES_FILES if check in found]
        named = dict.fromkeys(item for finding in files for item in finding.items)
        commits = found.get(Check.COMMITS)
        return Losses(
            tuple(named),
            sum(finding.more for finding in files),
            commits.items if commits else (),
            commits.more if commits else 0,
            tuple(f.words for f in found.values() if f.check is Check.OPERATION),
        )


@dataclass(frozen=True, slots=True)
class Losses:
    """Files and commits that exist nowhere else, named up to a bound, the rest counted."""

    files: tuple[str, ...] = ()
    more_files: int = 0
    commits: tuple[str, ...] = ()
    more_commits: int = 0
    operations: tuple[str, ...] = ()


class Stage(enum.Enum):
    """How far a teardown came; the value is its public name."""

    FIRST_LOOK = "first look"
    ENDING = "ending the agent"
    SECOND_LOOK = "second look"
    REMOVAL = "removal"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a teardown: where it stopped, on account of which check, and why.

    `check` is None when nothing was refused, and when git itself refused the removal.
    `agent_ended` says the agent no longer runs: a refusal then has nobody left to work on
    what was refused, and must stay visible.
    """

    stage: Stage
    words: str
    check: Check | None = None
    agent_ended: bool = False
    inspection: Inspection = field(default_factory=Inspection)

    @property
    def removed(self) -> bool:
        """Whether the worktree is gone."""
        return self.stage is Stage.DONE

    @property
    def reason(self) -> str:
        """The refusal in one line: its check, its words."""
        return f"{self.check.value}: {self.words}" if self.check else self.words


def refused(stage: Stage, finding: Finding, look: Inspection, *, ended: bool = False) -> Outcome:
    """Return the outcome of a look that did not prove everything."""
    return Outcome(stage, finding.sentence, finding.check, ended, look)
