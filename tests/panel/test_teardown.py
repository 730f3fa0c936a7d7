"""The order of a teardown: nothing ends before it is proven, nothing goes before it is again."""

from __future__ import annotations

import os
import resource
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import Unavailable
from flightdeck.model.teardown import Check, Stage, unknown
from flightdeck.panel import teardown
from flightdeck.panel.teardown import Neighbour, Subject, force_down, look, subject_of, tear_down
from flightdeck.system import ending
from flightdeck.system.occupants import occupants
from flightdeck.system.process import start_of
from tests.factories import a_record, a_session
from tests.fold.world import until
from tests.panel.agents import SLEEP, Agents
from tests.system.repositories import Place, a_place, everything, stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def agents() -> Iterator[Agents]:
    agents = Agents()
    yield agents
    agents.end()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = a_place(tmp_path / "x")
    place.settle(monkeypatch)
    return place


def an_agent(agents: Agents, place: Place, at_the_end: str, before: str = "") -> Subject:
    """Start an agent that does something when it is asked to end."""
    ready = place.root / "ready"
    loop = f': >"{ready}"; while :; do sleep 0.01; done'
    script = f"cd '{place.worktree}'; {before} trap '{at_the_end}' TERM; {loop}"
    subject = agents.subject(place.worktree, "/bin/sh", "-c", script)
    until(ready.exists, "an agent")
    return subject


def test_agent_ends_and_its_worktree_goes_but_not_its_branch(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    commit = place.git("rev-parse", "--short", "feat")
    outcome = tear_down(subject)
    assert outcome.stage is Stage.DONE
    assert outcome.words == f"{place.worktree} is removed, branch feat stays at {commit}"
    assert not agents.alive(subject)
    assert place.git("rev-parse", "--short", "feat", where="main") == commit
    assert str(place.worktree) not in place.git("worktree", "list", where="main")


def test_removal_touches_no_branch_remote_or_object(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = stand_in(place, monkeypatch, "")
    assert tear_down(agents.subject(place.worktree)).removed
    words = asked.read_text(encoding="utf-8").split()
    assert not {"branch", "push", "gc", "prune", "--force", "-f", "-D", "deinit"} & set(words)
    assert words.count("worktree") == 1


def test_stash_survives_and_is_mentioned(place: Place, agents: Agents) -> None:
    place.sh("echo w >>a.txt; git stash -q")
    outcome = tear_down(agents.subject(place.worktree))
    assert outcome.removed
    assert outcome.inspection.notes == ("the repository keeps 1 stash",)
    assert "stash@{0}" in place.git("stash", "list", where="main")


def test_refusal_at_the_first_look_leaves_the_agent_running(place: Place, agents: Agents) -> None:
    place.sh("echo S=1 >.env")
    subject = agents.subject(place.worktree)
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.check, outcome.agent_ended) == (
        Stage.FIRST_LOOK,
        Check.IGNORED,
        False,
    )
    assert outcome.reason == "ignored: ignored files would go with it: .env"
    assert agents.alive(subject)


def test_what_the_agent_leaves_as_it_ends_is_kept(place: Place, agents: Agents) -> None:
    subject = an_agent(agents, place, "echo precious >new; exit 0")
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.check, outcome.agent_ended) == (
        Stage.SECOND_LOOK,
        Check.STATUS,
        True,
    )
    assert (place.worktree / "new").read_text(encoding="utf-8") == "precious\n"
    assert not agents.alive(subject)


def test_agent_that_does_not_end_is_never_killed(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teardown, "AGENT_S", 0.2)
    subject = an_agent(agents, place, ":")
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.check, outcome.agent_ended) == (
        Stage.ENDING,
        Check.AGENT,
        False,
    )
    assert outcome.words == "the agent was asked to end and still runs after 0.2 s"
    assert agents.alive(subject)
    assert place.worktree.exists()


