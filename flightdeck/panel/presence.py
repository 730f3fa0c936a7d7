"""What tells others that this panel runs: its lock, its control socket, its plan.

All of them lie in the state folder, which somebody may remove at any time; then they
are made again, so that a second panel is still refused and a press still arrives.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.panel.control import ControlSocket
from flightdeck.store import fault
from flightdeck.store import plan as plans
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.plan import PanelPlan
    from flightdeck.panel.control import Answer
    from flightdeck.store.paths import StateFolder

_LOG = logging.getLogger(__name__)


class Presence:
    """The right to be the panel of a state folder, and how others find it."""

    def __init__(self, folder: StateFolder) -> None:
        """Take it; nobody can press a key before `open`.

        Raises:
            Refused: another panel runs.
            Unavailable: the folder cannot be made.
        """
        self._folder = folder
        folder.create()
        try:
            self._instance = _taken(folder)
        except OSError as error:
            raise folder.unusable(error) from error
        self._control: ControlSocket | None = None
        self._announce: Callable[[], None] | None = None
        self._plan: PanelPlan | None = None
        self._problem = ""

    def follow(self, plan: PanelPlan | None, problem: str) -> None:
        """Say which slots the panel has by now, None: as before, and what is wrong with a file.

        Raises:
            Unavailable: the folder cannot be written.
        """
        self._plan, self._problem = plan or self._plan, problem
        try:
            self._tell()
        except OSError as error:
            raise self._folder.unusable(error) from error

    def _tell(self) -> None:
        if self._plan is not None:
            plans.write(self._folder, self._plan)
        fault.write(self._folder, self._problem)

    def open(self, deck: str, plan: PanelPlan, answer: Callable[[Answer], Answer]) -> None:
        """Listen for presses, and say which deck and which slots this panel has.

        Raises:
            Unavailable: the folder cannot be written.
        """

        def announce() -> None:
            self._tell()
            control = self._control = ControlSocket(self._folder.control, answer)
            control.start()
            self._instance.announce(RunningPanel(os.getpid(), deck, str(control.path)))

        self._announce, self._plan = announce, plan
        try:
            announce()
        except OSError as error:
            raise self._folder.unusable(error) from error

    def tend(self) -> None:
        """Make again what is no longer there; two stats where nothing is missing.

        Raises:
            Refused: another panel has taken the folder over.
        """
        if self._instance.stands() and self._listens():
            return
        with contextlib.suppress(OSError, Unavailable):  # the next look tries again
            self._make_again()

    def stop_listening(self) -> None:
        """Take no more presses; the folder is still this panel's."""
        control, self._control = self._control, None
        if control is not None:
            control.close()

    def close(self) -> None:
        """Leave nothing behind."""
        self.stop_listening()
        with contextlib.suppress(OSError):
            fault.write(self._folder, "")
        self._instance.release()

    def _listens(self) -> bool:
        """Say whether a press would arrive, if it is meant to yet."""
        if self._announce is None:
            return True
        return self._control is not None and self._control.stands()

    def _make_again(self) -> None:
        self._folder.create()
        if not self._instance.stands():
            new = _taken(self._folder)
            self._instance.release()
            self._instance = new
        self.stop_listening()
        if self._announce is not None:
            self._announce()
        _LOG.warning("the state folder was removed, it is made again")


def _taken(folder: StateFolder) -> Instance:
    """Return the right to be the panel; hooks already wait for it, a press does not find it.

    Raises:
        Refused: another panel runs.
        OSError: the folder cannot be written.
    """
    instance = Instance(folder)
    try:
        instance.announce(RunningPanel(os.getpid(), "", ""))
    except OSError:
        instance.release()
        raise
    return instance
