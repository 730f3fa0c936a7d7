"""Which events we ask Claude Code for, and with which hook.

Reads templates, and runs hooks of the user's own before it returns one.

Source: templates/hooks/README.md; Claude Code's changelog for the versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.templates import HOOKS, load_templates, template_files
from flightdeck.errors import ConfigError
from flightdeck.install import trial
from flightdeck.install.snippets import Kind, Site, render_hook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from flightdeck.errors import Problem

Version = tuple[int, int, int]

# A client before this one drops its whole settings file over an event it does not know.
TOLERANT: Version = (2, 1, 101)
# The first that says by itself when it needs a permission.
PERMISSION: Version = (2, 0, 45)
PERMISSION_EVENT = "PermissionRequest"
STOP_EVENT = "Stop"

_ALWAYS: Version = (0, 0, 0)

# Not here on purpose: MessageDisplay fires many times a turn, and a WorktreeCreate hook
# replaces git. Where the changelog does not name an event's first version, the one here
# is the earliest known to have it: too late costs an event, too early every setting.
_EVENTS: Mapping[str, tuple[Kind, Version]] = {
    "SessionStart": (Kind.SPOOL, (1, 0, 62)),
    "SessionEnd": (Kind.SPOOL, (1, 0, 85)),
    "UserPromptSubmit": (Kind.SPOOL, (1, 0, 54)),
    PERMISSION_EVENT: (Kind.WAIT, PERMISSION),
    "Notification": (Kind.SPOOL, _ALWAYS),
    STOP_EVENT: (Kind.DRAIN, _ALWAYS),
    "StopFailure": (Kind.SPOOL, (2, 1, 78)),
    "SubagentStop": (Kind.SPOOL, (1, 0, 41)),
    "PreCompact": (Kind.SPOOL, (1, 0, 48)),
    "PostCompact": (Kind.SPOOL, (2, 1, 76)),
    "Elicitation": (Kind.SPOOL, (2, 1, 76)),
    "ElicitationResult": (Kind.SPOOL, (2, 1, 76)),
    "CwdChanged": (Kind.SPOOL, (2, 1, 83)),
    "PreToolUse": (Kind.BRAKES, _ALWAYS),
    "PreSkillShellCommand": (Kind.BRAKES, TOLERANT),
    "PostToolUse": (Kind.GUARD, _ALWAYS),
    "PostToolUseFailure": (Kind.GUARD, (2, 1, 89)),
}


def events_known_to(version: Version | None) -> tuple[str, ...]:
    """Return the events to install for a client of `version`; None is the newest."""
    if version is None or version >= TOLERANT:
        return tuple(_EVENTS)
    return tuple(event for event, (_, first) in _EVENTS.items() if version >= first)


def desired(version: Version | None, site: Site) -> dict[str, str]:
    """Return the command each event should have, in the order they are written.

    Own templates in the state folder come before the shipped ones, if what they make keeps
    what hooks promise: it is tried.

    Raises:
        FlightdeckError: a path of `site` cannot stand in a hook.
        ConfigError: a template of the user's has a problem; every one of them is told.
    """
    events = events_known_to(version)
    own = site.root / "templates" / HOOKS
    if problems := problems_of_own(own, site, events):
        raise ConfigError(problems)
    return _rendered(events, site, own)


def own_events(version: Version | None, site: Site) -> tuple[str, ...]:
    """Return the events whose hook is another for the user's own templates.

    Raises:
        ConfigError: as `desired` does.
    """
    return _others(events_known_to(version), site, site.root / "templates" / HOOKS)


def own_notes(version: Version | None, site: Site) -> list[str]:
    """Return what to say of hooks that come from the user's own templates, if any do.

    Raises:
        ConfigError: as `desired` does.
    """
    events = own_events(version, site)
    folder = site.root / "templates" / HOOKS
    return [f"from your own templates in {folder}: {', '.join(events)}"] if events else []


def problems_of_own(own: Path, site: Site, events: Sequence[str] = tuple(_EVENTS)) -> list[Problem]:
    """Return what is wrong with the hook templates in `own`: each is rendered and tried.

    Raises:
        FlightdeckError: a path of `site` cannot stand in a hook.
    """
    try:
        others = _others(events, site, own)
        wanted = {event: _EVENTS[event][0] for event in others}
        return list(trial.problems_of(wanted, load_templates(HOOKS, own), site)) if wanted else []
    except ConfigError as error:
        return list(error.problems)


def _others(events: Sequence[str], site: Site, own: Path) -> tuple[str, ...]:
    shipped, ours = _rendered(events, site), _rendered(events, site, own)
    return tuple(event for event in events if shipped[event] != ours[event])


def _rendered(events: Sequence[str], site: Site, own: Path | None = None) -> dict[str, str]:
    has_own = own is not None and template_files(own, HOOKS)
    templates = load_templates(HOOKS, own) if has_own else None
    return {event: render_hook(_EVENTS[event][0], event, site, templates) for event in events}


def doubts(version: Version | None) -> list[str]:
    """Return what a person should know about installing for a client of `version`."""
    if version is None:
        return ["the version of claude is unknown; its newest is assumed"]
    if version < PERMISSION:
        found, needed = (".".join(map(str, which)) for which in (version, PERMISSION))
        what = f"claude {found} does not report permission prompts"
        return [f"{what}; the permission keys of row 3 need {needed} or later"]
    return []
