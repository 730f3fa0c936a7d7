"""Real repositories to tear worktrees out of: one is built, every test gets a copy.

A place holds `o.git` (the remote), `main` (the main checkout) and `wt`, a clean linked
worktree on the branch `feat`, which is pushed.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_CONFIG = """\
[user]
	name = t
	email = t@example.invalid
[init]
	defaultBranch = main
	templateDir =
[protocol "file"]
	allow = always
[commit]
	gpgSign = false
[advice]
	detachedHead = false
"""
_BUILD = """
git init -q --bare o.git
git clone -q o.git main 2>/dev/null
cd main
mkdir .git/info
printf '.env\\nnode_modules\\nbuild/\\n' >.gitignore
echo a >a.txt
mkdir src
echo b >src/b.txt
echo 'echo run' >run.sh
chmod +x run.sh
ln -s a.txt link
git add -A
git commit -qm base
git push -q -u origin HEAD:main
git worktree add -q -b feat ../wt
cd ../wt
git push -q -u origin feat
"""
TIMEOUT_S = 60.0


@dataclass
class Place:
    """A folder with the three of them; `extra` is what the environment has besides."""

    root: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def worktree(self) -> Path:
        """The linked worktree every place has."""
        return self.root / "wt"

    @property
    def main(self) -> Path:
        """The main checkout."""
        return self.root / "main"

    @property
    def own(self) -> Path:
        """What git keeps for the worktree alone."""
        return self.main / ".git" / "worktrees" / "wt"

    @property
    def environment(self) -> dict[str, str]:
        """What a git of a person runs with here."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        config = {"GIT_CONFIG_GLOBAL": str(self.root / "gc"), "GIT_CONFIG_SYSTEM": os.devnull}
        return kept | config | {"X": str(self.root)} | self.extra

    def sh(self, script: str, where: str = "wt") -> str:
        """Run a script of shell commands in a folder of the place and return what it says."""
        done = subprocess.run(
            ["sh", "-ec", script],
            cwd=self.root / where,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, f"{script}\n{done.stderr}"
        return done.stdout.strip()

    def git(self, *words: str, where: str = "wt") -> str:
        """Run git in a folder of the place and return what it says."""
        argv = ["git", *words]
        done = subprocess.run(
            argv,
            cwd=self.root / where,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=TIMEOUT_S,
        )
        return done.stdout.strip()

    def settle(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let this process's own git see the place's configuration only."""
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(self.root / "gc"))
        monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


@functools.cache
def _template() -> Path:
    root = Path(tempfile.mkdtemp(prefix="teardown-"))
    (root / "gc").write_text(_CONFIG, encoding="utf-8")
    atexit.register(shutil.rmtree, root)
    Place(root).sh(_BUILD, ".")
    return root


def a_place(root: Path) -> Place:
    """Return a copy of the template at `root`, as if it had been built there."""
    shutil.copytree(_template(), root, symlinks=True, dirs_exist_ok=True)
    place = Place(root)
    links = (root / "wt" / ".git", place.own / "gitdir", root / "main" / ".git" / "config")
    for path in links:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(str(_template()), str(root)), encoding="utf-8")
    return place


def everything(top: Path) -> dict[str, object]:
    """Return every entry below a folder with its bytes, its link target, or its kind."""
    found: dict[str, object] = {}
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            path = Path(folder, name)
            info = path.lstat()
            if stat.S_ISLNK(info.st_mode):
                what: object = str(path.readlink())
            elif stat.S_ISREG(info.st_mode):
                what = (path.read_bytes(), info.st_mode)
            else:
                what = stat.S_IFMT(info.st_mode)
            found[str(path.relative_to(top))] = what
    return found


def stand_in(place: Place, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """Put a program called `git` first on the path; its words go to the file returned.

    `$GIT` in the script is the real one, `$all` the words as one text.
    """
    real = shutil.which("git")
    folder = place.root / "bin"
    folder.mkdir()
    asked = folder / "asked"
    program = folder / "git"
    program.write_text(
        f'#!/bin/sh\nGIT={real}\nall="$*"\necho "$all" >>"{asked}"\n{script}\nexec "$GIT" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return asked
