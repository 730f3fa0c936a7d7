"""An inbox file is read as the snippet wrote it, or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.event import END, NAMES, Unreadable, is_whole, parse


def written(
    payload: object = None,
    *,
    wire: str = "flightdeck1:claude-code",
    event: str = "Stop",
    pid: str = "42",
    **names: str,
) -> bytes:
    values = [names.get(name, "") for name in NAMES]
    head = "\x1f".join([wire, event, pid, *values])
    return f"{head}\n{json.dumps({} if payload is None else payload)}".encode() + END


def test_event_is_read_as_it_was_written() -> None:
    data = written({"cwd": "/R"}, TERM_PROGRAM="xterm", CLAUDE_CODE_ENTRYPOINT="cli")
    event = parse(data, "7-42", 7.5)
    assert (event.ident, event.agent, event.name, event.pid) == ("7-42", "claude-code", "Stop", 42)
    assert (event.at, event.place.kind, event.entrypoint) == (7.5, "app", "cli")
    assert event.payload == {"cwd": "/R"}


def test_header_that_names_no_agent_is_claude_codes() -> None:
    assert parse(written(wire="flightdeck1"), "i", 1.0).agent == "claude-code"


def test_header_of_another_agent_names_it() -> None:
    assert parse(written(wire="flightdeck1:codex"), "i", 1.0).agent == "codex"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("Drained:0123456789abcdef", ("Drained", "0123456789abcdef")),
        ("Drained", ("Drained", "")),
        ("Drained:", ("Drained", "")),
        ("Drained:a:b", ("Drained", "a:b")),
    ],
)
def test_hook_may_add_something_to_the_name_of_its_event(event: str, told: tuple[str, str]) -> None:
    read = parse(written(event=event), "i", 1.0)
    assert (read.name, read.about) == told


@pytest.mark.parametrize("wire", ["flightdeck2:claude-code", "", "FLIGHTDECK1"])
def test_header_of_another_wire_is_none_of_ours(wire: str) -> None:
    with pytest.raises(Unreadable, match="no header of ours"):
        parse(written(wire=wire), "i", 1.0)


@pytest.mark.parametrize("head", [b"", b"flightdeck1:claude-code", b"flightdeck1\x1fStop\x1f42"])
def test_header_of_too_few_fields_is_none_of_ours(head: bytes) -> None:
    with pytest.raises(Unreadable, match="no header of ours"):
        parse(head + b"\n{}", "i", 1.0)


@pytest.mark.parametrize("pid", ["", "0", "-1", "4.2", "x", "\u0664\u0662", "12345678901", " 42"])
def test_pid_that_is_none_is_refused(pid: str) -> None:
    with pytest.raises(Unreadable, match="no pid"):
        parse(written(pid=pid), "i", 1.0)


@pytest.mark.parametrize("body", [b"", b"{", b"{} {}", b"\xff\xfe", b"[" * 100_000])
def test_payload_that_is_no_json_is_refused(body: bytes) -> None:
    head = written().partition(b"\n")[0]
    with pytest.raises(Unreadable, match="payload is not JSON"):
        parse(head + b"\n" + body, "i", 1.0)


@pytest.mark.parametrize("payload", [[], "text", 7, True])
def test_payload_that_is_no_object_is_refused(payload: object) -> None:
    with pytest.raises(Unreadable, match="payload is not an object"):
        parse(written(payload), "i", 1.0)


def test_payload_may_hold_lines_of_its_own() -> None:
    head = written().partition(b"\n")[0]
    event = parse(head + b'\n{\n "cwd":\n "/R"\n}\n' + END, "i", 1.0)
    assert event.payload == {"cwd": "/R"}


def test_event_is_whole_only_with_its_last_line() -> None:
    data = written()
    assert is_whole(data)
    assert not any(is_whole(data[:cut]) for cut in range(len(data)))


def test_entrypoint_is_bounded() -> None:
    assert len(parse(written(CLAUDE_CODE_ENTRYPOINT="x" * 500), "i", 1.0).entrypoint) == 40


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_refused_and_raise_nothing_else(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parse(data, "i", 1.0)
