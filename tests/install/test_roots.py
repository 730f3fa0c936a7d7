"""Our hooks themselves say which state folder they write into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install.desired import desired
from flightdeck.install.roots import state_folders
from flightdeck.install.settings import group_of
from flightdeck.install.snippets import Site
from flightdeck.store.paths import StateFolder
from tests.install.documents import OURS, a_file, a_group

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.home import Home


def test_every_kind_of_hook_names_its_state_folder(home: Home, tmp_path: Path) -> None:
    root = tmp_path / "it's $mine"
    for event, command in desired(None, Site(tmp_path / "flightdeck", root)).items():
        home.write(a_file({event: [group_of(command)]}))
        assert state_folders(home.target) == (StateFolder(root),), event


def test_hook_of_a_stranger_or_of_another_make_names_none(home: Home) -> None:
    odd = a_group(OURS, "cat /x/inbox", "test -e 'x # flightdeck:1:spool")
    home.write(a_file({"Stop": [odd]}))
    assert state_folders(home.target) == ()


def test_file_that_cannot_be_read_names_none(home: Home) -> None:
    home.write("{ // mine\n}")
    assert state_folders(home.target) == ()
    assert state_folders(home.target.__class__(home.path / "nowhere")) == ()
