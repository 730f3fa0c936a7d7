"""What git keeps for one worktree alone, and what of it would be lost with the worktree.

Its folder below `worktrees/` goes too. What git itself puts there and needs only while the
worktree stands is known by name; anything else, an operation half done, a draft, a setting
of its own, is somebody's and refuses. Claude Code notes the commit it began at there, and
locks the worktree it made (`-w`) in its own name; neither is taken back when it is asked
to end.

Source: gitrepository-layout(5), "worktrees/"; git-worktree(1), "Configuration File";
Claude Code 2.1.332, observed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
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
# Files that hold a commit's name and nothing else; the commit must be kept like any other.
_COMMIT_NOTES = frozenset({"CLAUDE_BASE"})
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LOCKED_BY = re.compile(r"\(pid (\d+) start (.+)\)")
_READ_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Owner:
    """The process a worktree is torn down for, and every token its start is known by."""

    pid: int
    starts: tuple[str, ...]


def lock_finding(root: Root, owner: Owner | None) -> Finding:
    """Say whether somebody locked the worktree, and with what reason.

    The lock of the owner itself is none: it ends before the worktree goes.
    """
    reason = lock_reason(root)
    if reason is None:
        return proven(Check.LOCK)
    if locked_by(reason, owner):
        return proven(Check.LOCK, "only its own session locked it")
    return refuted(Check.LOCK, "it is locked", [reason] if reason else ())


def lock_reason(root: Root) -> str | None:
    """Return why the worktree is locked, "" for no reason that can be read, None if it is not."""
    path = f"{root.git_dir}/locked"
    return _text(path) or "" if os.path.lexists(path) else None


def locked_by(reason: str, owner: Owner | None) -> bool:
    """Say whether a lock names the very process of `owner`: its pid and its start."""
    named = _LOCKED_BY.search(reason)
    if owner is None or named is None:
        return False
    return int(named[1]) == owner.pid and bool(named[2]) and named[2] in owner.starts


def commit_notes(root: Root) -> list[str]:
    """Return the commits noted in files of the worktree's own.

    Raises:
        Unproven: its folder cannot be read.
    """
    names = [name for name in _names(root) if name in _COMMIT_NOTES]
    texts = (_text(f"{root.git_dir}/{name}") for name in names)
    return [text for text in texts if text and _COMMIT.fullmatch(text)]


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
    odd = [name for name in _names(root) if not _known(name, root)]
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


def _text(path: str) -> str | None:
    """Return the text of a small file, None if it is none that can be read."""
    try:
        data = Path(path).read_bytes() if Path(path).is_file() else b""
    except OSError:
        return None
    return data.decode("utf-8", "replace").strip() if len(data) < _READ_BYTES else None


def _names(root: Root) -> list[str]:
    try:
        return os.listdir(root.git_dir)  # noqa: PTH208 - names are wanted, not paths
    except OSError as error:
        raise _unreadable(error) from error


def _known(name: str, root: Root) -> bool:
    if name in _COMMIT_NOTES:
        return bool(_COMMIT.fullmatch(_text(f"{root.git_dir}/{name}") or ""))
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
