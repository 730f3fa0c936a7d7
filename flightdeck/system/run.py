"""The one door to other programs: a list of arguments, a timeout, no shell."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess  # noqa: TID251 - this module is its door
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable

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
            # It may have ended by itself meanwhile, and macOS calls a dead group forbidden.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            raise Unavailable(f"'{argv[0]}' did not end in {timeout_s:.2g} s") from error
    return child.returncode
