"""Text for an agent: its token, and where what must not stand in it is found."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.nodes import Span
from flightdeck.config.passage import Passage

if TYPE_CHECKING:
    from pathlib import Path


def passage(text: str, start: int = 0) -> Passage:
    return Passage("x.md", tuple(text.split("\n")), start)


def test_text_begins_at_its_line_and_loses_the_blanks_around_it() -> None:
    assert passage("head\n\n One \n\n two\t\n\n", start=1).text == "One\n\n two"


def test_first_line_is_the_first_one_that_is_not_blank() -> None:
    assert passage("head\n \n  One\n", start=1).first == Span(3, 1, 5)


def test_token_becomes_the_command_wherever_it_stands() -> None:
    command = shlex.quote(str(shipped.command()))
    assert passage("{{flightdeck}} fail\n`{{flightdeck}}`").filled() == (
        f"{command} fail\n`{command}`"
    )


def test_command_in_a_folder_with_a_space_is_quoted_for_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "it's here"
    place.mkdir()
    (place / "flightdeck").write_text("")
    (place / "flightdeck").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    filled = passage("{{flightdeck}} fail").filled()
    assert shlex.split(filled) == [str(place / "flightdeck"), "fail"]


def test_text_without_a_token_needs_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert passage("Say {it}} twice.").filled() == "Say {it}} twice."


def test_token_where_there_is_no_command_is_a_problem_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    (problem,) = passage("Run\n {{flightdeck}}").bad_tokens()
    assert str(problem.location) == "x.md:2:2"
    assert problem.message.startswith("there is no 'flightdeck' executable")
    assert problem.hint.startswith("install flightdeck")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{}}", ["1:1 unknown token ''"]),
        ("a {{Flightdeck}} b", ["1:3 unknown token 'Flightdeck'"]),
        ("{{{flightdeck}}}", ["1:1 a '{{' that is never closed"]),
        ("{{a\nb}}", ["1:1 a '{{' that is never closed"]),
        ("{{flightdeck}}{{", ["1:15 a '{{' that is never closed"]),
        ("${{ x }} {{flightdeck}} {{y}}", ["1:2 unknown token ' x '", "1:25 unknown token 'y'"]),
        ("{a} }} {flightdeck}", []),
    ],
)
def test_anything_else_in_two_braces_is_a_problem(text: str, told: list[str]) -> None:
    found = list(passage(text).bad_tokens())
    assert [f"{p.location.line}:{p.location.column} {p.message}" for p in found] == told
    assert {p.hint for p in found} <= {"the only token is `{{flightdeck}}`"}


def test_characters_nobody_can_see_have_their_places() -> None:
    found = passage("head\u200b\na\u202eb\t\u200dc\0", start=1).unseen()
    assert [(p.location.line, p.location.column) for p in found] == [(2, 2), (2, 7)]
