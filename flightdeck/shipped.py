"""Where flightdeck itself lies: the files that come with it, and its command."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from flightdeck.errors import FlightdeckError

_NAME = "flightdeck"
_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the shipped folder `layouts`, `verbs`, `risk` or `templates`.

    It is in the wheel, or at the top of a checkout.
    """
    packed = _PACKAGE / "data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name


def command() -> Path:
    """Return the console script `flightdeck` of this very installation, a whole path.

    It lies beside the interpreter, or is what was started just now (`pip install --user`
    puts it elsewhere), or is found on PATH. Links stay: the interpreter of a venv is a link
    out of it, and the place a package manager links to changes with each version.

    Raises:
        FlightdeckError: there is none.
    """
    beside = Path(sys.executable).parent / _NAME
    started = Path(sys.argv[0])
    for path in (beside, started) if started.name == _NAME else (beside,):
        if path.is_file() and os.access(path, os.X_OK):
            return path.absolute()
    if onpath := shutil.which(_NAME):
        return Path(onpath).absolute()
    raise FlightdeckError(
        f"there is no 'flightdeck' executable beside {sys.executable}, nor on PATH",
        "install flightdeck (pip install .) and run that one",
    )
