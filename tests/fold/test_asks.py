"""What waits for an answer: of whom, in which order, and whether the panel can give one."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.fold.opening import open_fold, own_panel_json
from flightdeck.model import transition
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.plan import PanelPlan
from flightdeck.model.risk import Judgement, Tier
from flightdeck.model.signal import Kind, Signal
from tests.fold.world import Machine, view_of

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.fold.folding import Fold, Outcome
    from flightdeck.model.ask import Ask
    from flightdeck.model.session import Session

RUNS = own_panel_json("recorder")
MAKE = {"tool_name": "Bash", "tool_input": {"command": "make"}}
RULE = {
    "type": "addRules",
    "rules": [{"toolName": "Bash", "ruleContent": "make:*"}],
    "behavior": "allow",
    "destination": "localSettings",
}


@dataclass
class Panel:
    """A panel that holds every hook of the main thread and answers what it is told to."""

    machine: Machine
    fold: Fold
    answered: list[Signal] = field(default_factory=list)

    def look(self, later_s: float = 1.0, panel: dict[str, Any] = RUNS) -> Outcome:
        """Fold, with what the panel knows."""
        outcome = self.machine.step(self.fold, later_s, panel, self._amend)
        self.answered.clear()
        return outcome

    def asks(self, later_s: float = 1.0) -> tuple[Ask, ...]:
        """Return what waits."""
        return self.look(later_s).fleet.asks

    def answer(self, request_id: str, *, interrupt: bool = False) -> None:
        """Answer one request, a moment after the last thing that happened."""
        self.machine.now += 0.001
        decided = Signal(Kind.DECIDED, self.machine.now, request_id=request_id, interrupt=interrupt)
        self.answered.append(decided)

    def _amend(self, session: Session) -> Session:
        for signal in self.answered:
            session = transition.apply(session, signal)
        held = tuple(replace(r, held=not r.thread) for r in session.requests)
        return session if held == session.requests else replace(session, requests=held)


@pytest.fixture
def panel(machine: Machine) -> Panel:
    return Panel(machine, machine.fold())


def working(machine: Machine, name: str = "s", **facts: object) -> int:
    """Return the pid of a session that was given a prompt."""
    pid = machine.agent()
    machine.starts(pid, name, **facts)
    machine.says(pid, "UserPromptSubmit", session_id=name, **facts)
    return pid


def asks_for(machine: Machine, pid: int, **more: object) -> str:
    """Let the hook of a request speak; return the request's id."""
    event = machine.says(pid, "PermissionRequest", **{**MAKE, **more})
    return f"{event.stat().st_mtime_ns}-{event.name.partition('.')[0]}"


def ids(asks: tuple[Ask, ...]) -> list[str]:
    return [ask.request_id for ask in asks]


def test_request_is_told_with_whose_it_is(machine: Machine, panel: Panel) -> None:
    pid = machine.agent()
    machine.spool(pid, "SessionStart", b'{"cwd": "/R/app"}', TERM_PROGRAM="xterm")
    request = asks_for(machine, pid)
    (ask,) = panel.asks()
    view = view_of(panel.look(), 0)
    assert (ask.request_id, ask.key, ask.label, ask.place) == (
        request,
        view.key,
        view.label,
        view.place,
    )
    assert (ask.agent, ask.tool, ask.reason) == ("Claude Code", "Bash", Reason.PERMISSION)
    assert ask.place.program == "xterm"


@pytest.mark.parametrize(
    ("waits", "count"), [((True, True), 1), ((False, False), 1), ((False, True), 2)]
)
def test_same_request_told_of_twice_is_one_if_both_its_hooks_wait_or_neither_does(
    machine: Machine, panel: Panel, waits: tuple[bool, bool], count: int
) -> None:
    pid = working(machine)
    for one in waits:
        number = asks_for(machine, pid).partition("-")[2]
        if one:
            os.mkfifo(machine.folder.asks / f"{number}.fifo")
            os.utime(machine.folder.asks / f"{number}.fifo", (1.0, 1.0))
    assert len(panel.asks()) == count


