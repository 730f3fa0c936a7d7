"""What holds for every README: its links lead somewhere, its pictures are drawn, none is stale."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.readme import pages
from tests.readme.pages import FRONT, PAGES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("sh", "yaml", "yml", "text", "markdown", "python", "jinja")
LINKS = [link for link in pages.links() if not urlsplit(link.target).scheme]


def test_every_readme_of_the_repository_is_looked_at() -> None:
    there = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("*/**/README.md")
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
        and "site-packages" not in path.parts
    }
    assert there == {page.relative_to(ROOT).as_posix() for page in PAGES[1:]}


@pytest.mark.parametrize("block", pages.blocks(), ids=str)
def test_block_is_of_a_kind_that_is_run_or_read(block: pages.Block) -> None:
    assert block.kind in KINDS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_no_fence_is_left_open(page: Path) -> None:
    assert "```" not in pages.prose_of(page)


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_link_leads_to_a_file_and_a_heading(link: pages.Link) -> None:
    path, _, anchor = link.target.partition("#")
    target = (link.page.parent / path).resolve() if path else link.page
    assert target.is_file()
    assert not anchor or anchor in pages.anchors(target)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_no_two_headings_of_a_page_are_reached_by_one_name(page: Path) -> None:
    assert max(Counter(pages.anchors(page)).values()) == 1


@pytest.mark.parametrize("link", [link for link in LINKS if link.picture], ids=str)
def test_picture_is_one_the_tests_draw(link: pages.Link) -> None:
    assert link.target.startswith("tests/golden/")


def test_first_thing_after_the_first_sentence_is_the_picture() -> None:
    title, sentence, picture, *_ = pages.text_of(FRONT).split("\n\n")
    assert (title, sentence.count("."), picture[:2]) == ("# flightdeck", 1, "![")


def test_table_of_what_to_read_leads_to_every_section() -> None:
    start = pages.text_of(FRONT).index("**What to read next**")
    told = pages.text_of(FRONT)[start:].split("\n\n")[1]
    sections = re.findall(r"^## (.+)$", pages.prose_of(FRONT), re.MULTILINE)
    by_name = dict(zip(pages.headings(FRONT), pages.anchors(FRONT), strict=True))
    missing = {name for name in sections if f"(#{by_name[name]})" not in told}
    assert missing == {"Try it", "Your own agents"}


def test_placeholder_stands_only_where_it_is_explained() -> None:
    _, *after = pages.text_of(FRONT).split("### In CI, and before a commit\n")
    explained, *rest = after[0].split("\n### ")
    assert "`OWNER` here and below is a placeholder" in explained
    elsewhere = [pages.text_of(page) for page in PAGES[1:]]
    assert "OWNER" not in "".join([pages.text_of(FRONT).split("### In CI")[0], *rest, *elsewhere])
