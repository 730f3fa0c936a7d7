"""The hook at the end of a turn delivers the verb that waits for its session, once.

Cases: VB-02 of the public reports on prompts that arrived in pieces, and ST-22 on a Stop
that another hook has blocked.
"""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.event import END
from flightdeck.store import inbox, queue
from tests.hooks.draining import (
    BIG,
    PAYLOAD,
    PROMPT,
    STAGED,
    drain,
    fire,
    folder,
    nothing_waits,
    program,
    stage,
    told,
)
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
)

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.parametrize("prompt", [PROMPT, "", "}", '"}\n{"', "x" * 8192])
def test_event_names_the_verb_by_its_token(place: Place, prompt: str) -> None:
    stage(place, prompt, replace(STAGED, token="f00d5eed00112233"))
    fire(place)
    (event,) = inbox.read(place.root / "inbox", 0.0).events
    assert (event.name, event.about) == ("Drained", "f00d5eed00112233")


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


def test_verb_staged_while_another_is_delivered_arrives_beside_it(
    place: Place, tmp_path: Path
) -> None:
    second = stage(place, "second")
    waiting, kept, printed = (
        folder(place).queue / f"{SESSION}.4242",
        tmp_path / "a",
        tmp_path / "b",
    )
    waiting.rename(kept)
    first = stage(place, "first")
    restage = shlex.join(["mv", str(kept), str(waiting)])
    other = shlex.join(argv(place.shell, drain(place)))
    script = f'{restage} && {other} </dev/null >{printed}; exec "$real" "$@"'
    assert place.fire(PAYLOAD, program(place, "head", script)).out == first
    assert printed.read_bytes() == second


def test_hook_and_panel_that_take_it_at_once_deliver_it_once(place: Place) -> None:
    for _ in range(5):
        line, count = stage(place), 6
        start = Barrier(count)

        def one(number: int, start: Barrier = start) -> bytes:
            start.wait(DEADLINE_S)
            if number % 2:
                return fire(place).out
            taken = queue.take(folder(place), STAGED, 0.0)
            return f"{taken.line}\n".encode() if taken else b""

        with ThreadPoolExecutor(count) as pool:
            assert sorted(pool.map(one, range(count))) == [b""] * (count - 1) + [line]
        assert nothing_waits(place)


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
