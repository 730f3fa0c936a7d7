"""What is wrong with risk files: how they are written, and what their rules do.

Source: risk/README.md, "Where rules lie" and "Examples".
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.risk import RiskFile, read_risk
from flightdeck.config.risk_examples import failing
from flightdeck.model.risk import Table
from flightdeck.risk.judge import TableJudge
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from flightdeck.errors import Problem

FOLDER = "risk"
_SECTION = re.compile(rb"^(?:rules|targets|groups|programs|wrappers):", re.MULTILINE)
_LOOKED_AT = 65_536


def is_risk_file(path: Path) -> bool:
    """Return whether a file is one of risk rules: by its folder, or by its sections."""
    if path.suffix != ".yaml":
        return False
    if path.absolute().parent.name == FOLDER:
        return True
    try:
        return _SECTION.search(files.read(path, _LOOKED_AT)) is not None
    except OSError:
        return False


def checked(
    paths: Iterable[Path], base: Table, *, local: bool, trusted: bool = False
) -> list[RiskFile]:
    """Return files in turn, each over those before it, with every problem of each.

    Their examples are run. A file with a problem adds nothing to the table. `trusted` files
    are known to be YAML as it should be.
    """
    found: list[RiskFile] = []
    for path in paths:
        read = read_risk([path], base, local=local, trusted=trusted)[0]
        file = _with_examples(read, base)
        base = file.table
        found.append(file)
    return found


def shipped_table() -> Table:
    """Return the rules that come with flightdeck."""
    read = read_risk(in_folder(shipped.folder(FOLDER)), Table(), local=False, trusted=True)
    return read[-1].table if read else Table()


def in_folder(folder: Path) -> tuple[Path, ...]:
    """Return the risk files of a folder in the order they are read."""
    try:
        return tuple(sorted(path for path in folder.glob("*.yaml") if path.name[0] != "."))
    except OSError:  # its name is longer than names can be
        return ()


def problems_of(paths: Iterable[Path], *, trusted: bool = False) -> dict[Path, tuple[Problem, ...]]:
    """Return the problems of each file, read as it would be where it lies.

    A shipped file is read over those before it, another over all the shipped and over
    those before it in its folder. `trusted`: nobody asks whether the shipped ones are YAML
    to the letter, which takes as long as all the rest and is held by a test.
    """
    places: dict[Path, list[Path]] = {}
    for path in paths:
        places.setdefault(path.absolute().parent, []).append(path)
    found: dict[Path, tuple[Problem, ...]] = {}
    for place, named in places.items():
        # Path.resolve raises at a ring of links.
        ours = os.path.realpath(place) == os.path.realpath(shipped.folder(FOLDER))
        base = Table() if ours else shipped_table()
        read = checked(_up_to(place, named), base, local=not ours, trusted=trusted and ours)
        found |= {file.path: file.problems for file in read if file.path in named}
    return found


def _up_to(place: Path, named: list[Path]) -> list[Path]:
    """Return the named files of a folder and those read before them, as they were named."""
    names = {path.absolute(): path for path in named}
    there = in_folder(place) if place.name == FOLDER else ()
    ahead = (path for path in there if path < max(names))
    return [names.get(path, path) for path in sorted({*ahead, *names})]


def _with_examples(file: RiskFile, base: Table) -> RiskFile:
    judge = TableJudge(file.table)
    problems = (*file.problems, *failing(file, judge, judge.speaking))
    return replace(file, table=base, problems=problems) if problems else file
