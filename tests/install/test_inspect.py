"""What doctor is told of the hooks: in place, current, and heard."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from flightdeck.install import claude_code
from flightdeck.install.client import find_site
from flightdeck.install.desired import desired
from flightdeck.install.inspect import Running, Subject, inspect, unheard
from flightdeck.install.policy import Ban, Policy
from flightdeck.install.target import Target
from flightdeck.model.finding import Finding, Level
from tests.install.documents import OLDER, a_file, a_group

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.home import Home

APPLY = "flightdeck apply"
NO_POLICY = Policy()


@pytest.fixture
def installed(home: Home) -> Home:
    """A home with a client and all hooks."""
    home.install_client()
    home.state.create()
    claude_code.install(home.target, wanted(home), home.records)
    return home


def wanted(home: Home) -> dict[str, str]:
    return desired(None, find_site(home.state.root))


@dataclass(frozen=True)
class Told:
    """A finding as a person reads it."""

    level: Level
    what: str
    hint: str = ""


def findings(
    home: Home,
    *,
    cwd: Path | None = None,
    target: Target | None = None,
    policy: Policy = NO_POLICY,
    elsewhere: tuple[Path, ...] = (),
) -> list[Told]:
    subject = Subject(
        target or home.target,
        wanted(home),
        cwd or home.path,
        home.state.inbox,
        policy,
        elsewhere,
    )
    return [told(finding) for finding in inspect(subject)]


def told(finding: Finding) -> Told:
    return Told(finding.level, finding.what, finding.mend)


def project(home: Home, name: str, **settings: object) -> Path:
    """Write a settings file of a project, and return it."""
    file = home.path / "app" / ".claude" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings))
    return file


def edit_hooks(home: Home, old: str, new: str) -> None:
    """Let every hook name something else."""
    text = home.text()
    assert old in text
    home.write(text.replace(old, new))


def edit(home: Home, **more: object) -> None:
    """Put more settings beside the hooks."""
    home.write(json.dumps({**json.loads(home.text()), **more}))


def test_hooks_in_place_are_ok_and_their_file_is_named(installed: Home) -> None:
    what = f"17 hooks are current in {installed.file}"
    assert findings(installed) == [Told(Level.OK, what)]


def test_file_of_a_moved_configuration_folder_is_the_one_named(installed: Home) -> None:
    moved = installed.path / "alt dir"
    claude_code.install(Target(moved), wanted(installed), installed.records)
    finding = findings(installed, target=Target(moved))[0]
    assert finding.what.endswith("/alt dir/settings.json")


def test_inbox_that_is_missing_is_a_failure(installed: Home) -> None:
    installed.state.inbox.rmdir()
    what = f"{installed.state.inbox} is missing; hooks put nothing anywhere else"
    assert findings(installed)[0] == Told(Level.FAILURE, what, APPLY)


@pytest.mark.parametrize("text", ["", "{}", a_file({"Stop": [a_group("other")]})])
def test_settings_without_our_hooks_are_a_failure(home: Home, text: str) -> None:
    home.install_client()
    home.state.create()
    home.write(text)
    what = f"no hooks are installed in {home.file}"
    assert findings(home) == [Told(Level.FAILURE, what, APPLY)]


def test_event_without_its_hook_is_a_failure_by_name(installed: Home) -> None:
    hooks = json.loads(installed.text())["hooks"]
    edit(installed, hooks={event: hooks[event] for event in hooks if event != "Stop"})
    what = f"hooks are missing from {installed.file}: Stop"
    assert findings(installed) == [Told(Level.FAILURE, what, APPLY)]


@pytest.mark.parametrize("more", [{"SessionStart": [a_group(OLDER)]}, {"Old": [a_group(OLDER)]}])
def test_hook_of_another_version_is_a_warning(installed: Home, more: dict[str, object]) -> None:
    edit(installed, hooks={**json.loads(installed.text())["hooks"], **more})
    what = f"hooks in {installed.file} are out of date or doubled"
    assert findings(installed) == [Told(Level.WARNING, what, APPLY)]


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
    *_, last = findings(installed)
    assert last == Told(
        Level.FAILURE,
        f"{installed.file}: disableAllHooks is true; no hook runs",
        f"take disableAllHooks out of {installed.file}",
    )


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_project_that_turns_hooks_off_is_a_failure(installed: Home, name: str) -> None:
    file = project(installed, name, disableAllHooks=True)
    *_, last = findings(installed, cwd=file.parent.parent)
    assert (last.level, last.hint) == (Level.FAILURE, f"take disableAllHooks out of {file}")
    assert "no hook runs in this project" in last.what


def test_local_settings_have_the_last_word_of_a_project(installed: Home) -> None:
    app = project(installed, "settings.json", disableAllHooks=True).parent.parent
    project(installed, "settings.local.json", disableAllHooks=False)
    assert [finding.level for finding in findings(installed, cwd=app)] == [Level.OK]


def test_project_that_says_something_else_of_it_is_not_listened_to(installed: Home) -> None:
    app = project(installed, "settings.json", disableAllHooks="true").parent.parent
    assert [finding.level for finding in findings(installed, cwd=app)] == [Level.OK]


@pytest.mark.parametrize("checkout", ["folder", "worktree", "file"])
def test_local_settings_are_those_of_the_main_checkout(installed: Home, checkout: str) -> None:
    main = project(installed, "settings.local.json", disableAllHooks=True).parent.parent
    (main / ".git" / "worktrees" / "other").mkdir(parents=True)
    place = main if checkout == "folder" else installed.path / "other"
    (place / "deep").mkdir(parents=True)
    if place != main:
        text = f"gitdir: {main}/.git/worktrees/other\n" if checkout == "worktree" else "\xff"
        (place / ".git").write_text(text, encoding="latin-1")
    expected = [Level.OK] if checkout == "file" else [Level.OK, Level.FAILURE]
    assert [f.level for f in findings(installed, cwd=place / "deep")] == expected


def test_project_settings_of_a_folder_above_do_not_count(installed: Home) -> None:
    app = project(installed, "settings.json", disableAllHooks=True).parent.parent
    (app / ".git").mkdir()
    (app / "deep").mkdir()
    assert [finding.level for finding in findings(installed, cwd=app / "deep")] == [Level.OK]


def test_setting_of_a_wrong_kind_is_a_failure(installed: Home) -> None:
    edit(installed, disableAllHooks="true", permissions={"deny": {}})
    assert [finding.what for finding in findings(installed)[:2]] == [
        f"{installed.file}: {fault} is expected; Claude Code skips the whole file"
        for fault in (
            "disableAllHooks is a string where true or false",
            "permissions.deny is an object where an array",
        )
    ]


def test_policy_that_bans_hooks_is_a_failure_that_names_its_file(
    installed: Home, tmp_path: Path
) -> None:
    file = tmp_path / "managed-settings.json"
    policy = Policy((file,), (Ban(file, "allowManagedHooksOnly"),), (file,))
    first, second, _ = findings(installed, policy=policy)
    assert first.what == f"managed settings {file} are no JSON: Claude Code does not start"
    assert (
        second.what == f"managed settings {file} let no hooks of yours run (allowManagedHooksOnly)"
    )
    assert str(file) in second.hint


def test_hooks_in_another_configuration_folder_are_named(home: Home, tmp_path: Path) -> None:
    home.state.create()
    home.write("{}")
    other = tmp_path / "settings.json"
    what = f"no hooks are installed in {home.file}; those in {other} are read by another claude"
    assert findings(home, elsewhere=(other,)) == [Told(Level.FAILURE, what, APPLY)]


def test_hooks_that_name_a_command_that_is_gone_are_silent(installed: Home) -> None:
    gone = installed.path / "gone" / "flightdeck"
    edit_hooks(installed, str(find_site(installed.state.root).executable), str(gone))
    what = f"hooks in {installed.file} are silent: {gone}, which they name, does not start"
    assert findings(installed) == [Told(Level.FAILURE, what, APPLY)]


def test_hooks_of_another_state_folder_are_a_failure(installed: Home) -> None:
    edit_hooks(installed, f"{installed.state.root}/", "/elsewhere/.fleet/")
    what = (
        f"hooks in {installed.file} put their events into /elsewhere/.fleet/inbox, "
        f"and {installed.state.inbox} is looked into"
    )
    assert findings(installed) == [Told(Level.FAILURE, what, APPLY)]


def test_file_that_is_not_json_is_a_failure_with_its_place(home: Home) -> None:
    home.install_client()
    home.write("{\n// x\n}")
    (finding,) = findings(home)
    assert finding.level is Level.FAILURE
    assert finding.what == f"{home.file}:2:1: not strict JSON: a comment"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_hook_named_again_by_the_project_is_a_warning(
    installed: Home, tmp_path: Path, name: str
) -> None:
    project = tmp_path / "app" / ".claude"
    project.mkdir(parents=True)
    (project / name).write_text(a_file({"Stop": [a_group(OLDER)], "Other": [a_group(OLDER)]}))
    found = findings(installed, cwd=tmp_path / "app")
    what = f"Stop is hooked twice: in {installed.file} and in {project / name}"
    assert found[1:] == [Told(Level.WARNING, what, f"take our entry out of {project / name}")]


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
    found = findings(installed, cwd=tmp_path / "app")
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
    assert Told(Level.WARNING, what.format(installed.file), APPLY) in findings(installed)


def test_project_settings_that_cannot_be_read_are_not_our_matter(
    installed: Home, tmp_path: Path
) -> None:
    (tmp_path / "app" / ".claude" / "settings.json").mkdir(parents=True)
    (tmp_path / "app" / ".claude" / "settings.local.json").write_text("{,}")
    found = findings(installed, cwd=tmp_path / "app")
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
    assert finding.mend == APPLY
