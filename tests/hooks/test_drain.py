"""The hook at the end of a turn: a verb that waits is printed once, or never.

Cases: VB-02 of the public reports on prompts that arrived in pieces, and ST-22 on a Stop
that another hook has blocked.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.claude_code.prompts import carry_on
from flightdeck.install.snippets import BOUND, Kind
from flightdeck.model.event import END, is_whole
from flightdeck.model.staged import Staged
from flightdeck.store import latch, queue
from flightdeck.store.paths import StateFolder
from tests.fold.world import until
from tests.hooks.place import (
    DEADLINE_S,
    QUIET,
    SESSION,
    SHELLS,
    Ended,
    Place,
    argv,
    end_of,
    feed,
    is_root,
    tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PAYLOAD = b'{"hook_event_name":"Stop","stop_hook_active":false}\n'
BIG = b'{"x":"' + b"y" * 5_000_000 + b'"}\n'
STAGED = Staged("test", "0123456789abcdef", SESSION, 4242, 1_000.0)
PROMPT = "Run the tests."


def drain(place: Place) -> str:
    return place.command(Kind.DRAIN)


def folder(place: Place) -> StateFolder:
    return StateFolder(place.root)


def stage(place: Place, prompt: str = PROMPT, staged: Staged = STAGED) -> bytes:
    """Put a verb into the queue; return what a hook that delivers it prints."""
    line = carry_on(prompt)
    queue.put(folder(place), staged, line, prompt)
    return line.encode() + b"\n"


def waits(place: Place) -> bool:
    """Say whether the verb is in the queue, and nothing beside it."""
    names = [path.name for path in folder(place).queue.iterdir()]
    return queue.standing(folder(place)) == (STAGED,) and names == [f"{SESSION}.4242"]


def nothing_waits(place: Place) -> bool:
    return not list(folder(place).queue.iterdir())


def fire(place: Place, payload: bytes = PAYLOAD, environ: dict[str, str] | None = None) -> Ended:
    return place.fire(payload, drain(place), environ)


def told(place: Place) -> list[str]:
    """Return which events were spooled, by the name they are filed and headed under."""
    names = []
    for path in place.spooled():
        content = path.read_bytes()
        assert is_whole(content)
        (name,) = {path.name.split(".")[1], content.split(b"\x1f")[1].decode()}
        names.append(name)
    return sorted(names)


def test_verb_that_waits_is_printed_and_gone(place: Place) -> None:
    line = stage(place)
    assert fire(place) == Ended(0, line, b"")
    assert json.loads(line) == {"decision": "block", "reason": PROMPT}
    assert nothing_waits(place)


def test_event_says_that_a_verb_was_delivered_and_keeps_the_payload(place: Place) -> None:
    stage(place)
    fire(place)
    assert told(place) == ["Drained"]
    (event,) = place.spooled()
    assert event.read_bytes().removesuffix(END).split(b"\n", 1)[1] == PAYLOAD
    assert stat.S_IMODE(event.stat().st_mode) == 0o600


def test_turn_ends_where_nothing_waits(place: Place) -> None:
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]


def test_next_turn_ends(place: Place) -> None:
    stage(place)
    fire(place)
    assert fire(place) == QUIET
    assert told(place) == ["Drained", "Stop"]


def test_stop_that_follows_a_block_delivers_too(place: Place) -> None:
    line = stage(place)
    assert fire(place, b'{"hook_event_name":"Stop","stop_hook_active":true}\n').out == line


def test_hooks_that_run_at_once_deliver_it_once(place: Place) -> None:
    line, count = stage(place), 12
    with ThreadPoolExecutor(count) as pool:
        ended = list(pool.map(lambda _: fire(place), range(count)))
    assert sorted(each.out for each in ended) == [b""] * (count - 1) + [line]
    assert told(place) == ["Drained"] + ["Stop"] * (count - 1)
    assert nothing_waits(place)


def program(place: Place, name: str, script: str, command: str = "") -> str:
    """Return the hook, or `command`, with `script` for one of its programs, which is `$real`."""
    path = place.executable.with_name(name)
    path.write_text(f"#!/bin/sh\nreal={tool(name)}\n{script}\n")
    path.chmod(0o755)
    return (command or drain(place)).replace(tool(name), shlex.quote(str(path)))


@pytest.mark.parametrize("name", ["head", "rm", "mv"])
def test_hook_killed_once_it_has_taken_the_verb_never_delivers_it(place: Place, name: str) -> None:
    stage(place)
    done = '"$real" "$@"; ' if name == "mv" else ""
    killed = place.fire(PAYLOAD, program(place, name, f"{done}kill -KILL $PPID"))
    assert (killed.code, killed.out) == (-signal.SIGKILL, b"")
    assert queue.standing(folder(place)) == ()
    assert fire(place) == QUIET


def test_hook_killed_before_it_has_read_its_event_never_delivers_it(place: Place) -> None:
    stage(place)
    with place.client(drain(place)) as hook:
        until(lambda: nothing_waits(place), "it is taken")
        os.killpg(hook.pid, signal.SIGKILL)
        assert end_of(hook) == Ended(-signal.SIGKILL, b"", b"")
    assert fire(place) == QUIET


def test_turn_ends_where_somebody_was_quicker(place: Place) -> None:
    stage(place)
    command = program(place, "mv", '"$real" "$2" "$2.elsewhere"; exec "$real" "$@"')
    assert place.fire(PAYLOAD, command) == QUIET
    assert told(place) == ["Stop"]


def test_verb_that_has_expired_is_removed_and_never_printed(place: Place) -> None:
    stage(place, staged=replace(STAGED, until=time.time() - 0.001))
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]
    assert nothing_waits(place)


def test_verb_that_has_not_expired_is_printed(place: Place) -> None:
    line = stage(place, staged=replace(STAGED, until=time.time() + 300))
    assert fire(place).out == line


def test_verb_whose_age_nobody_can_tell_is_not_printed(place: Place) -> None:
    stage(place)
    (place.root / "queue" / f".{SESSION}.4242.$$.now").touch()
    command = drain(place).replace('"$c.now" &&', "/nowhere/at/all &&")
    assert place.fire(PAYLOAD, command) == QUIET
    assert told(place) == ["Stop"]


def latched(place: Place) -> None:
    latch.put(folder(place))


def latched_by_a_link(place: Place) -> None:
    (place.root / "halt").symlink_to("/nowhere/at/all")


@pytest.mark.parametrize("halt", [latched, latched_by_a_link])
def test_nothing_is_delivered_while_the_latch_stands(
    place: Place, halt: Callable[[Place], None]
) -> None:
    line = stage(place)
    halt(place)
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]
    assert waits(place)
    latch.lift(folder(place))
    assert fire(place).out == line


@pytest.mark.parametrize(
    "environ",
    [
        {"CLAUDE_PID": "4243", "CLAUDE_CODE_SESSION_ID": SESSION},
        {"CLAUDE_PID": "42", "CLAUDE_CODE_SESSION_ID": SESSION},
        {"CLAUDE_CODE_SESSION_ID": SESSION},
        {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": "another"},
        {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": f"../queue/{SESSION}"},
        {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": f"./{SESSION}"},
        {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": ""},
        {"CLAUDE_PID": "4242"},
        {},
    ],
)
def test_verb_of_another_session_is_left_alone(place: Place, environ: dict[str, str]) -> None:
    stage(place)
    assert fire(place, environ=environ) == QUIET
    assert told(place) == ["Stop"]
    assert waits(place)


@pytest.mark.parametrize("session", ["", ".hidden", ".."])
def test_name_no_verb_has_is_not_looked_for(place: Place, session: str) -> None:
    left = place.root / "queue" / f"{session}.4242"
    left.write_text('{"decision": "block"}\n{}\n')
    environ = {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": session}
    assert fire(place, environ=environ) == QUIET
    assert left.exists()


def test_process_is_the_parent_where_the_client_names_none(place: Place) -> None:
    line = stage(place, staged=replace(STAGED, pid=os.getpid()))
    environ = {"CLAUDE_CODE_SESSION_ID": SESSION}
    assert fire(place, environ=environ).out == line


@pytest.mark.parametrize(
    "prompt",
    [
        "one\ntwo\nthree\n",
        "'a' \"b\" `c` $(d) ${e} \\n \\ \\\\ %s %d ! * ~",
        "é 日本 \U0001f600 \u2028 \u202e \x1b[2J \x1f \x00 \ud83d",
        "x" * 8192,
        "\U0001f600" * 2048,
        "",
    ],
)
def test_prompt_arrives_whole_and_as_it_was_written(place: Place, prompt: str) -> None:
    stage(place, prompt)
    ended = fire(place)
    assert ended.out.count(b"\n") == 1
    assert json.loads(ended.out)["reason"] == prompt


@pytest.mark.parametrize(
    "environ",
    [
        {"PATH": ""},
        {"PATH": "/nowhere", "HOME": "/nowhere"},
        {"a": '{"decision": "block"}', "e": "PermissionRequest", "o": "", "q": "/", "c": "/"},
        {"IFS": "0123456789-/.", "CDPATH": "/", "ENV": "/nowhere", "POSIXLY_CORRECT": "1"},
        {"SHELLOPTS": "noglob"},
        {"SHELLOPTS": "errexit"},
        {"SHELLOPTS": "nounset"},
        {"SHELLOPTS": "noclobber"},
        {"SHELLOPTS": "xtrace:posix"},
        {"LC_ALL": "C"},
    ],
)
@pytest.mark.parametrize("waiting", [True, False])
def test_environment_decides_nothing(place: Place, environ: dict[str, str], waiting: bool) -> None:
    place.environ = environ
    line = stage(place) if waiting else b""
    assert fire(place) == Ended(0, line, b"")
    assert told(place) == ["Drained" if waiting else "Stop"]


@pytest.mark.parametrize("shell", SHELLS)
def test_any_shell_may_be_called_sh(place: Place, shell: str) -> None:
    line = stage(place)
    ended = subprocess.run(
        ["sh", "-c", drain(place)],
        executable=shell,
        input=PAYLOAD,
        capture_output=True,
        env={"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": SESSION},
        timeout=DEADLINE_S,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == (line, b"")


@pytest.mark.parametrize("payload", [b"", b"no json", b"\x00\xff\x1f", BIG], ids=len)
def test_payload_decides_nothing_and_is_read_to_its_end(place: Place, payload: bytes) -> None:
    line = stage(place)
    assert fire(place, payload) == Ended(0, line, b"")
    assert told(place) == ["Drained"]


def test_verb_is_printed_at_the_newline_although_the_pipe_stays_open(place: Place) -> None:
    line = stage(place)
    with place.client(drain(place)) as hook:
        assert hook.stdin
        feed(hook.stdin, PAYLOAD)
        assert end_of(hook) == Ended(0, line, b"")


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_link(path: Path) -> None:
    target = path.with_name("target")
    target.write_text('{"decision": "block"}\n{}\n')
    path.symlink_to(target)


def make_dangling_link(path: Path) -> None:
    path.symlink_to("/nowhere/at/all")


@pytest.mark.parametrize("make", [make_folder, make_pipe, make_link, make_dangling_link])
def test_whatever_else_lies_there_hangs_nobody_and_is_left_alone(
    place: Place, make: Callable[[Path], None]
) -> None:
    path = place.root / "queue" / f"{SESSION}.4242"
    make(path)
    kind = stat.S_IFMT(path.lstat().st_mode)
    assert fire(place, BIG) == QUIET
    assert told(place) == ["Stop"]
    assert stat.S_IFMT(path.lstat().st_mode) == kind


@pytest.mark.parametrize("content", [b"", b"\n", b'{"decision": "blo', b"prose\n{}\n", b"}{\n"])
def test_file_that_is_not_whole_is_not_printed(place: Place, content: bytes) -> None:
    stage(place)
    path = place.root / "queue" / f"{SESSION}.4242"
    path.write_bytes(content)
    os.utime(path, (2e9, 2e9))
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]


def no_inbox(place: Place) -> None:
    shutil.rmtree(place.inbox)


def no_executable(place: Place) -> None:
    place.executable.unlink()


def inbox_is_full(place: Place) -> None:
    for number in range(BOUND):
        (place.inbox / f"{number}.Stop.ev").write_text("old")


@pytest.mark.parametrize("fault", [no_inbox, no_executable, inbox_is_full])
def test_verb_stays_where_nobody_would_hear_that_it_was_delivered(
    place: Place, fault: Callable[[Place], None]
) -> None:
    stage(place)
    fault(place)
    assert fire(place, BIG) == QUIET
    assert waits(place)


def test_queue_that_is_gone_is_no_reason_to_fail(place: Place) -> None:
    (place.root / "queue").rmdir()
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]


def inside(place: Place, wrapper: str, payload: bytes) -> Ended:
    """Run the hook inside a line of sh that ends by running `"$@"`."""
    ended = subprocess.run(
        ["/bin/sh", "-c", wrapper, "sh", *argv(place.shell, drain(place))],
        input=payload,
        capture_output=True,
        env={"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": SESSION},
        timeout=DEADLINE_S,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def test_event_the_disk_does_not_take_prints_nothing(place: Place) -> None:
    stage(place)
    assert inside(place, 'ulimit -f 8; exec "$@"', BIG) == QUIET
    assert place.spooled() == []
    assert nothing_waits(place)


def test_verb_stays_where_nothing_could_be_printed(place: Place) -> None:
    stage(place)
    assert inside(place, 'exec "$@" >&-', PAYLOAD) == QUIET
    assert told(place) == ["Stop"]
    assert waits(place)


def test_client_that_has_stopped_listening_makes_no_hook_fail(place: Place) -> None:
    stage(place)
    with place.client(drain(place)) as hook:
        assert hook.stdin
        assert hook.stdout
        hook.stdout.close()
        feed(hook.stdin, PAYLOAD)
        assert hook.wait(DEADLINE_S) == 0


def test_nothing_is_started_for_a_verb_that_is_not_there(place: Place, tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = drain(place)
    for name in ("head", "rm", "mv"):
        script = f'echo {name} >>{log}; exec "$real" "$@"'
        command = program(place, name, script, command)
    place.fire(PAYLOAD, command)
    assert log.read_text().split() == ["head"]
    log.unlink()
    stage(place)
    place.fire(PAYLOAD, command)
    assert log.read_text().split() == ["mv", "head", "rm", "head"]


@pytest.mark.parametrize("shell", SHELLS)
def test_verb_that_may_not_be_taken_stays(shell: str) -> None:
    # Not below tmp_path: root may write anywhere, and nobody else may look in there.
    with tempfile.TemporaryDirectory() as top:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        stage(place)
        Path(top).chmod(0o755)
        place.inbox.chmod(0o777)
        (place.root / "queue" / f"{SESSION}.4242").chmod(0o444)
        (place.root / "queue").chmod(0o555)
        user = ["setpriv", "--reuid=65534", "--clear-groups"] if is_root() else []
        ended = subprocess.run(
            [*user, *argv(shell, drain(place))],
            input=PAYLOAD,
            capture_output=True,
            env={"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": SESSION},
            timeout=DEADLINE_S,
            check=False,
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
        assert told(place) == ["Stop"]
        assert waits(place)
