"""Our hooks in Claude Code's settings file on disk: installed, or taken out without a trace.

Source: templates/hooks/README.md; the rules on the text itself are in `settings`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Location, Refused
from flightdeck.install import folders, settings
from flightdeck.install.document import read
from flightdeck.install.jsontext import position
from flightdeck.install.record import Record, Records, digest
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from flightdeck.install.target import Change, Target


def plan_install(target: Target, wanted: Mapping[str, str]) -> Change:
    """Return what `install` would do.

    Raises:
        FlightdeckError: the file cannot be read, or is not what a settings file should be.
    """
    target.refuse_dangling()
    return target.plan(lambda before: _installed(before, wanted, target.file))


def plan_remove(target: Target, records: Records) -> Change:
    """Return what `remove` would do.

    Raises:
        FlightdeckError: as `plan_install` does.
    """
    record = records.load(target)
    return target.plan(lambda before: _removed(before, record, target.file))


def install(
    target: Target, wanted: Mapping[str, str], records: Records, former: Iterable[Records] = ()
) -> Change:
    """Put the commands of `wanted` into the file, and remember how it was without them.

    `former` are the records of other state folders our hooks went to so far.

    Raises:
        FlightdeckError: nothing was changed; the message says why.
    """
    with _said_plainly(records):
        for others in former:
            records.take_over(others, target)
    known = records.load(target)
    missing = target.missing()

    def prepare(change: Change) -> None:
        _back_up(target, change, known, records)
        if change.before == _removed(change.before, known, target.file):
            records.keep_original(target)
        records.save(_record(target, change, known, missing))

    with _said_plainly(records):
        sweep(target, records)
        try:
            return target.rewrite(lambda before: _installed(before, wanted, target.file), prepare)
        except (FlightdeckError, OSError):
            folders.take_out(map(str, missing))
            _forget_try(target, records, known)
            raise


def remove(target: Target, records: Records) -> Change:
    """Take every command of ours out of the file, and what `install` made beside it.

    Raises:
        FlightdeckError: nothing was changed; the message says why.
    """
    record = records.load(target)

    def prepare(change: Change) -> None:
        _back_up(target, change, record, records)

    with _said_plainly(records):
        change = target.rewrite(lambda before: _removed(before, record, target.file), prepare)
    settle(target, records)
    return change


def settle(target: Target, records: Records) -> None:
    """Leave nothing beside a file that holds none of our commands; harmless to repeat.

    Raises:
        FlightdeckError: something of ours is left and cannot be taken out.
    """
    sweep(target, records)
    record = records.load(target)
    try:
        content = target.content()
        clean = _removed(content, record, target.file) == content
    except FlightdeckError:  # whoever reads the file tells of it
        return
    with _said_plainly(records):
        if clean:
            records.bring_back(target)
            folders.take_out(record.made if record else ())
            records.forget(target)


def sweep(target: Target, records: Records) -> None:
    """Take out what a killed run left half-written.

    Raises:
        FlightdeckError: it is there and cannot be removed.
    """
    with _said_plainly(records):
        target.sweep()
        records.sweep()


def text_of(content: bytes | None, file: Path) -> str:
    """Return the text of a settings file; no file is no text.

    Raises:
        Refused: it is not UTF-8.
    """
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        where = Location(str(file), *position(before, len(before)))
        raise Refused(f"{where}: not UTF-8", "save the file as UTF-8") from error


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
    return record is not None and digest(content) in {record.written, record.earlier}


def _record(
    target: Target, change: Change, known: Record | None, missing: Iterable[Path]
) -> Record:
    before = change.before
    original = _removed(before, known, target.file)
    text = None if original is None else original.decode()
    made = (*(known.made if known else ()), *map(str, missing))
    return Record(
        file=str(target.file),
        before=text,
        written=digest(change.after or b""),
        earlier=digest(before) if before and _is_untouched(before, known) else "",
        containers=tuple(sorted(read(text or "", str(target.file)).containers())),
        made=tuple(dict.fromkeys(made)),
        at=clock.now(),
    )


def _back_up(target: Target, change: Change, known: Record | None, records: Records) -> None:
    """Keep what is about to be changed, but for what we wrote ourselves: nobody will miss that."""
    if change.before is not None and not _is_untouched(change.before, known):
        records.keep(target, change.before, clock.now())


def _forget_try(target: Target, records: Records, known: Record | None) -> None:
    """Know again what was known before an install that came to nothing."""
    with contextlib.suppress(OSError):  # on a full disk what is kept says both, too
        if known:
            records.save(known)
        else:
            records.bring_back(target)
            records.forget(target)


@contextlib.contextmanager
def _said_plainly(records: Records) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FlightdeckError(f"cannot write into {records.folder}: {error.strerror}") from error
