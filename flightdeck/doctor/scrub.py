"""What may stand in a report that others read: let in by name, never kept out by a search.

A word is shown if it is one of ours, a session by a number, a line of a log by the format
in our own source that made it, with its numbers alone filled in. Whatever is known to
neither is shown by what it is, not by what it says.

Source: README.md, "A report".
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import flightdeck

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_PACKAGE = Path(flightdeck.__file__).parent
_HEAD = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.]+): (.*)"
)
_AT = re.compile(r'\s*File ".*/flightdeck/([\w/]+\.py)", line (\d{1,5})\b.*')
_PLACE = re.compile(r"%(?:[-0-9.]*)([sdrgf])")
_LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
_MOST = 1e15
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?")


def word(value: object, known: Collection[str], what: str) -> str:
    """Return `value` if it is one of the `known` words, else what it is; "-" for nothing."""
    if value is None or value == "":
        return "-"
    return value if isinstance(value, str) and value in known else f"<{what}>"


def number(value: object) -> str:
    """Return a number as it is, and nothing else."""
    return f"{value:g}" if is_number(value) else "-"


def is_number(value: object) -> TypeGuard[float]:
    """Say whether a value is a number that can be reckoned with; JSON holds any."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < _MOST


class Pseudonyms:
    """Names for what has a name of its own: `s1`, `s2` for sessions, always the same one."""

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self._known: dict[str, str] = {}

    def of(self, name: object) -> str:
        """Return the pseudonym of `name`, "-" for nothing."""
        if not isinstance(name, str) or not name:
            return "-"
        return self._known.setdefault(name, f"{self._letter}{len(self._known) + 1}")


def log_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield what may be shown of each line of a log; a run of lines that may not is counted."""
    hidden = 0
    for line in lines:
        shown = _log_line(line)
        if shown is None:
            hidden += 1
            continue
        if hidden:
            yield f"({hidden} lines left out)"
        hidden = 0
        yield shown
    if hidden:
        yield f"({hidden} lines left out)"


def _log_line(line: str) -> str | None:
    if head := _HEAD.fullmatch(line):
        at, level, logger, message = head.groups()
        return f"{at} {level} {word(logger, _modules(), 'logger')}: {_message(message)}"
    found = _AT.fullmatch(line)
    if found and (_PACKAGE / found[1]).is_file() and ".." not in found[1]:
        return f"  at {found[1]}:{found[2]}"
    return None


def _message(text: str) -> str:
    """Return the format that made `text`, its numbers filled in; the longest one that fits."""
    for pattern, form in _formats():
        if found := pattern.fullmatch(text):
            return _filled(form, iter(found.groups()))
    return "<text>"


def _filled(form: str, values: Iterator[str]) -> str:
    return _PLACE.sub(lambda place: _value(place[1], next(values)), form)


def _value(kind: str, value: str) -> str:
    return value if kind == "d" and _NUMBER.fullmatch(value) else "<…>"


@cache
def _modules() -> frozenset[str]:
    names = (path.relative_to(_PACKAGE.parent).with_suffix("") for path in _PACKAGE.rglob("*.py"))
    return frozenset(".".join(name.parts) for name in names)


@cache
def _formats() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return every message our own source may log, and what recognises it."""
    forms = {form for path in sorted(_PACKAGE.rglob("*.py")) for form in _logged_by(path)}
    longest = sorted(forms, key=lambda form: (-len(_PLACE.sub("", form)), form))
    return tuple((_pattern(form), form) for form in longest)


def _pattern(form: str) -> re.Pattern[str]:
    texts = [re.escape(text.replace("%%", "%")) for text in _PLACE.split(form)[::2]]
    return re.compile("(.*)".join(texts), re.DOTALL)


def _logged_by(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        first = node.args[0] if node.args else None
        if node.func.attr in _LEVELS and isinstance(first, ast.Constant):
            yield str(first.value)
