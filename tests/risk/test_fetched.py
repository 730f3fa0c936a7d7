"""A file that is run is brought together with the commands that named it before."""

from __future__ import annotations

import pytest

from flightdeck.model.shell import Invocation, Programs, Redirect, Word
from flightdeck.risk.fetched import naming

PROGRAMS = Programs(shells=frozenset({"sh"}), interpreters={"python": frozenset({"-c"})})


def _words(*texts: str) -> tuple[Word, ...]:
    return tuple(Word(text, (0, len(text))) for text in texts)


FETCH = Invocation("curl", _words("-O", "https://x.example/dir/i.sh?v=2"))


@pytest.mark.parametrize(
    "run",
    [
        ("sh", "i.sh"),
        ("sh", "-x", "./i.sh"),
        (".", "i.sh"),
        ("source", "/tmp/i.sh"),
        ("python3.12", "i.sh"),
        ("./i.sh",),
        ("/opt/i.sh", "now"),
    ],
)
def test_a_file_is_told_by_its_base_name_however_it_is_run(run: tuple[str, ...]) -> None:
    (told,) = naming(_words(*run), [FETCH], PROGRAMS)
    assert told.program == "curl"
    assert [word.text for word in told.words][-2:] == ["--output", "i.sh"]


@pytest.mark.parametrize(
    "run",
    [("cat", "i.sh"), ("sh",), ("sh", "other.sh"), ("/usr/bin/i.sh",), ("python", "-c", "i"), ()],
)
def test_what_runs_no_file_of_that_name_has_nothing_to_do_with_it(run: tuple[str, ...]) -> None:
    assert naming(_words(*run), [FETCH], PROGRAMS) == ()


def test_a_program_that_is_not_known_runs_no_known_file() -> None:
    unknown = (Word("$tool", (0, 5), literal=False), Word("i.sh", (6, 10)))
    assert naming(unknown, [FETCH], PROGRAMS) == ()


def test_output_sent_to_the_file_is_told_as_an_option_for_it() -> None:
    written = Invocation(
        "curl", _words("x.example"), redirects=(Redirect(">", Word("i.sh", (20, 24))),)
    )
    (told,) = naming(_words("sh", "i.sh"), [written], PROGRAMS)
    assert [word.text for word in told.words] == ["x.example", "--output", "i.sh"]


def test_nothing_went_before_the_first_command() -> None:
    assert naming(_words("sh", "i.sh"), [], PROGRAMS) == ()
