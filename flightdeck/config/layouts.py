"""Where layouts lie, and one of them loaded: the user's own first, then the shipped.

Source: layouts/README.md, "Where layouts lie".
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.bindings import word_of_target
from flightdeck.config.compiling import EMPTY, compile_layout
from flightdeck.config.document import read_document
from flightdeck.errors import FlightdeckError, Location, Problem
from flightdeck.model.layout import PinBinding, SlotBinding

if TYPE_CHECKING:
    from flightdeck.model.layout import Key, Layout
    from flightdeck.model.local import Local
    from flightdeck.store.paths import StateFolder

DEFAULT = "xl"


def find_layout(wanted: str | None, folder: StateFolder) -> Path:
    """Return the file of a layout: a name, a path, or None for the default.

    A name is looked for in the state folder's `layouts`, then among the shipped.

    Raises:
        FlightdeckError: no layout has that name; the hint lists those there are.
    """
    name = wanted or DEFAULT
    if "/" in name or name.endswith(".yaml"):
        return Path(name)
    there = known_layouts(folder)
    if name not in there:
        raise FlightdeckError(f"no layout is called '{name}'", f"there are: {', '.join(there)}")
    return there[name]


def known_layouts(folder: StateFolder) -> dict[str, Path]:
    """Return every layout that can be asked for by name, the user's own before the shipped."""
    found: dict[str, Path] = {}
    for place in (folder.root / "layouts", shipped.folder("layouts")):
        for path in sorted(place.glob("*.yaml")):
            found.setdefault(path.stem, path)
    return found


def load_layout(path: Path, local: Local) -> Layout:
    """Return the layout at `path` with this machine's pins laid over it.

    Raises:
        ConfigError: it has problems; all of them are in it.
    """
    standing_on = None if _is_default(path) else _shipped_default()
    layout = compile_layout(path.stem, read_document(path, shown(path)), standing_on)
    return replace(layout, keys=tuple(_pinned(key, local) for key in layout.keys))


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
    warnings: list[Problem] = []
    if read_document(path, shown(path)).root is None:
        warnings.append(
            Problem(Location(shown(path)), f"{EMPTY[0]}: the shipped '{DEFAULT}' is used", EMPTY[1])
        )
        path = _default_path()
    layout = load_layout(path, local)
    warnings.extend(_pins_not_shown(layout, folder, local))
    return layout, tuple(warnings)


def shown(path: Path) -> str:
    """Return what to call a file: its path from the current folder where that is shorter."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def _default_path() -> Path:
    return shipped.folder("layouts") / f"{DEFAULT}.yaml"


def _is_default(path: Path) -> bool:
    return path.resolve() == _default_path().resolve()


@lru_cache(maxsize=1)
def _shipped_default() -> Layout:
    path = _default_path()
    return compile_layout(DEFAULT, read_document(path, shown(path)), None)


def _pinned(key: Key, local: Local) -> Key:
    match key.binding:
        case SlotBinding(slot=slot) | PinBinding(slot=slot) if slot in local.pins:
            pin = local.pins[slot]
            label = pin.label or word_of_target(pin.target)
            return replace(key, binding=PinBinding(slot, pin.target), label=label, look=None)
        case _:
            return key


def _pins_not_shown(layout: Layout, folder: StateFolder, local: Local) -> list[Problem]:
    there = {key.binding.slot for key in layout.keys if isinstance(key.binding, PinBinding)}
    return [
        Problem(
            Location(str(folder.local)),
            f"slot {slot} is pinned, but layout '{layout.name}' does not show it",
            "pin a slot it shows, or add the key",
        )
        for slot in sorted(local.pins.keys() - there)
    ]
