"""What a panel is made of, read from its files: whole, or every reason why not."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config import layouts
from flightdeck.errors import ConfigError
from flightdeck.model.deck import Position
from flightdeck.model.decks import MODELS
from flightdeck.model.display import display
from flightdeck.model.layout import RunBinding, VerbBinding
from flightdeck.model.risk import Tier
from flightdeck.panel.demo import picture
from flightdeck.panel.loading import Loading
from flightdeck.store.paths import StateFolder
from tests.own_rule import OWN_RULE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.panel.messages import Edited
    from flightdeck.panel.setup import Setup

GREY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{{ "" if paint.ground }}</svg>'
MINE = "device: stream-deck-xl\n\nrows:\n  - fill: slot\n  - keys:\n      1: verb commit\n"
XL = MODELS["stream-deck-xl"].key


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the shipped folders that a test may edit."""
    for name in ("layouts", "verbs", "risk", "templates"):
        shutil.copytree(shipped.folder(name), tmp_path / name)
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path / name)
    layouts.forget_shipped()
    yield tmp_path
    monkeypatch.undo()
    layouts.forget_shipped()


@pytest.fixture
def folder() -> StateFolder:
    folder = StateFolder.from_environment()
    folder.create()
    (folder.root / "layouts").mkdir()
    return folder


def mine(folder: StateFolder, text: str = MINE) -> Path:
    path = folder.root / "layouts" / "xl.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def begun(folder: StateFolder, wanted: str | None = None) -> tuple[Loading, Setup]:
    loading = Loading(folder, wanted)
    layout, local, _ = loading.begin()
    return loading, loading.setup(layout, local, XL)


def used(edited: Edited) -> Setup:
    assert edited.setup is not None, edited.problem
    return edited.setup


def test_panel_begins_with_what_its_files_say(folder: StateFolder) -> None:
    mine(folder)
    loading, setup = begun(folder)
    bound = {key.position: key.binding for key in setup.layout.keys}
    assert isinstance(bound[Position(2, 1)], VerbBinding)
    assert loading.problem == ""
    assert setup.plan.slots == tuple(range(8))


def test_layout_with_a_problem_begins_no_panel(folder: StateFolder) -> None:
    mine(folder, "{{{")
    with pytest.raises(ConfigError):
        Loading(folder, None).begin()


def test_empty_layout_begins_as_the_shipped_one_and_is_a_problem(folder: StateFolder) -> None:
    mine(folder, "")
    loading, setup = begun(folder)
    assert setup.layout.name == "xl"
    assert "the layout is empty" in loading.problem


def test_pin_no_key_shows_is_told_and_is_no_problem(
    folder: StateFolder, caplog: pytest.LogCaptureFixture
) -> None:
    mine(folder)
    folder.local.write_text("pins:\n  77: app Mail\n", encoding="utf-8")
    loading, _ = begun(folder)
    assert loading.problem == ""
    assert loading.again().problem == ""
    assert "slot 77 is pinned" in caplog.text


def test_what_was_not_edited_is_not_made_again(folder: StateFolder) -> None:
    path = mine(folder)
    loading, before = begun(folder)
    path.write_text(MINE.replace("commit", "push"), encoding="utf-8")
    after = used(loading.again())
    assert after.layout != before.layout
    assert (after.native, after.judge) == (before.native, before.judge)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the layout is empty"),
        (MINE.replace("commit", "comit"), ":6:10: unknown verb 'comit'"),
        (MINE.replace("commit", "comit") + "      2: verb no\n", "(and 1 more)"),
        ("device: stream-deck-mini\n\nrows:\n  - fill: slot\n", "runs on a 'stream-deck-xl'"),
        ("x" * 300_000, "is larger than 256 KiB"),
    ],
)
def test_layout_with_a_problem_is_not_used(folder: StateFolder, text: str, told: str) -> None:
    path = mine(folder)
    loading, _ = begun(folder)
    path.write_text(text, encoding="utf-8")
    edited = loading.again()
    assert edited.setup is None
    assert told in edited.problem


def test_local_file_with_a_problem_keeps_all_of_an_edit_out(folder: StateFolder) -> None:
    path = mine(folder)
    loading, _ = begun(folder)
    path.write_text(MINE.replace("commit", "push"), encoding="utf-8")
    folder.local.write_text("pinz:\n", encoding="utf-8")
    edited = loading.again()
    assert edited.setup is None
    assert "pinz" in edited.problem


def test_layout_that_is_gone_is_missed_though_another_would_be_found(folder: StateFolder) -> None:
    path = mine(folder)
    loading, _ = begun(folder)
    path.unlink()
    edited = loading.again()
    assert (edited.setup, edited.problem) == (None, f"{path}: does not exist")


