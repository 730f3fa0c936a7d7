"""What of a worktree's history exists nowhere else: its branch, upstream and commits.

The upstream is taken as last fetched: no network is used, so a branch somebody has since
rewound at the remote still counts. The branch itself is never touched and keeps its
commits in any case; what dies with a worktree is its HEAD, that HEAD's reflog, and the
few refs git keeps for one worktree.

Source: gitrepository-layout(5); git-worktree(1), "Refs"; git-rev-list(1).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.teardown import NAMED, Check, Finding, proven, refuted
from flightdeck.system.worktree_git import Git, Unproven, cut

if TYPE_CHECKING:
    from flightdeck.system.worktree_root import Root

_OWN_REFS = ("refs/bisect", "refs/rewritten", "refs/worktree")
_BRANCHES = "refs/heads/"
_REMOTES = "refs/remotes/"
_FIELDS = ("refname", "objectname", "objecttype", "symref", "upstream", "upstream:remotename")
_FORMAT = "%00".join(f"%({name})" for name in _FIELDS)
# One more than is named, so that "and more" is known; how many more is not asked.
_ASKED = NAMED + 1


@dataclass(frozen=True, slots=True)
class Ref:
    """One row of for-each-ref; empty where it has nothing to say."""

    name: str
    commit: str
    kind: str
    symref: str
    upstream: str
    remote: str


@dataclass(frozen=True, slots=True)
class Refs:
    """What HEAD and the refs around it say: `branch` is None if HEAD is on none."""

    head: str
    branch: Ref | None
    upstream: Ref | None
    own: tuple[str, ...]
    stashes: int


def read_refs(git: Git) -> Refs:
    """Return what the worktree's HEAD is on and what that follows.

    Raises:
        Unproven: git does not say.
    """
    code, out, error = git.run("symbolic-ref", "-q", "HEAD")
    if code not in {0, 1}:
        raise Unproven(error or f"git symbolic-ref ended with status {code}")
    head = os.fsdecode(out).rstrip("\n")
    rows = _rows(git, *_OWN_REFS, "refs/stash", *((head,) if head else ()))
    branch = next((row for row in rows if row.name == head), None)
    upstream = branch.upstream if branch else ""
    followed = _rows(git, upstream) if upstream else []
    return Refs(
        head,
        branch,
        next((row for row in followed if row.name == upstream), None),
        tuple(row.name for row in rows if row.name.startswith(_OWN_REFS)),
        _stashes(git) if any(row.name == "refs/stash" for row in rows) else 0,
    )


def _rows(git: Git, *patterns: str) -> list[Ref]:
    lines = cut(git.ask("for-each-ref", f"--format={_FORMAT}", *patterns), b"\n", "for-each-ref")
    fields = [os.fsdecode(line).split("\0") for line in lines]
    if any(len(row) != len(_FIELDS) for row in fields):
        raise Unproven("git for-each-ref gave an odd answer")
    return [Ref(*row) for row in fields]


def _stashes(git: Git) -> int:
    return len(git.ask("rev-list", "--walk-reflogs", "refs/stash").split())


def branch_finding(refs: Refs) -> Finding:
    """Say whether HEAD is on a branch that has a commit."""
    if not refs.head:
        return refuted(Check.BRANCH, "HEAD is detached: it is on no branch")
    if not refs.head.startswith(_BRANCHES):
        return refuted(Check.BRANCH, "HEAD is on something that is no branch", [refs.head])
    if refs.branch is None:
        return refuted(Check.BRANCH, "the branch has no commit yet", [short(refs)])
    if refs.branch.kind != "commit":
        return refuted(Check.BRANCH, "the branch holds no commit", [short(refs)])
    return proven(Check.BRANCH, f"HEAD is on the branch {short(refs)}")


def upstream_finding(refs: Refs, root: Root, git: Git) -> Finding:
    """Say whether the branch follows a branch of a remote that was fetched or pushed to.

    Raises:
        Unproven: git does not say where the remote is.
    """
    words = _no_upstream(refs)
    if words or refs.branch is None:
        return refuted(Check.UPSTREAM, words or "there is no branch to follow one")
    remote, name = refs.branch.remote, refs.branch.upstream.removeprefix(_REMOTES)
    code, out, _ = git.run("remote", "get-url", "--", remote)
    url = os.fsdecode(out).rstrip("\n")
    # For a remote without an address git says the remote's own name.
    if code or url in {"", remote}:
        return refuted(Check.UPSTREAM, f"the remote '{remote}' is not configured")
    if _here(url, root):
        return refuted(Check.UPSTREAM, f"the remote '{remote}' is this very repository")
    return proven(Check.UPSTREAM, f"it follows {name}")


def _no_upstream(refs: Refs) -> str:
    """Return what is wrong with what the branch follows; "" if nothing is."""
    branch, upstream = refs.branch, refs.upstream
    if branch is None:
        return "there is no branch to follow one"
    if not branch.upstream:
        return "the branch has no upstream"
    if branch.remote in {"", "."} or not branch.upstream.startswith(_REMOTES):
        return "its upstream is a local branch, not one of a remote"
    if upstream is None:
        return f"its upstream {branch.upstream.removeprefix(_REMOTES)} is gone"
    if upstream.symref or upstream.kind != "commit":
        return f"its upstream {branch.upstream.removeprefix(_REMOTES)} is no branch of its own"
    return ""


def _here(url: str, root: Root) -> bool:
    """Say whether a remote's address is this repository itself, which keeps nothing safe."""
    path = url.removeprefix("file://")
    if "://" in path:
        return False
    starts = (root.top, root.main, root.common)
    places = {os.path.realpath(os.path.join(start, path)) for start in starts}  # noqa: PTH118 - an address may be no path
    return not places.isdisjoint(starts)


