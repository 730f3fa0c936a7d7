"""The client's registry read defensively: torn, foreign, hostile and forbidden files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.agents.claude_code.registry import Registry, config_dir, survey
from flightdeck.model.lifecycle import Reason
from flightdeck.model.session import Record, Status
from tests.agents.recorded import recorded

if TYPE_CHECKING:
    from pathlib import Path

LONG_AGO = 1_700_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sessions"
    path.mkdir()
    return path


def write(folder: Path, text: str | bytes, name: str = "9540.json", *, age: int = 0) -> Path:
    """Write a record in place, as the client does, `age` seconds after long ago."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, (LONG_AGO + age, LONG_AGO + age))
    return path


def a_row(**more: Any) -> str:
    return json.dumps(recorded("registry-idle") | more)


def only(registry: Registry) -> Record:
    (record,) = registry.records()
    return record


def test_conversation_that_went_to_the_background_is_parked(folder: Path) -> None:
    write(folder, a_row(parkedJobId="f17e65a5"))
    assert only(Registry(folder)).parked
    write(folder, a_row(parkedJobId=None), age=60)
    assert not only(Registry(folder)).parked


def test_turn_that_was_moved_to_the_background_runs_here_no_more(folder: Path) -> None:
    row = a_row(status="busy", statusUpdatedAt=5_000, updatedAt=6_000, parkedJobId="f17e65a5")
    write(folder, row)
    record = only(Registry(folder))
    assert (record.status, record.at) == (Status.IDLE, 6.0)


def test_process_kept_ready_for_the_background_is_nobodys_session(folder: Path) -> None:
    write(folder, a_row(kind="bg", spare=True, status=None))
    assert only(Registry(folder)).spare
    write(folder, a_row(kind="bg"), age=60)
    assert not only(Registry(folder)).spare


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("registry-idle", Status.IDLE, None),
        ("registry-busy", Status.BUSY, None),
        ("registry-shell", Status.SHELL, None),
        ("registry-waiting", Status.WAITING, Reason.PERMISSION),
    ],
)
def test_recorded_entry_is_read(
    folder: Path, name: str, status: Status, reason: Reason | None
) -> None:
    row = recorded(name)
    write(folder, json.dumps(row), f"{row['pid']}.json")
    record = only(Registry(folder))
    assert (record.pid, record.session_id, record.cwd) == (row["pid"], row["sessionId"], row["cwd"])
    assert (record.status, record.waiting_for) == (status, reason)
    assert (record.at, record.started) == (row["statusUpdatedAt"] / 1000, row["procStart"])


@pytest.mark.parametrize(
    ("waits_for", "reason"),
    [
        ("permission prompt", Reason.PERMISSION),
        ("sandbox request", Reason.PERMISSION),
        ("input needed", Reason.INPUT),
        ("goal proposal", Reason.PLAN),
        ("dialog open", Reason.INPUT),
        ("something new", Reason.INPUT),
        (None, Reason.INPUT),
        (["permission prompt"], Reason.INPUT),
    ],
)
def test_waiting_client_says_for_what(folder: Path, waits_for: object, reason: Reason) -> None:
    write(folder, a_row(status="waiting", waitingFor=waits_for))
    assert only(Registry(folder)).waiting_for is reason


@pytest.mark.parametrize(
    ("source", "title"), [("user", "api-refactor"), ("derived", ""), (None, "")]
)
def test_only_a_name_its_user_gave_is_a_title(folder: Path, source: object, title: str) -> None:
    write(folder, a_row(nameSource=source))
    assert only(Registry(folder)).title == title


def test_rename_is_seen(folder: Path) -> None:
    registry = Registry(folder)
    write(folder, a_row(name="one"))
    assert only(registry).title == "one"
    write(folder, a_row(name="two"), age=1)
    assert only(registry).title == "two"


@pytest.mark.parametrize("torn", ["", '{"pid": 95', "\0" * 40, "[" * 100_000, b"\xff\xfe\x00"])
def test_torn_read_keeps_the_last_good_one(folder: Path, torn: str | bytes) -> None:
    registry = Registry(folder)
    write(folder, a_row(status="busy"))
    before = only(registry)
    write(folder, torn, age=1)
    assert only(registry) == before
    write(folder, a_row(status="idle"), age=2)
    assert only(registry).status is Status.IDLE


