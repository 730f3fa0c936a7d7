"""This machine's own file: pins, renderers, journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.document import parse_document
from flightdeck.config.local import compile_local, load_local
from flightdeck.errors import ConfigError
from flightdeck.model.layout import AppTarget, UrlTarget
from flightdeck.model.local import Journal, Local, Pin
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


def local(text: str) -> Local:
    return compile_local(parse_document(text, "local.yaml"))


def told(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        local(text)
    return [f"{p.location.line}:{p.location.column} {p.message}" for p in caught.value.problems]


def test_missing_file_says_nothing(tmp_path: Path) -> None:
    assert load_local(StateFolder(tmp_path)) == Local()


def test_link_that_leads_nowhere_is_told_and_not_taken_for_no_file(tmp_path: Path) -> None:
    (tmp_path / "local.yaml").symlink_to("nowhere.yaml")
    with pytest.raises(ConfigError) as caught:
        load_local(StateFolder(tmp_path))
    assert [problem.message for problem in caught.value.problems] == ["does not exist"]


def test_file_in_the_state_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "local.yaml").write_text("journal: off\n", encoding="utf-8")
    assert load_local(StateFolder(tmp_path)).journal is None


@pytest.mark.parametrize("text", ["", "# later\n"])
def test_empty_file_says_nothing(text: str) -> None:
    assert local(text) == Local()


def test_pin_is_a_slot_and_what_it_is_given_to() -> None:
    text = "pins:\n  7: app Obsidian\n  6:\n    bind: url https://a.org\n    label: Graphs\n"
    assert local(text).pins == {
        7: Pin(AppTarget("Obsidian"), "Obsidian"),
        6: Pin(UrlTarget("https://a.org"), "Graphs"),
    }


def test_renderers_are_whole_paths() -> None:
    assert local("renderers:\n  - /usr/bin/a\n  - /b c\n").renderers == ("/usr/bin/a", "/b c")


@pytest.mark.parametrize(
    ("text", "journal"),
    [
        ("journal: off\n", None),
        ("journal:\n  size: 2 MB\n", Journal(2_000_000, 3)),
        ("journal:\n  keep: 5 files\n", Journal(1_000_000, 5)),
    ],
)
def test_journal_is_off_or_sized(text: str, journal: Journal | None) -> None:
    assert local(text).journal == journal


def test_everything_wrong_is_told_at_once() -> None:
    text = (
        "pins:\n  x: app A\n  7: Obsidian\n  07: app B\n  5:\n    label: C\n"
        "renderers:\n  - lamp\n  -\n"
        "journal:\n  size: 5\n  keep: 100 files\n"
        "pin: 3\n"
    )
    assert told(text) == [
        "2:3 'x' is no slot",
        "3:6 'Obsidian' is neither an app nor a URL",
        "4:3 slot 7 is pinned twice",
        "5:3 '5' has no 'bind'",
        "8:5 renderer 'lamp' is no absolute path",
        "9:3 'renderers' is empty",
        "11:9 'size' has no unit",
        "12:9 'keep' of 100 files is out of range",
        "13:1 unknown key 'pin'",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("journal: on\n", "1:10 journal 'on'"),
        ("journal:\n", "1:9 'journal' is empty"),
        ("- a\n", "1:1 a file that is no mapping"),
    ],
)
def test_what_is_no_setting_is_told(text: str, expected: str) -> None:
    assert told(text) == [expected]
