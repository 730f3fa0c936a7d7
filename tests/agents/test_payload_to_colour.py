"""Public reports of status panels that lied, from the client's own payloads to the colour.

Each test names the report it comes from. No registry here: what hooks alone can know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.agents.claude_code.payloads import signals
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.transition import apply
from flightdeck.model.witness import weigh
from tests.agents.recorded import event
from tests.factories import a_session

if TYPE_CHECKING:
    from flightdeck.model.session import Session, Shown

COMMON = {"session_id": "s-aaaa", "transcript_path": "/T/s-aaaa.jsonl", "cwd": "/R/app"}
MAKE: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make"}}
READ: dict[str, Any] = {"tool_name": "Read", "tool_input": {"file_path": "/R/app/a"}}


@dataclass
class Hooks:
    """A session that hears payloads; `now` turns by hand."""

    session: Session = field(default_factory=a_session)
    now: float = 1000.0

    def hear(self, name: str, *, after: float = 0.01, **payload: Any) -> Shown:
        """Let `after` seconds pass and a hook speak; return what is shown then."""
        self.now += after
        heard = event(COMMON | payload, name=name, at=self.now, ident=f"{self.now}")
        for signal in signals(heard):
            self.session = apply(self.session, signal)
        self.session, _ = weigh(self.session, self.now)
        return self.session.shown


def test_idle_prompt_a_minute_later_leaves_green_and_its_time_alone() -> None:
    """phnx-labs/agi-cli#3562, anthropics/claude-code#79617."""
    hooks = Hooks()
    done = hooks.hear("Stop", background_tasks=[])
    later = hooks.hear("Notification", after=60.0, notification_type="idle_prompt")
    assert (done.state, later) == (State.DONE, done)


def test_amber_does_not_wait_for_a_notification() -> None:
    """y49/tlive#62, anthropics/claude-code#43530 and #9575."""
    hooks = Hooks()
    hooks.hear("UserPromptSubmit", prompt="go")
    assert hooks.hear("PermissionRequest", **MAKE).state is State.BLOCKED


def test_notification_after_the_answer_does_not_bring_amber_back() -> None:
    """y49/tlive#62, Synaptic-Labs-AI/PACT-Plugin#461."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE)
    hooks.hear("PreToolUse", after=4.0, **READ)
    shown = hooks.hear("Notification", after=2.4, notification_type="permission_prompt")
    assert (shown.state, hooks.session.requests) == (State.WORKING, ())


def test_turn_that_leaves_a_subagent_running_is_blue_until_it_all_ends() -> None:
    """benfriebe/nex#215, herdrdev/herdr#509, anthropics/claude-code#80246."""
    hooks = Hooks()
    subagent = {"id": "b1", "type": "subagent", "status": "running"}
    states = [
        hooks.hear("UserPromptSubmit", prompt="go").state,
        hooks.hear("Stop", background_tasks=[subagent]).state,
        hooks.hear("PreToolUse", **READ).state,
        hooks.hear("Stop", background_tasks=[]).state,
    ]
    assert states == [State.WORKING, State.WORKING, State.WORKING, State.DONE]


def test_session_start_of_a_compaction_in_mid_turn_is_not_a_start() -> None:
    """im-ian/acorn#708, asheshgoplani/agent-deck#226."""
    hooks = Hooks()
    hooks.hear("UserPromptSubmit", prompt="go")
    assert hooks.hear("SessionStart", source="compact").state is State.WORKING


def test_stop_another_hook_refused_is_not_the_end() -> None:
    """anthropics/claude-code#77686 and #83266."""
    hooks = Hooks()
    states = [
        hooks.hear("Stop", background_tasks=[], stop_hook_active=False).state,
        hooks.hear("PreToolUse", tool_name="Bash", tool_input={"command": "pytest"}).state,
        hooks.hear("Stop", background_tasks=[], stop_hook_active=True).state,
    ]
    assert states == [State.DONE, State.WORKING, State.DONE]


def test_fresh_session_that_did_nothing_is_grey() -> None:
    """warpdotdev/claude-code-warp#28."""
    assert Hooks().hear("SessionStart", source="startup").state is State.IDLE


def test_cleared_session_is_grey_and_stays_so() -> None:
    """manaflow-ai/cmux#9123."""
    hooks = Hooks()
    hooks.hear("UserPromptSubmit", prompt="go")
    hooks.hear("Stop", background_tasks=[])
    hooks.hear("SessionEnd", reason="clear")
    shown = hooks.hear("SessionStart", source="clear", session_id="s-bbbb")
    assert (shown.state, hooks.session.session_id) == (State.IDLE, "s-bbbb")


def test_end_of_a_subagent_does_not_end_its_parents_turn() -> None:
    """ShreyPaharia/octomux#49."""
    hooks = Hooks()
    hooks.hear("UserPromptSubmit", prompt="go")
    shown = hooks.hear("SubagentStop", agent_id="a1", agent_type="Explore", background_tasks=[])
    assert shown.state is State.WORKING


def test_fork_the_client_makes_for_itself_is_nobodys_end() -> None:
    """manaflow-ai/cmux#2910: a compaction ends a sub-agent that never began."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE, agent_id="a1")
    assert hooks.hear("SubagentStop", agent_id="a1", agent_type="").state is State.BLOCKED


def test_killed_subagent_that_never_said_goodbye_does_not_hold_amber_for_ever() -> None:
    """anthropics/claude-code#92716."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE, agent_id="a1")
    assert hooks.hear("Stop", background_tasks=[]).state is State.DONE


def test_question_waits_like_a_permission_but_says_it_is_one() -> None:
    """anthropics/claude-code#59908, #74052 and #77804."""
    shown = Hooks().hear("PermissionRequest", tool_name="AskUserQuestion", tool_input={})
    assert (shown.state, shown.reason) == (State.BLOCKED, Reason.QUESTION)


def test_failed_turn_is_red_and_names_its_error() -> None:
    """manaflow-ai/cmux#2488, asheshgoplani/agent-deck#1802."""
    hooks = Hooks()
    hooks.hear("UserPromptSubmit", prompt="go")
    shown = hooks.hear("StopFailure", error="rate_limit")
    assert (shown.state, shown.error) == (State.FAILED, "rate_limit")


def test_approved_build_is_blue_from_its_first_sign_of_progress() -> None:
    """corveil/crow#44, vfarcic/dot-agent-deck#372."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE)
    assert hooks.hear("PostToolUse", **MAKE, after=60.0).state is State.WORKING


def test_second_request_does_not_replace_the_first() -> None:
    """anthropics/claude-code#65910."""
    hooks = Hooks()
    first = hooks.hear("PermissionRequest", **READ)
    second = hooks.hear("PermissionRequest", **(READ | {"tool_input": {"file_path": "/b"}}))
    assert (len(hooks.session.requests), second.since) == (2, first.since)


def test_hooks_installed_at_two_paths_ask_once() -> None:
    """SeemSeam/claude_codex_bridge#223."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE)
    hooks.hear("PermissionRequest", **MAKE)
    assert len(hooks.session.requests) == 1


def test_answer_of_one_subagent_leaves_the_other_waiting() -> None:
    """rullerzhou-afk/clawd-on-desk#90."""
    hooks = Hooks()
    hooks.hear("PermissionRequest", **MAKE, agent_id="a1")
    hooks.hear("PermissionRequest", **MAKE, agent_id="a2")
    assert hooks.hear("PostToolUse", **MAKE, agent_id="a1").state is State.BLOCKED
    assert [request.thread for request in hooks.session.requests] == ["a2"]
