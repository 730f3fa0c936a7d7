"""Renderers: the newest snapshot, side by side, and nothing a renderer does is felt.

The scripts here talk to the test through FIFOs: opening one waits for the other side, so
the order of things is proved without a clock.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO

import pytest

from flightdeck.panel import renderers
from flightdeck.panel.renderers import Renderers

if TYPE_CHECKING:
    from pathlib import Path

PLENTY_S = 60.0
# For those that are to be killed: long enough for a shell to start on a busy machine.
KILLED_AFTER_S = 2.0
SNAPSHOT = '{"slots": []}'


def a_script(folder: Path, name: str, body: str) -> str:
    path = folder / name
    path.write_text(f'#!/bin/sh\ncd "{folder}" || exit 9\n{body}\n', encoding="utf-8")
    path.chmod(0o700)
    return str(path)


def a_fifo(folder: Path, name: str) -> Path:
    os.mkfifo(folder / name)
    return folder / name


def listening(fifo: Path) -> BinaryIO:
    """Open a FIFO for reading, before anybody has opened it for writing."""
    handle = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")


def test_every_renderer_gets_the_snapshot_on_its_stdin(tmp_path: Path) -> None:
    paths = [a_script(tmp_path, name, f"cat >{name}.out") for name in ("one", "two")]
    feeding = Renderers(paths, PLENTY_S)
    feeding.send(SNAPSHOT)
    feeding.close()
    for name in ("one", "two"):
        assert (tmp_path / f"{name}.out").read_text(encoding="utf-8") == SNAPSHOT


def test_renderer_named_twice_is_told_once(tmp_path: Path) -> None:
    path = a_script(tmp_path, "one", "cat >>out")
    feeding = Renderers([path, path], PLENTY_S)
    feeding.send(SNAPSHOT)
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == SNAPSHOT


def test_fold_does_not_wait_for_a_renderer(tmp_path: Path) -> None:
    go = a_fifo(tmp_path, "go")
    feeding = Renderers([a_script(tmp_path, "slow", "cat go >out")], PLENTY_S)
    feeding.send(SNAPSHOT)
    # Had `send` waited for the renderer, nobody would ever come to write this.
    go.write_text("went on", encoding="utf-8")
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == "went on"


def test_three_renderers_run_side_by_side(tmp_path: Path) -> None:
    # Each passes only once all three have started.
    meet = """
