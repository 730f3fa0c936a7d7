"""The resumed guard: nothing at all, unless the session it runs in waits for the operator."""

from __future__ import annotations

import os

import pytest

from flightdeck.install.snippets import Kind
from flightdeck.model.event import END
from tests.hooks.place import QUIET, SESSION, Place, end_of

PAYLOAD = b'{"hook_event_name":"PreToolUse"}\n'


def guard(place: Place) -> str:
    return place.command(Kind.GUARD, "PreToolUse")


def wait_for_operator(place: Place, session: str = SESSION) -> None:
    (place.root / "blocked" / session).write_text("")


def test_guard_spools_the_call_of_a_session_that_waits(place: Place) -> None:
    wait_for_operator(place)
    assert place.fire(PAYLOAD, guard(place)) == QUIET
    (event,) = place.spooled()
    assert event.name.endswith(".PreToolUse.ev")
    assert event.read_bytes().startswith(b"flightdeck1\x1fPreToolUse\x1f4242\x1f")
    assert event.read_bytes().endswith(PAYLOAD + END)


def test_guard_spools_nothing_of_any_other_session(place: Place) -> None:
    wait_for_operator(place, "another")
    assert place.fire(b"", guard(place)) == QUIET
    assert place.spooled() == []


def test_idle_guard_ends_without_reading(place: Place) -> None:
    with place.client(guard(place)) as hook:
        assert end_of(hook) == QUIET


def test_idle_guard_needs_neither_path_nor_home(place: Place) -> None:
    environ = {"PATH": "", "CLAUDE_CODE_SESSION_ID": SESSION}
    assert place.fire(b"", guard(place), environ=environ) == QUIET


def test_guard_starts_no_program_when_it_is_idle(place: Place) -> None:
    site = place.site()
    command = guard(place)
    for program in (site.head, site.rm):
        command = command.replace(program, "/nowhere/at/all")
    assert place.fire(b"", command) == QUIET


@pytest.mark.parametrize("session", [None, "", ".", "..", "../blocked/x", "/etc/passwd", "a/b"])
def test_session_that_is_no_file_name_is_nothing(place: Place, session: str | None) -> None:
    wait_for_operator(place, "x")
    environ = {} if session is None else {"CLAUDE_CODE_SESSION_ID": session}
    with place.client(guard(place), environ=environ) as hook:
        assert end_of(hook) == QUIET
    assert place.spooled() == []


@pytest.mark.parametrize("session", ["$(touch x)", "a b", "'", '"', "*", "é", "-e", "!"])
def test_name_of_a_session_is_never_run_or_expanded(place: Place, session: str) -> None:
    wait_for_operator(place, "some")
    place.environ = {"CLAUDE_CODE_SESSION_ID": session}
    assert place.fire(b"", guard(place)) == QUIET
    assert place.spooled() == []


def test_guard_is_quiet_when_the_state_folder_is_gone(place: Place) -> None:
    command = guard(place)
    os.rename(place.root, place.root.with_name("gone"))  # noqa: PTH104 - not pathlib's business
    assert place.fire(b"", command) == QUIET
