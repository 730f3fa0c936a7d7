"""A settings file is read as the client reads it, or refused with the place of the fault."""

from __future__ import annotations

import pytest

from flightdeck.errors import Refused
from flightdeck.install.document import Entry, printable, read
from tests.install.documents import FILE, OLDER, OURS, a_file, a_group


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{}]", "1:1: the top level ($) is an array where an object is expected"),
        ('"text"', "1:1: the top level ($) is a string where an object is expected"),
        ('{"hooks": []}', "1:11: hooks is an array where an object is expected"),
        (
            '{"hooks":\n {"Stop": {"hooks": []}}}',
            "2:11: hooks.Stop is an object where an array is expected",
        ),
        ('{"hooks": {"\\u001b": null}}', r"1:22: hooks.\x1b is null where an array is expected"),
        ('{\n  // keep me\n  "hooks": {}\n}\n', "2:3: not strict JSON: a comment"),
        ('{"a": 1, "a": 1}', '1:10: not strict JSON: the key "a" stands here a second time'),
    ],
)
def test_file_the_client_could_not_read_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Refused) as caught:
        read(text, FILE)
    assert caught.value.message == f"{FILE}:{message}"
    assert caught.value.hint


@pytest.mark.parametrize("text", ["", "\r\n \t", "{}", '{"hooks": null}'])
def test_file_without_hooks_has_no_events(text: str) -> None:
    document = read(text, FILE)
    assert (document.events(), list(document.ours())) == ((), [])


def test_ours_are_found_wherever_they_stand() -> None:
    odd = ["text", {"hooks": "x"}, {"hooks": ["x", {"type": "command"}, {"command": 1}]}]
    document = read(a_file({"Stop": [*odd, a_group("x", OURS)], "Old": [a_group(OLDER)]}), FILE)
    assert list(document.ours()) == [Entry("Stop", 3, 1, OURS), Entry("Old", 0, 0, OLDER)]


def test_containers_are_what_is_there_even_if_empty() -> None:
    assert read(a_file({"Stop": []}), FILE).containers() == {"hooks", "hooks.Stop"}
    assert read('{"hooks": null}', FILE).containers() == {"hooks"}
    assert read("{}", FILE).containers() == frozenset()


def test_name_fit_for_a_message_has_no_control_characters() -> None:
    assert [printable(name) for name in ("Stop", "é", "\x1b[2J")] == ["Stop", "é", r"\x1b[2J"]
