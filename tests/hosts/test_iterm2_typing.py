"""Typing into one iTerm2 session: the real package against a fake iTerm2, or osascript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.iterm2 import Iterm2
from flightdeck.model.place import Place
from flightdeck.system.run import run
from tests.hosts.lines import LINES, NO_LINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.hosts.fake_iterm2 import FakeIterm2

    Program = Callable[..., Path]
    Deed = Callable[[Iterm2, Place], object]

UUIDS = [f"6D5F8A6E-0000-4000-8000-00000000000{n}" for n in range(2)]
LINE = "flightdeck TEST: do what @/q/1.md says"
KEYS: list[tuple[Deed, str]] = [
    (Iterm2.interrupt, "\x1b"),
    (Iterm2.confirm, "\r"),
    (Iterm2.stash, "\x13"),
    (Iterm2.erase, "\x15"),
]


def paste(iterm2: Iterm2, place: Place) -> None:
    iterm2.paste(place, LINE)


TYPING: list[tuple[Deed, str]] = [*KEYS, (paste, LINE)]
# What AppleScript would broadcast, and must not: all but Esc.
BY_API_ONLY: list[Deed] = [*(deed for deed, _ in TYPING[1:]), Iterm2.must_take_lines]
DEEDS: list[Deed] = [Iterm2.interrupt, *BY_API_ONLY, Iterm2.device, Iterm2.screen]


def place(uuid: str) -> Place:
    return Place("iterm2", window=uuid, program="iTerm.app")


@pytest.fixture
def iterm2() -> Iterator[Iterm2]:
    made = Iterm2(run, wait_s=20)
    yield made
    made.close()


@pytest.fixture
def api_off(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(short_path))


@pytest.mark.parametrize(("deed", "keys"), TYPING)
def test_keys_go_once_to_that_session_alone_and_are_not_broadcast(
    iterm2_api: FakeIterm2, iterm2: Iterm2, deed: Deed, keys: str
) -> None:
    iterm2_api.variables = {uuid: {} for uuid in UUIDS}
    deed(iterm2, place(UUIDS[1]))
    assert iterm2_api.typed == [(UUIDS[1], keys, True)]
    assert iterm2_api.activated == []


def test_line_is_sent_as_it_is_and_in_one_piece(iterm2_api: FakeIterm2, iterm2: Iterm2) -> None:
    iterm2_api.variables = {UUIDS[0]: {}}
    for line in LINES:
        iterm2.paste(place(UUIDS[0]), line)
    assert [keys for _, keys, _ in iterm2_api.typed] == LINES


@pytest.mark.parametrize("line", NO_LINES)
def test_what_is_no_line_is_refused_before_iterm2_is_asked(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, line: str
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(ValueError, match="line"):
        iterm2.paste(place(UUIDS[0]), line)
    assert (iterm2_api.asked, log.exists()) == ([], False)


@pytest.mark.parametrize("word", ["all", "active", "", "-", "w0t0p0:" + UUIDS[0], UUIDS[0] + "\n"])
@pytest.mark.parametrize("deed", DEEDS)
def test_word_that_may_stand_for_other_sessions_is_never_sent(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, deed: Deed, word: str
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(Unavailable, match="where this session runs is unknown"):
        deed(iterm2, place(word))
    assert (iterm2_api.asked, log.exists()) == ([], False)


@pytest.mark.parametrize("deed", DEEDS)
def test_session_the_api_does_not_know_is_gone_without_asking_applescript(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, deed: Deed
) -> None:
    log = program("osascript", says="found")
    iterm2_api.variables = {UUIDS[1]: {}}
    with pytest.raises(Gone, match="window is gone"):
        deed(iterm2, place(UUIDS[0]))
    assert (iterm2_api.typed, log.exists()) == ([], False)


def test_session_tells_its_device_and_its_rows(iterm2_api: FakeIterm2, iterm2: Iterm2) -> None:
    iterm2_api.variables = {UUIDS[0]: {"tty": "/dev/ttys003"}}
    iterm2_api.rows = {UUIDS[0]: ["> a\0line", "", "  end"]}
    assert iterm2.device(place(UUIDS[0])) == "/dev/ttys003"
    assert iterm2.screen(place(UUIDS[0])) == "> a line\n\n  end"


@pytest.mark.parametrize("told", [None, "", 3, ["/dev/ttys003"]])
def test_device_that_is_no_path_is_none(
    iterm2_api: FakeIterm2, iterm2: Iterm2, told: object
) -> None:
    iterm2_api.variables = {UUIDS[0]: {"tty": told}}
    with pytest.raises(Gone):
        iterm2.device(place(UUIDS[0]))


@pytest.mark.parametrize(("deed", "keys"), TYPING)
def test_keys_whose_answer_is_lost_are_not_sent_again(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, deed: Deed, keys: str
) -> None:
    log = program("osascript", says="found")
    iterm2_api.variables = {UUIDS[0]: {}}
    iterm2_api.hangs_up_after = "send_text_request"
    deed(iterm2, place(UUIDS[0]))
    assert iterm2_api.typed == [(UUIDS[0], keys, True)]
    assert not log.exists()


def test_keys_no_answer_comes_to_are_not_sent_another_way(
    iterm2_api: FakeIterm2, program: Program
) -> None:
    log = program("osascript", says="found")
    iterm2_api.silent = True
    host = Iterm2(run, wait_s=0.3)
    with pytest.raises(Unavailable, match="no answer"):
        host.paste(place(UUIDS[0]), LINE)
    iterm2_api.hang_up()
    host.close()
    assert not log.exists()


@pytest.mark.parametrize("deed", BY_API_ONLY)
def test_nothing_but_esc_is_typed_where_the_api_is_off(
    api_off: None, iterm2: Iterm2, program: Program, deed: Deed
) -> None:
    log = program("osascript", says="found")
    with pytest.raises(Unavailable, match=r"^cannot type there$") as no:
        deed(iterm2, place(UUIDS[0]))
    assert no.value.hint == (
        "iTerm2's Python API is off: iTerm2 > Settings > General > Magic > Enable Python API"
    )
    assert not log.exists()


@pytest.mark.parametrize("status", [406, 500])
@pytest.mark.parametrize("deed", BY_API_ONLY)
def test_nothing_but_esc_is_typed_where_iterm2_takes_no_connection(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, deed: Deed, status: int
) -> None:
    log = program("osascript", says="found")
    iterm2_api.refusal = status
    with pytest.raises(Unavailable, match=r"^cannot type there$") as no:
        deed(iterm2, place(UUIDS[0]))
    assert no.value.hint.startswith("iTerm2's Python API takes no connection")
    assert not log.exists()


@pytest.mark.parametrize("status", [406, 500])
def test_esc_goes_by_applescript_where_iterm2_takes_no_connection(
    iterm2_api: FakeIterm2, iterm2: Iterm2, program: Program, status: int
) -> None:
    log = program("osascript", says="found")
    iterm2_api.refusal = status
    iterm2.interrupt(place(UUIDS[0]))
    assert log.read_bytes().count(b"[write]") == 1


def test_asking_whether_a_session_takes_lines_types_nothing(
    iterm2_api: FakeIterm2, iterm2: Iterm2
) -> None:
    iterm2_api.variables = {UUIDS[0]: {"tty": "/dev/ttys003"}}
    iterm2.must_take_lines(place(UUIDS[0]))
    assert iterm2_api.typed == []


def test_applescript_is_asked_for_device_and_rows_where_the_api_is_off(
    api_off: None, iterm2: Iterm2, program: Program
) -> None:
    log = program("osascript", says="found\n/dev/ttys003\n")
    assert iterm2.device(place(UUIDS[0])) == "/dev/ttys003"
    assert iterm2.screen(place(UUIDS[0])) == "/dev/ttys003\n"
    asked = [line for line in log.read_text(encoding="utf-8").splitlines() if line[:1] == "["]
    assert asked == [f"[-][device][{UUIDS[0]}]", f"[-][screen][{UUIDS[0]}]"]


@pytest.mark.parametrize("deed", [Iterm2.interrupt, Iterm2.device, Iterm2.screen])
def test_session_applescript_does_not_find_is_gone(
    api_off: None, iterm2: Iterm2, program: Program, deed: Deed
) -> None:
    program("osascript", says="gone\n")
    with pytest.raises(Gone, match="window is gone"):
        deed(iterm2, place(UUIDS[0]))
