"""A report holds what helps, and none of what is somebody's own."""

from __future__ import annotations

import json
import os
import resource
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.doctor.report import render, write_report
from flightdeck.doctor.visit import visit
from flightdeck.errors import Unavailable
from tests.install.documents import a_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doctor.desk import Desk

CANARY = "canary"


class Canaries:
    """Words that must not be found again, each told from the others."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def __call__(self, where: str) -> str:
        """Return a new one."""
        self.all.append(f"{CANARY}-{where}-{len(self.all)}")
        return self.all[-1]


def reported(desk: Desk) -> str:
    machine = desk.looked_at()
    return render(machine, visit(machine))


def in_settings(desk: Desk, word: Canaries) -> None:
    desk.edit(
        lambda found: found.update(
            {
                "env": {word("variable"): word("value")},
                "apiKeyHelper": word("key"),
                "model": 5,
                word("setting"): word("text"),
                "permissions": {"allow": [word("rule")]},
            }
        )
    )
    desk.edit(
        lambda found: found["hooks"].update(
            {
                word("event"): [a_group(word("command"), matcher={word("matcher"): True})],
                "PermissionRequest": [a_group(f"/opt/{word('answerer')} --token {word('token')}")],
            }
        )
    )


def in_own_files(desk: Desk, word: Canaries) -> None:
    fleet = desk.folder.root
    texts = {
        "layouts/xl.yaml": f"device: stream-deck-xl\n{word('key')}: {word('label')}\n",
        f"layouts/{word('file')}.yaml": "device: toaster\n",
        "verbs/commit.md": f"---\nkind: {word('kind')}\n---\n{word('prompt')}\n",
        f"verbs/{word('verb')}.md": word("text"),
        "risk/mine.yaml": f"rules:\n  {word('rule')}:\n    tier: {word('tier')}\n",
        "local.yaml": f"pins:\n  0: app {word('app')}\n{word('local')}: x\n",
        f"templates/faces/{word('face')}.svg.j2": word("svg"),
        f"queue/{word('session')}.77": word("staged"),
        f"gate/{word('gated')}": word("gate"),
        f"inbox/{word('stranger')}": word("event"),
        "sessions/s-torn.json": f'{{"title": "{word("torn")}',
        "compiled/fault": word("fault"),
        "log/reap.out": word("out"),
        "selected.json": json.dumps({"key": word("selected")}),
    }
    for name, text in texts.items():
        (fleet / name).parent.mkdir(parents=True, exist_ok=True)
        (fleet / name).write_text(text)


def in_logs(desk: Desk, word: Canaries) -> None:
    stamp = "2026-11-30 12:00:00,001"
    lines = [
        f"{stamp} WARNING flightdeck.store.inbox: event {word('ident')} dropped: {word('why')}",
        f"{stamp} INFO {word('logger')}: {word('message')}",
        f"{stamp} INFO flightdeck.cli: http://127.0.0.1:8700/?token={word('token')}",
        f'  File "/home/{word("user")}/flightdeck/cli.py", line 3, in {word("function")}',
        f"ValueError: {word('error')}",
    ]
    for name in ("panel.log", "crash.log"):
        (desk.folder.log / name).write_text("\n".join(lines))
    names = ("key", "session_id", "state", "from_state", "reason", "how", "error", "agent", "tool")
    row = {name: word(name) for name in names} | {"time": 1.0}
    rows = [row, {**row, "time": word("time")}, {word("field"): word("content")}]
    torn = word("torn")
    text = "\n".join([*map(json.dumps, rows), f'{{"time": "{torn}', "[]"])
    desk.folder.journal.write_text(text)


def in_sessions(desk: Desk, word: Canaries) -> None:
    folder = desk.home / word("project")
    folder.mkdir()
    agent = desk.machine.agent(CANARY_ENV=word("agent"))
    names = {"name": word("title"), "nameSource": "user", "entrypoint": word("entry")}
    desk.machine.records(agent, word("id"), "busy", cwd=str(folder), **names)
    place = {"TMUX": f"/tmp/{word('socket')},1,0", "TMUX_PANE": "%3"}
    call = {"tool_name": word("tool"), "tool_input": {"command": word("input")}}
    about = {"session_id": word("other"), "cwd": str(folder), "permission_mode": word("mode")}
    for event, more in (("SessionStart", {}), ("PermissionRequest", call)):
        body = json.dumps({**about, **more, "prompt": word("prompt")}).encode()
        desk.machine.spool(desk.machine.agent(), event, body, **place)
    odd = desk.machine.records(desk.machine.agent(), "s-9", word("status"))
    os.utime(odd, (1, 1))


def in_environment(desk: Desk, word: Canaries) -> None:
    desk.environ.setenv("TMUX", f"/tmp/{word('tmux')}/default,1,0")
    desk.environ.setenv("ANTHROPIC_API_KEY", word("secret"))
    desk.environ.setenv("FLIGHTDECK_RASTER", word("raster"))
    desk.program("tmux", f"echo tmux 3.3-{word('version')}; echo {word('refusal')} >&2; exit 1")
    desk.program("claude", f"echo '2.1.332 ({word('client')})'")
    other = desk.home / word("path")
    other.mkdir()
    (other / "claude").symlink_to("/bin/true")
    desk.environ.setenv("PATH", f"{os.environ['PATH']}:{other}")


@pytest.mark.parametrize("broken", [False, True])
def test_nothing_of_ones_own_is_in_a_report(desk: Desk, broken: bool) -> None:
    word = Canaries()
    for plant in (in_settings, in_own_files, in_logs, in_sessions, in_environment):
        plant(desk, word)
    if broken:
        desk.settings.write_text(f'{{"{word("torn")}": ')
        desk.folder.slots.write_text(f'{{"{word("torn")}": ')
    assert len(word.all) > 60
    text = reported(desk)
    assert CANARY not in text
    for name in (str(desk.home), desk.home.parent.name, os.uname().nodename, "127.0.0.1"):
        assert name not in text


def test_report_tells_what_helps(desk: Desk) -> None:
    agent = desk.machine.agent()
    desk.machine.starts(agent, "s-1")
    desk.machine.says(agent, "UserPromptSubmit", session_id="s-1", prompt="x")
    desk.settings.write_text(
        desk.settings.read_text().replace("# flightdeck:1:", "# flightdeck:0:")
    )
    text = reported(desk)
    for part in (
        "\nclaude 2.1.332\n",
        "\nwarning  panel     no panel is running\n                   mend: flightdeck run\n",
        "\nStop                  0 current, 1 other of ours, 0 of others\n",
        "\nreap: 2 files, ours\n",
        " s1 working/turn/hook claude-code unknown -",
        " s1   empty -> working/turn/hook\n",
        "\nslots.json     ",
    ):
        assert part in text


def test_report_is_its_owners_alone_and_never_written_over(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.environ.chdir(desk.project)
    assert main(["doctor", "--report"]) == 0
    file = desk.project / "flightdeck-report.md"
    assert capsys.readouterr().out.startswith(f"written to {file}\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = file.read_text()
    assert kept.startswith("# A report of flightdeck\n")
    assert "Read it before you send it" in kept
    assert main(["doctor", "--report"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert main(["doctor", "--report", "other.md"]) == 0
    assert file.read_text() == kept
    assert Path("other.md").exists()


def test_report_that_cannot_be_written_says_so(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--report", str(desk.home / "no such folder" / "x")]) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_report_that_cannot_be_written_whole_is_not_left(desk: Desk) -> None:
    path, before = desk.home / "x.md", resource.getrlimit(resource.RLIMIT_FSIZE)
    machine = desk.looked_at()
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(Unavailable, match="File too large"):
            write_report(machine, [], path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not path.exists()


@pytest.mark.parametrize("name", ["log/panel.log", "log/crash.log", "slots.json", "events.jsonl"])
def test_pipe_in_the_place_of_a_file_holds_no_report_up(desk: Desk, name: str) -> None:
    path = desk.folder.root / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert "## Last crash" in render(desk.looked_at(), [])


_HUGE = 10**400


@pytest.mark.parametrize(
    "snapshot",
    [
        {"slots": [{"key": ["x"], "slot": _HUGE, "pending": [{"request_id": {}}]}]},
        {"slots": [{"key": {}}], "untracked": _HUGE, "overflow": [1]},
        {"slots": 5},
        [],
    ],
)
def test_report_says_dash_for_what_no_snapshot_would_hold(desk: Desk, snapshot: object) -> None:
    desk.folder.slots.write_text(json.dumps(snapshot))
    rows = [{"time": _HUGE, "key": ["x"]}, {"time": 1, "key": 7}, {"time": _HUGE}]
    desk.folder.journal.write_text("\n".join(map(json.dumps, rows)))
    text = render(desk.looked_at(), [])
    assert "could not be looked at" not in text
    assert "\nuntracked: " in text
    assert text.count("- s -    - -> -/-/-\n") == 3


def test_bug_in_one_part_of_a_report_leaves_the_others(desk: Desk) -> None:
    def broken(machine: object) -> Iterator[str]:
        yield "one line"
        raise ZeroDivisionError(machine)

    desk.environ.setattr("flightdeck.doctor.told_by.hooks", broken)
    text = render(desk.looked_at(), [])
    assert "one line\nthe rest could not be looked at: ZeroDivisionError\n```" in text
    assert "\n## Last crash\n" in text


def test_template_in_place_of_a_shipped_one_is_counted(desk: Desk) -> None:
    for name in ("hooks/spool.sh.j2", "hooks/mine.sh.j2"):
        path = desk.folder.templates / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    text = render(desk.looked_at(), [])
    assert "templates/     2 files of one's own, 1 in place of a shipped one" in text
