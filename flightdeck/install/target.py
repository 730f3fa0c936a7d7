"""One settings file on disk: read when it has settled, replaced at once, never half.

The client rewrites this file itself, at any moment: what is written here was made from
what stood there an instant ago, or it is made again. Knows nothing of hooks.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Refused, Unavailable
from flightdeck.install import folders
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Callable

    # What a file's bytes become; None is no file.
    Make = Callable[[bytes | None], bytes | None]

# An empty file may be one that is just being written.
_SETTLES_IN_S = 1.0
_LOOK_EVERY_S = 0.05
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Change:
    """What became, or would become, of a file; None is no file."""

    file: Path
    before: bytes | None
    after: bytes | None

    @property
    def is_none(self) -> bool:
        """Whether the file stays as it is."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Target:
    """`settings.json` in the configuration folder of an agent."""

    folder: Path

    @property
    def file(self) -> Path:
        """What the file is called; it may be a link."""
        return self.folder / "settings.json"

    @property
    def real(self) -> Path:
        """Where its bytes are: a link stays one, and what it points at is replaced."""
        return Path(os.path.realpath(self.file))

    def missing(self) -> list[Path]:
        """Return the folders that would have to be made for it, the outermost first."""
        return folders.missing(self.real.parent)

    def refuse_dangling(self) -> None:
        """Refuse to write where a link leads nowhere: a disk that is not mounted, say.

        Raises:
            Refused: names the link.
        """
        folders.refuse_dangling(self.folder)
        where = self.real.parent
        if self.file.is_symlink() and not where.is_dir():
            what = f"it is a link into {where}, which is not there"
            raise Refused(f"cannot write {self.file}: {what}")

    def sweep(self) -> None:
        """Take out what a killed run left beside it.

        Raises:
            FlightdeckError: it is there and cannot be removed.
        """
        try:
            files.forget_halves(self.real)
        except OSError as error:
            raise self._unwritable(error) from error

    def read(self) -> bytes | None:
        """Return its content, None where there is none; waits up to 1 s on an empty one.

        Raises:
            FlightdeckError: it is there and cannot be read.
        """
        for _ in range(int(_SETTLES_IN_S / _LOOK_EVERY_S)):
            content = self.content()
            if content != b"":
                return content
            threading.Event().wait(_LOOK_EVERY_S)
        return self.content()

    def plan(self, make: Make) -> Change:
        """Return what `make` would do to the file.

        Raises:
            FlightdeckError: it cannot be read, or `make` refuses it.
        """
        before = self.read()
        return Change(self.file, before, make(before))

    def rewrite(self, make: Make, prepare: Callable[[Change], None]) -> Change:
        """Make the file what `make` says, and return what changed.

        `prepare` is told of the change before anything is written. Whoever else writes the
        file in between is not overwritten: their content goes through `make` again.

        Raises:
            FlightdeckError: it cannot be read or written, `make` refuses it, or making
                it twice is not the same as making it once; the file is as it was.
            Unavailable: others kept writing it.
        """
        for _ in range(_ATTEMPTS):
            change = self.plan(make)
            if change.is_none:
                return change
            prepare(change)
            try:
                self._put(change.after, instead_of=change.before)
            except _OvertakenError:
                continue
            if self.content() == change.after:
                self._verify(make, change)
                return change
        raise Unavailable(
            f"{self.file} was written by somebody else {_ATTEMPTS} times in a row",
            "run `flightdeck apply` again when it is at rest",
        )

    def _verify(self, make: Make, change: Change) -> None:
        if make(change.after) == change.after:
            return
        with contextlib.suppress(_OvertakenError):
            self._put(change.before, instead_of=change.after)
        raise FlightdeckError(
            f"a second look at {self.file} would change it again, so it was put back",
            "please report this with the file's hooks",
        )

    def content(self) -> bytes | None:
        """Return what it holds at this moment, None where there is none.

        Raises:
            FlightdeckError: it is there and cannot be read.
        """
        real = self.real
        try:
            kind = real.stat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                # A pipe would never end, and a link to /dev/null would have that replaced.
                raise Refused(f"{self.file} is a device or a pipe, not a file", f"rm {self.file}")
            return real.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FlightdeckError(f"cannot read {self.file}: {error.strerror}") from error

    def _put(self, content: bytes | None, *, instead_of: bytes | None) -> None:
        """Write `content`, unless `instead_of` is no longer what stands there."""
        self.refuse_dangling()
        real = self.real
        try:
            files.forget_halves(real)
            if content is None:
                self._still(instead_of)
                real.unlink(missing_ok=True)
            else:
                folders.make_private(real.parent)
                # Asked last of all: forcing it to disk gives the client time to write.
                still = partial(self._still, instead_of)
                like = real if real.exists() else None
                files.replace(real, content, durable=True, like=like, last_look=still)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> FlightdeckError:
        return FlightdeckError(f"cannot write {self.file}: {error.strerror}")

    def _still(self, content: bytes | None) -> None:
        if self.content() != content:
            raise _OvertakenError


class _OvertakenError(Exception):
    """Somebody else has written the file since it was read."""
