"""Which services there should be: a timer, as often as the layout wants it, and maybe a panel.

Source: README.md, "Services".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.layouts import load_layout_or_shipped
from flightdeck.config.local import load_local
from flightdeck.errors import ConfigError
from flightdeck.install.units import panel, reaper
from flightdeck.model.layout import Timings

if TYPE_CHECKING:
    from flightdeck.install.services import Services
    from flightdeck.install.units import Job
    from flightdeck.store.paths import StateFolder


def wanted_jobs(services: Services, *, with_panel: bool | None = None) -> tuple[Job, ...]:
    """Return the jobs there should be, the reaper first; None is about the panel: as it is."""
    timer = reaper(_reap_ms(services.state))
    panel_too = services.has(panel()) if with_panel is None else with_panel
    return (timer, panel()) if panel_too else (timer,)


def _reap_ms(state: StateFolder) -> int:
    """Return how often the layout in force wants the timer, in milliseconds.

    What is wrong with a layout is for others to tell.
    """
    try:
        layout, _ = load_layout_or_shipped(None, state, load_local(state))
    except ConfigError:
        return Timings().reap_ms
    return layout.timings.reap_ms
