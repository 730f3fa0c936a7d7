"""Check layouts and local.yaml, and tell every problem of every file at once.

Without PATH: the shipped layouts, your own in ~/.fleet/layouts, and
~/.fleet/local.yaml. Exits 0 when there is no problem, 1 when there is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.commands.result import Exit, Result, Say
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import read_local
from flightdeck.config.report import render_github, render_json, render_text
from flightdeck.config.text import shown
from flightdeck.errors import ConfigError, FlightdeckError, Problem
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

EXAMPLES = """\
examples:
  flightdeck validate                          everything this machine would load
  flightdeck validate layouts                  every layout in a folder
  flightdeck validate panel.yaml --format github   notes in a pull request
"""

LOCAL = "local.yaml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files to check and how to tell what was found."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a layout, or a folder of them")
    parser.add_argument("--format", choices=("text", "json", "github"), default="text")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Check the files and return every problem.

    Raises:
        FlightdeckError: a folder that was named holds no YAML file.
    """
    named = [path for word in arguments.paths for path in _files(Path(word))]
    files = list(dict.fromkeys(named or _all(StateFolder.from_environment())))
    problems = [problem for path in files for problem in _problems(path)]
    code = Exit.NO if problems else Exit.DONE
    if arguments.format == "json":
        return Result(data=render_json(problems, [shown(path) for path in files]), code=code)
    if not problems:
        return Result(lines=(_all_well(files),))
    render = render_github if arguments.format == "github" else render_text
    return Result(lines=(render(problems),), code=code)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.yaml"))
    if not found:
        raise FlightdeckError(f"no layout in '{path}'", "name a folder that holds .yaml files")
    return found


def _all(folder: StateFolder) -> Iterator[Path]:
    yield from sorted(shipped.folder("layouts").glob("*.yaml"))
    yield from sorted((folder.root / "layouts").glob("*.yaml"))
    if folder.local.exists():
        yield folder.local


def _problems(path: Path) -> tuple[Problem, ...]:
    try:
        if path.name == LOCAL:
            read_local(path, shown(path))
        else:
            load_layout(path, Local())
    except ConfigError as error:
        return error.problems
    return ()


def _all_well(files: list[Path]) -> str:
    layouts = sum(path.name != LOCAL for path in files)
    word = "layout" if layouts == 1 else "layouts"
    beside = " and local.yaml" if layouts < len(files) else ""
    return f"{layouts} {word}{beside}, no problems"
