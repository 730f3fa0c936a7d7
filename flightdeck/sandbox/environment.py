"""Jinja2 as templates get it here: sandboxed, strict, measured; every failure has a line.

The one place that knows Jinja2. Knows no folder and no template of ours.

Source: templates/README.md, "What a template may do"; Jinja2, "Sandbox".
"""

from __future__ import annotations

import re
import traceback
import warnings
from typing import TYPE_CHECKING, Any

import jinja2  # noqa: TID251 - the sandbox is its door
from jinja2.exceptions import SecurityError  # noqa: TID251 - the same
from jinja2.runtime import (  # noqa: TID251 - the same
    BlockReference,
    Context,
    LoopContext,
    Macro,
    Undefined,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: TID251 - the same
from jinja2.utils import Namespace  # noqa: TID251 - the same

from flightdeck.sandbox import meter
from flightdeck.sandbox.filters import all_filters, all_names, all_tests, range_

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

    from jinja2.nodes import Template as Tree  # noqa: TID251 - the same

_MOST_TOLD = 200
_LARGEST = 10**15
_LARGEST_POWER = 64
_OF_LOOPS = frozenset({"cycle", "changed"})
# What it costs to fetch one template into another.
_LOADED_STEPS = 50
# So that a template's own frames can be told from ours.
_FILE = "template "


class Fault(Exception):
    """What is wrong with the template `name`, at a line of it; 0 where none can be told.

    `unknown` is a name the template uses and nobody gives, where that is the matter.
    """

    def __init__(self, name: str, line: int, message: str, unknown: str = "") -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.name = name
        self.line = line
        self.message = message
        self.unknown = unknown


class Environment:
    """Templates by name; `find` returns the text of one, None where there is none."""

    def __init__(self, find: Callable[[str], str | None], *, markup: bool) -> None:
        """Where it is `markup`, values are escaped."""
        self._jinja = _Sandbox(
            loader=jinja2.FunctionLoader(lambda name: _loaded(find, name)),
            undefined=jinja2.StrictUndefined,
            autoescape=markup,
            finalize=_written,
            optimized=False,  # nothing is computed before it is counted
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )

    def compile(self, name: str) -> None:
        """Compile a template.

        Raises:
            Fault: it cannot be.
        """
        try:
            with meter.measured():
                self._jinja.get_template(name)
        except Exception as error:  # whatever it is, it is what is written there
            raise _fault(error, name) from error

    def render(self, name: str, values: Mapping[str, object]) -> str:
        """Return what a template makes of `values`.

        Raises:
            Fault: nothing, whatever the reason.
        """
        try:
            with meter.measured():
                return self._jinja.get_template(name).render(values)
        except Exception as error:  # the same
            raise _fault(error, name) from error


class _Sandbox(ImmutableSandboxedEnvironment):
    """What Jinja2 asks before it calls, computes or looks at anything."""

    intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.filters, self.tests, self.globals = all_filters(), all_tests(), all_names()

    def _parse(self, source: str, name: str | None, filename: str | None) -> Tree:
        return meter.metered(super()._parse(source, name, filename))

    def _compile(self, source: str, filename: str) -> CodeType:
        # Python warns of what a template writes as if the code were ours.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return super()._compile(source, filename)

    def _load_template(self, *wanted: Any) -> jinja2.Template:
        meter.run(_LOADED_STEPS)
        return super()._load_template(*wanted)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look at an attribute; a filter may do so for each of many values."""
        meter.run(1)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Look at an item, as `getattr` does at an attribute."""
        meter.run(1)
        return super().getitem(obj, argument)

    def is_safe_callable(self, obj: object) -> bool:
        """Say whether a template may call this: macros, blocks, and the few names there are."""
        if isinstance(obj, Macro | BlockReference) or obj in (range_, Namespace):
            return True
        owner = getattr(obj, "__self__", None)
        return isinstance(owner, LoopContext) and getattr(obj, "__name__", "") in _OF_LOOPS

    def call(self, context: Context, obj: Any, *given: Any, **named: Any) -> Any:
        """Call what a template may call."""
        if isinstance(obj, Undefined):
            obj()  # which says what is not there
        if not self.is_safe_callable(obj):
            raise SecurityError(f"{_called(obj)} may not be called")
        with meter.deeper():
            return context.call(obj, *given, **named)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute with numbers, and put texts and lists one behind the other.

        Raises:
            TypeError: it is something else: a text times a number is a longer text.
            OverflowError: a number is too large.
        """
        if operator == "+" and isinstance(left, str | list | tuple):
            return meter.whole(left + right)
        for side in (left, right):
            _check_number(side, operator)
        if operator == "**" and abs(right) > _LARGEST_POWER:
            raise OverflowError(f"a power beyond {_LARGEST_POWER}")
        return _check_number(self.binop_table[operator](left, right), operator)


def _check_number(value: Any, operator: str) -> Any:
    if isinstance(value, Undefined):
        str(value)
    if not isinstance(value, int | float):
        raise TypeError(f"'{operator}' takes no {type(value).__name__}, only numbers")
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise OverflowError("a number beyond 10**15")
    return value


@jinja2.pass_context
def _written(_: Context, value: object) -> object:
    return meter.written(value)


def _called(obj: object) -> str:
    return f"'{getattr(obj, '__name__', type(obj).__name__)}'"


def _loaded(
    find: Callable[[str], str | None], name: str
) -> tuple[str, str, Callable[[], bool]] | None:
    text = find(name)
    return None if text is None else (text, _FILE + name, lambda: find(name) == text)


def _fault(error: Exception, name: str) -> Fault:
    """Return what a template's failure says, at the innermost line that is in a template."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        # Some of them are told by the name of the file.
        return Fault((error.name or name).removeprefix(_FILE), error.lineno, _told(error))
    where, line = name, 0
    for frame, number in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file.startswith(_FILE):
            where, line = file.removeprefix(_FILE), number
    if isinstance(error, jinja2.TemplateNotFound):
        missing = str(error.name)
        return Fault(where, line, f"there is no template '{missing}'"[:_MOST_TOLD], missing)
    return Fault(where, line, _told(error), _unknown(error))


def _told(error: Exception) -> str:
    """Return what an error says: one short line that begins small, as all problems do."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    said = " ".join(said.split()).rstrip(".")
    # In the words of templates: they know nothing of modules.
    said = re.sub(r"'(?:\w+\.)*(\w+) object' has no attribute", r"a \1 has no", said)
    if isinstance(error, RecursionError):
        said = "is nested too deep"
    elif not isinstance(error, jinja2.TemplateError):
        said = f"{said or 'fails'} ({type(error).__name__})"
    said = "".join(c if c.isprintable() else "?" for c in said[:_MOST_TOLD])
    return said[:1].lower() + said[1:]


def _unknown(error: Exception) -> str:
    found = re.match(r"'(\w+)' is undefined|'.*' has no attribute '(\w+)'", str(error))
    return (found[1] or found[2]) if found and isinstance(error, jinja2.UndefinedError) else ""
