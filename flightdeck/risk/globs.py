"""Globs as regular expressions that take no longer than the text they are asked of is long.

A `*` between two others commits to the first place where what follows it fits: trying
the later ones too would find nothing more, and take time that grows with every star.

Source: risk/README.md, "Operands and paths"; POSIX.1-2024, "Pattern Matching Notation".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer than any path or option somebody works with.
LONGEST = 1_000

_PIECE = re.compile(r"\*\*|\*|\?|\[!?[^\]]+\]|[^*?\[]+|\[", re.DOTALL)
_RANGE = re.compile(r"((.)-(.)|.)", re.DOTALL)
_WILD = re.compile(r"[*?]|\[!?[^\]]+\]")
_STARS, _MORE_STARS = re.compile(r"\*+"), re.compile(r"\*{3,}")
_ANYTHING, _WITHIN = ".*", "[^/]*"


def is_glob(text: str) -> bool:
    """Return whether a text has a wildcard in it."""
    return _WILD.search(text) is not None


def text_source(glob: str) -> str:
    """Return an expression for a glob in which a wildcard stands for anything."""
    return _joined(_PIECE.findall(_STARS.sub("*", glob)), {"*": _ANYTHING, "?": "."})


def path_source(glob: str) -> str:
    """Return an expression for a glob over paths, where only `**` goes past a slash.

    A glob that begins with neither `/`, `~` nor `**` fits below any folder.
    """
    return paths_source((glob,))


def paths_source(globs: Iterable[str]) -> str:
    """Return an expression for any of some globs over paths; of none, for nothing."""
    anchored: list[str] = []
    below: list[str] = []
    for glob in globs:
        fixed = glob.startswith(("/", "~", "**")) and not glob.startswith("**/")
        pieces = _PIECE.findall(_MORE_STARS.sub("**", glob.removeprefix("**/")))
        wild = {"*": _WITHIN, "**": _ANYTHING, "?": "[^/]"}
        (anchored if fixed else below).append(_joined(pieces, wild))
    # One search for a folder, however many globs begin below any: it is what takes time.
    found = [*anchored, *([f"(?:.*/)?(?:{'|'.join(below)})"] if below else [])]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


def one_of(sources: Iterable[str], flags: re.RegexFlag = re.DOTALL) -> re.Pattern[str]:
    """Return a pattern for any of some expressions; none fits nothing."""
    return re.compile("|".join(f"(?:{source})" for source in sources) or r"(?!)", flags)


def short(text: str) -> str:
    """Return a text without its middle if it is longer than globs are asked of."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else text[:half] + text[-half:]


def _joined(pieces: list[str], wild: dict[str, str]) -> str:
    told = [(wild.get(piece, ""), piece) for piece in pieces]
    stars = [at for at, (star, _) in enumerate(told) if star.endswith("*")]
    parts: list[str] = []
    done = 0
    ends = [*stars[1:], len(told)] if stars else []
    for at, following in zip(stars, ends, strict=True):
        parts += [_exactly(*one) for one in told[done:at]]
        star = told[at][0]
        rest = [_exactly(*one) for one in told[at + 1 : following]]
        again = following < len(told) and told[following][0] == star
        within = star == _WITHIN and any("/" in piece for _, piece in told[at + 1 : following])
        if again and not within:
            parts.append(f"(?>{star}?{''.join(rest)})")
        else:
            parts += [star, *rest]
        done = following
    return "".join([*parts, *(_exactly(*one) for one in told[done:])])


def _exactly(wild: str, piece: str) -> str:
    """Return the expression of a piece that is no star."""
    if wild:
        return wild
    return _one_of_set(piece[1:-1]) if piece[0] == "[" and len(piece) > 1 else re.escape(piece)


def _one_of_set(inside: str) -> str:
    """Return the expression for `[…]`, written so that nothing in it means more than itself."""
    negated = inside[0] == "!" and len(inside) > 1
    ranges = _RANGE.findall(inside[1:] if negated else inside)
    told = (
        f"{re.escape(low)}-{re.escape(high)}" if high and low <= high else re.escape(whole)
        for whole, low, high in ranges
    )
    return f"[{'^' if negated else ''}{''.join(told)}]"
