"""The door to other programs: what they are given, how they end, and who is killed."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.system.run import Completed, feed, run, start

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLENTY_S = 60.0


def test_run_returns_status_output_and_errors() -> None:
    done = run(["sh", "-c", "cat; echo no >&2; exit 3"], timeout_s=PLENTY_S, stdin="yes")
    assert done == Completed(3, "yes", "no\n")


def test_run_takes_its_folder_and_environment_from_the_caller(tmp_path: Path) -> None:
    script = ["/bin/sh", "-c", "pwd; echo $A"]
    done = run(script, timeout_s=PLENTY_S, cwd=str(tmp_path), env={"A": "b"})
    assert done.out.split() == [str(tmp_path), "b"]


def test_words_of_a_command_are_never_read_by_a_shell() -> None:
    assert run(["echo", "$HOME; exit 1"], timeout_s=PLENTY_S).out == "$HOME; exit 1\n"


def test_output_in_another_encoding_is_no_error() -> None:
    assert run(["printf", r"\377"], timeout_s=PLENTY_S).out == "\ufffd"


@pytest.mark.parametrize(
    "door",
    [
        lambda argv: run(argv, timeout_s=PLENTY_S),
        start,
        lambda argv: feed(argv, "", timeout_s=PLENTY_S),
    ],
    ids=["run", "start", "feed"],
)
def test_program_that_is_not_there_is_unavailable(
    door: Callable[[list[str]], object], tmp_path: Path
) -> None:
    with pytest.raises(Unavailable, match=r"cannot run '.*gone': No such file"):
        door([str(tmp_path / "gone")])


def test_program_without_an_answer_is_unavailable() -> None:
    with pytest.raises(Unavailable, match=r"no answer in 0.1 s"):
        run(["sleep", "600"], timeout_s=0.1)


def test_started_program_runs_on_in_a_session_of_its_own(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "told")
    start(["sh", "-c", "ps -o sid= -p $$ >told"], cwd=str(tmp_path))
    assert int((tmp_path / "told").read_text(encoding="utf-8")) != os.getsid(0)


def test_started_program_leaves_no_zombie(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "told")
    before = set(threading.enumerate())
    start(["sh", "-c", "echo $$ >told"], cwd=str(tmp_path))
    pid = int((tmp_path / "told").read_text(encoding="utf-8"))
    for thread in set(threading.enumerate()) - before:
        thread.join(PLENTY_S)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_fed_program_reads_the_text_to_its_end(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert feed(["sh", "-c", f'cat >"{out}"; exit 3'], "words", timeout_s=PLENTY_S) == 3
    assert out.read_text(encoding="utf-8") == "words"


def test_fed_program_that_is_late_dies_with_its_children(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    script = f'exec 9>"{tmp_path}/alive"; sleep 600 & wait'
    with pytest.raises(Unavailable, match=r"did not end in 0.5 s"):
        feed(["sh", "-c", script], "", timeout_s=0.5)
    # Reading ends once nobody holds the other side any more.
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)
