"""HALT and GATE inside the agent: what the one hook before a tool call lets through.

Cases: HA-01, HA-02, HA-04, HA-05, HA-08, HA-13 of the public reports on hooks that let
a call pass because they were slow, lost or looked in the wrong place.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.install.snippets import Kind
from flightdeck.store.paths import StateFolder
from tests.commands.running import spare_it_compiling
from tests.hooks.place import QUIET, SESSION, Ended, Place, end_of, is_root

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVENTS = ["PreToolUse", "PreSkillShellCommand"]
LS: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/"}


def payload(**more: Any) -> bytes:
    """Return what the client tells of a call, one line."""
    told = {"session_id": SESSION, "hook_event_name": "PreToolUse", **LS, **more}
    return json.dumps(told).encode() + b"\n"


def brakes(place: Place, event: str = "PreToolUse") -> str:
    return place.command(Kind.BRAKES, event)


def halt(place: Place) -> None:
    (place.root / "halt").touch()


def gate(place: Place, session: str = SESSION) -> None:
    (place.root / "gate").mkdir(exist_ok=True)
    (place.root / "gate" / session).write_text("GUARDED\n")


def fire(place: Place, call: bytes, command: str, environ: dict[str, str] | None = None) -> Ended:
    """Run a hook that reads nothing; a client minds no pipe that is closed before its time."""
    return replace(place.fire(call, command, environ=environ), broken=False)


def check(place: Place, script: str) -> None:
    """Put `script` in the place of `flightdeck`, which judges gated calls."""
    place.executable.write_text(f"#!/bin/sh\n{script}\n")


def denied(ended: Ended, event: str = "PreToolUse") -> dict[str, Any]:
    """Return the one answer of a hook that refused."""
    assert (ended.code, ended.err) == (0, b"")
    answer: dict[str, Any] = json.loads(ended.out)
    told = answer["hookSpecificOutput"]
    assert (told["hookEventName"], told["permissionDecision"]) == (event, "deny")
    assert told["permissionDecisionReason"]
    return answer


@pytest.mark.parametrize("event", EVENTS)
def test_latch_refuses_the_call_and_ends_the_turn(place: Place, event: str) -> None:
    halt(place)
    answer = denied(fire(place, payload(), brakes(place, event)), event)
    assert answer["continue"] is False
    assert answer["stopReason"]


@pytest.mark.parametrize("event", EVENTS)
def test_without_latch_and_gate_nothing_is_said(place: Place, event: str) -> None:
    assert fire(place, payload(), brakes(place, event)) == QUIET


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"PATH": "", "HOME": "/nonexistent"},
        {"FLEET_HOME": "/tmp/elsewhere"},
        {"CDPATH": "/", "IFS": "/", "ENV": "/nonexistent"},
    ],
)
@pytest.mark.parametrize("latched", [True, False])
def test_environment_decides_nothing(place: Place, environ: dict[str, str], latched: bool) -> None:
    if latched:
        halt(place)
    ended = fire(place, payload(), brakes(place), environ=environ)
    assert denied(ended) if latched else ended == QUIET


@pytest.mark.parametrize("option", ["nounset", "errexit", "noclobber", "noglob"])
@pytest.mark.parametrize("latched", [True, False])
def test_settings_a_shell_inherits_decide_nothing(place: Place, option: str, latched: bool) -> None:
    if latched:
        halt(place)
    ended = fire(place, payload(), brakes(place), environ={"SHELLOPTS": option})
    assert denied(ended) if latched else ended == QUIET


def test_call_is_refused_where_nothing_of_us_is_left_but_the_latch(place: Place) -> None:
    command = brakes(place)
    halt(place)
    place.executable.unlink()
    for part in ("inbox", "blocked", "asks"):
        shutil.rmtree(place.root / part)
    denied(fire(place, payload(), command))


def test_folder_the_hook_was_started_in_may_be_gone(place: Place, tmp_path: Path) -> None:
    halt(place)
    gone = tmp_path / "worktree"
    gone.mkdir()
    command = brakes(place)
    inside = f"cd '{gone}' && rmdir '{gone}' && {{ {command}\n}}"
    denied(fire(place, payload(), inside))


def test_uninstalled_and_unlatched_it_is_silent(place: Place) -> None:
    command = brakes(place)
    place.executable.unlink()
    shutil.rmtree(place.root)
    assert fire(place, payload(), command) == QUIET


def test_nothing_is_read_before_it_refuses(place: Place) -> None:
    halt(place)
    with place.client(brakes(place)) as hook:
        denied(end_of(hook))


def test_no_payload_is_too_large_to_be_refused(place: Place) -> None:
    halt(place)
    huge = payload(tool_input={"command": "x" * 20_000_000})
    denied(fire(place, huge, brakes(place)))


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep every core of this machine busy for a while."""
    with contextlib.ExitStack() as ended:
        for _ in range(loops):
            loop = ended.enter_context(subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]))
            ended.callback(loop.kill)
        yield


def test_machine_that_is_busy_lets_no_call_pass(place: Place) -> None:
    halt(place)
    with busy(16):
        denied(fire(place, payload(), brakes(place)))


@pytest.mark.parametrize(
    "more",
    [
        {"agent_id": "ag-1", "agent_type": "Explore"},
        {"permission_mode": "bypassPermissions"},
        {"permission_mode": "auto"},
        {"permission_mode": "dontAsk"},
    ],
)
def test_sub_agents_and_every_permission_mode_are_refused(
    place: Place, more: dict[str, str]
) -> None:
    halt(place)
    denied(fire(place, payload(**more), brakes(place)))


