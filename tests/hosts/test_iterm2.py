"""iTerm2 sessions come to the front: the real package against a fake iTerm2."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.hosts.iterm2 import Iterm2
from flightdeck.model.place import Place
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.hosts.fake_iterm2 import FakeIterm2

    Program = Callable[..., Path]

UUIDS = [f"6D5F8A6E-0000-4000-8000-00000000000{n}" for n in range(5)]
SHOWN = ["session {0}", "tab {0}", "window {0}", "app"]


def place(uuid: str) -> Place:
    """Return the place of an iTerm2 session."""
    return Place("iterm2", window=uuid, program="iTerm.app")


def shown(uuid: str) -> list[str]:
    """Return everything that is activated for a session to be in front."""
    return [step.format(uuid) for step in SHOWN]


@pytest.fixture
def host() -> Iterator[Iterm2]:
    """The host, closed in the end."""
    made = Iterm2(run, wait_s=20)
    yield made
    made.close()


def test_session_tab_window_and_application_are_activated(
    iterm2_api: FakeIterm2, host: Iterm2
) -> None:
    iterm2_api.variables = {UUIDS[0]: {}, UUIDS[1]: {}}
    host.focus(place(UUIDS[1]))
    assert iterm2_api.activated == shown(UUIDS[1])


def test_one_connection_serves_many_presses(iterm2_api: FakeIterm2, host: Iterm2) -> None:
    iterm2_api.variables = {UUIDS[0]: {}}
    host.focus(place(UUIDS[0]))
    host.focus(place(UUIDS[0]))
    assert iterm2_api.connections == 1


def test_session_the_api_does_not_know_is_gone_without_asking_applescript(
    iterm2_api: FakeIterm2, host: Iterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(Unavailable, match=r"^window is gone$"):
        host.focus(place(UUIDS[0]))
    assert iterm2_api.activated == []
    assert not log.exists()


def test_connection_iterm2_let_go_is_made_again(
    iterm2_api: FakeIterm2, host: Iterm2, capfd: pytest.CaptureFixture[str]
) -> None:
    iterm2_api.variables = {UUIDS[0]: {}}
    host.focus(place(UUIDS[0]))
    iterm2_api.hang_up()
    host.focus(place(UUIDS[0]))
    assert iterm2_api.activated == shown(UUIDS[0]) * 2
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", range(5))
def test_session_is_found_by_its_device_wherever_it_lies(
    iterm2_api: FakeIterm2, host: Iterm2, number: int
) -> None:
    iterm2_api.variables = {u: {"tty": f"/dev/ttys00{n}"} for n, u in enumerate(UUIDS)}
    host.focus_tty(f"/dev/ttys00{number}")
    assert iterm2_api.activated == shown(UUIDS[number])


def test_device_of_no_session_is_gone(iterm2_api: FakeIterm2, host: Iterm2) -> None:
    iterm2_api.variables = {UUIDS[0]: {"tty": "/dev/ttys001"}, UUIDS[1]: {}}
    with pytest.raises(Unavailable, match="window is gone"):
        host.focus_tty("/dev/ttys009")


def test_device_two_sessions_claim_raises_neither(iterm2_api: FakeIterm2, host: Iterm2) -> None:
    iterm2_api.variables = {u: {"tty": "/dev/ttys001"} for u in UUIDS[:2]}
    with pytest.raises(Unavailable, match="window is gone"):
        host.focus_tty("/dev/ttys001")
    assert iterm2_api.activated == []


def test_native_window_of_a_tmux_pane_is_found_by_its_number(
    iterm2_api: FakeIterm2, host: Iterm2
) -> None:
    iterm2_api.variables = {UUIDS[0]: {"tmuxWindowPane": 1}, UUIDS[1]: {"tmuxWindowPane": 12}}
    host.focus_tmux_pane("%12")
    assert iterm2_api.activated == shown(UUIDS[1])


def test_applescript_is_asked_where_the_api_is_off(
    short_path: Path, monkeypatch: pytest.MonkeyPatch, host: Iterm2, program: Program
) -> None:
    monkeypatch.setenv("HOME", str(short_path))
    log = program("osascript", says="found")
    host.focus(place(UUIDS[0]))
    host.focus_tty("/dev/ttys001")
    asked = [line for line in log.read_text(encoding="utf-8").splitlines() if line[:1] == "["]
    assert asked == [f"[-][id][{UUIDS[0]}]", "[-][tty][/dev/ttys001]"]


def test_applescript_is_asked_where_nobody_listens_on_the_socket(
    short_path: Path, monkeypatch: pytest.MonkeyPatch, host: Iterm2, program: Program
) -> None:
    socket = short_path / "Library/Application Support/iTerm2/private/socket"
    socket.parent.mkdir(parents=True)
    socket.touch()
    monkeypatch.setenv("HOME", str(short_path))
    monkeypatch.setenv("ITERM2_COOKIE", "cookie")
    log = program("osascript", says="found")
    host.focus(place(UUIDS[0]))
    assert log.exists()


@pytest.mark.parametrize("status", [406, 500])
def test_applescript_is_asked_where_iterm2_turns_the_package_away(
    iterm2_api: FakeIterm2, host: Iterm2, program: Program, status: int
) -> None:
    log = program("osascript", says="found")
    iterm2_api.refusal = status
    host.focus(place(UUIDS[0]))
    assert log.exists()


def test_api_is_asked_again_after_it_turned_the_package_away(
    iterm2_api: FakeIterm2, host: Iterm2, program: Program
) -> None:
    program("osascript", says="found")
    iterm2_api.variables = {UUIDS[0]: {}}
    iterm2_api.refusal = 500
    host.focus(place(UUIDS[0]))
    iterm2_api.refusal = 0
    host.focus(place(UUIDS[0]))
    assert iterm2_api.activated == shown(UUIDS[0])


def test_messages_nobody_asked_for_are_no_answer(
    iterm2_api: FakeIterm2, host: Iterm2, monkeypatch: pytest.MonkeyPatch
) -> None:
    iterm2_api.chatty = True
    # As in a process that has asked nothing yet.
    monkeypatch.setattr("iterm2.rpc._next_id", itertools.count())
    with pytest.raises(Unavailable, match=r"^window is gone$"):
        host.focus(place(UUIDS[0]))


def test_api_that_gives_no_answer_is_left_alone_for_a_while(
    iterm2_api: FakeIterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    iterm2_api.silent = True
    host = Iterm2(run, wait_s=0.3)
    host.focus(place(UUIDS[0]))
    host.focus(place(UUIDS[0]))
    host.close()
    assert len(iterm2_api.asked) <= 1
    assert log.read_text(encoding="utf-8").count(f"[id][{UUIDS[0]}]") == 2


def test_host_may_be_closed_twice_and_used_again(iterm2_api: FakeIterm2, host: Iterm2) -> None:
    iterm2_api.variables = {UUIDS[0]: {}}
    host.focus(place(UUIDS[0]))
    host.close()
    host.close()
    host.focus(place(UUIDS[0]))
    assert iterm2_api.connections == 2


def test_unused_host_closes_at_once(host: Iterm2) -> None:
    host.close()
