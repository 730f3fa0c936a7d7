"""`flightdeck doctor` on a machine with a client, agents and a state folder of its own."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.doctor.visit import PARTS
from flightdeck.panel.control import ControlSocket
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fold.world import Machine

Checks = list[dict[str, str]]


@pytest.fixture(autouse=True)
def client(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `claude` on the PATH, as far as its version, and `tmux` beside it."""
    programs = home / "bin"
    programs.mkdir()
    for name, says in (("claude", "2.1.332 (Claude Code)"), ("tmux", "tmux 3.3a")):
        (programs / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    (home / ".claude").mkdir()
    return programs


def installed(home: Path) -> None:
    assert main(["apply", "--yes"]) == 0
    assert (home / ".fleet" / "inbox").is_dir()


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, Checks]:
    """Return the exit code and what was found."""
    capsys.readouterr()
    code = main(["doctor", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "flightdeck.doctor/1"
    return code, data["checks"]


def of(checks: Checks, part: str) -> list[tuple[str, str]]:
    return [(check["level"], check["what"]) for check in checks if check["part"] == part]


def test_every_part_has_a_finding(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(home)
    code, checks = doctor(capsys)
    assert code == 0
    assert {check["part"] for check in checks} == set(PARTS)


def test_file_in_the_place_of_the_state_folder_is_a_failure(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = home / ".fleet"
    root.write_text("")
    code, checks = doctor(capsys)
    assert code == 1
    assert of(checks, "folder") == [("failure", f"{root} is not a folder")]


def test_each_check_has_the_same_keys(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(home)
    _, checks = doctor(capsys)
    assert all(set(check) == {"part", "level", "what", "hint"} for check in checks)


def test_settings_file_it_checked_is_named(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = home / "alt dir"
    elsewhere.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(elsewhere))
    installed(home)
    _, checks = doctor(capsys)
    ((level, what),) = of(checks, "hooks")
    assert level == "ok"
    assert str(elsewhere / "settings.json") in what


def test_settings_the_client_will_skip_are_a_failure(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    file = home / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["hooks"]["Stop"].insert(0, {"matcher": {"any": True}, "hooks": []})
    file.write_text(json.dumps(settings))
    code, checks = doctor(capsys)
    assert code == 1
    assert ("failure", True) in [(level, "skips" in what) for level, what in of(checks, "hooks")]


def test_missing_hooks_are_mended_by_apply(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".fleet" / "inbox").mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text("{}\n")
    code, checks = doctor(capsys)
    assert code == 1
    hints = [check["hint"] for check in checks if check["part"] == "hooks"]
    assert "flightdeck apply" in hints


def test_state_folder_that_is_not_there_is_no_failure(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, checks = doctor(capsys)
    ((level, what),) = of(checks, "folder")
    assert (code, level) == (1, "warning")  # 1: no hooks yet
    assert str(home / ".fleet") in what
    assert not (home / ".fleet").exists()


def test_state_folder_others_can_read_is_a_warning(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    (home / ".fleet").chmod(0o755)
    _, checks = doctor(capsys)
    assert ("warning", f"{home / '.fleet'} can be read by others (mode 755)") in of(
        checks, "folder"
    )


def test_events_nobody_folds_are_a_warning(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    machine.step(machine.fold())
    machine.starts(machine.agent(), "s-1")
    old = time.time() - 3600
    os.utime(machine.folder.slots, (old, old))
    _, checks = doctor(capsys)
    levels = [(level, what.partition(",")[0]) for level, what in of(checks, "folder")]
    assert levels == [("warning", "1 events wait")]


def test_broken_session_record_is_named_and_left_alone(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    broken = machine.folder.sessions / "s-aaaa.json"
    broken.write_text('{"session_id": "s-aa')
    _, checks = doctor(capsys)
    assert any(level == "warning" and str(broken) in what for level, what in of(checks, "sessions"))
    assert broken.read_text() == '{"session_id": "s-aa'


def test_session_older_than_the_hooks_is_named_until_it_is_heard(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older, newer = machine.agent(), machine.agent()
    machine.records(older, "s-old", "idle", startedAt=int((time.time() - 600) * 1000))
    installed(home)
    machine.records(newer, "s-new", "idle", startedAt=int((time.time() + 1) * 1000))
    machine.says(newer, "UserPromptSubmit", session_id="s-new", prompt="x")
    _, checks = doctor(capsys)
    named = [what for level, what in of(checks, "sessions") if level == "warning"]
    assert [str(older) in what for what in named] == [True]
    machine.now = time.time()
    machine.says(older, "UserPromptSubmit", session_id="s-old", prompt="x")
    _, checks = doctor(capsys)
    assert [what for level, what in of(checks, "sessions") if level == "warning"] == []


def test_session_that_runs_without_hooks_is_named_with_its_folder(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    pid = machine.agent()
    machine.records(pid, "s-bare", "busy", startedAt=int((time.time() + 1) * 1000))
    _, checks = doctor(capsys)
    told = f"process {pid} in {home} runs without our hooks; HALT does not cover it"
    assert ("warning", told) in of(checks, "sessions")


def test_halted_fleet_is_the_first_thing_said_of_the_brakes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    _, checks = doctor(capsys)
    assert of(checks, "brakes") == [("ok", "not halted")]
    latch = home / ".fleet" / "halt"
    latch.symlink_to("/nowhere/at/all")
    _, checks = doctor(capsys)
    told = f"HALTED: no new tool call runs while {latch} stands"
    assert of(checks, "brakes") == [("warning", told)]


def test_running_panel_is_named(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    instance = Instance(machine.folder)
    control = ControlSocket(machine.folder.control, lambda asked: {"problem": str(asked)})
    control.start()
    instance.announce(RunningPanel(4242, "recorder", str(control.path)))
    _, checks = doctor(capsys)
    control.close()
    instance.release()
    assert of(checks, "panel") == [("ok", "panel on the recorder deck, pid 4242")]


def test_fault_in_the_layout_is_a_failure_of_that_part_only(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    layouts = home / ".fleet" / "layouts"
    layouts.mkdir()
    (layouts / "xl.yaml").write_text("device: stream-deck-xl\nrows:\n\t- fill: slot\n")
    code, checks = doctor(capsys)
    assert code == 1
    ((level, what),) = of(checks, "layout")
    assert level == "failure"
    assert f"{layouts / 'xl.yaml'}:3:1" in what
    assert of(checks, "drawing")


def test_risk_file_with_a_problem_is_a_failure_and_left_out(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    (home / ".fleet" / "risk").mkdir()
    file = home / ".fleet" / "risk" / "mine.yaml"
    file.write_text("rules:\n  mine:\n    tier: hih\n    program: x\n")
    code, checks = doctor(capsys)
    assert code == 1
    *faults, (level, what) = of(checks, "risk")
    assert ("failure", f"{file}:3:11: 'hih' is no tier") in faults
    assert (level, what) == ("warning", f"no rule of {file} counts until that is mended")


def test_own_risk_rules_are_counted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(home)
    (home / ".fleet" / "risk").mkdir()
    (home / ".fleet" / "risk" / "mine.yaml").write_text(
        "rules:\n  mine:\n    tier: low\n    why: mine\n    program: frob\n"
        "    matches:\n      - frob\n    spares:\n      - ls\n"
    )
    _, checks = doctor(capsys)
    ((level, what),) = of(checks, "risk")
    assert level == "ok"
    assert what.endswith("risk rules, 1 of your own")


def test_empty_layout_is_a_warning(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    installed(home)
    layouts = home / ".fleet" / "layouts"
    layouts.mkdir()
    (layouts / "xl.yaml").write_text("")
    _, checks = doctor(capsys)
    assert [level for level, _ in of(checks, "layout")] == ["warning"]


def test_machine_without_tmux_lacks_it_only_inside_one(
    home: Path, client: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(home)
    (client / "tmux").unlink()
    monkeypatch.setenv("PATH", str(client))
    monkeypatch.setattr("flightdeck.hosts.programs._BESIDE_PATH", ())
    _, checks = doctor(capsys)
    told = "tmux is not installed: only agents in a tmux need it"
    assert of(checks, "windows") == [("ok", told)]
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    _, checks = doctor(capsys)
    assert [level for level, _ in of(checks, "windows")] == ["warning"]


def test_text_names_the_part_and_what_mends_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    capsys.readouterr()
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(lines) if "no panel is running" in line)
    assert lines[at : at + 2] == [
        "warning  panel     no panel is running",
        "                   mend: flightdeck run",
    ]
    assert {line[18:20].strip() != "" and line[18] == " " for line in lines[:-1]} == {True}
    assert lines[-1] == "1 warning"


def test_part_that_cannot_be_looked_at_does_not_end_the_visit(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home)
    lock = home / ".fleet" / "lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()
    code, checks = doctor(capsys)
    assert code == 1
    assert [level for level, _ in of(checks, "sessions")] == ["failure"]
    assert of(checks, "windows")
