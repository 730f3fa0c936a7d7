"""Cuts off text on which the grammar would lose itself: it recovers from errors slowly.

Time on a broken statement grows with the square of the signs in it: 4000 pipes with
nothing behind the last take 300 ms. No statement people write has `MOST_SIGNS` of them
outside quotes; one that has is cut there, and the script is opaque.

Source: measured on a million random scripts of 8,000 characters, and 519 real ones.
"""

from __future__ import annotations

import re

MOST_SIGNS = 300  # signs of the grammar in one statement
MOST_UNMATCHED = 150  # parentheses or brackets without their other half: the arms of a `case`

_SIGNS = re.compile(r"[|`()<>\[\]{}!]")
_IN_CODE = re.compile(
    r"""\\.|\$'(?:[^'\\]|\\.)*'|'[^']*'|\|\n|&&\n|[|`()<>\[\]{}!"\n]""", re.DOTALL
)
_IN_QUOTES = re.compile(r'\\.|["`]|\$\(', re.DOTALL)


def calm(text: str) -> str:
    """Return `text` up to where it has too many signs in one statement."""
    lines = text.replace("|\n", "|").replace("&&\n", "&&").split("\n")
    if max(len(_SIGNS.findall(line)) for line in lines) <= MOST_SIGNS:
        return text if _unmatched(text) <= MOST_UNMATCHED else _cut(text)
    return _cut(text)


def _cut(text: str) -> str:
    """Do the same, knowing quotes."""
    signs = at = 0
    counts = dict.fromkeys("()[]", 0)
    quotes: list[str] = []
    while found := (_IN_QUOTES if quotes[-1:] == ['"'] else _IN_CODE).search(text, at):
        at, sign = found.end(), found[0]
        if sign == "\n":
            signs = 0
        elif sign[0] not in "\\'$&" or sign == "$(":
            _nest(quotes, sign[-1])
            signs += 1
            counts[sign[-1]] = counts.get(sign[-1], 0) + 1
        if signs > MOST_SIGNS or _apart(counts) > MOST_UNMATCHED:
            return text[: found.start()]
    return text


def _unmatched(text: str) -> int:
    return _apart({sign: text.count(sign) for sign in "()[]"})


def _apart(counts: dict[str, int]) -> int:
    return max(abs(counts["("] - counts[")"]), abs(counts["["] - counts["]"]))


def _nest(quotes: list[str], sign: str) -> None:
    """Keep what is open: a quote closes itself, a parenthesis the other one closes."""
    if quotes and quotes[-1] == {")": "("}.get(sign, sign) and sign in ')"`':
        quotes.pop()
    elif sign in '"`(':
        quotes.append(sign)
