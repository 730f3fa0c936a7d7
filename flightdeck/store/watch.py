"""Wakes somebody when a folder changes; never says what changed.

watchdog only wakes, a scan decides: an event can be late, merged or missing, and its
threads can die without a word. So the folders are looked at again every few seconds,
and the observer is made anew when a folder was re-created or a thread has ended.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from watchdog.observers.api import BaseObserver

_LOG = logging.getLogger(__name__)
# A machine out of inotify watches stays so for a while; the scan does without.
_RETRY_S = 20.0
# Linux tells when a file is whole, and would otherwise tell of our own reading too: a
# scan that wakes its own watch costs more than the scan. Elsewhere every kind wakes.
_NEWS: list[type[FileSystemEvent]] | None = (
    [FileClosedEvent, FileMovedEvent, FileDeletedEvent] if sys.platform == "linux" else None
)
# Of a parent, the folders that come and go are news too, and so is what is made empty.
_COMINGS: list[type[FileSystemEvent]] | None = (
    [
        *(FileClosedEvent, FileCreatedEvent, FileMovedEvent, FileDeletedEvent),
        *(DirCreatedEvent, DirMovedEvent, DirDeletedEvent),
    ]
    if sys.platform == "linux"
    else None
)


def _all(_: str) -> bool:
    return True


class _Wake(FileSystemEventHandler):
    def __init__(self, wake: Callable[[], None], concerns: Callable[[str], bool] = _all) -> None:
        self._wake = wake
        self._concerns = concerns

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Wake; reading a folder is not news."""
        if event.event_type in {"opened", "closed_no_write"}:
            return
        if any(path and self._concerns(os.fsdecode(path)) for path in _paths(event)):
            self._wake()


def _paths(event: FileSystemEvent) -> tuple[bytes | str, bytes | str]:
    return event.src_path, event.dest_path


class Watch:
    """Watches a changing set of folders and calls `wake` from its own thread."""

    def __init__(self, wake: Callable[[], None], concerns: Callable[[str], bool] = _all) -> None:
        """Only a change of a path that `concerns` somebody wakes."""
        self._handler = _Wake(wake, concerns)
        self._observer: BaseObserver | None = None
        self._seen: dict[Path, tuple[int, int]] = {}
        self._retry_at = 0.0
        self._failing = False

    def tend(self, folders: Iterable[Path], parents: Collection[Path] = ()) -> bool:
        """Make sure that every one of `folders` that exists is watched; cheap, call it often.

        So are the `parents`, where what is made, and folders that come and go, are news as well.

        Returns whether they are: where not, only looking often tells of news.
        """
        loud = set(folders)
        wanted = (*loud, *parents)
        standing = {folder: mark for folder in wanted if (mark := _mark(folder))}
        if standing == self._seen and self._healthy():
            return self._observer is not None
        if self._observer is not None:
            _LOG.info("watching anew: %d folders", len(standing))
        self.close()
        self._start(standing, loud)
        return self._observer is not None

    def close(self) -> None:
        """Stop watching; may be called twice."""
        observer, self._observer, self._seen = self._observer, None, {}
        if observer is not None:
            observer.stop()
            observer.join(timeout=2)

    def _start(self, standing: dict[Path, tuple[int, int]], loud: Collection[Path]) -> None:
        observer = Observer()
        try:
            for folder in standing:
                news = _NEWS if folder in loud else _COMINGS
                observer.schedule(self._handler, str(folder), recursive=False, event_filter=news)
            observer.start()
        except OSError as error:  # out of inotify watches: the scan alone must do
            self._give_up(observer, error)
        else:
            self._observer, self._failing = observer, False
        self._seen = standing

    def _give_up(self, observer: BaseObserver, error: OSError) -> None:
        """Do without for a while; said once, not at every try."""
        observer.stop()
        self._retry_at = clock.monotonic() + _RETRY_S
        if not self._failing:
            _LOG.warning("cannot watch: %s", error)
        self._failing = True

    def _healthy(self) -> bool:
        observer = self._observer
        if observer is None:
            return not self._seen or clock.monotonic() < self._retry_at
        return observer.is_alive() and all(e.is_alive() for e in observer.emitters)


def _mark(folder: Path) -> tuple[int, int] | None:
    try:
        info = os.stat(folder)  # noqa: PTH116 - called several times a second
    except OSError:
        return None
    return info.st_dev, info.st_ino