def test_file_that_was_never_whole_is_no_record(folder: Path) -> None:
    write(folder, '{"pid": 95')
    assert list(Registry(folder).records()) == []


def test_record_whose_file_is_gone_is_gone(folder: Path) -> None:
    registry = Registry(folder)
    path = write(folder, a_row())
    assert only(registry).pid == 9540
    path.unlink()
    assert list(registry.records()) == []


def test_second_write_within_one_step_of_the_file_clock_is_seen(folder: Path) -> None:
    path = write(folder, a_row(status="busy"))
    os.utime(path)
    stamp = path.stat().st_mtime_ns
    registry = Registry(folder)
    assert only(registry).status is Status.BUSY
    path.write_text(a_row(status="idle"))  # as long as before
    os.utime(path, ns=(stamp, stamp))
    assert only(registry).status is Status.IDLE


def test_file_that_did_not_change_is_not_read_again(folder: Path) -> None:
    path = write(folder, a_row(status="busy"))
    registry = Registry(folder)
    before = only(registry)
    write(folder, a_row(status="idle"))  # same size and time: only a read could tell
    assert path.stat().st_mtime == LONG_AGO
    assert only(registry) is before


@pytest.mark.parametrize(
    "name",
    ["9540.json.tmp", "x9540.json", "notes.json", "9540", "\u0662.json", "09540.json", "9541.json"],
)
def test_file_that_is_not_the_record_of_its_process_is_left_alone(folder: Path, name: str) -> None:
    write(folder, a_row(), name)
    assert list(Registry(folder).records()) == []


def test_key_beside_a_record_is_never_opened(folder: Path) -> None:
    write(folder, a_row())
    for name in ("9540.0a1b2c.key", "9540.key", "9540.json.key"):
        os.mkfifo(folder / name)  # opening one would wait for a writer for ever
    assert only(Registry(folder)).pid == 9540


def test_pipe_by_a_records_name_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "9540.json")
    assert list(Registry(folder).records()) == []


def test_folder_and_broken_link_by_a_records_name_are_no_records(folder: Path) -> None:
    (folder / "9540.json").mkdir()
    (folder / "9541.json").symlink_to(folder / "nowhere")
    assert list(Registry(folder).records()) == []


def test_record_nobody_may_read_keeps_its_last_reading(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry(folder)
    path = write(folder, a_row())
    before = only(registry)
    os.utime(path, (LONG_AGO + 1, LONG_AGO + 1))

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refused)
    assert only(registry) == before


@pytest.mark.parametrize("kind", ["daemon", "daemon-worker"])
def test_daemons_are_nobodys_sessions(folder: Path, kind: str) -> None:
    write(folder, a_row(kind=kind))
    assert list(Registry(folder).records()) == []


@pytest.mark.parametrize(
    "more",
    [
        {"pid": "9540"},
        {"pid": True},
        {"pid": 9540.0},
        {"pid": None},
        {"pid": 1},
        {"status": "asleep"},
        {"status": None},
        {"status": ["idle"]},
    ],
)
def test_record_without_a_pid_or_status_of_ours_is_none(folder: Path, more: dict[str, Any]) -> None:
    write(folder, a_row(**more))
    assert list(Registry(folder).records()) == []


@pytest.mark.parametrize("text", ["[]", "null", '"idle"', "7"])
def test_json_that_is_no_object_is_no_record(folder: Path, text: str) -> None:
    write(folder, text)
    assert list(Registry(folder).records()) == []


