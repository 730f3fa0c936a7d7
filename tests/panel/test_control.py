"""The control socket: a press from a terminal, and whatever else somebody sends there."""

from __future__ import annotations

import json
import socket
import stat
import threading
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.panel import control
from flightdeck.panel.control import ControlSocket, ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_S = 20.0


def echo(request: dict[str, Any]) -> dict[str, Any]:
    """Answer with what was asked; a bug where that is asked for."""
    if request.get("do") == "break":
        raise ZeroDivisionError
    if request.get("do") == "refuse":
        raise Refused("no")
    return {"asked": request}


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[ControlSocket]:
    listening = ControlSocket(tmp_path / "control.sock", echo)
    listening.start()
    yield listening
    listening.close()


def raw(path: Path, data: bytes) -> bytes:
    """Send any bytes, close that direction, and return what comes back."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(PATIENCE_S)
        line.connect(str(path))
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            return line.recv(65536)
        except (BrokenPipeError, ConnectionResetError):
            return b""


def test_request_gets_its_answer(listening: ControlSocket) -> None:
    assert ask(str(listening.path), {"do": "x"}, PATIENCE_S) == {"asked": {"do": "x"}}


def test_socket_is_for_its_owner_only(listening: ControlSocket) -> None:
    assert stat.S_IMODE(listening.path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{\n",
        b"\xff\xfe\n",
        b"[" * 60_000 + b"\n",
        b"x" * 200_000,
        b"GET / HTTP/1.1\r\n\r\n",
        b'{"do": "break"}\n',
        b'{"do": "refuse"}\n',
    ],
)
def test_hostile_line_gets_no_answer_and_the_next_caller_does(
    listening: ControlSocket, line: bytes
) -> None:
    assert raw(listening.path, line) == b""
    assert ask(str(listening.path), {}, PATIENCE_S) == {"asked": {}}


@pytest.mark.parametrize("line", [b"[]\n", b"7\n", b"null\n", b'"x"\n'])
def test_what_is_no_object_is_an_empty_request(listening: ControlSocket, line: bytes) -> None:
    assert json.loads(raw(listening.path, line)) == {"asked": {}}


def test_caller_who_says_nothing_is_let_go(
    listening: ControlSocket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_CALLER_S", 0.05)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as silent:
        silent.connect(str(listening.path))
        assert ask(str(listening.path), {}, PATIENCE_S) == {"asked": {}}


def test_caller_who_leaves_early_costs_nothing(listening: ControlSocket) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as hasty:
        hasty.connect(str(listening.path))
        hasty.sendall(b'{"do": 1}\n')
    assert ask(str(listening.path), {}, PATIENCE_S) == {"asked": {}}


def test_callers_are_served_side_by_side(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=PATIENCE_S)

    def meet(request: dict[str, Any]) -> dict[str, Any]:
        both.wait()
        return request

    listening = ControlSocket(tmp_path / "control.sock", meet)
    listening.start()
    other = threading.Thread(target=ask, args=(str(listening.path), {}, PATIENCE_S))
    other.start()
    assert ask(str(listening.path), {"do": 1}, PATIENCE_S) == {"do": 1}
    other.join()
    listening.close()


def test_caller_beyond_the_most_at_once_is_heard_when_one_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_MOST_CALLERS", 1)
    go_on, heard = threading.Event(), threading.Semaphore(0)

    def slow(request: dict[str, Any]) -> dict[str, Any]:
        heard.release()
        go_on.wait(PATIENCE_S)
        return request

    listening = ControlSocket(tmp_path / "control.sock", slow)
    listening.start()
    callers = [
        threading.Thread(target=ask, args=(str(listening.path), {}, PATIENCE_S)) for _ in "ab"
    ]
    for caller in callers:
        caller.start()
    assert heard.acquire(timeout=PATIENCE_S)
    assert not heard.acquire(blocking=False)
    go_on.set()
    assert heard.acquire(timeout=PATIENCE_S)
    for caller in callers:
        caller.join()
    listening.close()


def test_system_without_another_thread_costs_one_caller_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = ControlSocket(tmp_path / "control.sock", echo)
    listening.start()

    class NoThread:
        """As on a machine that has none left."""

        def __init__(self, **_: object) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading, "Thread", NoThread)
    assert raw(listening.path, b"{}\n") == b""
    monkeypatch.undo()
    assert ask(str(listening.path), {}, PATIENCE_S) == {"asked": {}}
    listening.close()


class NoHandle:
    """A socket of a process that is out of file handles when the first caller comes."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real
        self._refused = False

    def accept(self) -> object:
        if not self._refused:
            self._refused = True
            raise OSError(24, "Too many open files")
        return self._real.accept()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_panel_out_of_file_handles_hears_again_when_it_has_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "_RETRY_S", 0.0)
    listening = ControlSocket(tmp_path / "control.sock", echo)
    monkeypatch.setattr(listening, "_socket", NoHandle(listening._socket))
    listening.start()
    assert ask(str(listening.path), {"do": "x"}, PATIENCE_S) == {"asked": {"do": "x"}}
    listening.close()


def test_closed_socket_leaves_nothing(tmp_path: Path) -> None:
    listening = ControlSocket(tmp_path / "control.sock", echo)
    listening.start()
    listening.close()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Unavailable, match="the panel does not answer"):
        ask(str(listening.path), {}, 1.0)


def test_socket_a_killed_panel_left_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "control.sock").write_bytes(b"")
    listening = ControlSocket(tmp_path / "control.sock", echo)
    listening.start()
    assert ask(str(listening.path), {}, PATIENCE_S) == {"asked": {}}
    listening.close()


def test_socket_somebody_else_put_there_is_left_alone(tmp_path: Path) -> None:
    listening = ControlSocket(tmp_path / "control.sock", echo)
    listening.path.rename(tmp_path / "moved")
    (tmp_path / "control.sock").write_bytes(b"theirs")
    assert not listening.stands()
    listening.close()
    assert (tmp_path / "control.sock").read_bytes() == b"theirs"


def test_path_too_long_for_a_socket_gets_one_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    listening = ControlSocket(deep / "control.sock", echo)
    listening.start()
    assert ask(str(listening.path), {"do": 1}, PATIENCE_S) == {"asked": {"do": 1}}
    folder = listening.path.parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    listening.close()
    assert not folder.exists()


@pytest.mark.parametrize("reply", [b"not json\n", b"", b"\xff\n"])
def test_answer_that_cannot_be_read_is_unavailable(tmp_path: Path, reply: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "s"))
        server.listen(1)
        thread = threading.Thread(target=_answer_once, args=(server, reply))
        thread.start()
        with pytest.raises(Unavailable):
            ask(str(tmp_path / "s"), {}, PATIENCE_S)
        thread.join()


def test_answer_that_is_no_object_says_nothing(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "s"))
        server.listen(1)
        thread = threading.Thread(target=_answer_once, args=(server, b"[]\n"))
        thread.start()
        assert ask(str(tmp_path / "s"), {}, PATIENCE_S) == {}
        thread.join()


def _answer_once(server: socket.socket, reply: bytes) -> None:
    caller, _ = server.accept()
    with caller:
        caller.recv(4096)
        caller.sendall(reply)


def test_panel_that_never_answers_is_unavailable(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "s"))
        server.listen(1)
        with pytest.raises(Unavailable, match="timed out"):
            ask(str(tmp_path / "s"), {}, 0.05)
