"""Whether a hook of somebody's own does what it is for: it is run, and watched.

Silent it is whatever is in it (`snippets`). One that hangs, leaves its payload unread, or
keeps an event badly is found here, before it is written anywhere.

Source: templates/hooks/README.md, "The trial".
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from flightdeck.errors import Location, Problem, Unavailable
from flightdeck.install.scratch import (
    PAYLOAD,
    PID,
    SECRET,
    SESSION,
    VALUES,
    Scratch,
    complaint,
    scratch,
    shells,
)
from flightdeck.install.snippets import BOUND, Kind, render_hook, render_own
from flightdeck.model.event import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flightdeck.install.snippets import Site
    from flightdeck.templating import Templates

    # Runs a command in a scratch folder and returns what it did wrong, or nothing.
    Rule = Callable[[Scratch, str, str], str]

HINT = "templates/hooks/README.md, 'The trial', says what a hook must do"


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
                    own = render_own(kind, event, place.site, templates)
                    told = _unfit(own, place, site)
                    command = render_hook(kind, event, place.site, templates)
                    told = told or _tried(rule, place, command, event)
                if told:
                    return f"the {event} hook {told} (under {' '.join(shell)})"
    return ""


def _unfit(own: str, place: Scratch, site: Site) -> str:
    if str(site.root) in own:
        return f"names {site.root} itself, not by what it is given"
    # By itself: what closes our brackets and opens others would not be held by them.
    said = complaint(own, place.shell)
    return f"is no shell: {said}" if said else ""


def _tried(rule: Rule, place: Scratch, command: str, event: str) -> str:
    if said := complaint(command, place.shell):
        return f"is no shell in one line: {said}"
    try:
        return rule(place, command, event)
    except Unavailable as error:
        return f"does not end: {error.message.rpartition(chr(39))[2].strip()}"


def _keeps(place: Scratch, command: str, event: str) -> str:
    """Say what is wrong with one event that should be kept."""
    if told := _ill(place, command):
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
    told = _ill(place, command, "where the inbox is full")
    return told or ("spools on where the inbox is full" if len(place.spooled()) > BOUND else "")


def _uninstalled(place: Scratch, command: str, _: str) -> str:
    place.executable.unlink()
    told = _ill(place, command, "where flightdeck is gone")
    return told or ("spools where flightdeck is gone" if place.spooled() else "")


def _no_inbox(place: Scratch, command: str, _: str) -> str:
    (place.root / "inbox").rmdir()
    return _ill(place, command, "where there is no inbox")


def _unblocked(place: Scratch, command: str, _: str) -> str:
    if not place.run(command).quiet:
        return "does not end with 0 and in silence where nothing waits"
    return "spools where nothing waits" if place.spooled() else ""


def _ill(place: Scratch, command: str, where: str = "") -> str:
    ended = place.run(command)
    what = f" {where}" if where else ""
    if not ended.quiet:  # it has to leave its brackets for that: it ends us, say
        return f"does not end with 0 and in silence{what}"
    return "" if ended.fed else f"leaves the payload unread{what}"


def _file(kind: Kind, templates: Templates) -> str:
    """Return the file to name: the hook's own, or else what it is made of."""
    names = (f"hooks/{kind.value}.sh.j2", "hooks/spool.sh.j2", *templates.own)
    return templates.file_of(next(name for name in names if name in templates.own))


# The first of each is what every event of the kind is tried with.
_RULES: Mapping[Kind, tuple[Rule, ...]] = {
    Kind.SPOOL: (_keeps, _full, _uninstalled, _no_inbox),
    Kind.GUARD: (_keeps_if_blocked, _unblocked),
}
