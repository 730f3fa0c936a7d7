"""Who hears what is typed: real terminals, a real shell, and what `ps` says on macOS."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.system import foreground
from flightdeck.system.clock import monotonic
from flightdeck.system.foreground import in_front, in_front_by_ps
from flightdeck.system.run import Completed, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DEADLINE_S = 10.0
# Told to by a signal, it gives the terminal to a child of its own.
AGENT = """\
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def lend(*_):
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        while True: signal.pause()
signal.signal(signal.SIGUSR1, lend)
with open(sys.argv[1] + ".new", "w") as file: file.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True: signal.pause()
"""


def wait_until(true: Callable[[], bool]) -> None:
    end = monotonic() + DEADLINE_S
    while not true():
        assert monotonic() < end, "it never came to be"


@dataclass(frozen=True)
class Terminal:
    """A terminal in which a shell with job control runs."""

    keyboard: int
    device: str
    folder: Path

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    def agent(self, name: str, after: str = "") -> int:
        """Start an agent from the shell's prompt and return its pid."""
        script, told = self.folder / "agent.py", self.folder / name
        script.write_text(AGENT, encoding="utf-8")
        self.type(f"{sys.executable} -I -S {script} {told} {after}\r")
        wait_until(told.exists)
        return int(told.read_text(encoding="utf-8"))


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Callable[[], Terminal]]:
    """Make terminals; everything in them ends when they do."""
    shells: list[tuple[subprocess.Popen[bytes], int, int]] = []

    def make() -> Terminal:
        ours, theirs = pty.openpty()
        device, folder = os.ttyname(theirs), tmp_path / str(len(shells))
        folder.mkdir()
        # Whoever leads a session and opens a terminal has it for its own.
        argv = ["sh", "-c", 'exec bash --norc --noprofile -i <"$0" >"$0" 2>&1', device]
        shells.append((subprocess.Popen(argv, start_new_session=True), ours, theirs))
        return Terminal(ours, device, folder)

    yield make
    for shell, ours, theirs in shells:
        members = run(["ps", "-o", "pid=", "-s", str(shell.pid)], timeout_s=DEADLINE_S).out
        for pid in members.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        shell.wait(DEADLINE_S)
        os.close(ours)
        os.close(theirs)