def test_agent_that_may_not_be_signalled_refuses(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(ending, "_signal", refuse)
    outcome = tear_down(agents.subject(place.worktree))
    assert (outcome.stage, outcome.removed) == (Stage.ENDING, False)
    assert "may not be signalled" in outcome.words


def test_shell_the_agent_leaves_behind_keeps_the_worktree(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teardown, "LEFTOVERS_S", 0.2)
    note = place.root / "pid"
    subject = an_agent(agents, place, "exit 0", f'sleep 600 & echo $! >"{note}";')
    outcome = tear_down(subject)
    pid = int(note.read_text(encoding="utf-8"))
    os.kill(pid, 9)
    assert (outcome.stage, outcome.check) == (Stage.SECOND_LOOK, Check.PROCESSES)
    assert outcome.words == f"another process stands inside: sleep ({pid})"
    assert place.worktree.exists()


def test_shell_that_ends_a_moment_after_the_agent_is_waited_for(
    place: Place, agents: Agents
) -> None:
    subject = an_agent(agents, place, "exit 0", "sleep 0.3 &")
    assert tear_down(subject).removed


def test_process_of_anybody_inside_keeps_agent_and_worktree(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    other = agents.run(*SLEEP, cwd=place.worktree / "src")
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.check) == (Stage.FIRST_LOOK, Check.PROCESSES)
    assert str(other) in outcome.words
    assert agents.alive(subject)


def test_nobody_who_can_tell_who_stands_inside_refuses(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(_: str) -> None:
        raise Unavailable("lsof is not installed")

    monkeypatch.setattr(teardown, "occupants", silent)
    outcome = tear_down(agents.subject(place.worktree))
    assert outcome.reason == "processes: nobody can tell who stands inside: lsof is not installed"


def test_waiting_for_leftovers_ends_when_nobody_can_tell(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agents.subject(place.worktree)
    real = occupants
    asked: list[str] = []

    def once(folder: str) -> object:
        asked.append(folder)
        if len(asked) > 1:
            raise Unavailable("late")
        return real(folder)

    monkeypatch.setattr(teardown, "occupants", once)
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.check) == (Stage.SECOND_LOOK, Check.PROCESSES)
    assert len(asked) == 3


@pytest.mark.parametrize("folder", ["wt", "wt/src", "way"])
def test_another_session_inside_keeps_agent_and_worktree(
    folder: str, place: Place, agents: Agents
) -> None:
    (place.root / "way").symlink_to("wt/src")
    neighbour = Neighbour("its title", (str(place.main), str(place.root / folder)))
    subject = replace(agents.subject(place.worktree), neighbours=(neighbour,))
    outcome = tear_down(subject)
    assert outcome.reason == "sessions: another session works inside: its title"
    assert agents.alive(subject)


@pytest.mark.parametrize("folder", ["main", "wt2", "."])
def test_another_session_beside_is_nothing_to_it(folder: str, place: Place, agents: Agents) -> None:
    (place.root / "wt2").mkdir()
    neighbour = Neighbour("other", (str(place.root / folder),))
    assert tear_down(replace(agents.subject(place.worktree), neighbours=(neighbour,))).removed


def test_agent_that_has_ended_is_not_signalled(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agents.subject(place.worktree)
    agents.end()
    monkeypatch.setattr(ending, "_signal", None)
    assert tear_down(subject).removed


def test_process_that_took_over_the_pid_is_left_alone(place: Place, agents: Agents) -> None:
    pid = agents.run(*SLEEP, cwd=place.root)
    assert tear_down(Subject(str(place.worktree), pid, "1")).removed
    assert start_of(pid)


@pytest.mark.parametrize(("pid", "started"), [(0, "1"), (1, "1"), (None, "")])
def test_agent_that_cannot_be_told_from_others_refuses(
    pid: int | None, started: str, place: Place, agents: Agents
) -> None:
    subject = agents.subject(place.worktree)
    known = replace(subject, pid=subject.pid if pid is None else pid, started=started)
    assert unknown(Check.AGENT, "which process the agent is cannot be proven") in (
        look(known).findings
    )
    assert not tear_down(known).removed
    assert agents.alive(subject)


@pytest.mark.parametrize("whose", [os.getpid, os.getppid], ids=["own", "parent"])
def test_teardown_from_within_the_session_is_refused(
    whose: Callable[[], int], place: Place
) -> None:
    pid = whose()
    outcome = tear_down(Subject(str(place.worktree), pid, start_of(pid) or ""))
    assert outcome.reason == "agent: this command runs inside the session it would end"


def test_worktree_the_agent_removes_itself_is_gone(place: Place, agents: Agents) -> None:
    remove = f'cd /; git -C "{place.main}" worktree remove "{place.worktree}"; exit 0'
    outcome = tear_down(an_agent(agents, place, remove))
    assert outcome.stage is Stage.DONE
    assert outcome.words == f"{place.worktree} is gone: the agent removed it as it ended"


def test_worktree_that_became_another_meanwhile_stays(place: Place, agents: Agents) -> None:
    place.sh(
        "git clone -q $X/o.git $X/other; cd $X/other; git worktree add -q -b odd $X/odd;"
        " cd $X/odd; git push -q -u origin odd"
    )
    swap = (
        'cd /; mv "$X/wt" "$X/old"; mv "$X/odd" "$X/wt";'
        ' echo "$X/wt/.git" >"$X/other/.git/worktrees/odd/gitdir"; exit 0'
    ).replace("$X", str(place.root))
    outcome = tear_down(an_agent(agents, place, swap))
    assert outcome.reason == "worktree: it is no longer the worktree it was"
    assert place.worktree.exists()


def test_what_git_will_not_remove_is_told_in_its_words(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail = 'echo "error: failed to delete it: Directory not empty" >&2; exit 255'
    stand_in(place, monkeypatch, f'case "$all" in *"worktree remove"*) {fail} ;; esac')
    before = everything(place.worktree)
    outcome = tear_down(agents.subject(place.worktree))
    assert (outcome.stage, outcome.check, outcome.agent_ended) == (Stage.REMOVAL, None, True)
    assert outcome.reason == "error: failed to delete it: Directory not empty"
    assert everything(place.worktree) == before


def test_full_disk_hinders_no_proof(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        # No file may grow at all, ours or git's.
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))
        outcome = tear_down(subject)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert outcome.removed, outcome.reason


def locked(place: Place, subject: Subject) -> str:
    """Lock the worktree as the client does for one it made, and return the reason."""
    reason = f"claude session wt (pid {subject.pid} start {subject.started})"
    place.git("worktree", "lock", "--reason", reason, str(place.worktree), where="main")
    return reason


def test_lock_of_the_session_itself_ends_with_it(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    locked(place, subject)
    assert tear_down(subject).removed


def test_lock_may_name_the_start_as_the_client_does(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    locked(place, replace(subject, started="its own token"))
    assert tear_down(replace(subject, known_as=("its own token",))).removed


@pytest.mark.parametrize("change", [{"pid": 1}, {"started": "1"}, {"started": ""}])
def test_lock_of_any_other_process_refuses(
    change: dict[str, Any], place: Place, agents: Agents
) -> None:
    subject = agents.subject(place.worktree)
    locked(place, replace(subject, **change))
    outcome = tear_down(replace(subject, known_as=("",)))
    assert (outcome.check, outcome.agent_ended) == (Check.LOCK, False)


def test_lock_is_put_back_where_git_will_not_remove(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agents.subject(place.worktree)
    reason = locked(place, subject)
    stand_in(place, monkeypatch, 'case "$all" in *"worktree remove"*) echo no >&2; exit 1 ;; esac')
    assert tear_down(subject).reason == "no"
    assert (place.own / "locked").read_text(encoding="utf-8").strip() == reason


def test_lock_that_cannot_be_put_back_does_not_hide_why(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agents.subject(place.worktree)
    locked(place, subject)
    script = """case "$all" in
    *"worktree remove"*) echo no >&2; exit 1 ;;
    *"worktree lock"*) echo neither >&2; exit 1 ;;
    esac"""
    stand_in(place, monkeypatch, script)
    assert tear_down(subject).reason == "no"


def test_lock_git_will_not_take_off_is_told_in_its_words(
    place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agents.subject(place.worktree)
    locked(place, subject)
    stand_in(place, monkeypatch, 'case "$all" in *"worktree unlock"*) echo no >&2; exit 1 ;; esac')
    outcome = tear_down(subject)
    assert (outcome.stage, outcome.reason) == (Stage.REMOVAL, "no")
    assert place.worktree.exists()


def test_look_ends_nobody_and_changes_nothing(place: Place, agents: Agents) -> None:
    subject = agents.subject(place.worktree)
    before = everything(place.root)
    assert look(subject).refusal is None
    assert agents.alive(subject)
    assert everything(place.root) == before


def test_force_removes_what_was_shown(place: Place, agents: Agents) -> None:
    place.sh(
        "echo S=1 >.env; echo n >new; git checkout -q --detach; git commit -q --allow-empty -m lost"
    )
    subject = agents.subject(place.worktree)
    shown = look(subject)
    assert (shown.losses.files, len(shown.losses.commits)) == (("new", ".env"), 1)
    outcome = force_down(subject, shown)
    assert (outcome.stage, outcome.words) == (Stage.DONE, f"{place.worktree} is removed")
    assert not place.worktree.exists()


@pytest.mark.parametrize("when", ["before", "as it ends"])
def test_force_removes_nothing_that_was_not_shown(when: str, place: Place, agents: Agents) -> None:
    place.sh("echo n >new")
    subject = an_agent(agents, place, "echo more >late; exit 0")
    shown = look(subject)
    if when == "before":
        place.sh("echo more >late")
    outcome = force_down(subject, shown)
    assert outcome.check is Check.STATUS
    assert outcome.words == "what would be lost is no longer what was shown"
    assert (place.worktree / "late").exists()
    assert outcome.agent_ended is (when == "as it ends")


def test_force_overrules_nothing_about_others(place: Place, agents: Agents) -> None:
    place.sh("git init -q build/dep")
    subject = agents.subject(place.worktree)
    outcome = force_down(subject, look(subject))
    assert (outcome.check, outcome.agent_ended) == (Check.NESTED, False)
    shutil.rmtree(place.worktree / "build")


def test_subject_knows_where_every_other_session_works() -> None:
    mine = a_session(key="a", cwd="/w", pid=7, started="1", record=a_record(started="one"))
    titled = a_session(key="b", cwd="/b", title="Fix it", record=a_record(cwd="/c"))
    plain = a_session(key="c", cwd="/d/e", pid=9)
    nowhere = a_session(key="d", agent="claude-code", pid=10)
    assert subject_of(mine, [mine, titled, plain, nowhere]) == Subject(
        "/w",
        7,
        "1",
        (
            Neighbour("Fix it", ("/b", "/c")),
            Neighbour("e (pid 9)", ("/d/e",)),
            Neighbour("claude-code (pid 10)", ()),
        ),
        ("one",),
    )
