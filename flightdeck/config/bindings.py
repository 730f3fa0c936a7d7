"""What a key is for, from the short form `kind argument` a layout gives it.

Everything here is written by hand by the layout's owner; no text from an agent ever
comes this way. Words of `run` become an argument list, never a shell line.

Source: layouts/README.md, "Bindings".
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flightdeck.config.deeplinks import LINK, check_link, word_of_link
from flightdeck.config.reader import choices, quoted
from flightdeck.config.values import WHOLE, WORD, BadValue, whole
from flightdeck.model.layout import (
    LINK_SCHEME,
    Action,
    AppTarget,
    Binding,
    BlankBinding,
    Brake,
    ControlBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    SteerBinding,
    Target,
    UrlTarget,
    VerbBinding,
    VerdictBinding,
)
from flightdeck.model.verb import VerbKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.config.verbs import Verbs
    from flightdeck.model.verb import Verb

_SCHEMES = ("http", "https")
_TARGETS = "`app Obsidian` or `url https://example.org`"


@dataclass(frozen=True, slots=True)
class Around:
    """What a key stands among: how many slots the deck has, and the verbs there are.

    `here` is the slot a filled row gives this key, which is the one a `pin` takes.
    """

    slots: int
    here: int | None
    verbs: Verbs


def parse_binding(text: str, around: Around) -> Binding:
    """Return the binding `text` says, for a key that stands among `around`.

    Raises:
        BadValue: it says none; what is wrong and how it is written.
    """
    kind, _, argument = text.strip().partition(" ")
    if kind not in KINDS:
        raise BadValue(f"nobody implements {quoted(kind)} yet", choices(kind, KINDS))
    return KINDS[kind].parse(argument.strip(), around)


def pattern(kinds: Iterable[str] = ()) -> str:
    """Return what bindings of these kinds look like, all kinds where none is named.

    It is for an editor: it lets through what only `parse_binding` can know.
    """
    forms = (
        f"{kind} \\s*(?:{KINDS[kind].argument})" if KINDS[kind].argument else kind
        for kind in kinds or KINDS
    )
    return rf"\s*(?:{'|'.join(forms)})\s*"


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
        case VerdictBinding(action=action):
            return action.value.upper()
        case SteerBinding(verb=verb) | VerbBinding(verb=verb):
            return verb.label
        case ControlBinding(brake=brake):
            return brake.value.upper()
        case _:
            return ""  # a slot is called after its session, a blank not at all


def word_of_target(target: Target) -> str:
    """Return the name of an application, the host of a URL, or the folder of a deep link."""
    if isinstance(target, AppTarget):
        return PurePosixPath(target.name).name.removesuffix(".app")
    if urlsplit(target.url).scheme == LINK_SCHEME:
        return word_of_link(target.url)
    return (urlsplit(target.url).hostname or "").removeprefix("www.")


def _slot(argument: str, around: Around) -> Binding:
    number = whole(argument)
    if number is None:
        raise BadValue(f"'slot' takes a number, not {quoted(argument)}", "write `slot 3`")
    if number >= around.slots:
        hint = f"this deck has slots 0 to {around.slots - 1}"
        raise BadValue(f"slot {number} is out of range", hint)
    return SlotBinding(number)


def _pin(argument: str, around: Around) -> Binding:
    target = parse_target(argument)
    if around.here is None:
        raise BadValue(
            "a pin where there is no slot to take",
            f"put it in a row with `fill: slot`, or write `open {argument}`",
        )
    return PinBinding(around.here, target)


def _open(argument: str, _around: Around) -> Binding:
    return OpenBinding(parse_target(argument))


def _run(argument: str, _around: Around) -> Binding:
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


def _verdict(argument: str, _around: Around) -> Binding:
    actions = {action.value: action for action in Action}
    if argument not in actions:
        told = f"'verdict' takes an action, not {quoted(argument)}"
        raise BadValue(told, choices(argument, actions))
    return VerdictBinding(actions[argument])


def _steer(argument: str, around: Around) -> Binding:
    return SteerBinding(_verb_of("steer", argument, around.verbs))


def _verb(argument: str, around: Around) -> Binding:
    return VerbBinding(_verb_of("verb", argument, around.verbs))


def _verb_of(kind: str, name: str, verbs: Verbs) -> Verb:
    """Return the verb a key of this kind of binding names."""
    fitting = [one.name for one in verbs.usable.values() if _binding_for(one) == kind]
    if name in verbs.problems:
        first = verbs.problems[name][0]
        told = f"verb {quoted(name)} cannot be used"
        raise BadValue(told, f"{first.location}: {first.message}")
    if name.startswith("_"):
        told = f"{quoted(name)} is a fragment of verbs, not a verb"
        raise BadValue(told, choices(name, fitting))
    if name not in verbs.usable:
        told = f"unknown verb {quoted(name)}" if name else f"'{kind}' names no verb"
        raise BadValue(told, choices(name, fitting))
    verb = verbs.usable[name]
    if _binding_for(verb) != kind:
        told = f"{quoted(name)} is a {verb.kind.value} verb"
        raise BadValue(told, f"write `{_binding_for(verb)} {name}`")
    return verb


def _binding_for(verb: Verb) -> str:
    """Return how a key is bound to this verb: a steer answers a request, any other is sent."""
    return "steer" if verb.kind is VerbKind.STEER else "verb"


def _control(argument: str, _around: Around) -> Binding:
    brakes = {brake.value: brake for brake in Brake}
    if argument not in brakes:
        told = f"'control' takes a brake, not {quoted(argument)}"
        raise BadValue(told, choices(argument, brakes))
    return ControlBinding(brakes[argument])


def _blank(argument: str, _around: Around) -> Binding:
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
    if scheme == LINK_SCHEME:
        check_link(url)
        return UrlTarget(url)
    if scheme not in _SCHEMES:
        told = f"nobody opens {quoted(scheme + ':')} yet" if scheme else "a URL without a scheme"
        raise BadValue(told, f"http://, https:// and {LINK_SCHEME}:// are opened")
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


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of binding is parsed, and what its argument looks like from afar."""

    parse: Callable[[str, Around], Binding]
    argument: str


# Said so that Python and ECMAScript read it alike; the parsers have the last word.
_APP, _URL = r"app \s*(?:/.*|[^-/\s][^/]*)", r"[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s]\S*"
TARGET = rf"(?:{_APP}|url \s*(?:{_URL}|{LINK}))"
KINDS = {
    "slot": _Kind(_slot, WHOLE),
    "pin": _Kind(_pin, TARGET),
    "open": _Kind(_open, TARGET),
    "run": _Kind(_run, r"""[/~'"\\].*"""),
    "verdict": _Kind(_verdict, "|".join(action.value for action in Action)),
    "steer": _Kind(_steer, WORD),
    "verb": _Kind(_verb, WORD),
    "control": _Kind(_control, "|".join(brake.value for brake in Brake)),
    "blank": _Kind(_blank, ""),
}