@pytest.fixture(params=["proc", "ps"])
def heard(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every rule holds with `/proc` and without."""
    if request.param == "ps":
        monkeypatch.setattr(foreground, "_PROC", tmp_path / "no proc")
    return str(request.param)


def test_agent_in_front_hears_the_keys(heard: str, terminals: Callable[[], Terminal]) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    assert in_front(pid, terminal.device)


def test_agent_behind_its_shell_does_not(heard: str, terminals: Callable[[], Terminal]) -> None:
    terminal = terminals()
    pid = terminal.agent("a", after="&")
    wait_until(lambda: not in_front(pid, terminal.device))


def test_agent_suspended_from_the_keyboard_does_not_until_it_comes_back(
    heard: str, terminals: Callable[[], Terminal]
) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    terminal.type("\x1a")
    wait_until(lambda: not in_front(pid, terminal.device))
    # The shell may not have the terminal yet, and would not read the command.
    wait_until(lambda: os.tcgetpgrp(terminal.keyboard) != os.getpgid(pid))
    terminal.type("fg\r")
    wait_until(lambda: in_front(pid, terminal.device))


def test_agent_that_is_stopped_does_not(heard: str, terminals: Callable[[], Terminal]) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: not in_front(pid, terminal.device))


def test_agent_whose_child_has_the_terminal_does_not(
    heard: str, terminals: Callable[[], Terminal]
) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    os.kill(pid, signal.SIGUSR1)
    wait_until(lambda: os.tcgetpgrp(terminal.keyboard) != os.getpgid(pid))
    assert not in_front(pid, terminal.device)
    assert in_front(os.tcgetpgrp(terminal.keyboard), terminal.device)


def test_agent_hears_its_own_terminal_only(heard: str, terminals: Callable[[], Terminal]) -> None:
    one, two = terminals(), terminals()
    first, second = one.agent("a"), two.agent("b")
    assert in_front(first, one.device)
    assert not in_front(first, two.device)
    assert not in_front(second, one.device)


def test_agent_that_has_ended_hears_nothing(heard: str, terminals: Callable[[], Terminal]) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not in_front(pid, terminal.device))


def test_zombie_hears_nothing(heard: str) -> None:
    ours, theirs = pty.openpty()
    device = os.ttyname(theirs)
    argv = ["sh", "-c", 'exec cat <"$0" >"$0"', device]
    with subprocess.Popen(argv, start_new_session=True) as child:
        wait_until(lambda: in_front(child.pid, device))
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not in_front(child.pid, device)
    os.close(ours)
    os.close(theirs)


def test_process_without_a_terminal_hears_none(
    heard: str, terminals: Callable[[], Terminal]
) -> None:
    device = terminals().device
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as child:
        found = in_front(child.pid, device)
        child.kill()
    assert not found


@pytest.mark.parametrize("pid", [0, 1, -1, -(2**40), 2**40, 10**40])
def test_pid_no_agent_can_have_hears_nothing(
    heard: str, terminals: Callable[[], Terminal], pid: int
) -> None:
    assert not in_front(pid, terminals().device)


@pytest.mark.parametrize(
    "device",
    [
        "",
        "/",
        "/dev/null",
        "/dev/tty",
        "/dev/none",
        "no\0path",
        "\ud83d",
        "x" * 5000,
        "{}/agent.py",
    ],
)
def test_what_is_no_terminal_of_the_agent_is_none(
    heard: str, terminals: Callable[[], Terminal], device: str
) -> None:
    terminal = terminals()
    pid = terminal.agent("a")
    assert not in_front(pid, device.format(terminal.folder))


@pytest.mark.parametrize("name", ["a b", "x) S 1 (y", "(((", "\n) S 2"])
def test_name_of_the_program_disturbs_nothing(tmp_path: Path, name: str) -> None:
    ours, theirs = pty.openpty()
    device, program = os.ttyname(theirs), tmp_path / name
    program.write_bytes(Path("/bin/cat").read_bytes())
    program.chmod(0o755)
    argv = ["sh", "-c", 'exec "$1" <"$0" >"$0"', device, str(program)]
    with subprocess.Popen(argv, start_new_session=True) as child:
        wait_until(lambda: in_front(child.pid, device))
        child.kill()
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("line", [b"", b"77 (sh", b"77 (sh) S 1", b"77 (sh) S 1 x 7 34816 7 0"])
def test_line_cut_short_or_odd_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminals: Callable[[], Terminal], line: bytes
) -> None:
    for pid in ("self", "77"):
        (tmp_path / "proc" / pid).mkdir(parents=True)
        (tmp_path / "proc" / pid / "stat").write_bytes(line)
    monkeypatch.setattr(foreground, "_PROC", tmp_path / "proc")
    assert not in_front(77, terminals().device)


def test_terminal_with_a_large_number_is_told_from_one_with_the_same_low_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Terminal 300 of the pseudo terminals: major 136, minor 0x12c.
    for pid in ("self", "77"):
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "stat").write_bytes(b"77 (sh) S 1 77 77 %d 77 0" % 0x10882C)
    monkeypatch.setattr(foreground, "_PROC", tmp_path)
    monkeypatch.setattr(foreground, "_number", lambda device: os.makedev(136, int(device)))
    assert in_front(77, "300")
    assert not in_front(77, "44")


class Ps:
    """Answers like `ps`, and remembers how it was asked."""

    def __init__(self, out: str) -> None:
        self.out = out
        self.asked: list[list[str]] = []

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        self.asked.append(list(argv))
        if not self.out:
            raise Unavailable("'ps' gave no answer in 2 s")
        return Completed(0, self.out, "")


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ("ttys003   4711  4711 S+\n", True),
        ("ttys003   4711  4711 Ss+\n", True),
        ("ttys003   4711  4711 R+\n", True),
        ("ttys003   4711  4712 S\n", False),  # behind a child, or its shell
        ("ttys003   4711  4600 T\n", False),  # suspended
        ("ttys003   4711  4711 T+\n", False),  # stopped from elsewhere
        ("ttys003   4711  4711 Z+\n", False),
        ("ttys004   4711  4711 S+\n", False),
        ("ttys0030  4711  4711 S+\n", False),
        ("??        4711     0 S\n", False),
        ("??        4711    -1 Ss\n", False),
        ("ttys003      0     0 S+\n", False),
        ("\n", False),
        ("ttys003 4711 4711\n", False),
        ("ttys003 4711 4711 S+ more\n", False),
        ("ttys003 x 4711 S+\n", False),
        ("", False),
    ],
)
def test_what_ps_says_on_macos_is_understood(out: str, expected: bool) -> None:
    assert in_front_by_ps(4711, "/dev/ttys003", Ps(out)) is expected


def test_ps_is_asked_for_that_process_alone_and_in_one_language() -> None:
    ps = Ps("ttys003   4711  4711 S+\n")
    in_front_by_ps(4711, "/dev/ttys003", ps)
    assert ps.asked == [
        ["/usr/bin/env", "LC_ALL=C", "ps", "-o", "tty=,pgid=,tpgid=,stat=", "-p", "4711"]
    ]
