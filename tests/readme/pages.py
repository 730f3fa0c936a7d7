"""The READMEs as the tests read them: their blocks, headings, links and pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FRONT = ROOT / "README.md"
FOLDERS = ("layouts", "verbs", "risk", "templates", "templates/hooks")
PAGES = (FRONT, *(ROOT / folder / "README.md" for folder in FOLDERS))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: in which page, under which heading, of which kind."""

    page: Path
    heading: str
    kind: str
    text: str

    @property
    def folder(self) -> str:
        """Return the folder of its page, from the top of the repository."""
        return self.page.parent.relative_to(ROOT).as_posix()

    def __str__(self) -> str:
        first = self.text.strip().splitlines()[0].strip()
        return f"{self.folder}, {self.heading}: {first[:30]}"


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page, and whether it is a picture."""

    page: Path
    target: str
    picture: bool

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.target}"


def text_of(page: Path) -> str:
    """Return a page as it stands."""
    return page.read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    """Return a page without its blocks."""
    return _FENCE.sub("", text_of(page))


def blocks(kind: str | None = None) -> list[Block]:
    """Return the blocks of all pages, or those of one kind."""
    found = [
        Block(page, _heading_before(page, match.start()), match[1], match[2])
        for page in PAGES
        for match in _FENCE.finditer(text_of(page))
    ]
    return [block for block in found if kind in {None, block.kind}]


def headings(page: Path) -> list[str]:
    """Return the headings of a page, in their order."""
    return re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)


def anchors(page: Path) -> list[str]:
    """Return what a forge calls the headings of a page in its links."""
    told = []
    for heading in headings(page):
        kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        told.append(kept.strip().replace(" ", "-"))
    return told


def links() -> list[Link]:
    """Return every link of every page."""
    return [
        Link(page, target, bool(mark))
        for page in PAGES
        for mark, target in _LINK.findall(_CODE.sub("", prose_of(page)))
    ]


def section(page: Path, heading: str) -> str:
    """Return what stands under a heading, up to the next one of any depth."""
    found = re.search(
        rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", prose_of(page), re.MULTILINE | re.DOTALL
    )
    assert found, f"no section {heading!r} in {page}"
    return str(found[1])


def rows(page: Path, heading: str) -> list[list[str]]:
    """Return the rows of the tables under a heading, their cells stripped."""
    lines = [line for line in section(page, heading).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def _heading_before(page: Path, position: int) -> str:
    before = _FENCE.sub("", text_of(page)[:position])
    return str(re.findall(r"^#+ (.+)$", before, re.MULTILINE)[-1])
