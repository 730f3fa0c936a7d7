"""Leases over the `asks/` of a throw-away folder, with real hooks that wait there."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.panel.leases import Leases
from tests.fold.world import until
from tests.hooks.waiting import PAYLOAD, Waiting, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.hooks.place import Place

FOREVER = math.inf


@dataclass
class Rig:
    """What is held of the hooks of one place, and how often that was told to change."""

    place: Place
    leases: Leases = field(init=False)
    changes: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def __post_init__(self) -> None:
        """Hold nothing yet."""
        self.leases = Leases(self.place.root / "asks", self.changes.release)

    def ask(self, payload: bytes = PAYLOAD) -> Waiting:
        """Start a hook and give it its payload."""
        return ask(self.place).send(payload)

    def hold(self, *hooks: Waiting, until_s: float = FOREVER) -> list[str]:
        """Have the hooks held, and return their requests."""
        requests = [hook.request() for hook in hooks]
        self.leases.sync(dict.fromkeys(requests, until_s))
        until(lambda: self.leases.held() >= set(requests), "the hooks are held")
        return requests

    def opened(self) -> int:
        """Say how many write ends there are."""
        return sum(1 for one in self.leases._leases.values() if one.handle is not None)

    def synced_until(self, true: Callable[[], bool], wanted: Mapping[str, float]) -> None:
        """Do what a loop does, again and again, until it is true."""

        def turn() -> bool:
            self.leases.sync(wanted)
            return true()

        until(turn)

    def holds_nothing(self) -> None:
        """Wait until no request can be answered."""
        until(lambda: not self.leases.held(), "nothing is held")
