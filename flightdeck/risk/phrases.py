"""Whether code of another language holds a phrase: SQL, Python, a script for an editor.

No parsing: words in a row, whatever their capitals and the blanks between them. The time
it takes grows with the text and the number of phrases, whatever is in them.

Source: risk/README.md, "Phrases".
"""

from __future__ import annotations

from dataclasses import dataclass

# A call carries files at times; what stands behind this is not looked at.
LONGEST = 65_536

# A text that only ever nearly holds a phrase was made for it: then it holds it.
_MOST_LOOKS = 500

THEN = "…"


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    left: bool
    right: bool

    def end_in(self, text: str, start: int) -> int:
        """Return where the part ends in `text`, from `start` on, or -1."""
        end = at = start
        for _ in range(_MOST_LOOKS):
            at = text.find(self.text, at)
            end = at + len(self.text)
            if at < 0:
                return -1
            if not (
                (self.left and _within_word(text, at)) or (self.right and _within_word(text, end))
            ):
                return end
            at += 1
        return end


@dataclass(frozen=True, slots=True)
class Phrase:
    """Parts that must follow one another, anything between them."""

    parts: tuple[_Part, ...]

    def is_in(self, text: str) -> bool:
        """Return whether a text made by `plain` holds it."""
        at = 0
        for part in self.parts:
            at = part.end_in(text, at)
            if at < 0:
                return False
        return True


def phrase(written: str) -> Phrase:
    """Return a phrase as a rule has it."""
    parts = [" ".join(part.split()) for part in written.replace("...", THEN).lower().split(THEN)]
    return Phrase(tuple(_part(part) for part in parts if part))


def plain(text: str) -> str:
    """Return a text as phrases are looked for in it."""
    return " ".join(text[:LONGEST].lower().split())


def _part(written: str) -> _Part:
    text = written.removeprefix("*").removesuffix("*")
    left = not written.startswith("*") and _is_word(text[:1])
    right = not written.endswith("*") and _is_word(text[-1:])
    return _Part(text, left, right)


def _within_word(text: str, at: int) -> bool:
    """Return whether the edge at `at` has a word on both sides."""
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
