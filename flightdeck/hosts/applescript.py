"""Asks iTerm2 through AppleScript to show a session, or to send it an Esc: needs no setting.

The script is a constant on osascript's standard input; the id and the Esc are arguments
to it: nothing is ever pasted into script text. Hotkey windows cannot be seen this way, and
where the user has input broadcast an Esc goes to all of those sessions, which is why
`iterm2.py` tries iTerm2's own API first, and sends nothing else this way.

Source: iTerm2's scripting dictionary; the error numbers of Apple events
(-1743 no permission, -600 not running, -1728 no such object, -1712 no answer).
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.keys import Key
from flightdeck.hosts.programs import find

if TYPE_CHECKING:
    from flightdeck.ports import Runner

_WAIT_S = 5.0
PERMISSION_HINT = (
    "System Settings > Privacy & Security > Automation: allow iTerm2 for the program "
    "that started flightdeck"
)

# `get windows` makes a list of windows by their ids: selecting changes their order,
# and a loop over `windows` itself would then speak of another one. No `contents of`:
# in iTerm2's dictionary that is the text on the screen. A window may close while it
# is looked at (-1728); the others are still worth a look.
SCRIPT = """\
on run argv
  set deed to item 1 of argv
  set wanted to item 2 of argv
  set typed to ""
  if deed is "write" then set typed to item 3 of argv
  if application id "com.googlecode.iterm2" is not running then
    error "iTerm2 is not running" number -600
  end if
  tell application id "com.googlecode.iterm2"
    repeat with aWindow in (get windows)
      try
        repeat with aTab in (get tabs of aWindow)
          repeat with aSession in (get sessions of aTab)
            if deed is "tty" then
              set found to (tty of aSession is wanted)
            else
              set found to (unique ID of aSession is wanted)
            end if
            if found and deed is "write" then
              tell aSession to write text typed newline NO
              return "found"
            end if
            if found and deed is "device" then
              return "found" & linefeed & (tty of aSession)
            end if
            if found and deed is "screen" then
              tell aSession to set shown to contents
              return "found" & linefeed & shown
            end if
            if found then
              if miniaturized of aWindow then set miniaturized of aWindow to false
              select aSession
              select aTab
              select aWindow
              activate
              return "found"
            end if
          end repeat
        end repeat
      on error number -1728
      end try
    end repeat
  end tell
  return "gone"
end run
"""

_CODE = re.compile(r"\((-?\d+)\)\s*\Z")
_MEANINGS: dict[int, tuple[type[Unavailable], str, str]] = {
    -1743: (Unavailable, "automation permission for iTerm2 is missing", PERMISSION_HINT),
    -600: (Unavailable, "iTerm2 is not running", ""),
    -1728: (Gone, "window is gone", ""),
    -1712: (Unavailable, "iTerm2 gives no answer", "see whether it shows a dialog"),
}


class AppleScript:
    """iTerm2, driven by `osascript`."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    def by_id(self, uuid: str) -> None:
        """Bring the session with this UUID forward.

        Raises:
            Unavailable: it is gone, iTerm2 is not running or may not be asked.
        """
        self._ask("id", uuid)

    def by_tty(self, tty: str) -> None:
        """Bring the session forward that draws on this device, e.g. `/dev/ttys003`.

        Raises:
            Unavailable: as `by_id`.
        """
        self._ask("tty", tty)

    def interrupt(self, uuid: str) -> None:
        """Send one Esc to the session with this UUID, which stays where it is.

        Raises:
            Unavailable: as `by_id`.
        """
        self._ask("write", uuid, Key.ESCAPE.value)

    def device(self, uuid: str) -> str:
        """Return the device the session with this UUID is on.

        Raises:
            Unavailable: as `by_id`.
        """
        return self._ask("device", uuid).strip()

    def screen(self, uuid: str) -> str:
        """Return what the session with this UUID shows.

        Raises:
            Unavailable: as `by_id`.
        """
        return self._ask("screen", uuid)

    def probe(self) -> None:
        """Do nothing, if iTerm2 runs and this process may ask it.

        Raises:
            Unavailable: it is not running, or the permission is missing.
        """
        with suppress(Gone):
            self._ask("id", "-")

    def _ask(self, deed: str, wanted: str, *typed: str) -> str:
        """Return what it says of the session, once it is found."""
        words = [find("osascript"), "-", deed, wanted, *typed]
        done = self._run(words, timeout_s=_WAIT_S, stdin=SCRIPT)
        if done.code:
            raise _fault(done.err)
        found, _, said = done.out.partition("\n")
        if found.strip() != "found":
            raise Gone("window is gone")
        return said


def _fault(err: str) -> Unavailable:
    number = _CODE.search(err)
    meaning = _MEANINGS.get(int(number[1])) if number else None
    if meaning is not None:
        kind, message, hint = meaning
        return kind(message, hint)
    said = err.strip().rpartition("\n")[2][:120]
    return Unavailable(f"osascript failed: {said}" if said else "osascript failed")
