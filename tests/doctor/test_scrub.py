"""What may stand in a report: known words, numbers, and the formats of our own log lines."""

from __future__ import annotations

import pytest

from flightdeck.doctor.scrub import Pseudonyms, log_lines, number, word

STAMP = "2026-11-30 12:00:00,001"


def shown(*lines: str) -> list[str]:
    return list(log_lines(lines))


@pytest.mark.parametrize(
    ("value", "told"), [("done", "done"), ("x", "<state>"), (5, "<state>"), ("", "-"), (None, "-")]
)
def test_word_is_shown_if_it_is_known(value: object, told: str) -> None:
    assert word(value, {"done"}, "state") == told


@pytest.mark.parametrize(
    ("value", "told"), [(3, "3"), (0.5, "0.5"), (True, "-"), ("3", "-"), (None, "-")]
)
def test_number_is_shown_if_it_is_one(value: object, told: str) -> None:
    assert number(value) == told


def test_same_name_has_the_same_pseudonym() -> None:
    names = Pseudonyms("s")
    assert [names.of(name) for name in ("b", "a", "b", "", None)] == ["s1", "s2", "s1", "-", "-"]


def test_line_is_shown_by_the_format_that_made_it() -> None:
    line = f"{STAMP} WARNING flightdeck.store.inbox: event 12.Stop.ev dropped: secret"
    assert shown(line) == [f"{STAMP} WARNING flightdeck.store.inbox: event <…> dropped: <…>"]


def test_number_in_a_line_is_shown() -> None:
    line = f"{STAMP} ERROR flightdeck.decks.presses: the panel failed on key 7 down"
    assert shown(line) == [f"{STAMP} ERROR flightdeck.decks.presses: the panel failed on key 7 <…>"]


def test_word_in_the_place_of_a_number_is_not() -> None:
    line = f"{STAMP} ERROR flightdeck.decks.presses: the panel failed on key secret down"
    assert shown(line)[0].endswith("the panel failed on key <…> <…>")


def test_logger_of_somebody_else_is_not_named() -> None:
    (line,) = shown(f"{STAMP} INFO secret.place: words nobody of us has written")
    assert "secret" not in line
    assert "nobody" not in line


def test_trace_is_shown_by_the_places_in_our_own_files() -> None:
    trace = (
        "Traceback (most recent call last):",
        '  File "/home/me/venv/site-packages/flightdeck/store/inbox.py", line 12, in secret',
        "    secret()",
        '  File "/home/me/flightdeck/secret.py", line 3, in x',
        '  File "/home/me/flightdeck/store/../cli.py", line 3, in x',
        "ValueError: secret",
    )
    assert shown(*trace) == ["(1 lines left out)", "  at store/inbox.py:12", "(4 lines left out)"]
