"""A program for a terminal: it notes every byte it is sent in a file. Run as a script.

Its arguments are the file and, if it is to ask for bracketed pastes, the word `bracketed`.
"""

from __future__ import annotations

import os
import sys
import tty
from pathlib import Path

READY = "ready"


def main(log: str, *modes: str) -> None:
    """Listen until the terminal goes."""
    tty.setraw(0)
    if "bracketed" in modes:
        os.write(1, b"\x1b[?2004h")
    with Path(log).open("wb", buffering=0) as file:
        os.write(1, READY.encode())
        while data := os.read(0, 4096):
            file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
