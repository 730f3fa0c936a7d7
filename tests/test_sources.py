"""A module's docstring names the source of its rule: a place a reader can go to."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "flightdeck").rglob("*.py"))
_NAMED = re.compile(r'((?:[a-z]+/)*README\.md), ((?:"[^"]+"(?:, | and )?)+)')


def source_of(module: Path) -> str:
    """Return what the module's docstring gives as its source, on one line."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("Source:")[2].split())


def headings(readme: str) -> set[str]:
    """Return the headings of a README of this repository."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return {line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_section_a_module_is_built_after_exists(module: Path) -> None:
    for readme, named in _NAMED.findall(source_of(module)):
        assert set(re.findall(r'"([^"]+)"', named)) <= headings(readme)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_source_of_a_module_is_not_a_document_its_reader_does_not_have(module: Path) -> None:
    assert not re.search(r"\bdesign \d|\bcases? [A-Z]{2}-\d", source_of(module))
