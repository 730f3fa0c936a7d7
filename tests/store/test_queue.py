"""The queue of verbs: one at most for each session, there whole, taken by exactly one."""

from __future__ import annotations

import json
import stat
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused
from flightdeck.model.staged import Staged
from flightdeck.store import queue, queued
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

SESSION = "66078404-f8e0-46c9-bbcd-288d19208686"
TEST = Staged("test", "0123456789abcdef", SESSION, 4242, 1_000.0)
DIFF = Staged("diff", "fedcba9876543210", SESSION, 4242, 1_001.5, 1_301.5)
PROMPT = "Run it: 'a' \"b\" é 日本 \ud83d\n```\n$(x)\n"
LINE = json.dumps({"decision": "block", "reason": PROMPT})


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    folder = StateFolder(tmp_path / ".fleet")
    folder.create()
    return folder


def put(folder: StateFolder, staged: Staged = TEST, prompt: str = PROMPT) -> Path:
    queue.put(folder, staged, LINE, prompt)
    return folder.queue / queued.name_of(staged.session_id, staged.pid)


def names(folder: StateFolder) -> list[str]:
    return sorted(path.name for path in folder.queue.iterdir())


def test_verb_is_taken_as_it_was_put(folder: StateFolder) -> None:
    put(folder)
    assert queue.standing(folder) == (TEST,)
    assert queue.take(folder, TEST, 2_000.0) == queued.Taken(TEST, LINE, PROMPT)
    assert names(folder) == []


def test_verb_is_taken_once(folder: StateFolder) -> None:
    put(folder)
    assert queue.take(folder, TEST, 2_000.0)
    assert queue.take(folder, TEST, 2_000.0) is None
    assert queue.withdraw(folder, TEST) is False


def test_file_is_private_and_alone(folder: StateFolder) -> None:
    path = put(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(folder) == [f"{SESSION}.4242"]
    assert path.stat().st_nlink == 1


def test_first_line_is_what_the_hook_prints(folder: StateFolder) -> None:
    assert put(folder).read_text().split("\n")[0] == LINE


def test_file_is_as_old_as_the_time_it_expires(folder: StateFolder) -> None:
    assert put(folder, DIFF).stat().st_mtime == 1_301.5


def test_what_does_not_expire_is_newer_than_any_file(folder: StateFolder) -> None:
    assert put(folder).stat().st_mtime > time.time() + 9 * 365 * 86_400


def test_second_verb_is_refused_and_the_first_one_stays(folder: StateFolder) -> None:
    put(folder)
    with pytest.raises(Refused, match=r"^test queued$"):
        put(folder, DIFF)
    assert queue.standing(folder) == (TEST,)
    assert names(folder) == [f"{SESSION}.4242"]


def test_verbs_of_two_sessions_stand_in_the_order_they_were_staged(folder: StateFolder) -> None:
    later, earlier = replace(DIFF, session_id="b"), replace(TEST, session_id="c", at=1.0)
    for staged in (later, earlier, TEST):
        put(folder, staged)
    assert queue.standing(folder) == (earlier, TEST, later)


@pytest.mark.parametrize("session", ["", ".", "..", "../x", "a/b", "-x", "a b", "a\n", "é"])
def test_id_that_is_no_file_name_has_no_queue(folder: StateFolder, session: str) -> None:
    assert queued.name_of(session, 4242) == ""
    staged = replace(TEST, session_id=session)
    with pytest.raises(Refused, match="no id yet"):
        put(folder, staged)
    assert queue.take(folder, staged, 0.0) is None
    queue.discard(folder, staged)
    assert names(folder) == []


@pytest.mark.parametrize("pid", [0, -1])
def test_process_without_a_number_has_no_queue(pid: int) -> None:
    assert queued.name_of(SESSION, pid) == ""


@pytest.mark.parametrize("line", ["", "{", "}", "prose", '{"a": 1}\n', "{\n}", " {}"])
def test_line_the_hook_would_not_print_is_not_put(folder: StateFolder, line: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        queue.put(folder, TEST, line, PROMPT)
    assert names(folder) == []