def test_requests_of_all_sessions_stand_oldest_first(machine: Machine, panel: Panel) -> None:
    one, other = working(machine, "one"), working(machine, "other")
    wanted = [
        asks_for(machine, other),
        asks_for(machine, one, agent_id="sub"),
        asks_for(machine, other, agent_id="sub"),
    ]
    asks = panel.asks()
    assert ids(asks) == wanted
    assert [ask.since for ask in asks] == sorted(ask.since for ask in asks)


def test_session_without_a_slot_asks_like_any_other(machine: Machine) -> None:
    panel = Panel(machine, machine.fold(PanelPlan(slots=(0,))))
    working(machine, "one", cwd="/R/one")
    request = asks_for(machine, working(machine, "two", cwd="/R/two"))
    outcome = panel.look()
    assert (ids(outcome.fleet.asks), outcome.fleet.overflow_blocked) == ([request], 1)
    assert outcome.fleet.asks[0].label[0] == "two"


def test_two_requests_side_by_side_are_answered_one_by_one(machine: Machine, panel: Panel) -> None:
    pid = working(machine)
    reads = [
        asks_for(machine, pid, tool_name="Read", tool_input={"file_path": path})
        for path in ("/a", "/b")
    ]
    assert ids(panel.asks()) == reads
    panel.answer(reads[0])
    assert ids(panel.asks()) == reads[1:]
    assert view_of(panel.look(), 0).state is State.BLOCKED
    panel.answer(reads[1])
    outcome = panel.look()
    assert (outcome.fleet.asks, view_of(outcome, 0).state) == ((), State.WORKING)


def test_subagents_and_main_threads_requests_are_answered_apart(
    machine: Machine, panel: Panel
) -> None:
    pid = working(machine)
    sub, main = asks_for(machine, pid, agent_id="a1"), asks_for(machine, pid)
    assert [(a.request_id, a.answerable) for a in panel.asks()] == [(sub, False), (main, True)]
    panel.answer(main)
    assert ids(panel.asks()) == [sub]
    machine.says(pid, "PostToolUse", agent_id="a1", **MAKE)
    outcome = panel.look()
    assert (outcome.fleet.asks, view_of(outcome, 0).state) == ((), State.WORKING)


def test_interrupted_session_asks_nothing_and_is_idle(machine: Machine, panel: Panel) -> None:
    request = asks_for(machine, working(machine))
    panel.look()
    panel.answer(request, interrupt=True)
    outcome = panel.look()
    assert (outcome.fleet.asks, view_of(outcome, 0).state) == ((), State.IDLE)


def test_same_request_again_is_counted_with_a_fresh_id(machine: Machine, panel: Panel) -> None:
    pid, seen = working(machine), []
    for _ in range(3):
        asks_for(machine, pid)
        (ask,) = panel.asks()
        seen.append((ask.request_id, ask.repeats))
        panel.answer(ask.request_id)
        panel.look()
    assert [repeats for _, repeats in seen] == [1, 2, 3]
    assert len({request for request, _ in seen}) == 3
    asks_for(machine, pid)
    assert view_of(panel.look(), 0).pending[0].repeats == 4
    assert machine.snapshot()["slots"][0]["pending"][0]["repeats"] == 4


def test_hook_registered_twice_is_one_request_asked_once(machine: Machine, panel: Panel) -> None:
    pid = working(machine)
    first = asks_for(machine, pid)
    asks_for(machine, pid)
    assert [(ask.request_id, ask.repeats) for ask in panel.asks()] == [(first, 1)]


@pytest.mark.parametrize(
    ("tool", "reason"), [("AskUserQuestion", Reason.QUESTION), ("ExitPlanMode", Reason.PLAN)]
)
def test_question_and_plan_say_what_they_are(
    machine: Machine, panel: Panel, tool: str, reason: Reason
) -> None:
    asks_for(machine, working(machine), tool_name=tool, tool_input={})
    (ask,) = panel.asks()
    assert (ask.reason, ask.answerable, ask.grant.refusal) == (reason, True, "no rule")
    assert view_of(panel.look(), 0).reason is reason