def ahead_finding(refs: Refs, git: Git) -> Finding:
    """Say whether the upstream has every commit of the branch.

    Raises:
        Unproven: git does not say.
    """
    if refs.branch is None or refs.upstream is None:
        return refuted(Check.AHEAD, "there is no upstream to compare with")
    commits = _listed(git, refs.branch.commit, f"^{refs.upstream.commit}")
    if commits:
        return refuted(Check.AHEAD, "its upstream lacks commits", _told(git, commits))
    return proven(Check.AHEAD)


def commits_finding(git: Git, noted: list[str]) -> Finding:
    """Say whether every commit this worktree's HEAD was ever at is kept by something else.

    So must those be that were `noted` elsewhere in what git keeps for it. A commit the
    repository no longer has cannot be lost. Branches' own reflogs stay, so an amended commit
    is kept by the one of its branch.

    Raises:
        Unproven: git does not say.
    """
    been = _names(git.ask("rev-list", "--walk-reflogs", "HEAD", "--"))
    roots = [*dict.fromkeys([*been, *noted]), "HEAD", "ORIG_HEAD", "REBASE_HEAD"]
    lost = _kept_by_no_ref(git, roots)
    if lost:
        stays = _names(git.ask("rev-list", "--walk-reflogs", *_STAYING))
        lost = _kept_by_no_ref(git, [*roots, *(f"^{commit}" for commit in dict.fromkeys(stays))])
    if lost:
        words = "no branch or tag has commits this worktree was at"
        return refuted(Check.COMMITS, words, _told(git, lost))
    return proven(Check.COMMITS)


# Every ref but those that go with the worktree; HEAD is none of them.
_STAYING = (*(f"--exclude={own}/*" for own in _OWN_REFS), "--glob=refs/*")


def _kept_by_no_ref(git: Git, roots: list[str]) -> list[str]:
    words = ("--ignore-missing", "--stdin", "--not", *_STAYING)
    return _listed(git, *words, stdin="\n".join([*roots, ""]).encode())


def _listed(git: Git, *words: str, stdin: bytes = b"") -> list[str]:
    """Return the first commits rev-list comes to; that there is none it must say in a number.

    Silence is what a git that did nothing gives, too.
    """
    bounded = (f"--max-count={_ASKED}", *words)
    count = git.ask("rev-list", "--count", *bounded, stdin=stdin).strip()
    if not count.isdigit():
        raise Unproven("git rev-list gave an odd answer")
    commits = _names(git.ask("rev-list", *bounded, stdin=stdin)) if int(count) else []
    if len(commits) != int(count):
        raise Unproven("git rev-list gave an odd answer")
    return commits


def _names(out: bytes) -> list[str]:
    names = out.decode("ascii", "replace").split()
    if any(len(name) not in {40, 64} for name in names):
        raise Unproven("git rev-list gave an odd answer")
    return names


def _told(git: Git, commits: list[str]) -> list[str]:
    """Return commits as a person knows them: short name and subject."""
    out = git.ask("show", "-s", "--no-notes", "--format=%h %s%x00", *commits)
    return [row.strip() for row in out.decode("utf-8", "replace").split("\0") if row.strip()]


def short(refs: Refs) -> str:
    """Return the branch's name as people write it, "" without one."""
    return refs.head.removeprefix(_BRANCHES) if refs.head.startswith(_BRANCHES) else ""
