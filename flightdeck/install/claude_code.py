"""Our hooks in Claude Code's settings file on disk: installed, or taken out without a trace.

Source: templates/hooks/README.md; the rules on the text itself are in `settings`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Location, Refused
from flightdeck.install import settings
from flightdeck.install.document import read
from flightdeck.install.jsontext import position
from flightdeck.install.record import Record, Records, digest
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from flightdeck.install.target import Change, Target


def plan_install(target: Target, wanted: Mapping[str, str]) -> Change:
    """Return what `install` would do.

    Raises:
        FlightdeckError: the file cannot be read, or is not what a settings file should be.
    """
    return target.plan(lambda before: _installed(before, wanted, target.file))


def plan_remove(target: Target, records: Records) -> Change:
    """Return what `remove` would do.

    Raises:
        FlightdeckError: as `plan_install` does.
    """
    record = records.load(target)
    return target.plan(lambda before: _removed(before, record, target.file))


def install(target: Target, wanted: Mapping[str, str], records: Records) -> Change:
    """Put the commands of `wanted` into the file, and remember how it was without them.

    Raises:
        FlightdeckError: nothing was changed; the message says why.
    """
    known = records.load(target)
    made_folder = known.made_folder if known else not target.folder.exists()

    def prepare(change: Change) -> None:
        if change.before is not None:
            records.keep(target, change.before, clock.now())
        records.save(_record(target, change, known, made_folder=made_folder))

    with _said_plainly(records):
        try:
            return target.rewrite(lambda before: _installed(before, wanted, target.file), prepare)
        except FlightdeckError:
            records.put_back(target, known)
            raise


def remove(target: Target, records: Records) -> Change:
    """Take every command of ours out of the file, and what `install` made beside it.

    Raises:
        FlightdeckError: nothing was changed; the message says why.
    """
    record = records.load(target)

    def prepare(change: Change) -> None:
        # What we wrote ourselves nobody will miss.
        if change.before is not None and not _is_untouched(change.before, record):
            records.keep(target, change.before, clock.now())

    with _said_plainly(records):
        change = target.rewrite(lambda before: _removed(before, record, target.file), prepare)
        if record and record.made_folder:
            with contextlib.suppress(OSError):  # the client may have put things there since
                target.folder.rmdir()
        records.forget(target)
    return change


def text_of(content: bytes | None, file: Path) -> str:
    """Return the text of a settings file; no file is no text.

    Raises:
        Refused: it is not UTF-8, or starts with a byte order mark, which is not JSON.
    """
    try:
        text = (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        where = Location(str(file), *position(before, len(before)))
        raise Refused(f"{where}: not UTF-8", "save the file as UTF-8") from error
    if text.startswith("\ufeff"):
        where = Location(str(file), 1, 1)
        raise Refused(
            f"{where}: not strict JSON: a byte order mark", "save it as UTF-8 without BOM"
        )
    return text


def _installed(before: bytes | None, wanted: Mapping[str, str], file: Path) -> bytes:
    return settings.merge(text_of(before, file), wanted, str(file)).encode()


def _removed(before: bytes | None, record: Record | None, file: Path) -> bytes | None:
    if before is None:
        return None
    if record and _is_untouched(before, record):
        return None if record.before is None else record.before.encode()
    text = text_of(before, file)
    rest = settings.strip(text, str(file), record.containers if record else ())
    ours_alone = record is not None and record.before is None and rest != text
    if ours_alone and not read(rest, str(file)).root.items:
        return None
    return rest.encode()


def _is_untouched(content: bytes, record: Record | None) -> bool:
    """Say whether nobody has written the file since we did."""
    return record is not None and digest(content) == record.written


def _record(target: Target, change: Change, known: Record | None, *, made_folder: bool) -> Record:
    original = _removed(change.before, known, target.file)
    text = None if original is None else original.decode()
    return Record(
        file=str(target.file),
        before=text,
        written=digest(change.after or b""),
        containers=tuple(sorted(read(text or "", str(target.file)).containers())),
        made_folder=made_folder,
        at=clock.now(),
    )


@contextlib.contextmanager
def _said_plainly(records: Records) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FlightdeckError(f"cannot write into {records.folder}: {error.strerror}") from error
