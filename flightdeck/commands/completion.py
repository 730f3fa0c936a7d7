"""Print what lets a shell complete `flightdeck`: commands, options, and the names they take.

It is made from the commands' own parsers. Verbs, slots and layouts are looked up when you
press Tab, so those you add are completed without another word.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from flightdeck.commands import tree
from flightdeck.commands.result import Result
from flightdeck.errors import FlightdeckError
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck completion bash > ~/.local/share/bash-completion/completions/flightdeck
  flightdeck completion zsh > ~/.zfunc/_flightdeck      that folder on fpath, before compinit
  flightdeck completion fish > ~/.config/fish/completions/flightdeck.fish"""

_SHELLS = ("bash", "zsh", "fish")
_FILES = {"PATH", "FILE", "FILE.png"}
# What an argument takes, by what its help calls it.
_NAMES_FOR = {"VERB": "verbs", "SLOT": "slots", "NAME|PATH": "layouts", "TEMPLATE": "templates"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the shell."""
    parser.add_argument("shell", nargs="?", choices=_SHELLS, help=", ".join(_SHELLS))
    # What the printed text calls at each Tab.
    parser.add_argument("--names", choices=sorted(_NAMES), help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Return the text for a shell, or the names there are of a kind, one a line.

    Raises:
        FlightdeckError: no shell is named.
    """
    if arguments.names:
        return Result(tuple(_NAMES[arguments.names](StateFolder.from_environment())))
    if not arguments.shell:
        raise FlightdeckError("which shell?", "`flightdeck completion bash`, zsh or fish")
    return Result((_script(arguments.shell),))


def _script(shell: str) -> str:
    import shtab  # noqa: PLC0415, TID251 - late for Tab's sake, and this module is its door

    root = argparse.ArgumentParser(prog="flightdeck", allow_abbrev=False)
    root.add_argument("-V", "--version", action="version", version="")
    commands = root.add_subparsers(dest="command")
    for name, what in tree.COMMANDS.items():
        reader = commands.add_parser(name, help=what, allow_abbrev=False)
        tree.module(name).add_arguments(reader)
        for action in _all_actions(reader):
            called = str(action.metavar)
            if called in _NAMES_FOR:
                asks = f"flightdeck completion --names {_NAMES_FOR[called]} 2>/dev/null"
                action.complete = shtab.cmd(asks)  # type: ignore[attr-defined]
            elif called in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif called == "DIR":
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    return shtab.complete(root, shell=shell).rstrip("\n")


def _all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Return what a parser takes, and what those below it do."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            for below in action.choices.values():
                yield from _all_actions(below)


def _verbs(folder: StateFolder) -> list[str]:
    from flightdeck.config.fragments import places_for  # noqa: PLC0415 - reads no YAML here
    from flightdeck.config.verbs import verb_files  # noqa: PLC0415 - the same

    return sorted({path.stem for place in places_for(folder) for path in verb_files(place)})


def _slots(folder: StateFolder) -> list[str]:
    from flightdeck.store import snapshot  # noqa: PLC0415 - of no use for the others

    return [str(slot) for slot in sorted(snapshot.remembered_slots(folder.slots).values())]


def _layouts(folder: StateFolder) -> list[str]:
    from flightdeck.config.layouts import known_layouts  # noqa: PLC0415 - reads no YAML here

    return sorted(known_layouts(folder))


def _templates(folder: StateFolder) -> list[str]:
    from flightdeck.commands.templates import known_templates  # noqa: PLC0415 - names alone

    return sorted(known_templates(folder))


_NAMES: dict[str, Callable[[StateFolder], list[str]]] = {
    "verbs": _verbs,
    "slots": _slots,
    "layouts": _layouts,
    "templates": _templates,
}
