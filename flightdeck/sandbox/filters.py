"""What a template may call with `|` and `is`, and by name: what takes a bounded time.

Left out of Jinja2's own are those that make much of little (`center`, `format`, `indent`),
those that say something else each time (`random`), and those for pages and mails.

Source: templates/README.md, "What a template may do"; Jinja2's list of builtin filters.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jinja2 import pass_eval_context  # noqa: TID251 - the sandbox is its door
from jinja2.filters import FILTERS  # noqa: TID251 - the same
from jinja2.tests import TESTS  # noqa: TID251 - the same
from jinja2.utils import Namespace  # noqa: TID251 - the same
from markupsafe import Markup, escape

from flightdeck.sandbox import meter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2.nodes import EvalContext  # noqa: TID251 - the same

LONGEST_RANGE = 1_000

_OF_VALUES = (
    *("abs", "count", "d", "default", "first", "float", "int", "items", "last", "length", "list"),
    *("map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr", "sort"),
    *("sum", "unique"),
)
_OF_TEXT = ("capitalize", "e", "escape", "forceescape", "lower", "safe", "title", "upper")
_TESTS = (
    *("==", "!=", "<", "<=", ">", ">=", "eq", "equalto", "ne", "lt", "lessthan", "le"),
    *("gt", "greaterthan", "ge", "in", "sameas", "defined", "undefined", "none", "boolean"),
    *("true", "false", "number", "integer", "float", "string", "sequence", "iterable", "mapping"),
)
# A float has no more figures than that.
_MOST_FIGURES = 15


def all_filters() -> dict[str, Any]:
    """Return every filter by its name, each paying for what it returns."""
    values = {name: _paying(FILTERS[name]) for name in _OF_VALUES}
    texts = {name: _on_text(FILTERS[name]) for name in _OF_TEXT}
    ours = {"join": join, "replace": replace, "round": round_, "string": string, "trim": trim}
    inner = {
        meter.RUN: meter.run,
        meter.EACH: meter.each,
        meter.WHOLE: meter.whole,
        meter.JOINED: joined,
    }
    return {**values, **texts, **ours, **inner}


def all_tests() -> dict[str, Any]:
    """Return every test by its name."""
    found: dict[str, Any] = {name: TESTS[name] for name in _TESTS}
    found |= {"even": even, "odd": odd, "divisibleby": divisible}
    return {name: _counted(test) for name, test in found.items()}


def all_names() -> dict[str, object]:
    """Return what a template may call without being given it."""
    return {"range": range_, "namespace": Namespace}


def range_(*ends: int) -> range:
    """Return a range.

    Raises:
        OverflowError: it is too long.
    """
    found = range(*ends)
    if len(found) > LONGEST_RANGE:
        raise OverflowError(f"a range of more than {LONGEST_RANGE}")
    return found


@pass_eval_context
def joined(context: EvalContext, parts: Sequence[object]) -> str:
    """Return what `~` makes of its parts; as Jinja2 does, escaped where one is markup."""
    written = [meter.written(part) for part in parts]
    if context.autoescape and any(isinstance(part, Markup) for part in written):
        return Markup("").join(map(escape, written))
    return "".join(map(str, written))


@pass_eval_context
def join(
    context: EvalContext, values: Iterable[object], between: str = "", attribute: str | None = None
) -> str:
    """Return the texts of `values` with `between` between them."""
    if attribute is not None:
        values = (context.environment.getitem(value, attribute) for value in values)
    parts: list[object] = []
    for value in values:
        parts += [value] if not parts else [between, value]
        meter.run(1)
    return joined(context, parts)


def replace(text: str, old: str, new: str, count: int | None = None) -> str:
    """Return `text` with `new` for the first `count` of `old`, for all of them without one."""
    whole, old, new = map(string, (text, old, new))
    if isinstance(whole, Markup):
        old, new = escape(old), escape(new)
    found = min(whole.count(old), len(whole) + 1 if count is None else max(0, count))
    meter.run(1, len(whole) + found * len(new))
    return whole.replace(old, new, found)


def round_(value: float, precision: object = 0, method: str = "common") -> float:
    """Return `value` with so many figures behind the point: to the nearest, `ceil`, `floor`.

    Raises:
        ValueError: the precision or the method is none.
    """
    if not isinstance(precision, int) or not 0 <= precision <= _MOST_FIGURES:
        raise ValueError(f"a precision is 0 to {_MOST_FIGURES}")
    if method == "common":
        return round(float(value), precision)
    if method not in {"ceil", "floor"}:
        raise ValueError("a way to round is common, ceil or floor")
    towards = math.ceil if method == "ceil" else math.floor
    power = float(10**precision)
    return towards(value * power) / power


def string(value: object) -> str:
    """Return `value` as text; markup stays markup."""
    written = meter.written(value)
    return written if isinstance(written, str) else str(written)


def trim(text: object) -> str:
    """Return `text` without the spaces around it."""
    return string(text).strip()


def even(value: object) -> bool:
    """Say whether a number is even."""
    return divisible(value, 2)


def odd(value: object) -> bool:
    """Say whether a number is odd."""
    return not divisible(value, 2)


def divisible(value: object, by: object) -> bool:
    """Say whether a number is divided by another without a rest.

    Raises:
        TypeError: one of them is no number: with a text, `%` would write one.
    """
    if isinstance(value, int) and isinstance(by, int):
        return value % by == 0
    raise TypeError("only numbers are divided")


def _on_text(work: Callable[..., object]) -> Callable[..., object]:
    """Return a filter of Jinja2 that takes nothing but text and numbers."""
    paying = _paying(work)

    @functools.wraps(work)
    def on_text(value: object) -> object:
        return paying(meter.written(value))

    return on_text


def _counted(test: Callable[..., object]) -> Callable[..., object]:
    """Return a test that costs what it does also where `select` asks it of a whole list."""

    @functools.wraps(test)
    def counted(*given: object) -> object:
        meter.run(meter.DEAR_STEPS)
        return test(*given)

    return counted


def _paying(work: Callable[..., object]) -> Callable[..., object]:
    """Return a filter that pays for the lists it looks through, and for what it returns, whole."""

    @functools.wraps(work)
    def paying(*given: object, **named: object) -> object:
        meter.run(sum(len(one) for one in given if isinstance(one, list | tuple | range | dict)))
        found = work(*given, **named)
        if isinstance(found, Iterator):
            found = meter.taken(found)
        if isinstance(found, str | Mapping | Sequence) and not isinstance(found, range):
            meter.whole(found)
        return found

    return paying
