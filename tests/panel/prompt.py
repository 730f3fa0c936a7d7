"""An agent's input box as the real client's behaves: as an object, or drawn in a terminal.

Run as a program it draws itself, hears keys, and writes what is submitted to a file, as
JSON. It must not know what types into it.

Source: Claude Code 2.1.332, tried key by key in tmux.
"""

from __future__ import annotations

import json
import os
import sys
import termios
import tty
from dataclasses import dataclass, field
from pathlib import Path

PLAIN, SHELL = "\u276f", "!"
ESC, CTRL_S, CTRL_U, ENTER = "\x1b", "\x13", "\x15", "\r"
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"


@dataclass(slots=True)
class Prompt:
    """What stands there, what is kept elsewhere, and what has come of it.

    `view` is what hears the keys: the `box`, a `search`, a `dialog` or an `editor`. `ghost` is
    the text the client itself writes into an empty box. `swallows` are keys that do nothing.
    """

    text: str = ""
    mark: str = PLAIN
    stash: tuple[str, str] | None = None
    view: str = "box"
    ghost: str = ""
    width: int = 90
    swallows: frozenset[str] = frozenset()
    sent: list[tuple[str, str]] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def press(self, key: str) -> None:
        """Hear a key, or text."""
        if key in self.swallows:
            return
        if self.view != "box":
            self.elsewhere.append(key)
            self.view = "box" if key == ESC and self.view == "search" else self.view
        elif key == CTRL_S:
            self._put_aside()
        elif key == CTRL_U:
            self._erase()
        elif key == ENTER:
            self._send()
        elif key != ESC:
            self.text += key

    def _put_aside(self) -> None:
        if self.text:
            self.lost += [self.stash[1]] if self.stash else []
            self.stash, self.text, self.mark = (self.mark, self.text), "", PLAIN
        elif self.stash:
            (self.mark, self.text), self.stash = self.stash, None

    def _erase(self) -> None:
        if not self.text:
            self.mark = PLAIN
        elif self.text.endswith("\n"):
            self.text = self.text[:-1]
        else:
            gone = len(self.rows()[-1])
            self.lost.append(self.text[-gone:])
            self.text = self.text[:-gone]

    def _send(self) -> None:
        if self.text:
            self.sent.append((self.mark, self.text))
            self.text, self.mark = "", PLAIN
            if self.stash:
                (self.mark, self.text), self.stash = self.stash, None

    def rows(self) -> list[str]:
        """Return the rows of the box, as its width breaks them."""
        room = self.width - 4
        return [
            line[at : at + room]
            for line in self.text.split("\n")
            for at in range(0, max(1, len(line)), room)
        ]

    def screen(self) -> str:
        """Return what it shows, the topmost row first."""
        rule = "─" * self.width
        if self.view == "search":
            return f"{rule}\n  a search\n  ctrl+s to change scope · Enter to use · Esc to cancel"
        if self.view == "editor":
            return f"{self.text}\n~\n-- INSERT --"
        if self.view == "dialog":
            return f"{rule}\n Do you want to proceed?\n {PLAIN} 1. Yes\n   2. No"
        first, *more = self.rows() if self.text else [self.ghost if self.mark == PLAIN else ""]
        kept = f"{'draft stashed':>{self.width}}" if self.stash else ""
        box = [f"{self.mark}\u00a0{first}", *(f"  {row}" for row in more)]
        return "\n".join([f"{PLAIN} an older prompt", "", kept, rule, *box, rule, "  a hint"])


def keys_of(told: str) -> tuple[list[str], str]:
    """Return the keys and pasted texts in what a terminal told, and what is no whole key yet."""
    found: list[str] = []
    while told:
        if told.startswith(_PASTE):
            text, end, rest = told.removeprefix(_PASTE).partition(_PASTED)
            if not end:
                break
            found.append(text)
        elif _PASTE.startswith(told) and told != ESC:
            break
        else:
            found.append(told[0])
            rest = told[1:]
        told = rest
    return found, told


def main(state: Path, sent: Path) -> None:
    """Be the box that `state`, a JSON object, tells of; what is submitted goes into `sent`."""
    prompt = Prompt(**json.loads(state.read_text(encoding="utf-8")))
    tty.setraw(0, termios.TCSANOW)
    os.write(1, b"\x1b[?2004h")
    left = ""
    while True:
        drawn = prompt.screen().replace("\n", "\r\n")
        os.write(1, f"\x1b[H\x1b[2J{drawn}".encode())
        told = os.read(0, 4096)
        if not told:
            return
        keys, left = keys_of(left + told.decode())
        for key in keys:
            prompt.press(key)
        if prompt.sent:
            whole = sent.with_suffix(".new")
            whole.write_text(json.dumps(prompt.sent), encoding="utf-8")
            whole.replace(sent)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
