"""tmux panes come to the front: real servers, real clients."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.hosts.tmux import Client, Tmux, choose
from flightdeck.model.place import Place
from tests.hosts.real_tmux import wait_until
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hosts.real_tmux import Recorder, Server

    Make = Callable[..., Server]


def ignore(client: Client, pane: str) -> None:
    """Raise no terminal."""


@pytest.fixture
def host(recorder: Recorder) -> Tmux:
    """The host on the recording runner, raising no terminal."""
    return Tmux(recorder, ignore)


def test_attached_client_shows_session_window_and_pane(tmux: Make, host: Tmux) -> None:
    server = tmux()
    server.session("main")
    server.session("feat")
    target = server.split(server.window("feat"))
    client = server.attach("main")
    host.focus(server.place(target))
    assert server.shown(client) == target


def test_every_call_names_the_socket(tmux: Make, host: Tmux, recorder: Recorder) -> None:
    server = tmux("a socket, with spaces")
    target = server.session("main")
    server.attach("main")
    host.focus(server.place(target))
    sockets = [call[call.index("-S") + 1] for call in recorder.calls]
    assert sockets == [str(server.socket)] * len(recorder.calls)


def test_client_already_there_is_not_switched(tmux: Make, host: Tmux, recorder: Recorder) -> None:
    server = tmux()
    server.session("main")
    target = server.window("main")
    client = server.attach("main")
    host.focus(server.place(target))
    assert server.shown(client) == target
    assert "switch-client" not in recorder.words


def test_control_mode_client_already_there_is_not_switched(
    tmux: Make, host: Tmux, recorder: Recorder
) -> None:
    server = tmux()
    server.session("main")
    target = server.split(server.window("main"))
    server.attach("main", control=True)
    host.focus(server.place(target))
    assert server.active("main") == target
    assert "switch-client" not in recorder.words


def test_only_control_mode_client_is_switched_where_it_must_be(tmux: Make, host: Tmux) -> None:
    server = tmux()
    server.session("main")
    target = server.session("feat")
    client = server.attach("main", control=True)
    host.focus(server.place(target))
    assert server.shown(client) == target


def test_window_linked_into_the_clients_session_is_shown_there(
    tmux: Make, host: Tmux, recorder: Recorder
) -> None:
    server = tmux()
    server.session("feat")
    server.session("main")
    target = server.window("feat")
    server.tell("link-window", "-d", "-s", target, "-t", "main:5")
    client = server.attach("main")
    host.focus(server.place(target))
    assert server.shown(client) == target
    assert "switch-client" not in recorder.words


def test_pane_behind_a_zoomed_one_becomes_visible(tmux: Make, host: Tmux) -> None:
    server = tmux()
    other = server.session("main")
    target = server.split(other)
    client = server.attach("main")
    server.tell("resize-pane", "-Z", "-t", other)
    host.focus(server.place(target))
    assert server.shown(client) == target
    assert server.tell("display-message", "-p", "-t", target, "#{window_zoomed_flag}") == "0"


def test_zoomed_pane_stays_zoomed(tmux: Make, host: Tmux) -> None:
    server = tmux()
    target = server.session("main")
    server.split(target)
    server.attach("main")
    server.tell("resize-pane", "-Z", "-t", target)
    host.focus(server.place(target))
    assert server.tell("display-message", "-p", "-t", target, "#{window_zoomed_flag}") == "1"


def test_without_anybody_attached_the_pane_is_selected_and_the_way_in_told(
    tmux: Make, host: Tmux
) -> None:
    server = tmux()
    server.session("feat branch")
    target = server.split(server.window("feat branch"))
    with pytest.raises(Unavailable, match="nobody is attached to tmux session 'feat branch'") as no:
        host.focus(server.place(target))
    assert server.active("feat branch") == target
    assert no.value.hint == f"tmux -S {server.socket} attach -t 'feat branch'"


def test_way_into_the_default_server_needs_no_socket(tmux: Make, host: Tmux) -> None:
    server = tmux("default")
    target = server.session("feat")
    with pytest.raises(Unavailable) as no:
        host.focus(server.place(target))
    assert no.value.hint == "tmux attach -t feat"


def test_listening_program_is_nobody(tmux: Make, host: Tmux) -> None:
    server = tmux()
    target = server.session("main")
    server.listen("main")
    with pytest.raises(Unavailable, match="nobody is attached"):
        host.focus(server.place(target))


def test_killed_pane_is_gone(tmux: Make, host: Tmux) -> None:
    server = tmux()
    server.session("main")
    target = server.window("main")
    server.attach("main")
    server.tell("kill-pane", "-t", target)
    with pytest.raises(Unavailable, match=r"^pane is gone$"):
        host.focus(server.place(target))


def test_pane_kept_after_its_program_ended_is_told_apart(tmux: Make, host: Tmux) -> None:
    server = tmux()
    server.session("main")
    server.tell("set-option", "-g", "remain-on-exit", "on")
    target = server.window("main")
    server.tell("respawn-pane", "-k", "-t", target, "true")
    wait_until(lambda: server.tell("display-message", "-p", "-t", target, "#{pane_dead}") == "1")
    with pytest.raises(Unavailable, match=r"^the program in the pane has ended$"):
        host.focus(server.place(target))


def test_killed_server_is_gone(tmux: Make, host: Tmux) -> None:
    server = tmux()
    target = server.session("main")
    server.tell("kill-server")
    wait_until(lambda: not _answers(server))
    with pytest.raises(Unavailable, match=r"^tmux server is gone$"):
        host.focus(server.place(target))


def _answers(server: Server) -> bool:
    try:
        server.tell("list-sessions")
    except AssertionError:
        return False
    return True


def test_server_that_never_was_is_gone(host: Tmux, short_path: Path) -> None:
    require("tmux")
    with pytest.raises(Unavailable, match=r"^tmux server is gone$"):
        host.focus(Place("tmux", tmux_socket=str(short_path / "none"), tmux_pane="%0"))


def test_two_servers_with_the_same_pane_ids_do_not_meddle(tmux: Make, host: Tmux) -> None:
    one, two = tmux("one"), tmux("two")
    for server in (one, two):
        server.session("main")
    one.window("main")
    target = two.window("main")
    first, second = one.attach("main"), two.attach("main")
    before = one.shown(first)
    host.focus(two.place(target))
    assert (one.shown(first), two.shown(second)) == (before, target)


def test_client_that_detaches_in_between_makes_the_press_fail(
    tmux: Make, host: Tmux, recorder: Recorder
) -> None:
    server = tmux()
    server.session("main")
    target = server.session("feat")
    client = server.attach("main")

    def leave(argv: list[str]) -> None:
        if "switch-client" in argv:
            server.detach(client)
            wait_until(lambda: not server.tell("list-clients"))

    recorder.before = leave
    with pytest.raises(Unavailable, match="the attached client has just gone"):
        host.focus(server.place(target))


def test_terminal_of_the_client_is_raised_after_the_pane(tmux: Make, recorder: Recorder) -> None:
    server = tmux()
    server.session("main")
    target = server.window("main")
    name = server.attach("main")
    raised: list[tuple[str, str, str]] = []

    def note(client: Client, pane: str) -> None:
        raised.append((client.tty, pane, server.shown(name)))

    Tmux(recorder, note).focus(server.place(target))
    assert raised == [(name, target, target)]


@pytest.mark.parametrize("fault", [Unavailable("window is gone"), RuntimeError("surprise")])
def test_terminal_that_cannot_be_raised_leaves_the_press_a_success(
    tmux: Make, recorder: Recorder, caplog: pytest.LogCaptureFixture, fault: Exception
) -> None:
    server = tmux()
    server.session("main")
    target = server.window("main")
    client = server.attach("main")

    def fail(client: Client, pane: str) -> None:
        raise fault

    with caplog.at_level(logging.INFO):
        Tmux(recorder, fail).focus(server.place(target))
    assert server.shown(client) == target
    assert "not raised" in caplog.text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("protocol version mismatch (client 8, server 7)", "^tmux refused: protocol version mis"),
        ("", "^tmux refused$"),
    ],
)
def test_anything_else_tmux_says_is_passed_on(
    program: Callable[..., Path], host: Tmux, said: str, told: str
) -> None:
    program("tmux", complains=said, code=1)
    with pytest.raises(Unavailable, match=told):
        host.focus(Place("tmux", tmux_socket="/tmp/s", tmux_pane="%0"))


def client(name: str, session: str, activity: int, *, control: bool = False) -> Client:
    """Return a client that draws on a terminal."""
    return Client(name, session, control, activity, 1, f"/dev/{name}")


def test_client_on_the_session_wins_over_one_used_later() -> None:
    there, later = client("a", "$1", 10), client("b", "$2", 20)
    assert choose([there, later], {"$1"}) == there


def test_last_used_client_wins_where_none_is_there() -> None:
    early, late = client("a", "$2", 10), client("b", "$3", 20)
    assert choose([early, late], {"$1"}) == late


def test_last_used_of_two_clients_there_wins() -> None:
    early, late = client("a", "$1", 10), client("b", "$1", 20)
    assert choose([late, early], {"$1"}) == late


def test_control_mode_client_is_the_last_to_be_switched() -> None:
    native, plain = client("a", "$2", 20, control=True), client("b", "$3", 10)
    assert choose([native, plain], {"$1"}) == plain


def test_linked_sessions_are_all_there() -> None:
    one, other = client("a", "$1", 10), client("b", "$2", 20)
    assert choose([one, other], {"$1", "$9"}) == one
