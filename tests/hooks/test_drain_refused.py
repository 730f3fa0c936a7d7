"""The hook at the end of a turn where no verb may be delivered: the turn ends, in silence."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import BOUND
from flightdeck.store import latch, queue
from tests.fold.world import until
from tests.hooks.draining import (
    BIG,
    PAYLOAD,
    STAGED,
    drain,
    fire,
    folder,
    nothing_waits,
    program,
    stage,
    told,
    waits,
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
    is_root,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def test_turn_ends_where_nothing_waits(place: Place) -> None:
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]


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


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "p"}',
        '{"reason": "p"}\n',
        '{"reason": "p"}\n{"verb": "test"}\n',
        '{"reason": "p"}\n0123456789abcde\n',
        '{"reason": "p"}\n0123456789ABCDEF\n',
        '{"reason": "p"}\n0123456789abcdef0\n',
        '{"reason": "p"}0123456789abcdef\n',
        '{"reason": "p\n0123456789abcdef\n',
        '{"reason": "p"}\n\n0123456789abcdef\n',
        '"reason": "p"}\n0123456789abcdef\n',
    ],
)
def test_verb_whose_token_cannot_be_told_is_removed_and_never_printed(
    place: Place, text: str
) -> None:
    stage(place)
    waiting = place.root / "queue" / f"{SESSION}.4242"
    until_at = waiting.stat().st_mtime
    waiting.write_text(text)
    os.utime(waiting, (until_at, until_at))
    assert fire(place) == QUIET
    assert told(place) == ["Stop"]
    assert nothing_waits(place)


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


@pytest.mark.parametrize("session", ["", ".hidden", "..", "below/x"])
def test_name_no_verb_has_is_not_looked_for(place: Place, session: str) -> None:
    left = place.root / "queue" / f"{session}.4242"
    left.parent.mkdir(exist_ok=True)
    left.write_text('{"decision": "block"}\n{}\n')
    environ = {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": session}
    assert fire(place, environ=environ) == QUIET
    assert left.exists()


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
