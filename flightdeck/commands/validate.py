"""Check layouts, verbs, risk rules, templates and local.yaml, and tell every problem at once.

Without PATH: the shipped layouts, verbs and rules, your own in ~/.fleet/layouts,
~/.fleet/verbs, ~/.fleet/risk and ~/.fleet/templates, and ~/.fleet/local.yaml. A prompt is
checked with the fragments it would be sent with; the examples of every rule are run; faces
are drawn, hooks are run in a folder of their own. Exits 0 when there is no problem, 1 when
there is.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.commands.result import Exit, Result, Say
from flightdeck.commands.validate_templates import problems_of, templates_in
from flightdeck.config.fragments import (
    MARK,
    fragment_files,
    load_fragments,
    places_for,
    read_fragment,
)
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import read_local
from flightdeck.config.report import render_github, render_json, render_text
from flightdeck.config.text import shown
from flightdeck.config.verbs import load_verbs, read_verb, verb_files
from flightdeck.errors import ConfigError, FlightdeckError, Location, Problem
from flightdeck.fold import rulecheck
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from flightdeck.config.verbs import Verbs

EXAMPLES = """\
examples:
  flightdeck validate                          everything this machine would load
  flightdeck validate layouts verbs/test.md    every layout in a folder, and one verb
  flightdeck validate risk                     every rule of a folder, its examples run
  flightdeck validate templates                face and hook templates, each tried
  flightdeck validate panel.yaml --format github   notes in a pull request
"""

SLOW = "checking every file, and the examples of every rule"
LOCAL = "local.yaml"
VERBS = "verbs"
OVERRIDES = "overrides"
VERB, FRAGMENT, RISK, TEMPLATE = "verb", "fragment", "risk file", "template"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files to check and how to tell what was found."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a layout, a verb, rules, a template, or a folder of them",
    )
    parser.add_argument("--format", choices=("text", "json", "github"), default="text")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Check the files and return every problem.

    Raises:
        FlightdeckError: a folder that was named holds nothing to check.
    """
    named = [path for word in arguments.paths for path in _files(Path(word))]
    folder = StateFolder.from_environment()
    files = list(dict.fromkeys(named or _all(folder)))
    verbs = load_verbs(folder)
    rules = [path for path in files if _kind(path) == RISK]
    risky = rulecheck.problems_of(rules, trusted=not named)
    unread = [] if named else _unlisted(folder)
    found = [
        *unread,
        *(p for path in files for p in risky.get(path) or _problems(path, folder, verbs)),
    ]
    found += problems_of((path for path in files if _kind(path) == TEMPLATE), folder)
    # What is wrong with a fragment is wrong with every verb that needs it.
    problems = list(dict.fromkeys(found))
    code = Exit.NO if problems else Exit.DONE
    if arguments.format == "json":
        return Result(data=render_json(problems, [shown(path) for path in files]), code=code)
    if not problems:
        return Result(lines=(_all_well(files),))
    if arguments.format == "github":
        return Result(lines=(render_github(problems),), code=code)
    return Result(lines=(render_text(problems, _called),), code=code)


def _files(path: Path) -> list[Path]:
    if not os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where a name is too long
        return [path]
    found = sorted(path.glob("*.yaml"))
    if path.resolve().name == VERBS:
        found += _verbs_in(path)
    found += templates_in(path)
    if not found:
        hint = f"name a folder that holds .yaml files or templates, or one called '{VERBS}'"
        raise FlightdeckError(f"nothing to check in '{path}'", hint)
    return found


def _all(folder: StateFolder) -> Iterator[Path]:
    yield from sorted(shipped.folder("layouts").glob("*.yaml"))
    yield from sorted((folder.root / "layouts").glob("*.yaml"))
    yield from _verbs_in(shipped.folder(VERBS))
    yield from _verbs_in(folder.verbs)
    yield from rulecheck.in_folder(shipped.folder(rulecheck.FOLDER))
    yield from rulecheck.in_folder(folder.risk)
    yield from templates_in(folder.templates)
    if os.path.lexists(folder.local):  # a link to nowhere is its owner's to mend
        yield folder.local


def _unlisted(folder: StateFolder) -> Iterator[Problem]:
    """Yield a problem for each folder of yours that cannot be looked into."""
    for place in (folder.root / "layouts", folder.verbs, folder.risk, folder.templates):
        try:
            os.listdir(place)  # noqa: PTH208 - only whether it can be
        except OSError as error:
            if os.path.lexists(place) or not isinstance(error, FileNotFoundError):
                told = f"cannot be read: {error.strerror}"
                yield Problem(Location(shown(place)), told, "make it a folder you may read")


def _verbs_in(place: Path) -> list[Path]:
    """Return what is written for agents in a folder: fragments, verbs, and those to copy."""
    return [*fragment_files(place), *verb_files(place), *verb_files(place / OVERRIDES)]


def _kind(path: Path) -> str:
    """Return what a file is, by its name: `local.yaml` itself, a verb, rules, else a layout."""
    if path.name == LOCAL:
        return LOCAL
    if rulecheck.is_risk_file(path):
        return RISK
    if path.suffix == ".j2":
        return TEMPLATE
    if path.suffix == ".md":
        return FRAGMENT if path.name.startswith(MARK) else VERB
    return "layout"


def _called(file: str) -> str:
    """Return what to call a file problems are counted in."""
    kind = _kind(Path(file))
    return "file" if kind == LOCAL else kind


def _problems(path: Path, folder: StateFolder, verbs: Verbs) -> tuple[Problem, ...]:
    try:
        match _kind(path):
            case "local.yaml":
                read_local(path, shown(path))
            case "verb":
                read_verb(path, load_fragments(*_fragment_places(path, folder)))
            case "fragment":
                read_fragment(path)
            case "risk file" | "template":
                pass  # told by themselves: each is read with those beside it
            case _:
                load_layout(path, Local(), verbs, folder)
    except ConfigError as error:
        return error.problems
    return ()


def _fragment_places(path: Path, folder: StateFolder) -> tuple[Path, ...]:
    """Return where the fragments of a verb are taken from, the folder that wins first.

    A folder of verbs that lies elsewhere is checked as if it were the user's own.
    """
    places, place = places_for(folder), path.absolute().parent
    if place.name != VERBS or _real(place) in map(_real, places):
        return places
    return (place, *places)


def _all_well(files: list[Path]) -> str:
    kinds = Counter(_kind(path) for path in files)
    local = [LOCAL] if kinds.pop(LOCAL, 0) else []
    *most, last = [f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in kinds.items()] + local
    told = f"{', '.join(most)} and {last}" if most else last
    return f"{told}, no problems"


def _real(path: Path) -> str:
    return os.path.realpath(path)  # Path.resolve raises at a ring of links
