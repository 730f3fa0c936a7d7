"""What each recorded payload says, and that no payload whatever makes the adapter raise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.agents.claude_code.payloads import ident, signals
from flightdeck.agents.claude_code.prompts import wake_line
from flightdeck.model.lifecycle import Reason
from flightdeck.model.place import Place
from flightdeck.model.signal import Kind, Signal
from tests.agents.recorded import PAYLOADS, an_event, event, recorded

SAYS = {
    "CwdChanged": Kind.MOVED,
    "Elicitation": Kind.ASKED,
    "ElicitationResult": Kind.ANSWERED,
    "Notification-agent_needs_input": Kind.NUDGED,
    "Notification-elicitation_dialog": Kind.NUDGED,
    "Notification-permission_prompt": Kind.NUDGED,
    "PostCompact": Kind.COMPACTED,
    "PostToolUseFailure": Kind.TOOL_ENDED,
    "PreCompact": Kind.COMPACTING,
    "SessionEnd-clear": Kind.LEFT,
    "SessionEnd-other": Kind.CLOSED,
    "SessionEnd-prompt_input_exit": Kind.CLOSED,
    "SessionEnd-resume": Kind.LEFT,
    "SessionStart-clear": Kind.STARTED,
    "SessionStart-compact": Kind.COMPACTED,
    "SessionStart-fork": Kind.STARTED,
    "SessionStart-resume": Kind.STARTED,
    "SessionStart-startup": Kind.STARTED,
    "SessionStart-startup-named": Kind.STARTED,
    "SessionStart-startup-print-mode": Kind.STARTED,
    "Stop": Kind.TURN_ENDED,
    "Stop-background-shell": Kind.TURN_ENDED,
    "Stop-background-subagent": Kind.TURN_ENDED,
    "Stop-hook-active": Kind.TURN_ENDED,
    "Stop-session-crons": Kind.TURN_ENDED,
    "StopFailure-authentication_failed": Kind.TURN_FAILED,
    "StopFailure-rate_limit": Kind.TURN_FAILED,
    "StopFailure-server_error": Kind.TURN_FAILED,
    "StopFailure-unknown": Kind.TURN_FAILED,
    "SubagentStop": Kind.SUBAGENT_ENDED,
    "UserPromptSubmit": Kind.PROMPTED,
    "UserPromptSubmit-auto": Kind.PROMPTED,
    "UserPromptSubmit-named-session": Kind.PROMPTED,
    "UserPromptSubmit-task-notification-shell": Kind.WOKEN,
    "UserPromptSubmit-task-notification-subagent": Kind.WOKEN,
}
TOKEN = "0123456789abcdef"
PREFIXES = {
    "PermissionRequest-": Kind.ASKED,
    "PreToolUse-": Kind.TOOL_STARTED,
    "PostToolUse-": Kind.TOOL_ENDED,
}

junk: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
hostile = st.one_of(
    junk,
    st.sampled_from(
        ["", "\0", "/\0", "../../etc", "/" * 5000, "x" * 100_000, "a\n", "\ud800", "/\ud800"]
    ),
)


def expected(name: str) -> Kind | None:
    by_prefix = (kind for prefix, kind in PREFIXES.items() if name.startswith(prefix))
    return SAYS.get(name) or next(by_prefix, None)


def only(name: str, **more: Any) -> Signal:
    (signal,) = signals(an_event(name, **more))
    return signal


@pytest.mark.parametrize("name", PAYLOADS)
def test_recorded_payload_says_what_happened(name: str) -> None:
    kind = expected(name)
    assert [signal.kind for signal in signals(an_event(name))] == ([kind] if kind else [])


@pytest.mark.parametrize("name", [name for name in PAYLOADS if expected(name)])
def test_every_signal_carries_the_facts_of_its_payload(name: str) -> None:
    payload, place = recorded(name), Place("app", program="xterm")
    signal = only(name, place=place, at=7.0, ident="id-1")
    said = signal.facts
    assert (said.session_id, said.transcript) == (payload["session_id"], payload["transcript_path"])
    assert (said.cwd, said.place, said.entrypoint) == (payload["cwd"], place, "cli")
    assert (signal.at, signal.request_id, signal.event) == (7.0, "id-1", payload["hook_event_name"])


def test_place_that_is_unknown_says_nothing_of_the_place() -> None:
    assert only("Stop").facts.place is None


def test_permission_mode_and_title_are_taken_where_they_are_said() -> None:
    assert only("UserPromptSubmit-auto").facts.permission_mode == "auto"
    assert only("SessionStart-startup-named").facts.title == "N-x3"
    assert only("SessionStart-startup").facts.title is None


def test_directory_the_shell_moved_to_is_where_the_session_is() -> None:
    moved = event(recorded("CwdChanged") | {"cwd": "/old", "new_cwd": "/new"})
    assert signals(moved)[0].facts.cwd == "/new"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("PermissionRequest-Bash-two-rules", Reason.PERMISSION),
        ("PermissionRequest-mcp", Reason.PERMISSION),
        ("PermissionRequest-AskUserQuestion", Reason.QUESTION),
        ("PermissionRequest-ExitPlanMode", Reason.PLAN),
        ("Elicitation", Reason.INPUT),
        ("Notification-permission_prompt", Reason.PERMISSION),
        ("Notification-elicitation_dialog", Reason.INPUT),
        ("Notification-agent_needs_input", Reason.INPUT),
    ],
)
def test_what_waits_says_for_what(name: str, reason: Reason) -> None:
    assert only(name).reason is reason


@pytest.mark.parametrize(
    ("name", "alone"),
    [
        ("PermissionRequest-Bash-two-rules", True),
        ("PermissionRequest-Edit", True),
        ("PermissionRequest-AskUserQuestion", True),
        ("PermissionRequest-Read", False),
        ("PermissionRequest-WebFetch", False),
        ("PermissionRequest-mcp", False),
        ("Elicitation", False),
        ("PreToolUse-Agent", False),
    ],
)
def test_call_says_whether_it_runs_beside_others(name: str, alone: bool) -> None:
    assert only(name).alone is alone


@pytest.mark.parametrize("name", ["PermissionRequest-Bash-subagent", "PreToolUse-Bash-subagent"])
def test_subagents_call_names_its_thread(name: str) -> None:
    assert only(name).thread == recorded(name)["agent_id"]


def test_main_threads_call_names_none() -> None:
    assert only("PermissionRequest-Bash-two-rules").thread == ""


def test_same_call_has_one_fingerprint_whatever_the_order_of_its_fields() -> None:
    one = recorded("PreToolUse-Bash")
    same = dict(reversed(one["tool_input"].items()))
    (first,), (second,) = signals(event(one)), signals(event(one | {"tool_input": same}))
    assert first.fingerprint == second.fingerprint


def test_another_call_has_another_fingerprint() -> None:
    one = recorded("PreToolUse-Bash")
    (first,), (second,) = (
        signals(event(one)),
        signals(event(one | {"tool_input": {"command": "x"}})),
    )
    assert first.fingerprint != second.fingerprint


@pytest.mark.parametrize(
    ("tasks", "left"),
    [
        ([], (False, False)),
        ([{"type": "shell", "status": "running"}], (True, False)),
        ([{"type": "subagent"}], (True, False)),
        ([{"type": "subagent", "status": "completed"}], (False, False)),
        ([{"type": "workflow", "status": "running"}], (True, True)),
        ([{"type": "shell"}, {"type": "monitor"}], (True, True)),
        ([{"status": "running"}], (True, True)),
        (["what"], (True, True)),
        ([{"type": ["shell"], "status": {"a": 1}}], (True, True)),
        (None, (False, False)),
        ("shell", (False, False)),
    ],
)
def test_stop_says_what_it_left_running(tasks: object, left: tuple[bool, bool]) -> None:
    (signal,) = signals(event(recorded("Stop") | {"background_tasks": tasks}))
    assert (signal.running, signal.untold) == left


@pytest.mark.parametrize(
    ("error", "word"), [("overloaded", "overloaded"), ("", "unknown"), (7, "unknown")]
)
def test_failure_says_its_word(error: object, word: str) -> None:
    (signal,) = signals(event(recorded("StopFailure-unknown") | {"error": error}))
    assert signal.error == word


def test_elicitation_and_its_result_speak_of_the_same_server() -> None:
    assert only("Elicitation").tool == only("ElicitationResult").tool == "mcp:labmcp"


def test_stop_that_handed_over_a_verb_is_a_delivery_and_no_end() -> None:
    (signal,) = signals(replace(event(recorded("Stop"), name="Drained"), about=TOKEN))
    assert (signal.kind, signal.event, signal.token) == (Kind.DELIVERED, "Drained", TOKEN)
    assert signal.facts.session_id == recorded("Stop")["session_id"]


@pytest.mark.parametrize("about", ["", "0123456789ABCDEF", f"{TOKEN}0", f"{TOKEN}\n", "a:b"])
def test_stop_that_names_no_verb_delivered_one_all_the_same(about: str) -> None:
    (signal,) = signals(replace(event(recorded("Stop"), name="Drained"), about=about))
    assert (signal.kind, signal.token) == (Kind.DELIVERED, "")


def prompted(prompt: object) -> Signal:
    (signal,) = signals(event(recorded("UserPromptSubmit") | {"prompt": prompt}))
    return signal


def test_prompt_that_names_a_staged_verb_says_which_and_keeps_nothing_else() -> None:
    signal = prompted(wake_line("PUSH IT", Path("/h/x y/.fleet/queue/0123456789abcdef.md")))
    assert (signal.kind, signal.token) == (Kind.PROMPTED, "0123456789abcdef")
    assert "PUSH IT" not in repr(signal)


@pytest.mark.parametrize(
    "prompt",
    [
        "read /q/0123456789abcdef.md",
        "flightdeck TEST: do what @/q/0123.md says",
        "say\nflightdeck TEST: do what @/q/0123456789abcdef.md says",
        "<task-notification>flightdeck T: do what @/q/0123456789abcdef.md says",
        ["flightdeck TEST: do what @/q/0123456789abcdef.md says"],
        None,
    ],
)
def test_prompt_of_a_person_names_none(prompt: object) -> None:
    assert prompted(prompt).token == ""


@pytest.mark.parametrize("name", PAYLOADS)
def test_nothing_a_person_or_a_model_wrote_is_kept(name: str) -> None:
    secret = "c0ffee-s3cret"
    payload = recorded(name) | {
        "prompt": secret,
        "tool_input": {"command": secret},
        "last_assistant_message": secret,
        "message": secret,
    }
    assert secret not in repr(signals(event(payload)))


@pytest.mark.parametrize("name", [name for name in PAYLOADS if expected(name)])
def test_payload_without_a_single_field_is_no_fault(name: str) -> None:
    assert len(signals(event({}, name=recorded(name)["hook_event_name"]))) <= 1


@given(st.sampled_from(PAYLOADS), st.data())
def test_field_that_is_missing_or_wrong_raises_nothing(name: str, data: st.DataObject) -> None:
    payload = recorded(name)
    field = data.draw(st.sampled_from(sorted(payload)))
    told = payload["hook_event_name"]
    if data.draw(st.booleans()):
        del payload[field]
    else:
        payload[field] = data.draw(hostile)
    for signal in signals(event(payload, name=told)):
        said = signal.facts
        for path in (said.cwd, said.transcript):
            assert path == "" or (path.startswith("/") and "\0" not in path)
            path.encode()
        assert said.session_id == "" or ident(said.session_id)


@given(st.sampled_from(sorted({recorded(n)["hook_event_name"] for n in PAYLOADS})), junk)
def test_payload_of_anything_at_all_raises_nothing(name: str, value: object) -> None:
    keys = {key for recording in PAYLOADS for key in recorded(recording)}
    signals(event(dict.fromkeys(keys, value), name=name))


def test_input_nested_too_deeply_to_be_told_apart_still_asks() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    (signal,) = signals(event(recorded("PermissionRequest-Edit") | {"tool_input": deep}))
    assert (signal.kind, signal.fingerprint) == (Kind.ASKED, "")
    while deep:  # let go of it level by level: freeing it at once would recurse
        deep = deep[0]


@pytest.mark.parametrize("value", ["../up", "a/b", ".hidden", "a\n", "", "x" * 129, None, 5, ["a"]])
def test_id_that_may_not_become_a_file_name_is_none(value: object) -> None:
    assert ident(value) == ""


def test_event_of_an_unknown_name_says_nothing() -> None:
    assert signals(event({}, name="PostModelSwitch2")) == []
