"""Where the state folder is, and that nobody else can look into it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from flightdeck.errors import Unavailable
from flightdeck.store.paths import StateFolder


@pytest.mark.parametrize(
    ("environ", "root"),
    [
        ({"HOME": "/h"}, "/h/.fleet"),
        ({"HOME": "/h", "FLEET_HOME": "/f"}, "/f"),
        ({"HOME": "/h", "FLEET_HOME": ""}, "/h/.fleet"),
        ({"HOME": "/h", "FLEET_HOME": "  "}, "/h/.fleet"),
    ],
)
def test_fleet_home_wins_over_home(environ: dict[str, str], root: str) -> None:
    assert StateFolder.from_environment(environ).root == Path(root)


def test_without_home_the_system_knows_it() -> None:
    assert StateFolder.from_environment({}).root == Path.home() / ".fleet"


def test_folder_named_from_where_nothing_is_any_more_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(Unavailable, match="'rel' begins at the working folder"):
        StateFolder.from_environment({"FLEET_HOME": "rel"})


def test_folder_and_its_parts_are_for_their_owner_only(home: Path) -> None:
    folder = StateFolder.from_environment()
    folder.create()
    folder.create()
    made = [folder.root, *folder.root.iterdir()]
    assert folder.root == home / ".fleet"
    assert {path.name for path in made} == {
        ".fleet",
        "inbox",
        "sessions",
        "asks",
        "blocked",
        "queue",
        "compiled",
        "log",
    }
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}
