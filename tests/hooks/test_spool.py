"""The spool hook, as /bin/sh runs it: one event, one file, and never in the agent's way."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import BOUND, Kind
from flightdeck.model.event import END, NAMES, is_whole
from tests.hooks.place import DEADLINE_S, QUIET, SHELLS, Place, end_of, feed, is_root

if TYPE_CHECKING:
    from collections.abc import Callable

PAYLOAD = b'{"hook_event_name":"Stop","session_id":"s"}\n'
BIG = b'{"x":"' + b"y" * 5_000_000 + b'"}\n'


def only(place: Place) -> bytes:
    """Return what the one file in the inbox holds before its last line."""
    (found,) = place.spooled()
    content = found.read_bytes()
    assert is_whole(content)
    return content.removesuffix(END)


def fields(content: bytes) -> list[bytes]:
    return content.split(b"\n", 1)[0].split(b"\x1f")


def test_event_becomes_a_header_line_and_the_payload_line(place: Place) -> None:
    assert place.fire(PAYLOAD) == QUIET
    head = [b"flightdeck1", b"Stop", b"4242", *[b""] * len(NAMES)]
    assert only(place) == b"\x1f".join(head) + b"\n" + PAYLOAD


def test_file_is_named_by_the_pid_of_its_shell_and_the_event(place: Place) -> None:
    with place.client(place.command()) as hook:
        assert hook.stdin
        feed(hook.stdin, PAYLOAD)
        hook.stdin.close()
        end_of(hook)
    assert [path.name for path in place.spooled()] == [f"{hook.pid}.Stop.ev"]


def test_file_is_for_its_owner_only(place: Place) -> None:
    place.fire(PAYLOAD)
    assert stat.S_IMODE(place.spooled()[0].stat().st_mode) == 0o600


def test_names_of_the_terminal_travel_in_their_order(place: Place) -> None:
    place.environ = {name: f"<{name}>" for name in NAMES}
    place.fire(PAYLOAD)
    assert fields(only(place))[3:] == [f"<{name}>".encode() for name in NAMES]


def test_nothing_else_of_the_environment_is_written(place: Place) -> None:
    place.environ = {"ANTHROPIC_API_KEY": "sk-secret", "CLAUDE_CODE_MESSAGING_TOKEN": "t-secret"}
    place.fire(PAYLOAD)
    assert b"secret" not in only(place)


@pytest.mark.parametrize("pid", ["", "12 34", "1\n2", "$(touch x)", "-1"])
def test_pid_that_is_no_number_gives_way_to_the_parent(place: Place, pid: str) -> None:
    place.environ = {"CLAUDE_PID": pid}
    place.fire(PAYLOAD)
    assert fields(only(place))[2].isdigit()


def test_pid_is_the_parent_where_the_client_names_none(place: Place) -> None:
    place.fire(PAYLOAD, environ={})
    assert int(fields(only(place))[2]) > 1


@pytest.mark.parametrize("bad", ["a\nb", "a\x1fb", "\x1b[2J", "a\rb", "\x7f"])
def test_value_with_a_control_character_becomes_empty(place: Place, bad: str) -> None:
    place.environ = {"TMUX": bad, "TMUX_PANE": "%3"}
    place.fire(PAYLOAD)
    assert fields(only(place))[3:5] == [b"", b"%3"]


@pytest.mark.parametrize(
    "value", ["'; touch x; '", "$(touch x)", "`touch x`", "*", "-n", "%s", "é 日本"]
)
def test_value_is_written_and_never_run(place: Place, value: str) -> None:
    place.environ = {"TMUX": value}
    assert place.fire(PAYLOAD) == QUIET
    assert fields(only(place))[3] == value.encode()
    assert len(place.spooled()) == 1


@pytest.mark.parametrize("options", ["noglob", "errexit", "nounset", "noclobber", "xtrace"])
def test_options_the_shell_inherits_decide_nothing(place: Place, options: str) -> None:
    place.environ = {"SHELLOPTS": options}
    assert place.fire(PAYLOAD) == QUIET
    assert only(place).endswith(PAYLOAD)


@pytest.mark.parametrize(
    "payload",
    [b"", b"\n", b"no json", b"\x00\xff\x1f\x1b", b"{" * 10_000, b"x" * 60_000, BIG],
    ids=["empty", "blank", "text", "binary", "brackets", "60 KB", "5 MB"],
)
def test_any_payload_is_kept_as_it_came(place: Place, payload: bytes) -> None:
    assert place.fire(payload) == QUIET
    assert only(place).split(b"\n", 1)[1] == payload


def test_only_the_first_line_is_kept(place: Place) -> None:
    place.fire(PAYLOAD + b"more\n")
    assert only(place).endswith(PAYLOAD)


def test_hook_ends_at_the_newline_although_the_pipe_stays_open(place: Place) -> None:
    with place.client(place.command(event="SessionEnd")) as hook:
        assert hook.stdin
        feed(hook.stdin, PAYLOAD)
        assert end_of(hook) == QUIET
    assert only(place).endswith(PAYLOAD)


def test_hook_works_with_no_home_and_an_empty_path(place: Place) -> None:
    assert place.fire(PAYLOAD, environ={"PATH": ""}) == QUIET
    assert len(place.spooled()) == 1


def no_inbox(place: Place) -> None:
    shutil.rmtree(place.inbox)


def no_executable(place: Place) -> None:
    place.executable.unlink()


def inbox_is_a_file(place: Place) -> None:
    place.inbox.rmdir()
    place.inbox.write_text("")


def inbox_is_full(place: Place) -> None:
    for number in range(BOUND):
        (place.inbox / f"{number}.Stop.ev").write_text("old")


FAULTS = [no_inbox, no_executable, inbox_is_a_file, inbox_is_full]


@pytest.mark.parametrize("fault", FAULTS)
def test_payload_is_read_to_its_end_when_it_cannot_be_kept(
    place: Place, fault: Callable[[Place], None]
) -> None:
    fault(place)
    assert place.fire(BIG) == QUIET


@pytest.mark.parametrize("fault", FAULTS)
def test_hook_that_keeps_nothing_ends_at_the_newline_too(
    place: Place, fault: Callable[[Place], None]
) -> None:
    fault(place)
    with place.client(place.command()) as hook:
        assert hook.stdin
        feed(hook.stdin, PAYLOAD)
        assert end_of(hook) == QUIET


def test_nothing_is_spooled_once_flightdeck_is_gone(place: Place) -> None:
    no_executable(place)
    place.fire(PAYLOAD)
    assert place.spooled() == []


def test_state_folder_that_is_gone_is_not_made_again(place: Place) -> None:
    shutil.rmtree(place.root)
    place.fire(PAYLOAD)
    assert not place.root.exists()


def test_inbox_nobody_folds_stops_growing(place: Place) -> None:
    inbox_is_full(place)
    place.fire(PAYLOAD)
    assert {path.read_text() for path in place.spooled()} == {"old"}
    assert len(place.spooled()) == BOUND


def test_last_free_place_of_the_inbox_is_used(place: Place) -> None:
    inbox_is_full(place)
    place.spooled()[0].unlink()
    place.fire(PAYLOAD)
    assert len(place.spooled()) == BOUND


def test_leftovers_of_killed_hooks_count_towards_the_bound(place: Place) -> None:
    for number in range(BOUND + 1):
        (place.inbox / f"{number}.Stop.ev").write_text("half")
    place.fire(PAYLOAD)
    assert len(place.spooled()) == BOUND + 1


def test_payload_the_disk_does_not_take_is_drained_and_leaves_nothing(place: Place) -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *place.argv()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    ) as hook:
        assert hook.stdin
        assert feed(hook.stdin, BIG)
        hook.stdin.close()
        assert end_of(hook) == QUIET
    assert place.spooled() == []


def test_hooks_running_at_once_lose_nothing(place: Place) -> None:
    count = 24
    hooks = [place.client(place.command()) for _ in range(count)]

    def serve(hook: subprocess.Popen[bytes], number: int) -> None:
        with hook:
            assert hook.stdin
            feed(hook.stdin, b"%d\n" % number)
            hook.stdin.close()
            end_of(hook)

    threads = [
        threading.Thread(target=serve, args=pair) for pair in zip(hooks, range(count), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    kept = sorted(int(path.read_bytes().split(b"\n")[1]) for path in place.spooled())
    assert kept == list(range(count))


def test_hook_killed_halfway_leaves_no_event_and_stops_no_other(place: Place) -> None:
    with place.client(place.command(event="SessionEnd")) as hook:
        while not place.spooled():
            assert hook.poll() is None
        os.killpg(hook.pid, signal.SIGKILL)
    assert [path for path in place.spooled() if is_whole(path.read_bytes())] == []
    assert place.fire(PAYLOAD) == QUIET
    assert len([path for path in place.spooled() if is_whole(path.read_bytes())]) == 1


def test_nothing_is_written_outside_the_state_folder(place: Place, tmp_path: Path) -> None:
    before = everything(tmp_path, place)
    place.fire(PAYLOAD)
    place.fire(BIG)
    assert everything(tmp_path, place) == before


def everything(top: Path, place: Place) -> set[Path]:
    return {path for path in top.rglob("*") if place.inbox not in path.parents}


@pytest.mark.parametrize("kind", Kind)
def test_hook_is_one_line(place: Place, kind: Kind) -> None:
    assert "\n" not in place.command(kind)


@pytest.mark.parametrize("shell", SHELLS)
def test_inbox_that_cannot_be_written_is_no_reason_to_fail(shell: str) -> None:
    # Not below tmp_path: root may write anywhere, and nobody else may look in there.
    with tempfile.TemporaryDirectory() as top:
        place = Place(Path(top) / ".fleet", Path(top) / "flightdeck", shell)
        Path(top).chmod(0o755)
        place.inbox.chmod(0o555)
        user = ["setpriv", "--reuid=65534", "--clear-groups"] if is_root() else []
        ended = subprocess.run(
            [*user, *place.argv()], input=BIG, capture_output=True, timeout=DEADLINE_S, check=False
        )
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
        assert place.spooled() == []
