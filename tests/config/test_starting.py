"""A layout to start from works as it is printed, and so does what it suggests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.resolving import resolved
from flightdeck.config.starting import start_alone, start_extending, with_example
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import UrlTarget
from flightdeck.store.paths import StateFolder
from tests.config.panels import shipped_verbs

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.config.nodes import Document
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.layout import Layout


def read(text: str, folder: Path) -> tuple[Layout, Document]:
    path = folder / "mine.yaml"
    document = resolved(path, parse_document(text, "mine.yaml"), StateFolder(folder))
    return compile_layout("mine", document, shipped_verbs()), document


def tried(text: str) -> str:
    """Return the text with what it suggests taken out of its comments."""
    head, line, rest = text.partition("take the `# ` off:\n")
    return head + line + re.sub("^# ?", "", rest, flags=re.MULTILINE)


def opened(layout: Layout) -> list[str]:
    return [
        str(key.position)
        for key in layout.keys
        if getattr(key.binding, "target", None) == UrlTarget("https://github.com/notifications")
    ]


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_start_works_on_every_deck_as_it_is_and_as_it_suggests(
    model: DeckModel, tmp_path: Path
) -> None:
    text = start_alone(model)
    assert read(text, tmp_path)[0].grid == model.grid
    assert read(tried(text), tmp_path)[0].timings.armed_ms == 5000


def test_key_to_try_is_a_free_one_of_a_row_of_the_parent(tmp_path: Path) -> None:
    text = start_extending("xl")
    text = with_example(text, *read(text, tmp_path))
    layout, _ = read(tried(text), tmp_path)
    assert (opened(layout), layout.timings.armed_ms) == (["4.7"], 5000)


def test_key_to_try_is_in_a_row_of_its_own_where_the_parent_has_none(tmp_path: Path) -> None:
    text = start_extending("row1", "stream-deck-neo")
    text = with_example(text, *read(text.replace("stream-deck-neo", "stream-deck-xl"), tmp_path))
    assert opened(read(tried(text).replace("neo", "xl"), tmp_path)[0]) == ["2.8"]


def below(folder: Path, rows: str) -> None:
    (folder / "layouts").mkdir()
    text = f"device: stream-deck-mini\nrows:\n{rows}"
    (folder / "layouts/below.yaml").write_text(text, encoding="utf-8")


def test_nothing_is_suggested_where_every_key_is_taken(tmp_path: Path) -> None:
    below(tmp_path, "  - fill: slot\n  - fill: slot\n")
    text = start_extending("below")
    assert with_example(text, *read(text, tmp_path)) == text


def test_row_without_a_name_cannot_be_suggested(tmp_path: Path) -> None:
    below(tmp_path, "  - name: 'a: b'\n  - long_press: teardown\n    fill: slot\n")
    text = start_extending("below")
    suggested = with_example(text, *read(text, tmp_path))
    assert "#   - name: 'a: b'" in suggested
    assert opened(read(tried(suggested), tmp_path)[0]) == ["1.3"]


def test_name_yaml_would_misread_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts/it's: a.yaml").write_text(start_extending("xl"), encoding="utf-8")
    text = start_extending("it's: a")
    assert "extends: 'it''s: a'" in text
    assert read(text, tmp_path)[0].device == "stream-deck-xl"
