"""Which services there should be follows from the layout, and from what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.install.jobs import wanted_jobs
from flightdeck.install.services import Services, find_manager
from flightdeck.install.units import panel, reaper
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return Services(find_manager({"HOME": str(tmp_path)}, "linux"), StateFolder(tmp_path / "fleet"))


@pytest.mark.parametrize(("asked", "more"), [(None, ()), (False, ()), (True, (panel(),))])
def test_panel_is_wanted_where_it_is_asked_for(
    services: Services, asked: bool | None, more: tuple[object, ...]
) -> None:
    assert wanted_jobs(services, with_panel=asked) == (reaper(15_000), *more)


@pytest.mark.parametrize(
    ("text", "every_ms"),
    [("extends: xl\ntimings:\n  reap: 40 s\n", 40_000), ("not: a layout\n", 15_000)],
)
def test_timer_is_as_frequent_as_the_layout_in_force_wants(
    services: Services, text: str, every_ms: int
) -> None:
    file = services.state.root / "layouts/xl.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert wanted_jobs(services)[0] == reaper(every_ms)


def test_timer_is_the_usual_one_where_this_machines_file_is_broken(services: Services) -> None:
    services.state.root.mkdir()
    services.state.local.write_text("pinz: 1\n")
    assert wanted_jobs(services) == (reaper(15_000),)
