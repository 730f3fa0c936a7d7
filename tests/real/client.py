"""Finds the real agent client: `$CLAUDE_BIN`, else the one fetched into `.real/`.

The platform package holds one program that needs no Node. It is pinned because the truth
table was observed with this very version; a newer one is a change of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "@anthropic-ai/claude-code-linux-x64"
VERSION = "2.1.332"
FETCH = f"npm install --prefix .real {PACKAGE}@{VERSION}"


def find() -> Path | None:
    """Return the program's path, or None where it is nowhere: `FETCH` brings it."""
    named = os.environ.get("CLAUDE_BIN", "").strip()
    path = Path(named) if named else ROOT / ".real/node_modules" / PACKAGE / "claude"
    return path.resolve() if os.access(path, os.X_OK) else None


def main() -> int:
    """Print what npm has to fetch; with `--here`, say by the exit code whether it is here."""
    if "--here" in sys.argv:
        return 0 if find() else 1
    sys.stdout.write(f"{PACKAGE}@{VERSION}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
