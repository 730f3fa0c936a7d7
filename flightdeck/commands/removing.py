"""`apply --remove`: everything to take out, in this state folder and in any our hooks name.

Somebody may have installed with another `FLEET_HOME` than the one that removes.

Source: README.md, "Uninstall".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.commands.applying import Step, hooks_step, service_removal
from flightdeck.errors import FlightdeckError
from flightdeck.install import claude_code, client, remains, roots
from flightdeck.install.record import Records
from flightdeck.install.target import Target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from flightdeck.store.paths import StateFolder


def states_of(state: StateFolder) -> tuple[StateFolder, ...]:
    """Return `state`, and every other our hooks write into."""
    targets = [_here(), *Records(state).targets()]
    named = [found for target in targets for found in roots.state_folders(target)]
    return tuple(dict.fromkeys((state, *named)))


def removal(
    states: Sequence[StateFolder], arguments: argparse.Namespace
) -> tuple[list[Step], list[str]]:
    """Return the steps that take everything out, and what keeps hooks in some file.

    A file that cannot be read keeps our hooks in no other one; it is told as a warning.

    Raises:
        FlightdeckError: there is no file that can be read.
    """
    steps: list[Step] = []
    refusals: list[FlightdeckError] = []
    for target in _targets(states):
        try:
            steps.append(_taken_out(target, _records_of(target, states)))
        except FlightdeckError as error:
            refusals.append(error)
    if not steps:
        raise refusals[0]
    services = [service_removal(states)] if arguments.services else []
    return [*steps, *services], [error.message for error in refusals]


def tidy(states: Sequence[StateFolder]) -> list[str]:
    """Leave nothing behind that only hooks needed, and say what is left of the state folders.

    Raises:
        FlightdeckError: something of ours cannot be taken out.
    """
    for target in _targets(states):
        for state in states:
            claude_code.settle(target, Records(state))
    left = {state.root: remains.clear(state) for state in states}
    return [
        f"left in {root}: {', '.join(names)}; nothing uses them now, some may be files of yours"
        for root, names in left.items()
        if names
    ]


def _here() -> Target:
    return Target(client.config_folder(os.environ))


def _targets(states: Sequence[StateFolder]) -> list[Target]:
    known = [target for state in states for target in Records(state).targets()]
    return list(dict.fromkeys([_here(), *known]))


def _records_of(target: Target, states: Sequence[StateFolder]) -> Records:
    known = (Records(state) for state in states if Records(state).load(target))
    return next(known, Records(states[0]))


def _taken_out(target: Target, records: Records) -> Step:
    return hooks_step(
        claude_code.plan_remove(target, records),
        lambda: claude_code.remove(target, records),
        f"no hooks of flightdeck are left in {target.file}",
        f"no hooks of flightdeck are in {target.file}, nothing to change",
        f"taking the hooks out of {target.file}",
    )
