"""How a command that has no panel folds: with what the last panel compiled."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Final

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.errors import FlightdeckError
from flightdeck.fold.folding import Fold, Outcome
from flightdeck.fold.judging import judge_for
from flightdeck.store import fault
from flightdeck.store import plan as plans
from flightdeck.store.instance import running_panel
from flightdeck.store.journal import Journal
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.plan import PanelPlan
    from flightdeck.model.session import Session
    from flightdeck.ports import Judge
    from flightdeck.store.paths import StateFolder

_NOBODY: Final = {"running": False, "pid": None, "deck": None, "problem": None}


def open_fold(
    folder: StateFolder, plan: PanelPlan | None = None, judge: Judge | None = None
) -> Fold:
    """Return a fold over `folder`, made if it was not there; `plan` None: as last compiled.

    `judge` tells the tier of the calls that ask; None: by the rules of the folder.

    Raises:
        Unavailable: the folder cannot be made.
    """
    folder.create()
    plan = plan or plans.read(folder)
    return Fold(folder, agent_kinds(judge or judge_for(folder)), plan, journal_of(folder, plan))


def journal_of(folder: StateFolder, plan: PanelPlan) -> Journal | None:
    """Return the journal `plan` asks for, None where it asks for none."""
    if not plan.journal_bytes:
        return None
    return Journal(folder.journal, plan.journal_bytes, plan.journal_files)


def fold_once(
    fold: Fold, amend: Callable[[Session], Session] | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """Fold now and return the outcome, and what is known of the running panel.

    `amend` is applied to every session: a fact only the caller knows.

    Raises:
        Unavailable: the state folder cannot be written, or another process keeps it.
    """
    panel = panel_json(fold.folder)
    try:
        return fold.step(clock.now(), panel, amend), panel
    except OSError as error:
        raise fold.folder.unusable(error) from error


def panel_json(folder: StateFolder) -> dict[str, Any]:
    """Return the `panel` part of the snapshot: whether one runs, its pid and deck.

    `problem` is that of a file it is made of, while it shows what it last could read.
    """
    panel = running_panel(folder)
    if panel is None:
        return dict(_NOBODY)
    about = {"running": True, "pid": panel.pid or None, "deck": panel.deck or None}
    return about | {"problem": fault.read(folder) or None}


def own_panel_json(deck: str, problem: str = "") -> dict[str, Any]:
    """Return the same for the panel that asks."""
    return {"running": True, "pid": os.getpid(), "deck": deck, "problem": problem or None}


def fold_goodbye(fold: Fold) -> None:
    """Let the last snapshot say that no panel runs any more; never raises."""
    with contextlib.suppress(OSError, FlightdeckError):
        fold.step(clock.now(), dict(_NOBODY))
