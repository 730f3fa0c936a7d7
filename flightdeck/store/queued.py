"""How one verb lies in the queue: a file of three lines, read as warily as any other.

`<session id>.<pid>`: its first line is what the agent's Stop hook prints, its second the token
that hook tells, its third what we know of it. Its modification time is when it expires: that is
how a shell can tell without a clock. Knows nothing of who puts it there and who takes it.

Source: templates/hooks/drain.sh.j2, which reads the first two lines.
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
    about = {"verb": staged.verb, "at": staged.at, "until": staged.until, "prompt": one.prompt}
    data = f"{one.line}\n{staged.token}\n{json.dumps(about)}\n".encode()
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
        line, token, about, rest = files.read(path, _LARGEST).decode().split("\n")
        known = json.loads(about)
    except (OSError, ValueError, RecursionError):
        return None
    if rest or not is_printed(line) or not TOKEN.fullmatch(token) or not isinstance(known, dict):
        return None
    staged = _staged(known, token, owner[1], int(owner[2]))
    prompt = known.get("prompt")
    return Taken(staged, line, prompt) if staged and isinstance(prompt, str) else None


def _staged(known: dict[str, object], token: str, session_id: str, pid: int) -> Staged | None:
    verb, at, until = known.get("verb"), _seconds(known.get("at")), _seconds(known.get("until"))
    if not isinstance(verb, str) or not 0 < len(verb) <= _VERB_CHARS:
        return None
    if at is None or until is None or not is_file_name(session_id):
        return None
    return Staged(verb, token, session_id, pid, at, until)


def _seconds(value: object) -> float | None:
    if isinstance(value, int | float) and 0 <= value < _LATEST_S:
        return float(value)
    return None
