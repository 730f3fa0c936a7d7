"""The watch wakes when a watched folder changes, and comes back from everything that ends it."""

from __future__ import annotations

import logging
import shutil
import threading
from typing import TYPE_CHECKING, ClassVar

import pytest
from watchdog.events import (
    DirModifiedEvent,
    FileClosedNoWriteEvent,
    FileOpenedEvent,
    FileSystemEvent,
)
from watchdog.observers import Observer

from flightdeck.store import watch as watch_module
from flightdeck.store.watch import Watch
from tests.fold.world import DEADLINE_S, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Alarm:
    """Hears the watch."""

    def __init__(self) -> None:
        self.heard = threading.Event()
        self.watch = Watch(self.heard.set)

    def hears(self, path: Path) -> bool:
        """Write a file and say whether that was heard."""
        self.heard.clear()
        path.write_text("news")
        return self.heard.wait(DEADLINE_S)


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    alarm = Alarm()
    yield alarm
    alarm.watch.close()


def test_new_file_wakes(alarm: Alarm, tmp_path: Path) -> None:
    assert alarm.watch.tend([tmp_path])
    assert alarm.hears(tmp_path / "a")


def test_folder_made_anew_is_watched_again(alarm: Alarm, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    alarm.watch.tend([folder])
    shutil.rmtree(folder)
    alarm.watch.tend([folder])
    folder.mkdir()
    alarm.watch.tend([folder])
    assert alarm.hears(folder / "a")


def test_folder_made_anew_between_two_looks_is_watched_again(alarm: Alarm, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    alarm.watch.tend([folder])
    folder.rename(tmp_path / "old")  # its inode stays taken, so the new one is another
    folder.mkdir()
    alarm.watch.tend([folder])
    assert alarm.hears(folder / "a")


def test_missing_folder_is_watched_once_it_appears(alarm: Alarm, tmp_path: Path) -> None:
    alarm.watch.tend([tmp_path / "later"])
    (tmp_path / "later").mkdir()
    alarm.watch.tend([tmp_path / "later"])
    assert alarm.hears(tmp_path / "later" / "a")


def test_dead_emitter_is_noticed_and_replaced(
    alarm: Alarm,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    alarm.watch.tend([tmp_path])
    observer = alarm.watch._observer
    assert observer
    (emitter,) = observer.emitters
    # The library's own thread hook would report this as a test's fault.
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def broken(timeout: float) -> None:
        raise AttributeError("of the library")

    monkeypatch.setattr(emitter, "queue_events", broken)
    (tmp_path / "a").write_text("")
    until(lambda: not emitter.is_alive(), "the emitter dies")
    assert observer.is_alive()
    alarm.watch.tend([tmp_path])
    assert alarm.hears(tmp_path / "b")
    assert [r.message for r in caplog.records].count("watching anew: 1 folders") == 1


def test_file_rewritten_in_place_wakes(alarm: Alarm, tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text("{}")
    alarm.watch.tend([tmp_path])
    assert alarm.hears(tmp_path / "record.json")


def test_file_renamed_or_removed_wakes(alarm: Alarm, tmp_path: Path) -> None:
    (tmp_path / "draft").touch()
    alarm.watch.tend([tmp_path])
    (tmp_path / "draft").rename(tmp_path / "record.json")
    assert alarm.heard.wait(DEADLINE_S)
    alarm.watch.close()
    alarm.heard.clear()
    alarm.watch.tend([tmp_path])
    (tmp_path / "record.json").unlink()
    assert alarm.heard.wait(DEADLINE_S)


def test_looking_into_a_watched_folder_wakes_nobody(alarm: Alarm, tmp_path: Path) -> None:
    alarm.watch.tend([tmp_path])
    (tmp_path / "a").touch()
    assert alarm.heard.wait(DEADLINE_S)
    observer = alarm.watch._observer
    assert observer
    until(observer.event_queue.empty, "a quiet watch")
    alarm.heard.clear()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b""]
    assert not alarm.heard.is_set()


def test_file_written_in_place_in_a_parent_folder_wakes(alarm: Alarm, tmp_path: Path) -> None:
    (tmp_path / "local.yaml").write_text("before", encoding="utf-8")
    alarm.watch.tend([], [tmp_path])
    (tmp_path / "local.yaml").write_text("after", encoding="utf-8")
    assert alarm.heard.wait(DEADLINE_S)


def test_unchanged_folders_keep_their_observer(alarm: Alarm, tmp_path: Path) -> None:
    alarm.watch.tend([tmp_path])
    first = alarm.watch._observer
    alarm.watch.tend([tmp_path])
    assert alarm.watch._observer is first


class Full:
    """An observer on a machine that has no watch left."""

    made: ClassVar[list[Full]] = []

    def __init__(self) -> None:
        self.made.append(self)
        self.stopped = False

    def schedule(self, *_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    def start(self) -> None:
        raise AssertionError("nothing was scheduled")

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[Full]:
    """Let the machine be out of watches, and return every try to get one."""
    monkeypatch.setattr(Full, "made", [])
    monkeypatch.setattr(watch_module, "Observer", Full)
    return Full.made


def test_machine_out_of_watches_is_told_once(
    alarm: Alarm, tmp_path: Path, full: list[Full], caplog: pytest.LogCaptureFixture
) -> None:
    alarm.watch.tend([tmp_path])
    alarm.watch._retry_at = 0.0
    alarm.watch.tend([tmp_path])
    assert len(full) == 2
    assert all(one.stopped for one in full)
    assert [r.levelname for r in caplog.records] == ["WARNING"]


def test_machine_out_of_watches_is_not_asked_at_every_look(
    alarm: Alarm, tmp_path: Path, full: list[Full]
) -> None:
    assert not any(alarm.watch.tend([tmp_path]) for _ in range(5))
    assert len(full) == 1


def test_watch_comes_back_once_there_are_watches_again(
    alarm: Alarm, tmp_path: Path, full: list[Full], monkeypatch: pytest.MonkeyPatch
) -> None:
    alarm.watch.tend([tmp_path])
    monkeypatch.setattr(watch_module, "Observer", Observer)
    alarm.watch._retry_at = 0.0
    alarm.watch.tend([tmp_path])
    assert len(full) == 1
    assert alarm.hears(tmp_path / "a")


def test_reading_a_folder_is_no_news() -> None:
    heard: list[int] = []
    handler = watch_module._Wake(lambda: heard.append(1))
    for event in (FileOpenedEvent("f"), FileClosedNoWriteEvent("f")):
        handler.on_any_event(event)
    assert heard == []


@pytest.mark.parametrize("event", [DirModifiedEvent("d"), FileSystemEvent("of any kind")])
def test_whatever_else_the_library_says_only_wakes(event: FileSystemEvent) -> None:
    heard: list[int] = []
    watch_module._Wake(lambda: heard.append(1)).on_any_event(event)
    assert heard == [1]


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    watch = Watch(lambda: None)
    watch.tend([tmp_path])
    watch.close()
    watch.close()