def test_print_run_waits_like_any_other_until_its_hook_returns(
    machine: Machine, panel: Panel
) -> None:
    pid = machine.agent()
    entry = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    machine.spool(pid, "UserPromptSubmit", b"{}", **entry)
    machine.spool(pid, "PermissionRequest", json.dumps(MAKE).encode(), **entry)
    outcome = panel.look()
    (session,) = panel.fold.sessions()
    assert (session.entrypoint, len(outcome.fleet.asks)) == ("sdk-cli", 1)
    machine.says(pid, "PostToolBatch")
    machine.says(pid, "Stop", background_tasks=[])
    outcome = panel.look()
    assert (outcome.fleet.asks, view_of(outcome, 0).state) == ((), State.DONE)


# Whether the panel can answer.


def test_only_a_panel_that_runs_can_answer(machine: Machine, panel: Panel) -> None:
    asks_for(machine, working(machine))
    (ask,) = panel.asks()
    assert ask.answerable
    assert machine.snapshot()["slots"][0]["pending"][0]["answerable"] is True
    (ask,) = machine.step(panel.fold).fleet.asks
    assert not ask.answerable
    assert machine.snapshot()["slots"][0]["pending"][0]["answerable"] is False


def test_request_whose_hook_nobody_holds_cannot_be_answered(machine: Machine, panel: Panel) -> None:
    asks_for(machine, working(machine))
    (ask,) = machine.step(panel.fold, panel=RUNS).fleet.asks
    assert not ask.answerable


@pytest.mark.parametrize("within_s", [0.02, 0.1])
def test_yes_in_the_terminal_clears_the_row_at_once(
    machine: Machine, panel: Panel, within_s: float
) -> None:
    pid = working(machine)
    asks_for(machine, pid)
    machine.records(pid, "s", "waiting", waitingFor="permission prompt")
    assert len(panel.asks(0.05)) == 1
    machine.now += 5.0
    machine.records(pid, "s", "busy")
    outcome = panel.look(within_s)
    assert (outcome.fleet.asks, view_of(outcome, 0).pending) == ((), ())


def test_no_in_the_terminal_clears_the_row_as_soon_as_idle_has_stood(
    machine: Machine, panel: Panel
) -> None:
    pid = working(machine)
    asks_for(machine, pid)
    machine.records(pid, "s", "waiting", waitingFor="permission prompt")
    panel.look(0.05)
    machine.now += 5.0
    machine.records(pid, "s", "idle")
    assert panel.asks(0.19) == ()


# How dangerous its call is.


