"""The queue of verbs: one at most for each session, there whole, taken by exactly one."""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.model.staged import Staged
from flightdeck.store import files, queue, queued
from flightdeck.store.paths import StateFolder
from flightdeck.store.queue import Queue
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

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
    later, earlier = replace(DIFF, session_id="b"), replace(DIFF, session_id="c", at=1.0)
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


@pytest.mark.parametrize("line", ["", "{", "}", "prose", '{"a": 1}\n', "{\n}", " {}"])
def test_line_the_hook_would_not_print_is_not_put(folder: StateFolder, line: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        queue.put(folder, TEST, line, PROMPT)
    assert names(folder) == []


def test_verb_is_not_taken_once_it_has_expired(folder: StateFolder) -> None:
    put(folder, DIFF)
    assert queue.take(folder, DIFF, DIFF.until) is None
    assert names(folder) == []


def test_verb_is_taken_until_it_expires(folder: StateFolder) -> None:
    put(folder, DIFF)
    assert queue.take(folder, DIFF, DIFF.until - 0.001)


@pytest.mark.parametrize("take", [queue.withdraw, queue.discard])
def test_expired_verb_can_be_taken_away(
    folder: StateFolder, take: Callable[[StateFolder, Staged], object]
) -> None:
    put(folder, DIFF)
    assert take(folder, DIFF) in {True, None}
    assert names(folder) == []


def test_only_the_very_press_is_taken_back(folder: StateFolder) -> None:
    put(folder)
    again = replace(TEST, token="00000000000000ff")
    assert queue.withdraw(folder, again) is False
    queue.discard(folder, again)
    assert queue.standing(folder) == (TEST,)


def between(monkeypatch: pytest.MonkeyPatch, deed: Callable[[], object]) -> None:
    """Have `deed` done once, after somebody has looked at a verb and before it is taken."""
    rename, left = Path.rename, [deed]

    def late(self: Path, target: Path) -> Path:
        if left:
            left.pop()()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", late)


def test_verb_that_came_in_its_place_is_put_back(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    newer = replace(DIFF, until=0.0)

    def change() -> None:
        assert queue.withdraw(folder, TEST)
        put(folder, newer)

    between(monkeypatch, change)
    assert queue.withdraw(folder, TEST) is False
    assert queue.standing(folder) == (newer,)
    assert names(folder) == [f"{SESSION}.4242"]


def test_nothing_is_taken_where_somebody_is_quicker(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    between(monkeypatch, lambda: queue.withdraw(folder, TEST))
    assert queue.take(folder, TEST, 0.0) is None


def test_verb_of_which_nothing_was_delivered_is_given_back(folder: StateFolder) -> None:
    put(folder, DIFF)
    taken = queue.take(folder, DIFF, DIFF.at)
    assert taken
    assert queue.give_back(folder, taken) is True
    assert queue.take(folder, DIFF, DIFF.at) == taken


def test_verb_is_not_given_back_over_another(folder: StateFolder) -> None:
    put(folder, DIFF)
    taken = queue.take(folder, DIFF, DIFF.at)
    assert taken
    put(folder)
    assert queue.give_back(folder, taken) is False
    assert queue.standing(folder) == (TEST,)


def at_once(deed: Callable[[int], object], count: int = 8) -> list[object]:
    """Return what `deed` gives each of `count` threads that begin together."""
    start = Barrier(count)

    def one(number: int) -> object:
        start.wait()
        return deed(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


@pytest.mark.parametrize("_", range(20))
def test_one_of_all_who_take_it_gets_it(folder: StateFolder, _: int) -> None:
    put(folder)
    ways = (lambda: queue.take(folder, TEST, 0.0), lambda: queue.withdraw(folder, TEST) or None)
    got = at_once(lambda number: ways[number % 2]())
    assert sum(each is not None for each in got) == 1
    assert names(folder) == []


@pytest.mark.parametrize("_", range(20))
def test_one_of_all_who_put_one_gets_the_place(folder: StateFolder, _: int) -> None:
    def one(number: int) -> str:
        try:
            put(folder, replace(TEST, token=f"{number:016x}"))
        except Refused:
            return ""
        return f"{number:016x}"

    (winner,) = filter(None, at_once(one))
    assert [staged.token for staged in queue.standing(folder)] == [winner]
    assert len(names(folder)) == 1


def test_folder_that_is_not_there_holds_nothing_and_is_made(folder: StateFolder) -> None:
    folder.queue.rmdir()
    assert queue.standing(folder) == ()
    assert queue.withdraw(folder, TEST) is False
    queue.sweep(folder, 1e12, frozenset())
    put(folder)
    assert stat.S_IMODE(folder.queue.stat().st_mode) == 0o700


def test_file_in_the_place_of_the_folder_is_said(folder: StateFolder) -> None:
    folder.queue.rmdir()
    folder.queue.write_text("")
    assert queue.standing(folder) == ()
    with pytest.raises(Unavailable, match="cannot use the state folder"):
        put(folder)
    with pytest.raises(Unavailable, match="cannot use the state folder"):
        queue.write_prompt(folder, TEST.token, PROMPT)


def fail(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("where", ["fsync", "utime"])
def test_disk_that_does_not_take_a_verb_is_left_with_nothing(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(os, where, fail)
    with pytest.raises(Unavailable, match="No space left"):
        put(folder)
    assert names(folder) == []


@pytest.mark.parametrize("code", ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])
def test_file_system_without_hard_links_is_said_and_left_with_nothing(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    def link(*_: object) -> None:
        raise OSError(getattr(errno, code), "not here")

    monkeypatch.setattr(Path, "hardlink_to", link)
    with pytest.raises(Unavailable, match="makes no hard links") as no:
        put(folder)
    assert no.value.hint.startswith("set FLEET_HOME to a folder on another disk")
    assert names(folder) == []


def test_disk_that_makes_no_link_just_now_is_left_with_nothing(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", fail)
    with pytest.raises(Unavailable, match="No space left"):
        put(folder)
    assert names(folder) == []


def test_verb_that_cannot_be_taken_stays(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    monkeypatch.setattr(Path, "rename", fail)
    for take in (lambda: queue.take(folder, TEST, 0.0), lambda: queue.withdraw(folder, TEST)):
        with pytest.raises(Unavailable, match="No space left"):
            take()
    queue.discard(folder, TEST)
    assert queue.standing(folder) == (TEST,)


def test_place_that_is_never_free_and_never_taken_is_given_up(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flicker(*_: object) -> None:
        raise FileExistsError

    monkeypatch.setattr(Path, "hardlink_to", flicker)
    with pytest.raises(Unavailable, match="changes too fast"):
        put(folder)
    assert names(folder) == []


def test_place_that_comes_free_is_taken(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    link, free = Path.hardlink_to, [lambda: queue.withdraw(folder, TEST)]

    def late(self: Path, target: Path) -> None:
        try:
            link(self, target)
        finally:
            if free:
                free.pop()()

    monkeypatch.setattr(Path, "hardlink_to", late)
    put(folder, DIFF)
    assert queue.standing(folder) == (DIFF,)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files were read."""
    read, names = files.read, []

    def counting(path: Path, most: int = -1) -> bytes:
        names.append(path.name)
        return read(path, most)

    monkeypatch.setattr(files, "read", counting)
    return names


def test_unchanged_file_is_read_once(folder: StateFolder, opened: list[str]) -> None:
    waiting = Queue(folder)
    put(folder)
    (folder.queue / "torn.7").write_text("{")
    assert [waiting.standing() for _ in range(3)] == [(TEST,)] * 3
    assert sorted(opened) == [f"{SESSION}.4242", "torn.7"]


def test_change_of_the_folder_is_seen_at_once(folder: StateFolder) -> None:
    waiting = Queue(folder)
    for _ in range(20):
        assert waiting.standing() == ()
        put(folder)
        assert waiting.standing() == (TEST,)
        queue.withdraw(folder, TEST)


def test_verb_in_the_place_of_another_is_seen_at_once(folder: StateFolder) -> None:
    waiting = Queue(folder)
    for number in range(20):
        staged = replace(TEST, token=f"{number:016x}")
        put(folder, staged)
        assert waiting.standing() == (staged,)
        queue.withdraw(folder, staged)


def test_folder_at_rest_is_not_listed_again(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    os.utime(folder.queue, (1e9, 1e9))
    waiting, scandir, listed = Queue(folder), os.scandir, 0

    def counting(path: str) -> object:
        nonlocal listed
        listed += 1
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counting)
    assert [waiting.standing() for _ in range(3)] == [(TEST,)] * 3
    assert listed == 1
    queue.withdraw(folder, TEST)
    assert waiting.standing() == ()


def test_folder_from_the_future_is_looked_at_each_time(folder: StateFolder) -> None:
    waiting = Queue(folder)
    put(folder)
    ahead = clock.now() + 1_000
    for expected in ((TEST,), ()):
        os.utime(folder.queue, (ahead, ahead))
        assert waiting.standing() == expected
        queue.withdraw(folder, TEST)


def test_file_that_goes_while_it_is_looked_at_is_none(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    scandir = os.scandir

    class Late:
        """The folder, whose files are gone once they are listed."""

        def __init__(self, path: str) -> None:
            with scandir(path) as entries:
                self.entries = list(entries)
            queue.withdraw(folder, TEST)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Late)
    assert queue.standing(folder) == ()


def test_prompt_of_a_typed_line_is_written_for_its_owner_and_removed(folder: StateFolder) -> None:
    path = queue.write_prompt(folder, TEST.token, "é\nb\n")
    assert path == queue.prompt_file(folder, TEST.token)
    assert path.read_text(encoding="utf-8") == "é\nb\n"
    assert queue.write_prompt(folder, TEST.token, "\ud83d").read_text() == "?"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for _ in range(2):
        queue.remove_prompt(folder, TEST.token)
    assert names(folder) == []


NAME = f"{SESSION}.4242"
LEFT = [f".{SESSION}.4242.77", f".{SESSION}.4242.77.now", ".abc.tmp", "fedcba9876543210.md"]
KEPT = [NAME, "0123456789abcdef.md", "notes.md", "FEDCBA9876543210.md", "README"]


def test_sweep_takes_what_was_left_and_nothing_else(folder: StateFolder) -> None:
    for name in [*LEFT, *KEPT]:
        (folder.queue / name).write_text("x")
    os.mkfifo(folder.queue / ".pipe")
    queue.sweep(folder, time.time() + 61, frozenset({TEST.token}))
    assert names(folder) == sorted([*KEPT, ".pipe"])


def test_sweep_leaves_what_may_still_be_written(folder: StateFolder) -> None:
    for name in LEFT:
        (folder.queue / name).write_text("x")
        os.utime(folder.queue / name, (0, 0))
    queue.sweep(folder, time.time() + 50, frozenset())
    assert names(folder) == sorted(LEFT)


def test_sweep_takes_a_verb_whose_taker_was_killed_whenever_it_expires(folder: StateFolder) -> None:
    put(folder).rename(folder.queue / LEFT[0])
    queue.sweep(folder, time.time() + 61, frozenset())
    assert names(folder) == []


def test_sweep_that_may_not_take_one_goes_on(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LEFT:
        (folder.queue / name).write_text("x")
    unlink = Path.unlink
    failed: list[str] = []

    def once(self: Path) -> None:
        if not failed:
            failed.append(self.name)
            raise PermissionError
        unlink(self)

    monkeypatch.setattr(Path, "unlink", once)
    queue.sweep(folder, time.time() + 61, frozenset())
    assert names(folder) == failed
