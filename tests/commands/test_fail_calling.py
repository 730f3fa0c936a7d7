"""`flightdeck fail` without a slot: it marks the session it was called from, or nobody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands.calling import Said, Shell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.fold.world import Machine

    Start = Callable[..., Shell]

PANE = {"TMUX": "/tmp/tmux-1/default,1,0", "TMUX_PANE": "%7"}
OTHER_PANE = PANE | {"TMUX_PANE": "%8"}


@pytest.fixture
def shell(machine: Machine) -> Iterator[Start]:
    """Start a shell with these names in its environment; it ends with the test."""
    started: list[Shell] = []

    def one(**names: str) -> Shell:
        started.append(Shell(machine, **names))
        return started[-1]

    yield one
    for it in started:
        it.end()


@pytest.fixture
def agent(machine: Machine, shell: Start) -> Shell:
    """An agent in slot 0 and pane %7; what it runs is told its id and its pid."""
    it = shell(**PANE)
    announced(machine, it.pid, "s-1", **PANE)
    it.runs("status", CLAUDE_CODE_SESSION_ID="s-1", CLAUDE_PID=str(it.pid))
    return it


def announced(machine: Machine, pid: int, session_id: str, **names: str) -> None:
    """Let a process be known as a session."""
    body = f'{{"session_id": "{session_id}", "cwd": "/R", "source": "startup"}}'
    machine.spool(pid, "SessionStart", body.encode(), **names)


def states(machine: Machine) -> list[tuple[str, str]]:
    """Return the state of every slot that is not empty, and on whose word it is shown."""
    rows = machine.snapshot()["slots"]
    return [(row["state"], row["how"]) for row in rows if row["state"] != "empty"]


def assert_refused(said: Said, *why: str) -> None:
    """Assert that nothing was done, and that these words say why."""
    assert said.code == 1
    assert said.out == ""
    assert said.err.startswith("flightdeck: whose command this is cannot be told: ")
    for words in (*why, "`flightdeck fail SLOT`"):
        assert words in said.err


RED = ("failed", "reported")
IDLE = ("idle", "hook")


def test_agent_marks_its_own_session_without_a_panel(machine: Machine, agent: Shell) -> None:
    assert agent.runs("fail") == Said(0, "slot 0 is marked as failed\n", "")
    assert states(machine) == [RED]


def test_agent_marks_its_own_session_among_others(machine: Machine, agent: Shell) -> None:
    machine.starts(machine.agent(), "s-2")
    assert agent.runs("fail").code == 0
    assert states(machine) == [RED, IDLE]


def test_sub_agent_marks_the_session_it_works_for(machine: Machine, agent: Shell) -> None:
    """Its command has the environment and the processes of the main thread's."""
    machine.says(agent.pid, "PreToolUse", session_id="s-1", agent_id="a1", tool_name="Bash")
    assert agent.runs("fail").code == 0
    assert states(machine) == [RED]


def test_process_alone_is_enough(machine: Machine, shell: Start) -> None:
    it = shell()
    announced(machine, it.pid, "s-1")
    assert it.runs("fail").code == 0
    assert states(machine) == [RED]


def test_command_deep_below_its_agent_is_its_own(machine: Machine, agent: Shell) -> None:
    agent.opens()
    agent.opens()
    assert agent.runs("fail").code == 0
    assert states(machine) == [RED]


def test_job_cut_loose_from_its_agent_is_known_by_what_it_was_told(
    machine: Machine, agent: Shell
) -> None:
    assert agent.runs("fail", cut_loose=True).code == 0
    assert states(machine) == [RED]


# Nested agents.


def test_nested_agent_marks_itself_and_not_whom_it_works_for(
    machine: Machine, agent: Shell
) -> None:
    inner = agent.opens()
    announced(machine, inner, "s-2", **PANE)
    said = agent.runs("fail", CLAUDE_CODE_SESSION_ID="s-2", CLAUDE_PID=str(inner))
    assert said == Said(0, "slot 1 is marked as failed\n", "")
    assert states(machine) == [IDLE, RED]


def test_nested_agent_nobody_knows_marks_nobody(machine: Machine, agent: Shell) -> None:
    inner = agent.opens()
    said = agent.runs("fail", CLAUDE_CODE_SESSION_ID="s-2", CLAUDE_PID=str(inner))
    assert_refused(said, "session id 's-2' is no session's", f"process {agent.pid} above it")
    assert states(machine) == [IDLE]


