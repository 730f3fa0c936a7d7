"""The commands there are, and the parser of each: it is the module that says what it takes.

A command is imported only when it is asked for.
"""

from __future__ import annotations

import argparse
import importlib
from typing import TYPE_CHECKING

from flightdeck.commands.reader import Reader

if TYPE_CHECKING:
    from types import ModuleType

# name, what --help says of it; the module is flightdeck.commands.<name>
COMMANDS = {
    "demo": "show a scripted fleet on a virtual deck, no agent needed",
    "run": "run the panel",
    "validate": "check layouts, verbs, risk rules, templates and local.yaml, all at once",
    "layout": "show a layout whole, start one of your own, list them, help your editor",
    "schema": "print what your editor completes and checks a file with",
    "preview": "draw the whole deck into a PNG",
    "apply": "install the hooks into the agents' settings, or show what would change",
    "doctor": "look at every moving part and say what to mend",
    "status": "show the fleet",
    "explain": "say why a key shows what it shows",
    "press": "press a key of the running panel",
    "risk": "say how dangerous a command is, and which rule says so",
    "verbs": "list the verbs, show what one says, or where its file is",
    "templates": "list the face and hook templates, show one, or where its file is",
    "verdict": "answer a permission request, as the verdict row does",
    "send": "send a verb to the selected session, as its key does",
    "focus": "bring a session's window forward and select it",
    "select": "make a session the one verbs go to, and verdicts first",
    "teardown": "end a session and remove its worktree, if nothing can be lost",
    "fail": "report that a session has failed, or take that off its key",
    "halt": "stop the fleet: no new tool call runs until --off",
    "gate": "refuse the high-risk calls of a session, whatever it allows itself",
    "completion": "print what lets your shell complete all of this",
    "reap": "one folding pass: fold the inbox, free the slots of dead sessions",
}


def module(name: str) -> ModuleType:
    """Return the module of a command."""
    return importlib.import_module(f"flightdeck.commands.{name}")


def parser(name: str) -> argparse.ArgumentParser:
    """Return what reads the words of a command."""
    told = module(name)
    reader = Reader(
        prog=f"flightdeck {name}",
        description=(told.__doc__ or "").split("\n\n", maxsplit=1)[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=getattr(told, "EXAMPLES", None),
        allow_abbrev=False,
    )
    told.add_arguments(reader)
    return reader
