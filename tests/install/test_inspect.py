"""What doctor is told of the hooks: in place, current, and heard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.install import claude_code
from flightdeck.install.client import find_site
from flightdeck.install.desired import desired
from flightdeck.install.inspect import Finding, Level, Running, inspect, unheard
from flightdeck.install.target import Target
from tests.install.documents import OLDER, a_file, a_group

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.home import Home

APPLY = "flightdeck apply"


@pytest.fixture
def installed(home: Home) -> Home:
    """A home with a client and all hooks."""
    home.install_client()
    home.state.create()
    claude_code.install(home.target, wanted(home), home.records)
    return home


def wanted(home: Home) -> dict[str, str]:
    return desired(None, find_site(home.state.root))


def findings(home: Home, **more: str) -> list[Finding]:
    return inspect({**home.environ, **more}, home.path, home.state.root)


def edit(home: Home, **more: object) -> None:
    """Put more settings beside the hooks."""
    home.write(json.dumps({**json.loads(home.text()), **more}))


def test_hooks_in_place_are_ok_and_their_file_is_named(installed: Home) -> None:
    what = f"17 hooks are current in {installed.file}"
    assert findings(installed) == [Finding(Level.OK, what)]


def test_file_of_a_moved_configuration_folder_is_the_one_named(installed: Home) -> None:
    moved = installed.path / "alt dir"
    claude_code.install(Target(moved), wanted(installed), installed.records)
    finding = findings(installed, CLAUDE_CONFIG_DIR=str(moved))[0]
    assert finding.what.endswith("/alt dir/settings.json")


def test_missing_client_is_a_warning(home: Home) -> None:
    assert findings(home)[0].level is Level.WARNING


def test_settings_without_a_client_are_looked_at_and_the_version_doubted(home: Home) -> None:
    home.state.create()
    home.write("{}")
    assert [finding.level for finding in findings(home)] == [Level.WARNING, Level.FAILURE]


def test_inbox_that_is_missing_is_a_failure(installed: Home) -> None:
    installed.state.inbox.rmdir()
    what = f"{installed.state.inbox} is missing; hooks put nothing anywhere else"
    assert findings(installed)[0] == Finding(Level.FAILURE, what, APPLY)


@pytest.mark.parametrize("text", ["", "{}", a_file({"Stop": [a_group("other")]})])
def test_settings_without_our_hooks_are_a_failure(home: Home, text: str) -> None:
    home.install_client()
    home.state.create()
    home.write(text)
    what = f"no hooks are installed in {home.file}"
    assert findings(home) == [Finding(Level.FAILURE, what, APPLY)]


def test_event_without_its_hook_is_a_failure_by_name(installed: Home) -> None:
    hooks = json.loads(installed.text())["hooks"]
    edit(installed, hooks={event: hooks[event] for event in hooks if event != "Stop"})
    what = f"hooks are missing from {installed.file}: Stop"
    assert findings(installed) == [Finding(Level.FAILURE, what, APPLY)]


@pytest.mark.parametrize("more", [{"SessionStart": [a_group(OLDER)]}, {"Old": [a_group(OLDER)]}])
def test_hook_of_another_version_is_a_warning(installed: Home, more: dict[str, object]) -> None:
    edit(installed, hooks={**json.loads(installed.text())["hooks"], **more})
    what = f"hooks in {installed.file} are out of date or doubled"
    assert findings(installed) == [Finding(Level.WARNING, what, APPLY)]


def test_malformed_group_of_a_stranger_is_a_failure(installed: Home) -> None:
    hooks = json.loads(installed.text())["hooks"]
    hooks["Stop"].insert(0, a_group("x", matcher={"any": True}))
    edit(installed, hooks=hooks)
    first = findings(installed)[0]
    assert first.level is Level.FAILURE
    assert "hooks.Stop[0].matcher is an object" in first.what
    assert first.what.endswith("Claude Code skips the whole file")


def test_switch_that_turns_hooks_off_is_a_failure(installed: Home) -> None:
    edit(installed, disableAllHooks=True)
    assert [finding.level for finding in findings(installed)] == [Level.FAILURE, Level.OK]


def test_file_that_is_not_json_is_a_failure_with_its_place(home: Home) -> None:
    home.install_client()
    home.write("{\n// x\n}")
    (finding,) = findings(home)
    assert finding.level is Level.FAILURE
    assert finding.what == f"{home.file}:2:1: not strict JSON: a comment"


def test_client_too_old_for_permissions_is_a_warning(installed: Home) -> None:
    installed.install_client("2.0.42")
    assert "2.0.45 or later" in findings(installed)[0].what


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_hook_named_again_by_the_project_is_a_warning(
    installed: Home, tmp_path: Path, name: str
) -> None:
    project = tmp_path / "app" / ".claude"
    project.mkdir(parents=True)
    (project / name).write_text(a_file({"Stop": [a_group(OLDER)], "Other": [a_group(OLDER)]}))
    found = inspect(installed.environ, tmp_path / "app", installed.state.root)
    what = f"Stop is hooked twice: in {installed.file} and in {project / name}"
    assert found[1:] == [Finding(Level.WARNING, what, f"take our entry out of {project / name}")]


# PM-18
def test_stranger_who_answers_permission_requests_too_is_named(installed: Home) -> None:
    hooks = json.loads(installed.text())["hooks"]
    hooks["PermissionRequest"].insert(0, a_group("/opt/allow --all"))
    edit(installed, hooks=hooks)
    what = f"another tool also answers permission requests: '/opt/allow --all' in {installed.file}"
    found = findings(installed)
    assert [finding.level for finding in found] == [Level.OK, Level.WARNING]
    assert found[1].what == what
    assert found[1].hint


def test_stranger_of_the_project_who_answers_too_is_named(installed: Home, tmp_path: Path) -> None:
    project = tmp_path / "app" / ".claude"
    project.mkdir(parents=True)
    odd = {"hooks": [{"type": "prompt"}, {"type": "command", "command": "x\n" + "y" * 200}, {}]}
    (project / "settings.json").write_text(a_file({"PermissionRequest": [odd], "Stop": [odd]}))
    found = inspect(installed.environ, tmp_path / "app", installed.state.root)
    told = [finding.what.partition(": ")[2] for finding in found[1:]]
    where = f"in {project / 'settings.json'}"
    assert told == [f"'prompt' {where}", f"'x\\n{'y' * 116}…' {where}"]


@pytest.mark.parametrize(
    ("event", "what"),
    [
        ("PermissionRequest", "the permission hook in {} does not wait: no key can answer"),
        ("Stop", "the Stop hook in {} delivers no verb: each waits for the agent's rest"),
    ],
)
def test_older_hook_that_prints_nothing_is_a_warning(
    installed: Home, event: str, what: str
) -> None:
    hooks = json.loads(installed.text())["hooks"]
    edit(installed, hooks={**hooks, event: [a_group(OLDER)]})
    assert Finding(Level.WARNING, what.format(installed.file), APPLY) in findings(installed)


def test_project_settings_that_cannot_be_read_are_not_our_matter(
    installed: Home, tmp_path: Path
) -> None:
    (tmp_path / "app" / ".claude" / "settings.json").mkdir(parents=True)
    (tmp_path / "app" / ".claude" / "settings.local.json").write_text("{,}")
    found = inspect(installed.environ, tmp_path / "app", installed.state.root)
    assert [finding.level for finding in found] == [Level.OK]


def test_session_that_sent_nothing_since_the_install_is_named() -> None:
    (finding,) = unheard([Running(pid=11, cwd="/R/app", started=90.0)], since=100.0)
    assert finding.level is Level.WARNING
    assert "hooks not loaded by process 11 in /R/app" in finding.what
    assert "HALT does not cover it" in finding.what


def test_session_that_began_after_the_install_and_stays_silent_was_told_to() -> None:
    (finding,) = unheard([Running(pid=13, cwd="/R/app", started=110.0)], since=100.0)
    assert finding.what == ("process 13 in /R/app runs without our hooks; HALT does not cover it")
    assert "--safe-mode" in finding.hint


def test_without_an_install_every_silent_session_is_named() -> None:
    (finding,) = unheard([Running(pid=11, cwd="/R/a\x1bb", started=0.0)], since=None)
    assert "process 11 in /R/a\\x1bb" in finding.what
    assert finding.hint == APPLY
