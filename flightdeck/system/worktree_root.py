"""Where a session's worktree is: read from its own `.git` file, then confirmed by git.

Git walks up from wherever it is asked, so a folder that lost its `.git` is answered for
by the checkout around it. Here the file on disk says first which folder it is about, and
git's answers count only if every path in them is the one expected.

Source: gitrepository-layout(5); git-worktree(1), "Details"; git-rev-parse(1).
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.system.git import start_of
from flightdeck.system.worktree_git import Unproven

if TYPE_CHECKING:
    from flightdeck.system.worktree_git import Git

# Since then rev-parse answers in absolute paths.
_OLDEST = (2, 31)
_READ_BYTES = 32 * 1024


class NotAWorktree(Exception):
    """The folder is not in a linked worktree; `words` says what it is instead."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class Root:
    """A linked worktree, every path absolute and free of links.

    `folder` is where the session is, inside of `top`; `git_dir` is what git keeps for this
    worktree alone, `common` what it keeps for all of them.
    """

    folder: str
    top: str
    git_dir: str
    common: str

    @property
    def main(self) -> str:
        """The main checkout, or the bare repository itself."""
        parent, name = os.path.split(self.common)
        return parent if name == ".git" else self.common


def find(cwd: str) -> Root:
    """Return the linked worktree the folder `cwd` lies in.

    Raises:
        NotAWorktree: it lies in none, or files do not agree that it does.
    """
    folder = _real(cwd)
    top = _top(folder)
    entry = f"{top}/.git"
    mode = os.lstat(entry).st_mode
    if stat.S_ISDIR(mode):
        raise NotAWorktree(f"{top} is the main checkout")
    if not stat.S_ISREG(mode):
        raise NotAWorktree(f"{entry} is neither a file nor a folder")
    line = _text(entry)
    if not line.startswith("gitdir: "):
        raise NotAWorktree(f"{entry} names no git folder")
    # Where links lead, not where they stand: one below `worktrees/` is no worktree's folder.
    git_dir = _real(os.path.join(top, line.removeprefix("gitdir: ")))  # noqa: PTH118 - may hold any bytes
    common = _common(top, git_dir)
    if _back(git_dir) != entry:
        raise NotAWorktree(f"its repository knows it at another place: {_back(git_dir)}")
    return Root(folder, top, git_dir, common)


def _top(folder: str) -> str:
    here = folder
    while not os.path.lexists(f"{here}/.git"):
        above = os.path.dirname(here)  # noqa: PTH120 - the text, not a path
        if above == here:
            raise NotAWorktree(f"{folder} is in no checkout")
        here = above
    return here.rstrip("/")


def _common(top: str, git_dir: str) -> str:
    """Return the repository's own folder, if `git_dir` is that of a linked worktree."""
    if not os.path.lexists(f"{git_dir}/commondir"):
        raise NotAWorktree(f"{top} is no linked worktree: a submodule or a separate git folder")
    common = _real(os.path.join(git_dir, _text(f"{git_dir}/commondir")))  # noqa: PTH118 - may hold any bytes
    if os.path.dirname(git_dir) != f"{common}/worktrees":  # noqa: PTH120 - the text, not a path
        raise NotAWorktree(f"{git_dir} is not among the worktrees of {common}")
    return common


def _back(git_dir: str) -> str:
    """Return the `.git` file its repository remembers, without resolving that file itself."""
    path = os.path.join(git_dir, _text(f"{git_dir}/gitdir"))  # noqa: PTH118 - may hold any bytes
    folder, name = os.path.split(path)
    return f"{os.path.realpath(folder)}/{name}"


def confirm_version(git: Git) -> None:
    """Return if git answers and knows what it is asked here.

    Raises:
        Unproven: it does not answer, or is too old.
    """
    said = git.ask("version").decode("ascii", "replace").strip()
    found = re.match(r"git version (\d+)\.(\d+)", said)
    if not found:
        raise Unproven("git does not say which version it is")
    if (int(found[1]), int(found[2])) < _OLDEST:
        raise Unproven(f"{said} is too old, {_OLDEST[0]}.{_OLDEST[1]} is needed")


def confirm(root: Root, git: Git) -> None:
    """Return if git, asked from the worktree's top, speaks of this very worktree.

    Raises:
        NotAWorktree: it speaks of another, or the session's folder is none of its own.
        Unproven: it does not answer.
    """
    # The whole answer is compared: a path may hold a newline, so lines prove nothing.
    asked = (
        ("--show-toplevel", root.top),
        ("--absolute-git-dir", root.git_dir),
        ("--git-common-dir", root.common),
        ("--is-bare-repository", "false"),
        ("--is-inside-work-tree", "true"),
    )
    words = ("rev-parse", "--path-format=absolute", *(word for word, _ in asked))
    said = git.ask(*words, "--show-superproject-working-tree")
    if said != b"".join(os.fsencode(answer) + b"\n" for _, answer in asked):
        where = os.fsdecode(said.partition(b"\n")[0]) or "nothing"
        raise NotAWorktree(f"git answers for another checkout: {where}")
    if root.folder != root.top:
        _confirm_folder(root, git)


def _confirm_folder(root: Root, git: Git) -> None:
    """A folder below the top that holds nothing tracked may have been a checkout itself."""
    below = root.folder[len(root.top) + 1 :]
    if not git.ask("ls-files", "-z", "--", below):
        raise NotAWorktree(f"{root.folder} is not the top of a worktree, nor tracked in one")


def _text(path: str) -> str:
    """Return the text of a small file as git reads it: without the newlines it ends in."""
    try:
        data = start_of(path, _READ_BYTES)
    except OSError as error:
        raise NotAWorktree(f"{path} cannot be read: {error.strerror}") from error
    text = os.fsdecode(data.rstrip(b"\r\n"))
    if not text or "\0" in text or len(data) == _READ_BYTES:
        raise NotAWorktree(f"{path} does not hold what git writes there")
    return text


def _real(path: str) -> str:
    if not os.path.isabs(path):  # noqa: PTH117 - the text, not a path
        raise NotAWorktree("its folder is unknown" if not path else f"'{path}' is not absolute")
    try:
        return os.path.realpath(path, strict=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotAWorktree(f"{path} cannot be looked at: {why}") from error
