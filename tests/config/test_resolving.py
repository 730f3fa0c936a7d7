"""Which file a layout stands on, and what is told when that cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.layouts import load_layout, load_layout_or_shipped, resolve_layout
from flightdeck.config.resolving import MOST_PARENTS
from flightdeck.errors import ConfigError
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder
from tests.config.layers import layered, problems, told
from tests.config.panels import SMALLEST, shipped_xl

if TYPE_CHECKING:
    from pathlib import Path

NEO = SMALLEST.replace("stream-deck-xl", "stream-deck-neo")


def on(parent: str) -> str:
    return f"extends: {parent}\ntimings:\n  armed: 5 s\n"


def test_own_layout_that_extends_its_own_name_stands_on_the_shipped(tmp_path: Path) -> None:
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts/xl.yaml").write_text(on("xl"), encoding="utf-8")
    layout, _ = load_layout_or_shipped(None, StateFolder(tmp_path), Local())
    assert layout.timings.armed_ms == 5000
    assert layout.keys == shipped_xl().keys


def test_name_is_looked_for_in_the_state_folder_first(tmp_path: Path) -> None:
    assert layered(tmp_path, on("row1")).device == "stream-deck-xl"
    assert layered(tmp_path, on("row1"), row1=NEO).device == "stream-deck-neo"


def test_layout_elsewhere_stands_on_the_one_of_the_state_folder(tmp_path: Path) -> None:
    layered(tmp_path, SMALLEST, mine=NEO)
    path = tmp_path / "elsewhere.yaml"
    path.write_text(on("mine"), encoding="utf-8")
    layout = load_layout(path, Local(), folder=StateFolder(tmp_path))
    assert (layout.device, layout.timings.armed_ms) == ("stream-deck-neo", 5000)


def test_without_a_state_folder_only_the_shipped_have_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(on("xl"), encoding="utf-8")
    assert load_layout(path, Local()).keys == shipped_xl().keys


@pytest.mark.parametrize("parent", ["./mine.yaml", "mine.yaml", "../layouts/mine.yaml"])
def test_path_starts_where_the_file_is(tmp_path: Path, parent: str) -> None:
    assert layered(tmp_path, on(parent), mine=NEO).device == "stream-deck-neo"


def test_path_may_start_at_home(tmp_path: Path, home: Path) -> None:
    (home / "neo.yaml").write_text(NEO, encoding="utf-8")
    assert layered(tmp_path, on("~/neo.yaml")).device == "stream-deck-neo"


def test_path_in_a_linked_file_starts_where_the_link_leads(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles/neo.yaml").write_text(NEO, encoding="utf-8")
    (tmp_path / "dotfiles/top.yaml").write_text(on("./neo.yaml"), encoding="utf-8")
    link = tmp_path / "top.yaml"
    link.symlink_to(tmp_path / "dotfiles/top.yaml")
    assert load_layout(link, Local()).device == "stream-deck-neo"


def test_unknown_parent_is_told_with_the_nearest(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, on("mini"), mine=NEO)
    assert str(problem.location).endswith("top.yaml:1:10")
    assert (problem.message, problem.hint) == (
        "no layout is called 'mini'",
        "did you mean 'mine'?",
    )


def test_unknown_parent_like_no_other_is_told_with_all(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, on("'0'"))
    assert problem.hint == "there are: row1, top, xl"


def test_parent_that_is_not_there_is_told_where_it_is_named(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, on("./none.yaml"))
    assert str(problem.location).endswith("top.yaml:1:10")
    assert problem.message == f"{tmp_path}/layouts/none.yaml does not exist"
    assert problem.width == len("./none.yaml")


@pytest.mark.parametrize("name", ["x" * 5000, "'" + "x/" * 3000 + "'"])
def test_name_no_file_can_have_is_told_like_any_other(tmp_path: Path, name: str) -> None:
    (line,) = told(tmp_path, on(name))
    assert line.startswith("top.yaml:1:10 ")


def test_parent_with_a_fault_of_yaml_is_told_there_and_here_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, on("mine"), mine="device: 'x\n") == [
        "mine.yaml:1:9 a quote that is never closed"
    ]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "- a\n"])
def test_parent_that_declares_nothing_is_told_where_it_is_named(tmp_path: Path, text: str) -> None:
    (line,) = told(tmp_path, on("mine"), mine=text)
    assert line == f"top.yaml:1:10 {tmp_path}/layouts/mine.yaml declares no layout"


@pytest.mark.parametrize(
    ("extends", "said"),
    [
        ("extends:\n", "top.yaml:1:9 'extends' is empty"),
        ("extends:\n  - xl\n", "top.yaml:2:3 'extends' is not a single value"),
    ],
)
def test_extends_takes_one_name(tmp_path: Path, extends: str, said: str) -> None:
    assert told(tmp_path, extends + SMALLEST) == [said]


def test_extends_written_twice_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, on("xl") + "extends: row1\n") == [
        "top.yaml:4:1 'extends' is written twice"
    ]


def test_layout_that_extends_itself_is_told_with_the_ring(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, on("./top.yaml"))
    top = tmp_path / "layouts/top.yaml"
    assert (problem.message, problem.hint) == (
        "a layout that stands on itself",
        f"break the ring: {top} -> {top}",
    )


def test_ring_of_layouts_is_told_where_it_closes(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, on("a"), a=on("b"), b="# c\n" + on("top"))
    place = tmp_path / "layouts"
    assert str(problem.location) == f"{place}/b.yaml:2:10"
    assert problem.hint == (
        f"break the ring: {place}/top.yaml -> {place}/a.yaml -> {place}/b.yaml -> {place}/top.yaml"
    )


def test_ring_is_found_behind_a_link(tmp_path: Path) -> None:
    layered(tmp_path, SMALLEST)
    (tmp_path / "layouts/other.yaml").symlink_to("top.yaml")
    assert told(tmp_path, on("./other.yaml")) == ["top.yaml:1:10 a layout that stands on itself"]


def test_chain_longer_than_anybody_can_follow_is_told(tmp_path: Path) -> None:
    chain = {f"l{n}": on(f"l{n + 1}") for n in range(MOST_PARENTS)}
    fits = {**chain, f"l{MOST_PARENTS - 1}": SMALLEST}
    assert told(tmp_path, on("l0"), **fits) == []
    assert told(tmp_path, on("l0"), **chain, **{f"l{MOST_PARENTS}": SMALLEST}) == [
        f"l{MOST_PARENTS - 1}.yaml:1:10 a layout with more than {MOST_PARENTS} below it"
    ]


def test_faults_of_yaml_in_the_file_itself_are_told_with_the_missing_parent(
    tmp_path: Path,
) -> None:
    assert told(tmp_path, "extends: nobody\nmarks: {}\n")[1:] == [
        "top.yaml:2:8 flow style, '[…]' or '{…}'"
    ]
    assert told(tmp_path, "extends: ./no.yaml\nmarks: {}\n")[1:] == [
        "top.yaml:2:8 flow style, '[…]' or '{…}'"
    ]


def test_fault_of_yaml_in_the_file_itself_hides_nothing_of_its_parent(tmp_path: Path) -> None:
    wrong = SMALLEST.replace("slot", "solt")
    assert told(tmp_path, on("mine") + "marks: {}\n", mine=wrong) == [
        "mine.yaml:3:11 a row cannot be filled with 'solt'",
        "top.yaml:4:8 flow style, '[…]' or '{…}'",
    ]


def test_every_file_a_layout_stands_on_is_known(tmp_path: Path) -> None:
    layered(tmp_path, on("a"), a=on("b"), b=SMALLEST)
    document = resolve_layout(tmp_path / "layouts/top.yaml", StateFolder(tmp_path))
    names = [parent.file.rsplit("/", 1)[-1] for parent in document.parents]
    assert names == ["a.yaml", "b.yaml", "xl.yaml"]


def test_file_that_is_no_mapping_stands_on_nothing(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("- a\n", encoding="utf-8")
    assert resolve_layout(path, None).parents == ()
    with pytest.raises(ConfigError):
        load_layout(path, Local())
