"""How much work one template may be, whatever is written in it: counted, not timed.

A clock would tell a busy machine from an idle one; a count says the same everywhere. Each
piece of a template costs what it holds each time it is run, text costs its length each time
it is put together. What costs nothing here is bounded by what made it.

Knows Jinja2's nodes, no template of ours.

Source: templates/README.md, "What a template may do".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from jinja2 import nodes  # noqa: TID251 - the sandbox is its door
from jinja2.exceptions import TemplateRuntimeError  # noqa: TID251 - the same
from jinja2.runtime import Undefined  # noqa: TID251 - the same
from jinja2.visitor import NodeTransformer  # noqa: TID251 - the same

STEPS = 20_000
CHARACTERS = 120_000
DEPTH = 30

# How the pieces call us: no filter of a template can have such a name.
RUN, EACH, WHOLE, JOINED = " run", " each", " whole", " joined"

# What looks at all of a value costs more than what only passes it on.
_DEAR = (nodes.Compare, nodes.Test, nodes.Filter, nodes.Call, nodes.BinExpr)
DEAR_STEPS = 5
# Of a number, written out.
_MOST_FIGURES = 24


class Exhausted(TemplateRuntimeError):
    """A template that goes on for too long, or writes too much."""


@dataclass(slots=True)
class Meter:
    """What is left to one rendering."""

    steps: int = STEPS
    characters: int = CHARACTERS
    depth: int = 0


_METER: ContextVar[Meter | None] = ContextVar("_METER", default=None)


@contextmanager
def measured() -> Iterator[None]:
    """Let what is rendered inside do as much as one rendering may."""
    before = _METER.set(Meter())
    try:
        yield
    finally:
        _METER.reset(before)


def run(steps: int, characters: int = 0) -> str:
    """Count `steps` and `characters`.

    Raises:
        Exhausted: that was too much.
    """
    meter = _METER.get()
    if meter is None:
        return ""
    # A template may call us by way of `map`: nothing is ever given back.
    meter.steps -= max(0, steps)
    meter.characters -= max(0, characters)
    if meter.steps < 0:
        raise Exhausted(f"goes on for more than {STEPS} steps")
    if meter.characters < 0:
        raise Exhausted(f"puts together more than {CHARACTERS} characters")
    return ""


@contextmanager
def deeper() -> Iterator[None]:
    """Count one call inside another.

    Raises:
        Exhausted: they are too deep.
    """
    meter = _METER.get() or Meter()
    if meter.depth >= DEPTH:
        raise Exhausted(f"macros or blocks call each other more than {DEPTH} deep")
    meter.depth += 1
    try:
        yield
    finally:
        meter.depth -= 1


def each(values: Iterable[object], steps: int) -> Sequence[object]:
    """Return what a loop goes over, its turns paid for."""
    if isinstance(values, Sequence):
        run(steps * len(values))
        return values
    return taken(values, steps)


def taken(values: Iterable[object], steps: int = 1) -> list[object]:
    """Return everything an iterator yields, paid for one by one."""
    found = []
    for value in values:
        run(steps)
        found.append(value)
    return found


def written(value: object) -> object:
    """Return what can be written as text, paid for.

    Raises:
        TypeError: it is a list or an object, whose text would say nothing, or never end.
    """
    if isinstance(value, Undefined):
        return str(value)  # which says that it is
    if isinstance(value, str):
        run(0, len(value))
    elif value is None or isinstance(value, int | float):
        run(0, _MOST_FIGURES)
    else:
        raise TypeError(f"a {type(value).__name__} cannot be written as text")
    return value


def whole(value: object) -> object:
    """Return a list, tuple or mapping that was made just now, all of it paid for.

    Lists that share what they hold would else double with each line of a template.
    """
    left: list[object] = [value]
    while left:
        one = left.pop()
        run(1, len(one) if isinstance(one, str) else 0)
        if isinstance(one, Mapping):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, Sequence | Set) and not isinstance(one, str):
            left += one
    return value


def metered(tree: nodes.Template) -> nodes.Template:
    """Return a template that counts what it does."""
    _Metering().visit(tree)
    return tree


class _Metering(NodeTransformer):
    """Puts a count before everything that may be run many times, and around what may grow."""

    def visit(self, node: nodes.Node, *_: object, **__: object) -> nodes.Node:
        """Return what stands in the place of a node."""
        turns = _turns(node) if isinstance(node, nodes.For) else 0
        self.generic_visit(node)
        match node:
            case nodes.For():
                node.iter = _called(node.iter, EACH, turns)
                _begin(node.body, turns=False)
            case nodes.Template() | nodes.Macro() | nodes.CallBlock() | nodes.Block():
                _begin(node.body)
            case nodes.Concat():
                return _called(nodes.List(node.nodes, lineno=node.lineno), JOINED)
            case nodes.List() | nodes.Dict() | nodes.Tuple(ctx="load"):
                return _called(node, WHOLE)
            case _:
                pass
        return node


def _turns(loop: nodes.For) -> int:
    """Return what each turn of a loop costs."""
    return _steps([*loop.body, *([loop.test] if loop.test else [])])


def _begin(body: list[nodes.Node], *, turns: bool = True) -> None:
    """Have a body pay for itself whenever it is run; a loop has paid for its turns."""
    text = sum(len(data.data) for one in body for data in one.find_all(nodes.TemplateData))
    if body and (turns or text):
        line = body[0].lineno
        steps = nodes.Const(_steps(body) if turns else 0, lineno=line)
        body.insert(0, nodes.ExprStmt(_called(steps, RUN, text), lineno=line))


def _steps(body: list[nodes.Node]) -> int:
    found = [node for one in body for node in (one, *one.find_all(nodes.Node))]
    return 1 + sum(DEAR_STEPS if isinstance(node, _DEAR) else 1 for node in found)


def _called(node: nodes.Node, name: str, *arguments: int) -> nodes.Filter:
    given = [nodes.Const(one, lineno=node.lineno) for one in arguments]
    return nodes.Filter(node, name, given, [], None, None, lineno=node.lineno)
