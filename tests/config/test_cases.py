"""What other projects' users ran into with files like these, as inputs of our own.

Each name says the rule; the comment names the public report it comes from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.layouts import load_layout, load_layout_or_shipped
from flightdeck.config.report import render_text
from flightdeck.errors import ConfigError
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder
from tests.config.panels import SMALLEST

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.model.layout import Layout


@pytest.fixture
def panel(tmp_path: Path) -> Path:
    return tmp_path / "panel.yaml"


def loaded(path: Path, raw: str) -> Layout:
    path.write_bytes(raw.encode())
    return load_layout(path, Local())


def report(path: Path, raw: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(path, raw)
    return render_text(caught.value.problems)


def test_comment_before_a_value_is_answered_with_where_to_put_it(panel: Path) -> None:
    # LY-03, crdoconnor/strictyaml#198: the library raises NotImplementedError.
    text = report(panel, "device: # on the desk\n   stream-deck-xl\n\nrows:\n  - fill: slot\n")
    assert f"{panel}:1:9: " in text
    assert "move the comment to a line of its own" in text


@pytest.mark.parametrize("raw", ["", "# nothing yet\n", "\ufeff\r\n"])
def test_start_with_an_empty_file_shows_the_default_and_names_the_file(
    panel: Path, raw: str
) -> None:
    # LY-04, crdoconnor/strictyaml#33 and #50.
    panel.write_bytes(raw.encode())
    layout, (warning,) = load_layout_or_shipped(str(panel), StateFolder(panel.parent), Local())
    assert layout.name == "xl"
    assert warning.location.file == str(panel)


def test_reload_of_an_empty_file_raises_and_leaves_the_layout_in_force(panel: Path) -> None:
    # LY-04: an editor often truncates before it writes.
    assert "the layout is empty" in report(panel, "")


def test_tab_is_named_with_its_line(panel: Path) -> None:
    # LY-05, adobe/helix-shared#13.
    text = report(panel, "device: stream-deck-xl\nrows:\n\t- fill: slot\n")
    assert f"{panel}:3:1: a tab" in text


def test_flow_style_is_answered_with_the_block_form(panel: Path) -> None:
    # LY-10, crdoconnor/strictyaml#38 and #66.
    text = report(panel, "device: stream-deck-xl\nrows: [{name: a, fill: slot}]\n")
    assert ":2:7: flow style" in text
    assert "    - name: a\n      fill: slot" in text


def test_file_from_a_windows_editor_loads_the_same(panel: Path) -> None:
    # LY-11, DietrichGebert/ponytail#151.
    windows = "\ufeff" + SMALLEST.replace("\n", "\r\n")
    assert loaded(panel, windows) == loaded(panel, SMALLEST)


def test_second_document_is_refused(panel: Path) -> None:
    # LY-11.
    assert ":4:1: a second document" in report(panel, SMALLEST + "---\n" + SMALLEST)
