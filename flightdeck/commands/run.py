"""Run the panel: the layout on a deck, kept true to the agents that run here.

`--deck auto` takes the Stream Deck that is attached and else a browser tab.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.commands.panel_arguments import (
    add_deck_arguments,
    ended_by_signals,
    interrupted_by_signals,
    where_it_is,
)
from flightdeck.commands.result import Result
from flightdeck.commands.selecting import select_session
from flightdeck.commands.steering import sent_verb, steer_verb
from flightdeck.config.report import render_text
from flightdeck.decks.catalogue import make_deck
from flightdeck.errors import Gone, Unavailable
from flightdeck.faces.encode import encode
from flightdeck.faces.picture import error_face
from flightdeck.fold.judging import LiveJudge
from flightdeck.fold.opening import fold_goodbye, journal_of, open_fold, own_panel_json
from flightdeck.hosts.app import open_target
from flightdeck.hosts.catalogue import Hosts
from flightdeck.install.links import must_be_safe
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import LINK_SCHEME, UrlTarget
from flightdeck.panel.leases import Leases
from flightdeck.panel.loading import Loading
from flightdeck.panel.loop import Panel
from flightdeck.panel.messages import Edited
from flightdeck.panel.perform import BrakeWorld, VerbWorld, World
from flightdeck.panel.presence import Presence
from flightdeck.panel.presses import Presses
from flightdeck.panel.reach import Reach, Witnesses
from flightdeck.panel.reloading import Reloading
from flightdeck.panel.renderers import Renderers
from flightdeck.panel.teardown import subject_of, tear_down
from flightdeck.panel.watching import Watching
from flightdeck.store import asks, gates, latch
from flightdeck.store.log import log_to
from flightdeck.store.paths import StateFolder
from flightdeck.system.foreground import in_front
from flightdeck.system.run import run as run_program
from flightdeck.system.run import start

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.effect import Answer
    from flightdeck.model.layout import Target
    from flightdeck.model.teardown import Outcome
    from flightdeck.panel.setup import Setup
    from flightdeck.ports import AgentKind, Deck

_LOG = logging.getLogger(__name__)

EXAMPLES = """examples:
  flightdeck run                        the attached Stream Deck, else a browser tab
  flightdeck run --deck browser --port 8700
  flightdeck run --layout row1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the deck and the layout."""
    add_deck_arguments(parser, "auto")
    parser.add_argument("--layout", metavar="NAME|PATH", help="default: xl")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Run until a signal, or for --seconds.

    Raises:
        Refused: another panel runs.
        Unavailable: the deck is not there, or has gone.
        ConfigError: the layout or local.yaml has problems.
    """
    folder = StateFolder.from_environment()
    loading = Loading(folder, arguments.layout)
    layout, local, warnings = loading.begin()
    if warnings:
        say(render_text(warnings))
    with interrupted_by_signals(), ExitStack() as stack:
        presence, leases = Presence(folder), Leases(folder.asks)
        # A hook that comes while the panel ends sees its lock gone, or is let go here.
        stack.callback(leases.close)
        stack.callback(presence.close)
        asks.sweep(folder.asks, panel_alive=True)
        stack.callback(_logging(folder))
        deck = make_deck(
            arguments.deck, MODELS[layout.device], record=arguments.record, port=arguments.port
        )
        setup = loading.setup(layout, local, deck.model.key)
        _run(_Parts(folder, loading, setup, deck, leases), presence, stack, arguments, say)
    return Result(("the panel has ended",))


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the panel is put together from."""

    folder: StateFolder
    loading: Loading
    setup: Setup
    deck: Deck
    leases: Leases


def _run(
    parts: _Parts, presence: Presence, stack: ExitStack, arguments: argparse.Namespace, say: Say
) -> None:
    deck, setup = parts.deck, parts.setup
    judge = LiveJudge(setup.judge)
    fold = open_fold(parts.folder, setup.plan, judge)
    hosts = Hosts()
    stack.callback(hosts.close)
    leases, kinds = parts.leases, agent_kinds()
    world = World(
        focus=lambda _, place: hosts.focus(place),
        open_target=_open,
        start=start,
        answer=lambda answer: _answer(answer, fold, kinds, leases),
        select=lambda key: select_session(parts.folder, key),
        brakes=_brakes(parts.folder, stack),
        tear_down=lambda key: _tear_down(key, fold),
        verbs=_verbs(parts.folder, fold, stack),
    )
    key = deck.model.key
    panel = Panel(setup.layout, deck, fold, world, setup.native)
    panel.know_torn(encode(error_face(key.width, key.height), key))
    # From here on a signal only queues, also while what follows is taken down again.
    stack.enter_context(ended_by_signals(panel))
    panel.scan.about = own_panel_json(deck.name, parts.loading.problem)
    renderers = Renderers(setup.plan.renderers)
    stack.callback(renderers.close)
    panel.scan.on_snapshot = renderers.send
    panel.requests.leases, leases.changed = leases, panel.wake
    stack.callback(fold_goodbye, fold)
    watching = Watching(parts.folder, panel.wake)
    stack.callback(watching.close)
    panel.tend = lambda: _tend(presence, watching, fold)
    stack.callback(presence.stop_listening)
    presses = Presses(
        panel,
        lambda name: steer_verb(name, parts.folder),
        lambda name: sent_verb(name, parts.folder),
    )
    presence.open(deck.name, setup.plan, presses.answer)
    _follow_edits(parts, _Edits(panel, fold, judge, renderers, presence, deck.name), stack)
    # A browser deck has no address before it is open.
    panel.on_open = lambda: say(where_it_is(deck, arguments.deck))
    panel.run(arguments.seconds)


@dataclass(frozen=True, slots=True)
class _Edits:
    """What goes by the files of the panel beside the panel itself."""

    panel: Panel
    fold: Fold
    judge: LiveJudge
    renderers: Renderers
    presence: Presence
    deck: str

    def follow(self, edited: Edited) -> None:
        """Go by them from now on, and say what is wrong with them."""
        plan = None
        if edited.setup is not None:
            plan, self.judge.judge = edited.setup.plan, edited.setup.judge
            self.fold.follow(plan, journal_of(self.fold.folder, plan))
            self.renderers.follow(plan.renderers)
        self.panel.scan.about = own_panel_json(self.deck, edited.problem)
        try:
            self.presence.follow(plan, edited.problem)
        except Unavailable as error:  # the panel itself shows it all the same
            _LOG.warning("%s", error.message)


def _follow_edits(parts: _Parts, edits: _Edits, stack: ExitStack) -> None:
    """Let the panel go by its files from now on, beginning with what is wrong with them."""
    following = edits.panel.following
    following.on_edit = edits.follow
    following.take(Edited(None, parts.loading.problem), parts.setup.layout)
    reloading = Reloading(parts.loading, edits.panel.tell)
    stack.callback(reloading.close)
    reloading.start()


def _brakes(folder: StateFolder, stack: ExitStack) -> BrakeWorld:
    """Return the latch, the gates, and windows of their own: no other press is waited for."""
    hosts = Hosts()
    stack.callback(hosts.close)
    return BrakeWorld(
        halt=lambda: latch.put(folder),
        lift=lambda: latch.lift(folder),
        interrupt=hosts.interrupt,
        gate=lambda session_id, closed: gates.set_to(folder, session_id, closed=closed),
    )


def _verbs(folder: StateFolder, fold: Fold, stack: ExitStack) -> VerbWorld:
    """Return the queue, and windows of their own for lines and for keystrokes."""
    witnesses = Witnesses(fold.session, agent_kinds, in_front)
    lines, strokes = Hosts(), Hosts()
    for hosts in (lines, strokes):
        stack.callback(hosts.close)
    reach = Reach(folder, lines, witnesses)
    stroke = Reach(folder, strokes, witnesses).stroke
    return VerbWorld(reach.stage, reach.unstage, reach.wake, reach.forget, stroke)


def _tear_down(key: str, fold: Fold) -> Outcome:
    try:
        session = fold.session(key)
    except KeyError as error:
        raise Gone("gone", "its session has ended meanwhile") from error
    return tear_down(subject_of(session, fold.sessions()))


def _logging(folder: StateFolder) -> Callable[[], None]:
    try:
        return log_to(folder.log / "panel.log")
    except OSError as error:
        raise folder.unusable(error) from error


def _answer(answer: Answer, fold: Fold, kinds: Mapping[str, AgentKind], leases: Leases) -> bool:
    """Give it through the hook that waits, in the words of its agent; say whether it was taken."""
    try:
        kind = kinds[fold.session(answer.key).agent]
    except KeyError:  # the session has ended meanwhile
        return False
    return leases.answer(answer.request_id, kind.answer(answer.decision))


def _open(target: Target) -> None:
    if isinstance(target, UrlTarget) and target.url.startswith(f"{LINK_SCHEME}:"):
        must_be_safe(os.environ)
    open_target(target, run_program, start, sys.platform)


def _tend(presence: Presence, watching: Watching, fold: Fold) -> bool:
    """Watch what there is now; a state folder somebody removed is made again."""
    presence.tend()
    return watching.tend(fold.watched())
