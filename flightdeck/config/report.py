"""Problems for people, for programs, and for a pull request's margin.

Source: layouts/README.md, "What is wrong is told at once"; GitHub's workflow commands
(`::error …::…`).
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flightdeck.errors import Problem

SCHEMA = "flightdeck.validate/1"

_WIDEST_SOURCE = 160


def render_text(problems: Sequence[Problem], kind: Callable[[str], str] | None = None) -> str:
    """Return every problem with its place, its line and its hint, and how many there are.

    `kind` says what to call a file; without it, its name does.
    """
    blocks = [_block(problem) for problem in sorted(problems)]
    return "\n".join([*blocks, _summary(problems, kind or _kind)])


def render_json(problems: Sequence[Problem], files: Sequence[str]) -> dict[str, object]:
    """Return the versioned object of `validate --format json`; `files` were looked at."""
    return {
        "schema": SCHEMA,
        "ok": not problems,
        "files": list(files),
        "problems": [
            {
                "file": problem.location.file,
                "line": problem.location.line,
                "column": problem.location.column,
                "width": problem.width,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in sorted(problems)
        ],
    }


def render_github(problems: Sequence[Problem]) -> str:
    """Return one workflow command a problem: a note at its line in a pull request."""
    return "\n".join(_annotation(problem) for problem in sorted(problems))


def _block(problem: Problem) -> str:
    lines = [f"{_visible(str(problem.location))}: {_visible(problem.message)}"]
    if problem.source.strip() and problem.location.line:
        lines += _excerpt(problem)
    if problem.hint:
        lines.append(f"  hint: {problem.hint}")
    return "\n".join(lines)


def _excerpt(problem: Problem) -> list[str]:
    """Return the source line and carets below it; a very long line is cut around them."""
    start = problem.location.column - 1
    cut = max(0, start - _WIDEST_SOURCE // 2)
    source = _visible(problem.source)[cut : cut + _WIDEST_SOURCE]
    left = start - cut
    carets = "^" * max(1, min(problem.width, len(source) - left))
    number = f"{problem.location.line:>5}"
    return [f"{number} | {source}".rstrip(), f"{'':>5} | {' ' * left}{carets}"]


def _visible(text: str) -> str:
    """Return `text` without what a terminal would act on; tabs keep their one column."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)


def _summary(problems: Sequence[Problem], kind: Callable[[str], str]) -> str:
    files = {problem.location.file for problem in problems}
    kinds = set(map(kind, files))
    what = kinds.pop() if len(kinds) == 1 else "file"
    return f"{_counted(len(problems), 'problem')} in {_counted(len(files), what)}"


def _kind(file: str) -> str:
    if file.endswith("local.yaml"):
        return "file"
    if file.endswith(".j2"):
        return "template"
    if not file.endswith(".md"):
        return "layout"
    return "fragment" if PurePath(file).name.startswith("_") else "verb"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _annotation(problem: Problem) -> str:
    place, end = problem.location, problem.location.column + problem.width
    where = [f"file={_property(place.file)}"]
    if place.line:
        where += [f"line={place.line}", f"col={place.column or 1}", f"endColumn={end}"]
    where.append(f"title={_property(problem.message)}")
    body = f"{problem.message}\nhint: {problem.hint}" if problem.hint else problem.message
    return f"::error {','.join(where)}::{_data(body)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
