"""The one place that knows Jinja2: faces, hooks and services are text from here.

An undefined name is an error, never an empty string: a hook with a hole in it
would run inside somebody's turn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import jinja2  # noqa: TID251 - this module is its door

from flightdeck import shipped
from flightdeck.errors import FlightdeckError

if TYPE_CHECKING:
    from collections.abc import Mapping


@lru_cache(maxsize=4)
def _environment(*, markup: bool) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped.folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=markup,  # noqa: S701 - hooks and services are shell and ini, not markup
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render_markup(name: str, values: Mapping[str, object]) -> str:
    """Render the SVG or HTML template `name` (`faces/key.svg.j2`), values escaped.

    Raises:
        FlightdeckError: the template is missing or broken; names it and its line.
    """
    return _render(name, values, markup=True)


def render_text(name: str, values: Mapping[str, object]) -> str:
    """Render the plain-text template `name` (`hooks/spool.sh.j2`), nothing escaped.

    Raises:
        FlightdeckError: the template is missing or broken; names it and its line.
    """
    return _render(name, values, markup=False)


def _render(name: str, values: Mapping[str, object], *, markup: bool) -> str:
    try:
        return _environment(markup=markup).get_template(name).render(values)
    except jinja2.TemplateSyntaxError as error:
        raise FlightdeckError(f"templates/{name}:{error.lineno}: {error.message}") from error
    except jinja2.TemplateError as error:
        raise FlightdeckError(f"templates/{name}: {error}") from error
