"""`~/.fleet/local.yaml`: what belongs to one machine and to no layout in git.

Source: layouts/README.md, "This machine's own: local.yaml"; README.md, "Renderers".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.config.bindings import parse_target, word_of_target
from flightdeck.config.document import read_document
from flightdeck.config.nodes import Document, Entry, Mapping, Scalar
from flightdeck.config.reader import Reader, quoted
from flightdeck.config.values import BadValue, count, size, whole
from flightdeck.errors import ConfigError
from flightdeck.model.local import Journal, Local, Pin

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

KEYS = ("pins", "renderers", "journal")
PIN_KEYS = ("bind", "label")
PIN_NEEDS = ("bind",)
JOURNAL_KEYS = ("size", "keep")
OFF, FILES = "off", "files"
_SMALLEST, _LARGEST = 10_000, 1_000_000_000


def load_local(folder: StateFolder) -> Local:
    """Return what this machine says of itself; a missing or empty file says nothing.

    Raises:
        ConfigError: every problem of the file.
    """
    # A link to nowhere is its owner's to mend: what it was to say is not to be forgotten.
    there = os.path.lexists(folder.local)
    return read_local(folder.local, str(folder.local)) if there else Local()


def read_local(path: Path, file: str) -> Local:
    """Return what the local file at `path` says; `file` is what problems call it.

    Raises:
        ConfigError: every problem of the file.
    """
    return compile_local(read_document(path, file))


def compile_local(document: Document) -> Local:
    """Return what `document` says.

    Raises:
        ConfigError: every problem of it.
    """
    if document.root is None:
        return Local()
    reader = Reader(document)
    fields = reader.sections(document.root, KEYS)
    local = Local(
        pins=_pins(reader, fields["pins"]) if "pins" in fields else {},
        renderers=_renderers(reader, fields["renderers"]) if "renderers" in fields else (),
        journal=_journal(reader, fields["journal"]) if "journal" in fields else Journal(),
    )
    if reader.problems:
        raise ConfigError(reader.problems)
    return local


def _pins(reader: Reader, entry: Entry) -> dict[int, Pin]:
    pins: dict[int, Pin] = {}
    seen: dict[int, Scalar] = {}
    for one in reader.entries(entry.key, entry.value):
        slot = whole(one.key.text)
        if slot is None:
            reader.report(one.key, f"{quoted(one.key.text)} is no slot", "slots count from 0")
        elif slot in seen:
            reader.repeated(one.key, seen[slot], f"slot {slot} is pinned twice")
        else:
            seen[slot] = one.key
            pin = _pin(reader, one)
            if pin is not None:
                pins[slot] = pin
    return pins


def _pin(reader: Reader, entry: Entry) -> Pin | None:
    fields: dict[str, Entry] = {"bind": entry}
    if isinstance(entry.value, Mapping):
        fields = reader.fields(entry.key, entry.value, PIN_KEYS, PIN_NEEDS)
    label = None
    if "label" in fields:
        label = reader.text(fields["label"].key, fields["label"].value)
    target = reader.parsed(fields["bind"], parse_target) if "bind" in fields else None
    return Pin(target, label or word_of_target(target)) if target else None


def _renderers(reader: Reader, entry: Entry) -> tuple[str, ...]:
    items = reader.items(entry.key, entry.value)
    paths = (reader.parsed_text(entry.key, item, _absolute) for item in items)
    return tuple(path for path in paths if path is not None)


def _absolute(text: str) -> str:
    if not text.startswith("/"):
        raise BadValue(f"renderer {quoted(text)} is no absolute path", "start it with '/'")
    return text


def _journal(reader: Reader, entry: Entry) -> Journal | None:
    if isinstance(entry.value, Scalar) and entry.value.text == OFF:
        return None
    if isinstance(entry.value, Scalar) and entry.value.text:
        hint = "write `journal: off`, or `size:` and `keep:` below it"
        reader.report(entry.value, f"journal {quoted(entry.value.text)}", hint)
        return None
    fields = reader.fields(entry.key, entry.value, JOURNAL_KEYS)
    told = Journal()
    bytes_ = files = None
    if "size" in fields:
        bytes_ = reader.parsed(fields["size"], size("size", _SMALLEST, _LARGEST))
    if "keep" in fields:
        files = reader.parsed(fields["keep"], count("keep", FILES, 1, 99))
    return Journal(bytes_ or told.size_bytes, files or told.files)
