"""`flightdeck apply` ended as `kill -9` does, at a moment of one's choice.

A moment is just before something changes on disk or a service manager is told something:
the interpreter says so itself (an audit hook), whoever writes, through whatever door. Two
more are added for each file that is written: half of it is, and it is not on disk yet.

`python -m tests.install.killing` tries every moment for every shape of a home.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

import pytest

from flightdeck import cli
from flightdeck.install import snippets
from tests.install.person import Person, changed, snapshot
from tests.install.shapes import CASES, SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CHANGES = frozenset(
    {
        "os.rename",
        "os.remove",
        "os.mkdir",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.chmod",
        "os.chown",
        "os.truncate",
        "os.utime",
        "os.setxattr",
    }
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_QUESTIONS = frozenset({"show", "print", "--version"})
# Folders made above another FLEET_HOME: for an instant nobody knows whose they are.
_FORGETS = frozenset({"state folder deep where nothing is"})
INSTALL = ("apply", "--yes", "--panel")
REMOVE = ("apply", "--remove", "--yes")


class _Counter:
    """Ends this process just before the change of a number, from 0, or has that change fail."""

    def __init__(self, number: int, home: Path, fault: int = 0) -> None:
        self._left = number
        self._home = str(home)
        self._fault = fault

    def start(self) -> None:
        os.fsync = self._before(os.fsync)  # type: ignore[assignment]
        os.fdopen = self._torn  # type: ignore[assignment]
        sys.addaudithook(self._heard)

    def step(self) -> None:
        self._left -= 1
        if self._left != -1:
            return
        if not self._fault:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self._fault, os.strerror(self._fault))

    def _before(self, real: Callable[[Any], None]) -> Callable[[Any], None]:
        def counted(handle: Any) -> None:
            self.step()
            real(handle)

        return counted

    def _torn(self, handle: int, mode: str = "r", **_more: object) -> io.FileIO:
        return _Torn(handle, mode, self.step)

    def _heard(self, event: str, told: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = told
            if flags & _WRITES and isinstance(path, str) and path.startswith(self._home):
                self.step()
        elif event == "subprocess.Popen":
            if not _QUESTIONS & set(told[1]):
                self.step()
        elif event in _CHANGES:
            self.step()


class _Torn(io.FileIO):
    """A file whose content gets there in two pieces."""

    def __init__(self, handle: int, mode: str, step: Callable[[], None]) -> None:
        super().__init__(handle, mode)
        self._step = step

    def write(self, data: Any, /) -> int:
        self._step()
        half = len(data) // 2
        super().write(data[:half])
        self._step()
        super().write(data[half:])
        return len(data)


@dataclass
class Deed:
    """What is done to a home, and how it is before and after."""

    person: Person
    words: Sequence[str]
    prepare: Callable[[Person], None]
    home: dict[str, tuple[object, ...]] = field(default_factory=dict)
    settings: set[bytes | None] = field(default_factory=set)

    def look(self) -> None:
        """See what the home looks like, and what the settings are before and after."""
        self.home = snapshot(self.person.path)
        self.prepare(self.person)
        self.settings = {content_of(self.person)}
        assert self.person.types(*self.words).code == 0
        self.settings.add(content_of(self.person))
        self.back()

    def is_killed(self, number: int) -> bool:
        """Do it up to the change of that number; say whether it came to that."""
        self.prepare(self.person)
        status, _ = in_a_child(self.person, self.words, number)
        if not os.WIFSIGNALED(status):
            assert os.waitstatus_to_exitcode(status) == 0
            self.back()
            return False
        assert content_of(self.person) in self.settings, number
        there = snapshot(self.person.path)
        assert touched(self.home, there, self.person) == set(), number
        return True

    def heal(self) -> None:
        """Run `apply` again: all is as if nobody had been killed."""
        assert self.person.types(*INSTALL).code == 0
        assert self.person.types("apply", "--plan").code == 0
        assert [name for name in self.person.tree() if name.endswith(".tmp")] == []

    def back(self) -> None:
        """Run `apply --remove`: the home is as it was."""
        done = self.person.types(*REMOVE)
        assert done.code == 0, done.err
        assert changed(self.home, snapshot(self.person.path)) == set()


def in_a_child(
    person: Person, words: Sequence[str], number: int, fault: int = 0
) -> tuple[int, str]:
    """Run a command whose change of a number kills it, or fails with `fault`.

    Returns how it ended, as `wait` tells, and what it said on standard error.
    """
    with tempfile.TemporaryFile("w+") as said, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of a test runner
        pid = os.fork()
        if pid == 0:
            _run(_Counter(number, person.path, fault), words, said)
        _, status = os.waitpid(pid, 0)
        said.seek(0)
        return status, said.read()


def _run(counter: _Counter, words: Sequence[str], said: IO[str]) -> NoReturn:
    code = 70
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            counter.start()
            code = cli.main(words)
        said.flush()
    finally:
        os._exit(code)


def content_of(person: Person) -> bytes | None:
    """Return what the settings are at this moment."""
    folder = Path(os.environ.get("CLAUDE_CONFIG_DIR", person.config))
    try:
        return (folder / "settings.json").read_bytes()
    except FileNotFoundError:
        return None


def touched(
    before: dict[str, tuple[object, ...]], after: dict[str, tuple[object, ...]], person: Person
) -> set[str]:
    """Return what was there before and is not as it was, but for the settings themselves.

    The same file may have one name more at that moment: it is kept for later.
    """
    folder = Path(os.environ.get("CLAUDE_CONFIG_DIR", person.config))
    own = os.path.relpath(os.path.realpath(folder / "settings.json"), person.path)
    there = {name: seen[:6] for name, seen in after.items() if name in before and name != own}
    kept = {name: seen[:6] for name, seen in before.items() if name != own}
    return changed(kept, there)


def nothing(person: Person) -> None:
    """Leave the home as it is."""


def installed(person: Person) -> None:
    """Have it all installed."""
    assert person.types(*INSTALL).code == 0


def installed_of_old(person: Person) -> None:
    """Have an older flightdeck installed, whose hooks are others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snippets, "_VERSION", 0)
        assert person.types(*INSTALL).code == 0


DEEDS = {
    "apply": (INSTALL, nothing),
    "apply after an upgrade": (INSTALL, installed_of_old),
    "remove": (REMOVE, installed),
}


def tried(person: Person, name: str, *, every: int = 1, first: int = 0) -> int:
    """Try one deed, killed at each moment, healed by turns; return how many moments there were."""
    words, prepare = DEEDS[name]
    deed = Deed(person, words, prepare)
    deed.look()
    moments = 0
    number = first
    while deed.is_killed(number):
        if moments % 2 == 0:
            deed.heal()
        deed.back()
        moments += 1
        number += every
    return moments


def _all() -> None:
    total = 0
    for shape, manager in CASES:
        if shape in _FORGETS:
            continue
        for name in DEEDS:
            with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
                person = Person(Path(folder) / "home", patch)
                SHAPES[shape](person)
                if manager:
                    person.gets_a_manager(manager)
                moments = tried(person, name)
            total += moments
            told = f"{shape}, {manager or 'no manager'}, {name}: {moments}, {total} so far"
            sys.stdout.write(f"{told}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _all()