def test_link_that_leads_nowhere_is_a_latch(place: Place) -> None:
    (place.root / "halt").symlink_to("/nowhere/at/all")
    denied(fire(place, payload(), brakes(place)))


def test_folder_in_the_place_of_the_latch_is_a_latch(place: Place) -> None:
    (place.root / "halt").mkdir()
    denied(fire(place, payload(), brakes(place)))


def test_state_folder_nobody_may_look_into_counts_as_latched(place: Place) -> None:
    command = brakes(place)
    if is_root():  # who may look into every folder, but for the powers this takes away
        words = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", place.shell, "-c", command]
        command = f"exec {shlex.join(words)}"
    place.root.chmod(0)
    try:
        denied(fire(place, payload(), command))
    finally:
        place.root.chmod(0o700)


def test_answer_that_cannot_be_printed_is_given_by_the_exit_code(place: Place) -> None:
    halt(place)
    ended = fire(place, payload(), f"exec >&-; {brakes(place)}")
    assert ended.code == 2
    assert b"HALT" in ended.err


@pytest.mark.parametrize(("word", "code"), [("pass", 0), ("", 7), ("", 0)])
def test_helper_that_fails_changes_no_answer_of_the_latch(
    place: Place, word: str, code: int
) -> None:
    check(place, f"echo {word}; exit {code}")
    gate(place)
    halt(place)
    assert denied(fire(place, payload(), brakes(place)))["continue"] is False


def test_helper_that_is_missing_blocks_no_call_where_nothing_is_set(place: Place) -> None:
    command = brakes(place)
    place.executable.unlink()
    assert fire(place, payload(), command) == QUIET


def test_gate_lets_through_what_the_check_says_may_pass(place: Place) -> None:
    check(place, "read -r line; echo pass")
    gate(place)
    assert fire(place, payload(), brakes(place)) == QUIET


def test_gate_refuses_in_the_words_of_the_check_and_the_turn_goes_on(place: Place) -> None:
    said = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    said += '"permissionDecisionReason": "no"}}'
    check(place, f"echo '{said}'; exit 1")
    gate(place)
    answer = denied(fire(place, payload(), brakes(place)))
    assert answer == json.loads(said)


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "exit 1",
        "echo pass; exit 1",
        "echo pass; echo pass",
        "echo PASS",
        "echo '{}'; exit 1",
        'echo \'{"hookSpecificOutput": {"permissionDecision": "allow"}}\'',
        'echo \'{"hookSpecificOutput": {"permissionDecision": "allow"}}\'; exit 1',
        "echo broken >&2; exit 3",
        "kill -ALRM $$; sleep 60",
        "kill -KILL $$",
    ],
)
def test_whatever_else_comes_of_the_check_refuses_the_call(place: Place, script: str) -> None:
    check(place, script)
    gate(place)
    told = denied(fire(place, payload(), brakes(place)))["hookSpecificOutput"]
    assert "could not be checked" in told["permissionDecisionReason"]


@pytest.mark.parametrize("event", EVENTS)
def test_gate_refuses_where_flightdeck_is_gone(place: Place, event: str) -> None:
    command = brakes(place, event)
    gate(place)
    place.executable.unlink()
    denied(fire(place, payload(), command), event)


def test_gate_refuses_where_flightdeck_may_not_be_run(place: Place) -> None:
    gate(place)
    place.executable.chmod(stat.S_IRUSR)
    if is_root():
        place.executable.write_text("#!/nowhere/at/all\n")
    denied(fire(place, payload(), brakes(place)))


def test_check_is_asked_with_the_call_the_event_and_the_folder_of_the_hook(
    place: Place, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    check(place, f'read -r line; printf "%s|" "$@" "$FLEET_HOME" "$line" >{seen}; echo pass')
    gate(place)
    fire(place, payload(), brakes(place))
    told = seen.read_text(encoding="utf-8").split("|")
    assert told[:4] == ["gate", "--check", "PreToolUse", str(place.root)]
    assert json.loads(told[4])["tool_name"] == "Bash"


def test_gate_of_another_session_is_none(place: Place) -> None:
    check(place, "exit 9")
    gate(place, "another")
    assert fire(place, payload(), brakes(place)) == QUIET


@pytest.mark.parametrize("session", [None, "", ".", "..", "../gate/x", "/etc/passwd", "a/b"])
def test_session_that_is_no_file_name_has_no_gate(place: Place, session: str | None) -> None:
    check(place, "exit 9")
    gate(place, "x")
    environ = {} if session is None else {"CLAUDE_CODE_SESSION_ID": session}
    assert fire(place, payload(), brakes(place), environ=environ) == QUIET


def test_idle_brakes_start_no_program(place: Place) -> None:
    command = brakes(place)
    environ = {"PATH": "", "CLAUDE_CODE_SESSION_ID": SESSION}
    site = place.site()
    for program in (site.head, site.rm, str(place.executable)):
        command = command.replace(program, "/nowhere/at/all")
    with place.client(command, environ=environ) as hook:
        assert end_of(hook) == QUIET


def test_true_check_passes_what_is_harmless_and_refuses_what_is_not(place: Place) -> None:
    check(place, f'exec {sys.executable} -m flightdeck "$@"')
    place.environ = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    spare_it_compiling(StateFolder(place.root))
    gate(place)
    assert fire(place, payload(), brakes(place)) == QUIET
    high = payload(tool_input={"command": "rm -rf /"}, permission_mode="bypassPermissions")
    told = denied(fire(place, high, brakes(place)))["hookSpecificOutput"]
    assert "GUARDED, and the call is high risk: " in told["permissionDecisionReason"]
    assert "rm -rf" not in told["permissionDecisionReason"]
