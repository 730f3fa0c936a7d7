"""Durations and label rules."""

from __future__ import annotations

from flightdeck.model.layout import Timings
from tests.config.panels import compiled, told, with_section


def test_duration_left_out_is_the_shipped_one() -> None:
    timings = compiled(with_section("timings:\n  long_press: 0.5 s\n")).timings
    assert timings == Timings(long_press_ms=500)


def test_every_duration_can_be_set() -> None:
    text = (
        "timings:\n  long_press: 1 s\n  armed: 2 s\n  confirm: 5 s\n  decide: 600 s\n"
        "  reap: 30 s\n  flash: 300 ms\n"
    )
    assert compiled(with_section(text)).timings == Timings(
        1_000, 2_000, 5_000, 600_000, 30_000, 300
    )


def test_bad_durations_are_told_together() -> None:
    text = "timings:\n  long_press: 800\n  armed: 3 sec\n  reap: 1 s\n  flahs: 1 s\n"
    text += "  decide: 601 s\n  confirm: 500 ms\n"
    assert told(with_section(text)) == [
        "5:15 'long_press' has no unit",
        "6:10 'armed' has the unit 'sec'",
        "7:9 'reap' of 1 s is out of range",
        "8:3 unknown key 'flahs'",
        "9:11 'decide' of 601 s is out of range",
        "10:12 'confirm' of 500 ms is out of range",
    ]


def test_label_rules_are_length_prefixes_and_short_words() -> None:
    text = "labels:\n  line: 9 characters\n  strip:\n    - jane/\n  short:\n    service: svc\n"
    labels = compiled(with_section(text)).labels
    assert (labels.line_chars, labels.strip, labels.short) == (9, ("jane/",), {"service": "svc"})


def test_prefixes_and_short_words_may_be_left_out() -> None:
    labels = compiled(with_section("labels:\n  line: 9 characters\n")).labels
    assert (labels.strip, labels.short) == ((), {})


def test_bad_label_rules_are_told_together() -> None:
    text = "labels:\n  line: 9\n  strip:\n    -\n  short:\n    a: b\n    a: c\n    d:\n      e: f\n"
    assert told(with_section(text)) == [
        "5:9 'line' has no unit",
        "7:5 strip of 'labels' is empty",
        "10:5 'a' is written twice",
        "12:7 'd' is not a single value",
    ]


def test_length_of_a_line_is_needed() -> None:
    assert told(with_section("labels:\n  strip:\n    - a/\n")) == ["4:1 'labels' has no 'line'"]
