"""The one door to other programs: a list of arguments, a timeout, no shell."""

from __future__ import annotations

import contextlib
import functools
import os
import selectors
import signal
import subprocess  # noqa: TID251 - this module is its door
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

# How many bytes are read or written at once.
_AT_ONCE = 1 << 16


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
    """Run `argv` to its end and return what it said, byte for byte; needs no disk.

    When it is late, or says more than `limit` bytes, it is killed together with
    everything of its process group: what it started does not outlive the question.

    Raises:
        Unavailable: it is not installed, took longer than `timeout_s`, or said too much.
    """
    until = clock.monotonic() + timeout_s
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
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
        try:
            out, err = _talk(child, stdin, until, limit)
            code = child.wait(timeout=max(0.0, until - clock.monotonic()))
        except OverflowError as error:
            _end_group(child)
            raise Unavailable(f"'{argv[0]}' said more than {limit} bytes") from error
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            _end_group(child)
            raise Unavailable(f"'{argv[0]}' gave no answer in {timeout_s:.2g} s") from error
        except BaseException:
            _end_group(child)
            raise
    return Captured(code, out, err.decode("utf-8", "replace"))


def _talk(
    child: subprocess.Popen[bytes], stdin: bytes, until: float, limit: int
) -> tuple[bytes, bytes]:
    """Give a program its input and return all of both streams, whichever comes first.

    Raises:
        TimeoutError: they were not both at their end by `until`, monotonic seconds.
        OverflowError: one of them held more than `limit` bytes.
    """
    said = {stream.fileno(): bytearray() for stream in (child.stdout, child.stderr) if stream}
    out, err = said
    with selectors.DefaultSelector() as selector:
        for number, data in said.items():
            hear = functools.partial(_hear, number, data, limit)
            selector.register(number, selectors.EVENT_READ, hear)
        if child.stdin:
            os.set_blocking(child.stdin.fileno(), False)
            give = functools.partial(_give, child.stdin, bytearray(stdin))
            selector.register(child.stdin.fileno(), selectors.EVENT_WRITE, give)
        while selector.get_map():
            if (left := until - clock.monotonic()) <= 0:
                raise TimeoutError
            for key, _ in selector.select(left):
                if key.data():
                    selector.unregister(key.fd)
    return bytes(said[out]), bytes(said[err])


def _hear(number: int, said: bytearray, limit: int) -> bool:
    """Read on, and say whether that was all."""
    data = os.read(number, _AT_ONCE)
    said += data
    if len(said) > limit:
        raise OverflowError
    return not data


def _give(stream: IO[bytes], rest: bytearray) -> bool:
    """Write what fits, and say whether that was all, or nobody reads any more."""
    try:
        del rest[: os.write(stream.fileno(), rest[:_AT_ONCE])]
    except BrokenPipeError:
        rest.clear()
    if not rest:
        stream.close()
    return not rest


def _end_group(child: subprocess.Popen[bytes]) -> None:
    # It may have ended by itself meanwhile, and macOS calls a dead group forbidden.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
