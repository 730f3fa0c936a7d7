"""Typing into one tmux pane: real servers, and programs that note every byte they get."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.tmux_keyboard import TmuxKeyboard
from flightdeck.model.place import Place
from tests.hosts import listener
from tests.hosts.lines import LINES, NO_LINES
from tests.hosts.real_tmux import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hosts.real_tmux import Recorder, Server

    Make = Callable[..., Server]
    Deed = Callable[[TmuxKeyboard, Place], object]

LINE = "flightdeck TEST: do what @/q/1.md says"
BEGIN, END = b"\x1b[200~", b"\x1b[201~"
KEYS: list[tuple[Deed, bytes]] = [
    (TmuxKeyboard.interrupt, b"\x1b"),
    (TmuxKeyboard.confirm, b"\r"),
    (TmuxKeyboard.stash, b"\x13"),
    (TmuxKeyboard.erase, b"\x15"),
]


def paste(keyboard: TmuxKeyboard, place: Place) -> None:
    keyboard.paste(place, LINE)


TYPING: list[Deed] = [paste, *(deed for deed, _ in KEYS)]
DEEDS: list[Deed] = [
    *TYPING,
    TmuxKeyboard.must_take_lines,
    TmuxKeyboard.device,
    TmuxKeyboard.screen,
]


@dataclass(frozen=True)
class Ear:
    """A pane in which a program listens."""

    server: Server
    pane: str
    log: Path

    @property
    def place(self) -> Place:
        return self.server.place(self.pane)

    def heard(self, expected: bytes) -> None:
        """Wait until exactly this was heard; what comes after would come after a `!`."""
        self.server.tell("send-keys", "-t", self.pane, "-l", "!")
        wait_until(lambda: self.log.read_bytes().endswith(b"!"))
        assert self.log.read_bytes() == expected + b"!"


class Ears:
    """Makes listening panes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def __call__(self, server: Server, mode: str = "bracketed", beside: str = "") -> Ear:
        """Start a program in a session of its own, or beside another pane."""
        self._count += 1
        log = self._folder / f"{self._count}.log"
        program = shlex.join([sys.executable, listener.__file__, str(log), mode])
        pane = server.split(beside, program) if beside else server.session(log.stem, program)
        shown = ["capture-pane", "-p", "-t", pane]
        wait_until(lambda: server.tell(*shown).strip() == listener.READY)
        return Ear(server, pane, log)


@pytest.fixture
def keyboard(recorder: Recorder) -> TmuxKeyboard:
    return TmuxKeyboard(recorder)


@pytest.fixture
def ears(tmp_path: Path) -> Ears:
    return Ears(tmp_path)


@pytest.mark.parametrize(("deed", "key"), KEYS)
def test_key_is_pressed_once(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, deed: Deed, key: bytes
) -> None:
    ear = ears(tmux("a socket, with spaces"))
    deed(keyboard, ear.place)
    ear.heard(key)


