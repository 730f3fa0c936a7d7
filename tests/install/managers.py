"""Service managers for tests: two that write down what they are told, and a real one.

The first two are programs on PATH that behave as far as `apply` can tell; the real one is
a `systemd --user` of its own, in a mount namespace, with a home and sockets of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fold.world import DEADLINE_S, until
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Sequence

# Beside the program itself lie: `calls`; `fail-VERB`, what to say on failing; and what is up.
_SYSTEMCTL = """#!/bin/sh
here=$(dirname "$0"); shift
printf '%s\\n' "$*" >>"$here/calls"
verb=$1; shift
[ ! -e "$here/fail-$verb" ] || { cat "$here/fail-$verb" >&2; exit 1; }
case $verb in
show)
    case $1 in -pUnitPath) cat "$here/reads"; exit;; esac
    while [ "$1" != -- ]; do shift; done; shift
    for unit; do
        state=disabled up=inactive
        for link in "$(cat "$here/folder")"/*.wants/"$unit"; do
            [ ! -L "$link" ] || state=enabled
        done
        [ ! -e "$here/up-$unit" ] || up=active
        printf '%s\\n' "Id=$unit" UnitFileState=$state ActiveState=$up NeedDaemonReload=no ''
    done;;
enable)
    for unit; do
        case $unit in *.timer) wants=timers;; *) wants=default;; esac
        folder=$(cat "$here/folder")
        mkdir -p "$folder/$wants.target.wants"
        ln -sf "$folder/$unit" "$folder/$wants.target.wants/$unit"
    done;;
disable)
    shift
    for unit; do
        rm -f "$here/up-$unit" "$(cat "$here/folder")"/*.wants/"$unit"
        rmdir "$(cat "$here/folder")"/*.wants 2>/dev/null
    done; true;;
restart)
    for unit; do
        [ -e "$(cat "$here/folder")/$unit" ] || { echo "Unit $unit not found." >&2; exit 5; }
        : >"$here/up-$unit"
    done;;
esac
"""
_LAUNCHCTL = """#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$*" >>"$here/calls"
[ ! -e "$here/fail-$1" ] || { cat "$here/fail-$1" >&2; exit 1; }
case $1 in
print)
    case $2 in
    gui/*/*) [ -e "$here/up-${2##*/}" ] || exit 113;;
    *) [ ! -e "$here/no-screen" ] || exit 113;;
    esac
    [ ! -s "$here/going" ] || [ -e "$here/stuck" ] || { rm -f "$here/going" "$here/up-${2##*/}"; };;
bootout)
    [ ! -e "$here/slow" ] || { echo x >"$here/going"; exit 36; }
    rm -f "$here/up-${2##*/}";;
bootstrap)
    label=$(basename "$3" .plist)
    if [ -e "$here/busy" ] || [ ! -e "$3" ] || [ -e "$here/up-$label" ]; then
        rm -f "$here/busy"
        echo 'Bootstrap failed: 5: Input/output error' >&2
        exit 5
    fi
    [ -e "$here/forgetful" ] || : >"$here/up-$label";;
esac
"""


class Stub:
    """One of the two programs, in a folder of its own."""

    def __init__(self, name: str, folder: Path, reads: Path) -> None:
        """Put it there; `reads` is where its manager looks for files."""
        folder.mkdir(exist_ok=True)
        self.folder = folder
        text = {"systemctl": _SYSTEMCTL, "launchctl": _LAUNCHCTL}[name]
        self.program = folder / name
        self.program.write_text(text)
        self.program.chmod(0o755)
        self.put("reads", f'/etc/systemd/user "{reads}" /run/x\n')
        self.put("folder", str(reads))

    def put(self, name: str, text: str = "") -> None:
        """Change how it behaves."""
        (self.folder / name).write_text(text)

    def fails(self, verb: str, words: str = "no such luck") -> None:
        """Let it refuse one of its commands."""
        self.put(f"fail-{verb}", f"{words}\nsecond line\n")

    def recovers(self, verb: str) -> None:
        """Let it refuse that no more."""
        (self.folder / f"fail-{verb}").unlink()

    def told(self) -> list[str]:
        """Return what it was told since the last time, but for mere questions."""
        log = self.folder / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [line for line in lines if line.split()[0] not in {"show", "print"}]

    def up(self) -> set[str]:
        """Return what it keeps running."""
        return {path.name.removeprefix("up-") for path in self.folder.glob("up-*")}


class UserManager:
    """A real `systemd --user` that knows nothing of the machine's own."""

    def __init__(self, home: Path) -> None:
        """Start it for `home`, and wait until it answers."""
        # The name of a socket has room for some hundred characters.
        self._runtime = Path(tempfile.mkdtemp(prefix="fd-rt-"))
        self.environ = {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(self._runtime),
            "PATH": os.environ["PATH"],
        }
        inside = 'mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec "$0" --user'
        self._process = subprocess.Popen(
            ["unshare", "-m", "/bin/sh", "-c", inside, require("user-manager")],
            env=self.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        up = ["systemctl", "--user", "show", "-pVersion"]
        until(lambda: self.run(up).returncode == 0, "a user manager that answers")

    def run(self, argv: Sequence[str], **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a program where the manager runs."""
        enter = ["nsenter", "-m", "-t", str(self._process.pid), *argv]
        return subprocess.run(
            enter,
            env={**self.environ, **environ},
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )

    def says(self, unit: str, name: str) -> str:
        """Return one property of a unit."""
        return self.run(
            ["systemctl", "--user", "show", unit, f"-p{name}", "--value"]
        ).stdout.strip()

    def end(self) -> None:
        """End it, and with it what it runs."""
        self._process.terminate()
        try:
            self._process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._runtime, ignore_errors=True)
