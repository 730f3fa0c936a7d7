"""Classes of paths: risk/README.md, "Operands and paths"."""

from __future__ import annotations

import pytest

from flightdeck.risk.globs import LONGEST
from flightdeck.risk.places import Places

TARGETS = {
    "secret": ("~/.ssh/**", "**/.env"),
    "system": ("/etc/**",),
    "scratch": ("/tmp/?**",),
    "hooks": (".git/hooks/*",),
}


def found(name: str, text: str, cwd: str = "", home: str = "/home/ada") -> bool:
    places = Places(TARGETS, home)
    return places.perhaps((name,), places.hits(text, cwd))


def surely(name: str, text: str, home: str = "/home/ada") -> bool:
    return Places(TARGETS, home).surely(name, text)


@pytest.mark.parametrize(
    "text",
    [
        "~/.ssh/id",
        "$HOME/.ssh/id",
        "${HOME}/.ssh/id",
        "~ada/.ssh/id",
        "/home/ada/.ssh/id",
        "/home/bob/.ssh/id",
        "/Users/bob/.ssh/id",
        "/root/.ssh/id",
        "/tmp/../home/ada/.ssh/./id",
        "/home/ada//.ssh/id",
        "file:///home/ada/.ssh/id",
        r"C:\Users\Ada\.ssh\id",
        r"$env:USERPROFILE\.ssh\id",
        "~/.SSH/id",
    ],
)
def test_file_in_a_home_is_found_however_it_is_written(text: str) -> None:
    assert found("secret", text)


def test_home_elsewhere_is_found_by_its_own_name() -> None:
    assert found("secret", "/srv/people/ada/.ssh/id", home="/srv/people/ada/")
    assert not found("secret", "/srv/people/ada/.ssh/id")
    assert not found("secret", "/.ssh/id", home="/")
    assert not found("secret", "relative/.ssh/id", home="relative")


@pytest.mark.parametrize(
    ("text", "cwd"),
    [("../etc/hosts", "/srv"), ("hosts", "/etc"), ("../../../etc/hosts", ""), ("./../etc/x", "")],
)
def test_relative_path_is_seen_from_the_folder_and_from_far_up(text: str, cwd: str) -> None:
    assert found("system", text, cwd)


@pytest.mark.parametrize("text", ["", "etc/hosts", "$X/etc/hosts", "~/etc/hosts", "x" * 5_000])
def test_path_elsewhere_is_not_found(text: str) -> None:
    assert not found("system", text, "/srv/app")


def test_path_stretched_with_dots_is_found() -> None:
    assert found("system", "/etc/" + "./" * 1_000 + "hosts")
    assert not found("system", "/etc/" + "x/" * 1_000 + "hosts")


def test_folder_of_any_repository_is_found() -> None:
    assert found("hooks", ".git/hooks/pre-commit", "/srv/app")
    assert found("hooks", "/srv/app/.git/hooks/pre-commit")
    assert not found("hooks", "/srv/app/.git/config")


@pytest.mark.parametrize("text", ["/tmp/x", "/tmp/../tmp/x", "//tmp/x"])
def test_path_is_proven_by_its_text(text: str) -> None:
    assert surely("scratch", text)


@pytest.mark.parametrize(
    "text",
    ["/tmp", "/tmp/..", "/tmp/../etc", "x", "../tmp/x", "/TMP/x", "", "/tmp/" + "x" * LONGEST],
)
def test_path_that_may_lie_elsewhere_is_not_proven(text: str) -> None:
    assert not surely("scratch", text)


def test_address_stays_as_it_is_written() -> None:
    assert Places(TARGETS, "").proven("https://a.example/b") == "https://a.example/b"
    assert not surely("scratch", "/tmp/x://../../etc")


def test_class_nobody_named_holds_nothing() -> None:
    assert not found("none", "/etc/hosts")
    assert not surely("none", "/etc/hosts")
