"""The faces of one deck as bytes it takes, each drawn once.

A face depends on its view alone, so the view is the key; the name a screen reader
speaks is not in the picture. For one painter thread; make a new one when a template
has changed.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from typing import TYPE_CHECKING

from flightdeck.faces.encode import encode
from flightdeck.faces.picture import draw_face
from flightdeck.faces.svg import progress

if TYPE_CHECKING:
    from flightdeck.model.deck import KeyFormat
    from flightdeck.model.keyview import KeyView
    from flightdeck.templating import Templates

_KEPT = 512


class Faces:
    """Native pictures for the keys of one format, the last `kept` of them remembered."""

    def __init__(
        self, key: KeyFormat, kept: int = _KEPT, templates: Templates | None = None
    ) -> None:
        self._key = key
        self._limit = kept
        self._templates = templates
        self._kept: OrderedDict[KeyView, bytes] = OrderedDict()

    def native(self, view: KeyView) -> bytes:
        """Return the bytes of a face; one that cannot be drawn is the error face.

        Equal pictures are the same object, so a caller may compare by identity.
        """
        same = dataclasses.replace(view, name="", progress=progress(view.progress))
        known = self._kept.get(same)
        if known is not None:
            self._kept.move_to_end(same)
            return known
        face = draw_face(same, self._key.width, self._key.height, self._templates)
        drawn = encode(face, self._key)
        self._kept[same] = drawn
        if len(self._kept) > self._limit:
            self._kept.popitem(last=False)
        return drawn
