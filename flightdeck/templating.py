"""Templates as text: faces, hooks, services and the browser page are made from here.

An undefined name is an error, never an empty string: a hook with a hole in it
would run inside somebody's turn. Whatever is wrong with a template is a problem
at a line of it. Knows no file but the shipped ones.

Source: templates/README.md.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.sandbox.environment import Environment, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Before the name of a template, it says that the shipped one is meant.
SHIPPED = "shipped/"
_FOLDER = "templates"
_TAG = re.compile(r"\{[{%#]")


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one template: its `name` (`faces/key.svg.j2`), what to call its file."""

    name: str
    file: str
    text: str
    own: bool = False


class Templates:
    """Some templates as they were read: an edit since then is not seen."""

    def __init__(self, sources: Iterable[Source], *, markup: bool) -> None:
        """Compile all of them; a later source of a name wins, `shipped/` keeps the first.

        Raises:
            ConfigError: some are broken; it tells each of them.
        """
        self._sources: dict[str, Source] = {}
        for source in sources:
            if not source.own:
                self._sources[SHIPPED + source.name] = source
            self._sources[source.name] = source
        self._environment = Environment(self._text, markup=markup)
        problems = [p for source in self._sources.values() for p in self._compiled(source.name)]
        if problems:
            raise ConfigError(list(dict.fromkeys(problems)))

    @property
    def own(self) -> tuple[str, ...]:
        """The names of those that are the user's."""
        return tuple(name for name, source in self._sources.items() if source.own)

    def render(self, name: str, values: Mapping[str, object]) -> str:
        """Return what the template `name` makes of `values`.

        Raises:
            ConfigError: nothing; it tells the line of the template.
        """
        try:
            return self._environment.render(name, values)
        except Fault as fault:
            raise ConfigError([self._problem(fault, values)]) from fault

    def file_of(self, name: str) -> str:
        """Return what problems call the file of a template."""
        return self._sources[name].file

    def where(self, written: str, name: str) -> Problem:
        """Return a problem without words at the first place where `written` stands.

        The user's own are looked through first; where none holds it, the whole of `name`.
        """
        last = self._sources[name]
        for source in sorted(self._sources.values(), key=lambda one: not one.own):
            if written and (at := source.text.find(written)) >= 0:
                line = source.text.count("\n", 0, at) + 1
                return _problem_at(source, line, written, "", "")
        return Problem(Location(last.file), "")

    def _text(self, name: str) -> str | None:
        source = self._sources.get(name)
        return source.text if source else None

    def _compiled(self, name: str) -> list[Problem]:
        try:
            self._environment.compile(name)
        except Fault as fault:
            return [self._problem(fault, {})]
        return []

    def _problem(self, fault: Fault, values: Mapping[str, object]) -> Problem:
        return _problem(fault, self._sources[fault.name], [*_names(values), *self._sources])


def render_markup(name: str, values: Mapping[str, object]) -> str:
    """Render the shipped SVG, XML or HTML template `name`, values escaped.

    Raises:
        ConfigError: the template is missing or broken; names its line.
    """
    return _rendered(name, values, markup=True)


def render_text(name: str, values: Mapping[str, object]) -> str:
    """Render the shipped plain-text template `name`, nothing escaped.

    Raises:
        ConfigError: the template is missing or broken; names its line.
    """
    return _rendered(name, values, markup=False)


def _rendered(name: str, values: Mapping[str, object], *, markup: bool) -> str:
    try:
        return _shipped(markup=markup).render(name, values)
    except Fault as fault:
        source = Source(fault.name, f"{_FOLDER}/{fault.name}", "")
        raise ConfigError([_problem(fault, source, _names(values))]) from fault


@lru_cache(maxsize=2)
def _shipped(*, markup: bool) -> Environment:
    """Return the shipped templates as they are on disk at each moment."""
    return Environment(_on_disk, markup=markup)


def _on_disk(name: str) -> str | None:
    path = shipped.folder(_FOLDER) / name
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _problem(fault: Fault, source: Source, known: list[str]) -> Problem:
    near = difflib.get_close_matches(fault.unknown, known, 1) if fault.unknown else []
    hint = f"did you mean '{near[0]}'?" if near else "templates/README.md says what there is"
    if not fault.line:
        return Problem(Location(source.file), fault.message, hint)
    return _problem_at(source, fault.line, fault.unknown, fault.message, hint)


def _names(values: Mapping[str, object]) -> list[str]:
    """Return what a template may have meant: the names it is given, and those in them."""
    inner = [name for value in values.values() for name in getattr(type(value), "__slots__", ())]
    return [*values, *inner]


def _problem_at(source: Source, line: int, sought: str, message: str, hint: str) -> Problem:
    """Return a problem at `sought` in a line, or else where the line's first tag begins."""
    lines = source.text.split("\n")
    text = lines[line - 1] if line <= len(lines) else ""
    at, tag = text.find(sought) if sought else -1, _TAG.search(text)
    column = at if at >= 0 else tag.start() if tag else len(text) - len(text.lstrip())
    width = len(sought) if at >= 0 else 1
    return Problem(Location(source.file, line, column + 1), message, hint, text, width)
