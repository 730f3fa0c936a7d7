"""`flightdeck run`: one panel, kept true, that ends without a trace however it ends."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.install.snippets import Kind
from flightdeck.store.instance import running_panel
from tests.commands.running import FLIGHTDECK, Running, log_of
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fold.world import Machine

    Start = Callable[..., Running]


def leftovers(machine: Machine) -> set[str]:
    return {"panel.pid", "control.sock"} & {path.name for path in machine.folder.root.iterdir()}


def spool(machine: Machine, pid: int, event: str, **payload: object) -> None:
    """Send an event through the real hook."""
    body = json.dumps({"session_id": "s", **payload}).encode() + b"\n"
    assert machine.hook(Kind.SPOOL, event, "/bin/sh", body, pid) == 0


def test_agents_events_reach_their_key(machine: Machine, start: Start) -> None:
    panel, pid = start().begun(), machine.agent()
    spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "working")
    spool(machine, pid, "PermissionRequest", tool_name="Bash", tool_input={})
    panel.shows(1, "blocked")
    machine.kill(pid)
    panel.shows(1, "empty")


def test_last_of_fifty_quick_changes_is_what_the_key_shows(machine: Machine, start: Start) -> None:
    panel, pid = start().begun(), machine.agent()
    for number in range(50):
        if number % 2:
            spool(machine, pid, "PermissionRequest", tool_name="Bash", tool_input={})
        else:
            spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "blocked")
    until(lambda: not list(machine.folder.inbox.iterdir()), "an empty inbox")
    panel.shows(1, "blocked")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_ended_panel_leaves_nothing_and_says_so(
    machine: Machine, start: Start, number: int
) -> None:
    panel = start().begun()
    assert machine.snapshot()["panel"]["running"] is True
    assert panel.end(number) == 0
    assert leftovers(machine) == set()
    assert machine.snapshot()["panel"] == {
        "running": False,
        "pid": None,
        "deck": None,
        "problem": None,
    }
    assert panel.said.endswith("the panel has ended\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_panel_ended_before_it_has_a_deck_leaves_nothing_either(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    from flightdeck.commands import run  # noqa: PLC0415 - only here

    def ended(*_: object, **__: object) -> None:
        assert leftovers(machine) == {"panel.pid"}
        signal.raise_signal(number)

    monkeypatch.setattr(run, "make_deck", ended)
    assert main(["run", "--deck", "recorder"]) == 130
    assert leftovers(machine) == set()


def test_impatient_second_signal_leaves_nothing_either(machine: Machine, start: Start) -> None:
    panel = start().begun()
    panel.process.send_signal(signal.SIGTERM)
    assert panel.end() == 0
    assert leftovers(machine) == set()


def test_snapshot_names_the_panel(machine: Machine, start: Start) -> None:
    panel = start().begun()
    assert machine.snapshot()["panel"] == {
        "running": True,
        "pid": panel.process.pid,
        "deck": "recorder",
        "problem": None,
    }


def test_second_panel_is_refused_names_the_first_and_touches_no_deck(
    machine: Machine, start: Start
) -> None:
    first = start().begun()
    until(first.listens, "an announced panel")
    frames = machine.home / "other"
    argv = [*FLIGHTDECK, "run", "--deck", "recorder", "--record", str(frames)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"running already (pid {first.process.pid}, recorder deck)" in done.stderr
    assert not frames.exists()
    assert first.process.poll() is None


def test_panel_starts_after_one_that_was_killed(machine: Machine, start: Start) -> None:
    assert start().begun().end(signal.SIGKILL) == -signal.SIGKILL
    assert leftovers(machine) == {"panel.pid", "control.sock"}
    shutil.rmtree(machine.home / "frames")
    second = start().begun()
    until(second.listens, "an announced panel")
    assert running_panel(machine.folder) is not None
    assert second.end() == 0
    assert leftovers(machine) == set()


def test_removed_state_folder_is_made_again_and_the_panel_goes_on(
    machine: Machine, start: Start
) -> None:
    panel, pid = start().begun(), machine.agent()
    # In one step: the panel would make parts again while others are still being removed.
    shutil.rmtree(machine.folder.root.rename(machine.home / "removed"))
    until(machine.folder.inbox.is_dir, "a new state folder")
    spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "working")
    spool(machine, pid, "Stop")
    panel.shows(1, "done")
    until(panel.listens, "a panel others can find")


def test_panel_goes_on_while_the_watch_cannot(
    machine: Machine, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on a machine that has no watch left.
    broken = machine.home / "broken" / "sitecustomize.py"
    broken.parent.mkdir()
    broken.write_text(
        "from watchdog.observers import Observer\n"
        "def schedule(*_, **__): raise OSError(28, 'no watches')\n"
        "Observer.schedule = schedule\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(broken.parent))
    panel, pid = start().begun(), machine.agent()
    spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "working")
    # Once by the watch of events, once by that of edits.
    assert log_of(machine.folder.log).count("cannot watch") == 2


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_empty_layout_is_the_shipped_one_and_a_warning_names_the_file(
    machine: Machine, start: Start, text: str
) -> None:
    path = machine.home / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    panel = start("--layout", str(path)).begun()
    panel.end()
    assert "mine.yaml: " in panel.said


@pytest.mark.parametrize("text", ["", "name: # row 2\n   deck\n\nkeys:\n- slot: 16\n"])
def test_layout_spoiled_while_the_panel_runs_changes_nothing(
    machine: Machine, start: Start, text: str
) -> None:
    path = machine.home / "mine.yaml"
    path.write_text("device: stream-deck-xl\nrows:\n  - fill: slot\n", encoding="utf-8")
    panel, pid = start("--layout", str(path)).begun(), machine.agent()
    path.write_text(text, encoding="utf-8")
    spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "working")


def test_panel_of_an_empty_layout_says_so_first(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.home / "mine.yaml").touch()
    words = ["--layout", str(machine.home / "mine.yaml"), "--seconds", "0.1"]
    assert main(["run", "--deck", "recorder", *words]) == 0
    assert "mine.yaml: " in capsys.readouterr().out.splitlines()[0]


def test_layout_with_a_fault_is_told_and_no_panel_starts(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    path = machine.home / "mine.yaml"
    path.write_text("name: # row 2\n   deck\n\nkeys:\n- slot: 16\n", encoding="utf-8")
    assert main(["run", "--deck", "recorder", "--layout", str(path)]) == 1
    assert "mine.yaml:" in capsys.readouterr().err
    assert leftovers(machine) == set()


def test_session_ends_while_renderers_sleep(machine: Machine, start: Start) -> None:
    sleepy = machine.home / "sleepy"
    sleepy.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    sleepy.chmod(0o755)
    machine.folder.local.write_text(f"renderers:\n  - {sleepy}\n", encoding="utf-8")
    panel, (old, new) = start().begun(), (machine.agent(), machine.agent())
    spool(machine, old, "UserPromptSubmit")
    panel.shows(1, "working")
    spool(machine, old, "SessionEnd", reason="other")
    panel.shows(1, "empty")
    spool(machine, new, "SessionStart", session_id="t", source="startup")
    panel.shows(1, "idle")
    assert panel.end() == 0


def test_journal_may_be_turned_off(machine: Machine, start: Start) -> None:
    machine.folder.local.write_text("journal: off\n", encoding="utf-8")
    panel, pid = start().begun(), machine.agent()
    spool(machine, pid, "UserPromptSubmit")
    panel.shows(1, "working")
    assert not machine.folder.journal.exists()


# In this very process, where the parts can be seen.


def test_panel_runs_for_its_seconds_and_says_where_it_is(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["run", "--deck", "recorder", "--seconds", "0.2"]) == 0
    assert capsys.readouterr().out == "panel on the recorder deck: memory\nthe panel has ended\n"
    assert machine.snapshot()["slots"][0]["state"] == "idle"
    assert leftovers(machine) == set()


def test_signal_ends_it_in_good_order(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    def announced() -> bool:
        panel = running_panel(machine.folder)
        return panel is not None and bool(panel.control)

    def end_it() -> None:
        until(announced, "an announced panel")
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=end_it)
    # Until the panel listens for it, the signal must not end the tests.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    thread.start()
    try:
        assert main(["run", "--deck", "recorder"]) == 0
    finally:
        thread.join()
        signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().out.endswith("the panel has ended\n")


def test_key_opens_what_its_author_wrote_and_says_if_it_cannot(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flightdeck.commands import run  # noqa: PLC0415 - only here
    from flightdeck.model.layout import UrlTarget  # noqa: PLC0415 - only here

    opened: list[object] = []
    monkeypatch.setattr(run, "open_target", lambda target, *_: opened.append(target))
    run._open(UrlTarget("https://example.org"))
    assert opened == [UrlTarget("https://example.org")]
    assert machine.folder.root.is_dir()


@pytest.mark.parametrize(("version", "opens"), [("2.1.118", True), ("2.1.117", False)])
def test_deep_link_is_opened_only_for_a_client_that_takes_it_as_text(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, version: str, opens: bool
) -> None:
    from flightdeck.commands import run  # noqa: PLC0415 - only here
    from flightdeck.errors import Refused  # noqa: PLC0415 - only here
    from flightdeck.model.layout import UrlTarget  # noqa: PLC0415 - only here

    client = machine.home / "bin" / "claude"
    client.parent.mkdir(exist_ok=True)
    client.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}:/usr/bin:/bin")
    opened: list[object] = []
    monkeypatch.setattr(run, "open_target", lambda target, *_: opened.append(target))
    with contextlib.nullcontext() if opens else pytest.raises(Refused, match="update Claude"):
        run._open(UrlTarget("claude-cli://open?cwd=/R"))
    assert bool(opened) is opens


def test_state_folder_that_cannot_be_used_is_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.home / "file").touch()
    monkeypatch.setenv("FLEET_HOME", str(machine.home / "file" / "fleet"))
    assert main(["run", "--deck", "recorder", "--seconds", "0.1"]) == 1
    assert "cannot use the state folder" in capsys.readouterr().err


@pytest.mark.parametrize("taken", ["log/panel.log", "compiled/panel.json", "control.sock"])
def test_folder_the_panel_cannot_use_is_told_and_how_to_mend_it(
    machine: Machine, capsys: pytest.CaptureFixture[str], taken: str
) -> None:
    (machine.folder.root / taken / "in the way").mkdir(parents=True)
    assert main(["run", "--deck", "recorder", "--seconds", "0"]) == 1
    assert "cannot use the state folder" in capsys.readouterr().err
    assert "panel.pid" not in leftovers(machine)
