"""Whether the files of a worktree are, byte for byte, what git would check out again.

`git status` trusts sizes, times, flags and filters, any of which can hide an edit. So its
word is only the first of three: what lies on disk is listed without it, and every file is
hashed and compared with the commit. A file that went through a filter or line-ending
conversion on its way out is compared with what git would write today.

Source: git-status(1), "Porcelain Format Version 2"; git-ls-tree(1); git-ls-files(1), -v.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.model.teardown import Check, Finding, proven, refuted
from flightdeck.system.worktree_disk import Contents, OnDisk, read_whole, same_blob
from flightdeck.system.worktree_git import LIMIT, Git, Unproven

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GITLINK = b"160000"
_EXECUTABLE = b"100755"
_FIXED_FIELDS = {b"1": 8, b"u": 10}
_STATUS = (
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignored=matching",
    "--ignore-submodules=none",
    "--no-renames",
    "--no-ahead-behind",
)


@dataclass(frozen=True, slots=True)
class Status:
    """The paths `git status` names; a folder ends in a slash."""

    changed: set[bytes] = field(default_factory=set)
    untracked: list[bytes] = field(default_factory=list)
    ignored: list[bytes] = field(default_factory=list)

    def unnamed(self, paths: Iterable[bytes]) -> list[bytes]:
        """Return those of `paths` of which neither they nor a folder around them are named."""
        every = {*self.changed, *self.untracked, *self.ignored}
        return [path for path in paths if every.isdisjoint(_with_folders(path))]


@dataclass(frozen=True, slots=True)
class Tracked:
    """What the commit HEAD is at holds: path to mode and blob.

    `staged` are the paths for which the index holds something else, `flagged` those git was
    told not to look at, `submodules` those of either.
    """

    files: dict[bytes, tuple[bytes, str]]
    submodules: frozenset[bytes]
    staged: frozenset[bytes]
    flagged: frozenset[bytes]


def _with_folders(path: bytes) -> Iterator[bytes]:
    """Yield `path` and every folder around it, each with its slash."""
    yield path
    at = path.find(b"/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find(b"/", at + 1)


def read_status(git: Git) -> Status:
    """Return what git says differs, with everything shown that a setting may hide.

    Raises:
        Unproven: it does not answer, or with something unheard of.
    """
    status = Status()
    for row in git.rows(*_STATUS):
        kind, _, rest = row.partition(b" ")
        if kind == b"?" and rest:
            status.untracked.append(rest)
        elif kind == b"!" and rest:
            status.ignored.append(rest)
        elif kind in _FIXED_FIELDS:
            fields = row.split(b" ", _FIXED_FIELDS[kind])
            if len(fields) <= _FIXED_FIELDS[kind]:
                raise Unproven("git status gave an odd answer")
            status.changed.add(fields[-1])
        else:
            raise Unproven("git status gave an odd answer")
    return status


def read_tracked(git: Git) -> Tracked:
    """Return what the commit holds, what the index holds, and what git must not look at.

    Raises:
        Unproven: git does not say, or with something unheard of.
    """
    commit: dict[bytes, tuple[bytes, str]] = {}
    for words, path in _entries(git, 3, "ls-tree", "-r", "-z", "--full-tree", "HEAD"):
        commit[path] = (words[0], words[2].decode("ascii", "replace"))
    index: dict[bytes, tuple[bytes, str]] = {}
    flagged: set[bytes] = set()
    for words, path in _entries(git, 4, "ls-files", "-v", "-s", "-z"):
        # A path with several stages is in conflict: what stands here then differs for sure.
        index[path] = (
            words[1],
            words[2].decode("ascii", "replace") + words[3].strip(b"0").decode(),
        )
        if words[0] == b"S" or words[0].islower():
            flagged.add(path)
    every = commit.items() | index.items()
    return Tracked(
        {path: entry for path, entry in commit.items() if entry[0] != _GITLINK},
        frozenset(path for path, (mode, _) in every if mode == _GITLINK),
        frozenset(path for path, _ in commit.items() ^ index.items()),
        frozenset(flagged),
    )


def _entries(git: Git, count: int, *words: str) -> Iterator[tuple[list[bytes], bytes]]:
    """Yield the `count` facts of each path an `ls-` command of git lists."""
    for row in git.rows(*words):
        told, _, path = row.partition(b"\t")
        facts = told.split(b" ")
        if len(facts) != count or not path:
            raise Unproven(f"git {words[0]} gave an odd answer")
        yield facts, path


def status_findings(status: Status, contents: Contents, tracked: Tracked) -> list[Finding]:
    """Say whether anything is changed, staged, untracked or ignored."""
    differing = {*status.changed, *status.untracked, *tracked.staged}
    filled = _filled(contents) if status.ignored else set()
    ignored = [path for path in status.ignored if not path.endswith(b"/") or path in filled]
    return [
        refuted(Check.STATUS, _what(status, tracked), _named(differing))
        if differing
        else proven(Check.STATUS),
        refuted(Check.IGNORED, "ignored files would go with it", _named(ignored))
        if ignored
        else proven(Check.IGNORED),
    ]


def _filled(contents: Contents) -> set[bytes]:
    """Return every folder that holds more than empty folders."""
    every = (*contents.files, *contents.odd, *contents.checkouts, *contents.mounts)
    return {folder for path in every for folder in _with_folders(path)}


def _what(status: Status, tracked: Tracked) -> str:
    changed = status.changed or tracked.staged
    words = ("changed" if changed else "", "untracked" if status.untracked else "")
    return " and ".join(word for word in words if word) + " files"


def content_findings(
    git: Git, contents: Contents, tracked: Tracked, status: Status
) -> list[Finding]:
    """Say whether every file on disk equals the commit's, and whether an edit was hidden.

    Raises:
        Unproven: a file cannot be read or compared, or the repository lacks its content.
    """
    here = {path: entry for path, entry in contents.files.items() if path in tracked.files}
    _confirm_kept(git, {tracked.files[path][1] for path in here})
    differing = [path for path in here if not _same(git, path, here[path], tracked, status)]
    hidden = [path for path in differing if path in tracked.flagged]
    others = [path for path in differing if path not in tracked.flagged]
    unseen = not status.changed.issuperset(others)
    words = "git does not see that these differ from the commit"
    return [
        refuted(Check.HIDDEN, "git was told not to look at edited files", _named(hidden))
        if hidden
        else proven(Check.HIDDEN),
        refuted(Check.CONTENT, words if unseen else "files differ from the commit", _named(others))
        if others
        else proven(Check.CONTENT),
    ]


def files_finding(contents: Contents, tracked: Tracked, status: Status) -> Finding:
    """Say whether everything on disk is a plain file that git knows or has named."""
    if contents.mounts:
        words = "another file system is mounted inside"
        return refuted(Check.FILES, words, _named(contents.mounts))
    if contents.odd:
        words = "there are sockets, pipes or devices inside"
        return refuted(Check.FILES, words, _named(contents.odd))
    unnamed = status.unnamed(contents.files.keys() - tracked.files.keys())
    if unnamed:
        return refuted(Check.FILES, "git does not say what these files are", _named(unnamed))
    return proven(Check.FILES)


def nested_finding(contents: Contents, tracked: Tracked) -> Finding:
    """Say whether another checkout lies inside, of this repository or of any other."""
    submodules = {path + b"/.git" for path in tracked.submodules}
    inside = [path[: -len(b"/.git")] for path in contents.checkouts if path not in submodules]
    if inside:
        return refuted(Check.NESTED, "another checkout lies inside", _named(inside))
    return proven(Check.NESTED)


def submodule_finding(tracked: Tracked, *, kept: bool) -> Finding:
    """Say whether it has submodules: git itself removes no worktree that has any.

    `kept` says the worktree has git folders of submodules of its own.
    """
    if tracked.submodules or kept:
        words = "it has submodules, and git removes no such worktree"
        return refuted(Check.SUBMODULES, words, _named(tracked.submodules))
    return proven(Check.SUBMODULES)


def _same(git: Git, path: bytes, entry: OnDisk, tracked: Tracked, status: Status) -> bool:
    mode, blob = tracked.files[path]
    if not entry.link and entry.executable != (mode == _EXECUTABLE):
        return False
    if same_blob(git.top, path, entry, blob):
        return True
    # Git itself says it is changed: there is no need to convert it first.
    return path not in status.changed and _same_converted(git, path, entry, blob)


def _same_converted(git: Git, path: bytes, entry: OnDisk, blob: str) -> bool:
    """Say whether a file is what git makes of the blob by line endings and filters."""
    if entry.link:
        return False
    if entry.size > LIMIT:
        raise Unproven(f"{os.fsdecode(path)} is too large to be converted and compared")
    on_disk = read_whole(git.top, path, entry.size)
    words = ("cat-file", "--filters", f"--path={os.fsdecode(path)}", blob)
    code, out, error = git.run(*words)
    if code:
        raise Unproven(error or f"git cat-file ended with status {code}")
    return out == on_disk


def _confirm_kept(git: Git, blobs: set[str]) -> None:
    """Return if the repository has every one of these blobs: else the file is the only copy."""
    if not blobs:
        return
    asked = "\n".join([*sorted(blobs), ""]).encode()
    words = ("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)")
    told = git.ask(*words, stdin=asked)
    if told.splitlines() != [f"{blob} blob".encode() for blob in sorted(blobs)]:
        raise Unproven("the repository lacks the content of some files")


def _named(paths: Iterable[bytes]) -> list[str]:
    return [os.fsdecode(path) for path in sorted(paths)]
