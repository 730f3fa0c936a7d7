"""Whatever is done to a clean worktree: if it is then removed, no byte is lost with it.

A byte is kept if a branch, tag, stash or reflog that stays leads to it, or if the worktree
made anew from its branch holds it in the same file.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from flightdeck.model.teardown import Check
from flightdeck.panel.teardown import Subject, tear_down
from tests.system.repositories import Place, a_place, everything

if TYPE_CHECKING:
    from collections.abc import Iterator

PATHS = (
    "a.txt",
    "run.sh",
    "link",
    "src/b.txt",
    "src/new",
    "new.txt",
    ".env",
    "build/out",
    ".gitignore",
)
TEXTS = ("a\n", "b\n", "z\n", "a\r\n", "secret\n", "", "longer than any of the others\n")

Step = tuple[str, ...]


def write(place: Place, path: str, text: str) -> None:
    target = place.worktree / path
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(text.encode())


def write_unseen(place: Place, path: str, text: str) -> None:
    """Write, then give the file its old size and times as far as anybody can."""
    target = place.worktree / path
    before = target.stat()
    target.write_bytes(text.encode().ljust(before.st_size)[: before.st_size])
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))


def relink(place: Place, path: str, text: str) -> None:
    target = place.worktree / path
    target.unlink(missing_ok=True)
    target.symlink_to(text.strip() or "nowhere")


def nest(place: Place, path: str, _: str) -> None:
    place.git("init", "-q", f"{path}.d")
    (place.worktree / f"{path}.d" / "inner").write_text("inner\n", encoding="utf-8")


def filtered(place: Place, path: str, _: str) -> None:
    place.git("config", "filter.strip.clean", "sed /secret/d")
    write(place, ".gitattributes", f"{path} filter=strip\n")


def converted(place: Place, path: str, _: str) -> None:
    write(place, ".gitattributes", f"{path} text eol=crlf\n")


def excluded(place: Place, path: str, _: str) -> None:
    with (place.main / ".git" / "info" / "exclude").open("a", encoding="utf-8") as rules:
        rules.write(f"{path}\n")


BY_HAND = {
    "write": write,
    "write unseen": write_unseen,
    "delete": lambda place, path, _: (place.worktree / path).unlink(),
    "make executable": lambda place, path, _: (place.worktree / path).chmod(0o755),
    "link": relink,
    "nest": nest,
    "filter": filtered,
    "convert": converted,
    "exclude": excluded,
}
BY_GIT = {
    "stage": ("add", "-f", "--", "PATH"),
    "stage everything": ("add", "-A"),
    "unstage": ("rm", "-q", "--cached", "--", "PATH"),
    "intend": ("add", "-N", "-f", "--", "PATH"),
    "commit": ("commit", "-q", "-m", "c"),
    "commit everything": ("commit", "-q", "-a", "-m", "c"),
    "amend": ("commit", "-q", "--amend", "--allow-empty", "-m", "d"),
    "push": ("push", "-q", "-f", "origin", "HEAD:feat"),
    "skip": ("update-index", "--skip-worktree", "PATH"),
    "assume": ("update-index", "--assume-unchanged", "PATH"),
    "refresh": ("update-index", "-q", "--refresh"),
    "stash": ("stash", "-q", "-u"),
    "pop": ("stash", "pop", "-q"),
    "drop": ("stash", "drop", "-q"),
    "detach": ("checkout", "-q", "--detach"),
    "attach": ("checkout", "-q", "-f", "feat"),
    "reset": ("reset", "-q", "--hard", "HEAD~1"),
    "sparse": ("sparse-checkout", "set", "--no-cone", "/a.txt"),
    "hide untracked": ("config", "status.showUntrackedFiles", "no"),
    "hide modes": ("config", "core.fileMode", "false"),
    "hide edits": ("config", "core.checkStat", "minimal"),
    "convert all": ("config", "core.autocrlf", "true"),
}
NOT_ABOUT_FILES = {Check.WORKTREE, Check.GIT, Check.AGENT, Check.SESSIONS, Check.PROCESSES}
STEPS = st.tuples(
    st.sampled_from([*BY_HAND, *BY_GIT]), st.sampled_from(PATHS), st.sampled_from(TEXTS)
)


def do(place: Place, step: Step) -> None:
    """Take a step; one that is impossible here is none."""
    name, path, text = step
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        if name in BY_HAND:
            BY_HAND[name](place, path, text)
        else:
            place.git(*(path if word == "PATH" else word for word in BY_GIT[name]))


def contents(place: Place) -> dict[tuple[str, str], bytes]:
    """Return every content only the worktree may have, by where it stands."""
    found: dict[tuple[str, str], bytes] = {}
    for path, what in everything(place.worktree).items():
        if path != ".git" and isinstance(what, tuple):
            found["file", path] = what[0]
        elif isinstance(what, str):
            found["link", path] = what.encode()
    for row in filter(None, place.git("ls-files", "-s", "-z").split("\0")):
        name = row.split()[1]
        found["index", name] = place.sh(f"git cat-file blob {name}; echo x").encode()[:-1]
    return found


def kept(place: Place) -> set[str]:
    """Return the names of all objects that something which stays leads to."""
    every = ("rev-list", "--objects", "--all", "--reflog")
    lines = place.git(*every, where="main").splitlines()
    lines += place.git("rev-list", "--objects", "--all", where="o.git").splitlines()
    return {line.split()[0] for line in lines}


def name_of(place: Place, data: bytes) -> str:
    done = subprocess.run(
        ["git", "hash-object", "--stdin"],
        input=data,
        capture_output=True,
        check=True,
        cwd=place.main,
        env=place.environment,
    )
    return done.stdout.decode().strip()


@functools.cache
def nobody() -> int:
    """Return the pid of an agent that has ended."""
    with subprocess.Popen(["true"]) as child:
        return child.pid


def commits(place: Place) -> set[str]:
    return set(place.git("rev-list", "--walk-reflogs", "HEAD").split())


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@given(st.lists(STEPS, min_size=1, max_size=5))
@example([("write", "a.txt", "z\n"), ("commit everything", "", ""), ("push", "", "")])
@example([("write unseen", "a.txt", "z\n")])
@example([("hide edits", "", ""), ("refresh", "", ""), ("write unseen", "a.txt", "z\n")])
@example([("assume", "a.txt", ""), ("write", "a.txt", "secret\n")])
@example([("filter", "a.txt", ""), ("commit everything", "", ""), ("write", "a.txt", "secret\n")])
@example(
    [
        ("detach", "", ""),
        ("write", "a.txt", "z\n"),
        ("commit everything", "", ""),
        ("attach", "", ""),
    ]
)
@example([("write", "a.txt", "z\n"), ("stash", "", ""), ("refresh", "", "")])
@example([("write", "a.txt", "z\n"), ("stage", "a.txt", ""), ("write", "a.txt", "a\n")])
@settings(max_examples=30)
def test_no_byte_is_lost_whatever_was_done(folder: Path, steps: list[Step]) -> None:
    place = a_place(Path(tempfile.mkdtemp(dir=folder)))
    with pytest.MonkeyPatch.context() as patch:
        place.settle(patch)
        for step in steps:
            do(place, step)
        before, been, branch = contents(place), commits(place), everything(place.worktree)
        outcome = tear_down(Subject(str(place.worktree), nobody(), "1"))
        assert outcome.check not in NOT_ABOUT_FILES
        event("removed" if outcome.removed else f"refused: {outcome.check}")
        if not outcome.removed:
            assert everything(place.worktree) == branch
            return
        stays = kept(place)
        place.git("worktree", "add", "-q", "../wt", "feat", where="main")
        again = contents(place)
        lost = {
            where
            for where, data in before.items()
            if again.get(where) != data and name_of(place, data) not in stays
        }
        assert not lost
        assert been <= stays
