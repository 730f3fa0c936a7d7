"""Opens applications and URLs, and raises terminals known by name only.

Every word goes to a program as an argument of its own; a name that could be taken
for an option, or holds control characters, is refused. What the layout's author
wrote is opened as it stands; no text of an agent ever comes here.

Source: open(1) of macOS; xdg-open(1); gtk-launch(1) and the desktop entry
specification, "desktop file id".
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Refused, Unavailable
from flightdeck.hosts.programs import installed
from flightdeck.model.layout import AppTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flightdeck.model.layout import Target
    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

_WAIT_S = 5.0
_NAME = re.compile(r"[^\x00-\x1f\x7f-][^\x00-\x1f\x7f]*")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7f]+")

# TERM_PROGRAM -> the application's name on macOS, where the two differ.
_APPLICATIONS = {
    "Apple_Terminal": "Terminal",
    "iTerm.app": "iTerm",
    "vscode": "Visual Studio Code",
    "ghostty": "Ghostty",
    "zed": "Zed",
    "WarpTerminal": "Warp",
    "kitty": "kitty",
    "rio": "Rio",
}


def open_target(
    target: Target, run: Runner, start: Callable[[Sequence[str]], None], platform: str
) -> None:
    """Open what a key or pin is for; `platform` is `sys.platform`.

    `start` starts a program and does not wait for it (`system.run.start`).

    Raises:
        Refused: the name or URL is none.
        Unavailable: there is no such application, or nothing to open it with.
    """
    word = target.name if isinstance(target, AppTarget) else target.url
    form, what = (_NAME, "an application") if isinstance(target, AppTarget) else (_URL, "a URL")
    if not form.fullmatch(word):
        raise Refused(f"'{word}' is not {what}")
    if platform == "darwin":
        _open(run, ["-a", word] if isinstance(target, AppTarget) else [word], word)
    elif isinstance(target, AppTarget):
        start(_launch(word))
    else:
        start([_opener(), word])


class App:
    """Raises a terminal by its name: its front window, whichever that is."""

    def __init__(self, run: Runner, platform: str) -> None:
        """`platform` is `sys.platform`."""
        self._run = run
        self._platform = platform

    def focus(self, place: Place) -> None:
        """Bring the application `place.program` names forward.

        Raises:
            Unavailable: there is no way to do so here, or no such application.
        """
        if self._platform != "darwin":
            raise Unavailable(
                f"cannot raise '{place.program}' here",
                "run the agent inside tmux: then its pane can be selected",
            )
        name = _APPLICATIONS.get(place.program, place.program)
        if not _NAME.fullmatch(name):
            raise Unavailable("where this session runs is unknown")
        _open(self._run, ["-a", name], name)


def _open(run: Runner, arguments: Sequence[str], word: str) -> None:
    if run(["open", *arguments], timeout_s=_WAIT_S).code:
        raise Unavailable(f"cannot open '{word}'")


def _opener() -> str:
    opener = installed("xdg-open")
    if not opener:
        raise Unavailable("nothing here opens a URL", "install xdg-utils")
    return opener


def _launch(name: str) -> list[str]:
    """Return what starts the application: by its desktop entry, else as a program."""
    launcher = installed("gtk-launch")
    if launcher and any((folder / f"{name}.desktop").is_file() for folder in _entry_folders()):
        return [launcher, name]
    program = installed(name)
    if not program:
        raise Unavailable(f"no application called '{name}'")
    return [program]


def _entry_folders() -> list[Path]:
    home = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    others = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) / "applications" for folder in (home, *others.split(":")) if folder]
