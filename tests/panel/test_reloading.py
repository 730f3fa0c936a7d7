"""When files are read again: after they stood still, once an edit, with a watch and without."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel import reloading
from flightdeck.panel.messages import Edited
from flightdeck.panel.reloading import Reloading
from flightdeck.panel.sources import Sources
from flightdeck.store.paths import StateFolder
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Files:
    """One layout of the user's, read as text."""

    def __init__(self) -> None:
        folder = StateFolder.from_environment()
        folder.create()
        self.path = folder.root / "layouts" / "xl.yaml"
        self.path.parent.mkdir()
        self.path.write_text("0", encoding="utf-8")
        self.sources = Sources(folder)
        self.before = self.sources.stamp()
        self.local = folder.local
        self.reads = 0
        self.during = ""

    def again(self) -> Edited:
        """Return what stands there; somebody may write `during` that, once."""
        self.reads += 1
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else "gone"
        if self.during:
            during, self.during = self.during, ""
            self.path.write_text(during, encoding="utf-8")
        return Edited(None, text)


class Told:
    """What was told, and a thread that tells."""

    def __init__(self, files: Files) -> None:
        self.texts: list[str] = []
        self.threads: set[int] = set()
        self.reloading = Reloading(files, self.take)

    def take(self, edited: Edited) -> None:
        self.threads.add(threading.get_ident())
        self.texts.append(edited.problem)

    def hears(self, text: str) -> None:
        until(lambda: self.texts[-1:] == [text], f"'{text}', heard {self.texts}")


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture(params=["watched", "scanned"])
def told(
    request: pytest.FixtureRequest, files: Files, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Told]:
    """With a true watch, and on a machine that has none to give."""

    def none(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    if request.param == "scanned":
        monkeypatch.setattr("flightdeck.store.watch.Observer.schedule", none)
    told = Told(files)
    told.reloading.start()
    yield told
    told.reloading.close()


def replaced(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def test_edit_is_read_however_it_is_written(files: Files, told: Told) -> None:
    files.path.write_text("in place", encoding="utf-8")
    told.hears("in place")
    replaced(files.path, "renamed")
    told.hears("renamed")
    files.path.unlink()
    told.hears("gone")
    files.path.write_text("back", encoding="utf-8")
    told.hears("back")


def test_it_is_read_on_a_thread_of_its_own(files: Files, told: Told) -> None:
    files.path.write_text("1", encoding="utf-8")
    told.hears("1")
    assert threading.get_ident() not in told.threads


def test_last_of_many_quick_edits_is_told_and_few_of_the_others(files: Files, told: Told) -> None:
    for number in range(50):
        replaced(files.path, str(number))
    told.hears("49")
    assert len(told.texts) < 25


def test_what_was_read_while_somebody_wrote_is_not_told(files: Files, told: Told) -> None:
    files.during = "whole"
    files.path.write_text("half", encoding="utf-8")
    told.hears("whole")
    assert told.texts == ["whole"]


def test_file_in_the_state_folder_itself_is_seen_as_well(files: Files, told: Told) -> None:
    files.local.write_text("pins:\n", encoding="utf-8")
    told.hears("0")
    assert files.local.parent not in files.sources.folders()
    files.local.write_text("pins:\n  1: app A\n", encoding="utf-8")
    until(lambda: told.texts == ["0", "0"], "the second edit of it")


def test_template_in_folders_that_are_made_later_is_seen(files: Files, told: Told) -> None:
    faces = files.local.parent / "templates" / "faces"
    faces.mkdir(parents=True)
    (faces / "key.svg.j2").touch()
    told.hears("0")
    reads = files.reads
    (faces / "key.svg.j2").unlink()
    until(lambda: files.reads > reads, "what is gone is seen")


def test_folder_made_in_the_one_of_templates_wakes(files: Files) -> None:
    folder = StateFolder(files.local.parent)
    assert folder.templates in files.sources.parents()
    assert folder.templates / "faces" in files.sources.folders()
    assert files.sources.concerns(str(folder.templates))


def test_edit_before_the_first_look_is_seen(files: Files) -> None:
    files.path.write_text("early", encoding="utf-8")
    told = Told(files)
    told.reloading.start()
    told.hears("early")
    told.reloading.close()


def test_file_that_lies_elsewhere_is_looked_at_once_it_was_read(
    files: Files, told: Told, tmp_path: Path
) -> None:
    parent = tmp_path / "parent.yaml"
    parent.write_text("1", encoding="utf-8")
    files.sources.name([parent])
    files.path.write_text("first", encoding="utf-8")
    told.hears("first")
    reads = files.reads
    parent.write_text("2", encoding="utf-8")
    until(lambda: files.reads > reads, "the parent read again")


def test_what_editors_leave_beside_a_file_is_no_edit(files: Files, told: Told) -> None:
    for name in (".#xl.yaml", ".xl.yaml.swp", "xl.yaml~", "4913"):
        (files.path.parent / name).write_text("x", encoding="utf-8")
    files.path.write_text("1", encoding="utf-8")
    told.hears("1")
    assert told.texts == ["1"]


def test_link_that_leads_to_itself_is_no_end(files: Files, told: Told) -> None:
    ring = files.path.with_name("ring.yaml")
    ring.symlink_to(ring)
    told.hears("0")
    files.path.write_text("1", encoding="utf-8")
    told.hears("1")


def test_nothing_is_told_once_it_is_closed(files: Files) -> None:
    told = Told(files)
    told.reloading.close()
    told.reloading = Reloading(files, told.take)
    told.reloading.start()
    told.reloading.close()
    files.path.write_text("late", encoding="utf-8")
    assert (told.texts, told.reloading._thread.is_alive()) == ([], False)


def test_closing_waits_for_no_file_to_stand_still(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reloading, "SETTLE_S", 3600.0)
    files.path.write_text("1", encoding="utf-8")
    told = Told(files)
    told.reloading.start()
    told.reloading.close()
    assert (told.texts, told.reloading._thread.is_alive()) == ([], False)
