"""A schema printed, or written for editors; never over a file of somebody else's.

Source: layouts/README.md, "In your editor".
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.config.schema import FILES, VERB, editor_line, file_name, is_ours, schema_of
from flightdeck.errors import Refused, Unavailable
from flightdeck.store import files

if TYPE_CHECKING:
    from pathlib import Path

_MODE = 0o644


def schema_for_editors(kind: str, out: Path | None) -> Result:
    """Print the schema, or write it to a file that is not there or holds an older one.

    Raises:
        Refused: something else is in that file.
        Unavailable: it cannot be written.
    """
    if out is None:
        return Result(data=schema_of(kind))
    if not may_be_written(out, kind):
        raise Refused(f"'{out}' holds something else", "name another file")
    write_schema(out, kind)
    return Result((f"{out} is the schema of {FILES[kind]}",), _how_to_name(kind, out))


def may_be_written(path: Path, kind: str) -> bool:
    """Say whether nothing is at `path`, or a schema of that kind of file."""
    if not os.path.lexists(path):
        return True
    try:
        return is_ours(path.read_text(encoding="utf-8"), kind)
    except (OSError, ValueError):
        return False


def write_schema(path: Path, kind: str) -> None:
    """Write the schema of a kind of file to `path`, for anybody to read.

    Raises:
        Unavailable: it cannot be written.
    """
    text = json.dumps(schema_of(kind), ensure_ascii=False, indent=2) + "\n"
    try:
        files.replace(path, text.encode(), mode=_MODE)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> Unavailable:
    """Return what to tell whoever wanted a file at `path`."""
    return Unavailable(f"cannot write '{path}': {error.strerror}", "name a file you may write")


def _how_to_name(kind: str, out: Path) -> tuple[str, ...]:
    """Return the line that names the schema to an editor, in a file beside it."""
    if kind == VERB:  # no editor looks into markdown for it
        return ()
    line = editor_line(kind).replace(file_name(kind), out.name)
    return (f"the first line of a file beside it: {line}",)
