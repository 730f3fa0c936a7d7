"""Templates read from their folders: the shipped ones, and the user's own, which win by name.

Knows no picture and no hook: what a template draws or does is tried elsewhere.

Source: templates/README.md, "Templates of your own".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.text import decoded, plain, shown
from flightdeck.errors import ConfigError, Location, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.templating import Templates

FACES, HOOKS = "faces", "hooks"
SUFFIXES = {FACES: ".svg.j2", HOOKS: ".sh.j2"}
# What an agent listens to: an answer to its request or its call is never somebody's own.
OURS_ALONE = frozenset({"wait.sh.j2", "drain.sh.j2", "brakes.sh.j2"})
# Of all of one's own of a kind: to compile more of them would take too long.
MOST_CHARACTERS = 64 * 1024


def load_templates(kind: str, own: Path | None = None) -> Templates:
    """Return the templates of a kind, `faces` or `hooks`: those in `own` before the shipped.

    Raises:
        ConfigError: some cannot be read, or are broken; it tells each of them.
    """
    from flightdeck.templating import Source, Templates  # noqa: PLC0415 - names cost no Jinja2

    read, problems = [], list[Problem]()
    places = [(shipped.folder("templates") / kind, False), *([(own, True)] if own else [])]
    for folder, is_own in places:
        for path in template_files(folder, kind):
            try:
                text = _text(path, own=is_own)
            except ConfigError as error:
                problems += error.problems
            else:
                read.append(Source(f"{kind}/{path.name}", shown(path), text, own=is_own))
    if problems:
        raise ConfigError(problems)
    if own and sum(len(source.text) for source in read if source.own) > MOST_CHARACTERS:
        told = f"your templates of a kind are longer than {MOST_CHARACTERS} characters together"
        raise ConfigError([Problem(Location(shown(own)), told, "remove those that are not used")])
    return Templates(read, markup=kind == FACES)


def _text(path: Path, *, own: bool) -> str:
    """Return the text of a template.

    Raises:
        ConfigError: it may not be the user's own, or cannot be read.
    """
    if path.is_char_device():  # a terminal: reading it would never end
        raise ConfigError([Problem(Location(shown(path)), "is a device, not a file", "remove it")])
    text = plain(decoded(path, shown(path)))
    if own and path.name in OURS_ALONE and text != _shipped(path.name):
        hint = "remove it: templates/hooks/README.md, 'Hooks of your own', says which can be"
        raise ConfigError([Problem(Location(shown(path)), "cannot be your own", hint)])
    return text


def _shipped(name: str) -> str:
    return _text(shipped.folder("templates") / HOOKS / name, own=False)


def template_files(folder: Path, kind: str) -> list[Path]:
    """Return what is a template of a kind in a folder, by its name; none where there is none."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - a name that is no text must not end it
    except OSError:
        return []
    suffix = SUFFIXES[kind]
    return [folder / n for n in names if n.endswith(suffix) and not n.startswith((".", "#"))]


def kind_of(path: Path) -> str | None:
    """Return the kind a file is a template of, by its name, or None."""
    found = (kind for kind, suffix in SUFFIXES.items() if path.name.endswith(suffix))
    return next(found, None)
