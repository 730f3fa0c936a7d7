"""Deep links of agents: a new session in a folder, its prompt typed in and not sent.

A link is text that another program takes apart, so it may say only what cannot mean anything
else there: one folder, one line of words, no option. It is written by hand in a layout or in
`local.yaml`; nothing that an agent, a branch or an issue says is ever put into one.

Source: layouts/README.md, "Deep links"; Claude Code's handler of claude-cli:// (2.1.332), and
the advisory on it of 2026-05-12: words of `q` were taken for options before 2.1.118.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import parse_qsl

from flightdeck.config.values import BadValue
from flightdeck.model.layout import LINK_SCHEME

# An editor is given this too: what Python and ECMAScript read alike.
LINK = rf"{LINK_SCHEME}://open\?[A-Za-z0-9%&=+._~/:@!$'()*,;?-]+"
_PARAMETERS = ("q", "cwd")
# What the client takes at most, in characters.
_LONGEST = {"q": 5000, "cwd": 4096}
_LINK = re.compile(LINK)
_EXAMPLE = f"{LINK_SCHEME}://open?cwd=/path/to/project&q=Fix%20the%20tests"


def check_link(url: str) -> None:
    """Accept a deep link.

    Raises:
        BadValue: it could do anything but put one line of text before an agent in one folder.
    """
    found = _parameters(url)
    folder, text = found.get("cwd", ""), found.get("q", "")
    if not folder.startswith("/") or folder.startswith("//") or ".." in folder.split("/"):
        told = "a whole path without `..`, as in cwd=/path/to/project"
        raise BadValue("the deep link does not say one folder", f"give `cwd` {told}")
    flag = next((word for word in text.split() if word.startswith("-")), "")
    if flag:
        told = "the client could take it for an option: no word of `q` begins with a dash"
        raise BadValue(f"'{flag[:20]}' in the prompt of a deep link", told)


def word_of_link(url: str) -> str:
    """Return the name of the folder a deep link starts an agent in."""
    return PurePosixPath(_parameters(url)["cwd"]).name or "/"


def _parameters(url: str) -> dict[str, str]:
    """Return what the link says; a parameter stands in it once, and is one printable line."""
    if not _LINK.fullmatch(url):
        raise BadValue("not a deep link", f"write `url {_EXAMPLE}`")
    try:
        pairs = parse_qsl(url.partition("?")[2], True, True, errors="strict")  # noqa: FBT003
    except ValueError as error:
        raise BadValue("a deep link that is not UTF-8 or has no `=`", _EXAMPLE) from error
    found: dict[str, str] = {}
    for name, value in pairs:
        if name not in _PARAMETERS:
            told = f"'{name[:20]}' in a deep link"
            raise BadValue(told, "only `cwd`, the folder, and `q`, the prompt")
        if name in found:
            raise BadValue(f"'{name}' twice in a deep link", f"say `{name}` once")
        if not value.isprintable():
            told = "a line end, a control or an invisible character"
            raise BadValue(f"{told} in `{name}` of a deep link", "write one plain line")
        if len(value) > _LONGEST[name]:
            told = f"the client takes {_LONGEST[name]} characters"
            raise BadValue(f"`{name}` of a deep link is too long", told)
        found[name] = value
    return found
