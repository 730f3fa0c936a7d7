"""One writer at a time, by a kernel lock: nothing a killed holder leaves can stop the next."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.store import lock

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys, time
from pathlib import Path
from flightdeck.store import lock
with lock.held(Path(sys.argv[1]), patience_s=5):
    print("held", flush=True)
    time.sleep(600)
"""
COUNTER = """
import sys
from pathlib import Path
from flightdeck.store import lock
for _ in range(200):
    with lock.held(Path(sys.argv[1]), patience_s=60) as held:
        held.bump()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def a_holder(path: Path) -> subprocess.Popen[bytes]:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    return holder


def test_impatience_is_unavailable_and_names_the_reason(path: Path) -> None:
    with a_holder(path) as holder:
        with (
            pytest.raises(Unavailable, match=r"another flightdeck has kept .* for 0\.02 s"),
            lock.held(path, patience_s=0.02),
        ):
            raise AssertionError("it was never ours")
        holder.kill()


def test_killed_holder_frees_it(path: Path) -> None:
    with a_holder(path) as holder:
        holder.kill()
    with lock.held(path, patience_s=0) as held:
        assert held.generation() == b""


def test_waiting_ends_when_the_holder_ends(path: Path) -> None:
    with a_holder(path) as holder:
        holder.terminate()
        with lock.held(path, patience_s=30) as held:
            assert int(held.bump()) == 1


def test_two_processes_never_hold_it_at_once(path: Path) -> None:
    both = [subprocess.Popen([sys.executable, "-c", COUNTER, path]) for _ in range(2)]
    assert [one.wait() for one in both] == [0, 0]
    with lock.held(path, patience_s=0) as held:
        assert int(held.generation()) == 400


def test_generation_somebody_spoiled_becomes_a_new_one(path: Path) -> None:
    path.write_bytes(b"torn\xff")
    with lock.held(path, patience_s=0) as held:
        new = held.bump()
        assert new.isdigit()
        assert held.generation() == new


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError),
        lock.held(tmp_path / "none" / "lock", patience_s=0),
    ):
        raise AssertionError("there is no such folder")


def test_lock_is_free_after_an_error_in_the_block(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), lock.held(path, patience_s=0):
        raise ZeroDivisionError
    with lock.held(path, patience_s=0):
        pass