class High:
    """A judge that finds everything dangerous."""

    def __call__(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        return Judgement(Tier.HIGH, "make")


def test_tier_of_the_call_reaches_the_row_and_the_snapshot(machine: Machine) -> None:
    panel = Panel(machine, open_fold(machine.folder, judge=High()))
    asks_for(machine, working(machine))
    (ask,) = panel.asks()
    (session,) = panel.fold.sessions()
    assert (ask.tier, session.requests[0].rule) == ("high", "make")
    assert machine.snapshot()["slots"][0]["pending"][0]["tier"] == "high"


def test_call_is_judged_by_the_rules_of_the_folder(machine: Machine, panel: Panel) -> None:
    asks_for(machine, working(machine), tool_name="NoSuchTool", tool_input={})
    (ask,) = panel.asks()
    assert ask.tier == "medium"


def test_tier_and_count_outlive_a_torn_record(machine: Machine) -> None:
    panel = Panel(machine, open_fold(machine.folder, judge=High()))
    asks_for(machine, working(machine))
    (ask,) = panel.asks()
    (record,) = machine.folder.sessions.iterdir()
    record.write_bytes(b"{")
    (again,) = machine.step(machine.fold()).fleet.asks
    assert (again.request_id, again.tier, again.repeats) == (ask.request_id, "high", 1)
    assert again.grant.refusal == "no rule"


# What may be remembered.


def a_repository(path: Path) -> Path:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True)
    subprocess.run([*git, "-C", str(path), "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    return path


def test_rule_from_a_linked_worktree_names_the_repository_it_widens(
    machine: Machine, panel: Panel
) -> None:
    """anthropics/claude-code#78008, PostHog/code#1812."""
    top = a_repository(machine.home / "app")
    linked = machine.home / "elsewhere" / "app-feat-7"
    add = ["git", "-C", str(top), "worktree", "add", "-q", "-b", "feat-7", str(linked)]
    subprocess.run(add, check=True)
    (linked / "src").mkdir()
    pid = working(machine, cwd=str(linked / "src"))
    asks_for(machine, pid, cwd=str(linked / "src"), permission_suggestions=[RULE])
    (ask,) = panel.asks()
    assert (ask.grant.where, ask.grant.what) == ("app", ("Bash(make:*)",))
    assert json.loads(ask.grant.permissions) == [RULE]


@pytest.mark.parametrize(
    ("folder", "what", "refusal"),
    [
        ("app", ("DIR app",), ""),
        ("app/libs", ("DIR libs",), ""),
        ("app/out", (), "outside repo"),
        ("", (), "outside repo"),
        ("elsewhere", (), "outside repo"),
    ],
)
def test_folder_is_granted_inside_the_repository_only(
    machine: Machine, panel: Panel, folder: str, what: tuple[str, ...], refusal: str
) -> None:
    top = a_repository(machine.home / "app")
    (top / "out").symlink_to(machine.home)
    entry = {
        "type": "addDirectories",
        "directories": [str(machine.home / folder)],
        "destination": "session",
    }
    asks_for(machine, working(machine, cwd=str(top)), permission_suggestions=[entry])
    (ask,) = panel.asks()
    assert (ask.grant.what, ask.grant.refusal) == (what, refusal)


def test_folder_the_agent_works_in_is_inside_where_there_is_no_repository(
    machine: Machine, panel: Panel
) -> None:
    entry = {"type": "addDirectories", "directories": ["/R/notes"], "destination": "session"}
    asks_for(machine, working(machine, cwd="/R/notes"), permission_suggestions=[entry])
    assert panel.asks()[0].grant.what == ("DIR notes",)


# Nothing of it is written down.

SECRET = "swordfish-7Q"


def holding(machine: Machine) -> set[str]:
    """Return the names of the files that hold the secret."""
    files = (path for path in machine.folder.root.rglob("*") if path.is_file())
    return {path.name for path in files if SECRET.encode() in path.read_bytes()}


@pytest.mark.parametrize("answered_by", ["panel", "terminal", "nobody"])
def test_suggestion_stands_in_the_session_record_only_and_only_while_it_waits(
    machine: Machine, panel: Panel, caplog: pytest.LogCaptureFixture, answered_by: str
) -> None:
    """askalf/dario#889, luongnv89/ccl#206."""
    pid = working(machine)
    rule = {**RULE, "rules": [{"toolName": "Bash", "ruleContent": SECRET}]}
    call = {"tool_name": "Bash", "tool_input": {"command": f"curl -H {SECRET}-2"}}
    request = asks_for(machine, pid, **call, permission_suggestions=[rule])
    (ask,) = panel.asks()
    assert SECRET in ask.grant.permissions
    assert holding(machine) == {f"{ask.key}.json"}
    assert f"{SECRET}-2" not in (machine.folder.sessions / f"{ask.key}.json").read_text()
    if answered_by == "panel":
        panel.answer(request)
    elif answered_by == "terminal":
        machine.says(pid, "PostToolUse", **call)
    else:
        machine.kill(pid)
    assert panel.asks(2.0) == ()
    assert holding(machine) == set()
    assert SECRET not in caplog.text


def test_what_is_kept_of_a_request_is_nobody_elses(machine: Machine, panel: Panel) -> None:
    """luongnv89/ccl#206."""
    before = os.umask(0o022)
    try:
        asks_for(machine, working(machine), permission_suggestions=[RULE])
        panel.look()
    finally:
        os.umask(before)
    root = machine.folder.root
    assert {p.name for p in [root, *root.rglob("*")] if p.stat().st_mode & 0o077} == set()


def test_asks_are_no_part_of_the_snapshot(machine: Machine, panel: Panel) -> None:
    asks_for(machine, working(machine), permission_suggestions=[RULE])
    outcome = panel.look()
    assert outcome.fleet.asks
    assert outcome.snapshot is not None
    assert "asks" not in outcome.snapshot
    assert "addRules" not in outcome.snapshot
    assert set(machine.snapshot()["slots"][0]["pending"][0]) == {
        *("request_id", "tool", "tier", "repeats", "since", "answerable"),
    }
