"""A throw-away machine for the real client: own network, own /tmp, own pids, own home.

Inside there is loopback only, so nothing a test does can reach a service, and a private
/tmp, because the client and tmux keep sockets there. Whatever is left running ends with
the lab. It must not know scenarios or the panel.

Source: unshare(1), mount(8), netdevice(7).
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.real.client import ROOT, VERSION

if TYPE_CHECKING:
    from tests.real.fake_api import FakeApi

KEY = "sk-ant-dummy-lab-0123456789abcdefghij"  # the fake API asks for none; the client does
UNSHARE = ("unshare", "-n", "-m", "-p", "--fork", "--kill-child", "--mount-proc")
# The first process of a pid namespace inherits orphans; a shell reaps them, Python would not.
REAPER = ("/bin/sh", "-c", '"$@"; exit $?', "lab")
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1


def unshare_argv() -> list[str]:
    """Return the command that opens the namespaces: as root, or as a user who maps to root."""
    return [*UNSHARE] if os.geteuid() == 0 else [UNSHARE[0], "-r", *UNSHARE[1:]]


def can_isolate() -> bool:
    """Return whether this machine lets us open the namespaces."""
    try:
        done = subprocess.run([*unshare_argv(), "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def isolate(root: Path, *kept: Path) -> None:
    """Bring loopback up and put a private /tmp in place; `root` and `kept` stay visible.

    Raises:
        CalledProcessError: called outside the namespaces.
    """
    _mount("--make-rprivate", "/")
    private = root / "tmp"
    private.mkdir(mode=0o1777)
    private.chmod(0o1777)
    for path in (root, ROOT, Path(sys.prefix), Path(sys.base_prefix), *kept):
        _keep(path.resolve(), private)
    _mount("--rbind", str(private), "/tmp")
    _raise_loopback()


def _keep(path: Path, private: Path) -> None:
    if not path.is_relative_to("/tmp"):
        return
    top = Path(*path.parts[:3])
    place = private / top.name
    if not place.exists():
        place.mkdir()
        _mount("--bind", str(top), str(place))


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        asked = struct.pack("16sH14x", b"lo", 0)
        (flags,) = struct.unpack("16xH14x", fcntl.ioctl(link, _SIOCGIFFLAGS, asked))
        fcntl.ioctl(link, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))


@dataclass(slots=True)
class Lab:
    """The folders, the environment and the fake API everything in the lab shares."""

    root: Path
    client: Path
    api: FakeApi
    env: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """The throw-away home."""
        return self.root / "home"

    @property
    def config(self) -> Path:
        """The client's configuration folder."""
        return self.home / ".claude"

    @property
    def fleet(self) -> Path:
        """The panel's state folder."""
        return self.home / ".fleet"

    def work(self, name: str) -> Path:
        """Return the repository a scenario works in."""
        return self.root / "work" / name

    def lay(self, names: list[str]) -> None:
        """Make the folders, one repository a scenario, and a client that knows them all."""
        programs = self.root / "bin"
        for path in (self.config, self.root / "log", programs):
            path.mkdir(parents=True)
        (programs / "claude").symlink_to(self.client)
        self.env = self._environment(programs)
        for name in names:
            self._repository(self.work(name))
        (self.config / "settings.json").write_text('{\n  "includeCoAuthoredBy": false\n}\n')
        (self.config / ".claude.json").write_text(json.dumps(self._known(names)))

    def _environment(self, programs: Path) -> dict[str, str]:
        path = [str(programs), f"{sys.prefix}/bin", "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "HOME": str(self.home),
            "PATH": ":".join(path),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            # Left over from the terminal tmux was started in: inside tmux it says nothing.
            "ITERM_SESSION_ID": "w0t0p0:00000000-0000-0000-0000-000000000000",
            "CLAUDE_CONFIG_DIR": str(self.config),
            "FLEET_HOME": str(self.fleet),
            "ANTHROPIC_BASE_URL": self.api.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "IS_SANDBOX": "1",
        }

    def _repository(self, path: Path) -> None:
        path.mkdir(parents=True)
        me = ("-c", "user.name=lab", "-c", "user.email=lab@example.invalid")
        for words in (["init", "-q", "-b", "main"], [*me, "commit", "-q", "--allow-empty", "-mx"]):
            subprocess.run(["git", *words], cwd=path, env=self.env, check=True)

    def _known(self, names: list[str]) -> dict[str, object]:
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        return {
            "hasCompletedOnboarding": True,
            "lastOnboardingVersion": VERSION,
            "theme": "dark",
            "numStartups": 20,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "autoUpdates": False,
            "projects": {str(self.work(name)): trusted for name in names},
        }

    def run(self, *argv: str, timeout_s: float = 60) -> str:
        """Run a program of the lab to its end and return what it printed.

        Raises:
            CalledProcessError: it failed; `stderr` says why.
        """
        done = subprocess.run(
            argv,
            env=self.env,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=timeout_s,
        )
        return done.stdout

    def start(self, name: str, *argv: str) -> subprocess.Popen[bytes]:
        """Start a program that runs on; what it says goes to `log/NAME`."""
        with (self.root / "log" / name).open("wb") as log:
            return subprocess.Popen(
                argv,
                env=self.env,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
