"""The schema of `local.yaml`, made from the tables its validators use.

Source: layouts/README.md, "This machine's own: local.yaml".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config import local
from flightdeck.config.bindings import TARGET
from flightdeck.config.forms import TEXT, a_list, just, mapping, named, optional, text
from flightdeck.config.values import BYTES, WHOLE, measured_in

if TYPE_CHECKING:
    from flightdeck.config.forms import Schema


def local_schema() -> Schema:
    """Return the schema of what belongs to one machine."""
    sections = {
        "pins": named(WHOLE, _pin()),
        "renderers": a_list(text("/[^\\n]*", "a whole path: it starts with '/'")),
        "journal": _journal(),
    }
    return optional(mapping("local", just(local.KEYS, sections)))


def _pin() -> Schema:
    """Return a pin in its short form, a text, and in its long one."""
    target = text(rf"\s*{TARGET}\s*", "`app NAME` or `url https://…`")
    long = mapping("pin", just(local.PIN_KEYS, {"bind": target, "label": TEXT}), local.PIN_NEEDS)
    return {**target, **long, "type": ["string", "object"]}


def _journal() -> Schema:
    fields = {
        "size": text(measured_in(BYTES), "a number and its unit: 2 MB"),
        "keep": text(measured_in([local.FILES]), f"a number and its unit: 5 {local.FILES}"),
    }
    message = f"`{local.OFF}`, or `size:` and `keep:` below it"
    off = text(local.OFF, message)
    return {
        **off,
        **mapping("journal", just(local.JOURNAL_KEYS, fields)),
        "type": ["string", "object"],
    }
