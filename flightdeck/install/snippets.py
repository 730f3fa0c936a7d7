"""The hook snippets as one line of POSIX sh each, and the mark that says a command is ours.

Everything a snippet needs is written into it here; it knows nothing of us when it runs.
Knows no settings file and no agent.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import enum
import re
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.errors import ConfigError, FlightdeckError
from flightdeck.model.event import NAMES
from flightdeck.templating import render_text

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.templating import Templates

# How many events wait at most when nobody folds.
BOUND = 400

_VERSION = 1
# The longest of ours has 3,000; each stands in the settings once for its event.
_LONGEST = 16_000
# What stands around a hook of the user's own: whatever is in it, nothing is said, and 0 returned.
_SILENCED = "trap 'exit 0' EXIT; ( {} ) >/dev/null 2>&1; exit 0"
# Any version is ours: an older entry has to be recognised to be replaced.
_MARK = re.compile(r"# flightdeck:[0-9]+:([a-z]+)\s*\Z")


class Kind(enum.Enum):
    """What a hook does; the value stands in its mark."""

    SPOOL = "spool"
    GUARD = "guard"
    WAIT = "wait"
    BRAKES = "brakes"
    DRAIN = "drain"


# Those nobody listens to. No others are made of the user's own templates: an answer to an agent,
# to its request or its call, comes from us alone.
SILENT = frozenset({Kind.SPOOL, Kind.GUARD})


@dataclass(frozen=True, slots=True)
class Site:
    """What is written into every hook of this machine, as absolute paths."""

    executable: Path
    root: Path
    head: str = "/usr/bin/head"
    rm: str = "/bin/rm"
    mkfifo: str = "/usr/bin/mkfifo"
    mv: str = "/bin/mv"


def render_hook(kind: Kind, event: str, site: Site, templates: Templates | None = None) -> str:
    """Return the command for `event`: one line of sh that ends with our mark.

    A silent one is made of `templates`, if there are any, and then held silent from without;
    every other is made of the shipped ones.

    Raises:
        FlightdeckError: a path cannot stand in a line of UTF-8 text.
        ConfigError: a template has a problem, or makes what cannot be one line.
    """
    text = " ".join(_lines(render_text(_template(kind), given(event, site))))
    if templates and kind in SILENT:
        own = render_own(kind, event, site, templates)
        text = text if own == text else _SILENCED.format(own)
    return f"{text} # flightdeck:{_VERSION}:{kind.value}"


def render_own(kind: Kind, event: str, site: Site, templates: Templates) -> str:
    """Return what `templates` make of a hook, nothing around it.

    Raises:
        FlightdeckError, ConfigError: as `render_hook` says.
    """
    lines = _lines(templates.render(_template(kind), given(event, site)))
    _check(lines, _template(kind), templates)
    return " ".join(lines)


def given(event: str, site: Site) -> dict[str, object]:
    """Return everything a hook template is given, by name: its contract.

    Raises:
        FlightdeckError: as `render_hook` says.
    """
    return {
        "event": event,
        "names": NAMES,
        "bound": BOUND,
        "executable": _quoted(str(site.executable)),
        "root": _quoted(str(site.root)),
        "halt": _quoted(str(site.root / "halt")),
        "gate": _quoted(str(site.root / "gate")),
        "inbox": _quoted(str(site.root / "inbox")),
        "blocked": _quoted(str(site.root / "blocked")),
        "asks": _quoted(str(site.root / "asks")),
        "queue": _quoted(str(site.root / "queue")),
        "panel": _quoted(str(site.root / "panel.pid")),
        "head": _quoted(site.head),
        "rm": _quoted(site.rm),
        "mkfifo": _quoted(site.mkfifo),
        "mv": _quoted(site.mv),
    }


def is_ours(command: object) -> bool:
    """Say whether a hook's `command` carries our mark, of this version or another."""
    return isinstance(command, str) and _MARK.search(command) is not None


def waits(command: str) -> bool:
    """Say whether a command of ours waits for the panel, by its mark."""
    return _is(command, Kind.WAIT)


def drains(command: str) -> bool:
    """Say whether a command of ours delivers the verb that waits for its session, by its mark."""
    return _is(command, Kind.DRAIN)


def brakes(command: str) -> bool:
    """Say whether a command of ours may refuse a tool call, by its mark."""
    return _is(command, Kind.BRAKES)


def _is(command: str, kind: Kind) -> bool:
    found = _MARK.search(command)
    return found is not None and found[1] == kind.value


def _template(kind: Kind) -> str:
    return f"hooks/{kind.value}.sh.j2"


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _check(lines: list[str], name: str, templates: Templates) -> None:
    """Refuse what a shell would take for something else once it stands in one line."""
    for line in lines:
        told = ""
        if line.startswith("#"):
            told = "a shell comment would take in all that follows: write {# this #} instead"
        elif not line.isprintable():
            told = "a hook holds no control characters"
        if told:
            raise ConfigError([replace(templates.where(line, name), message=told)])
    if sum(map(len, lines)) > _LONGEST:
        told = f"a hook is no longer than {_LONGEST} characters"
        raise ConfigError([replace(templates.where("", name), message=told)])


def _quoted(path: str) -> str:
    if not path.isprintable():
        raise FlightdeckError(
            f"the path {path!r} cannot be written into a hook",
            "use a folder whose name has no control characters and is valid UTF-8",
        )
    return shlex.quote(path)
