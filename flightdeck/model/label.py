"""How a session's names become the two short lines of its key.

Names lose whole words before they lose letters, numbers outlive words because an
issue number says more than a verb, and two live siblings never read the same.
Pure: what fits on a key in pixels is for `faces/` to settle.

Source: README.md, "Labels".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Below this there is no room for a letter, an ellipsis and a sibling's number.
SMALLEST_LINE = 6

_ELLIPSIS = "…"
_NUMBER_MARK = "·"
_NOTHING_PRINTABLE = "?"
# A dot between digits does not split: 1.9 is one word, and no number of an issue.
_PIECE = re.compile(r"([-_/.:,;\s]*)((?:[^-_/.:,;\s]*\d\.(?=\d))*[^-_/.:,;\s]+)")
_NUMBER = re.compile(r"#\d+|\d{2,}")


@dataclass(frozen=True, slots=True)
class LabelRules:
    """How names become two short lines.

    `line_chars` is how many characters a line aims for, one less where it is drawn in
    capitals; `strip` are prefixes taken off (`feature/`); `short` maps a whole word to
    its short form.
    """

    line_chars: int = 12
    strip: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionNames:
    """What a session is known by; empty strings are unknown."""

    repo: str
    branch: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, and the separator that stood before it in the name."""

    before: str
    text: str

    @property
    def is_number(self) -> bool:
        """Say whether it looks like the number of an issue, which says more than a word."""
        return _NUMBER.fullmatch(self.text) is not None

    @property
    def key(self) -> str:
        return self.text.casefold()


def label_all(fleet: Sequence[SessionNames], rules: LabelRules) -> list[tuple[str, str]]:
    """Return the lines of every session, no two pairs alike.

    Give the oldest session first: where names are the very same, the earlier one
    keeps its text and the later ones are numbered.
    """
    repos = list(dict.fromkeys(_clean(names.repo) for names in fleet))
    top_of = dict(zip(repos, shorten_distinct(repos, _in_capitals(rules)), strict=True))
    siblings: dict[str, list[int]] = defaultdict(list)
    for index, names in enumerate(fleet):
        siblings[top_of[_clean(names.repo)]].append(index)
    bottoms = [""] * len(fleet)
    for indexes in siblings.values():
        texts = shorten_distinct([_second_name(fleet[i]) for i in indexes], rules)
        for index, text in zip(indexes, texts, strict=True):
            bottoms[index] = text
    return [(top_of[_clean(n.repo)], text) for n, text in zip(fleet, bottoms, strict=True)]


def shorten(name: str, rules: LabelRules) -> str:
    """Return `name` in at most `rules.line_chars` characters.

    Empty only if the name is. Lines shorter than `SMALLEST_LINE` are taken as that.
    """
    cleaned = _clean(name)
    stripped = _without_prefixes(cleaned, rules.strip)
    limit = _limit(rules)
    if len(stripped) <= limit:
        return stripped or (_NOTHING_PRINTABLE if name else "")
    tokens = _tokens(stripped, rules.short)
    numbers = [i for i, token in enumerate(tokens) if token.is_number]
    fitting = [i for i, token in enumerate(tokens) if len(token.text) <= limit]
    words = [i for i in fitting if not tokens[i].is_number]
    return _pick(tokens, numbers, words, limit) or _cut(tokens[0].text, limit)


def shorten_distinct(names: Sequence[str], rules: LabelRules) -> list[str]:
    """Return every name shortened, no two alike, not even but for their case.

    A name that collides with no other reads as it would alone, so a key keeps its
    text when a sibling appears. Those that collide show the words that differ. What
    is still alike is numbered from the second on: ·2, ·3.
    """
    cleaned = [_clean(name) for name in names]
    different = list(dict.fromkeys(cleaned))
    alone = [shorten(name, rules) for name in different]
    apart = dict(zip(different, _tell_apart(different, alone, rules), strict=True))
    texts = [
        apart[text] or (_NOTHING_PRINTABLE if name else "")
        for name, text in zip(names, cleaned, strict=True)
    ]
    return _numbered(texts, _limit(rules))


def _second_name(names: SessionNames) -> str:
    return names.title if _clean(names.title) else names.branch


def _in_capitals(rules: LabelRules) -> LabelRules:
    """The first line is drawn in capitals: of those one less fits beside as many letters."""
    return replace(rules, line_chars=rules.line_chars - 1)


def _limit(rules: LabelRules) -> int:
    return max(rules.line_chars, SMALLEST_LINE)


def _clean(name: str) -> str:
    """Drop what cannot be drawn: control, format and private characters, half surrogates."""
    composed = unicodedata.normalize("NFC", name)
    shown = ("" if not c.isprintable() and not c.isspace() else c for c in composed)
    return " ".join("".join(shown).split())


