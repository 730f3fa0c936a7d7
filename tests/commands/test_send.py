"""`flightdeck send`: a verb from a terminal, through the true panel and the true Stop hook."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import send as sending
from flightdeck.commands.steering import sent_verb
from flightdeck.install.snippets import Kind, Site, render_hook
from flightdeck.store import queue
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.verb import Verb
    from flightdeck.store.paths import StateFolder
    from tests.commands.running import Running
    from tests.fold.world import Machine

    Start = Callable[..., Running]

SESSION = "5e55a0de-0000-4000-8000-000000000002"


def send(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["send", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def agent(machine: Machine, start: Start) -> int:
    """Start a panel, and an agent at work that is selected; return its pid."""
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    pid = machine.agent()
    machine.starts(pid, SESSION)
    machine.says(pid, "UserPromptSubmit", session_id=SESSION, prompt="hello")
    panel.shows(1, "working")
    assert main(["select", "0"]) == 0
    return pid


def stops(machine: Machine, pid: int) -> str:
    """End the agent's turn and return what its Stop hook printed."""
    tools = {name: str(shutil.which(name)) for name in ("head", "rm", "mv", "mkfifo")}
    site = Site(machine.executable(), machine.folder.root, **tools)
    done = subprocess.run(
        ["/bin/sh", "-c", render_hook(Kind.DRAIN, "Stop", site)],
        input=json.dumps({"hook_event_name": "Stop", "session_id": SESSION}) + "\n",
        env={"CLAUDE_PID": str(pid), "CLAUDE_CODE_SESSION_ID": SESSION},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_verb_waits_for_the_end_of_the_turn_and_arrives_once(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    code, out, err = send(capsys, "test")
    assert (code, err) == (0, "")
    assert out.startswith("test: queued: ")
    assert json.loads(stops(machine, agent))["decision"] == "block"
    assert stops(machine, agent) == ""


def test_same_command_takes_it_back(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    send(capsys, "test")
    assert send(capsys, "test") == (0, "test: cancelled\n", "")
    assert stops(machine, agent) == ""


def test_one_verb_waits_at_a_time(agent: int, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    send(capsys, "test")
    code, out, err = send(capsys, "diff")
    assert (code, out) == (1, "")
    assert err.startswith("flightdeck: test queued\n  hint: ")


def test_what_cannot_be_taken_back_takes_the_command_twice(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    code, out, _ = send(capsys, "push")
    assert code == 4
    assert out.startswith("push: armed; the same again within 10 s will send push to ")
    assert queue.standing(machine.folder) == ()
    assert send(capsys, "push")[0] == 0
    assert [staged.verb for staged in queue.standing(machine.folder)] == ["push"]


def test_verb_is_sent_as_its_file_reads_now(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    machine.folder.verbs.mkdir(parents=True)
    (machine.folder.verbs / "mine.md").write_text(
        "---\nkind: prompt\n---\n\nThe operator pressed MINE: say hello.\n", encoding="utf-8"
    )
    assert send(capsys, "mine")[0] == 0
    assert "say hello" in json.loads(stops(machine, agent))["reason"]


def test_keystroke_needs_a_window_it_can_be_sent_to(
    agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    code, _, err = send(capsys, "stop")
    assert code == 1
    assert err.startswith("flightdeck: no window\n  hint: ")


def test_no_prompt_is_ever_logged(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    send(capsys, "test")
    [staged] = queue.standing(machine.folder)
    reason = json.loads(stops(machine, agent))["reason"]
    log = (machine.folder.log / "panel.log").read_text(encoding="utf-8")
    assert staged.verb in log
    assert not any(line and line in log for line in reason.splitlines())


@pytest.mark.parametrize(
    ("verb", "message", "hint"),
    [
        ("tests", "unknown verb 'tests'", "did you mean 'test'?"),
        ("justify", "'justify' is a steer verb", "`flightdeck verdict steer justify`"),
        ("broken", "the verb 'broken' has problems", "`flightdeck validate`"),
    ],
)
def test_verb_that_cannot_be_sent_is_told_with_what_to_do_instead(
    machine: Machine, capsys: pytest.CaptureFixture[str], verb: str, message: str, hint: str
) -> None:
    machine.folder.verbs.mkdir(parents=True)
    (machine.folder.verbs / "broken.md").write_text("no frontmatter\n", encoding="utf-8")
    code, out, err = send(capsys, verb)
    assert (code, out) == (1, "")
    assert message in err
    assert hint in err


def test_without_a_panel_nothing_is_sent(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert send(capsys, "test") == (
        1,
        "",
        "flightdeck: no panel is running\n  hint: start one with `flightdeck run`\n",
    )
    assert queue.standing(machine.folder) == ()


def test_without_a_selected_session_there_is_no_target(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    until(start().begun().listens, "a panel that listens")
    code, _, err = send(capsys, "test")
    assert code == 1
    assert err.startswith("flightdeck: no target\n  hint: `flightdeck select SLOT`")


def test_verb_is_for_the_session_that_was_selected_when_the_command_began(
    agent: int,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    machine.starts(machine.agent(), "other")
    assert main(["status"]) == 0

    def meanwhile(name: str, folder: StateFolder) -> Verb:
        assert main(["select", "1"]) == 0  # as a thumb may, while the verb's file is read
        return sent_verb(name, folder)

    monkeypatch.setattr(sending, "sent_verb", meanwhile)
    capsys.readouterr()
    code, out, err = send(capsys, "test")
    assert (code, out) == (1, "slot 1 is selected\n")
    assert err.startswith("flightdeck: changed\n  hint: ")
    assert queue.standing(machine.folder) == ()


def test_session_that_is_named_has_to_be_the_selected_one(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "other")
    assert main(["status"]) == 0
    capsys.readouterr()
    code, _, err = send(capsys, "test", "--session", "other")
    assert (code, err.splitlines()[0]) == (1, "flightdeck: another session is selected")
    assert queue.standing(machine.folder) == ()
    assert send(capsys, "test", "--session", SESSION)[0] == 0
    assert len(queue.standing(machine.folder)) == 1


def test_session_nobody_knows_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = send(capsys, "test", "--session", "nobody's")
    assert code == 1
    assert err.startswith("flightdeck: no session on the panel has the id 'nobody's'\n  hint: ")
