"""Which characters a terminal can show, as far as its locale tells.

Python speaks UTF-8 in the C locale, whatever the terminal does: it says so in LC_CTYPE
itself. So a locale that was named as C is believed, and one that was not named at all is not.

Source: locale(7); PEP 538 and 540.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# What Python sets LC_CTYPE to by itself where the locale is C.
_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
_POOR = frozenset({"C", "POSIX"})


@dataclass(frozen=True, slots=True)
class Charset:
    """How text is encoded, and whether shapes beyond letters can be shown."""

    encoding: str = "utf-8"
    shapes: bool = True

    @classmethod
    def of(cls, environment: Mapping[str, str], encoding: str) -> Charset:
        """Return what the terminal of this environment shows; `encoding` is Python's guess."""
        if _named(environment) in _POOR:
            return cls("ascii", shapes=False)
        # The font of a text console has letters, lines and little else.
        return cls(encoding, shapes=_unicode(encoding) and environment.get("TERM") != "linux")


def _named(environment: Mapping[str, str]) -> str:
    """Return the locale of characters that somebody has named."""
    if everything := environment.get("LC_ALL"):
        return everything
    named, language = environment.get("LC_CTYPE", ""), environment.get("LANG", "")
    return language if not named or named in _COERCED else named


def _unicode(encoding: str) -> bool:
    try:
        "\u25b6".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
