"""What checkout a folder lies in, read from git's own files: no git process.

A fold asks this for every session, so the normal answer costs a few small reads and a
repeated one a few stats. Nothing here raises: what cannot be read is left empty.

Source: gitrepository-layout(5); git-worktree(1), "Details"; gitformat-reftable(5).
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator

_READ_BYTES = 4096
_GIT_TIMEOUT_S = 1.0
_CACHED = 1024
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# In a reftable repository HEAD is a dummy that older gits choke on, by intention.
_REFTABLE_HEAD = "refs/heads/.invalid"


@dataclass(frozen=True, slots=True)
class GitFacts:
    """The checkout a folder lies in.

    `repo` is the name of the repository, the same from each of its linked worktrees;
    outside of any, the folder's own name. `branch` is the short hash of a detached HEAD,
    empty if unknown. `worktree` is the top of the checkout, None outside of any and in a
    bare repository; `main` that of the checkout a linked worktree was made from, if there
    is one.
    """

    repo: str
    branch: str = ""
    worktree: Path | None = None
    main: Path | None = None


@dataclass(frozen=True, slots=True)
class _Checkout:
    """Where git keeps things: `git_dir` for this worktree, `common_dir` for all of them.

    `common_dir` is None unless this is a linked worktree, `top` in a bare repository.
    """

    top: Path | None
    git_dir: Path
    common_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What the walk up from a folder met, and the files whose change would change the facts."""

    folder: Path
    checkout: _Checkout | None
    watched: tuple[Path, ...]


def facts(cwd: Path) -> GitFacts:
    """Return what is known of the checkout `cwd` lies in; a relative path is only named."""
    return _read(_locate(cwd))


class GitCache:
    """Remembers facts for as long as the files they came from stay the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[dict[Path, object], GitFacts]] = {}

    def facts(self, cwd: str) -> GitFacts:
        """Return what `facts` would, read anew only when HEAD or a `.git` has changed."""
        known = self._known.get(cwd)
        if known and all(_stamp(path) == stamp for path, stamp in known[0].items()):
            return known[1]
        if len(self._known) >= _CACHED:
            self._known.clear()
        found = _locate(Path(cwd))
        # Stamps first: a change between the two is then seen the next time.
        stamps = {path: _stamp(path) for path in found.watched}
        self._known[cwd] = (stamps, _read(found))
        return self._known[cwd][1]


def _locate(cwd: Path) -> _Found:
    try:
        here = Path(os.path.realpath(cwd)) if cwd.is_absolute() else None
    except (OSError, ValueError):
        here = None
    if here is None:
        return _Found(cwd, None, ())
    passed: list[Path] = []
    for folder in (here, *here.parents):
        entry = folder / ".git"
        if checkout := _checkout_at(folder):
            # A `.git` folder need not be watched: its HEAD comes and goes with it.
            entries = passed if _is_git_dir(entry) else [*passed, entry]
            return _Found(folder, checkout, (*entries, *_changing(checkout.git_dir)))
        passed.append(entry)
    return _Found(here, None, tuple(passed))


def _checkout_at(folder: Path) -> _Checkout | None:
    entry = folder / ".git"
    mode = _mode(entry)
    if stat.S_ISREG(mode):
        line = _line(entry)
        if not line.startswith("gitdir:"):
            return _Checkout(folder, entry)
        git_dir = Path(os.path.realpath(folder / line.removeprefix("gitdir:").strip()))
        return _Checkout(folder, git_dir, _common_dir(git_dir))
    if stat.S_ISDIR(mode) and _is_git_dir(entry):
        return _Checkout(folder, entry)
    return _Checkout(None, folder) if _is_git_dir(folder) else None


def _is_git_dir(folder: Path) -> bool:
    return os.path.lexists(folder / "HEAD") and all(
        stat.S_ISDIR(_mode(folder / name)) for name in ("objects", "refs")
    )


def _common_dir(git_dir: Path) -> Path | None:
    """Return the repository's own folder if `git_dir` is that of a linked worktree."""
    if line := _line(git_dir / "commondir"):
        return Path(os.path.realpath(git_dir / line))
    # Its repository was moved or deleted: the path still tells what it was called.
    if not _mode(git_dir) and git_dir.parent.name == "worktrees":
        return git_dir.parent.parent
    return None