def test_named_layout_nobody_has_any_more_is_told(folder: StateFolder) -> None:
    path = mine(folder).rename(folder.root / "layouts" / "desk.yaml")
    loading, _ = begun(folder, "desk")
    path.unlink()
    assert loading.again().setup is None


def test_layout_of_the_users_own_that_is_new_is_used(folder: StateFolder) -> None:
    loading, before = begun(folder)
    mine(folder)
    assert used(loading.again()).layout != before.layout


def test_verb_with_a_problem_keeps_out_the_edit_of_a_key_that_names_it(
    folder: StateFolder, caplog: pytest.LogCaptureFixture
) -> None:
    path = mine(folder)
    loading, _ = begun(folder)
    folder.verbs.mkdir()
    (folder.verbs / "commit.md").write_text("commit\n", encoding="utf-8")
    edited = loading.again()
    assert edited.setup is None
    assert edited.problem == f"{path}:6:10: verb 'commit' cannot be used (and 1 more)"
    assert f"{folder.verbs / 'commit.md'}:1:1: no frontmatter" in caplog.text


def test_verb_with_a_problem_that_is_on_no_key_is_told_with_the_edit(folder: StateFolder) -> None:
    mine(folder)
    folder.verbs.mkdir()
    (folder.verbs / "mine.md").write_text("x\n", encoding="utf-8")
    loading, _ = begun(folder)
    assert "no frontmatter" in loading.problem
    edited = loading.again()
    assert edited.setup is not None
    assert "no frontmatter" in edited.problem


def test_every_problem_is_in_the_log(folder: StateFolder, caplog: pytest.LogCaptureFixture) -> None:
    path = mine(folder)
    loading, _ = begun(folder)
    path.write_text(f"{MINE}      2: verb nope\n      3: verb neither\n", encoding="utf-8")
    loading.again()
    assert [name in caplog.text for name in ("'nope'", "'neither'")] == [True, True]


def test_bug_in_reading_is_a_problem_and_no_end(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine(folder)
    loading, _ = begun(folder)
    monkeypatch.setattr(loading.sources, "risk", None)
    edited = loading.again()
    assert (edited.setup, edited.problem) == (None, "TypeError")


def test_problem_of_a_fragment_is_told_once_for_all_its_verbs(
    folder: StateFolder, caplog: pytest.LogCaptureFixture
) -> None:
    mine(folder)
    loading, _ = begun(folder)
    folder.verbs.mkdir()
    (folder.verbs / "_common.md").write_text("", encoding="utf-8")
    loading.again()
    told = [record.getMessage() for record in caplog.records if "_common.md" in record.getMessage()]
    assert len(told) == 1


# Shipped files.


@pytest.mark.usefixtures("ship")
def test_shipped_files_that_are_edited_are_read_again(folder: StateFolder, ship: Path) -> None:
    loading, _ = begun(folder)
    verb = ship / "verbs" / "push.md"
    verb.write_text(f"{verb.read_text(encoding='utf-8')}\nBe brief.\n", encoding="utf-8")
    layout = ship / "layouts" / "xl.yaml"
    text = layout.read_text(encoding="utf-8")
    layout.write_text(f"{text}      5: run /bin/one\n", encoding="utf-8")
    setup = used(loading.again())
    bindings = {key.position: key.binding for key in setup.layout.keys}
    assert bindings[Position(4, 5)] == RunBinding(("/bin/one",))
    push = bindings[Position(2, 5)]
    assert isinstance(push, VerbBinding)
    assert push.verb.text.endswith("Be brief.")


# Rules.


def test_rules_that_are_edited_judge_and_bad_ones_do_not(folder: StateFolder) -> None:
    call = ("Bash", {"command": "frob -f"})
    loading, before = begun(folder)
    folder.risk.mkdir()
    path = folder.risk / "mine.yaml"
    path.write_text(OWN_RULE, encoding="utf-8")
    after = used(loading.again())
    tiers = before.judge(*call).tier, after.judge(*call).tier
    assert tiers == (Tier.MEDIUM, Tier.HIGH)
    compiled = (folder.compiled / "risk.json").read_bytes()
    path.write_text(OWN_RULE.replace("tier: high", "tier: hihg"), encoding="utf-8")
    edited = loading.again()
    assert edited.setup is None
    assert "hihg" in edited.problem
    assert (folder.compiled / "risk.json").read_bytes() == compiled
    assert loading.again().problem == edited.problem


def test_rules_with_a_problem_at_the_start_are_told(folder: StateFolder) -> None:
    folder.risk.mkdir()
    (folder.risk / "mine.yaml").write_text("rulez:\n", encoding="utf-8")
    (folder.risk / ".#mine.yaml").write_text("never read\n", encoding="utf-8")
    loading, setup = begun(folder)
    assert "rulez" in loading.problem
    assert setup.judge("Bash", {"command": "git push -f"}).tier is Tier.HIGH


def test_where_no_rules_can_be_had_somebody_judges_all_the_same(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: StateFolder) -> None:
        raise RecursionError

    monkeypatch.setattr("flightdeck.panel.loading.compile_rules", broken)
    loading, setup = begun(folder)
    assert loading.problem == ""
    assert setup.judge("Bash", {"command": "git push -f"}).tier is Tier.HIGH


# Templates.


def pictures(setup: Setup) -> list[bytes]:
    views = display(setup.layout, picture(setup.layout.labels))
    return [setup.native(view) for view in views.values()]


def test_template_that_is_edited_draws_and_until_then_the_old_one(
    folder: StateFolder, ship: Path
) -> None:
    loading, before = begun(folder)
    shown = pictures(before)[0]
    face = ship / "templates" / "faces" / "key.svg.j2"
    text = face.read_text(encoding="utf-8")
    face.write_text(text.replace("paint.ground }}", "paint.dark }}"), encoding="utf-8")
    after = used(loading.again())
    assert pictures(after)[0] != shown
    assert pictures(before)[0] == shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{{ view.colour }}", ":1:9: a KeyView has no 'colour'"),
        ("{% if %}", ":1:1: expected an expression"),
        ("{{ ''.join(5) }}", ":1:1: 'join' may not be called"),
        ("{{ 1 // 0 }}", ":1:1: integer division or modulo by zero (ZeroDivisionError)"),
        ("<image/>", ":1:1: a key cannot be drawn: "),
    ],
)
def test_template_with_a_problem_is_not_used(
    folder: StateFolder, ship: Path, line: str, told: str
) -> None:
    loading, before = begun(folder)
    shown = pictures(before)
    face = ship / "templates" / "faces" / "key.svg.j2"
    text = face.read_text(encoding="utf-8")
    face.write_text(f"{line}{text}", encoding="utf-8")
    edited = loading.again()
    assert edited.setup is None
    assert edited.problem.startswith(f"{face}{told}")
    assert pictures(before) == shown
    face.write_text(text, encoding="utf-8")
    assert used(loading.again()).layout == before.layout


