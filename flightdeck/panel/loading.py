"""The files of a panel read: at its start, and after every edit, whole or not at all.

What was not edited since is not made again. Knows files, no key and no fleet.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from flightdeck.config.compiling import EMPTY
from flightdeck.config.layouts import (
    find_layout,
    forget_shipped,
    load_layout,
    load_layout_or_shipped,
    pins_not_shown,
)
from flightdeck.config.local import load_local
from flightdeck.config.templates import FACES, load_templates
from flightdeck.config.text import noting_reads, shown
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError, FlightdeckError, Location, Problem
from flightdeck.faces.cache import Faces
from flightdeck.faces.trial import only_check, problems_of
from flightdeck.fold.judging import compile_rules, judge_by, judge_for
from flightdeck.model.display import display
from flightdeck.model.plan import PanelPlan
from flightdeck.panel.demo import picture
from flightdeck.panel.messages import Edited
from flightdeck.panel.setup import Setup
from flightdeck.panel.sources import Sources, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from flightdeck.model.deck import KeyFormat
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout
    from flightdeck.model.local import Local
    from flightdeck.ports import Judge
    from flightdeck.store.paths import StateFolder
    from flightdeck.templating import Templates

_LOG = logging.getLogger(__name__)


class Loading:
    """Reads the files of the panel of one state folder, for keys of one format."""

    def __init__(self, folder: StateFolder, wanted: str | None) -> None:
        """`wanted` is the name or path of a layout, None for the default."""
        self.sources = Sources(folder)
        self.before = self.sources.stamp()
        self.problem = ""
        self._folder = folder
        self._wanted = wanted
        self._path: Path | None = None
        self._device = ""
        self._key: KeyFormat | None = None
        self._faces: tuple[object, Faces] | None = None
        self._judge: tuple[object, Judge, tuple[Problem, ...]] | None = None

    def begin(self) -> tuple[Layout, Local, tuple[Problem, ...]]:
        """Return what the panel starts with, and what its owner should know.

        Raises:
            FlightdeckError: no layout has that name.
            ConfigError: the layout or local.yaml has problems.
        """
        self._path = find_layout(self._wanted, self._folder)
        self.sources.name({self._path})
        before = self.sources.stamp()
        with noting_reads() as read:
            local = load_local(self._folder)
            layout, warnings = load_layout_or_shipped(self._wanted, self._folder, local)
            broken = load_verbs(self._folder).problems
        self.sources.name({*read, self._path})
        self.before = self.sources.stamp().as_before(before)
        self._device = layout.device
        empty = [problem for problem in warnings if problem.message.startswith(EMPTY[0])]
        self.problem = in_a_line([*empty, *(one for some in broken.values() for one in some)])
        return layout, local, warnings

    def setup(self, layout: Layout, local: Local, key: KeyFormat) -> Setup:
        """Return the whole the panel starts with; rules or faces with a problem are left out."""
        self._key = key
        try:
            native = self._drawn(layout)
        except ConfigError as error:
            self._tell_at_start(error.problems)
            native = Faces(key).native
        judge, problems = self._judged()
        if problems:
            self._tell_at_start(problems)
        return Setup(layout, PanelPlan.of(layout, local), judge, native)

    def again(self) -> Edited:
        """Return what the files say now; never raises. The log tells every problem."""
        try:
            setup, problems = self._loaded()
        except ConfigError as error:
            _log(error.problems)
            return Edited(None, in_a_line(error.problems))
        except Exception as error:  # a bug in reading must not end what reads the next edit
            told = error.message if isinstance(error, FlightdeckError) else type(error).__name__
            _LOG.warning("the edit is not used: %s", told)
            return Edited(None, told)
        _log(problems)
        return Edited(setup, in_a_line(problems))

    def _loaded(self) -> tuple[Setup, list[Problem]]:
        forget_shipped()
        with noting_reads() as read:
            try:
                layout, local, problems = self._read()
            finally:
                self.sources.name({*read, *([self._path] if self._path else [])})
        judge, faults = self._judged()
        if faults:
            raise ConfigError([*problems, *faults])
        setup = Setup(layout, PanelPlan.of(layout, local), judge, self._drawn(layout))
        for warning in pins_not_shown(layout, self._folder, local):
            _LOG.warning("%s: %s", warning.location, warning.message)
        return setup, problems

    def _read(self) -> tuple[Layout, Local, list[Problem]]:
        """Return the layout, what is this machine's own, and what is wrong with other verbs."""
        local, verbs = load_local(self._folder), load_verbs(self._folder)
        # A fragment's problem is that of every verb it stands before.
        problems = list(dict.fromkeys(p for some in verbs.problems.values() for p in some))
        path = self._found()
        try:
            layout = load_layout(path, local, verbs, self._folder)
        except ConfigError as error:
            raise ConfigError([*problems, *error.problems]) from error
        if layout.device != self._device:
            told = f"the panel runs on a '{self._device}', not on a '{layout.device}'"
            hint = "a deck is chosen at the start: end the panel and start it again"
            raise ConfigError([Problem(Location(shown(path)), told, hint)])
        self._path = path
        return layout, local, problems

    def _found(self) -> Path:
        """Return the file of the layout; one that is gone is not taken for an edit."""
        path = find_layout(self._wanted, self._folder)
        if self._path is not None and path != self._path and not self._path.exists():
            hint = f"put it back; a panel that starts without it shows {shown(path)}"
            raise ConfigError([Problem(Location(shown(self._path)), "does not exist", hint)])
        return path

    def _judged(self) -> tuple[Judge, tuple[Problem, ...]]:
        """Return who judges by the rules there are, and what is wrong with their files."""
        there = listed(self.sources.risk)
        if self._judge is None or self._judge[0] != there:
            self._judge = (there, *_judge(self._folder))
        return self._judge[1:]

    def _drawn(self, layout: Layout) -> Callable[[KeyView], bytes]:
        """Return who draws with the templates there are.

        Raises:
            ConfigError: a template has a problem, or draws what no key can show.
        """
        there = listed(self.sources.faces)
        if self._faces is None or self._faces[0] != there:
            assert self._key is not None  # noqa: S101 - `setup` comes first
            templates = load_templates(FACES, self._folder.templates / FACES)
            _try(templates, layout, self._key)
            self._faces = (there, Faces(self._key, templates=templates))
        return self._faces[1].native

    def _tell_at_start(self, problems: Sequence[Problem]) -> None:
        _log(problems)
        self.problem = self.problem or in_a_line(problems)


def in_a_line(problems: Sequence[Problem]) -> str:
    """Return the first problem with its place, and how many more there are; "" for none."""
    if not problems:
        return ""
    first, more = problems[0], len(problems) - 1
    return f"{first.location}: {first.message}" + (f" (and {more} more)" if more else "")


def _judge(folder: StateFolder) -> tuple[Judge, tuple[Problem, ...]]:
    try:
        rules = compile_rules(folder)
        return judge_by(rules.table), rules.problems
    except Exception as error:  # it must be judged by something: that one never raises
        _LOG.warning("no risk table: %s", type(error).__name__)
        return judge_for(folder), ()


def _try(templates: Templates, layout: Layout, key: KeyFormat) -> None:
    """Draw one key of each kind: what cannot be drawn now is told now, not on the deck.

    Raises:
        ConfigError: see `_drawn`.
    """
    size = (key.width, key.height)
    views = display(layout, picture(layout.labels)).values()
    some = {view.background: view for view in views}.values()
    problems = problems_of(templates, [size], draw=only_check)
    if problems := problems or problems_of(templates, [size], some):
        raise ConfigError(problems)


def _log(problems: Sequence[Problem]) -> None:
    for problem in problems:
        _LOG.warning("%s: %s", problem.location, problem.message)
