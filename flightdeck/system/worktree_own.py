"""What git keeps for one worktree alone, and what of it would be lost with the worktree.

Its folder below `worktrees/` goes too. What git itself puts there and needs only while the
worktree stands is known by name; anything else, an operation half done, a draft, a setting
of its own, is somebody's and refuses.

Source: gitrepository-layout(5), "worktrees/"; git-worktree(1), "Configuration File".
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.model.teardown import Check, Finding, proven, refuted
from flightdeck.system.worktree_git import Unproven

if TYPE_CHECKING:
    from flightdeck.system.worktree_git import Git
    from flightdeck.system.worktree_history import Refs
    from flightdeck.system.worktree_root import Root

_OPERATIONS = {
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "MERGE_HEAD": "a merge",
    "MERGE_AUTOSTASH": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "sequencer": "a series of cherry-picks or reverts",
    "NOTES_MERGE_WORKTREE": "a merge of notes",
}
_KNOWN = frozenset(
    {
        "HEAD",
        "ORIG_HEAD",
        "FETCH_HEAD",
        "REBASE_HEAD",
        "AUTO_MERGE",
        "MERGE_RR",
        "COMMIT_EDITMSG",
        "commondir",
        "gitdir",
        "index",
        "info",
        "logs",
        "refs",
        "reftable",
        "modules",
        "locked",
        "config.worktree",
        "fsmonitor--daemon",
        "fsmonitor--daemon.ipc",
    }
)
# What `git sparse-checkout` writes by itself, and what says nothing.
_KNOWN_SETTINGS = frozenset(
    {"core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse", "core.bare"}
)
_KNOWN_BELOW = frozenset({"logs/HEAD", "info/sparse-checkout"})
_REASON_BYTES = 200


def lock_finding(root: Root) -> Finding:
    """Say whether the worktree is locked, and with what reason."""
    path = Path(root.git_dir) / "locked"
    if not os.path.lexists(path):
        return proven(Check.LOCK)
    try:
        with path.open("rb") as stream:
            reason = stream.read(_REASON_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        reason = ""
    return refuted(Check.LOCK, "it is locked", [reason] if reason else ())


def operation_finding(root: Root, refs: Refs) -> Finding:
    """Say whether something is under way that only this worktree knows how to end.

    Raises:
        Unproven: its folder cannot be read.
    """
    under_way = {_OPERATIONS[name]: None for name in _names(root) if name in _OPERATIONS}
    if any(n.startswith("BISECT_") for n in _names(root)) or _bisecting(refs):
        under_way["a bisect"] = None
    if any(name.endswith(".lock") for name in _names(root)):
        under_way["another git command"] = None
    if under_way:
        return refuted(Check.OPERATION, f"{' and '.join(under_way)} is under way")
    return proven(Check.OPERATION)


def metadata_finding(root: Root, refs: Refs, git: Git) -> Finding:
    """Say whether git's folder for this worktree holds what exists nowhere else.

    Raises:
        Unproven: it cannot be read.
    """
    odd = [name for name in _names(root) if not _known(name)]
    odd += [name for part in ("logs", "info", "refs") for name in _below(root, part)]
    odd += refs.own
    if "config.worktree" in _names(root):
        odd += _settings(root, git)
    if odd:
        words = "git keeps something for this worktree alone"
        return refuted(Check.METADATA, words, sorted(set(odd)))
    return proven(Check.METADATA)


def has_modules(root: Root) -> bool:
    """Say whether git folders of submodules are kept for this worktree.

    Raises:
        Unproven: that cannot be read.
    """
    try:
        return bool(os.listdir(f"{root.git_dir}/modules"))  # noqa: PTH208 - only whether any
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unreadable(error) from error


def _names(root: Root) -> list[str]:
    try:
        return os.listdir(root.git_dir)  # noqa: PTH208 - names are wanted, not paths
    except OSError as error:
        raise _unreadable(error) from error


def _known(name: str) -> bool:
    is_operation = name in _OPERATIONS or name.startswith("BISECT_") or name.endswith(".lock")
    return name in _KNOWN or name.startswith("sharedindex.") or is_operation


def _bisecting(refs: Refs) -> bool:
    return any(name.startswith("refs/bisect/") for name in refs.own)


def _below(root: Root, part: str) -> list[str]:
    """Return the unknown files below one folder of the worktree's own."""
    found: list[str] = []
    for folder, _, names in os.walk(f"{root.git_dir}/{part}", onerror=_raise):
        start = folder[len(root.git_dir) + 1 :]
        found += [f"{start}/{name}" for name in names if f"{start}/{name}" not in _KNOWN_BELOW]
    return found


def _settings(root: Root, git: Git) -> list[str]:
    path = f"{root.git_dir}/config.worktree"
    rows = git.rows("config", "--file", path, "--list", "--name-only", "-z")
    return [name for name in map(os.fsdecode, rows) if name not in _KNOWN_SETTINGS]


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise _unreadable(error)


def _unreadable(error: OSError) -> Unproven:
    return Unproven(f"{error.filename} cannot be read: {error.strerror}")
