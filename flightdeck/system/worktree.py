"""Inspects a worktree and, once a caller is satisfied, has git remove it.

Here questions become findings: a check whose question got no answer is unknown, and one
question without an answer never hides what the others found. Nothing here deletes a file;
what git will not remove stays.

Source: README.md, "Safety"; git-worktree(1), "remove".
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from flightdeck.model.teardown import Check, Finding, proven, refuted, unknown
from flightdeck.system import clock
from flightdeck.system import worktree_content as content
from flightdeck.system import worktree_history as history
from flightdeck.system import worktree_own as own
from flightdeck.system.worktree_disk import Contents, read_contents
from flightdeck.system.worktree_git import Git, Unproven
from flightdeck.system.worktree_root import NotAWorktree, Root, confirm, confirm_version, find

if TYPE_CHECKING:
    from collections.abc import Callable

# What cannot be proven in this time is not; a typical worktree takes a tenth of a second.
INSPECTION_S = 30.0
REMOVAL_S = 120.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Look:
    """What an inspection found; `root` is None unless it is a linked worktree for sure."""

    findings: tuple[Finding, ...]
    root: Root | None = None
    branch: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """Whether git removed a worktree, and its own words if it did not."""

    removed: bool
    words: str


class _Once(Generic[T]):
    """An answer several checks need: asked for once, its failure too."""

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._said: list[T] = []
        self._failed: Unproven | None = None

    def __call__(self) -> T:
        if self._failed is None and not self._said:
            try:
                self._said.append(self._ask())
            except Unproven as error:
                self._failed = error
        if self._failed is not None:
            raise self._failed
        return self._said[0]


def inspect(cwd: str, owner: own.Owner | None = None) -> Look:
    """Look at the worktree the folder `cwd` lies in; never raises, changes nothing.

    A lock by the process `owner`, which will have ended, stands against nothing.
    """
    until = clock.monotonic() + INSPECTION_S
    try:
        root = find(cwd)
    except NotAWorktree as error:
        return Look((refuted(Check.WORKTREE, error.words),))
    git = Git(root.top, until)
    try:
        confirm_version(git)
    except Unproven as error:
        return Look((unknown(Check.GIT, error.words),))
    works = proven(Check.GIT)
    try:
        confirm(root, git)
    except NotAWorktree as error:
        return Look((works, refuted(Check.WORKTREE, error.words)))
    except Unproven as error:
        return Look((works, unknown(Check.WORKTREE, error.words)))
    proof = proven(Check.WORKTREE, f"{root.top} is a linked worktree")
    return _looked(root, git, (works, proof, own.lock_finding(root, owner)))


def _looked(root: Root, git: Git, first: tuple[Finding, ...]) -> Look:
    refs = _Once(lambda: history.read_refs(git))
    findings = [*first, *_of_history(root, git, refs), *_of_files(root, git)]
    try:
        known = refs()
    except Unproven:
        return Look(tuple(findings), root)
    stashes = known.stashes
    notes = (f"the repository keeps {stashes} stash{'es' if stashes > 1 else ''}",)
    return Look(tuple(findings), root, history.short(known), notes if stashes else ())


def _of_history(root: Root, git: Git, refs: _Once[history.Refs]) -> list[Finding]:
    return [
        *_decided(Check.OPERATION, ask=lambda: [own.operation_finding(root, refs())]),
        *_decided(Check.METADATA, ask=lambda: [own.metadata_finding(root, refs(), git)]),
        *_decided(Check.BRANCH, ask=lambda: [history.branch_finding(refs())]),
        *_decided(Check.UPSTREAM, ask=lambda: [history.upstream_finding(refs(), root, git)]),
        *_decided(Check.AHEAD, ask=lambda: [history.ahead_finding(refs(), git)]),
        *_decided(
            Check.COMMITS, ask=lambda: [history.commits_finding(git, own.commit_notes(root))]
        ),
    ]


def _of_files(root: Root, git: Git) -> list[Finding]:
    tracked = _Once(lambda: content.read_tracked(git))
    status = _Once(lambda: content.read_status(git))
    disk: _Once[Contents] = _Once(lambda: read_contents(root.top, git.until))
    return [
        *_decided(
            Check.SUBMODULES,
            ask=lambda: [content.submodule_finding(tracked(), kept=own.has_modules(root))],
        ),
        *_decided(Check.NESTED, ask=lambda: [content.nested_finding(disk(), tracked())]),
        *_decided(
            Check.STATUS,
            Check.IGNORED,
            ask=lambda: content.status_findings(status(), disk(), tracked()),
        ),
        *_decided(Check.FILES, ask=lambda: [content.files_finding(disk(), tracked(), status())]),
        *_decided(
            Check.HIDDEN,
            Check.CONTENT,
            ask=lambda: content.content_findings(git, disk(), tracked(), status()),
        ),
    ]


def _decided(*checks: Check, ask: Callable[[], list[Finding]]) -> list[Finding]:
    try:
        return ask()
    except Unproven as error:
        return [unknown(check, error.words) for check in checks]


def remove(root: Root, owner: own.Owner | None = None, *, force: bool = False) -> Removal:
    """Have git remove the worktree, asked from the main checkout; the branch stays.

    The lock of `owner`, which has ended, is taken off first, and put back if git will not
    remove it. `force` is for a person who was told what will be lost and typed the
    worktree's name.
    """
    reason = own.lock_reason(root)
    if reason is None or not own.locked_by(reason, owner):
        return _remove(root, force=force)
    git = Git(root.main, clock.monotonic() + INSPECTION_S)
    try:
        git.ask("worktree", "unlock", root.top)
    except Unproven as error:
        return Removal(removed=False, words=error.words)
    removal = _remove(root, force=force)
    if not removal.removed:
        with contextlib.suppress(Unproven):  # why it was not removed is what matters
            git.ask("worktree", "lock", "--reason", reason, root.top)
    return removal


def _remove(root: Root, *, force: bool) -> Removal:
    git = Git(root.main, clock.monotonic() + REMOVAL_S)
    words = ("worktree", "remove", *(("--force",) if force else ()), root.top)
    try:
        code, _, error = git.run(*words, timeout_s=REMOVAL_S)
    except Unproven as late:
        return Removal(removed=False, words=late.words)
    if code:
        return Removal(removed=False, words=error or f"git worktree ended with status {code}")
    return gone(root)


def gone(root: Root) -> Removal:
    """Say whether the worktree and all git kept for it are gone."""
    left = [path for path in (root.top, root.git_dir) if os.path.lexists(path)]
    if left:
        return Removal(removed=False, words=f"git says it is done, but {left[0]} is still there")
    return Removal(removed=True, words=f"{root.top} is removed")


def tip(root: Root, branch: str) -> str:
    """Return the short name of the commit a branch is at, "" if that is not known."""
    git = Git(root.main, clock.monotonic() + INSPECTION_S)
    try:
        return (
            git.ask("rev-parse", "--short", "--verify", "-q", f"refs/heads/{branch}")
            .decode()
            .strip()
        )
    except Unproven:
        return ""
