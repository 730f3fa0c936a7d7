"""What a key is for, from the short form `kind argument` a layout gives it.

Everything here is written by hand by the layout's owner; no text from an agent ever
comes this way. Words of `run` become an argument list, never a shell line.

Source: layouts/README.md, "Bindings".
"""

from __future__ import annotations

import shlex
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flightdeck.config.reader import choices, quoted
from flightdeck.config.values import BadValue, whole
from flightdeck.model.layout import (
    AppTarget,
    Binding,
    BlankBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    Target,
    UrlTarget,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_SCHEMES = ("http", "https")
_TARGETS = "`app Obsidian` or `url https://example.org`"


def parse_binding(text: str, *, slots: int, here: int | None) -> Binding:
    """Return the binding `text` says.

    `slots` is how many slots the deck has; `here` is the slot a filled row gives
    this key, which is the one a `pin` takes.

    Raises:
        BadValue: it says none; what is wrong and how it is written.
    """
    kind, _, argument = text.strip().partition(" ")
    if kind not in _KINDS:
        raise BadValue(f"nobody implements {quoted(kind)} yet", choices(kind, _KINDS))
    return _KINDS[kind](argument.strip(), slots, here)


def parse_target(text: str) -> Target:
    """Return the application or URL `text` says (`app NAME`, `url https://…`).

    Raises:
        BadValue: it says none.
    """
    kind, _, argument = text.strip().partition(" ")
    argument = argument.strip()
    if kind not in {"app", "url"} or not argument:
        raise BadValue(f"{quoted(text)} is neither an app nor a URL", f"write {_TARGETS}")
    return _app(argument) if kind == "app" else _url(argument)


def word_of(binding: Binding) -> str:
    """Return what a key is called when its owner gave it no label."""
    match binding:
        case PinBinding(target=target) | OpenBinding(target=target):
            return word_of_target(target)
        case RunBinding(argv=argv):
            return PurePosixPath(argv[0]).name
        case _:
            return ""  # a slot is called after its session, a blank not at all


def word_of_target(target: Target) -> str:
    """Return the name of an application, or the host of a URL."""
    if isinstance(target, AppTarget):
        return PurePosixPath(target.name).name.removesuffix(".app")
    return (urlsplit(target.url).hostname or "").removeprefix("www.")


def _slot(argument: str, slots: int, _here: int | None) -> Binding:
    number = whole(argument)
    if number is None:
        raise BadValue(f"'slot' takes a number, not {quoted(argument)}", "write `slot 3`")
    if number >= slots:
        raise BadValue(f"slot {number} is out of range", f"this deck has slots 0 to {slots - 1}")
    return SlotBinding(number)


def _pin(argument: str, _slots: int, here: int | None) -> Binding:
    target = parse_target(argument)
    if here is None:
        raise BadValue(
            "a pin where there is no slot to take",
            f"put it in a row with `fill: slot`, or write `open {argument}`",
        )
    return PinBinding(here, target)


def _open(argument: str, _slots: int, _here: int | None) -> Binding:
    return OpenBinding(parse_target(argument))


def _run(argument: str, _slots: int, _here: int | None) -> Binding:
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise BadValue("'run' has a quote that is never closed", "close the quote") from error
    if not words or not words[0]:
        raise BadValue("'run' says no program", "write `run /usr/bin/say hello`")
    program = str(Path.home() / words[0][2:]) if words[0].startswith("~/") else words[0]
    if not program.startswith("/"):
        raise BadValue(
            f"'run' with the relative program {quoted(program)}",
            "write its whole path: a service has next to no PATH",
        )
    return RunBinding((program, *words[1:]))


def _blank(argument: str, _slots: int, _here: int | None) -> Binding:
    if argument:
        raise BadValue(f"'blank' takes nothing, not {quoted(argument)}", "write `blank`")
    return BlankBinding()


def _app(name: str) -> Target:
    if name.startswith("-"):
        raise BadValue(f"app {quoted(name)} starts with a dash", "write its name: `app Obsidian`")
    if "/" in name and not name.startswith("/"):
        raise BadValue(f"app {quoted(name)} is a relative path", "write its name or its whole path")
    return AppTarget(name)


def _url(url: str) -> Target:
    scheme, host = _scheme_and_host(url)
    if scheme not in _SCHEMES:
        told = f"nobody opens {quoted(scheme + ':')} yet" if scheme else "a URL without a scheme"
        raise BadValue(told, "http:// and https:// URLs are opened")
    if not host or any(character.isspace() for character in url):
        raise BadValue(f"{quoted(url)} is no URL", "write `url https://example.org`")
    return UrlTarget(url)


def _scheme_and_host(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "https", ""
    return parts.scheme, parts.hostname or ""


_KINDS: dict[str, Callable[[str, int, int | None], Binding]] = {
    "slot": _slot,
    "pin": _pin,
    "open": _open,
    "run": _run,
    "blank": _blank,
}
