"""One thing is broken at a time; it is named, nothing else is, and its hint mends it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model.finding import Level
from tests.doctor.desk import Desk, Fault
from tests.install.documents import OLDER, a_group

if TYPE_CHECKING:
    from collections.abc import Callable

# Whole commands, dozens of times: their lines are counted where each has a test of its own.
pytestmark = pytest.mark.no_cover
WARNING, FAILURE = Level.WARNING, Level.FAILURE
NO_PANEL = Fault("panel", WARNING, "no panel is running", "flightdeck run")
MANAGED = "etc/claude-code/managed-settings.json"


@dataclass(frozen=True)
class Case:
    """What is broken, and what is told of it.

    `edit` does what a hint says that is no command; `also` is a part that has to notice, too.
    `{home}`, `{cfg}` and `{fleet}` stand for the folders of the desk, `{pid}` for its agent.
    """

    name: str
    breaks: Callable[[Desk], object]
    part: str
    level: Level
    what: str
    hint: str
    edit: Callable[[Desk], object] | None = None
    also: str = ""


def hooks(change: Callable[[dict[str, Any]], object]) -> Callable[[Desk], None]:
    return lambda desk: desk.edit(lambda settings: change(settings["hooks"]))


def settings(**more: object) -> Callable[[Desk], None]:
    return lambda desk: desk.edit(lambda found: found.update(more))


def without(*names: str, file: str = "") -> Callable[[Desk], None]:
    def edit(desk: Desk) -> None:
        path = desk.home / file if file else None
        desk.edit(lambda found: [found.pop(name) for name in names], path)

    return edit


def project(name: str, **more: object) -> Callable[[Desk], None]:
    file = f"app/.claude/{name}"
    return lambda desk: desk.edit(lambda found: found.update(more), desk.home / file)


def managed(text: str) -> Callable[[Desk], None]:
    def write(desk: Desk) -> None:
        file = desk.root / MANAGED
        file.parent.mkdir(parents=True)
        file.write_text(text)

    return write


def mounted(kind: str) -> Callable[[Desk], None]:
    def write(desk: Desk) -> None:
        file = desk.root / "proc/self/mountinfo"
        file.parent.mkdir(parents=True, exist_ok=True)
        real = os.path.realpath(desk.home)
        file.write_text(
            "21 1 8:1 / / rw - ext4 /dev/sda1 rw\ntorn\n"
            f"22 21 0:40 / {real} rw,nosuid shared:1 - {kind} server:/home rw\n"
        )

    return write


def waiting(count: int) -> Callable[[Desk], None]:
    def spool(desk: Desk) -> None:
        pid = desk.machine.agent()
        for _ in range(count):
            desk.machine.says(pid, "Notification", session_id="s-1")
        old = time.time() - 3600
        desk.folder.slots.touch()
        os.utime(desk.folder.slots, (old, old))

    return spool


def write(place: str, text: str) -> Callable[[Desk], None]:
    def put_there(desk: Desk) -> None:
        path = desk.home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return put_there


def removed(place: str) -> Callable[[Desk], None]:
    return lambda desk: (desk.home / place).unlink()


def record(**more: object) -> Callable[[Desk], None]:
    """Let an agent run whose record was written a while ago."""

    def records(desk: Desk) -> None:
        path = desk.machine.records(desk.machine.agent(), "s-1", "idle")
        desk.edit(lambda found: found.update(more), path)
        os.utime(path, (time.time() - 60, time.time() - 60))

    return records


def reads_again(desk: Desk) -> None:
    for path in desk.machine.registry.iterdir():
        path.unlink()


def a_moved_command(desk: Desk) -> None:
    """Let hooks and timer be written by an installation that is gone since."""
    old, now = desk.home / "venv/bin", Path(sys.executable).parent
    desk.replaces(str(now), str(old))


def another_fleet(desk: Desk) -> None:
    desk.replaces(f"{desk.folder.root}/", f"{desk.home}/other/")


def a_second_client(desk: Desk) -> None:
    other = desk.home / "later"
    other.mkdir()
    shutil.copy(desk.bin / "claude", other / "claude")
    desk.environ.setenv("PATH", str(other), prepend=":")
    desk.environ.setenv("PATH", str(desk.bin), prepend=":")


def moved_settings(desk: Desk) -> None:
    (desk.home / "alt dir").mkdir()
    desk.environ.setenv("CLAUDE_CONFIG_DIR", str(desk.home / "alt dir"))


def without_hooks(desk: Desk) -> None:
    born = int((time.time() + 1) * 1000)
    path = desk.machine.records(desk.machine.agent(), "s-1", "idle", startedAt=born)
    os.utime(path, (time.time() - 60, time.time() - 60))


def ends(desk: Desk) -> None:
    for agent in desk.machine.agents:
        desk.machine.kill(agent.pid)


def a_hook_nobody_answers(desk: Desk) -> None:
    pid = desk.machine.agent()
    desk.machine.kill(pid)
    os.mkfifo(desk.folder.asks / f"{pid}.fifo")


def dead_panel(desk: Desk) -> None:
    desk.folder.panel_pid.write_text('1\n{"pid": 1, "deck": "recorder", "control": ""}\n')


def unloaded(desk: Desk) -> None:
    (desk.home / "stub/up-flightdeck-reap.timer").unlink()


def late(desk: Desk) -> None:
    old = time.time() - 3600
    units = (desk.home / ".config/systemd/user").glob("flightdeck-*")
    for path in (*units, desk.folder.reaped):
        os.utime(path, (old, old))


def in_a_tmux_that_is_gone(desk: Desk) -> None:
    desk.program("tmux", "case $1 in -V) echo 'tmux 3.3a';; *) echo no server >&2; exit 1;; esac")
    desk.environ.setenv("TMUX", "/tmp/tmux-7/default,1,0")


TIMER = ".config/systemd/user/flightdeck-reap.timer"
OFF = "take disableAllHooks out of {cfg}"
ASK = "ask whoever manages this machine: nothing of yours overrides {home}/machine/" + MANAGED
ELSEWHERE = "set FLEET_HOME to a folder of your own on this machine, then `flightdeck apply`"
REPORT = "update flightdeck, and if that mends nothing send `flightdeck doctor --report`"
MEND = "mend that entry by hand"
APPLY, REAP, VALIDATE = "flightdeck apply", "flightdeck reap", "flightdeck validate"
CASES = (
    Case(
        "a state folder others can read",
        lambda desk: desk.folder.root.chmod(0o755),
        *("folder", WARNING, "{fleet} can be read by others (mode 755)", "chmod 700 {fleet}"),
    ),
    Case(
        "events nobody folds",
        waiting(2),
        *("folder", WARNING, "2 events wait, nobody has folded for 3600 s", REAP),
    ),
    Case(
        "an inbox that is full",
        waiting(400),
        "folder",
        FAILURE,
        "400 events wait, and hooks put no more beside them: nobody folds",
        REAP,
    ),
    Case(
        "a permission hook left by a panel",
        a_hook_nobody_answers,
        "folder",
        WARNING,
        "1 pipe of permission hooks left by a panel that has gone",
        REAP,
    ),
    Case(
        "a log that grows",
        write(".fleet/log/panel.out", "x" * 5_000_000),
        *("folder", WARNING, "{fleet}/log/panel.out has grown to 5 MB", REAP),
    ),
    Case(
        "a state folder on a network disk",
        mounted("nfs4"),
        "folder",
        WARNING,
        "{fleet} is on a disk of kind nfs4: locks, links or pipes do not hold there",
        ELSEWHERE,
        mounted("ext4"),
    ),
    Case(
        "a fleet that is halted",
        lambda desk: desk.folder.halt.symlink_to("/nowhere/at/all"),
        "brakes",
        WARNING,
        "HALTED: no new tool call runs while {fleet}/halt stands",
        "flightdeck halt --off",
    ),
    Case(
        "a client that is gone",
        removed("bin/claude"),
        *("client", WARNING, "no claude is installed here", "install Claude Code"),
        lambda desk: desk.program("claude", "echo 2.1.332"),
    ),
    Case(
        "a second client",
        a_second_client,
        "client",
        WARNING,
        "{home}/bin/claude is started, and there is another at {home}/later/claude: "
        "their versions may differ",
        "remove the one you do not mean: {home}/later/claude",
        removed("later/claude"),
    ),
    Case(
        "a client that does not start",
        lambda desk: desk.program("claude", "exit 1"),
        "client",
        WARNING,
        "the version of claude is unknown; its newest is assumed",
        "see what it says: {home}/bin/claude --version",
        lambda desk: desk.program("claude", "echo 2.1.332"),
    ),
    Case(
        "no hooks",
        without("hooks"),
        *("hooks", FAILURE, "no hooks are installed in {cfg}", APPLY),
    ),
    Case(
        "an event without its hook",
        hooks(lambda found: (found.pop("Stop"), found.pop("PreToolUse"))),
        *("hooks", FAILURE, "hooks are missing from {cfg}: Stop, PreToolUse", APPLY),
    ),
    Case(
        "a hook that is doubled",
        hooks(lambda found: found["Stop"].append(found["Stop"][0])),
        *("hooks", WARNING, "hooks in {cfg} are out of date or doubled", APPLY),
    ),
    Case(
        "a hook of an older version",
        hooks(lambda found: found.update(Notification=[a_group(OLDER)])),
        *("hooks", WARNING, "hooks in {cfg} are out of date or doubled", APPLY),
    ),
    Case(
        "hooks of an installation that is gone",
        a_moved_command,
        "hooks",
        FAILURE,
        "hooks in {cfg} are silent: {home}/venv/bin/flightdeck, which they name, does not start",
        APPLY,
    ),
    Case(
        "hooks of another state folder",
        another_fleet,
        "hooks",
        FAILURE,
        "hooks in {cfg} put their events into {home}/other/inbox, and {fleet}/inbox is looked into",
        APPLY,
    ),
    Case(
        "a configuration folder that has moved",
        moved_settings,
        "hooks",
        FAILURE,
        "no hooks are installed in {home}/alt dir/settings.json; "
        "those in {cfg} are read by another claude",
        APPLY,
        also="services",
    ),
    Case(
        "an inbox that is gone",
        lambda desk: desk.folder.inbox.rmdir(),
        *("hooks", FAILURE, "{fleet}/inbox is missing; hooks put nothing anywhere else", APPLY),
    ),
    Case(
        "hooks switched off by the user",
        settings(disableAllHooks=True),
        *("hooks", FAILURE, "{cfg}: disableAllHooks is true; no hook runs", OFF),
        without("disableAllHooks"),
    ),
    Case(
        "hooks switched off by the project",
        project("settings.local.json", disableAllHooks=True),
        "hooks",
        FAILURE,
        "{home}/app/.claude/settings.local.json: disableAllHooks is true; "
        "no hook runs in this project",
        "take disableAllHooks out of {home}/app/.claude/settings.local.json",
        without("disableAllHooks", file="app/.claude/settings.local.json"),
    ),
    Case(
        "hooks banned by a policy",
        managed('{"allowManagedHooksOnly": true}'),
        "hooks",
        FAILURE,
        "managed settings {home}/machine/" + MANAGED + " let no hooks of yours run "
        "(allowManagedHooksOnly)",
        ASK,
        removed("machine/" + MANAGED),
    ),
    Case(
        "a policy that is torn",
        managed('{"env": '),
        "hooks",
        FAILURE,
        "managed settings {home}/machine/" + MANAGED + " are no JSON: Claude Code does not start",
        ASK,
        removed("machine/" + MANAGED),
    ),
    Case(
        "a setting of a wrong kind",
        settings(model=5),
        "hooks",
        FAILURE,
        "{cfg}: model is a number where a string is expected; Claude Code skips the whole file",
        MEND,
        without("model"),
    ),
    Case(
        "a stranger's group that is malformed",
        hooks(lambda found: found.update(Other=[a_group("x", matcher={"any": True})])),
        "hooks",
        FAILURE,
        "{cfg}: hooks.Other[0].matcher is an object where a string is expected; "
        "Claude Code skips the whole file",
        MEND,
        hooks(lambda found: found.pop("Other")),
    ),
    Case(
        "settings with a comment",
        lambda desk: desk.replaces("{\n", "{\n// mine\n"),
        "hooks",
        FAILURE,
        "{cfg}:2:1: not strict JSON: a comment",
        "mend the file by hand first; flightdeck changes no file it cannot read",
        lambda desk: desk.replaces("// mine\n", ""),
    ),
    Case(
        "a hook the project names again",
        project("settings.json", hooks={"Stop": [a_group(OLDER)]}),
        "hooks",
        WARNING,
        "Stop is hooked twice: in {cfg} and in {home}/app/.claude/settings.json",
        "take our entry out of {home}/app/.claude/settings.json",
        without("hooks", file="app/.claude/settings.json"),
    ),
    Case(
        "a stranger who answers permission requests",
        hooks(lambda found: found["PermissionRequest"].insert(0, a_group("/opt/allow --all"))),
        "hooks",
        WARNING,
        "another tool also answers permission requests: '/opt/allow --all' in {cfg}",
        "take that hook out, or know that it may be first",
        hooks(lambda found: found["PermissionRequest"].pop(0)),
    ),
    Case(
        "a record in words of another version",
        record(status="pondering"),
        "registry",
        WARNING,
        "1 of 1 records in {home}/.claude/sessions say nothing to us: its status is 'pondering'",
        REPORT,
        reads_again,
    ),
    Case(
        "an agent without hooks",
        without_hooks,
        "sessions",
        WARNING,
        "process {pid} in {home} runs without our hooks; HALT does not cover it",
        "start it again without --bare, --safe-mode or disableAllHooks; if it asks whether "
        "to trust its folder, answer it",
        ends,
    ),
    Case(
        "a session record that is torn",
        write(".fleet/sessions/s-1.json", '{"session_id": "s'),
        "sessions",
        WARNING,
        "session record {fleet}/sessions/s-1.json cannot be read "
        "(Unterminated string starting at: line 1 column 16 (char 15)) and is skipped",
        "look at it, then rm {fleet}/sessions/s-1.json",
        removed(".fleet/sessions/s-1.json"),
    ),
    Case(
        "no timer",
        lambda desk: desk.runs(
            "flightdeck apply --remove --yes && flightdeck apply --no-services --yes"
        ),
        "services",
        WARNING,
        "no timer folds: slots of dead sessions stay until a panel or a command looks",
        APPLY,
    ),
    Case(
        "a timer that is not loaded",
        unloaded,
        *("services", FAILURE, "installed, and not loaded by systemd", APPLY),
    ),
    Case(
        "a timer somebody edited",
        lambda desk: desk.replaces("OnUnitActiveSec=15", "OnUnitActiveSec=9", desk.home / TIMER),
        *("services", WARNING, "out of date: {home}/" + TIMER, APPLY),
    ),
    Case(
        "a timer that has stopped",
        late,
        "services",
        WARNING,
        "the timer is there, and nothing was folded by it for 3600 s",
        "systemctl --user status flightdeck-reap.service",
        lambda desk: desk.runs(REAP),
    ),
    Case(
        "what a killed panel left",
        dead_panel,
        "panel",
        WARNING,
        "{fleet}/panel.pid is left of a panel that was killed: hooks may wait for it",
        REAP,
    ),
    Case(
        "a layout that is empty",
        write(".fleet/layouts/xl.yaml", ""),
        "layout",
        WARNING,
        "{fleet}/layouts/xl.yaml: the layout is empty: the shipped 'xl' is shown",
        "start with `device: stream-deck-xl`, or copy the shipped layouts/row1.yaml",
        removed(".fleet/layouts/xl.yaml"),
    ),
    Case(
        "a file of this machine with a fault",
        write(".fleet/local.yaml", "pinz:\n  0: app Obsidian\n"),
        "layout",
        FAILURE,
        "{fleet}/local.yaml:1:1: unknown key 'pinz'",
        "did you mean 'pins'?",
        removed(".fleet/local.yaml"),
    ),
    Case(
        "a verb that is no verb",
        write(".fleet/verbs/mine.md", "commit all of it\n"),
        "verbs",
        FAILURE,
        "{fleet}/verbs/mine.md:1:1: no frontmatter",
        "start the file with `---`, `kind: …` and `---`",
        removed(".fleet/verbs/mine.md"),
    ),
    Case(
        "a rasteriser nobody knows",
        lambda desk: desk.environ.setenv("FLIGHTDECK_RASTER", "skia"),
        "drawing",
        FAILURE,
        "FLIGHTDECK_RASTER names no rasteriser",
        "unset FLIGHTDECK_RASTER",
        lambda desk: desk.environ.delenv("FLIGHTDECK_RASTER"),
        "services",
    ),
    Case(
        "a tmux of long ago",
        lambda desk: desk.program("tmux", "echo tmux 2.8"),
        "windows",
        WARNING,
        "tmux 2.8 at {home}/bin/tmux is too old: panes are asked for in words of 3.0",
        "install tmux 3.0 or later",
        lambda desk: desk.program("tmux", "echo tmux next-3.5"),
    ),
    Case(
        "a tmux that is gone",
        in_a_tmux_that_is_gone,
        "windows",
        WARNING,
        "the tmux this terminal is in (/tmp/tmux-7/default) does not answer: no server",
        "unset TMUX, or attach again",
        lambda desk: desk.environ.delenv("TMUX"),
    ),
)


def test_desk_where_nothing_is_broken_lacks_a_panel_only(desk: Desk) -> None:
    assert desk.faults() == {NO_PANEL}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fault_is_named_alone_and_its_hint_mends_it(desk: Desk, case: Case) -> None:
    case.breaks(desk)
    found = desk.faults() - {NO_PANEL}
    (fault,) = {one for one in found if one.part != case.also}
    assert {one.part for one in found} == {case.part, case.also or case.part}
    pid = desk.machine.agents[-1].pid if desk.machine.agents else 0
    places = {"home": desk.home, "cfg": desk.settings, "fleet": desk.folder.root, "pid": pid}
    expected = (case.what.format(**places), case.hint.format(**places))
    assert (fault.part, fault.level, fault.what, fault.hint) == (case.part, case.level, *expected)
    case.edit(desk) if case.edit else desk.runs(fault.hint)
    assert desk.faults(case.part) - {NO_PANEL} == set()
