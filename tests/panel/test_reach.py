"""The last look before anything is typed: whatever it finds, no key is pressed for it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.errors import FlightdeckError, Gone, Refused, Unavailable
from flightdeck.model.effect import Forget, Stage, Stroke, Unstage, Wake
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.session import Session, Shown
from flightdeck.model.verb import ENTER, ESCAPE, Verb, VerbKind
from flightdeck.model.waking import NOT_DELIVERED
from flightdeck.panel import reach
from flightdeck.panel.reach import Reach, Witnesses
from flightdeck.store import latch, queue
from flightdeck.store.paths import StateFolder
from flightdeck.system import process
from tests.factories import a_request, a_session
from tests.panel.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flightdeck.model.staged import Staged
    from tests.fold.world import Machine

SESSION = "5e55a0de-0000-4000-8000-000000000003"
PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")
TEST = Verb("test", VerbKind.PROMPT, "TEST", "Run the tests.\nReport.")
PUSH = replace(TEST, name="push", confirm=True)
STOP = Verb("stop", VerbKind.KEY, "STOP", ESCAPE, requires=(State.WORKING,))
YES = Verb("confirm", VerbKind.KEY, "YES", ENTER, confirm=True, requires=(State.BLOCKED,))


@dataclass
class Scene:
    """An agent whose session the fold knows as it is set here, and the way to it."""

    machine: Machine
    status: str = "idle"
    ago_s: float = 60.0
    session: Session | None = None
    reach: Reach = field(init=False)
    window: Window = field(init=False)

    def __post_init__(self) -> None:
        self.machine.now = time.time() - self.ago_s
        self.pid = self.machine.agent()
        self.machine.records(self.pid, SESSION, self.status)
        self.window = Window(self.machine, self.pid, SESSION)
        witnesses = Witnesses(self._known, agent_kinds, self.window.is_in_front)
        self.reach = Reach(self.machine.folder, self.window, witnesses)
        self.know(State.IDLE)

    def know(self, state: State, **more: Any) -> None:
        """Let the fold have seen the session so, with the record that stands."""
        [record] = agent_kinds()["claude-code"].records()
        told: dict[str, Any] = {"key": "a", "pid": self.pid, "session_id": SESSION}
        told |= {"place": PANE, "record": record, "shown": Shown(state, since=record.at)}
        told["announced"] = True
        self.session = a_session(**told | more)

    def stage(self, verb: Verb = TEST) -> Staged:
        return self.reach.stage(Stage(verb, "a", SESSION, self.pid))

    def wake(self, staged: Staged, place: Place = PANE) -> None:
        self.reach.wake(Wake(staged, "a", place))

    def stroke(self, verb: Verb, **more: Any) -> None:
        assert self.session is not None
        told = {"place": PANE, "since": self.session.shown.since}
        self.reach.stroke(Stroke(verb, "a", **{**told, **more}))

    def refuses(self, deed: Callable[[], object], error: type[FlightdeckError]) -> str:
        """Do it and return why it was refused; no key has been pressed."""
        with pytest.raises(error) as refused:
            deed()
        assert self.window.typed == []
        return refused.value.message

    def _known(self, key: str) -> Session:
        if self.session is None:
            raise KeyError(key)
        return self.session


@pytest.fixture
def idle(machine: Machine) -> Scene:
    return Scene(machine)


@pytest.fixture
def busy(machine: Machine) -> Scene:
    scene = Scene(machine, "busy")
    scene.know(State.WORKING)
    return scene


@pytest.fixture
def waiting(machine: Machine) -> Scene:
    scene = Scene(machine, "waiting")
    scene.know(State.BLOCKED)
    scene.window.dialog = True
    return scene


def two_registries(scene: Scene, home: Path, status: str, left: str, start: str) -> None:
    """Let another registry have the record, and the usual one what a killed agent left there."""
    config = home / "another"
    record = scene.machine.records(scene.pid, SESSION, status)
    (config / "sessions").mkdir(parents=True)
    record.rename(config / "sessions" / record.name)
    scene.machine.records(scene.pid, "5e55a0de-left-behind", left, procStart=start)
    transcript = str(config / "projects" / "p" / "s.jsonl")
    assert scene.session is not None
    started = process.start_of(scene.pid) or ""
    scene.session = replace(scene.session, transcript=transcript, started=started)


# The queue.


def test_staged_verb_is_what_its_hook_prints_and_what_we_know_of_it(idle: Scene) -> None:
    staged = idle.stage()
    assert queue.standing(idle.machine.folder) == (staged,)
    taken = queue.take(idle.machine.folder, staged, staged.at)
    assert taken is not None
    assert taken.prompt == TEST.text
    assert taken.line.startswith('{"decision": "block"')


def test_only_what_takes_two_presses_expires(idle: Scene) -> None:
    assert idle.stage().until == 0.0
    idle.reach.unstage(Unstage(queue.standing(idle.machine.folder)[0]))
    staged = idle.stage(PUSH)
    assert staged.until == pytest.approx(staged.at + 300.0)


def test_no_two_verbs_have_the_same_token(idle: Scene) -> None:
    first = idle.stage()
    idle.reach.unstage(Unstage(first))
    assert idle.stage().token != first.token


def test_one_verb_waits_at_a_time(idle: Scene) -> None:
    idle.stage()
    assert idle.refuses(lambda: idle.stage(PUSH), Refused) == "test queued"


def test_session_that_goes_by_another_id_or_has_ended_is_staged_nothing(idle: Scene) -> None:
    idle.know(State.IDLE, session_id="another")
    assert idle.refuses(idle.stage, Refused) == "changed"
    idle.session = None
    assert idle.refuses(idle.stage, Gone) == "gone"
    assert queue.standing(idle.machine.folder) == ()


def test_verb_is_taken_back_once(idle: Scene) -> None:
    staged = idle.stage()
    idle.reach.unstage(Unstage(staged))
    assert idle.refuses(lambda: idle.reach.unstage(Unstage(staged)), Gone) == "too late"


# Waking.


def test_window_that_takes_no_lines_is_asked_before_the_verb_is_taken(idle: Scene) -> None:
    staged = idle.stage()
    before = [path.stat() for path in idle.machine.folder.queue.iterdir()]
    idle.window.takes_none = Unavailable("cannot type there", "switch it on")
    assert idle.refuses(lambda: idle.wake(staged), Unavailable) == "cannot type there"
    assert [path.stat() for path in idle.machine.folder.queue.iterdir()] == before


def test_line_is_typed_and_the_prompt_stays_until_it_is_forgotten(idle: Scene) -> None:
    staged = idle.stage()
    idle.wake(staged)
    path = queue.prompt_file(idle.machine.folder, staged.token)
    assert idle.window.lines == [f"flightdeck test: do what @{path} says"]
    assert path.read_text(encoding="utf-8") == TEST.text
    idle.reach.forget(Forget(staged))
    idle.reach.forget(Forget(staged))
    assert not path.exists()


def test_window_too_small_for_the_line_is_left_alone_and_the_verb_in_the_queue(
    idle: Scene,
) -> None:
    staged = idle.stage()
    idle.window.rows_below = 2
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "window too small"
    assert queue.standing(idle.machine.folder) == (staged,)
    assert len(list(idle.machine.folder.queue.iterdir())) == 1


def test_draft_is_put_aside_first(idle: Scene) -> None:
    idle.window.draft = "half a sent"
    idle.wake(idle.stage())
    assert idle.window.typed[0] == "stash"
    assert idle.window.typed[-1] == "Enter"


@pytest.mark.parametrize(
    ("status", "why"), [("busy", "end of turn"), ("waiting", "its dialog"), ("idle", "a moment")]
)
def test_record_of_this_moment_is_what_counts(idle: Scene, status: str, why: str) -> None:
    staged = idle.stage()
    idle.machine.now = time.time()
    idle.machine.records(idle.pid, SESSION, status)
    assert idle.refuses(lambda: idle.wake(staged), Refused) == why
    assert queue.standing(idle.machine.folder) == (staged,)


def test_record_that_is_gone_or_half_written_is_no_witness(idle: Scene) -> None:
    staged = idle.stage()
    record = idle.machine.registry / f"{idle.pid}.json"
    record.write_text(record.read_text(encoding="utf-8")[:20], encoding="utf-8")
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "no window"
    record.unlink()
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "no window"


@pytest.mark.parametrize(
    "event", ["PermissionRequest", "UserPromptSubmit", "SessionStart", "SessionEnd", "PreCompact"]
)
def test_event_nobody_has_folded_yet_is_heard(idle: Scene, event: str) -> None:
    staged = idle.stage()
    idle.machine.says(idle.pid, event, session_id=SESSION, tool_name="Bash", trigger="manual")
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "changed"


def test_event_of_another_process_or_of_no_weight_is_in_nobodys_way(idle: Scene) -> None:
    staged = idle.stage()
    idle.machine.says(idle.machine.agent(), "PermissionRequest", session_id="x", tool_name="Bash")
    idle.machine.says(idle.pid, "Stop", session_id=SESSION)
    idle.wake(staged)
    assert idle.window.typed[-1] == "Enter"


def test_session_no_hook_has_spoken_for_is_typed_nothing(idle: Scene) -> None:
    staged = idle.stage()
    idle.know(State.IDLE, announced=False)
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "untracked"
    assert queue.standing(idle.machine.folder) == (staged,)


def test_halted_fleet_is_typed_nothing(idle: Scene) -> None:
    staged = idle.stage()
    latch.put(idle.machine.folder)
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "halted"


def test_another_window_is_not_the_one_the_loop_meant(idle: Scene) -> None:
    staged = idle.stage()
    elsewhere = replace(PANE, tmux_pane="%4")
    assert idle.refuses(lambda: idle.wake(staged, elsewhere), Refused) == "changed"


def test_program_in_front_of_the_agent_is_typed_nothing(idle: Scene) -> None:
    staged = idle.stage()
    idle.window.in_front = False
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "not in front"
    assert queue.standing(idle.machine.folder) == (staged,)


def test_session_that_has_ended_is_typed_nothing(idle: Scene) -> None:
    staged = idle.stage()
    idle.session = None
    assert idle.refuses(lambda: idle.wake(staged), Gone) == "gone"


def test_verb_somebody_else_took_is_not_typed(idle: Scene) -> None:
    staged = idle.stage()
    queue.discard(idle.machine.folder, staged)
    assert idle.refuses(lambda: idle.wake(staged), Gone) == "gone"


@pytest.mark.parametrize("name", [f"{'x' * 200}/{'y' * 200}/{'z' * 200}", "a#b", "a\u00a0b"])
def test_path_nobody_can_type_is_not_typed(idle: Scene, home: Path, name: str) -> None:
    folder = StateFolder(home / name)
    folder.create()
    witnesses = Witnesses(idle._known, agent_kinds, idle.window.is_in_front)
    idle.reach = Reach(folder, idle.window, witnesses)
    staged = idle.stage()
    assert idle.refuses(lambda: idle.wake(staged), Refused) == "cannot be typed"
    assert queue.standing(folder) == (staged,)


def test_prompt_that_cannot_be_written_is_not_delivered(
    idle: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Unavailable("no space left")

    staged = idle.stage()
    monkeypatch.setattr(queue, "write_prompt", full)
    assert idle.refuses(lambda: idle.wake(staged), Refused) == NOT_DELIVERED


def test_verb_that_cannot_be_put_back_is_not_delivered(
    idle: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> bool:
        raise Unavailable("no space left")

    staged = idle.stage()
    idle.window.dialog = True
    monkeypatch.setattr(queue, "give_back", full)
    with pytest.raises(Refused, match=NOT_DELIVERED):
        idle.wake(staged)
    assert idle.window.lines == []


def test_bug_of_a_host_is_not_delivered_either(
    idle: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    staged = idle.stage()
    monkeypatch.setattr(idle.window, "paste", broken)
    with pytest.raises(Refused, match=NOT_DELIVERED) as refused:
        idle.wake(staged)
    assert refused.value.hint == "ZeroDivisionError"
    assert queue.standing(idle.machine.folder) == ()


def test_prompt_of_a_line_that_may_yet_be_submitted_stays(
    idle: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise Unavailable("tmux took too long")

    staged = idle.stage()
    monkeypatch.setattr(idle.window, "confirm", late)
    with pytest.raises(Refused, match=NOT_DELIVERED) as refused:
        idle.wake(staged)
    assert "tmux took too long" in refused.value.hint
    assert queue.prompt_file(idle.machine.folder, staged.token).exists()


def test_verb_of_which_nothing_was_typed_is_back_in_the_queue_alone(idle: Scene) -> None:
    staged = idle.stage()
    idle.window.dialog = True
    with pytest.raises(Unavailable):
        idle.wake(staged)
    assert queue.standing(idle.machine.folder) == (staged,)
    assert len(list(idle.machine.folder.queue.iterdir())) == 1


# Keystrokes.


def test_escape_goes_to_a_turn_that_runs(busy: Scene) -> None:
    busy.stroke(STOP)
    assert busy.window.typed == ["Esc"]


def test_turn_that_runs_on_is_told_of(busy: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "STOPS_S", 0.1)
    busy.window.deaf = True
    with pytest.raises(Refused, match="not stopped"):
        busy.stroke(STOP)
    assert busy.window.typed == ["Esc"]


def test_turn_that_ended_with_its_agent_has_stopped(
    busy: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = busy.machine.registry / f"{busy.pid}.json"
    monkeypatch.setattr(busy.window, "interrupt", lambda _: record.unlink())
    busy.stroke(STOP)
    assert not record.exists()


def test_escape_goes_to_nobody_whose_record_says_anything_else(busy: Scene) -> None:
    for status in ("idle", "shell", "waiting"):
        busy.machine.records(busy.pid, SESSION, status)
        assert busy.refuses(lambda: busy.stroke(STOP), Refused) == "not working"
    (busy.machine.registry / f"{busy.pid}.json").unlink()
    assert busy.refuses(lambda: busy.stroke(STOP), Refused) == "not working"


def test_escape_answers_no_request(busy: Scene) -> None:
    busy.know(State.WORKING, requests=(a_request(since=time.time() + 60),))
    assert busy.refuses(lambda: busy.stroke(STOP), Refused) == "not working"
    busy.know(State.WORKING)
    busy.machine.says(busy.pid, "PermissionRequest", session_id=SESSION, tool_name="Bash")
    assert busy.refuses(lambda: busy.stroke(STOP), Refused) == "changed"


@pytest.mark.parametrize("verb", [STOP, YES])
def test_keystroke_is_for_what_was_shown_in_that_window(busy: Scene, verb: Verb) -> None:
    assert busy.refuses(lambda: busy.stroke(verb, since=1.0), Refused) == "changed"
    moved = replace(PANE, tmux_pane="%4")
    assert busy.refuses(lambda: busy.stroke(verb, place=moved), Refused) == "changed"
    busy.window.in_front = False
    assert busy.refuses(lambda: busy.stroke(verb), Refused) == "not in front"
    busy.know(State.WORKING, entrypoint="sdk-cli")
    assert busy.refuses(lambda: busy.stroke(verb), Refused) == "no window"
    busy.session = None
    with pytest.raises(Gone):
        busy.reach.stroke(Stroke(verb, "a", PANE, 0.0))


def test_enter_goes_to_a_dialog_that_is_drawn(waiting: Scene) -> None:
    waiting.stroke(YES)
    assert waiting.window.typed == ["Enter"]


def test_enter_goes_to_no_prompt(waiting: Scene) -> None:
    waiting.window.dialog = False
    assert waiting.refuses(lambda: waiting.stroke(YES), Refused) == "too soon"


def test_enter_waits_until_the_dialog_has_been_open_for_a_while(machine: Machine) -> None:
    scene = Scene(machine, "waiting", ago_s=0.0)
    scene.know(State.BLOCKED)
    scene.window.dialog = True
    assert scene.refuses(lambda: scene.stroke(YES), Refused) == "too soon"


def test_enter_confirms_no_other_dialog(waiting: Scene) -> None:
    waiting.machine.now += 20.0
    waiting.machine.records(waiting.pid, SESSION, "waiting")
    assert waiting.refuses(lambda: waiting.stroke(YES), Refused) == "changed"


def test_enter_confirms_nothing_where_no_dialog_is_open(waiting: Scene) -> None:
    waiting.machine.records(waiting.pid, SESSION, "busy")
    assert waiting.refuses(lambda: waiting.stroke(YES), Refused) == "not blocked"
    waiting.machine.records(waiting.pid, SESSION, "waiting")
    waiting.know(State.BLOCKED, record=None)
    assert waiting.refuses(lambda: waiting.stroke(YES), Refused) == "not blocked"


@pytest.mark.parametrize(("status", "verb"), [("busy", STOP), ("waiting", YES)])
def test_window_that_shows_another_process_is_sent_nothing(
    machine: Machine, status: str, verb: Verb
) -> None:
    scene = Scene(machine, status)
    scene.machine.records(scene.pid, SESSION, status, parkedJobId="job")
    scene.know(State.BLOCKED if verb is YES else State.WORKING)
    assert scene.refuses(lambda: scene.stroke(verb), Refused) == "moved"


def test_nothing_waits_for_a_conversation_that_moved_to_the_background(machine: Machine) -> None:
    scene = Scene(machine)
    scene.machine.records(scene.pid, SESSION, "idle", parkedJobId="job")
    scene.know(State.IDLE)
    assert scene.refuses(scene.stage, Refused) == "moved"
    assert queue.standing(machine.folder) == ()


def test_enter_confirms_nothing_while_halted(waiting: Scene) -> None:
    latch.put(waiting.machine.folder)
    assert waiting.refuses(lambda: waiting.stroke(YES), Refused) == "halted"


# Two registries.


@pytest.mark.parametrize("start", ["7", ""])
def test_record_a_killed_agent_has_left_for_its_pid_moves_nothing(
    busy: Scene, home: Path, start: str
) -> None:
    two_registries(busy, home, "idle", "busy", start)
    assert busy.refuses(lambda: busy.stroke(STOP), Refused) == "not working"


def test_record_of_the_process_itself_counts_beside_one_left_for_its_pid(
    waiting: Scene, home: Path
) -> None:
    two_registries(waiting, home, "waiting", "idle", "7")
    waiting.stroke(YES)
    assert waiting.window.typed == ["Enter"]
