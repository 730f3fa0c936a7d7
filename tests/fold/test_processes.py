"""The process behind a session: its key, its death, its pid come round again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.fold import folding, witnesses
from flightdeck.fold.witnesses import Liveness, key_of, session_key
from flightdeck.model.lifecycle import State
from flightdeck.model.session import Session
from flightdeck.system import process
from tests.fold.world import pids, until, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.fold.world import Machine


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[int, str]], None]:
    """Let the system tell these starts of processes, as `ps` may: late, or not at all."""

    def say(starts: dict[int, str]) -> None:
        def starts_of(asked: Iterable[int]) -> dict[int, str]:
            return {pid: starts[pid] for pid in asked if pid in starts}

        monkeypatch.setattr(process, "starts_of", starts_of)
        monkeypatch.setattr(process, "start_of", starts.get)

    return say


def test_process_kept_ready_is_no_session_before_somebody_uses_it(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.records(pid, "s-1", "idle", kind="bg", spare=True)
    assert view_of(machine.step(fold), 0).state is State.EMPTY
    machine.starts(pid, "s-1")
    assert view_of(machine.step(fold), 0).state is State.EMPTY
    machine.says(pid, "UserPromptSubmit", session_id="s-1")
    assert view_of(machine.step(fold), 0).state is State.WORKING


def test_process_kept_ready_is_a_session_once_its_record_says_so(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.records(pid, "s-1", "idle", kind="bg", spare=True)
    machine.step(fold)
    machine.now += 1
    machine.records(pid, "s-1", "busy", kind="bg")
    assert view_of(machine.step(fold), 0).state is State.WORKING


@pytest.mark.parametrize(
    ("started", "key"),
    [("123", "7-123"), ("", "7"), ("Mon Nov 30 12:00:01 2026", "7-MonNov301200012026")],
)
def test_key_is_pid_and_start_and_safe_as_a_file_name(started: str, key: str) -> None:
    assert session_key(7, started) == key


def test_key_of_another_process_with_that_pid_is_another() -> None:
    sessions = {"7-1": Session("7-1", "a", 7, started="1")}
    assert key_of(sessions, 7, "2") == "7-2"


@pytest.mark.parametrize(("was", "now"), [("", "1"), ("1", "")])
def test_start_that_could_not_be_told_makes_no_second_session(was: str, now: str) -> None:
    key = session_key(7, was)
    assert key_of({key: Session(key, "a", 7, started=was)}, 7, now) == key


@pytest.mark.parametrize(
    ("was", "now", "ended"),
    [("1", "1", False), ("1", "2", True), ("1", "", False), ("", "1", False), ("", "", False)],
)
def test_only_a_known_other_start_is_death(
    pretend: Callable[[dict[int, str]], None], was: str, now: str, ended: bool
) -> None:
    pretend({7: now})
    session = Session("k", "a", 7, started=was)
    assert Liveness().ended([session], 100.0) == ({"k"} if ended else set())


def test_process_that_is_not_there_is_death(pretend: Callable[[dict[int, str]], None]) -> None:
    pretend({})
    assert Liveness().ended([Session("k", "a", 7)], 100.0) == {"k"}


def test_processes_are_asked_for_rarely_and_after_a_clock_change_too(
    pretend: Callable[[dict[int, str]], None],
) -> None:
    liveness, sessions = Liveness(), [Session("k", "a", 7)]
    pretend({7: ""})
    liveness.ended(sessions, 100.0)
    pretend({})
    assert liveness.ended(sessions, 100.0 + witnesses.LIVENESS_S / 2) == set()
    assert liveness.ended(sessions, 50.0) == {"k"}


def test_session_that_began_with_an_unknown_start_keeps_its_key_and_learns_it(
    machine: Machine, pretend: Callable[[dict[int, str]], None]
) -> None:
    fold, pid = machine.fold(), 40_000
    pretend({pid: ""})
    machine.starts(pid, "s")
    assert pids(machine.step(fold))[0] == pid
    pretend({pid: "Mon Nov 30"})
    machine.says(pid, "UserPromptSubmit", session_id="s")
    outcome = machine.step(fold)
    assert pids(outcome) == [pid, 0, 0, 0, 0, 0, 0, 0]
    assert fold.session(view_of(outcome, 0).key).started == "Mon Nov 30"
    pretend({pid: "Tue Dec 01"})
    assert pids(machine.step(fold))[0] == 0


def test_pid_that_came_round_is_another_session(
    machine: Machine, pretend: Callable[[dict[int, str]], None]
) -> None:
    fold, pid = machine.fold(), 40_000
    pretend({pid: "1"})
    machine.starts(pid, "s-old")
    machine.step(fold)
    pretend({pid: "2"})
    machine.starts(pid, "s-new")
    outcome = machine.step(fold)
    assert pids(outcome).count(pid) == 1
    assert view_of(outcome, 0).session_id == "s-new"


def test_events_of_a_dead_process_make_no_session(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.kill(pid)
    machine.starts(pid, "s")
    assert pids(machine.step(fold))[0] == 0
    assert list(machine.folder.inbox.iterdir()) == []


@pytest.mark.parametrize("pid", [0, 1, 4_194_304_000])
def test_pid_no_agent_can_have_makes_no_session(machine: Machine, pid: int) -> None:
    machine.starts(pid, "s")
    assert pids(machine.step(machine.fold()))[0] == 0


def test_event_of_an_agent_kind_nobody_knows_makes_no_session(machine: Machine) -> None:
    path = machine.starts(machine.agent(), "s")
    path.write_bytes(path.read_bytes().replace(b"flightdeck1", b"flightdeck1:future", 1))
    assert pids(machine.step(machine.fold()))[0] == 0


def test_session_that_only_said_goodbye_was_never_there(machine: Machine) -> None:
    machine.says(machine.agent(), "SessionEnd", session_id="s", reason="other")
    assert pids(machine.step(machine.fold()))[0] == 0


# The agent's registry knows sessions no hook announced.


def test_session_only_the_registry_knows_is_shown_and_marked(machine: Machine) -> None:
    pid = machine.agent()
    machine.records(pid, "s-old", "idle", entrypoint="cli")
    outcome = machine.step(machine.fold())
    view = view_of(outcome, 0)
    assert (view.pid, view.session_id, view.untracked) == (pid, "s-old", True)
    assert outcome.fleet.untracked == 1


def test_window_of_a_session_no_hook_announced_is_read_off_its_process(machine: Machine) -> None:
    names = {"TMUX": "/tmp/tmux-0/default,12,0", "TMUX_PANE": "%7", "API_KEY": "hunter2"}
    agent = machine.agent(**names)
    # A process that has only just become another program has none for an instant.
    until(lambda: process.environment_of(agent, names), "the environment of the agent")
    machine.records(agent, "s-old", "idle")
    place = view_of(machine.step(machine.fold()), 0).place
    assert (place.kind, place.tmux_socket, place.tmux_pane) == ("tmux", names["TMUX"][:-5], "%7")


def test_announcement_makes_it_a_session_like_any_other_on_its_key(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.records(pid, "s-old", "idle")
    machine.step(fold)
    machine.says(pid, "UserPromptSubmit", session_id="s-old")
    outcome = machine.step(fold)
    view = view_of(outcome, 0)
    assert (view.untracked, view.state, outcome.fleet.untracked) == (False, State.WORKING, 0)
    assert pids(outcome)[1] == 0


def test_unannounced_session_follows_its_record(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.records(pid, "s-1", "idle")
    machine.step(fold)
    machine.records(pid, "s-2", "busy")
    view = view_of(machine.step(fold), 0)
    assert (view.session_id, view.state) == ("s-2", State.WORKING)


def test_record_of_a_dead_process_is_no_session(machine: Machine) -> None:
    pid = machine.agent()
    machine.kill(pid)
    machine.records(pid, "s", "idle")
    assert pids(machine.step(machine.fold()))[0] == 0


def test_record_left_behind_is_asked_about_once_and_not_inherited(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.records(pid, "s", "waiting", procStart="a start of another form")
    machine.kill(pid)
    assert pids(machine.step(fold))[0] == 0
    monkeypatch.setattr(process, "start_of", lambda _: "2")  # another process, that pid
    assert pids(machine.step(fold))[0] == 0


def test_record_of_an_earlier_process_with_that_pid_is_no_session(machine: Machine) -> None:
    pid = machine.agent()
    machine.records(pid, "s", "idle", procStart="5")
    assert pids(machine.step(machine.fold()))[0] == 0


def test_closed_session_does_not_come_back_through_its_record(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s")
    machine.records(pid, "s", "busy")
    machine.step(fold)
    machine.says(pid, "SessionEnd", session_id="s", reason="prompt_input_exit")
    assert pids(machine.step(fold))[0] == 0
    machine.records(pid, "s", "idle")
    assert pids(machine.step(fold))[0] == 0
    assert pids(machine.step(machine.fold()))[0] == 0


def test_record_that_goes_is_forgotten_and_the_hooks_decide(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s")
    path = machine.records(pid, "s", "waiting", waitingFor="permission prompt")
    assert view_of(machine.step(fold), 0).state is State.BLOCKED
    path.unlink()
    assert view_of(machine.step(fold), 0).state is State.IDLE


def test_name_given_in_the_terminal_is_the_title(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s", session_title="first")
    machine.records(pid, "s", "idle", name="Refund audit", nameSource="user")
    assert view_of(machine.step(fold), 0).title == "Refund audit"


def test_transcript_ends_a_turn_where_there_is_no_record(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    transcript = machine.home / ".claude" / "projects" / "p" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("")
    machine.starts(pid, "s", transcript_path=str(transcript))
    machine.says(pid, "UserPromptSubmit", session_id="s")
    assert view_of(machine.step(fold), 0).state is State.WORKING
    transcript.write_text(
        '{"type": "user", "timestamp": "2999-01-01T00:00:00Z",'
        ' "message": {"content": "[Request interrupted by user]"}}\n'
    )
    view = view_of(machine.step(fold), 0)
    assert (view.state, view.how) == (State.IDLE, "transcript")


def test_transcript_nobody_watches_is_asked_again_soon_while_a_turn_runs(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s", transcript_path=str(machine.home / "s.jsonl"))
    assert machine.step(fold).again is None
    machine.says(pid, "UserPromptSubmit", session_id="s")
    outcome = machine.step(fold)
    assert outcome.again == pytest.approx(machine.now + folding.UNTOLD_S)
    machine.records(pid, "s", "busy")
    assert machine.step(fold).again != pytest.approx(machine.now + folding.UNTOLD_S)


def test_panes_of_one_tmux_server_are_told_apart_though_they_inherit_one_terminal(
    machine: Machine,
) -> None:
    inherited = "w0t0p0:AAAAAAAA-0000-0000-0000-000000000001"
    fold = machine.fold()
    for pane in ("%1", "%2"):
        machine.spool(
            machine.agent(),
            "SessionStart",
            b'{"session_id": "s", "source": "startup"}',
            TMUX="/tmp/tmux-0/default,12,0",
            TMUX_PANE=pane,
            ITERM_SESSION_ID=inherited,
        )
    outcome = machine.step(fold)
    places = [view_of(outcome, slot).place for slot in (0, 1)]
    assert [(place.kind, place.tmux_pane) for place in places] == [("tmux", "%1"), ("tmux", "%2")]
