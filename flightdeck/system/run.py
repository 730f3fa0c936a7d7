"""The one door to other programs: a list of arguments, a timeout, no shell."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess  # noqa: TID251 - this module is its door
import tempfile
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Completed:
    """How a program ended: exit status (negative is a signal), output, errors."""

    code: int
    out: str
    err: str


def run(
    argv: Sequence[str],
    *,
    timeout_s: float,
    stdin: str = "",
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Completed:
    """Run `argv` to its end and return what it did; `env` replaces the environment.

    Raises:
        Unavailable: it is not installed, or took longer than `timeout_s`.
    """
    try:
        done = subprocess.run(
            argv,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            cwd=cwd,
            env=env,
            check=False,
        )
    except OSError as error:
        raise Unavailable(f"cannot run '{argv[0]}': {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"'{argv[0]}' gave no answer in {timeout_s:g} s") from error
    return Completed(done.returncode, done.stdout, done.stderr)


def start(argv: Sequence[str], *, cwd: str | None = None) -> None:
    """Start `argv` on its own, in a session of its own, its output dropped.

    Raises:
        Unavailable: it is not installed.
    """
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=cwd,
        )
    except OSError as error:
        raise Unavailable(f"cannot run '{argv[0]}': {error.strerror}") from error
    # Nobody asks how it ended, but unless somebody waits it stays behind as a zombie.
    threading.Thread(target=child.wait, daemon=True).start()


def feed(argv: Sequence[str], stdin: str, *, timeout_s: float) -> int:
    """Run `argv` in a session of its own on `stdin` and return its exit status.

    Its output is dropped. What it leaves running when it ends is its own affair; when
    it is late, it is killed together with everything of its process group.

    Raises:
        Unavailable: it is not installed, or took longer than `timeout_s`.
    """
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise Unavailable(f"cannot run '{argv[0]}': {error.strerror}") from error
    with child:
        try:
            child.communicate(stdin.encode("utf-8", "replace"), timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            _end_group(child)
            raise Unavailable(f"'{argv[0]}' did not end in {timeout_s:.2g} s") from error
    return child.returncode


@dataclass(frozen=True, slots=True)
class Captured:
    """How a bounded program ended: exit status (negative is a signal), bytes, errors."""

    code: int
    out: bytes
    err: str


def capture(
    argv: Sequence[str],
    *,
    timeout_s: float,
    limit: int,
    stdin: bytes = b"",
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Captured:
    """Run `argv` to its end and return what it said, byte for byte.

    When it is late, or says more than `limit` bytes, it is killed together with
    everything of its process group: what it started does not outlive the question.

    Raises:
        Unavailable: it is not installed, took longer than `timeout_s`, or said too much.
    """
    with tempfile.TemporaryFile() if stdin else contextlib.nullcontext() as given:
        if given is not None:
            # A file, not a pipe: a program that answers while it reads cannot get stuck.
            given.write(stdin)
            given.seek(0)
        try:
            child = subprocess.Popen(
                argv,
                stdin=given or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                cwd=cwd,
                env=env,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise Unavailable(f"cannot run '{argv[0]}': {why}") from error
    with child:
        return _captured(child, argv[0], timeout_s, limit)


def _captured(child: subprocess.Popen[bytes], name: str, timeout_s: float, limit: int) -> Captured:
    until = clock.monotonic() + timeout_s
    try:
        out, err = _drained(child, until, limit)
        code = child.wait(timeout=max(0.0, until - clock.monotonic()))
    except OverflowError as error:
        _end_group(child)
        raise Unavailable(f"'{name}' said more than {limit} bytes") from error
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        _end_group(child)
        raise Unavailable(f"'{name}' gave no answer in {timeout_s:.2g} s") from error
    except BaseException:
        _end_group(child)
        raise
    return Captured(code, out, err.decode("utf-8", "replace"))


def _drained(child: subprocess.Popen[bytes], until: float, limit: int) -> tuple[bytes, bytes]:
    """Return all of both streams.

    Raises:
        TimeoutError: they were not both at their end by `until`, monotonic seconds.
        OverflowError: one of them held more than `limit` bytes.
    """
    streams = [stream.fileno() for stream in (child.stdout, child.stderr) if stream]
    said = {number: bytearray() for number in streams}
    with selectors.DefaultSelector() as selector:
        for number in streams:
            selector.register(number, selectors.EVENT_READ)
        while selector.get_map():
            if (left := until - clock.monotonic()) <= 0:
                raise TimeoutError
            for key, _ in selector.select(left):
                data = os.read(key.fd, 1 << 16)
                said[key.fd] += data
                if len(said[key.fd]) > limit:
                    raise OverflowError
                if not data:
                    selector.unregister(key.fd)
    return bytes(said[streams[0]]), bytes(said[streams[1]])


def _end_group(child: subprocess.Popen[bytes]) -> None:
    # It may have ended by itself meanwhile, and macOS calls a dead group forbidden.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
