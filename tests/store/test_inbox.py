"""The inbox: our events in their order, our garbage cleared, strangers left alone."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.event import END
from flightdeck.store import inbox

if TYPE_CHECKING:
    from tests.fold.world import Machine


def names(machine: Machine) -> set[str]:
    return {path.name for path in machine.folder.inbox.iterdir()}


def test_events_come_in_the_order_they_happened(machine: Machine) -> None:
    for event in ("Stop", "SessionStart", "PreCompact"):
        machine.says(99, event)
    batch = inbox.read(machine.folder.inbox, machine.now)
    assert [event.name for event in batch.events] == ["Stop", "SessionStart", "PreCompact"]


def test_event_carries_what_its_hook_wrote(machine: Machine) -> None:
    machine.spool(99, "Stop", b'{"session_id": "s"}', TMUX="/t,1,0", TMUX_PANE="%7")
    (event,) = inbox.read(machine.folder.inbox, machine.now).events
    assert (event.pid, event.agent, event.payload) == (99, "claude-code", {"session_id": "s"})
    assert (event.place.kind, event.place.tmux_pane) == ("tmux", "%7")
    assert event.at == pytest.approx(machine.now, abs=1e-6)


def test_folded_events_are_taken_out_and_later_ones_stay(machine: Machine) -> None:
    machine.says(99, "Stop")
    batch = inbox.read(machine.folder.inbox, machine.now)
    later = machine.says(99, "Stop")
    inbox.remove(batch)
    inbox.remove(batch)
    assert names(machine) == {later.name}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"7", b"NaN"])
def test_event_nobody_can_ever_read_is_dropped_and_named(
    machine: Machine, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    torn = machine.spool(99, "Stop", body)
    batch = inbox.read(machine.folder.inbox, machine.now)
    inbox.remove(batch)
    assert (batch.events, names(machine)) == ((), set())
    assert torn.name in caplog.text


def test_event_with_a_strangers_header_is_dropped(machine: Machine) -> None:
    path = machine.folder.inbox / "1.Stop.ev"
    path.write_bytes(b"flightdeck1\x1fStop\n{}\n" + END)
    assert inbox.read(machine.folder.inbox, machine.now).events == ()


@pytest.mark.parametrize(
    "name", ["notes.txt", "1.Stop.ev.bak", "x.Stop.ev", "1.St-op.ev", ".1.Stop.ev", "1..ev"]
)
def test_strangers_file_is_left_alone(machine: Machine, name: str) -> None:
    path = machine.folder.inbox / name
    path.write_bytes(b"theirs")
    os.utime(path, (0, 0))
    inbox.remove(inbox.read(machine.folder.inbox, machine.now))
    assert path.read_bytes() == b"theirs"


def test_folder_of_an_events_name_is_left_alone(machine: Machine) -> None:
    (machine.folder.inbox / "1.Stop.ev").mkdir()
    batch = inbox.read(machine.folder.inbox, machine.now)
    assert batch == inbox.Batch((), ())


def cut_short(machine: Machine, age_s: float) -> Path:
    """Return an event whose hook has not written its last line, begun so long ago."""
    path = machine.says(99, "Stop")
    path.write_bytes(path.read_bytes()[:-5])
    os.utime(path, (machine.now - age_s, machine.now - age_s))
    return path


def test_event_being_written_is_left_for_the_next_time(machine: Machine) -> None:
    path = cut_short(machine, 0.2)
    inbox.remove(inbox.read(machine.folder.inbox, machine.now))
    assert names(machine) == {path.name}


def test_event_of_a_killed_hook_is_dropped_once_it_is_old(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    path = cut_short(machine, 500)
    path.write_bytes(b"flightdeck1\x1fSt")
    os.utime(path, (machine.now - 500, machine.now - 500))
    batch = inbox.read(machine.folder.inbox, machine.now)
    inbox.remove(batch)
    assert (batch.events, names(machine)) == ((), set())
    assert path.name in caplog.text


def test_missing_inbox_is_no_events(tmp_path: Path) -> None:
    assert inbox.read(tmp_path / "none", 0.0) == inbox.Batch((), ())


def test_enormous_file_is_dropped_unread(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    path = machine.says(99, "Stop")
    os.truncate(path, 40 * 1024 * 1024)
    assert inbox.read(machine.folder.inbox, machine.now).events == ()
    assert path.name in caplog.text


class Growing(io.BytesIO):
    """A file its hook is writing: between any two reads there may be more of it."""

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self.write(b"more")
        self.seek(-4, io.SEEK_CUR)
        return found


def test_event_that_grows_while_it_is_read_is_left_for_the_next_time(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.says(99, "Stop")
    monkeypatch.setattr(Path, "open", lambda *_: Growing(b"flightdeck1\x1fStop"))
    batch = inbox.read(machine.folder.inbox, machine.now)
    assert (batch.events, batch.files) == ((), ())


@pytest.mark.parametrize(("later_s", "left"), [(29.0, 1), (31.0, 0)])
def test_event_that_cannot_be_opened_does_not_lie_in_the_way_for_ever(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, later_s: float, left: int
) -> None:
    machine.says(99, "Stop")

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refused)
    batch = inbox.read(machine.folder.inbox, machine.now + later_s)
    inbox.remove(batch)
    assert (batch.events, len(names(machine))) == ((), left)