@pytest.mark.parametrize(
    ("wrong", "field", "left"),
    [
        ({"sessionId": "../up"}, "session_id", ""),
        ({"sessionId": 7}, "session_id", ""),
        ({"cwd": "relative"}, "cwd", ""),
        ({"cwd": "/a\0b"}, "cwd", ""),
        ({"cwd": ["/a"]}, "cwd", ""),
        ({"name": 5}, "title", ""),
        ({"entrypoint": {"a": 1}}, "entrypoint", ""),
        ({"procStart": 208700}, "started", "208700"),
        ({"procStart": None}, "started", ""),
        ({"procStart": True}, "started", ""),
        ({"procStart": ["1"]}, "started", ""),
        ({"kind": ["daemon"]}, "status", Status.IDLE),
    ],
)
def test_field_of_the_wrong_kind_is_left_out(
    folder: Path, wrong: dict[str, Any], field: str, left: object
) -> None:
    write(folder, a_row(**wrong))
    assert getattr(only(Registry(folder)), field) == left


@pytest.mark.parametrize(
    "wrong", [None, "soon", True, -1, 0, float("inf"), float("nan"), 10**400, [1], 1e30]
)
def test_time_that_is_none_gives_way_to_the_next_best(folder: Path, wrong: object) -> None:
    write(folder, a_row(statusUpdatedAt=wrong, updatedAt=wrong, startedAt=2_000_000))
    assert only(Registry(folder)).at == 2000.0


def test_record_without_any_time_overrules_nothing_recent(folder: Path) -> None:
    write(folder, a_row(statusUpdatedAt=None, updatedAt=None, startedAt=None))
    assert only(Registry(folder)).at == 0.0


def test_folder_that_is_not_there_is_no_records(tmp_path: Path) -> None:
    assert list(Registry(tmp_path / "none").records()) == []


values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), st.just([{}])
)


@given(st.dictionaries(st.sampled_from(sorted(recorded("registry-waiting"))), values))
def test_record_of_anything_at_all_raises_nothing(
    tmp_path_factory: pytest.TempPathFactory, wrong: dict[str, object]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    write(folder, json.dumps(recorded("registry-waiting") | wrong), "9552.json")
    list(Registry(folder).records())


@pytest.mark.parametrize("blank", [{}, {"CLAUDE_CONFIG_DIR": ""}, {"CLAUDE_CONFIG_DIR": " \t"}])
def test_unset_or_blank_variable_means_the_default_folder(
    tmp_path: Path, blank: dict[str, str]
) -> None:
    assert config_dir({"HOME": str(tmp_path)} | blank) == tmp_path / ".claude"


def test_named_folder_is_taken(tmp_path: Path) -> None:
    assert config_dir({"CLAUDE_CONFIG_DIR": str(tmp_path)}) == tmp_path


@pytest.mark.parametrize("unset", [{}, {"HOME": ""}])
def test_home_that_is_not_named_is_the_users_own(home: Path, unset: dict[str, str]) -> None:
    assert config_dir(unset) == home / ".claude"


def surveyed(folder: Path) -> list[tuple[int, str]]:
    return [(one.pid, one.fault) for one in survey(folder)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (a_row(), ""),
        ("{,", "not to be read (JSONDecodeError)"),
        ("[]", "no object of JSON"),
        (a_row(pid=1), "its pid is not that of its name"),
        (json.dumps({"pid": 9540}), "it has no status"),
        (a_row(status="pondering"), "its status is 'pondering'"),
        (a_row(status=5), "its status is ''"),
        (a_row(status=[5]), "its status is ''"),
        (a_row(sessionId=None), "it has no session id"),
        (a_row(statusUpdatedAt="x", updatedAt=None), "it does not say since when"),
    ],
)
def test_survey_tells_what_a_record_lacks(folder: Path, text: str, fault: str) -> None:
    write(folder, text)
    assert surveyed(folder) == [(9540, fault)]


def test_survey_leaves_out_what_is_no_record_of_a_session(folder: Path) -> None:
    write(folder, a_row(kind="daemon"))
    write(folder, "secret", "9540.abc.key")
    write(folder, "{}", "x.json")
    (folder / "9541.json").symlink_to(folder / "gone")
    assert surveyed(folder) == []


def test_survey_tells_when_a_record_was_written(folder: Path) -> None:
    write(folder, a_row(), age=5)
    assert [one.written for one in survey(folder)] == [LONG_AGO + 5]
