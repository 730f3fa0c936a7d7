"""What the hosts' tests share: real tmux servers, a fake iTerm2, answering programs."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hosts.fake_iterm2 import FakeIterm2
from tests.hosts.real_tmux import Recorder, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name (108 bytes in all)."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def tmux(short_path: Path) -> Iterator[Callable[[str], Server]]:
    """Make a tmux server on the socket of this name."""
    servers: list[Server] = []

    def make(name: str = "s") -> Server:
        servers.append(Server(short_path / name))
        return servers[-1]

    yield make
    for server in servers:
        server.end()


@pytest.fixture
def recorder() -> Recorder:
    """The real runner, recording."""
    return Recorder()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Put a shell script on the PATH that notes its arguments and input, then answers."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def make(name: str, *, says: str = "", complains: str = "", code: int = 0) -> Path:
        log = tmp_path / f"{name}.log"
        script = folder / name
        script.write_text(
            "#!/bin/sh\n"
            f"{{ for word in \"$@\"; do printf '[%s]' \"$word\"; done; echo; cat; }} >>'{log}'\n"
            f"printf '%s' '{says}'\nprintf '%s' '{complains}' >&2\nexit {code}\n",
            encoding="utf-8",
        )
        script.chmod(0o755)
        return log

    return make


@pytest.fixture
def iterm2_api(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeIterm2]:
    """An iTerm2 whose Python API is switched on, in a HOME of its own."""
    monkeypatch.setenv("HOME", str(short_path))
    monkeypatch.setenv("IT2_SUITE", "iTerm2")
    monkeypatch.setenv("ITERM2_COOKIE", "cookie")
    monkeypatch.setenv("ITERM2_KEY", "key")
    fake = FakeIterm2(short_path / "Library/Application Support/iTerm2/private/socket")
    fake.start()
    yield fake
    fake.stop()
