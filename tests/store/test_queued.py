"""A file in the queue is a verb if it is as it was written, and nothing if anything is odd."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.model.staged import Staged
from flightdeck.store import queue, queued
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION = "66078404-f8e0-46c9-bbcd-288d19208686"
TEST = Staged("test", "0123456789abcdef", SESSION, 4242, 1_000.0)
LINE = '{"decision": "block", "reason": "p"}'


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    folder = StateFolder(tmp_path / ".fleet")
    folder.create()
    return folder


@pytest.mark.parametrize("pid", [0, -1])
def test_process_without_a_number_has_no_queue(pid: int) -> None:
    assert queued.name_of(SESSION, pid) == ""


def about(token: str = TEST.token, **more: object) -> str:
    known = {"verb": "test", "at": 1.0, "until": 0, "prompt": "p"}
    return f"{LINE}\n{token}\n{json.dumps({**known, **more})}\n"


NAME = f"{SESSION}.4242"
BROKEN = [
    "",
    "\n",
    "\n\n",
    LINE,
    f"{LINE}\n",
    f"{LINE}\n{TEST.token}\n",
    f"{LINE}\n{TEST.token}\n{{",
    f"{LINE}\n{TEST.token}\n[]\n",
    f"{LINE}\n{TEST.token}\n{'[' * 9999}\n",
    f"{LINE[:-1]}\n{TEST.token}\n{{}}\n",
    about().replace(f"{TEST.token}\n", ""),
    about()[:-2],
    about()[:-1],
    about() + "more\n",
    about() + "more",
    about().replace(LINE, "prose"),
    about(verb=7),
    about(verb=""),
    about(verb="x" * 101),
    about(token="../../../../etc/x"),
    about(token="0123456789ABCDEF"),
    about(token="0123456789abcdef\n"),
    about(token=""),
    about(at="1"),
    about(at=float("nan")),
    about(at=float("inf")),
    about(at=10**400),
    about(until=-1),
    about(until=None),
    about(prompt=None),
]


@pytest.mark.parametrize("text", BROKEN)
def test_file_that_is_not_as_it_was_put_is_no_verb(folder: StateFolder, text: str) -> None:
    (folder.queue / NAME).write_text(text)
    assert queue.standing(folder) == ()
    assert queue.withdraw(folder, TEST) is False


def test_file_with_all_it_needs_is_one(folder: StateFolder) -> None:
    (folder.queue / NAME).write_text(about())
    assert queue.standing(folder) == (replace(TEST, at=1.0),)


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_link(path: Path) -> None:
    path.with_name("target").write_text(about())
    path.symlink_to(path.with_name("target"))


def make_huge(path: Path) -> None:
    path.write_text(about(prompt="x" * 300_000))


def make_binary(path: Path) -> None:
    path.write_bytes(about().encode("utf-16"))


STRANGERS = [Path.mkdir, make_pipe, make_link, make_huge, make_binary]


@pytest.mark.parametrize("make", STRANGERS)
def test_whatever_else_lies_there_is_no_verb_and_is_left_alone(
    folder: StateFolder, make: Callable[[Path], None]
) -> None:
    path = folder.queue / NAME
    make(path)
    before = path.lstat()
    assert queue.standing(folder) == ()
    assert queue.take(folder, TEST, 0.0) is None
    with pytest.raises(Unavailable, match="in the way"):
        queue.put(folder, TEST, LINE, "p")
    assert path.lstat() == before
    assert not list(folder.queue.glob(".*"))


@pytest.mark.parametrize(
    "name",
    [
        f".{NAME}",
        f".{NAME}.77",
        f"{SESSION}",
        f"{SESSION}.md",
        f"{SESSION}.0",
        f"{SESSION}.01",
        f"{SESSION}.٣",
        f"{SESSION}.12345678901",
        "a b.4242",
        f"{'x' * 129}.4242",
        "0123456789abcdef.md",
    ],
)
def test_name_no_verb_has_is_a_strangers(folder: StateFolder, name: str) -> None:
    (folder.queue / name).write_text(about())
    assert queue.standing(folder) == ()
