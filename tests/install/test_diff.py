"""A change is shown as a unified diff a terminal can be trusted with."""

from __future__ import annotations

from pathlib import Path

from flightdeck.install.diff import render_diff
from flightdeck.install.target import Change

FILE = Path("/cfg/settings.json")


def test_change_of_a_file_names_it_on_both_sides() -> None:
    lines = render_diff(Change(FILE, b"a\nb\n", b"a\nc\n"))
    assert lines == [
        "--- /cfg/settings.json",
        "+++ /cfg/settings.json",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
    ]


def test_file_that_appears_comes_from_nowhere() -> None:
    assert render_diff(Change(FILE, None, b"a\n"))[:2] == [
        "--- /dev/null",
        "+++ /cfg/settings.json",
    ]


def test_file_that_goes_leads_nowhere() -> None:
    assert render_diff(Change(FILE, b"a\n", None))[:2] == [
        "--- /cfg/settings.json",
        "+++ /dev/null",
    ]


def test_file_that_stays_has_no_diff() -> None:
    assert render_diff(Change(FILE, b"a", b"a")) == []


def test_missing_last_newline_is_said() -> None:
    assert render_diff(Change(FILE, b"a", b"a\n"))[3:] == ["-a (no newline at the end)", "+a"]


def test_colour_marks_what_a_sign_marks_already() -> None:
    lines = render_diff(Change(FILE, b"a\nb\n", b"a\nc\n"), colour=True)
    assert lines[2:] == [
        "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m",
        " a",
        "\x1b[31m-b\x1b[0m",
        "\x1b[32m+c\x1b[0m",
    ]


def test_control_characters_of_a_file_are_shown_and_not_sent() -> None:
    (line,) = render_diff(Change(FILE, b"", "a\x9b2J\té\r\n".encode()))[3:]
    assert line == "+a\\x9b2J\té"