def _without_prefixes(name: str, prefixes: Sequence[str]) -> str:
    """Take off prefixes, whatever their case and number, as long as a name remains."""
    while found := next((p for p in prefixes if p and _begins_with(name, p)), None):
        rest = name[len(found) :].strip()
        if not rest:
            break
        name = rest
    return name


def _begins_with(name: str, prefix: str) -> bool:
    # Cut first: folding the case may change a text's length (`ß` becomes `ss`).
    return name[: len(prefix)].casefold() == prefix.casefold()


def _tokens(name: str, short: Mapping[str, str]) -> list[_Token]:
    """Split at separators and humps; a word with an empty short form is left out."""
    shorter = {word.casefold(): form for word, form in short.items()}
    tokens = [
        _Token(before, shorter.get(word.casefold(), word))
        for separator, piece in _PIECE.findall(name)
        for before, word in _humps(separator, piece)
    ]
    return [token for token in tokens if token.text] or [_Token("", name)]


def _humps(separator: str, piece: str) -> list[tuple[str, str]]:
    """Split `paymentRetry` and `HTTPServer` where a word starts."""
    cuts = [0, *(i for i in range(1, len(piece)) if _starts_word(piece, i)), len(piece)]
    # A run of separators (`: `, ` - `) is one gap, shown as its plainest part.
    gap = " " if " " in separator else separator[:1]
    words = [piece[a:b] for a, b in pairwise(cuts)]
    return [(gap if i == 0 else "", word) for i, word in enumerate(words)]


def _starts_word(piece: str, at: int) -> bool:
    if not piece[at].isupper():
        return False
    ends_acronym = at + 1 < len(piece) and piece[at + 1].islower()
    return piece[at - 1].islower() or (piece[at - 1].isupper() and ends_acronym)


def _pick(tokens: Sequence[_Token], wanted: Iterable[int], more: Iterable[int], limit: int) -> str:
    """Join the wanted tokens that fit, then those of `more` that still do; may be empty."""
    taken: list[int] = []
    for index in (*wanted, *more):
        if len(_join(tokens, [*taken, index])) <= limit:
            taken.append(index)
    return _join(tokens, taken)


def _join(tokens: Sequence[_Token], chosen: Iterable[int]) -> str:
    return "".join(
        tokens[index].text if position == 0 else tokens[index].before + tokens[index].text
        for position, index in enumerate(sorted(chosen))
    )


def _cut(text: str, limit: int) -> str:
    """Cut letters off: for a word that is longer than a line by itself."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + _ELLIPSIS


def _tell_apart(names: Sequence[str], texts: Sequence[str], rules: LabelRules) -> list[str]:
    """Reword the names whose texts are alike, by the tokens that set them apart."""
    result = list(texts)
    for same in _alike(texts):
        group = [names[i] for i in same]
        reworded = _by_difference(group, rules)
        if all(len(still) < len(group) for still in _alike(reworded)):
            reworded = _tell_apart(group, reworded, rules)
        for index, text in zip(same, reworded, strict=True):
            result[index] = text
    return result


def _alike(texts: Sequence[str]) -> list[list[int]]:
    """Return the indexes of texts that read the same, two or more together."""
    found: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(texts):
        found[text.casefold()].append(index)
    return [indexes for indexes in found.values() if len(indexes) > 1]


def _by_difference(group: Sequence[str], rules: LabelRules) -> list[str]:
    """Shorten each name around the tokens that fewest of the others have.

    Prefixes count here: `feature/login` and `fix/login` differ by nothing else.
    """
    names = [_tokens(name, rules.short) for name in group]
    having = Counter(key for tokens in names for key in {token.key for token in tokens})
    return [
        _around([having[token.key] for token in tokens], tokens, len(group), _limit(rules))
        or shorten(name, rules)
        for name, tokens in zip(group, names, strict=True)
    ]


def _around(having: Sequence[int], tokens: Sequence[_Token], everyone: int, limit: int) -> str:
    """Return the tokens not everyone has, and their neighbours while there is room."""
    indexes = range(len(tokens))
    own = [i for i in indexes if having[i] < everyone]
    if not own:
        return ""
    own.sort(key=lambda i: (having[i], not tokens[i].is_number, i))
    others = [i for i in indexes if having[i] == everyone]
    others.sort(key=lambda i: (not tokens[i].is_number, min(abs(i - o) for o in own), i))
    # Without a token of its own that fits, a neighbour would only hide the difference.
    return (_pick(tokens, own, (), limit) and _pick(tokens, own, others, limit)) or _cut(
        tokens[own[0]].text, limit
    )


def _numbered(texts: Sequence[str], limit: int) -> list[str]:
    """Number the texts that stand further up already, within `limit` characters."""
    taken: set[str] = set()
    result = []
    for text in texts:
        free, number = text, 1
        while free.casefold() in taken:
            number += 1
            mark = f"{_NUMBER_MARK}{number}"
            free = _cut(text, limit - len(mark)) + mark
        taken.add(free.casefold())
        result.append(free)
    return result
