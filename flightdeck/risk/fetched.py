"""Which earlier commands of a line have to do with a file that is run further on.

`curl -o i.sh URL && sh i.sh` is one act in two commands. Files are told by their base
names alone: whether the earlier command wrote the file or only named it is for the rules
to judge, by what the command is. The command is told as if the file had been asked for by
an option, `--output`: what fetched it is then told from what is only piped in. It knows
no rule.

Source: risk/README.md.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Word
from flightdeck.risk.reading import base_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.shell import Invocation, Programs

_SOURCING = frozenset({"source", "."})
_VERSION = "0123456789."
# A line with more commands than this is no download that is then run.
_MOST_LOOKED_AT = 40
_QUERY = re.compile(r"[?#].*", re.DOTALL)


def naming(
    words: Sequence[Word], found: Sequence[Invocation], programs: Programs
) -> tuple[Invocation, ...]:
    """Return those of `found` that name the file which the command of `words` runs."""
    name = _run_file(words, programs) if found else ""
    if not name:
        return ()
    return tuple(told for one in found[-_MOST_LOOKED_AT:] if (told := _told(one, name)))


def _run_file(words: Sequence[Word], programs: Programs) -> str:
    """Return the base name of the file that is run as a script, empty if none is."""
    if not words or not words[0].literal:
        return ""
    if "/" in words[0].text and not words[0].text.startswith(("/bin/", "/usr/")):
        return base_name(words[0].text)
    program = base_name(words[0].text)
    runs = program in programs.shells or program in _SOURCING
    if not runs and program.rstrip(_VERSION) not in programs.interpreters:
        return ""
    operand = next((w.text for w in words[1:] if not w.text.startswith("-")), "")
    return base_name(operand)


def _told(invocation: Invocation, name: str) -> Invocation | None:
    """Return the command with the file as its output, None if it does not name it."""
    words = (*invocation.words, *(redirect.target for redirect in invocation.redirects))
    for word in words:
        if base_name(_QUERY.sub("", word.text)) == name:
            asked = (Word("--output", word.span), Word(name, word.span))
            return replace(invocation, words=(*invocation.words, *asked))
    return None
