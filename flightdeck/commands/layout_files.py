"""The file `flightdeck layout new` writes: a layout to start from, with the schema beside it.

It is never laid over a file that is there.

Source: layouts/README.md, "Standing on another layout" and "In your editor".
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.commands.schema_files import may_be_written, unwritable, write_schema
from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.resolving import DEFAULT, is_path, resolved
from flightdeck.config.schema import LAYOUT, file_name
from flightdeck.config.starting import start_alone, start_extending, with_example
from flightdeck.config.text import shown
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError, Refused
from flightdeck.model.decks import MODELS

if TYPE_CHECKING:
    import argparse

    from flightdeck.config.nodes import Document
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.layout import Layout
    from flightdeck.store.paths import StateFolder

_SCHEMA = file_name(LAYOUT)


def new_layout(arguments: argparse.Namespace, folder: StateFolder) -> Result:
    """Print or write the smallest layout that works.

    Raises:
        ConfigError: the layout it would stand on has problems.
        Refused: there is a file already, or that layout does not fit the deck.
        Unavailable: it cannot be written.
    """
    out: Path | None = arguments.out
    if out is not None and os.path.lexists(out):
        raise Refused(f"'{out}' is there already", "name another file, or edit that one")
    model = MODELS[arguments.model] if arguments.model else None
    text = _Start(out or Path("layout.yaml"), folder).text(arguments.parent, model)
    if out is None:
        note = f"the schema it names is printed by `flightdeck layout schema --out {_SCHEMA}`"
        return Result((text.rstrip("\n"),), (note,))
    _write_new(out, text)
    return Result((f"{out} is a layout of your own; {_beside(out.parent / _SCHEMA)}",))


class _Start:
    """The text of a layout that is to lie at a path; it is compiled before anybody gets it."""

    def __init__(self, path: Path, folder: StateFolder) -> None:
        self._path = path
        self._folder = folder

    def text(self, parent: str | None, model: DeckModel | None) -> str:
        """Return a layout on `parent`, by default on xl where that fits the deck."""
        try:
            return self._extending(parent or DEFAULT, model)
        except Refused:
            if parent is not None or model is None:
                raise
            return start_alone(model)

    def _extending(self, parent: str, model: DeckModel | None) -> str:
        named = self._seen_from_here(parent)
        layout, document = self._compiled(start_extending(named))
        device = model.name if model and model.name != layout.device else ""
        text = start_extending(named, device)
        try:
            layout, document = self._compiled(text)
        except ConfigError as error:
            told = f"layout '{parent}' is for a {MODELS[layout.device].title}, not for {device}"
            raise Refused(told, "leave out --from, or name a layout that fits") from error
        return with_example(text, layout, document)

    def _seen_from_here(self, parent: str) -> str:
        """Return how the file names its parent: by name, or by a path that starts at its own."""
        if not is_path(parent):
            return parent
        path = os.path.relpath(parent, self._path.parent)
        return path if "/" in path else f"./{path}"

    def _compiled(self, text: str) -> tuple[Layout, Document]:
        document = parse_document(text, shown(self._path))
        whole = resolved(self._path, document, self._folder)
        return compile_layout(self._path.stem, whole, load_verbs(self._folder)), whole


def _write_new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise Refused(f"'{path}' is there already", "name another file") from error
    except OSError as error:
        raise unwritable(path, error) from error


def _beside(path: Path) -> str:
    """Write the schema beside a layout, and say what came of it."""
    if not may_be_written(path, LAYOUT):
        return f"'{path}' holds something else, so editors have no schema"
    write_schema(path, LAYOUT)
    return f"editors find its schema in {path}"
