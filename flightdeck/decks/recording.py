"""Every picture a deck was shown, kept in a folder: frames, their log, a contact sheet.

    frames/000001-r1c3.png   the bytes as the deck got them
    frames.jsonl             one line a frame: seq, time, row, column, name
    contact-sheet.png        the deck as it stood at the end

A frame's line is written after its picture is whole, so the log never names half a
file. Knows no deck; a disk that fills stops the recording, never the panel.
"""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING

from PIL import Image

from flightdeck.errors import Unavailable
from flightdeck.model.deck import Codec
from flightdeck.store import files
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from flightdeck.model.deck import DeckModel, KeyFormat

# Some 200 MB of XL faces, and a day of a busy fleet: a forgotten recording ends there.
MOST_FRAMES = 20_000

_SUFFIX = {Codec.PNG: "png", Codec.JPEG: "jpg", Codec.BMP: "bmp"}
_DESK = (11, 12, 14)
_log = logging.getLogger(__name__)


class Recording:
    """Frames of one deck in one folder; a folder recorded into before is continued."""

    def __init__(self, model: DeckModel, folder: Path, most: int = MOST_FRAMES) -> None:
        self._model = model
        self._folder = folder
        self._log = folder / "frames.jsonl"
        self._most = most
        self._seq = 0
        self._running = False

    def start(self) -> None:
        """Make the folder and begin, or go on, with the log.

        Raises:
            Unavailable: the folder cannot be written.
        """
        try:
            (self._folder / "frames").mkdir(mode=0o700, parents=True, exist_ok=True)
            # The words of an armed REMEMBER are in it: a rule, which may be a whole command.
            self._log.touch(mode=0o600)
            with self._log.open("ab+") as lines:
                lines.seek(0)
                self._seq = sum(1 for _ in lines)
        except OSError as error:
            reason = f"cannot record into '{self._folder}': {error.strerror}"
            raise Unavailable(reason, "give --record a folder you may write") from error
        self._running = True

    def keep(self, index: int, image: bytes, name: str) -> None:
        """Keep one picture; never raises for the disk's sake."""
        if not self._running:
            return
        try:
            self._write(index, image, name)
        except OSError as error:
            _log.warning("recording stopped: %s", error)
            self._running = False

    def finish(self, current: Mapping[int, bytes]) -> None:
        """Stop, and draw the contact sheet of the `current` pictures; never raises."""
        self._running = False
        try:
            sheet = contact_sheet(self._model, current)
            files.replace(self._folder / "contact-sheet.png", sheet)
        except OSError as error:
            _log.warning("no contact sheet: %s", error)

    def _write(self, index: int, image: bytes, name: str) -> None:
        if self._seq >= self._most:
            self._say({"seq": self._seq + 1, "time": clock.now(), "full": self._most})
            _log.warning("recording is full at %d frames, later ones are not kept", self._most)
            self._running = False
            return
        self._seq += 1
        at = self._model.grid.position(index)
        suffix = _SUFFIX[self._model.key.codec]
        picture = f"{self._seq:06}-r{at.row}c{at.column}.{suffix}"
        (self._folder / "frames" / picture).write_bytes(image)
        self._say(
            {
                "seq": self._seq,
                "time": clock.now(),
                "row": at.row,
                "column": at.column,
                "name": name,
            }
        )

    def _say(self, line: Mapping[str, object]) -> None:
        with self._log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


def contact_sheet(model: DeckModel, current: Mapping[int, bytes]) -> bytes:
    """Return a PNG of the deck with these pictures on its keys, the way a person sees them."""
    key, grid = model.key, model.grid
    gap = max(4, key.width // 8)
    size = (gap + grid.columns * (key.width + gap), gap + grid.rows * (key.height + gap))
    sheet = Image.new("RGB", size, _DESK)
    for index in range(grid.keys):
        row, column = divmod(index, grid.columns)
        place = (gap + column * (key.width + gap), gap + row * (key.height + gap))
        sheet.paste(_upright(current.get(index, b""), key), place)
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _upright(image: bytes, key: KeyFormat) -> Image.Image:
    """Return the picture with the device's turns undone; what cannot be read is a dark key."""
    blank = Image.new("RGB", (key.width, key.height))
    if not image:
        return blank
    try:
        picture = Image.open(io.BytesIO(image)).convert("RGB")
    except (OSError, SyntaxError, ValueError):  # Pillow has all three for a broken picture
        return blank
    if key.flip_vertical:
        picture = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    if key.flip_horizontal:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return picture.rotate(-key.rotation).resize((key.width, key.height))
