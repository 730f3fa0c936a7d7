"""Globs: risk/README.md, "Operands and paths"."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.risk.globs import LONGEST, one_of, path_source, short, text_source


def fits(glob: str, text: str) -> bool:
    return re.fullmatch(text_source(glob), text, re.DOTALL) is not None


def fits_path(glob: str, text: str) -> bool:
    return re.fullmatch(path_source(glob), text, re.DOTALL) is not None


@pytest.mark.parametrize(
    ("glob", "text"),
    [
        ("+*", "+refs/heads/x"),
        ("a?c", "a/c"),
        (":?*", ":main"),
        ("[ab]x", "bx"),
        ("[!ab]x", "cx"),
        ("[a^]", "^"),
        ("[", "["),
        ("[z-a]", "-"),
        ("[a--]", "a"),
        ("[&&~~||]", "~"),
        ("[!]", "!"),
        ("[a-c]x", "bx"),
        ("[]a]", "[]a]"),
        ("a[", "a["),
        ("**x", "yx"),
        ("a*b*c", "a-b-b-c"),
        ("*.sql", "x\n.sql"),
    ],
)
def test_glob_fits_a_text(glob: str, text: str) -> None:
    assert fits(glob, text)


@pytest.mark.parametrize(
    ("glob", "text"),
    [(":?*", ":"), ("[!ab]x", "ax"), ("a.c", "abc"), ("a*b*c", "a-c-b"), ("", "x")],
)
def test_glob_does_not_fit_another_text(glob: str, text: str) -> None:
    assert not fits(glob, text)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("/etc/*", "/etc/hosts"),
        ("/etc/**", "/etc/cron.d/x"),
        ("**/.env", "/a/b/.env"),
        ("**/.env", ".env"),
        (".git/hooks/*", "/r/.git/hooks/x"),
        (".git/hooks/*", ".git/hooks/x"),
        ("~/.ssh/**", "~/.ssh/a/b"),
        ("**/a*/b", "/x/a1/c/a2/b"),
        ("/a/*/b/*.c", "/a/x/b/y.c"),
        ("/tmp/?**", "/tmp/x/y"),
        ("/*x*y/**/z", "/axby/c/z"),
        ("**", "anything/at/all"),
    ],
)
def test_glob_fits_a_path(glob: str, path: str) -> None:
    assert fits_path(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("/etc/*", "/etc/cron.d/x"),
        ("/etc/?", "/etc//"),
        ("hosts", "/etc/xhosts"),
        ("/tmp/?**", "/tmp/"),
        ("/a/*/b", "/a/x/y/b"),
        ("~/x", "/a/~/x"),
    ],
)
def test_glob_does_not_fit_another_path(glob: str, path: str) -> None:
    assert not fits_path(glob, path)


def test_class_without_globs_fits_nothing() -> None:
    assert one_of(()).fullmatch("") is None


def test_long_text_is_looked_at_from_both_ends() -> None:
    text = "a" * LONGEST + "b" * LONGEST
    assert short(text) == "a" * (LONGEST // 2) + "b" * (LONGEST // 2)
    assert short("ab") == "ab"


@given(st.text("*?[]!^-\\/a.", max_size=12), st.text(max_size=20))
def test_any_glob_can_be_asked_of_any_text(glob: str, text: str) -> None:
    fits(glob, text)
    fits_path(glob, text)


@settings(max_examples=300)
@given(st.text("*ab", max_size=8), st.text("ab", max_size=12))
def test_stars_find_what_trying_everything_finds(glob: str, text: str) -> None:
    everything = re.escape(glob).replace(r"\*", ".*")
    assert fits(glob, text) == bool(re.fullmatch(everything, text))


@settings(max_examples=500)
@given(st.text("*/ab", max_size=8), st.text("/ab", max_size=12))
def test_stars_of_paths_find_what_trying_everything_finds(glob: str, text: str) -> None:
    anchored = glob.startswith(("/", "**")) and not glob.startswith("**/")
    rest = re.sub(r"\*{3,}", "**", glob.removeprefix("**/"))
    everything = re.escape(rest).replace(r"\*\*", ".\0").replace(r"\*", "[^/]*")
    lead = "" if anchored else "(?:.*/)?"
    expected = re.fullmatch(lead + everything.replace(".\0", ".*"), text)
    assert fits_path(glob, text) == bool(expected)


def test_many_stars_take_no_time_on_a_text_made_for_them() -> None:
    assert not fits("*a*a*a*a*a*b", "a" * LONGEST)  # trying everything would take years
