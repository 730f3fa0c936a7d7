"""One Esc to exactly one pane: real tmux, the real iTerm2 package against a fake iTerm2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.catalogue import Hosts
from flightdeck.hosts.iterm2 import Iterm2
from flightdeck.hosts.keys import Key
from flightdeck.hosts.tmux_keyboard import TmuxKeyboard
from flightdeck.model.place import Place
from flightdeck.system.run import run
from tests.hosts.real_tmux import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.hosts.fake_iterm2 import FakeIterm2
    from tests.hosts.real_tmux import Recorder, Server

    Make = Callable[..., Server]
    Program = Callable[..., Path]

UUIDS = [f"6D5F8A6E-0000-4000-8000-00000000000{n}" for n in range(2)]
ESCAPE = Key.ESCAPE.value
SHOWN = "^["  # how a terminal echoes the byte of Esc


@pytest.fixture
def keyboard(recorder: Recorder) -> TmuxKeyboard:
    return TmuxKeyboard(recorder)


@pytest.fixture
def iterm2() -> Iterator[Iterm2]:
    made = Iterm2(run, wait_s=20)
    yield made
    made.close()


def place(uuid: str) -> Place:
    return Place("iterm2", window=uuid, program="iTerm.app")


def seen(server: Server, pane: str) -> str:
    return server.tell("capture-pane", "-p", "-t", pane)


def test_pane_gets_one_esc_and_its_neighbours_none(tmux: Make, keyboard: TmuxKeyboard) -> None:
    server = tmux("a socket, with spaces")
    other = server.session("main")
    target = server.split(other)
    keyboard.interrupt(server.place(target))
    wait_until(lambda: seen(server, target) == SHOWN)
    assert seen(server, other) == ""
    assert server.active("main") == other


def test_pane_that_is_scrolled_back_gets_its_esc_all_the_same(
    tmux: Make, keyboard: TmuxKeyboard
) -> None:
    server = tmux()
    target = server.session("main")
    server.tell("copy-mode", "-t", target)
    keyboard.interrupt(server.place(target))
    wait_until(lambda: seen(server, target) == SHOWN)


def test_pane_that_shares_its_keys_gets_none(tmux: Make, keyboard: TmuxKeyboard) -> None:
    server = tmux()
    target = server.session("main")
    other = server.split(target)
    server.tell("set-option", "-w", "-t", "main", "synchronize-panes", "on")
    with pytest.raises(Unavailable, match="shares its keys with others"):
        keyboard.interrupt(server.place(target))
    assert (seen(server, target), seen(server, other)) == ("", "")


def test_pane_that_is_not_there_is_gone(tmux: Make, keyboard: TmuxKeyboard) -> None:
    server = tmux()
    server.session("main")
    with pytest.raises(Gone, match="pane is gone"):
        keyboard.interrupt(server.place("%99"))


def test_pane_whose_program_has_ended_is_gone(tmux: Make, keyboard: TmuxKeyboard) -> None:
    server = tmux()
    server.session("main")
    server.tell("set-option", "-g", "remain-on-exit", "on")
    dead = server.tell("new-window", "-d", "-t", "main:", "-P", "-F", "#{pane_id}", "true")
    wait_until(lambda: server.tell("display-message", "-p", "-t", dead, "#{pane_dead}") == "1")
    with pytest.raises(Gone, match="has ended"):
        keyboard.interrupt(server.place(dead))


def test_server_that_is_gone_is_gone(keyboard: TmuxKeyboard, tmp_path: Path) -> None:
    nowhere = Place("tmux", tmux_socket=str(tmp_path / "none"), tmux_pane="%0")
    with pytest.raises(Gone):
        keyboard.interrupt(nowhere)


def test_iterm2_session_gets_one_esc_that_is_not_broadcast(
    iterm2_api: FakeIterm2, iterm2: Iterm2
) -> None:
    iterm2_api.variables = {uuid: {} for uuid in UUIDS}
    iterm2.interrupt(place(UUIDS[1]))
    assert iterm2_api.typed == [(UUIDS[1], ESCAPE, True)]
    assert iterm2_api.activated == []


def test_iterm2_session_that_is_not_there_is_gone(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(Gone, match="window is gone"):
        iterm2.interrupt(place(UUIDS[0]))
    assert not log.exists()


def test_connection_iterm2_let_go_is_made_again_and_esc_sent_once(
    iterm2_api: FakeIterm2, iterm2: Iterm2
) -> None:
    iterm2_api.variables = {UUIDS[0]: {}}
    iterm2.focus(place(UUIDS[0]))
    iterm2_api.hang_up()
    iterm2.interrupt(place(UUIDS[0]))
    assert iterm2_api.typed == [(UUIDS[0], ESCAPE, True)]


def test_esc_whose_answer_is_lost_is_not_sent_again(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    iterm2_api.variables = {UUIDS[0]: {}}
    iterm2_api.hangs_up_after = "send_text_request"
    iterm2.interrupt(place(UUIDS[0]))
    assert len(iterm2_api.typed) == 1
    assert not log.exists()


def test_api_that_gives_no_answer_is_not_followed_by_a_second_way(
    iterm2_api: FakeIterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    iterm2_api.silent = True
    host = Iterm2(run, wait_s=0.3)
    with pytest.raises(Unavailable, match="no answer"):
        host.interrupt(place(UUIDS[0]))
    iterm2_api.hang_up()
    host.close()
    assert not log.exists()


def test_applescript_is_asked_where_the_api_is_off(
    short_path: Path, monkeypatch: pytest.MonkeyPatch, iterm2: Iterm2, program: Program
) -> None:
    monkeypatch.setenv("HOME", str(short_path))
    log = program("osascript", says="found")
    iterm2.interrupt(place(UUIDS[0]))
    assert log.read_text(encoding="utf-8").startswith(f"[-][write][{UUIDS[0]}][{ESCAPE}]\n")


def test_every_kind_with_an_exact_id_is_reached_by_it(tmux: Make) -> None:
    server, hosts = tmux(), Hosts()
    target = server.session("main")
    hosts.interrupt(server.place(target))
    wait_until(lambda: seen(server, target) == SHOWN)
    hosts.close()


@pytest.mark.parametrize("kind", ["wezterm", "kitty", "zellij", "app", "unknown"])
def test_window_whose_keys_could_go_elsewhere_gets_none(kind: str) -> None:
    with pytest.raises(Unavailable, match="cannot be interrupted from here"):
        Hosts().interrupt(Place(kind, window="3", program="Terminal"))
