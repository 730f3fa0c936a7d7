"""Face templates tried before they are used: a key of each kind, in every channel.

What a template cannot draw is found here, at its line, not on the deck.

Source: templates/README.md, "Faces".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.errors import ConfigError, Problem, Unavailable
from flightdeck.faces.guard import Unsafe, check
from flightdeck.faces.raster import rasterise
from flightdeck.faces.svg import TEMPLATE, render_svg
from flightdeck.model.keyview import KeyView
from flightdeck.model.layout import Glyph, Shape, ShapeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flightdeck.templating import Templates

_HINT = "templates/README.md says what a face may contain"
_LONGEST = "W@" * 8

_GLYPH = Glyph(
    "trial",
    (
        Shape(ShapeKind.POLYGON, (48.0, 12.0, 70.0, 50.0, 26.0, 50.0)),
        Shape(ShapeKind.PATH, path="M 30 20 L 60 40", stroke=6.0),
        Shape(ShapeKind.CIRCLE, (48.0, 32.0, 8.0), cut=True),
        Shape(ShapeKind.LINE, (30.0, 44.0, 66.0, 44.0), stroke=5.0),
    ),
)
_PLAIN = KeyView("#1256a3", "#ffffff", name="trial")
_SESSION = replace(_PLAIN, glyph=_GLYPH, top="REPO", bottom="a title")
_MARKED = replace(
    _SESSION,
    selected=True,
    halted=True,
    brakes_off=True,
    count=3,
    stale=True,
    queued=True,
    untracked=True,
    faulty=True,
)


def _each() -> Iterator[KeyView]:
    yield from (_PLAIN, _SESSION, _MARKED, replace(_MARKED, dimmed=True))
    for one in (_PLAIN, _SESSION):
        for mark in ("selected", "dimmed", "halted", "brakes_off", "stale", "queued", "untracked"):
            yield replace(one, **{mark: True})  # type: ignore[arg-type] # each is a bool
        yield from (replace(one, faulty=True), replace(one, flash="SENT"))
        yield from (replace(one, progress=0.5), replace(one, progress=1.0))
        yield from (replace(one, lines=(_LONGEST,) * count) for count in range(1, 6))
    yield replace(_SESSION, count=100)
    yield replace(_SESSION, count=1, count_ground="#f5a623", count_ink="#000000")
    yield replace(_SESSION, background="#f5a623", ink="#000000", glyph_ink="#000000")


# A key of each kind: what one of them cannot show, no other shows first.
SAMPLES = tuple(_each())


def problems_of(
    templates: Templates,
    sizes: Iterable[tuple[int, int]],
    views: Iterable[KeyView] = SAMPLES,
    draw: Callable[[str, int, int], object] = rasterise,
) -> list[Problem]:
    """Return what is wrong with the pictures of keys of these sizes, in pixels; each once.

    `draw` makes them; `only_check` is much quicker.
    """
    tried = [(view, *size) for size in sizes for view in views]
    found = [p for one in tried for p in _problems(templates, draw, *one)]
    return list(dict.fromkeys(found))


def only_check(svg: str, _width: int, _height: int) -> None:
    """Stand in for drawing where time is short.

    Raises:
        Unsafe: it may not be drawn.
    """
    check(svg)


def _problems(
    templates: Templates,
    draw: Callable[[str, int, int], object],
    view: KeyView,
    width: int,
    height: int,
) -> list[Problem]:
    try:
        draw(render_svg(view, width, height, templates), width, height)
    except ConfigError as error:
        return list(error.problems)
    except Unsafe as error:
        there = templates.where(error.written, TEMPLATE)
        told = f"a key cannot be drawn: {error}"
        return [replace(there, message=told, hint=_HINT, width=max(1, len(error.written)))]
    except Unavailable:  # no rasteriser here: what may be drawn is known all the same
        return []
    except Exception as error:  # whatever a rasteriser thinks of it
        told = f"a key cannot be drawn ({type(error).__name__})"
        return [Problem(templates.where("", TEMPLATE).location, told, _HINT)]
    return []
