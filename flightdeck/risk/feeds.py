"""What programs write whose output the line itself gives away: `echo`, `printf`, `cat`.

With these a text piped into a shell is a script like any other, also where it went
through `base64 -d` or `xxd -r`. Nothing is run; what is not certain is None.

Source: POSIX.1-2024, "echo", "printf"; bash(1), builtins; coreutils' manual, "base64".
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from typing import TYPE_CHECKING

from flightdeck.risk import quoting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from flightdeck.model.shell import Invocation, Word

MOST_WRITTEN = 16_384  # characters of output that are followed up

_COPYING = frozenset({"echo", "printf", "cat"})
_FORMAT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))")
_BLANKS = re.compile(r"\s+")
_DECODING = frozenset({"-d", "-D", "--decode", "-di", "-id", "--d", "--dec"})


def written(
    program: str, words: Sequence[Word], text: str | None, files: Mapping[str, str]
) -> str | None:
    """Return what `program` writes for `words` and the input `text`, None if unknown."""
    writer = _WRITERS.get(program)
    if writer is None or not all(w.literal or w.text in files for w in words):
        return None
    result = writer([w.text for w in words], text, files)
    return result if result is None or len(result) <= MOST_WRITTEN else None


def copied(feeding: Iterable[Invocation]) -> bool:
    """Say whether all that feed a program pass a text of the line on as it stands there."""
    return all(one.program in _COPYING for one in feeding)


def _echo(words: list[str], _text: str | None, _files: Mapping[str, str]) -> str:
    newline, escapes = "\n", False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        option = words.pop(0)
        newline = "" if "n" in option else newline
        escapes = "e" in option and "E" not in option
    line = " ".join(words)
    return (quoting.ansi_c(line) if escapes else line) + newline


def _printf(words: list[str], _text: str | None, _files: Mapping[str, str]) -> str | None:
    if words[:1] == ["--"]:
        words.pop(0)
    elif words and words[0].startswith("-"):
        return None
    if not words:
        return None
    form, given = quoting.ansi_c(words[0]), words[1:]
    slots = sum(1 for m in _FORMAT.finditer(form) if m[1])
    parts: list[str] = []
    while True:
        now, given = given[:slots], given[slots:]
        parts.append(_filled(form, now))
        if not slots or not given or len(parts) > 200:
            return "".join(parts)


def _filled(form: str, given: list[str]) -> str:
    values = iter(given)

    def one(found: re.Match[str]) -> str:
        if not found[1]:
            return "%"
        value = next(values, "")
        return quoting.ansi_c(value) if found[1] == "b" else value

    return _FORMAT.sub(one, form)


def _cat(words: list[str], text: str | None, files: Mapping[str, str]) -> str | None:
    """Read what `cat` copies: files the line wrote, else its input."""
    operands = [w for w in words if not w.startswith("-") or w == "-"]
    parts = [text if w == "-" else files.get(w.removeprefix("./")) for w in operands or ["-"]]
    known = [p for p in parts if p is not None]
    return "".join(known) if len(known) == len(parts) else None


def _which(words: list[str], _text: str | None, _files: Mapping[str, str]) -> str | None:
    """Take the name for the path that is told: the program is the same."""
    return f"{words[0]}\n" if len(words) == 1 and not words[0].startswith("-") else None


def _command(words: list[str], _text: str | None, _files: Mapping[str, str]) -> str | None:
    return f"{words[1]}\n" if len(words) == 2 and words[0] == "-v" else None


def _tee(_words: list[str], text: str | None, _files: Mapping[str, str]) -> str | None:
    return text


def _base64(words: list[str], text: str | None, files: Mapping[str, str]) -> str | None:
    if not _DECODING & set(words):
        return None
    data = _cat([w for w in words if w not in _DECODING], text, files)
    return _decoded(lambda plain: base64.b64decode(plain + "=" * (-len(plain) % 4)), data)


def _base32(words: list[str], text: str | None, files: Mapping[str, str]) -> str | None:
    if not _DECODING & set(words):
        return None
    data = _cat([w for w in words if w not in _DECODING], text, files)
    return _decoded(base64.b32decode, data)


def _openssl(words: list[str], text: str | None, files: Mapping[str, str]) -> str | None:
    if words[:1] not in (["base64"], ["enc"]) or "-d" not in words:
        return None
    return _base64(["-d"], text, files) if {"base64", "-base64", "-a"} & set(words) else None


def _xxd(words: list[str], text: str | None, _files: Mapping[str, str]) -> str | None:
    flags = "".join(w for w in words if w.startswith("-"))
    plain = "r" in flags and "p" in flags
    return _decoded(binascii.unhexlify, text) if plain else None


def _rev(words: list[str], text: str | None, _files: Mapping[str, str]) -> str | None:
    if words or text is None:
        return None
    return "\n".join(line[::-1] for line in text.split("\n"))


def _tr(words: list[str], text: str | None, _files: Mapping[str, str]) -> str | None:
    """Read the one translation people hide commands with, and deletions of plain letters."""
    if text is None:
        return None
    if words in (["A-Za-z", "N-ZA-Mn-za-m"], ["a-zA-Z", "n-za-mN-ZA-M"]):
        return codecs.encode(text, "rot13")
    if len(words) == 2 and words[0] == "-d" and not re.search(r"[-\[\\]", words[1]):
        return text.translate({ord(c): None for c in words[1]})
    return None


def _decoded(decode: Callable[[str], bytes], text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return decode(_BLANKS.sub("", text)).decode("utf-8", "replace").replace("\0", "")
    except ValueError:
        return None


_WRITERS: dict[str, Callable[[list[str], str | None, Mapping[str, str]], str | None]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "which": _which,
    "command": _command,
    "tee": _tee,
    "base64": _base64,
    "base32": _base32,
    "openssl": _openssl,
    "xxd": _xxd,
    "rev": _rev,
    "tr": _tr,
}
