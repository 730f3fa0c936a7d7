"""The bounded door to other programs: bytes in, bytes out, and nothing left running."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.system import clock
from flightdeck.system.process import start_of
from flightdeck.system.run import Captured, capture
from tests.fold.world import until

if TYPE_CHECKING:
    from pathlib import Path

PLENTY_S = 60.0
MUCH = 1 << 20


def test_output_is_the_bytes_that_were_written() -> None:
    done = capture(
        ["sh", "-c", r"printf '\377\0'; echo no >&2; exit 3"], timeout_s=PLENTY_S, limit=9
    )
    assert done == Captured(3, b"\xff\0", "no\n")


def test_input_of_any_length_is_given(tmp_path: Path) -> None:
    data = b"\0\xff" * MUCH
    done = capture(["cat"], timeout_s=PLENTY_S, limit=len(data), stdin=data, cwd=str(tmp_path))
    assert done.out == data


def test_without_input_there_is_none() -> None:
    assert capture(["cat"], timeout_s=PLENTY_S, limit=9).out == b""


def test_folder_and_environment_are_the_callers(tmp_path: Path) -> None:
    script = ["/bin/sh", "-c", "pwd; echo $A"]
    done = capture(script, timeout_s=PLENTY_S, limit=MUCH, cwd=str(tmp_path), env={"A": "b"})
    assert done.out.split() == [str(tmp_path).encode(), b"b"]


@pytest.mark.parametrize("argv", [["/no/such/program"], ["a\0b"]])
def test_program_that_cannot_be_run_is_told(argv: list[str]) -> None:
    with pytest.raises(Unavailable, match="cannot run"):
        capture(argv, timeout_s=PLENTY_S, limit=9)


def test_program_that_does_not_read_to_the_end_is_no_fault() -> None:
    done = capture(["head", "-c", "3"], timeout_s=PLENTY_S, limit=9, stdin=b"abcdef" * MUCH)
    assert done == Captured(0, b"abc", "")


def test_program_that_never_reads_is_late() -> None:
    with pytest.raises(Unavailable, match="gave no answer"):
        capture(["sleep", "600"], timeout_s=0.3, limit=9, stdin=b"x" * MUCH)


@pytest.mark.parametrize("stream", ["1", "2"])
def test_program_that_says_too_much_is_ended(stream: str) -> None:
    with pytest.raises(Unavailable, match="said more than 1000 bytes"):
        capture(["sh", "-c", f"yes >&{stream}"], timeout_s=PLENTY_S, limit=1000)


@pytest.mark.parametrize(
    "script",
    [
        "sleep 600 & echo $! >pid; wait",
        "sleep 600 & echo $! >pid",  # it has ended, what it started holds the streams
        "sleep 600 >&- 2>&- & echo $! >pid; exec >&- 2>&-; wait",  # nothing more will be said
    ],
)
def test_late_program_is_ended_with_all_it_started(script: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"gave no answer in 0\.5 s"):
        capture(["sh", "-c", script], timeout_s=0.5, limit=9, cwd=str(tmp_path))
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    until(lambda: start_of(pid) is None, "the end of what it had started")


def test_program_does_not_outlive_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> float:
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text(encoding="utf-8"):
            raise KeyboardInterrupt
        return 0.0

    monkeypatch.setattr(clock, "monotonic", interrupt)
    script = "echo $$ >pid; while :; do echo; sleep 0.01; done"
    with pytest.raises(KeyboardInterrupt):
        capture(["sh", "-c", script], timeout_s=PLENTY_S, limit=MUCH, cwd=str(tmp_path))
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    assert start_of(pid) is None