def test_templates_with_a_problem_at_the_start_are_told(folder: StateFolder, ship: Path) -> None:
    (ship / "templates" / "faces" / "marks.svg.j2").write_text("{% macro %}", encoding="utf-8")
    loading, _ = begun(folder)
    told = f"{ship}/templates/faces/marks.svg.j2:1:1: "
    assert loading.problem.startswith(told)


# Templates of the user's own.


@pytest.fixture
def faces(folder: StateFolder) -> Path:
    faces = folder.templates / "faces"
    faces.mkdir(parents=True)
    return faces


def own(faces: Path, text: str = GREY) -> Path:
    path = faces / "key.svg.j2"
    path.write_text(text, encoding="utf-8")
    return path


def test_own_template_draws_from_the_start(folder: StateFolder, faces: Path) -> None:
    shown = pictures(begun(folder)[1])
    own(faces)
    loading, setup = begun(folder)
    assert loading.problem == ""
    assert len(set(pictures(setup))) == 1
    assert len(set(shown)) > 1


def test_own_template_in_a_folder_that_is_made_later_draws(folder: StateFolder) -> None:
    loading, before = begun(folder)
    stood = loading.sources.stamp()
    faces = folder.templates / "faces"
    faces.mkdir(parents=True)
    own(faces)
    assert loading.sources.stamp().differs(stood)
    assert pictures(used(loading.again())) != pictures(before)


def test_shipped_template_draws_again_once_the_own_one_is_gone(
    folder: StateFolder, faces: Path
) -> None:
    path = own(faces)
    loading, before = begun(folder)
    path.unlink()
    after = used(loading.again())
    assert len(set(pictures(before))) == 1
    assert len(set(pictures(after))) > 1


def test_own_template_with_a_problem_at_the_start_lets_the_shipped_one_draw(
    folder: StateFolder, faces: Path
) -> None:
    path = own(faces, GREY.replace("paint.ground", "paint.grund"))
    loading, setup = begun(folder)
    assert loading.problem.startswith(f"{path}:1:")
    assert len(set(pictures(setup))) > 1


def test_own_template_that_would_go_on_for_ever_is_not_used(
    folder: StateFolder, faces: Path
) -> None:
    loading, _ = begun(folder)
    turns = "{% for a in range(999) %}" * 3 + "{% endfor %}" * 3
    path = own(faces, f"{GREY}\n{turns}")
    edited = loading.again()
    assert edited.setup is None
    assert edited.problem.startswith(f"{path}:2:1: goes on for more than")
