"""Brings iTerm2 sessions forward, and types into them.

Its Python API comes first, AppleScript where that is off. A question may be asked one
way and then the other; what types is sent one way only, once. By AppleScript that is an
Esc at most: it reaches every session the user broadcasts input to, where a line or an
Enter could answer somebody else's dialog.

iTerm2 does not tell whether a program asked for bracketed pastes: a line is sent as it
would be typed. It holds nothing a program could take for the end of it.

Source: iTerm2's api.proto (ActivateRequest, VariableRequest, SendTextRequest, in which a
session may also be "all" or "active").
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, TypeVar

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.applescript import AppleScript
from flightdeck.hosts.iterm2_api import Api, Unconnected
from flightdeck.hosts.keys import Key, must_be_one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

logger = logging.getLogger(__name__)

_WAIT_S = 2.0
_T = TypeVar("_T")
_UUID = re.compile(r"[0-9A-Fa-f-]{36}")
_SWITCH_ON = "iTerm2 > Settings > General > Magic > Enable Python API"


class Iterm2:
    """Reaches iTerm2 sessions by their UUID, their device, or the tmux pane they show."""

    def __init__(self, run: Runner, *, wait_s: float = _WAIT_S) -> None:
        """`wait_s` is how long the API may take, in seconds."""
        self._api = Api(wait_s)
        self._script = AppleScript(run)

    def focus(self, place: Place) -> None:
        """Bring the session whose UUID is `place.window` forward.

        Raises:
            Unavailable: it is gone, iTerm2 is not running or may not be asked.
        """
        try:
            found = self._api.by_id(place.window)
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            self._script.by_id(place.window)
            return
        _must_be(found)

    def interrupt(self, place: Place) -> None:
        """Send one Esc to the session whose UUID is `place.window`.

        To no other, where the API is on: AppleScript broadcasts it with the user's own input.

        Raises:
            Unavailable: as `focus`.
        """
        uuid = _uuid(place)
        try:
            found = self._api.send(uuid, Key.ESCAPE.value)
        except Unconnected as why:  # only here: otherwise it may have arrived
            logger.debug("sending Esc by AppleScript: %s", why.message)
            self._script.interrupt(uuid)
            return
        _must_be(found)

    def must_take_lines(self, place: Place) -> None:
        """Find out, without typing, that a line can be typed into that session.

        Raises:
            Unavailable: as `focus`, or the API is off.
        """
        uuid = _uuid(place)
        _must_be(self._typing(lambda: self._api.value(uuid, "tty")) is not None)

    def confirm(self, place: Place) -> None:
        """Send one Enter to that session.

        Raises:
            Unavailable: as `must_take_lines`.
        """
        self._type(place, Key.ENTER.value)

    def stash(self, place: Place) -> None:
        """Send one Ctrl-S to that session.

        Raises:
            Unavailable: as `must_take_lines`.
        """
        self._type(place, Key.STASH.value)

    def erase(self, place: Place) -> None:
        """Send one Ctrl-U to that session.

        Raises:
            Unavailable: as `must_take_lines`.
        """
        self._type(place, Key.ERASE.value)

    def paste(self, place: Place, line: str) -> None:
        """Send `line` to that session, in one piece.

        Raises:
            Unavailable: as `must_take_lines`.
            ValueError: it is not one line of printable characters.
        """
        must_be_one_line(line)
        self._type(place, line)

    def device(self, place: Place) -> str:
        """Return the device that session is on, `/dev/ttys003` say.

        Raises:
            Unavailable: as `focus`, or it is on none.
        """
        uuid = _uuid(place)
        try:
            device = self._api.value(uuid, "tty")
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            device = self._script.device(uuid)
        if not isinstance(device, str) or not device:
            raise Gone("window is gone")
        return device

    def screen(self, place: Place) -> str:
        """Return the rows that session shows.

        Raises:
            Unavailable: as `focus`.
        """
        uuid = _uuid(place)
        try:
            rows = self._api.rows(uuid)
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            return self._script.screen(uuid)
        if rows is None:
            raise Gone("window is gone")
        return "\n".join(rows)

    def focus_tty(self, tty: str) -> None:
        """Bring the session forward that draws on the device `tty`.

        Raises:
            Unavailable: as `focus`.
        """
        try:
            found = self._api.by_variable("tty", tty)
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            self._script.by_tty(tty)
            return
        _must_be(found)

    def focus_tmux_pane(self, pane: str) -> None:
        """Bring the native window forward that shows tmux pane `%3` in control mode.

        Raises:
            Unavailable: no session, or more than one, shows a pane of this number,
                or the API is off; AppleScript knows nothing of tmux.
        """
        _must_be(self._api.by_variable("tmuxWindowPane", int(pane.removeprefix("%"))))

    def close(self) -> None:
        """Let the kept connection go; never raises, may be called twice."""
        self._api.close()

    def _type(self, place: Place, keys: str) -> None:
        uuid = _uuid(place)
        _must_be(self._typing(lambda: self._api.send(uuid, keys)))

    def _typing(self, ask: Callable[[], _T]) -> _T:
        """Ask the API what only the API may be asked."""
        try:
            return ask()
        except Unconnected as why:
            raise Unavailable("cannot type there", f"{why.message}: {_SWITCH_ON}") from why


def _must_be(found: bool) -> None:  # noqa: FBT001 - the answer itself, not a switch
    if not found:
        raise Gone("window is gone")


def _uuid(place: Place) -> str:
    """Return the one session meant; to iTerm2 other words stand for several."""
    if not _UUID.fullmatch(place.window):
        raise Unavailable("where this session runs is unknown")
    return place.window
