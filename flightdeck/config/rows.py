"""Rows of keys: every position of the deck gets what it is for, once.

A row with `fill: slot` gives each of its keys a slot, left to right. An explicit key
in such a row replaces the slot there, and the others keep theirs: a slot never moves.
A `pin` there reserves the slot instead.

Source: layouts/README.md, "Rows and keys".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.config.bindings import Around, parse_binding, word_of
from flightdeck.config.looks import LOOK_KEYS, compile_look, has_look
from flightdeck.config.nodes import Entry, Mapping, Node, Scalar, Span
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.values import whole
from flightdeck.model.deck import DeckModel, Position
from flightdeck.model.layout import BlankBinding, Key, LongPress, PinBinding, SlotBinding

if TYPE_CHECKING:
    from collections.abc import Mapping as ByName

    from flightdeck.config.verbs import Verbs
    from flightdeck.model.layout import Binding, Glyph, Look

ROW_KEYS = ("name", "fill", "long_press", "keys")
KEY_KEYS = ("bind", "label", *LOOK_KEYS)
FILLED_WITH = "slot"

# Bindings whose keys take no label and no look, and why.
BARE = {"slot": "a slot's face is its session's", "blank": "it is blank"}


def read_rows(
    reader: Reader,
    entry: Entry,
    deck: tuple[DeckModel, Node | None],
    looks: tuple[Look | None, ByName[str, Glyph]],
    verbs: Verbs,
) -> tuple[Key, ...]:
    """Return a key for every position of `deck`, top left first; faults are noted.

    `deck` is its model and where that is written; `looks` are the look of keys outside the
    slot row, and the glyphs by name; `verbs` are those a key can name.
    """
    model, device = deck
    rows = _Rows(reader, model, device, *looks, verbs)
    for number, row in enumerate(reader.items(entry.key, entry.value), 1):
        rows.read(number, row)
    rows.fill()
    positions = (model.grid.position(index) for index in range(model.grid.keys))
    return tuple(rows.keys.get(p) or Key(p, BlankBinding()) for p in positions)


@dataclass(slots=True)
class _Rows:
    """One pass over the rows; `keys` and where each slot was bound grow on the way."""

    reader: Reader
    model: DeckModel
    device: Node | None
    rest: Look | None
    glyphs: ByName[str, Glyph]
    verbs: Verbs
    keys: dict[Position, Key] = field(default_factory=dict)
    bound: dict[Position, Scalar] = field(default_factory=dict)
    names: dict[str, Span] = field(default_factory=dict)
    slots: dict[int, Node] = field(default_factory=dict)
    filled: list[tuple[int, Node]] = field(default_factory=list)
    held: dict[int, LongPress] = field(default_factory=dict)

    def read(self, number: int, row: Node) -> None:
        if number > self.model.grid.rows:
            hint = f"{self.model.name} has {self.model.grid.rows} rows"
            self._outside(row, f"row {number}", hint)
            return
        fields = self.reader.fields(Scalar(row.span, f"row {number}"), row, ROW_KEYS)
        self._read_name(fields.get("name"))
        first = self._first_slot(number, fields.get("fill"))
        self._read_long_press(number, fields.get("long_press"), filled="fill" in fields)
        if "keys" in fields:
            self._read_keys(number, fields["keys"], first)

    def _outside(self, node: Node, what: str, hint: str) -> None:
        """Note what the deck does not have; whoever chose the deck may be who has to mend it."""
        self.reader.report_pair(node, self.device or node, f"{what} is outside the deck", hint)

    def _read_name(self, entry: Entry | None) -> None:
        name = self.reader.text(entry.key, entry.value) if entry else None
        if entry is None or name is None:
            return
        if name in self.names:
            there = self.reader.place(self.names[name])
            hint = f"the first is {there}: rows are told apart by their names"
            self.reader.report(entry.value, f"two rows are called {quoted(name)}", hint)
        self.names.setdefault(name, entry.value.span)

    def fill(self) -> None:
        """Give the keys of filled rows that nobody bound their slot."""
        columns = self.model.grid.columns
        for nth, (row, fill) in enumerate(self.filled):
            for column in range(1, columns + 1):
                position = Position(row, column)
                if position not in self.bound:
                    binding = SlotBinding(nth * columns + column - 1)
                    self._claim(binding.slot, fill)
                    self.keys[position] = self._slot_key(position, binding)

    def _slot_key(self, position: Position, binding: SlotBinding) -> Key:
        return Key(position, binding, long_press=self.held.get(position.row))

    def _read_long_press(self, row: int, entry: Entry | None, *, filled: bool) -> None:
        what = self.reader.text(entry.key, entry.value) if entry else None
        if entry is None or what is None:
            return
        deeds = {deed.value: deed for deed in LongPress}
        if not filled:
            told = "'long_press' in a row that is not filled with slots"
            self.reader.report(entry.key, told, "write `fill: slot` in the same row")
        elif what not in deeds:
            told = f"no key does {quoted(what)} when it is held"
            self.reader.report(entry.value, told, choices(what, deeds))
        else:
            self.held[row] = deeds[what]

    def _first_slot(self, row: int, fill: Entry | None) -> int | None:
        what = self.reader.text(fill.key, fill.value) if fill else None
        if fill is None or what is None:
            return None
        if what != FILLED_WITH:
            told = f"a row cannot be filled with {quoted(what)}"
            self.reader.report(fill.value, told, f"only `{FILLED_WITH}`")
            return None
        self.filled.append((row, fill.value))
        return (len(self.filled) - 1) * self.model.grid.columns

    def _read_keys(self, row: int, keys: Entry, first: int | None) -> None:
        for entry in self.reader.entries(keys.key, keys.value):
            position = self._position(row, entry.key)
            if position is None:
                continue
            if position in self.bound:
                told = f"key {position} has two bindings"
                self.reader.repeated(entry.key, self.bound[position], told)
                continue
            self.bound[position] = entry.key
            here = None if first is None else first + position.column - 1
            key = self._key(position, entry, here)
            if key is not None:
                self.keys[position] = key

    def _position(self, row: int, column: Scalar) -> Position | None:
        number, columns = whole(column.text), self.model.grid.columns
        hint = f"{self.model.name} has columns 1 to {columns}"
        if number is None:
            self.reader.report(column, f"{quoted(column.text)} is no column", hint)
            return None
        if not 1 <= number <= columns:
            self._outside(column, f"column {number}", hint)
            return None
        return Position(row, number)

    def _key(self, position: Position, entry: Entry, here: int | None) -> Key | None:
        fields: dict[str, Entry] = {"bind": entry}
        if isinstance(entry.value, Mapping):
            fields = self.reader.fields(entry.key, entry.value, KEY_KEYS, ("bind",))
        binding = self._binding(fields.get("bind"), here)
        label = self._label(fields.get("label"))
        look = (
            compile_look(self.reader, fields, self.glyphs, self.rest) if has_look(fields) else None
        )
        if binding is None:
            return None
        if isinstance(binding, SlotBinding | BlankBinding):
            self._nothing_but_bind(binding, fields)
        if isinstance(binding, SlotBinding):
            return self._slot_key(position, binding)
        return Key(position, binding, label or word_of(binding), look)

    def _binding(self, bind: Entry | None, here: int | None) -> Binding | None:
        if bind is None:
            return None
        around = Around(self.model.grid.keys, here, self.verbs)
        binding = self.reader.parsed(bind, lambda text: parse_binding(text, around))
        if isinstance(binding, SlotBinding | PinBinding):
            self._claim(binding.slot, bind.value)
        return binding

    def _label(self, label: Entry | None) -> str | None:
        return self.reader.text(label.key, label.value) if label else None

    def _claim(self, slot: int, at: Node) -> None:
        first = self.slots.setdefault(slot, at)
        if first is not at:
            far, near = self.reader.farthest_first(first, at)
            hint = f"the first is {self.reader.place(far.span)}: a session has one key"
            self.reader.report(near, f"slot {slot} is bound twice", hint)

    def _nothing_but_bind(self, binding: Binding, fields: ByName[str, Entry]) -> None:
        why = BARE["slot" if isinstance(binding, SlotBinding) else "blank"]
        for name, entry in fields.items():
            if name != "bind":
                self.reader.report(entry.key, f"{quoted(name)} on a key that takes none", why)
