"""Layouts that stand on one another, as files in a folder, and what is wrong with the topmost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.layouts import load_layout
from flightdeck.errors import ConfigError, Problem
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.model.layout import Layout


def layered(folder: Path, top: str, **below: str) -> Layout:
    """Return the layout `top` declares; `below` are other files beside it, by name."""
    (folder / "layouts").mkdir(exist_ok=True)
    for name, text in {**below, "top": top}.items():
        (folder / "layouts" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return load_layout(folder / "layouts/top.yaml", Local(), folder=StateFolder(folder))


def problems(folder: Path, top: str, **below: str) -> tuple[Problem, ...]:
    """Return every problem of `top`, none where it is a layout."""
    try:
        layered(folder, top, **below)
    except ConfigError as error:
        return error.problems
    return ()


def told(folder: Path, top: str, **below: str) -> list[str]:
    """Return `file:line:column message` of every problem, the files by their last name."""
    return [
        f"{p.location.file.rsplit('/', 1)[-1]}:{p.location.line}:{p.location.column} {p.message}"
        for p in problems(folder, top, **below)
    ]
