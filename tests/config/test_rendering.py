"""A resolved layout as one file: it loads to the same panel, and says where each value is from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flightdeck import shipped
from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.layouts import resolve_layout
from flightdeck.config.rendering import in_order, origins_of, render_yaml, to_plain
from flightdeck.config.resolving import resolved
from flightdeck.store.paths import StateFolder
from tests.config.layers import layered
from tests.config.panels import shipped_verbs
from tests.config.written import LAYOUTS, Tree, write

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.config.nodes import Document

WHERE = shipped.folder("layouts") / "mine.yaml"
TOP = """\
extends: ./below.yaml
labels:
  line: 9 characters
  short:
    'a: b': 'it''s'
    "c\\nd": x
rows:
  - name: fleet
    keys:
      2:
        bind: open app 'X'
"""
BELOW = "device: stream-deck-mini\nrows:\n  - name: fleet\n    fill: slot\n"


@pytest.fixture
def document(tmp_path: Path) -> Document:
    layered(tmp_path, TOP, below=BELOW)
    return resolve_layout(tmp_path / "layouts/top.yaml", StateFolder(tmp_path))


def read(text: str) -> Document:
    return resolved(WHERE, parse_document(text, "mine.yaml"), None)


@given(LAYOUTS)
@settings(max_examples=12)
def test_what_is_shown_loads_again_to_the_same_layout(tree: Tree) -> None:
    whole = read(write(tree))
    layout = compile_layout("mine", whole, shipped_verbs())
    for origins in (True, False):
        again = read("\n".join(render_yaml(whole, origins=origins)) + "\n")
        assert compile_layout("mine", again, shipped_verbs()) == layout


def test_what_needed_quotes_has_them_again(document: Document) -> None:
    lines = render_yaml(document, origins=False)
    assert "    'a: b': 'it''s'" in lines
    assert '    "c\\nd": x' in lines
    assert "        bind: open app 'X'" in lines


def test_every_value_says_the_file_and_the_line_it_was_written_in(document: Document) -> None:
    lines = render_yaml(document, origins=True)
    said = {
        line.split(":")[0].strip(): line.rsplit("  # ", 1)[-1] for line in lines if "  # " in line
    }
    assert (said["device"], said["line"], said["- name"], said["fill"], said["bind"]) == (
        "below.yaml:1",
        "top.yaml:3",
        "top.yaml:8",
        "below.yaml:4",
        "top.yaml:11",
    )


def test_files_are_named_first_the_nearest_on_top(document: Document) -> None:
    below = document.parents[0].file
    lines = render_yaml(document, origins=True)
    assert lines[:2] == [f"# top.yaml is {document.file}", f"# below.yaml is {below}"]
    assert lines[2].startswith("# xl.yaml is ")


def test_files_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "xl.yaml").write_text("extends: xl\n", encoding="utf-8")
    document = resolve_layout(tmp_path / "xl.yaml", None)
    own, parent = document.file, document.parents[0].file
    lines = render_yaml(document, origins=True)
    assert lines[:2] == [f"# {own}", f"# {parent}"]
    assert f"# {parent}:7" in lines[3]


def test_path_nobody_could_print_stays_a_comment(document: Document) -> None:
    odd = replace(document, file="a\nb.yaml")
    assert render_yaml(odd, origins=True)[0] == "# a\ufffdb.yaml"


def test_places_stand_in_one_column_and_long_values_push_only_their_own(
    document: Document,
) -> None:
    lines = render_yaml(document, origins=True)
    columns = [line.index("  # ") for line in lines if "  # " in line]
    assert len({column for column in columns if column <= 56}) == 1


def test_sections_come_in_the_order_of_the_language_page(document: Document) -> None:
    assert list(to_plain(in_order(document)))[:2] == ["device", "timings"]
    assert list(to_plain(in_order(document)))[-1] == "rows"


def test_origins_are_named_by_json_pointers(document: Document) -> None:
    origins = origins_of(document)
    assert origins["/rows/0/keys/2/bind"] == {"file": document.file, "line": 11, "column": 15}
    assert origins["/labels/short/a: b"]["line"] == 5
    assert "/glyphs/question/1/circle" in origins


def test_slash_and_tilde_in_a_key_are_escaped_in_its_pointer() -> None:
    text = BELOW + "labels:\n  line: 9 characters\n  short:\n    a/b~c: x\n"
    assert "/labels/short/a~1b~0c" in origins_of(read(text))
