"""SIGTERM reaches exactly the process that is meant, and nothing stronger ever does."""

from __future__ import annotations

import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused
from flightdeck.system import ending
from flightdeck.system.ending import ends, terminate
from flightdeck.system.process import start_of
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Child = subprocess.Popen[bytes]


@pytest.fixture
def child() -> Iterator[Child]:
    with subprocess.Popen(["/bin/sleep", "600"]) as child:
        yield child
        child.kill()


@pytest.fixture(params=["by handle", "by pid"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "by pid":
        monkeypatch.setattr(ending, "_handle", lambda _: None)


@pytest.mark.usefixtures("way")
def test_process_is_asked_to_end(child: Child) -> None:
    assert terminate(child.pid, start_of(child.pid) or "")
    assert child.wait(DEADLINE_S) == -signal.SIGTERM


@pytest.mark.usefixtures("way")
def test_process_with_another_start_is_left_alone(child: Child) -> None:
    assert not terminate(child.pid, "1")
    assert child.poll() is None


def test_process_that_has_ended_is_not_there(child: Child) -> None:
    start = start_of(child.pid) or ""
    child.kill()
    child.wait()
    assert not terminate(child.pid, start)


@pytest.mark.parametrize("pid", [1, 0, -1])
def test_pid_no_agent_can_have_is_refused(pid: int) -> None:
    with pytest.raises(Refused):
        terminate(pid, "1")


def test_process_whose_start_is_unknown_is_refused(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused):
        terminate(child.pid, "")
    monkeypatch.setattr(ending, "start_of", lambda _: "")
    with pytest.raises(Refused):
        terminate(child.pid, "1")
    assert child.poll() is None


def test_signal_that_comes_too_late_is_none(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_signal", failing(ProcessLookupError))
    assert not terminate(child.pid, start_of(child.pid) or "")


def test_signal_that_is_forbidden_is_refused(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_signal", failing(PermissionError))
    with pytest.raises(Refused, match="may not be signalled"):
        terminate(child.pid, start_of(child.pid) or "")


def failing(error: type[OSError]) -> Callable[..., None]:
    """Return what fails so whatever it is asked."""

    def fail(*_: object) -> None:
        raise error

    return fail


def test_end_is_waited_for(child: Child) -> None:
    start = start_of(child.pid) or ""
    child.terminate()
    assert ends(child.pid, start, DEADLINE_S)  # a zombie has ended


def test_process_that_stays_is_not_waited_for_forever(child: Child) -> None:
    assert not ends(child.pid, start_of(child.pid) or "", 0.05)
