"""Applications and URLs are opened, and terminals known by name raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.hosts.app import App, open_target
from flightdeck.model.layout import AppTarget, UrlTarget
from flightdeck.model.place import Place
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from flightdeck.model.layout import Target

    Program = Callable[..., Path]


class Started:
    """Notes what would be started."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, argv: Sequence[str]) -> None:
        """Note it."""
        self.calls.append(list(argv))


@pytest.fixture
def started() -> Started:
    """What was started and not waited for."""
    return Started()


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of desktop entries."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "share"))
    folder = tmp_path / "share" / "applications"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("target", "argv"),
    [
        (AppTarget("Visual Studio Code"), "[-a][Visual Studio Code]"),
        (UrlTarget("https://example.org/a?b=$(c)&d"), "[https://example.org/a?b=$(c)&d]"),
        (UrlTarget("obsidian://open"), "[obsidian://open]"),
    ],
)
def test_macos_opens_names_and_urls_word_for_word(
    program: Program, started: Started, target: Target, argv: str
) -> None:
    opened = program("open")
    open_target(target, run, started, "darwin")
    assert opened.read_text(encoding="utf-8") == f"{argv}\n"


@pytest.mark.parametrize("target", [AppTarget("Nowhere"), UrlTarget("nowhere:x")])
def test_what_macos_cannot_open_is_told(program: Program, started: Started, target: Target) -> None:
    program("open", complains="Unable to find application", code=1)
    with pytest.raises(Unavailable, match=r"cannot open '(Nowhere|nowhere:x)'"):
        open_target(target, run, started, "darwin")


@pytest.mark.parametrize("platform", ["darwin", "linux"])
@pytest.mark.parametrize(
    "target",
    [
        AppTarget("-n"),
        AppTarget(""),
        AppTarget("a\x00b"),
        UrlTarget("-a"),
        UrlTarget("example.org"),
        UrlTarget("https://a b"),
        UrlTarget("https://a\n"),
    ],
)
def test_word_that_is_no_name_or_url_is_refused(
    program: Program, started: Started, target: Target, platform: str
) -> None:
    opened = program("open")
    with pytest.raises(Refused, match="is not"):
        open_target(target, run, started, platform)
    assert not opened.exists()
    assert started.calls == []


def test_linux_opens_a_url_by_xdg_open(program: Program, started: Started) -> None:
    log = program("xdg-open")
    open_target(UrlTarget("https://example.org"), run, started, "linux")
    assert started.calls == [[str(log.parent / "bin" / "xdg-open"), "https://example.org"]]


def test_linux_without_xdg_open_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="nothing here opens a URL") as no:
        open_target(UrlTarget("https://example.org"), run, started, "linux")
    assert no.value.hint == "install xdg-utils"


def test_linux_launches_a_desktop_entry_by_its_name(
    program: Program, started: Started, entries: Path
) -> None:
    log = program("gtk-launch")
    (entries / "org.gnome.Maps.desktop").touch()
    open_target(AppTarget("org.gnome.Maps"), run, started, "linux")
    assert started.calls == [[str(log.parent / "bin" / "gtk-launch"), "org.gnome.Maps"]]


def test_linux_starts_a_program_where_no_desktop_entry_is(
    program: Program, started: Started, entries: Path
) -> None:
    program("gtk-launch")
    log = program("obsidian")
    open_target(AppTarget("obsidian"), run, started, "linux")
    assert started.calls == [[str(log.parent / "bin" / "obsidian")]]


@pytest.mark.usefixtures("entries")
def test_linux_says_so_where_nothing_has_the_name(started: Started) -> None:
    with pytest.raises(Unavailable, match="no application called 'Nowhere'"):
        open_target(AppTarget("Nowhere"), run, started, "linux")


@pytest.mark.parametrize(
    ("program_name", "application"),
    [("Apple_Terminal", "Terminal"), ("ghostty", "Ghostty"), ("Hyper", "Hyper")],
)
def test_terminal_is_raised_by_the_name_macos_knows(
    program: Program, program_name: str, application: str
) -> None:
    opened = program("open")
    App(run, "darwin").focus(Place("app", program=program_name))
    assert opened.read_text(encoding="utf-8") == f"[-a][{application}]\n"


def test_terminal_without_a_name_is_unknown() -> None:
    with pytest.raises(Unavailable, match="unknown"):
        App(run, "darwin").focus(Place("app"))


def test_terminal_cannot_be_raised_outside_macos() -> None:
    with pytest.raises(Unavailable, match="cannot raise 'ghostty' here") as no:
        App(run, "linux").focus(Place("app", program="ghostty"))
    assert "tmux" in no.value.hint
