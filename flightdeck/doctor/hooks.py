"""The hooks in the user's settings, and whatever keeps them from running.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install import client, desired
from flightdeck.install.inspect import Subject, inspect
from flightdeck.install.policy import read_policy
from flightdeck.install.record import Records

if TYPE_CHECKING:
    from flightdeck.doctor.machine import Machine
    from flightdeck.model.finding import Finding


def look(machine: Machine) -> list[Finding]:
    """Say of the hooks what is wrong with them; nothing where no client is."""
    target = machine.settings
    if machine.client is None and not target.folder.is_dir():
        return []
    version = machine.client.version if machine.client else None
    known = (other.file for other in Records(machine.folder).targets())
    return inspect(
        Subject(
            target=target,
            wanted=desired.desired(version, client.find_site(machine.folder.root)),
            cwd=machine.cwd,
            inbox=machine.folder.inbox,
            policy=read_policy(machine.platform, machine.root),
            elsewhere=tuple(file for file in known if file != target.file and file.exists()),
        )
    )
