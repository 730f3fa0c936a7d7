"""Where layouts lie, and one of them loaded: the user's own first, then the shipped.

Source: layouts/README.md, "Where layouts lie".
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.config.bindings import word_of_target
from flightdeck.config.compiling import EMPTY, compile_layout
from flightdeck.config.document import read_document
from flightdeck.config.resolving import DEFAULT, is_path, layout_places, resolved, shipped_default
from flightdeck.config.text import shown
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import FlightdeckError, Location, Problem
from flightdeck.model.layout import PinBinding, SlotBinding

if TYPE_CHECKING:
    from flightdeck.config.nodes import Document
    from flightdeck.config.verbs import Verbs
    from flightdeck.model.layout import Key, Layout
    from flightdeck.model.local import Local
    from flightdeck.store.paths import StateFolder


def find_layout(wanted: str | None, folder: StateFolder) -> Path:
    """Return the file of a layout: a name, a path, or None for the default.

    A name is looked for in the state folder's `layouts`, then among the shipped.

    Raises:
        FlightdeckError: no layout has that name; the hint lists those there are.
    """
    name = wanted or DEFAULT
    if is_path(name):
        return Path(name)
    there = known_layouts(folder)
    if name not in there:
        raise FlightdeckError(f"no layout is called '{name}'", f"there are: {', '.join(there)}")
    return there[name]


def known_layouts(folder: StateFolder) -> dict[str, Path]:
    """Return every layout that can be asked for by name, the user's own before the shipped."""
    found: dict[str, Path] = {}
    for place in layout_places(folder):
        for path in sorted(place.glob("*.yaml")):
            found.setdefault(path.stem, path)
    return found


def load_layout(
    path: Path, local: Local, verbs: Verbs | None = None, folder: StateFolder | None = None
) -> Layout:
    """Return the layout at `path` with this machine's pins laid over it.

    `verbs` are those its keys may name; without them, the shipped ones. `folder` is the state
    folder, where a layout it extends may lie; without it, only the shipped have names.

    Raises:
        ConfigError: it has problems; all of them are in it.
    """
    there = _shipped_verbs() if verbs is None else verbs
    return _pinned(compile_layout(path.stem, resolve_layout(path, folder), there), local)


def resolve_layout(path: Path, folder: StateFolder | None) -> Document:
    """Return the layout at `path` and all it stands on as one document, not yet compiled.

    Raises:
        ConfigError: it or a parent cannot be read.
    """
    return resolved(path, read_document(path, shown(path)), folder)


def forget_shipped() -> None:
    """Read the shipped files again where they are needed next: they may have been edited."""
    _shipped_verbs.cache_clear()


def load_layout_or_shipped(
    wanted: str | None, folder: StateFolder, local: Local
) -> tuple[Layout, tuple[Problem, ...]]:
    """Return the layout to start with, and what its owner should know.

    An empty file is an editor caught between truncating and writing, or one not yet
    begun: the shipped default stands in, with a warning that names the file.

    Raises:
        FlightdeckError: no layout has that name.
        ConfigError: it has any other problem.
    """
    path = find_layout(wanted, folder)
    document = read_document(path, shown(path))
    verbs = load_verbs(folder)
    if document.root is not None:
        whole = resolved(path, document, folder)
        layout = _pinned(compile_layout(path.stem, whole, verbs), local)
        return layout, pins_not_shown(layout, folder, local)
    told = f"{EMPTY[0]}: the shipped '{DEFAULT}' is shown"
    layout = load_layout(shipped_default(), local, verbs)
    warning = Problem(Location(shown(path)), told, EMPTY[1])
    return layout, (warning, *pins_not_shown(layout, folder, local))


@lru_cache(maxsize=1)
def _shipped_verbs() -> Verbs:
    return load_verbs(None)


def _pinned(layout: Layout, local: Local) -> Layout:
    return replace(layout, keys=tuple(_pinned_key(key, local) for key in layout.keys))


def _pinned_key(key: Key, local: Local) -> Key:
    match key.binding:
        case SlotBinding(slot=slot) | PinBinding(slot=slot) if slot in local.pins:
            pin = local.pins[slot]
            label = pin.label or word_of_target(pin.target)
            return replace(key, binding=PinBinding(slot, pin.target), label=label, look=None)
        case _:
            return key


def pins_not_shown(layout: Layout, folder: StateFolder, local: Local) -> tuple[Problem, ...]:
    """Return a warning for every pin of this machine that has no key on the layout."""
    there = {key.binding.slot for key in layout.keys if isinstance(key.binding, PinBinding)}
    return tuple(
        Problem(
            Location(str(folder.local)),
            f"slot {slot} is pinned, but layout '{layout.name}' does not show it",
            "pin a slot it shows, or add the key",
        )
        for slot in sorted(local.pins.keys() - there)
    )
