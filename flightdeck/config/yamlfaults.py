"""What the YAML library says of a file, in words of ours.

It is handed the library's error as it is and reads four attributes of it; the
library itself is `document.py`'s. Wording not in the table is passed on as detail.

Source: the messages of ruamel's scanner and parser as strictyaml 1.7.3 carries them.
"""

from __future__ import annotations

from flightdeck.config.text import TAB

_INDENT = "check that it lines up with its neighbours"

# part of the library's message, ours, the hint
_WORDS = (
    ("found character '\\t'", *TAB),
    ("inconsistent with previous mapping", "indented unlike the mappings before it", _INDENT),
    (
        "mapping values are not allowed",
        "a ':' where none can stand",
        "quote the text, or " + _INDENT,
    ),
    (
        "sequence entries are not allowed",
        "a '-' where none can stand",
        "start the list on a new line",
    ),
    ("found character", "text starts with a character YAML keeps for itself", "quote the text"),
    ("unexpected end of stream", "a quote that is never closed", "close the quote"),
    ("expected ':'", "neither a key with its ':' nor the rest of a value", "write `key: value`"),
    ("expected <block end>", "out of line with what stands above it", _INDENT),
    ("for merging", "'<<' is not a key here", "write the keys out"),
)

# Noticed only later: the place to mend is where the library says it began.
_BEGUN_EARLIER = ("unexpected end of stream", "expected ':'", "inconsistent with")


def explain(error: Exception) -> tuple[tuple[int, int] | None, str, str]:
    """Return where (line and column from 0, None if unknown), a message and a hint."""
    problem = str(getattr(error, "problem", None) or "")
    mark = getattr(error, "problem_mark", None)
    if any(part in problem for part in _BEGUN_EARLIER):
        mark = getattr(error, "context_mark", None) or mark
    place = (mark.line, mark.column) if mark is not None else None
    for part, message, hint in _WORDS:
        if part in problem:
            return place, message, hint
    detail = problem or f"{type(error).__name__} in the YAML library"
    return place, f"not YAML as it stands: {detail}", "compare with the shipped layouts/xl.yaml"
