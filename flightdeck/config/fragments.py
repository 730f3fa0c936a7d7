"""Fragments: the rules that come before the text of every prompt verb, or of some.

Each is a file of plain text beside the verbs, called `_common.md` or `_common-git.md`; one
in the state folder wins over the shipped one, file by file. One that is missing, empty or
broken keeps the prompts that need it from being used: nothing is sent without its rules.

Source: verbs/README.md, "Rules that come first".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.nodes import Span
from flightdeck.config.passage import MOST_BYTES, Passage
from flightdeck.config.reader import choices, quoted
from flightdeck.config.text import decoded, plain, shown
from flightdeck.errors import ConfigError, Location, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

FENCE = "---"
MARK = "_"

EVERY = "_common"
NAMES = (EVERY, "_common-git")


@dataclass(frozen=True, slots=True)
class Fragment:
    """One fragment as it is sent, or every reason why it cannot be."""

    text: str = ""
    problems: tuple[Problem, ...] = ()


# Every one of them, by name.
Fragments = Mapping[str, Fragment]


def load_fragments(*places: Path) -> Fragments:
    """Return every fragment from the first of the folders that has it, broken ones included."""
    return {name: _found(name, places) for name in NAMES}


def places_for(folder: StateFolder | None) -> tuple[Path, ...]:
    """Return the folders verbs and fragments are taken from, the one that wins first."""
    ours = shipped.folder("verbs")
    return (ours,) if folder is None else (folder.verbs, ours)


def fragment_files(place: Path) -> list[Path]:
    """Return the files of a folder that are meant as fragments, known names or not."""
    return sorted(place.glob(f"{MARK}*.md"))


def read_fragment(path: Path) -> str:
    """Return the text of a fragment as it is sent.

    Raises:
        ConfigError: every problem of the file, or nobody reads one of its name.
    """
    file = shown(path)
    if path.stem not in NAMES:
        raise ConfigError([_unread(path, file)])
    return parse_fragment(path.stem, decoded(path, file), file)


def parse_fragment(name: str, text: str, file: str) -> str:
    """Return what `text`, that of fragment `name`, says; `file` is what problems call it.

    Raises:
        ConfigError: every problem of the text.
    """
    passage = Passage(file, tuple(plain(text).split("\n")))
    problems = [*_faults(name, passage), *passage.unseen(), *passage.bad_tokens()]
    if problems:
        raise ConfigError(problems)
    return passage.filled()


def needed(common: str) -> tuple[str, ...]:
    """Return the names of the fragments of a prompt with these common rules, in their order."""
    return (EVERY, f"{EVERY}-{common}") if common else (EVERY,)


def _found(name: str, places: Iterable[Path]) -> Fragment:
    tried = [place / f"{name}.md" for place in places]
    for path in tried:
        if _is_there(path):
            try:
                return Fragment(read_fragment(path))
            except ConfigError as error:
                return Fragment(problems=error.problems)
    where = " and ".join(shown(path) for path in tried)
    told = (f"there is no fragment {quoted(name)}", f"looked for in {where}: put it in one of them")
    return Fragment(problems=(Problem(Location(shown(tried[0])), *told),))


def _is_there(path: Path) -> bool:
    """Say whether there is such a file, readable or not.

    A link to nowhere, or a folder that may not be looked into, is its owner's to mend: the
    shipped fragment never stands in for it.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _unread(path: Path, file: str) -> Problem:
    told = f"nobody reads a fragment called {quoted(path.name)}"
    return Problem(Location(file), told, choices(path.name, [f"{name}.md" for name in NAMES]))


def _faults(name: str, passage: Passage) -> Iterator[Problem]:
    size = len(passage.text.encode(errors="replace"))
    if not passage.text:
        told = f"the fragment {quoted(name)} is empty"
        yield passage.problem(Span(1, 1), told, "write its rules, or delete a file of your own")
    elif passage.text.split("\n", 1)[0].rstrip() == FENCE:
        told = "a frontmatter in a fragment"
        yield passage.problem(passage.first, told, f"delete it, the second `{FENCE}` included")
    elif size > MOST_BYTES:
        told = f"a fragment of {size} bytes, a whole prompt has {MOST_BYTES} at most"
        yield passage.problem(passage.first, told, "shorten it")
