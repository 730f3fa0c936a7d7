"""Bytes of a file to text: what editors leave behind, and what nobody can see."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flightdeck.config.text import MAX_BYTES, checked, decoded, plain, read_text, shown
from flightdeck.errors import ConfigError


def fault(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read_text(path, "panel.yaml")
    (problem,) = caught.value.problems
    assert problem.hint
    return f"{problem.location}: {problem.message}"


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        checked(text, "panel.yaml")
    return [f"{p.location}: {p.message}" for p in caught.value.problems]


def test_byte_order_mark_and_windows_line_ends_are_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "panel.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3\n")
    assert read_text(path, "panel.yaml") == "a: 1\nb: 2\nc: 3\n"


def test_missing_file_is_named(tmp_path: Path) -> None:
    assert fault(tmp_path / "panel.yaml") == "panel.yaml: does not exist"


def test_folder_is_no_file(tmp_path: Path) -> None:
    assert fault(tmp_path) == "panel.yaml: is a folder, not a file"


def test_pipe_nobody_writes_into_is_refused_unread(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "panel.yaml")
    assert fault(tmp_path / "panel.yaml") == "panel.yaml: is a pipe, not a file"


def test_pipe_given_as_a_device_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"a: 1\n")
    os.close(writing)
    assert read_text(Path(f"/dev/fd/{reading}"), "panel.yaml") == "a: 1\n"
    os.close(reading)


def test_other_trouble_with_the_file_is_the_systems_word(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    assert fault(loop).startswith("panel.yaml: cannot be read: ")


def test_name_no_file_can_have_is_told(tmp_path: Path) -> None:
    assert fault(tmp_path / "a\0b").startswith("panel.yaml: cannot be read: ")


def test_file_of_unlikely_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "panel.yaml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert fault(path) == "panel.yaml: is larger than 256 KiB"


def test_byte_that_is_not_utf8_has_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "panel.yaml"
    path.write_bytes("a: é\nbé: ".encode() + b"\xff\n")
    assert fault(path) == "panel.yaml:2:5: byte 0xff is not UTF-8"


def test_every_tab_in_the_indentation_is_told() -> None:
    assert faults("a:\n\t- b\n  \t- c\n") == [
        "panel.yaml:2:1: a tab where only spaces may stand",
        "panel.yaml:3:3: a tab where only spaces may stand",
    ]


def test_tab_behind_text_is_left_to_yaml() -> None:
    assert checked("a: 1 # b\tc\n", "panel.yaml") == "a: 1 # b\tc\n"


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\0", "NUL"),
        ("\x1b", "U+001B"),
        ("\x85", "U+0085"),
        ("\u2028", "U+2028"),
        ("\u202e", "U+202E"),
        ("\ufeff", "U+FEFF"),
        ("\uffff", "U+FFFF"),
    ],
)
def test_invisible_character_is_told_by_name(character: str, name: str) -> None:
    assert faults(f"a: x{character}y") == [f"panel.yaml:1:5: an invisible character, {name}"]


def test_text_of_any_language_is_fine() -> None:
    assert checked("a: Größe 表 \U0001f6a6\n", "panel.yaml") == "a: Größe 表 \U0001f6a6\n"


def test_printable_oddities_are_fine() -> None:
    assert checked("a: b\u00a0c\n", "panel.yaml") == "a: b\u00a0c\n"


def test_decoded_text_may_hold_what_a_layout_may_not(tmp_path: Path) -> None:
    path = tmp_path / "verb.md"
    path.write_bytes(b"\xef\xbb\xbf\ta\r\n")
    assert decoded(path, "verb.md") == "\ufeff\ta\r\n"
    assert plain(decoded(path, "verb.md")) == "\ta\n"


def test_file_below_the_current_folder_is_called_by_its_short_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "layouts" / "a.yaml") == "layouts/a.yaml"
    assert shown(tmp_path.parent / "a.yaml") == str(tmp_path.parent / "a.yaml")