def _changing(git_dir: Path) -> Iterator[Path]:
    """Name the files of which one changes whenever HEAD does."""
    yield git_dir / "HEAD"
    if _mode(git_dir / "reftable"):
        yield git_dir / "reftable" / "tables.list"


def _read(found: _Found) -> GitFacts:
    if found.checkout is None:
        return GitFacts(_text(found.folder.name or str(found.folder)))
    return GitFacts(
        _text(_repository(found.folder, found.checkout)),
        _text(_branch(found.checkout)),
        found.checkout.top,
        _main(found.checkout),
    )


def _main(checkout: _Checkout) -> Path | None:
    """Return the main checkout of a linked worktree if that one knows of it.

    A `.git` file may name any repository; only git writes the way back.
    """
    home, back = checkout.common_dir, _line(checkout.git_dir / "gitdir")
    if home is None or home.name != ".git" or not back or checkout.top is None:
        return None
    there = Path(os.path.realpath(checkout.git_dir / back))
    return home.parent if there == checkout.top / ".git" else None


def _repository(folder: Path, checkout: _Checkout) -> str:
    home = checkout.common_dir or (checkout.git_dir if checkout.top is None else None)
    if home is None:
        return folder.name
    # `app/.git` and `app/.bare` are named for the folder around them.
    return home.parent.name if home.name.startswith(".") else home.name.removesuffix(".git")


def _branch(checkout: _Checkout) -> str:
    head = _head(checkout.git_dir / "HEAD")
    if _HASH.fullmatch(head):
        return head[:7]
    if not head.startswith("ref:"):
        return ""
    ref = head.removeprefix("ref:").strip()
    if ref == _REFTABLE_HEAD:
        return _ask_git(checkout)
    return ref.removeprefix("refs/").removeprefix("heads/")


def _head(path: Path) -> str:
    """Return HEAD's text; very old repositories have a link to the branch instead."""
    try:
        target = os.readlink(path)  # noqa: PTH115 - the text, not a path
    except OSError:
        return _line(path)
    return f"ref: {target}" if target.startswith("refs/") else _line(path)


def _ask_git(checkout: _Checkout) -> str:
    """Return the branch of a repository whose refs only git can read."""
    return _git(checkout, "symbolic-ref", "--short", "-q", "HEAD") or _git(
        checkout, "rev-parse", "--short=7", "HEAD"
    )


def _git(checkout: _Checkout, *words: str) -> str:
    # Inherited GIT_DIR and the like would make git answer for another repository, and
    # neither a hook nor a file monitor of the repository's may run for a label.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env["GIT_OPTIONAL_LOCKS"] = "0"
    quiet = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
    where = str(checkout.top or checkout.git_dir)
    try:
        done = run(["git", *quiet, *words], timeout_s=_GIT_TIMEOUT_S, cwd=where, env=env)
    except Unavailable:
        return ""
    return done.out.strip() if done.code == 0 else ""


def _line(path: Path) -> str:
    """Return the text of a small file of one line, "" if it is not one or unreadable."""
    try:
        data = start_of(path, _READ_BYTES)
    except OSError:
        return ""
    return "" if b"\0" in data else os.fsdecode(data).strip()


def start_of(path: Path | str, size: int) -> bytes:
    """Return the first `size` bytes of a regular file, none of anything else.

    Raises:
        OSError: it cannot be read.
    """
    # Without O_NONBLOCK a FIFO of that name would hold its reader up for good.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(handle, size) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    finally:
        os.close(handle)


def _mode(path: Path) -> int:
    """Return what kind of file it is, 0 if there is none to be seen."""
    try:
        return path.stat().st_mode
    except OSError:
        return 0


def _stamp(path: Path) -> object:
    """Return what changes when the file does; a folder only when it is another one."""
    try:
        now = path.stat()
    except OSError:
        return None
    if stat.S_ISDIR(now.st_mode):
        return now.st_ino
    return (now.st_mtime_ns, now.st_ino, now.st_size)


def _text(name: str) -> str:
    """Return a name that can be written as UTF-8, whatever bytes it had on disk."""
    return name.encode("utf-8", "replace").decode("utf-8")
