"""What each key of a layout is for, in the words an editor shows beside it.

They are those of the language page, and a test holds the two together.

Source: layouts/README.md, its tables.
"""

from __future__ import annotations

MEANINGS = {
    "extends": "the layout this one is laid over, by name or path",
    "device": "the deck the layout is for",
    "rows": "the keys, row by row",
    "timings": "durations",
    "states": "the face of each state",
    "marks": "glyphs that tell one amber from another",
    "armed": "the face of a key that waits for its second press",
    "rest": "the face of keys outside the slot row",
    "glyphs": "shapes",
    "labels": "how names become two short lines",
    "row.name": "what the row is called; no two have one name",
    "row.fill": "every key of the row is a slot, left to right",
    "row.long_press": "holding a slot of this filled row arms its teardown",
    "row.keys": "what single keys are for, by column from 1",
    "key.bind": "the binding, as above",
    "key.label": "the word on the key",
    "look.colour": "the ground of the key",
    "look.ink": "the labels",
    "look.glyph": "a name from `glyphs`",
    "look.glyph_ink": "the glyph",
    "shape.polygon": "three points or more: `48,10 72,52 24,52`",
    "shape.circle": "centre and radius: `48,31 7`",
    "shape.line": "two points, and a `stroke`: `48,22 48,35`",
    "shape.path": "SVG path data of `M L H V C Q A Z`, in capitals: positions, not steps",
    "shape.stroke": "the width of the line, up to 24; without it the shape is filled",
    "shape.cut": "drawn in the colour of the key, through the shapes before it",
    "timings.long_press": "how long a key must be held down",
    "timings.armed": "how long an armed teardown waits for its second press",
    "timings.confirm": "how long an armed verdict or verb waits for its second press",
    "timings.decide": "how long a permission request is held for the deck",
    "timings.reap": "how often slots of dead sessions are freed",
    "timings.flash": "how long a key answers a press with a word",
    "labels.line": "how long the lower line may be, `12 characters`",
    "labels.strip": "a list of prefixes taken off branch names",
    "labels.short": "whole words and their short forms",
}
