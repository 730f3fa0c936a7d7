"""How one verb lies in the queue: a file of two lines, read as warily as any other.

`<session id>.<pid>`: its first line is what the agent's Stop hook prints, its second what
we know of it. Its modification time is when it expires: that is how a shell can tell
without a clock. Knows nothing of who puts it there and who takes it.

Source: templates/hooks/drain.sh.j2, which reads the first line.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from flightdeck.model.staged import Staged
from flightdeck.store import files
from flightdeck.store.names import is_file_name
from flightdeck.system import clock

# The modification time of what does not expire: ten years ahead, which every file system takes.
_NEVER_S = 10 * 365 * 86_400
NAME = re.compile(r"([0-9A-Za-z_].*)\.([1-9][0-9]{0,9})")
TOKEN = re.compile(r"[0-9a-f]{16}")
_VERB_CHARS = 100
# A prompt has at most 8 KiB, and stands there twice as JSON; a longer file is cut, and not whole.
_LARGEST = 256 * 1024
_LATEST_S = 1e12


@dataclass(frozen=True, slots=True)
class Taken:
    """A verb, what the Stop hook prints for it, and the prompt it stands for.

    Whoever was given one by `queue.take` delivers it, or nobody does.
    """

    staged: Staged
    line: str
    prompt: str


def name_of(session_id: str, pid: int) -> str:
    """Return what a verb for this session is called, "" where it can have no name."""
    name = f"{session_id}.{pid}"
    return name if is_file_name(session_id) and NAME.fullmatch(name) else ""


def is_printed(line: str) -> bool:
    """Say whether the hook prints this: what does not end as it begins was cut short."""
    return line.startswith("{") and line.endswith("}") and "\n" not in line


def written(folder: Path, one: Taken) -> Path:
    """Return a file in `folder` with all of it, on disk, under a name nobody delivers.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    staged = one.staged
    about = {"verb": staged.verb, "token": staged.token, "at": staged.at, "until": staged.until}
    data = f"{one.line}\n{json.dumps({**about, 'prompt': one.prompt})}\n".encode()
    until = staged.until or clock.now() + _NEVER_S
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.utime(handle, (until, until))
            os.fsync(handle)  # what is linked is whole, after a power cut too
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - it is a name already
        raise
    return Path(name)


def read(path: Path, name: str = "") -> Taken | None:
    """Return what lies there, None if it is not what `written` writes.

    `name` is what it is called while it waits, if that is not its name now. Never raises
    and never waits.
    """
    owner = NAME.fullmatch(name or path.name)
    try:
        if not owner or not stat.S_ISREG(path.lstat().st_mode):
            return None
        line, about, rest = files.read(path, _LARGEST).decode().split("\n")
        known = json.loads(about)
    except (OSError, ValueError, RecursionError):
        return None
    if rest or not is_printed(line) or not isinstance(known, dict):
        return None
    return _parsed(line, known, owner[1], int(owner[2]))


def _parsed(line: str, known: dict[str, object], session_id: str, pid: int) -> Taken | None:
    verb, token, prompt = (known.get(key) for key in ("verb", "token", "prompt"))
    at, until = _seconds(known.get("at")), _seconds(known.get("until"))
    if not (isinstance(verb, str) and isinstance(token, str) and isinstance(prompt, str)):
        return None
    if at is None or until is None or not TOKEN.fullmatch(token):
        return None
    if not 0 < len(verb) <= _VERB_CHARS or not is_file_name(session_id):
        return None
    return Taken(Staged(verb, token, session_id, pid, at, until), line, prompt)


def _seconds(value: object) -> float | None:
    if isinstance(value, int | float) and 0 <= value < _LATEST_S:
        return float(value)
    return None
