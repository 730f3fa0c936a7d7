"""Templates as `validate` tries them: each folder of them as if it were the user's own.

Faces are drawn with a key of each kind at the size of every deck; hooks are run in a state
folder nobody uses.

Source: templates/README.md, "Templates of your own".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.templates import FACES, HOOKS, kind_of, load_templates, template_files
from flightdeck.config.text import decoded, shown
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.model.decks import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

_SIZES = sorted({(model.key.width, model.key.height) for model in MODELS.values()})


def templates_in(place: Path) -> list[Path]:
    """Return the templates in a folder, and in the `faces` and `hooks` below it."""
    both = [path for kind in (FACES, HOOKS) for path in template_files(place, kind)]
    return [
        *both,
        *template_files(place / FACES, FACES),
        *template_files(place / HOOKS, HOOKS),
    ]


def problems_of(files: Iterable[Path], folder: StateFolder) -> Iterator[Problem]:
    """Yield what is wrong with these templates, and with those beside them that they need.

    Raises:
        FlightdeckError: there is no `flightdeck` executable a hook could name.
    """
    places: dict[tuple[str, Path], None] = {}
    for path in files:
        kind = kind_of(path)
        if kind is None:
            told = "is neither a face, .svg.j2, nor a hook, .sh.j2"
            yield Problem(Location(shown(path)), told, "no other template can be your own")
            continue
        try:
            decoded(path, shown(path))
        except ConfigError as error:
            yield from error.problems
        else:
            places[kind, path.parent] = None
    for kind, place in places:
        yield from _faces(place) if kind == FACES else _hooks(place, folder)


def _faces(place: Path) -> list[Problem]:
    from flightdeck.faces import trial  # noqa: PLC0415 - loads a rasteriser

    try:
        templates = load_templates(FACES, place)
    except ConfigError as error:
        return list(error.problems)
    found = trial.problems_of(templates, _SIZES[:1])
    return [*found, *trial.problems_of(templates, _SIZES[1:], draw=trial.only_check)]


def _hooks(place: Path, folder: StateFolder) -> list[Problem]:
    from flightdeck.install import client, desired  # noqa: PLC0415 - for hooks alone

    return desired.problems_of_own(place, client.find_site(folder.root))
