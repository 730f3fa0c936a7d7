"""Where layouts lie, and what loading one gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.layouts import (
    find_layout,
    forget_shipped,
    known_layouts,
    load_layout,
    load_layout_or_shipped,
)
from flightdeck.errors import ConfigError, FlightdeckError
from flightdeck.model.layout import AppTarget, PinBinding, SteerBinding, UrlTarget
from flightdeck.model.local import Local, Pin
from flightdeck.store.paths import StateFolder
from tests.config.panels import SMALLEST, key_at, shipped_xl

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    (tmp_path / "layouts").mkdir()
    return StateFolder(tmp_path)


def write(folder: StateFolder, name: str, text: str = SMALLEST) -> Path:
    path = folder.root / "layouts" / name
    path.write_text(text, encoding="utf-8")
    return path


def test_default_is_the_shipped_xl(folder: StateFolder) -> None:
    assert find_layout(None, folder) == shipped.folder("layouts") / "xl.yaml"


def test_users_own_layout_wins_over_the_shipped_of_that_name(folder: StateFolder) -> None:
    assert find_layout("xl", folder) == find_layout(None, folder) != write(folder, "xl.yaml")
    assert find_layout(None, folder) == folder.root / "layouts" / "xl.yaml"


def test_name_is_looked_for_among_the_shipped(folder: StateFolder) -> None:
    assert find_layout("row1", folder).parent == shipped.folder("layouts")


@pytest.mark.parametrize("wanted", ["panels/mine", "mine.yaml"])
def test_what_looks_like_a_path_is_one(folder: StateFolder, wanted: str) -> None:
    assert str(find_layout(wanted, folder)) == wanted


def test_unknown_name_is_answered_with_those_there_are(folder: StateFolder) -> None:
    write(folder, "mine.yaml")
    with pytest.raises(FlightdeckError, match="no layout is called 'mini'") as caught:
        find_layout("mini", folder)
    assert caught.value.hint == "there are: mine, row1, xl"


def test_state_folder_without_layouts_is_fine(tmp_path: Path) -> None:
    assert set(known_layouts(StateFolder(tmp_path / "none"))) == {"row1", "xl"}


def test_layout_in_the_state_folder_stands_on_the_shipped(folder: StateFolder) -> None:
    layout = load_layout(write(folder, "xl.yaml"), Local())
    assert (layout.name, layout.states) == ("xl", shipped_xl().states)


def test_faults_of_a_file_are_all_raised(folder: StateFolder) -> None:
    path = write(folder, "mine.yaml", "device: x\nrows: y\n")
    with pytest.raises(ConfigError) as caught:
        load_layout(path, Local())
    assert [p.location.line for p in caught.value.problems] == [1, 2]
    assert {p.location.file for p in caught.value.problems} == {str(path)}


def test_pins_of_the_machine_are_laid_over_the_layout() -> None:
    local = Local(pins={7: Pin(AppTarget("Obsidian"), "Notes")})
    layout = load_layout(find_layout("row1", StateFolder(shipped.folder("layouts"))), local)
    key = key_at(layout, 1, 8)
    assert (key.binding, key.label) == (PinBinding(7, AppTarget("Obsidian")), "Notes")
    assert layout.slots == tuple(range(7))


def test_pin_of_the_machine_wins_over_one_of_the_layout(folder: StateFolder) -> None:
    path = write(folder, "mine.yaml", SMALLEST + "    keys:\n      8: pin app A\n")
    layout = load_layout(path, Local(pins={7: Pin(UrlTarget("https://a.org"), "a.org")}))
    assert key_at(layout, 1, 8).binding == PinBinding(7, UrlTarget("https://a.org"))


def test_starting_with_a_good_layout_says_nothing(folder: StateFolder) -> None:
    write(folder, "mine.yaml")
    layout, warnings = load_layout_or_shipped("mine", folder, Local())
    assert (layout.name, warnings) == ("mine", ())


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_starting_with_an_empty_layout_shows_the_shipped_and_warns(
    folder: StateFolder, text: str
) -> None:
    path = write(folder, "mine.yaml", text)
    layout, (warning,) = load_layout_or_shipped("mine", folder, Local())
    assert layout.name == "xl"
    assert str(warning.location) == str(path)
    assert warning.message == "the layout is empty: the shipped 'xl' is shown"


def test_reloading_an_empty_layout_is_refused_so_the_one_in_force_stays(
    folder: StateFolder,
) -> None:
    with pytest.raises(ConfigError):
        load_layout(write(folder, "mine.yaml", ""), Local())


def test_starting_with_a_faulty_layout_is_refused(folder: StateFolder) -> None:
    write(folder, "mine.yaml", "device: x\n")
    with pytest.raises(ConfigError):
        load_layout_or_shipped("mine", folder, Local())


def test_pin_the_layout_does_not_show_is_told(folder: StateFolder) -> None:
    local = Local(pins={7: Pin(AppTarget("A"), "A"), 8: Pin(AppTarget("B"), "B")})
    _, (warning,) = load_layout_or_shipped(None, folder, local)
    assert warning.message == "slot 8 is pinned, but layout 'xl' does not show it"
    assert warning.location.file == str(folder.local)


def own_verb(folder: StateFolder, name: str, text: str) -> None:
    folder.verbs.mkdir()
    (folder.verbs / name).write_text(text, encoding="utf-8")


def test_key_sends_the_verb_of_the_machine_where_there_is_one(folder: StateFolder) -> None:
    own_verb(folder, "justify.md", "---\nkind: steer\nlabel: WHY\n---\nSay why.\n")
    layout, _ = load_layout_or_shipped(None, folder, Local())
    key = key_at(layout, 3, 5)
    assert isinstance(key.binding, SteerBinding)
    assert (key.label, key.binding.verb.text) == ("WHY", "Say why.")


def test_starting_with_a_key_whose_verb_is_broken_is_refused(folder: StateFolder) -> None:
    own_verb(folder, "justify.md", "Say why.\n")
    with pytest.raises(ConfigError) as caught:
        load_layout_or_shipped(None, folder, Local())
    (problem,) = caught.value.problems
    assert problem.message == "verb 'justify' cannot be used"
    assert problem.hint == f"{folder.verbs / 'justify.md'}:1:1: no frontmatter"


def test_broken_verb_no_key_names_stands_in_nobodys_way(folder: StateFolder) -> None:
    own_verb(folder, "dryrun.md", "Show it.\n")
    assert load_layout_or_shipped(None, folder, Local())[0].name == "xl"


def test_shipped_verbs_that_were_forgotten_are_read_again() -> None:
    row1 = shipped.folder("layouts") / "row1.yaml"
    layout = load_layout(row1, Local())
    forget_shipped()
    assert load_layout(row1, Local()) == layout
