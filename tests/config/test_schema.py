"""The schemas for editors: what they are called, and that they speak as the pages do."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft7Validator

from flightdeck import shipped
from flightdeck.config.meanings import MEANINGS
from flightdeck.config.schema import KINDS, editor_line, is_ours, schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# Where the keys of a mapping are explained.
PAGES = dict.fromkeys(("risk", "rule", "program", "wrapper"), "risk") | {"verb": "verbs"}


def page_of(key: str) -> str:
    folder = PAGES.get(key.partition(".")[0], "layouts")
    return (shipped.folder(folder) / "README.md").read_text(encoding="utf-8")


def descriptions(schema: object) -> Iterator[str]:
    """Yield what a schema says of keys."""
    if isinstance(schema, dict):
        told = schema.get("description")
        yield from [told] if isinstance(told, str) else []
        for one in schema.values():
            yield from descriptions(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from descriptions(one)


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_one_of_draft_7(kind: str) -> None:
    Draft7Validator.check_schema(schema_of(kind))


@pytest.mark.parametrize("key", MEANINGS)
def test_editor_explains_a_key_in_the_words_of_its_page(key: str) -> None:
    name, meaning = key.rsplit(".", 1)[-1], re.escape(MEANINGS[key])
    in_table = rf"^\|.*`{name}\b.*\| {meaning}"
    in_sample = rf"^ *{name}:.*# {meaning}"
    assert re.search(f"{in_table}|{in_sample}", page_of(key), re.MULTILINE)


def test_every_meaning_is_shown_in_a_schema() -> None:
    told = {text for kind in KINDS for text in descriptions(schema_of(kind))}
    assert told == set(MEANINGS.values())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"title": "mine"}', "[" * 5000])
def test_file_of_somebody_elses_is_not_taken_for_a_schema_of_ours(text: str) -> None:
    assert not is_ours(text, "layout")


@pytest.mark.parametrize("kind", KINDS)
def test_schema_of_ours_is_known_again_and_for_no_other_kind(kind: str) -> None:
    text = json.dumps(schema_of(kind))
    assert [one for one in KINDS if is_ours(text, one)] == [kind]


def test_line_for_an_editor_names_the_schema_beside_the_file() -> None:
    assert editor_line("risk") == "# yaml-language-server: $schema=./risk.schema.json"
