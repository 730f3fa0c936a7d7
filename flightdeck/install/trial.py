"""Whether a hook of somebody's own keeps what hooks promise: it is run, and watched.

A hook runs inside an agent's turn: one that hangs, speaks, or lets a call through that the
latch forbids, is found here, before it is written anywhere.

Source: templates/hooks/README.md, "The trial".
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.prompts import carry_on
from flightdeck.errors import Location, Problem, Unavailable
from flightdeck.install.scratch import (
    PAYLOAD,
    PID,
    SECRET,
    SESSION,
    VALUES,
    Ended,
    Scratch,
    complaint,
    scratch,
    shells,
)
from flightdeck.install.snippets import BOUND, Kind, render_hook
from flightdeck.model.event import NAMES
from flightdeck.model.staged import Staged
from flightdeck.store import queue
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flightdeck.install.snippets import Site
    from flightdeck.templating import Templates

    # Runs a command in a scratch folder and returns what it did wrong, or nothing.
    Rule = Callable[[Scratch, str, str], str]

HINT = "templates/hooks/README.md, 'The trial', says what a hook must do"
_ANSWER = b'{"an": "answer"}\n'
_STAGED = Staged("trial", "0123456789abcdef", SESSION, PID, 1_000.0)
# How a hook refuses a call where it cannot say so.
_BLOCKS = 2


def problems_of(wanted: Mapping[str, Kind], templates: Templates, site: Site) -> Iterator[Problem]:
    """Yield the first rule each kind of hook breaks; `wanted` are the events to try."""
    tried: dict[Kind, list[str]] = {}
    for event, kind in wanted.items():
        tried.setdefault(kind, []).append(event)
    for kind, events in tried.items():
        if told := _broken(kind, events, templates, site):
            yield Problem(Location(_file(kind, templates)), told, HINT)


def _broken(kind: Kind, events: list[str], templates: Templates, site: Site) -> str:
    """Return which rule is broken; the other events of a kind differ by their name only."""
    for number, event in enumerate(events):
        for rule in _RULES[kind] if not number else _RULES[kind][:1]:
            for shell in shells():
                with scratch(site, shell) as place:
                    command = render_hook(kind, event, place.site, templates)
                    told = _tried(rule, place, command, event, site)
                if told:
                    return f"the {event} hook {told} (under {' '.join(shell)})"
    return ""


def _tried(rule: Rule, place: Scratch, command: str, event: str, site: Site) -> str:
    if str(site.root) in command:
        return f"names {site.root} itself, not by what it is given"
    if said := complaint(command, place.shell):
        return f"is no shell: {said}"
    try:
        return rule(place, command, event)
    except Unavailable as error:
        return f"does not end, or says too much: {error.message.rpartition(chr(39))[2].strip()}"


def _keeps(place: Scratch, command: str, event: str) -> str:
    """Say what is wrong with one event that should be kept, and nothing said."""
    if told := _not_quiet(place, command):
        return told
    files, events = place.spooled(), place.events()
    if any(SECRET.encode() in file.read_bytes() for file in files):
        return "spools more of the environment than the names it is given"
    if len(files) != 1 or len(events) != 1:
        return f"puts {len(files)} files into the inbox, {len(events)} of them whole: not one"
    (file,), (found,) = files, events
    if (found.name, found.pid) != (event, PID):
        return f"spools '{found.name}' of process {found.pid}, not '{event}' of its client"
    head, _, body = file.read_bytes().partition(b"\n")
    if head.split(b"\x1f")[3:] != [VALUES[name].encode() for name in NAMES]:
        return "does not spool every name it is given"
    if not body.startswith(PAYLOAD):
        return "does not spool the payload whole"
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        return "spools a file others may read"
    return ""


def _keeps_if_blocked(place: Scratch, command: str, event: str) -> str:
    (place.root / "blocked" / SESSION).touch()
    return _keeps(place, command, event)


def _full(place: Scratch, command: str, _: str) -> str:
    for number in range(BOUND):
        (place.root / "inbox" / f"{number + 1}.Stop.ev").touch()
    told = _not_quiet(place, command, "where the inbox is full")
    return told or ("spools on where the inbox is full" if len(place.spooled()) > BOUND else "")


def _uninstalled(place: Scratch, command: str, _: str) -> str:
    place.executable.unlink()
    told = _not_quiet(place, command, "where flightdeck is gone")
    return told or ("spools where flightdeck is gone" if place.spooled() else "")


def _no_inbox(place: Scratch, command: str, _: str) -> str:
    (place.root / "inbox").rmdir()
    return _not_quiet(place, command, "where there is no inbox")


def _unblocked(place: Scratch, command: str, _: str) -> str:
    if not place.run(command).quiet:
        return "says something, or fails, where nothing waits"
    return "spools where nothing waits" if place.spooled() else ""


def _let_go(place: Scratch, command: str, _: str) -> str:
    ended = place.answered(command, b"")
    if ended is None:
        return "does not wait for a panel that lives"
    return "" if ended.quiet else "says something, or fails, when the panel lets it go"


def _answered(place: Scratch, command: str, _: str) -> str:
    ended = place.answered(command, _ANSWER)
    if ended is None or (ended.code, ended.out, ended.err) != (0, _ANSWER, ""):
        return "does not print the panel's answer, all of it and nothing else"
    return "" if len(place.events()) == 1 else "waits without having spooled its request"


def _delivers(place: Scratch, command: str, _: str) -> str:
    line = _stage(place)
    ended = place.run(command)
    names, left = [event.name for event in place.events()], _queued(place)
    if ended.quiet and names == ["Stop"] and left == [_STAGED]:
        return ""
    given = (ended.code, ended.out, ended.err, names)
    if given == (0, line, "", ["Drained"]) and not left:
        return ""
    return "neither delivers a verb as it should, nor leaves it"


def _latched(place: Scratch, command: str, _: str) -> str:
    _stage(place)
    (place.root / "halt").touch()
    told = _not_quiet(place, command, "while the fleet is stopped")
    left = _queued(place) == [_STAGED]
    return told or ("" if left else "takes a verb while the fleet is stopped")


def _stage(place: Scratch) -> bytes:
    """Have a verb wait for the session; return what a hook that delivers it prints."""
    line = carry_on("go on")
    queue.put(StateFolder(place.root), _STAGED, line, "go on")
    return line.encode() + b"\n"


def _queued(place: Scratch) -> list[Staged]:
    return list(queue.standing(StateFolder(place.root)))


def _brakes(place: Scratch, command: str, event: str) -> str:
    """Say what is wrong with a hook that may refuse: at rest it must not."""
    ended = place.run(command)
    return "" if ended.quiet else "says something, or fails, where nothing forbids the call"


def _link_to_nowhere(latch: Path) -> None:
    latch.symlink_to("/nowhere/at/all")


_LATCHES: Mapping[str, Callable[[Path], None]] = {
    "a file": Path.touch,
    "a folder": Path.mkdir,
    "a link that leads nowhere": _link_to_nowhere,
}


def _halts(place: Scratch, command: str, event: str) -> str:
    """Say which latch does not stop a call; nothing of ours is needed for it."""
    latch = place.root / "halt"
    place.program("echo pass")
    for what, put in _LATCHES.items():
        put(latch)
        if not _denied(place.run(command), event, ends_the_turn=True):
            return f"lets a call through while the latch, {what}, is set"
        latch.rmdir() if latch.is_dir() else latch.unlink()
    latch.touch()
    place.executable.unlink()
    if not _denied(place.run(command), event, ends_the_turn=True):
        return "lets a call through while the latch is set and flightdeck is gone"
    if place.run(f"exec >&-; {command}").code != _BLOCKS:
        return "lets a call through while the latch is set and its answer cannot be printed"
    return ""


def _halts_unseen(place: Scratch, command: str, event: str) -> str:
    if os.geteuid() == 0:  # to whom every folder is open
        return ""
    place.root.chmod(0)
    try:
        denied = _denied(place.run(command), event, ends_the_turn=True)
    finally:
        place.root.chmod(0o700)
    return "" if denied else "lets a call through where the state folder may not be looked into"


def _gates(place: Scratch, command: str, event: str) -> str:
    """Say what is wrong with a gated session: only `pass`, and nothing else, may pass."""
    (place.root / "gate").mkdir()
    (place.root / "gate" / SESSION).touch()
    place.program("echo pass")
    if not place.run(command).quiet:
        return "does not let through what the check lets pass in a gated session"
    for script in ("exit 7", "exit 0", "echo pass; exit 1", "kill -9 $$"):
        place.program(script)
        if not _denied(place.run(command), event):
            return "lets a call of a gated session through that the check did not let pass"
    place.executable.unlink()
    if not _denied(place.run(command), event):
        return "lets a call of a gated session through where flightdeck is gone"
    return ""


def _denied(ended: Ended, event: str, *, ends_the_turn: bool = False) -> bool:
    if ended.code or ended.err:
        return False
    try:
        answer = json.loads(ended.out)
        told = answer["hookSpecificOutput"]
        asked = (told["hookEventName"], told["permissionDecision"])
        why = told["permissionDecisionReason"]
        return (asked, bool(why)) == ((event, "deny"), True) and (
            not ends_the_turn or answer["continue"] is False
        )
    except (ValueError, TypeError, KeyError):
        return False


def _not_quiet(place: Scratch, command: str, where: str = "") -> str:
    ended = place.run(command)
    what = f" {where}" if where else ""
    if ended.code:
        return f"ends with {ended.code}{what}"
    if not ended.quiet:
        return f"says something{what}"
    return "" if ended.fed else f"leaves the payload unread{what}"


def _file(kind: Kind, templates: Templates) -> str:
    """Return the file to name: the hook's own, or else what it is made of."""
    names = (f"hooks/{kind.value}.sh.j2", "hooks/spool.sh.j2", *templates.own)
    return templates.file_of(next(name for name in names if name in templates.own))


_SPOOLS = (_keeps, _full, _uninstalled, _no_inbox)
# The first of each is what every event of the kind is tried with.
_RULES: Mapping[Kind, tuple[Rule, ...]] = {
    Kind.SPOOL: _SPOOLS,
    Kind.DRAIN: (*_SPOOLS, _delivers, _latched),
    Kind.WAIT: (*_SPOOLS, _let_go, _answered),
    Kind.GUARD: (_keeps_if_blocked, _unblocked),
    Kind.BRAKES: (_halts, _halts_unseen, _brakes, _gates),
}
