"""Layouts as people write them, good and spoilt, for tests that try many.

A tree is mappings, lists and `Leaf`s; it is always written as well-formed YAML in block style.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from flightdeck.config import looks, rules
from flightdeck.config.values import readable_ink
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import Action, Brake
from flightdeck.model.verb import VerbKind
from tests.config.panels import shipped_verbs, shipped_xl

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Leaf:
    """One value; `quoted` where it is written in quotes though it could do without."""

    text: str
    quoted: bool = False


Tree = Leaf | list["Tree"] | dict[str, "Tree"]

_NEEDS_NO_QUOTES = re.compile(r"(?![\s#'\",:?*&!|>%@`{}\[\]]|-(?![^\s-]))[^\n]*[^\s:]")


def write(tree: Tree) -> str:
    """Return the file a tree is."""
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Leaf):
        yield _scalar(tree)
    elif isinstance(tree, list):
        for item in tree:
            first, *rest = [*_lines(item)] or [""]
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        for key, value in tree.items():
            if isinstance(value, Leaf):
                yield f"{_scalar(Leaf(key))}: {_scalar(value)}".rstrip()
            else:
                yield f"{_scalar(Leaf(key))}:"
                yield from (f"  {line}" for line in _lines(value))


def _scalar(leaf: Leaf) -> str:
    plain = leaf.text
    if not plain and not leaf.quoted:
        return ""
    fits = _NEEDS_NO_QUOTES.fullmatch(plain) and ": " not in plain and " #" not in plain
    return plain if fits and not leaf.quoted else "'" + plain.replace("'", "''") + "'"


def leaves(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Tree]:
    """Draw values, some in quotes they do not need."""
    return st.builds(Leaf, texts, st.booleans())


def one_of(*texts: str) -> st.SearchStrategy[Tree]:
    """Draw one of these values."""
    return leaves(st.sampled_from(texts))


def fixed(**chosen: st.SearchStrategy[Tree]) -> st.SearchStrategy[dict[str, Tree]]:
    """Draw a mapping in which each of these keys is there or not."""
    return st.fixed_dictionaries({}, optional=dict(chosen))


WORDS = one_of("Notes", "42", "true", "3.5", "a b", "on", "7 up", "it's")
NUMBERS = st.one_of(st.integers(0, 96).map(str), st.sampled_from(["0.5", "47.25", "95.999"]))
POINTS = st.tuples(NUMBERS, NUMBERS).map(",".join)
STROKES = one_of("8", "0.5", "24", "07")


def _shape(kind: str, texts: st.SearchStrategy[str], *, stroked: bool) -> st.SearchStrategy[Tree]:
    required = {kind: leaves(texts)} | ({"stroke": STROKES} if stroked else {})
    optional = {"cut": one_of("yes", "no")} | ({} if stroked else {"stroke": STROKES})
    return st.fixed_dictionaries(required, optional=optional)


SHAPES = st.one_of(
    _shape("polygon", st.lists(POINTS, min_size=3, max_size=5).map(" ".join), stroked=False),
    _shape("circle", st.integers(1, 40).map(lambda radius: f"48,48 {radius}"), stroked=False),
    _shape("line", st.tuples(POINTS, POINTS).map(" ".join), stroked=True),
    _shape("path", st.tuples(POINTS, POINTS).map(lambda p: f"M {p[0]} L {p[1]} Z"), stroked=False),
)
OWN_GLYPHS = ("wave", "no-entry", "x2")
GLYPHS = st.dictionaries(
    st.sampled_from(OWN_GLYPHS), st.one_of(SHAPES, st.lists(SHAPES, min_size=1, max_size=3))
)


def durations(name: str) -> st.SearchStrategy[Tree]:
    """Draw what a timing may be."""
    least, most = rules.BOUNDS[name]
    in_ms = st.integers(least, most).map(lambda number: f"{number} ms")
    in_s = st.integers(-(-least // 1000), most // 1000).map(lambda number: f"{number} s")
    return leaves(st.one_of(in_ms, in_s, in_s.map(lambda text: text.replace(" ", ""))))


@st.composite
def a_look(draw: st.DrawFn, glyphs: tuple[str, ...]) -> dict[str, Tree]:
    """Draw a face that can be read, inks and glyph of its own."""
    ground = draw(st.from_regex("#[0-9A-Fa-f]{6}", fullmatch=True))
    ink = Leaf(readable_ink(ground.lower()))
    return {"colour": Leaf(ground), "ink": ink, "glyph_ink": ink, "glyph": draw(one_of(*glyphs))}


_SENT = [
    f"{'steer' if verb.kind is VerbKind.STEER else 'verb'} {verb.name}"
    for verb in shipped_verbs().usable.values()
]
BINDINGS = one_of(
    *(f"verdict {action.value}" for action in Action),
    *(f"control {brake.value}" for brake in Brake),
    *_SENT,
    "open app Obsidian",
    "open app /Applications/A b.app",
    "open url https://example.org/a?b=c",
    "open url HTTP://example.org",
    "open url claude-cli://open?cwd=/R/app&q=fix%20the%20tests",
    "run /usr/bin/say hello",
    "run ~/bin/x 'a b'",
    "verdict  approve",
)


@st.composite
def keys(draw: st.DrawFn, columns: int, *, filled: bool) -> dict[str, Tree]:
    """Draw the keys of a row, by column: short forms and long ones."""
    binding = (
        st.one_of(BINDINGS, one_of("pin app X", "pin url https://a.org")) if filled else BINDINGS
    )
    long = st.fixed_dictionaries(
        {"bind": binding}, optional={"label": WORDS, "glyph": one_of(*shipped_xl().glyphs)}
    )
    bare = one_of("blank").map(lambda leaf: {"bind": leaf})
    number = st.integers(1, columns).map(str)
    return draw(
        st.dictionaries(
            number, st.one_of(binding, one_of("blank"), long, bare), min_size=1, max_size=4
        )
    )


@st.composite
def whole_layouts(draw: st.DrawFn) -> dict[str, Tree]:
    """Draw a layout that stands on no other."""
    model = draw(st.sampled_from(list(MODELS.values())))
    rows: list[Tree] = []
    for number in range(draw(st.integers(1, model.grid.rows))):
        filled = number == 0 and draw(st.booleans())
        row: dict[str, Tree] = {"name": Leaf(f"row {number}", quoted=draw(st.booleans()))}
        if filled:
            row |= {"fill": Leaf("slot"), **draw(fixed(long_press=one_of("teardown")))}
        rows.append(row | draw(fixed(keys=keys(model.grid.columns, filled=filled))))
    layout = {"device": Leaf(model.name), "rows": rows, **draw(_sections())}
    if "glyphs" in layout or draw(st.booleans()):
        names = tuple(shipped_xl().glyphs)
        layout["states"] = {name: draw(a_look(names)) for name in looks.STATES}
    return layout


def _sections() -> st.SearchStrategy[dict[str, Tree]]:
    """Draw sections any layout may have."""
    names = tuple(shipped_xl().glyphs)
    labels: dict[str, st.SearchStrategy[Tree]] = {
        "strip": st.lists(WORDS, min_size=1, max_size=3),
        "short": st.dictionaries(st.sampled_from(["database", "x y"]), WORDS, min_size=1),
    }
    line = st.integers(rules.SHORTEST_LINE, rules.LONGEST_LINE)
    return fixed(
        timings=_some({name: durations(name) for name in rules.BOUNDS}),
        marks=_some({name: one_of(*names) for name in looks.MARKED}),
        armed=a_look(names),
        rest=a_look(names),
        glyphs=GLYPHS.filter(bool),
        labels=st.fixed_dictionaries(
            {"line": leaves(line.map(lambda n: f"{n} {rules.LINE_UNIT}"))}, optional=labels
        ),
    )


def _some(values: dict[str, st.SearchStrategy[Tree]]) -> st.SearchStrategy[Tree]:
    return fixed(**values).filter(bool)


@st.composite
def extending_layouts(draw: st.DrawFn) -> dict[str, Tree]:
    """Draw a layout that stands on the shipped xl and says no more than it has to."""
    names = tuple(shipped_xl().glyphs)
    parts = {"label": WORDS, "glyph": one_of(*names)}
    row = draw(st.sampled_from(["commands", "verdicts", "brakes"]))
    bound = {"commands": "12345678", "verdicts": "1234567", "brakes": "18"}[row]
    looked = st.dictionaries(st.sampled_from(bound), _some(parts), min_size=1, max_size=2)
    changed = st.one_of(looked, keys(8, filled=False))
    more = fixed(
        states=st.dictionaries(st.sampled_from(list(looks.STATES)), a_look(names), min_size=1),
        rows=changed.map(lambda own: [{"name": Leaf(row), "keys": own}]),
    )
    return {"extends": Leaf("xl"), **draw(_sections()), **draw(more)}


LAYOUTS = st.one_of(whole_layouts(), extending_layouts())

_SPOILT: st.SearchStrategy[Tree] = st.one_of(
    one_of(
        *("", "3", "true", "null", "~", "yes", "no", "800", "3 s", "9 h", "#F5A623", "#12345"),
        *("slot 3", "slot 99", "slot", "verb nope", "steer test", "verb justify", "verb", "nope"),
        *("pin app X", "run say", "run", "blank", "blank x", "open url ftp://x", "open app -x"),
        *("open url https://[", "open app", "triangle-up", "Wave", "stream-deck-mini", "teardown"),
        *("48,31 7", "48,31 x", "1,1 2,2", "M 1 1 L 2 2", "M 1 1", "m 1 1", "99,1 2,2 3,3"),
        *("24.5", "-3", "0", "1e1", "0x10", "12 characters", "99 characters", "xl", "row1", "./a"),
    ),
    st.just(Leaf("3", quoted=True)),
    st.just(Leaf("true", quoted=True)),
    st.just(Leaf("99", quoted=True)),
    st.builds(lambda: [Leaf("a")]),
    st.builds(lambda: {"a": Leaf("b")}),
    st.builds(lambda: {"bind": Leaf("blank"), "label": Leaf("x")}),
)
_NAMES = st.sampled_from(
    [
        *("a", "glyph", "ink", "label", "bind", "stroke", "line", "1", "9", "01", "x", "fill"),
        *("rows", "long_press", "device", "extends", "dot", "Dot", "working", "plan", "armed"),
        *("keys", "cut"),
    ]
)


Values = st.SearchStrategy[Tree]
Names = st.SearchStrategy[str]


def spoilt() -> st.SearchStrategy[Tree]:
    """Draw a layout of which one to three things are gone, renamed, moved or replaced."""
    return spoilt_of(LAYOUTS, _SPOILT, _NAMES)


@st.composite
def spoilt_of(draw: st.DrawFn, good: Values, values: Values, names: Names) -> Tree:
    """Draw a good file with one to three things gone, renamed, or replaced by such values."""
    tree: Tree = draw(good)
    for _ in range(draw(st.integers(1, 3))):
        tree = _changed(draw, tree, values, names)
    return tree


def _changed(draw: st.DrawFn, tree: Tree, values: Values, names: Names) -> Tree:
    """Return `tree` with one change somewhere below it, or with another in its place."""
    if isinstance(tree, Leaf) or not tree or draw(st.integers(0, 9)) == 0:
        return draw(values)
    if isinstance(tree, list):
        at = draw(st.integers(0, len(tree) - 1))
        new = [] if draw(st.integers(0, 4)) == 0 else [_changed(draw, tree[at], values, names)]
        return [*tree[:at], *new, *tree[at + 1 :]]
    key = draw(st.sampled_from(list(tree)))
    match draw(st.integers(0, 5)):
        case 0:
            return {name: value for name, value in tree.items() if name != key}
        case 1:
            other = draw(names)
            return {(other if name == key else name): value for name, value in tree.items()}
        case 2:
            return {**tree, draw(names): draw(values)}
        case _:
            return {**tree, key: _changed(draw, tree[key], values, names)}
