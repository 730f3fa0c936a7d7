"""The agents' own records: whether they are still written as we read them.

A key gets its second witness from there. A client that writes them in other words costs
that, not the key.

Source: agents/claude_code/registry.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.agents.claude_code import registry
from flightdeck.model.finding import Finding, Known, ok, warning
from flightdeck.system import clock, process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine

_REPORT = "update flightdeck, and if that mends nothing send `flightdeck doctor --report`"
# A client that has only just begun writes its record in two steps.
_SETTLED_S = 5.0


def look(machine: Machine) -> Iterator[Finding]:
    """Say whether the records of living agents can be read."""
    folder = registry.config_dir(machine.environ) / "sessions"
    now = clock.now()
    found = [one for one in registry.survey(folder) if process.start_of(one.pid) is not None]
    bad = [one for one in found if one.fault and now - one.written > _SETTLED_S]
    for fault in sorted({one.fault for one in bad}):
        count = sum(one.fault == fault for one in bad)
        what = "{count} of {all} records in {folder} say nothing to us: {fault}"
        said = {"count": count, "all": len(found), "folder": folder, "fault": fault}
        yield warning(what, _REPORT, **said)
    if not bad and found:
        plural = Known("" if len(found) == 1 else "s")
        yield ok("{count} record{s} of running agents", count=len(found), s=plural)
    elif not bad:
        yield ok("no agent runs that keeps a record")
