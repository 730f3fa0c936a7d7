"""Which events we ask Claude Code for, and with which hook.

Pure but for the templates the commands are rendered from.

Source: templates/hooks/README.md; Claude Code's changelog for the versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install.snippets import Kind, Site, render_hook

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    Raises:
        FlightdeckError: a path of `site` cannot stand in a hook.
    """
    return {
        event: render_hook(_EVENTS[event][0], event, site) for event in events_known_to(version)
    }


def doubts(version: Version | None) -> list[str]:
    """Return what a person should know about installing for a client of `version`."""
    if version is None:
        return ["the version of claude is unknown; its newest is assumed"]
    if version < PERMISSION:
        found, needed = (".".join(map(str, which)) for which in (version, PERMISSION))
        what = f"claude {found} does not report permission prompts"
        return [f"{what}; the permission keys of row 3 need {needed} or later"]
    return []
