"""A person at a deck and at a terminal: what was seen, what was pressed, and what that allows.

It is told of faces and presses and knows no rule of the panel's: how long a face must
stand, what takes two presses and for how long are written down here once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

READ_S, SETTLED_S, CONFIRM_S, BOUNCE_S = 0.3, 0.25, 10.0, 0.03


@dataclass
class Face:
    """What a person saw on a key since then: a request, "" for none, and whether armed."""

    request: str
    armed: bool
    since: float


@dataclass
class Pressed:
    """A press of a key a person made, and the face that was under the thumb."""

    index: int
    at: float
    face: Face | None


@dataclass
class Person:
    """What somebody at the deck saw and did, and what somebody at a terminal typed."""

    faces: dict[int, list[Face]] = field(default_factory=dict)
    presses: list[Pressed] = field(default_factory=list)
    typed: list[tuple[str, str, float]] = field(default_factory=list)

    def sees(self, index: int, request: str, armed: bool, now: float) -> None:
        """A key comes to show that."""
        seen = self.faces.setdefault(index, [])
        if not seen or (seen[-1].request, seen[-1].armed) != (request, armed):
            seen.append(Face(request, armed, now))

    def disarmed(self) -> None:
        """The fleet is seen to be halted: nothing pressed or typed before confirms anything."""
        self.presses.append(Pressed(-1, 0.0, None))
        self.typed.append(("", "", 0.0))

    def presses_key(self, index: int, at: float) -> None:
        """The thumb comes down; what it was on is what stood there then, and stands still."""
        seen = self.faces.get(index, [])
        under = seen[-1] if seen and seen[-1].since <= at else None
        self.presses.append(Pressed(index, at, under))

    def allowed(self, index: int, request: str, *, twice: bool) -> bool:
        """Say whether the last press of the deck allows this request."""
        last = self.presses[-1]
        same = [before for before in self.presses[:-1] if before.index == index]
        if last.index != index or not read(last, request):
            return False
        if same and last.at - same[-1].at < BOUNCE_S:
            return False  # the switch of one press
        if not twice:
            return True
        return self.confirmed(last, request)

    def confirmed(self, last: Pressed, request: str) -> bool:
        """Say whether the key says it is armed, and a press of it before had armed it."""
        assert last.face is not None
        if not last.face.armed:
            return False
        for before in reversed(self.presses[:-1]):
            if before.index != last.index:
                return False
            if read(before, request) and SETTLED_S <= last.at - before.at < CONFIRM_S:
                return True
        return False

    def typed_allow(self, action: str, request: str, *, twice: bool) -> bool:
        """Say whether the last line of the terminal allows this request."""
        did, about, at = self.typed[-1]
        if (did, about) != (action, request):
            return False
        before = self.typed[-2] if len(self.typed) > 1 else None
        if not twice:
            return True
        return before is not None and before[:2] == (action, request) and at - before[2] < CONFIRM_S


def read(press: Pressed, request: str) -> bool:
    """Say whether that request stood under the thumb for long enough to be read."""
    face = press.face
    return face is not None and face.request == request and press.at - face.since >= READ_S
