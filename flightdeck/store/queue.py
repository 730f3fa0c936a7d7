"""`queue/`: verbs that wait for their session, one at most for each, taken by exactly one.

Each is linked into place, so that it is there whole or not at all and never replaces another.
Whoever takes one renames it first, to a name with a dot, and the rename picks one of all
who try. What is found with a dot was being written or taken by somebody who was killed:
it is never delivered, and swept. `<token>.md` is the prompt a typed line names.

Source: verbs/README.md, "How a verb gets there"; templates/hooks/drain.sh.j2.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Refused, Unavailable
from flightdeck.store import files
from flightdeck.store.queued import NAME, Taken, is_printed, name_of, read, written
from flightdeck.system import clock

if TYPE_CHECKING:
    from flightdeck.model.staged import Staged
    from flightdeck.store.paths import StateFolder

__all__ = [
    "Queue",
    "Taken",
    "discard",
    "give_back",
    "name_of",
    "prompt_file",
    "put",
    "remove_prompt",
    "standing",
    "sweep",
    "take",
    "withdraw",
    "write_prompt",
]

_SWEPT = re.compile(r"\..+|([0-9a-f]{16})\.md")
# Writing and taking one are a matter of milliseconds.
_LEFT_S = 60.0
# Two changes of a folder this close may leave it the same time.
_BLURRED_S = 2.0
_TRIES = 3
# What link(2) says where there are no hard links: FAT, many network and shared folders.
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def put(folder: StateFolder, staged: Staged, line: str, prompt: str) -> None:
    """Put a verb into the queue; `line` is what the Stop hook prints, one object of JSON.

    Raises:
        Refused: one waits already, or nothing is known of the session's id.
        Unavailable: it cannot be written; nothing is left of it.
    """
    if not is_printed(line):
        raise ValueError("the hook prints one line of JSON, and that is an object")
    name = name_of(staged.session_id, staged.pid)
    if not name:
        raise Refused("no id yet", "a hook tells it: send the session a prompt, then the verb")
    try:
        folder.queue.mkdir(mode=0o700, parents=True, exist_ok=True)
        whole = written(folder.queue, Taken(staged, line, prompt))
    except OSError as error:
        raise folder.unusable(error) from error
    try:
        _link(folder, whole, folder.queue / name)
    finally:
        with contextlib.suppress(OSError):
            whole.unlink()


def standing(folder: StateFolder) -> tuple[Staged, ...]:
    """Return the verbs that wait, in the order they were staged; never raises.

    What cannot be read, or is not what `put` writes, is none.
    """
    return Queue(folder).standing()


class Queue:
    """Remembers what waits for as long as the folder and its files stay the same."""

    def __init__(self, folder: StateFolder) -> None:
        self._path = os.fspath(folder.queue)
        self._stamp: object = None
        self._files: dict[str, tuple[object, Staged | None]] = {}
        self._standing: tuple[Staged, ...] = ()

    def standing(self) -> tuple[Staged, ...]:
        """Return what `standing` would, with one look at the folder if nothing has changed."""
        stamp = self._look()
        if stamp is None or stamp != self._stamp:
            self._scan()
            self._stamp = stamp
        return self._standing

    def _look(self) -> object:
        """Return what changes with the folder, None while it cannot be relied upon."""
        try:
            now = os.stat(self._path)  # noqa: PTH116 - asked at every pass
        except OSError:
            return None
        settled = clock.now() - now.st_mtime > _BLURRED_S
        return (now.st_ino, now.st_mtime_ns) if settled else None

    def _scan(self) -> None:
        known, self._files = self._files, {}
        try:
            with os.scandir(self._path) as entries:
                for entry in entries:
                    if NAME.fullmatch(entry.name):
                        self._files[entry.name] = _entry(entry, known.get(entry.name))
        except OSError:
            self._files = {}
        found = [staged for _, staged in self._files.values() if staged]
        self._standing = tuple(sorted(found, key=lambda staged: (staged.at, staged.token)))


def take(folder: StateFolder, staged: Staged, now: float) -> Taken | None:
    """Take exactly this verb out of the queue, to deliver it; `now` in epoch seconds.

    None if somebody was quicker, or it has expired, which takes it out as well.

    Raises:
        Unavailable: it cannot be taken; it may still be there.
    """
    taken = _claimed(folder, staged)
    return None if taken is None or taken.staged.expired(now) else taken


def give_back(folder: StateFolder, taken: Taken) -> bool:
    """Put back a verb of which nothing has been delivered; say whether its place was free.

    Raises:
        Unavailable: it cannot be written; it is lost.
    """
    try:
        put(folder, taken.staged, taken.line, taken.prompt)
    except Refused:
        return False
    return True


def withdraw(folder: StateFolder, staged: Staged) -> bool:
    """Take exactly this verb out of the queue; False if somebody was quicker.

    Raises:
        Unavailable: it cannot be taken; it may still be there.
    """
    return _claimed(folder, staged) is not None


def discard(folder: StateFolder, staged: Staged) -> None:
    """Take this verb out of the queue if it is there; never raises."""
    with contextlib.suppress(Unavailable):
        _claimed(folder, staged)


def prompt_file(folder: StateFolder, token: str) -> Path:
    """Return where the prompt lies that a typed line names."""
    return folder.queue / f"{token}.md"


def write_prompt(folder: StateFolder, token: str, prompt: str) -> Path:
    """Write the prompt a typed line is going to name, and return where.

    Raises:
        Unavailable: it cannot be written.
    """
    path = prompt_file(folder, token)
    try:
        files.replace(path, prompt.encode("utf-8", "replace"))
    except OSError as error:
        raise folder.unusable(error) from error
    return path


def remove_prompt(folder: StateFolder, token: str) -> None:
    """Take the prompt of a typed line away; never raises, and is harmless if there is none."""
    with contextlib.suppress(OSError):
        prompt_file(folder, token).unlink()


def sweep(folder: StateFolder, now: float, keep: frozenset[str]) -> None:
    """Clear away what was left by processes that were killed; never raises.

    `now` is in epoch seconds, `keep` are the tokens whose prompts somebody still waits for.
    """
    with contextlib.suppress(OSError), os.scandir(folder.queue) as entries:
        for entry in entries:
            found = _SWEPT.fullmatch(entry.name)
            if found and found[1] not in keep:
                with contextlib.suppress(OSError):
                    _swept(entry, now)


def _swept(entry: os.DirEntry[str], now: float) -> None:
    info = entry.stat(follow_symlinks=False)
    # Renaming and linking set this time; the other one says when a verb expires.
    if stat.S_ISREG(info.st_mode) and now - info.st_ctime > _LEFT_S:
        Path(entry.path).unlink()


def _link(folder: StateFolder, whole: Path, path: Path) -> None:
    for _ in range(_TRIES):
        try:
            path.hardlink_to(whole)
        except FileExistsError:
            if waiting := read(path):
                raise Refused(f"{waiting.staged.verb} queued") from None
            if os.path.lexists(path):
                raise Unavailable(
                    f"'{path}' is in the way, and no verb", "look into it, then remove it"
                ) from None
        except OSError as error:
            raise _unlinked(folder, error) from error
        else:
            return
    raise Unavailable("the queue changes too fast", "press again")


def _unlinked(folder: StateFolder, error: OSError) -> Unavailable:
    """Return what to tell of a link that was not made; some file systems know none."""
    if error.errno not in _NO_LINKS:
        return folder.unusable(error)
    return Unavailable(
        f"no verb can wait in '{folder.root}': its file system makes no hard links",
        "set FLEET_HOME to a folder on another disk, then `flightdeck apply`",
    )


def _claimed(folder: StateFolder, staged: Staged) -> Taken | None:
    """Return this verb, taken out, None if it is not there any more."""
    name = name_of(staged.session_id, staged.pid)
    path = folder.queue / name
    # Looked at first: what is taken by mistake is missing from the queue for a moment.
    if not _is(read(path), staged):
        return None
    claim = path.with_name(f".{name}.{secrets.token_hex(8)}")
    try:
        path.rename(claim)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise folder.unusable(error) from error
    taken = read(claim, name)
    if not _is(taken, staged):
        with contextlib.suppress(OSError):
            path.hardlink_to(claim)
        taken = None
    with contextlib.suppress(OSError):
        claim.unlink()
    return taken


def _is(taken: Taken | None, staged: Staged) -> bool:
    return taken is not None and taken.staged.token == staged.token


def _entry(
    entry: os.DirEntry[str], known: tuple[object, Staged | None] | None
) -> tuple[object, Staged | None]:
    """Return the stamp of a file and what it holds, read only if it is not the `known` one."""
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError:
        return None, None
    stamp = (info.st_ino, info.st_mtime_ns, info.st_ctime_ns, info.st_size)
    if known and known[0] == stamp:
        return known
    taken = read(Path(entry.path))
    return stamp, taken.staged if taken else None
