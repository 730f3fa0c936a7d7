"""Somebody who types `flightdeck apply` at home, and everything there is to see of that home."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import stat
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import cli
from flightdeck.commands import apply
from flightdeck.install import launchd, target
from flightdeck.store import files
from flightdeck.store.paths import StateFolder
from tests.install.home import Home
from tests.install.managers import Stub

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

_OF_OURS = ("FLEET_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "NO_COLOR")


@dataclass(frozen=True)
class Typed:
    """What came of a command."""

    code: int
    out: str
    err: str


class Person(Home):
    """A home with a client in it, and a command that is run in this very process."""

    def __init__(self, path: Path, patch: pytest.MonkeyPatch) -> None:
        """Move in: from here on this process finds everything at that home."""
        super().__init__(path)
        self.install_client()
        self._patch = patch
        for name in _OF_OURS:
            patch.delenv(name, raising=False)
        for name, value in self.environ.items():
            patch.setenv(name, value)
        # What is compiled is the same each time.
        _what_is_compiled()
        patch.setattr(apply, "_compiled", _compiled)
        # Whether an empty file stays empty is a matter of its own.
        patch.setattr(target, "_SETTLES_IN_S", 0.0)
        command = path / "bin" / "flightdeck"
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
        patch.setattr(sys, "executable", str(path / "bin" / "python"))
        patch.setattr(sys, "stdin", io.StringIO())

    def export(self, **names: str) -> None:
        """Set a variable for every command from here on."""
        for name, value in names.items():
            self._patch.setenv(name, value)

    def gets_a_manager(self, kind: str) -> Stub:
        """Have a service manager here: `systemd` or `launchd`."""
        self._patch.setattr(sys, "platform", "linux" if kind == "systemd" else "darwin")
        self._patch.setattr(launchd, "_account_home", lambda: str(self.path))
        name, reads = "systemctl", self.path / ".config" / "systemd" / "user"
        if kind == "launchd":
            name, reads = "launchctl", self.path / "Library" / "LaunchAgents"
        stub = Stub(name, self.path.parent / "stub", reads)
        self.export(**{f"FLIGHTDECK_{name.upper()}": str(stub.program)})
        return stub

    def types(self, *words: str) -> Typed:
        """Run `flightdeck` with these words."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(words)
        return Typed(code, out.getvalue(), err.getvalue())


# Where in what is seen of a file its time stands.
_TIME = 6

_really_compiled = apply._compiled


@functools.cache
def _what_is_compiled() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        state = StateFolder(Path(folder))
        state.create()
        _really_compiled(state)
        return {path.name: path.read_bytes() for path in state.compiled.iterdir()}


def _compiled(state: StateFolder) -> list[str]:
    try:
        for name, content in _what_is_compiled().items():
            files.replace(state.compiled / name, content)
    except OSError as error:
        raise state.unusable(error) from error
    return []


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return all there is to see of everything below `folder`, but for times of folders.

    For a file that is its content, mode, owner, group, extended attributes and the time it
    was written at; for a link, where it leads.
    """
    found: dict[str, tuple[object, ...]] = {}
    for at, inner, others in os.walk(folder):
        for name in (*inner, *others):
            path = os.path.join(at, name)  # noqa: PTH118 - a name may be no text
            found[os.path.relpath(path, folder)] = _seen(path)
    found["."] = _seen(str(folder))
    return found


def _seen(path: str) -> tuple[object, ...]:
    there = os.lstat(path)
    mode = stat.S_IMODE(there.st_mode)
    kind = stat.S_IFMT(there.st_mode)
    who = (kind, there.st_uid, there.st_gid)
    if stat.S_ISLNK(there.st_mode):
        return (*who, os.readlink(path))  # noqa: PTH115
    attributes = sorted(_attributes(path).items())
    if not stat.S_ISREG(there.st_mode):
        return (*who, mode, attributes)
    return (*who, mode, attributes, Path(path).read_bytes(), there.st_mtime_ns)


def _attributes(path: str) -> Mapping[str, bytes]:
    if not hasattr(os, "listxattr"):
        return {}
    return {name: os.getxattr(path, name) for name in os.listxattr(path)}


def but_for_times(home: Mapping[str, tuple[object, ...]]) -> dict[str, tuple[object, ...]]:
    """Return a snapshot without the times files were written at."""
    return {name: seen[:_TIME] for name, seen in home.items()}


def changed(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    """Return the names that are not the same in both."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