def test_nested_agent_of_another_kind_marks_nobody_where_it_hands_on_what_it_was_told(
    machine: Machine, agent: Shell
) -> None:
    inner = agent.opens()
    announced(machine, inner, "s-2", **PANE)
    said = agent.runs("fail")
    assert_refused(said, f"process {inner} above it and session id 's-1'", "not of the same")
    assert states(machine) == [IDLE, IDLE]


# `/clear`: another id, the same process.


def test_cleared_conversation_is_the_one_that_is_marked(machine: Machine, agent: Shell) -> None:
    machine.says(agent.pid, "SessionEnd", session_id="s-1", reason="clear")
    machine.starts(agent.pid, "s-2", source="clear")
    assert agent.runs("fail", CLAUDE_CODE_SESSION_ID="s-2").code == 0
    assert states(machine) == [RED]


def test_job_that_outlived_a_clear_marks_nobody(machine: Machine, agent: Shell) -> None:
    machine.says(agent.pid, "SessionEnd", session_id="s-1", reason="clear")
    machine.starts(agent.pid, "s-2", source="clear")
    assert_refused(agent.runs("fail"), "session id 's-1' is no session's")
    assert states(machine) == [IDLE]


# A person's shell.


def test_shell_in_the_pane_an_agent_has_left_marks_nobody(
    machine: Machine, agent: Shell, shell: Start
) -> None:
    agent.end()
    announced(machine, machine.agent(), "s-2", **OTHER_PANE)
    assert_refused(shell(**PANE).runs("fail"), "the tmux pane %7 is no session's")
    assert states(machine) == [IDLE]


def test_shell_in_the_pane_of_one_agent_marks_that_one(
    machine: Machine, agent: Shell, shell: Start
) -> None:
    announced(machine, machine.agent(), "s-2", **OTHER_PANE)
    assert shell(**PANE).runs("fail").code == 0
    assert states(machine) == [RED, IDLE]


def test_shell_in_the_pane_of_two_agents_marks_neither(
    machine: Machine, agent: Shell, shell: Start
) -> None:
    announced(machine, machine.agent(), "s-2", **PANE)
    assert_refused(shell(**PANE).runs("fail"), "the tmux pane %7 is that of 2 sessions")
    assert states(machine) == [IDLE, IDLE]


def test_shell_anywhere_else_marks_nobody(machine: Machine, agent: Shell, shell: Start) -> None:
    assert_refused(shell().runs("fail"), "nothing around this command is a session's")
    assert states(machine) == [IDLE]


def test_shell_that_inherited_what_a_living_agent_was_told_marks_nobody(
    machine: Machine, agent: Shell, shell: Start
) -> None:
    """A tmux server hands on the environment of the agent that started it, to every pane."""
    told = {"CLAUDE_CODE_SESSION_ID": "s-1", "CLAUDE_PID": str(agent.pid)}
    assert_refused(shell(**OTHER_PANE, **told).runs("fail"), "runs in another window")
    assert states(machine) == [IDLE]


def test_shell_that_inherited_what_a_dead_agent_was_told_folds_nothing(
    machine: Machine, agent: Shell, shell: Start
) -> None:
    """In a sandbox with processes of its own, every session would look as if it had ended."""
    gone = machine.agent()
    machine.kill(gone)
    before = machine.folder.slots.read_bytes()
    said = shell(CLAUDE_CODE_SESSION_ID="s-9", CLAUDE_PID=str(gone)).runs("fail")
    assert_refused(said, f"process {gone}, which CLAUDE_PID names, has ended or cannot be seen")
    assert machine.folder.slots.read_bytes() == before


def test_what_is_no_pid_is_nobodys(machine: Machine, agent: Shell) -> None:
    said = agent.runs("fail", CLAUDE_PID="\x1b[31m", CLAUDE_CODE_SESSION_ID="s-1")
    assert_refused(said, "client pid '\ufffd[31m' is no session's")
    assert states(machine) == [IDLE]


def test_number_no_process_has_is_nobodys(machine: Machine, shell: Start) -> None:
    said = shell(CLAUDE_CODE_SESSION_ID="s-9", CLAUDE_PID="9" * 5000).runs("fail")
    assert_refused(said, "which CLAUDE_PID names, has ended or cannot be seen")