def test_line_arrives_byte_for_byte_as_one_paste_and_nothing_is_pressed(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    ear = ears(tmux())
    for line in LINES:
        keyboard.paste(ear.place, line)
    ear.heard(b"".join(BEGIN + line.encode() + END for line in LINES))


def test_program_that_asked_for_no_brackets_gets_none(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    ear = ears(tmux(), "plain")
    for line in LINES:
        keyboard.paste(ear.place, line)
    ear.heard("".join(LINES).encode())


def test_longest_line_arrives_whole(tmux: Make, ears: Ears, keyboard: TmuxKeyboard) -> None:
    ear = ears(tmux())
    keyboard.paste(ear.place, "🙂" * 1000)
    ear.heard(BEGIN + "🙂".encode() * 1000 + END)


@pytest.mark.parametrize("line", NO_LINES)
def test_what_is_no_line_is_refused_before_tmux_is_asked(
    keyboard: TmuxKeyboard, recorder: Recorder, line: str
) -> None:
    with pytest.raises(ValueError, match="line"):
        keyboard.paste(Place("tmux", tmux_socket="/none", tmux_pane="%0"), line)
    assert recorder.calls == []


def test_fifty_lines_arrive_exactly_once_and_in_that_pane_only(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    server, dice = tmux("one"), Random(5)
    target = ears(server)
    others = [ears(server, beside=target.pane), ears(server), ears(tmux("two"))]
    lines = [f"{number} {dice.choice(LINES)}" for number in range(50)]
    for line in lines:
        keyboard.paste(target.place, line)
        keyboard.confirm(target.place)
    target.heard(b"".join(BEGIN + line.encode() + END + b"\r" for line in lines))
    for other in others:
        other.heard(b"")


def test_no_buffer_stays_behind_and_none_of_anybody_else_is_touched(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    server = tmux()
    ear = ears(server)
    server.tell("set-buffer", "-b", "theirs", "kept")
    keyboard.paste(ear.place, LINE)
    assert server.tell("list-buffers", "-F", "#{buffer_name} #{buffer_sample}") == "theirs kept"


def test_no_buffer_stays_behind_of_a_pane_that_goes_at_that_moment(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, recorder: Recorder
) -> None:
    server = tmux()
    ear, _ = ears(server), ears(server)

    def go(argv: list[str]) -> None:
        if "load-buffer" in argv:
            server.tell("kill-pane", "-t", ear.pane)

    recorder.before = go
    with pytest.raises(Gone, match="pane is gone"):
        keyboard.paste(ear.place, LINE)
    assert server.tell("list-buffers") == ""


def test_no_buffer_stays_behind_when_tmux_gives_no_answer(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, recorder: Recorder
) -> None:
    server = tmux()
    ear = ears(server)

    def fall_silent(argv: list[str]) -> None:
        if "load-buffer" in argv:
            name = argv[argv.index("-b") + 1]
            server.tell("set-buffer", "-b", name, LINE)
            raise Unavailable("'tmux' gave no answer in 3 s")

    recorder.before = fall_silent
    with pytest.raises(Unavailable, match="no answer"):
        keyboard.paste(ear.place, LINE)
    assert server.tell("list-buffers") == ""
    ear.heard(b"")


def test_line_is_no_argument_that_others_on_the_machine_could_read(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, recorder: Recorder
) -> None:
    keyboard.paste(ears(tmux()).place, LINE)
    assert not [word for word in recorder.words if LINE in word]


@pytest.mark.parametrize("modes", [["copy-mode"], ["clock-mode"], ["copy-mode", "clock-mode"]])
@pytest.mark.parametrize("deed", TYPING)
def test_pane_that_is_scrolled_back_is_left_first(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, deed: Deed, modes: list[str]
) -> None:
    server = tmux()
    ear, plain = ears(server), ears(server)
    for mode in modes:
        server.tell(mode, "-t", ear.pane)
    deed(keyboard, ear.place)
    deed(keyboard, plain.place)
    wait_until(lambda: plain.log.stat().st_size > 0)
    wait_until(lambda: ear.log.read_bytes() == plain.log.read_bytes())


@pytest.mark.parametrize("deed", DEEDS)
def test_pane_that_shares_its_keys_gets_none(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, deed: Deed
) -> None:
    server = tmux()
    ear = ears(server)
    other = ears(server, beside=ear.pane)
    server.tell("set-option", "-w", "-t", ear.pane, "synchronize-panes", "on")
    with pytest.raises(Unavailable, match="shares its keys with others"):
        deed(keyboard, ear.place)
    server.tell("set-option", "-w", "-t", ear.pane, "synchronize-panes", "off")
    ear.heard(b"")
    other.heard(b"")


def test_pane_beside_those_that_share_their_keys_is_typed_into(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    server = tmux()
    ear, other = ears(server), ears(server)
    server.tell("set-option", "-w", "-t", other.pane, "synchronize-panes", "on")
    keyboard.confirm(ear.place)
    ear.heard(b"\r")


@pytest.mark.parametrize("deed", DEEDS)
def test_pane_whose_input_is_off_is_told_as_such(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, deed: Deed
) -> None:
    server = tmux()
    ear = ears(server)
    server.tell("select-pane", "-d", "-t", ear.pane)
    with pytest.raises(Unavailable, match="takes no keys") as no:
        deed(keyboard, ear.place)
    assert no.value.hint == f"tmux select-pane -e -t {ear.pane}"


@pytest.mark.parametrize("deed", DEEDS)
def test_pane_whose_program_has_ended_is_gone(
    tmux: Make, keyboard: TmuxKeyboard, deed: Deed
) -> None:
    server = tmux()
    server.session("main")
    server.tell("set-option", "-g", "remain-on-exit", "on")
    dead = server.tell("new-window", "-d", "-t", "main:", "-P", "-F", "#{pane_id}", "true")
    wait_until(lambda: server.tell("display-message", "-p", "-t", dead, "#{pane_dead}") == "1")
    with pytest.raises(Gone, match="has ended"):
        deed(keyboard, server.place(dead))


@pytest.mark.parametrize(
    "pane",
    ["%99", "", "%", "0", "%0 0", "-a", "; kill-server", ":", "{last}", "=1", "@0", "$0", "1:"],
)
@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_no_pane_of_that_server_is_gone(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard, deed: Deed, pane: str
) -> None:
    server = tmux()
    ear = ears(server)
    with pytest.raises(Gone, match="pane is gone"):
        deed(keyboard, server.place(pane))
    ear.heard(b"")


@pytest.mark.parametrize("socket", ["", "none", "-x", "no\nsocket", "; kill-server"])
@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_no_socket_of_a_server_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keyboard: TmuxKeyboard, deed: Deed, socket: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unavailable):
        deed(keyboard, Place("tmux", tmux_socket=socket, tmux_pane="%0"))


def test_asking_whether_a_pane_takes_lines_types_nothing(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    server = tmux()
    ear = ears(server)
    keyboard.must_take_lines(ear.place)
    keyboard.confirm(ear.place)
    ear.heard(b"\r")


def test_device_is_the_one_the_program_in_the_pane_draws_on(
    tmux: Make, ears: Ears, keyboard: TmuxKeyboard
) -> None:
    server = tmux()
    ear = ears(server)
    beside = ears(server, beside=ear.pane)
    pid = server.tell("display-message", "-p", "-t", beside.pane, "#{pane_pid}")
    assert keyboard.device(beside.place) == str(Path(f"/proc/{pid}/fd/0").readlink())


@pytest.mark.parametrize("mode", ["", "copy-mode"])
def test_screen_is_what_the_program_shows_even_if_it_is_scrolled_back(
    tmux: Make, keyboard: TmuxKeyboard, mode: str
) -> None:
    server = tmux()
    program = "seq 100; printf '→\\302\\240Größe\\n'; exec cat"
    pane = server.session("main", program)
    wait_until(lambda: "Größe" in server.tell("capture-pane", "-p", "-t", pane))
    if mode:
        server.tell(mode, "-u", "-t", pane)
    rows = keyboard.screen(server.place(pane)).splitlines()
    assert rows[-4:] == ["99", "100", "→\xa0Größe", ""]
    assert len(rows) == 24
