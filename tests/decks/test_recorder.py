"""What a recording leaves on disk, and how it ends when there is no room."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.decks.recorder import Recorder
from flightdeck.decks.recording import contact_sheet
from flightdeck.errors import Unavailable
from flightdeck.faces.encode import encode
from flightdeck.model.deck import Codec
from flightdeck.model.decks import MODELS
from flightdeck.system import clock
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, BLUE, arrow, decode, plain

if TYPE_CHECKING:
    from pathlib import Path

NEO = MODELS["stream-deck-neo"]


def recorder(folder: Path | None, most: int = 100) -> Recorder:
    it = Recorder(NEO, folder, most)
    it.open(Heard())
    return it


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]


def test_pictures_are_upright_pngs_of_the_layouts_size() -> None:
    key = Recorder(NEO, None).model.key
    assert (key.width, key.height, key.codec) == (96, 96, Codec.PNG)
    assert (key.flip_horizontal, key.flip_vertical, key.rotation) == (False, False, 0)


def test_each_write_leaves_one_frame_named_by_number_and_key(tmp_path: Path) -> None:
    deck = recorder(tmp_path)
    deck.write_key(0, b"one", "")
    deck.write_key(6, b"two", "")
    frames = {f.name: f.read_bytes() for f in (tmp_path / "frames").iterdir()}
    assert frames == {"000001-r1c1.png": b"one", "000002-r2c3.png": b"two"}


def test_log_says_when_where_and_what(tmp_path: Path) -> None:
    before = clock.now()
    recorder(tmp_path).write_key(6, b"two", "slot 7, idle")
    (line,) = log_of(tmp_path)
    assert before <= line.pop("time") <= clock.now()
    assert line == {"seq": 1, "row": 2, "column": 3, "name": "slot 7, idle"}


def test_what_keys_said_is_for_its_owner_alone(tmp_path: Path) -> None:
    recorder(tmp_path / "new").write_key(0, b"one", "write down Bash(make:*)")
    assert (tmp_path / "new" / "frames.jsonl").stat().st_mode & 0o777 == 0o600


def test_closing_leaves_a_contact_sheet_of_the_deck_as_it_stands(tmp_path: Path) -> None:
    deck = recorder(tmp_path)
    deck.write_key(0, plain(deck.model.key, BLUE), "")
    deck.write_key(0, plain(deck.model.key, AMBER), "")
    deck.close()
    sheet = decode((tmp_path / "contact-sheet.png").read_bytes())
    assert sheet.size == (12 + 4 * 108, 12 + 2 * 108)
    assert sheet.getpixel((60, 60)) == AMBER
    assert sheet.getpixel((168, 60)) == (0, 0, 0)


@pytest.mark.parametrize("name", MODELS)
def test_contact_sheet_shows_every_model_the_right_way_up(name: str) -> None:
    model = MODELS[name]
    image = encode(arrow(model.key), model.key)
    sheet = decode(contact_sheet(model, {0: image}))
    gap = max(4, model.key.width // 8)
    assert sheet.getpixel((gap + 3, gap + 3)) == pytest.approx(AMBER, abs=40)


def test_broken_picture_is_a_dark_key_on_the_sheet() -> None:
    deck = recorder(None)
    deck.write_key(0, b"no picture at all", "")
    assert decode(deck.contact_sheet()).getpixel((60, 60)) == (0, 0, 0)


def test_recording_in_memory_knows_the_current_picture_and_name() -> None:
    deck = recorder(None)
    deck.write_key(3, b"one", "slot 4, done")
    assert (deck.current(3), deck.current_name(3)) == (b"one", "slot 4, done")
    assert (deck.current(4), deck.current_name(4)) == (b"", "")
    assert deck.where == "memory"


def test_full_recording_keeps_the_current_picture_and_says_so(tmp_path: Path) -> None:
    deck = recorder(tmp_path, most=2)
    for image in (b"1", b"2", b"3", b"4"):
        deck.write_key(0, image, "")
    assert len(list((tmp_path / "frames").iterdir())) == 2
    assert deck.current(0) == b"4"
    assert [line.get("full") for line in log_of(tmp_path)] == [None, None, 2]


def test_folder_recorded_into_before_is_continued(tmp_path: Path) -> None:
    first = recorder(tmp_path)
    first.write_key(0, b"1", "")
    first.close()
    recorder(tmp_path).write_key(0, b"2", "")
    assert [line["seq"] for line in log_of(tmp_path)] == [1, 2]
    assert (tmp_path / "frames/000001-r1c1.png").read_bytes() == b"1"


def test_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot record into"):
        recorder(tmp_path / "file")


def test_disk_that_fails_stops_the_recording_not_the_deck(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deck = recorder(tmp_path)
    (tmp_path / "frames").rmdir()
    with caplog.at_level(logging.WARNING):
        deck.write_key(0, b"1", "")
        deck.write_key(0, b"2", "")
    assert deck.current(0) == b"2"
    assert [r.message.split(":")[0] for r in caplog.records] == ["recording stopped"]


def test_folder_gone_at_the_end_does_not_raise(tmp_path: Path) -> None:
    folder = tmp_path / "record"
    deck = recorder(folder)
    (folder / "frames").rmdir()
    (folder / "frames.jsonl").unlink()
    folder.rmdir()
    deck.close()
    assert not folder.exists()


def test_thumb_on_a_closed_recorder_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="not open"):
        Recorder(NEO, None).press(0)
