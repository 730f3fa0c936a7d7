"""A client is asked only for events its version knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from flightdeck.install.desired import Version, desired, doubts, events_known_to
from flightdeck.install.snippets import Site

SITE = Site(Path("/opt/flightdeck"), Path("/home/me/.fleet"))
OLD = "does not report permission prompts; the permission keys of row 3 need 2.0.45 or later"
NEW = {
    "StopFailure",
    "PostCompact",
    "Elicitation",
    "ElicitationResult",
    "CwdChanged",
    "PostToolUseFailure",
    "PreSkillShellCommand",
}


def test_old_client_is_not_asked_for_what_it_does_not_know() -> None:
    known = set(events_known_to((2, 0, 42)))
    assert not known & (NEW | {"PermissionRequest"})
    assert {"SessionStart", "Stop", "PreToolUse", "Notification"} <= known


@pytest.mark.parametrize(
    ("version", "event"),
    [
        ((2, 0, 45), "PermissionRequest"),
        ((2, 1, 76), "PostCompact"),
        ((2, 1, 76), "Elicitation"),
        ((2, 1, 78), "StopFailure"),
        ((2, 1, 83), "CwdChanged"),
        ((2, 1, 89), "PostToolUseFailure"),
        ((2, 1, 101), "PreSkillShellCommand"),
    ],
)
def test_event_comes_with_its_first_version(version: Version, event: str) -> None:
    major, minor, patch = version
    assert event in events_known_to(version)
    assert event not in events_known_to((major, minor, patch - 1))


@pytest.mark.parametrize("version", [None, (2, 1, 101), (2, 1, 332), (3, 0, 0)])
def test_newer_or_unknown_client_is_asked_for_everything(version: Version | None) -> None:
    known = events_known_to(version)
    assert len(known) == 17
    assert not {"MessageDisplay", "WorktreeCreate"} & set(known)


def test_every_event_has_the_hook_it_needs() -> None:
    kinds = {event: command.rsplit(":", 1)[1] for event, command in desired(None, SITE).items()}
    brakes = {"PreToolUse", "PreSkillShellCommand"}
    results = {"PostToolUse", "PostToolUseFailure"}
    assert {event for event, kind in kinds.items() if kind == "brakes"} == brakes
    assert {event for event, kind in kinds.items() if kind == "guard"} == results
    assert {event for event, kind in kinds.items() if kind == "wait"} == {"PermissionRequest"}
    assert {event for event, kind in kinds.items() if kind == "drain"} == {"Stop"}
    assert set(kinds.values()) == {"guard", "spool", "wait", "brakes", "drain"}


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (None, ["the version of claude is unknown; its newest is assumed"]),
        (
            (2, 0, 42),
            [f"claude 2.0.42 {OLD}"],
        ),
        ((2, 0, 45), []),
    ],
)
def test_doubts_about_a_version_are_said(version: Version | None, expected: list[str]) -> None:
    assert doubts(version) == expected
