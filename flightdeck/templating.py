"""The one place that knows Jinja2: faces, hooks and services are text from here.

An undefined name is an error, never an empty string: a hook with a hole in it
would run inside somebody's turn.
"""

from __future__ import annotations

import traceback
from functools import lru_cache
from typing import TYPE_CHECKING

import jinja2  # noqa: TID251 - this module is its door

from flightdeck import shipped
from flightdeck.errors import FlightdeckError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SUFFIX = ".j2"


class Templates:
    """The markup templates below one folder as they are now: a later edit is not seen."""

    def __init__(self, folder: str) -> None:
        """Read and compile all of them.

        Raises:
            FlightdeckError: one is missing or broken; names it and its line.
        """
        self._environment = _made(markup=True, live=False)
        for name in self._environment.list_templates(filter_func=_below(folder)):
            _got(self._environment, name)

    def markup(self, name: str, values: Mapping[str, object]) -> str:
        """Render the template `name` (`faces/key.svg.j2`), values escaped.

        Raises:
            FlightdeckError: the template is missing or broken; names it and its line.
        """
        return _rendered(self._environment, name, values)


def render_markup(name: str, values: Mapping[str, object]) -> str:
    """Render the SVG or HTML template `name` (`faces/key.svg.j2`), values escaped.

    Raises:
        FlightdeckError: the template is missing or broken; names it and its line.
    """
    return _rendered(_environment(markup=True), name, values)


def render_text(name: str, values: Mapping[str, object]) -> str:
    """Render the plain-text template `name` (`hooks/spool.sh.j2`), nothing escaped.

    Raises:
        FlightdeckError: the template is missing or broken; names it and its line.
    """
    return _rendered(_environment(markup=False), name, values)


@lru_cache(maxsize=4)
def _environment(*, markup: bool) -> jinja2.Environment:
    return _made(markup=markup, live=True)


def _made(*, markup: bool, live: bool) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped.folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=markup,  # noqa: S701 - hooks and services are shell and ini, not markup
        auto_reload=live,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _below(folder: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(f"{folder}/") and name.endswith(_SUFFIX)


def _rendered(environment: jinja2.Environment, name: str, values: Mapping[str, object]) -> str:
    template = _got(environment, name)
    try:
        return template.render(values)
    except jinja2.TemplateError as error:
        raise FlightdeckError(f"templates/{_place(error, name)}: {error}") from error


def _got(environment: jinja2.Environment, name: str) -> jinja2.Template:
    try:
        return environment.get_template(name)
    except jinja2.TemplateSyntaxError as error:
        where = f"{error.name or name}:{error.lineno}"
        raise FlightdeckError(f"templates/{where}: {error.message}") from error
    except jinja2.TemplateError as error:
        raise FlightdeckError(f"templates/{name}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FlightdeckError(f"templates/{name} cannot be read: {error}") from error


def _place(error: jinja2.TemplateError, name: str) -> str:
    """Return where a template was when it failed: the innermost line that is in one."""
    root = shipped.folder("templates")
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.name or name}:{error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(f"{root}/"):
            return f"{frame.filename.removeprefix(f'{root}/')}:{frame.lineno}"
    return name
