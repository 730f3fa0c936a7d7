"""Every kind of place has its host, and a place nobody knows is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.hosts.catalogue import Hosts
from flightdeck.model.place import Place
from tests.hosts.real_tmux import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.hosts.real_tmux import Server

    Program = Callable[..., Path]
    Deed = Callable[[Hosts, Place], object]

TYPING: list[Deed] = [
    Hosts.confirm,
    Hosts.stash,
    Hosts.erase,
    lambda hosts, place: hosts.paste(place, "a line"),
    Hosts.must_take_lines,
    Hosts.device,
    Hosts.screen,
]
UUID = "6D5F8A6E-0000-4000-8000-00000000000A"


@pytest.fixture
def mac(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosts]:
    """All hosts, as on a Mac whose iTerm2 has its API switched off."""
    monkeypatch.setenv("HOME", str(short_path))
    made = Hosts(platform="darwin")
    yield made
    made.close()


@pytest.mark.parametrize(
    ("place", "name", "asked"),
    [
        (Place("iterm2", window=UUID), "osascript", f"[-][id][{UUID}]"),
        (Place("wezterm", window="7"), "wezterm", "[cli][activate-pane][--pane-id][7]"),
        (
            Place("kitty", window="4", server="unix:/tmp/k"),
            "kitten",
            "[@][--to][unix:/tmp/k][focus-window][--match][id:4]",
        ),
        (
            Place("zellij", window="3", server="fox"),
            "zellij",
            "[--session][fox][action][focus-pane-id][terminal_3]",
        ),
        (Place("app", program="vscode"), "open", "[-a][Visual Studio Code]"),
    ],
)
def test_each_kind_goes_to_its_host(
    program: Program, mac: Hosts, place: Place, name: str, asked: str
) -> None:
    logs = {name: program(name, says="found") for name in ("open", name)}
    mac.focus(place)
    assert logs[name].read_text(encoding="utf-8").startswith(asked)


def test_press_on_a_tmux_session_ends_at_the_iterm2_window_around_its_client(
    program: Program, mac: Hosts, tmux: Callable[..., Server]
) -> None:
    server = tmux()
    server.session("main")
    target = server.session("feat")
    client = server.attach("main")
    pid = server.tell("list-clients", "-F", "#{client_pid}")
    program("ps", says=f"{pid} 2 tmux\n2 1 /Applications/iTerm.app/Contents/MacOS/iTerm2\n")
    asked = program("osascript", says="found")
    mac.focus(server.place(target))
    assert server.shown(client) == target
    assert asked.read_text(encoding="utf-8").startswith(f"[-][tty][{client}]\n")


@pytest.mark.parametrize("place", [Place(), Place("screen", window="1")])
def test_place_nobody_knows_is_told(mac: Hosts, place: Place) -> None:
    with pytest.raises(Unavailable, match="where this session runs is unknown"):
        mac.focus(place)


def test_hosts_may_be_closed_twice(mac: Hosts) -> None:
    mac.close()
    mac.close()


@pytest.mark.parametrize("kind", ["wezterm", "kitty", "zellij", "app", "unknown", "all"])
@pytest.mark.parametrize("deed", TYPING)
def test_window_whose_keys_could_go_elsewhere_is_not_typed_into(
    mac: Hosts, deed: Deed, kind: str
) -> None:
    with pytest.raises(Unavailable, match="cannot type there") as no:
        deed(mac, Place(kind, window="3", server="fox", program="Terminal"))
    assert no.value.hint == "type it in its own window"


@pytest.mark.parametrize("deed", TYPING[:5])
def test_iterm2_session_is_typed_into_by_its_api_alone(
    program: Program, mac: Hosts, deed: Deed
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(Unavailable, match="cannot type there") as no:
        deed(mac, Place("iterm2", window=UUID))
    assert "Enable Python API" in no.value.hint
    assert not log.exists()


def test_pane_of_tmux_is_typed_into_and_looked_at(mac: Hosts, tmux: Callable[[], Server]) -> None:
    server = tmux()
    place = server.place(server.session("main"))
    mac.must_take_lines(place)
    mac.paste(place, "a line")
    mac.confirm(place)
    wait_until(lambda: mac.screen(place).split() == ["a", "line", "a", "line"])
    assert mac.device(place) == server.tell("list-panes", "-a", "-F", "#{pane_tty}")