: >"started.$1"
while ! { [ -e started.a ] && [ -e started.b ] && [ -e started.c ]; }; do sleep 0.01; done
: >"met.$1"
"""
    paths = [a_script(tmp_path, name, f"set -- {name}\n{meet}") for name in "abc"]
    feeding = Renderers(paths, PLENTY_S)
    feeding.send(SNAPSHOT)
    feeding.close()
    assert sorted(p.name for p in tmp_path.glob("met.*")) == ["met.a", "met.b", "met.c"]


def test_busy_renderer_gets_only_the_newest_snapshot_afterwards(tmp_path: Path) -> None:
    started, go = a_fifo(tmp_path, "started"), a_fifo(tmp_path, "go")
    body = ": >started; cat go >/dev/null; cat >>out; echo >>out"
    feeding = Renderers([a_script(tmp_path, "slow", body)], PLENTY_S)
    feeding.send("1")
    started.read_text(encoding="utf-8")
    for snapshot in "234":
        feeding.send(snapshot)
    go.write_text("", encoding="utf-8")
    started.read_text(encoding="utf-8")
    go.write_text("", encoding="utf-8")
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8").split() == ["1", "4"]


def test_renderer_is_told_again_after_it_has_been_idle(tmp_path: Path) -> None:
    told = a_fifo(tmp_path, "told")
    feeding = Renderers([a_script(tmp_path, "one", "cat >told")], PLENTY_S)
    seen = []
    for snapshot in "12":
        feeding.send(snapshot)
        seen.append(told.read_text(encoding="utf-8"))
    feeding.close()
    assert seen == ["1", "2"]


@pytest.mark.parametrize("kind", ["hanging", "with a child", "deaf to signals"])
def test_hanging_renderer_is_killed_with_everything_it_started(kind: str, tmp_path: Path) -> None:
    alive = a_fifo(tmp_path, "alive")
    body = {
        "hanging": "exec 9>alive; echo up >&9; exec sleep 600",
        "with a child": "exec 9>alive; sleep 600 & echo up >&9; wait",
        "deaf to signals": "exec 9>alive; trap '' TERM HUP INT; echo up >&9; sleep 600; sleep 600",
    }[kind]
    feeding = Renderers([a_script(tmp_path, "stuck", body)], KILLED_AFTER_S)
    feeding.send(SNAPSHOT)
    # Reading ends when the last process that holds the other side is gone.
    assert alive.read_text(encoding="utf-8") == "up\n"
    feeding.close()


def test_hanging_renderer_does_not_keep_the_others_from_the_next_snapshot(tmp_path: Path) -> None:
    told, never = a_fifo(tmp_path, "told"), a_fifo(tmp_path, "never")
    stuck = a_script(tmp_path, "stuck", "[ -e released ] || cat never")
    feeding = Renderers([stuck, a_script(tmp_path, "well", "cat >told")], PLENTY_S)
    seen = []
    for snapshot in "12":
        feeding.send(snapshot)
        seen.append(told.read_text(encoding="utf-8"))
    assert seen == ["1", "2"]
    (tmp_path / "released").touch()
    never.write_text("", encoding="utf-8")
    feeding.close()


def test_work_a_renderer_leaves_behind_goes_on(tmp_path: Path) -> None:
    go, done = a_fifo(tmp_path, "go"), a_fifo(tmp_path, "done")
    body = "{ word=$(cat go); echo $word >done; } >/dev/null 2>&1 &"
    feeding = Renderers([a_script(tmp_path, "detaches", body)], PLENTY_S)
    feeding.send(SNAPSHOT)
    feeding.close()
    go.write_text("finished", encoding="utf-8")
    assert done.read_text(encoding="utf-8") == "finished\n"


@pytest.mark.parametrize("kind", ["missing", "not executable", "crashing", "killed", "a\0b"])
def test_faulty_renderer_is_logged_and_stepped_over(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faulty = str(tmp_path / kind)
    if kind == "not executable":
        (tmp_path / kind).write_text("#!/bin/sh\n", encoding="utf-8")
    elif kind == "crashing":
        a_script(tmp_path, kind, "exit 3")
    elif kind == "killed":
        a_script(tmp_path, kind, "kill -KILL $$")
    feeding = Renderers([faulty, a_script(tmp_path, "well", "cat >out")], PLENTY_S)
    with caplog.at_level(logging.WARNING):
        feeding.send(SNAPSHOT)
        feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == SNAPSHOT
    assert len(caplog.records) == 1
    assert SNAPSHOT not in caplog.text


def test_renderer_that_stays_broken_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ended = a_fifo(tmp_path, "ended")
    feeding = Renderers([a_script(tmp_path, "crashing", ": >ended; exit 3")], PLENTY_S)
    for _ in range(3):
        feeding.send(SNAPSHOT)
        ended.read_text(encoding="utf-8")
    feeding.close()
    assert len(caplog.records) == 1


@pytest.mark.parametrize("body", ["exit 0", "exec <&-; cat go", "cat go"])
def test_renderer_may_ignore_a_huge_snapshot(
    body: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go = a_fifo(tmp_path, "go")
    feeding = Renderers([a_script(tmp_path, "deaf", body)], PLENTY_S)
    feeding.send("x" * 5_000_000)
    if "go" in body:
        go.write_text("", encoding="utf-8")
    feeding.close()
    assert not caplog.records


def test_huge_snapshot_arrives_whole(tmp_path: Path) -> None:
    snapshot = json.dumps({"title": "ü" * 2_000_000}, ensure_ascii=False)
    feeding = Renderers([a_script(tmp_path, "one", "cat >out")], PLENTY_S)
    feeding.send(snapshot)
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == snapshot


def test_text_that_is_no_unicode_is_sent_all_the_same(tmp_path: Path) -> None:
    feeding = Renderers([a_script(tmp_path, "one", "cat >out")], PLENTY_S)
    feeding.send('"\ud800"')
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == '"?"'


def sleeping_renderers(folder: Path) -> list[str]:
    """Make three that write their pid into the FIFO `alive` and hold it open as they sleep."""
    a_fifo(folder, "alive")
    body = "exec 9>alive; echo $$ >&9; sleep 600"
    return [a_script(folder, name, body) for name in ("one", "two", "three")]


def test_sleeping_renderers_hold_a_session_end_up_for_the_time_of_one(tmp_path: Path) -> None:
    # DM-09: what a session's end may take is the time of one renderer, not of three.
    feeding = Renderers(sleeping_renderers(tmp_path), KILLED_AFTER_S)
    with listening(tmp_path / "alive") as alive:
        feeding.send(SNAPSHOT)
        feeding.close()
        assert not [t for t in threading.enumerate() if str(tmp_path) in t.name]
        # All three had begun, and the end of the file says that all are gone.
        assert len(alive.read().split()) == 3


def test_renderers_of_a_killed_process_are_not_in_the_way_of_the_next(tmp_path: Path) -> None:
    paths = sleeping_renderers(tmp_path)
    program = (
        "import signal, sys; from flightdeck.panel.renderers import Renderers; "
        "Renderers(sys.argv[1:], 60.0).send('{}'); signal.pause()"
    )
    with (
        listening(tmp_path / "alive") as alive,
        subprocess.Popen([sys.executable, "-c", program, *paths]) as killed,
    ):
        # Held open here too, or reading would end before the first of them has begun.
        with (tmp_path / "alive").open("ab", buffering=0):
            left_behind = [alive.readline() for _ in paths]
        killed.kill()
        following = Renderers(paths, KILLED_AFTER_S)
        following.send(SNAPSHOT)
        following.close()
        for pid in left_behind:
            os.killpg(int(pid), signal.SIGKILL)
        assert len(alive.read().split()) == 3


def test_renderer_hears_nothing_after_the_close(tmp_path: Path) -> None:
    feeding = Renderers([a_script(tmp_path, "one", "cat >out")], PLENTY_S)
    feeding.close()
    feeding.send(SNAPSHOT)
    feeding.close()
    assert not (tmp_path / "out").exists()


def test_what_waits_when_the_time_is_over_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go = a_fifo(tmp_path, "started"), a_fifo(tmp_path, "go")
    body = ": >started; cat go >/dev/null; cat >>out"
    feeding = Renderers([a_script(tmp_path, "slow", body)], PLENTY_S)
    feeding.send("1")
    started.read_text(encoding="utf-8")
    feeding.send("2")
    clock = itertools.chain([0.0], itertools.repeat(PLENTY_S + 1))
    monkeypatch.setattr(renderers, "monotonic", lambda: next(clock))
    feeding.close()
    go.write_text("", encoding="utf-8")
    for thread in threading.enumerate():
        if str(tmp_path) in thread.name:
            thread.join(PLENTY_S)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "1"


def test_system_without_threads_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    feeding = Renderers([a_script(tmp_path, "one", "cat >out")], PLENTY_S)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        feeding.send("1")
    feeding.send("2")
    feeding.close()
    assert (tmp_path / "out").read_text(encoding="utf-8") == "2"
    assert "can't start new thread" in caplog.text
