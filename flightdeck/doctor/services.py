"""The services: what `install.service_check` says of them.

Source: README.md, "Services".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install.jobs import wanted_jobs
from flightdeck.install.service_check import inspect_services
from flightdeck.install.services import Services, find_manager
from flightdeck.install.surroundings import service_site
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine
    from flightdeck.model.finding import Finding


def look(machine: Machine) -> Iterator[Finding]:
    """Say of the timer, and of the panel where it is a service, how they fare."""
    services = Services(find_manager(machine.environ, machine.platform), machine.folder)
    site = service_site(machine.environ, machine.folder)
    return inspect_services(services, wanted_jobs(services), site, clock.now())
