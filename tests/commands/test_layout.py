"""`flightdeck layout`: what is in force, a file to start from, and help for editors."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from flightdeck.cli import main
from flightdeck.config.layouts import load_layout, load_layout_or_shipped
from flightdeck.config.schema import schema_of
from flightdeck.model.decks import MODELS
from flightdeck.model.local import Local
from flightdeck.store.paths import StateFolder

SMALL = "device: stream-deck-mini\nrows:\n  - name: fleet\n    fill: slot\n"
OVER = "extends: {parent}\ntimings:\n  armed: 5 s\n"


@pytest.fixture
def own(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the user's own layouts; the current folder is an empty one."""
    monkeypatch.chdir(tmp_path)
    place = home / ".fleet" / "layouts"
    place.mkdir(parents=True)
    return place


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    told = capsys.readouterr()
    return code, told.out, told.err


def test_show_prints_the_panel_in_force_with_its_places(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "xl.yaml", OVER.format(parent="xl"))
    code, out, err = call(capsys, "layout", "show")
    assert (code, err) == (0, "")
    (armed,) = [line for line in out.splitlines() if line.startswith("  armed:")]
    assert armed.split("  # ") == [armed.split("  # ")[0], f"{own}/xl.yaml:3"]


def test_what_is_shown_without_places_is_a_layout_like_it(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "desk.yaml", OVER.format(parent="xl"))
    _, out, _ = call(capsys, "layout", "show", "desk", "--no-origin")
    assert "#" not in out.replace("'#", "")
    again = load_layout(write(Path("desk.yaml"), out), Local())
    assert again == load_layout(own / "desk.yaml", Local())


def test_show_as_json_is_one_object_with_places_by_pointer(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(Path("desk.yaml"), OVER.format(parent="row1"))
    code, out, _ = call(capsys, "layout", "show", str(path), "--json")
    told = json.loads(out)
    assert (code, list(told)) == (0, ["schema", "name", "files", "layout", "origins"])
    assert (told["schema"], told["name"], told["files"][0]) == (
        "flightdeck.layout-show/1",
        "desk",
        "desk.yaml",
    )
    assert told["layout"]["rows"] == [{"name": "fleet", "fill": "slot"}]
    assert told["origins"]["/timings/armed"] == {"file": "desk.yaml", "line": 3, "column": 10}


def test_show_as_json_leaves_the_places_out_where_asked(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = call(capsys, "layout", "show", "--json", "--no-origin")
    assert "origins" not in json.loads(out)


def test_layout_with_problems_is_not_shown_but_they_are(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "desk.yaml", OVER.format(parent="nobody"))
    code, out, err = call(capsys, "layout", "show", "desk")
    assert (code, out) == (1, "")
    assert f"{own}/desk.yaml:1:10: no layout is called 'nobody'" in err


def test_list_says_deck_parent_and_whose(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(own / "desk.yaml", OVER.format(parent="xl"))
    write(own / "mini.yaml", SMALL)
    write(own / "spoilt.yaml", "device: x\n")
    code, out, err = call(capsys, "layout", "list")
    assert (code, out.splitlines()) == (
        0,
        [
            "name    device            extends  from",
            "desk    stream-deck-xl    xl       yours",
            "mini    stream-deck-mini  -        yours",
            "spoilt  -                 -        yours",
            "row1    stream-deck-xl    -        shipped",
            "xl      stream-deck-xl    -        shipped",
        ],
    )
    assert err == f"{own}/spoilt.yaml cannot be used: `flightdeck validate` says why\n"


def test_list_as_json_is_one_object(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(call(capsys, "layout", "list", "--json")[1])
    assert told["schema"] == "flightdeck.layout-list/1"
    assert list(told["layouts"][0]) == ["name", "device", "extends", "from", "path"]


@pytest.mark.parametrize("model", MODELS)
def test_new_layout_works_on_its_deck_and_editors_find_its_schema(
    own: Path, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    code, out, err = call(capsys, "layout", "new", "--model", model, "--out", "a/mine.yaml")
    path, schema = Path("a/mine.yaml"), Path("a/layout.schema.json")
    assert (code, err) == (0, "")
    assert out == f"{path} is a layout of your own; editors find its schema in {schema}\n"
    assert load_layout(path, Local()).device == model
    assert path.read_text(encoding="utf-8").splitlines()[0] == (
        "# yaml-language-server: $schema=./layout.schema.json"
    )
    assert json.loads(schema.read_text(encoding="utf-8")) == schema_of("layout")


def test_own_panel_is_started_over_the_shipped_one(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "layout", "new", "--out", str(own / "xl.yaml"))[0] == 0
    folder = StateFolder.from_environment()
    layout, warnings = load_layout_or_shipped(None, folder, Local())
    assert (layout.device, warnings) == ("stream-deck-xl", ())
    assert call(capsys, "validate")[0] == 0


def test_new_layout_is_printed_where_no_file_is_named(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, "layout", "new", "--from", "row1")
    assert (code, out.count("\nextends: row1\n")) == (0, 1)
    assert "flightdeck layout schema --out layout.schema.json" in err
    assert load_layout(write(Path("a.yaml"), out), Local()).device == "stream-deck-xl"


def test_new_layout_names_a_parents_path_from_where_it_lies(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("below").mkdir()
    write(Path("below/small.yaml"), SMALL)
    for out, named in (("a.yaml", "below/small.yaml"), ("below/b.yaml", "./small.yaml")):
        assert call(capsys, "layout", "new", "--from", "below/small.yaml", "--out", out)[0] == 0
        assert f"\nextends: {named}\n" in Path(out).read_text(encoding="utf-8")
        assert load_layout(Path(out), Local()).device == "stream-deck-mini"


def test_new_layout_takes_a_bigger_deck_than_its_parent(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "small.yaml", SMALL)
    words = ("layout", "new", "--from", "small", "--model", "stream-deck-neo", "--out", "a.yaml")
    assert call(capsys, *words)[0] == 0
    layout = load_layout(Path("a.yaml"), Local(), folder=StateFolder.from_environment())
    assert layout.device == "stream-deck-neo"


def test_parent_that_does_not_fit_the_deck_is_refused(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("layout", "new", "--from", "xl", "--model", "stream-deck-mini", "--out", "a.yaml")
    code, out, err = call(capsys, *words)
    assert (code, out, Path("a.yaml").exists()) == (1, "", False)
    assert "layout 'xl' is for a Stream Deck XL, not for stream-deck-mini" in err


def test_problems_of_a_parent_are_told_and_nothing_is_written(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "small.yaml", SMALL.replace("slot", "solt"))
    code, _, err = call(capsys, "layout", "new", "--from", "small", "--out", "a.yaml")
    assert (code, Path("a.yaml").exists()) == (1, False)
    assert "small.yaml:4:11: a row cannot be filled with 'solt'" in err


def test_file_that_is_there_is_never_written_over(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(Path("a.yaml"), "mine\n")
    code, _, err = call(capsys, "layout", "new", "--out", "a.yaml")
    assert (code, Path("a.yaml").read_text(encoding="utf-8")) == (1, "mine\n")
    assert "'a.yaml' is there already" in err


def test_link_that_leads_nowhere_is_there_too(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.yaml").symlink_to("nowhere.yaml")
    assert call(capsys, "layout", "new", "--out", "a.yaml")[0] == 1
    assert not Path("nowhere.yaml").exists()


def test_file_that_appears_meanwhile_is_not_written_over(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path("a.yaml"), "mine\n")
    monkeypatch.setattr("os.path.lexists", lambda path: False)
    assert call(capsys, "layout", "new", "--out", "a.yaml")[0] == 1
    assert Path("a.yaml").read_text(encoding="utf-8") == "mine\n"


def test_layout_that_cannot_be_written_is_told(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(Path("a"), "a file\n")
    code, _, err = call(capsys, "layout", "new", "--out", "a/mine.yaml")
    assert code == 1
    assert "cannot write 'a/mine.yaml'" in err


def test_name_too_long_for_a_file_is_told(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "layout", "new", "--out", "a" * 300)
    assert code == 1
    assert "File name too long" in err


def test_schema_of_somebody_else_stays_and_is_told(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(Path("layout.schema.json"), "{}")
    code, out, _ = call(capsys, "layout", "new", "--out", "a.yaml")
    assert (code, Path("layout.schema.json").read_text(encoding="utf-8")) == (0, "{}")
    assert "'layout.schema.json' holds something else, so editors have no schema" in out


def test_schema_is_printed_as_one_object(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "layout", "schema")
    assert (code, json.loads(out)) == (0, schema_of("layout"))


def test_older_schema_is_written_anew_and_anybody_may_read_it(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(Path("s.json"), json.dumps({"title": "flightdeck layout", "old": True}))
    code, out, _ = call(capsys, "layout", "schema", "--out", "s.json")
    assert (code, out) == (0, "s.json is the schema of layouts\n")
    assert json.loads(path.read_text(encoding="utf-8")) == schema_of("layout")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("raw", [b"mine", b"\xff", None])
def test_schema_is_not_written_over_anything_else(
    own: Path, capsys: pytest.CaptureFixture[str], raw: bytes | None
) -> None:
    path = Path("s.json")
    path.mkdir() if raw is None else path.write_bytes(raw)
    code, _, err = call(capsys, "layout", "schema", "--out", "s.json")
    assert (code, path.is_dir() or path.read_bytes() == raw) == (1, True)
    assert "'s.json' holds something else" in err


def test_schema_that_cannot_be_written_is_told(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = call(capsys, "layout", "schema", "--out", "none/s.json")
    assert code == 1
    assert "cannot write 'none/s.json'" in err


def test_validate_tells_a_childs_problems_in_the_file_that_has_them(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "below.yaml", SMALL + "timings:\n  armed: 5\n")
    path = write(Path("desk.yaml"), "extends: below\ntimings:\n  flash: 9\n")
    code, out, _ = call(capsys, "validate", str(path))
    assert code == 1
    assert [line for line in out.splitlines() if ": '" in line] == [
        f"{own}/below.yaml:6:10: 'armed' has no unit",
        "desk.yaml:3:10: 'flash' has no unit",
    ]


def test_preview_draws_what_stands_on_a_layout_of_ones_own(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(own / "below.yaml", SMALL)
    write(Path("desk.yaml"), "extends: below\n")
    code, out, _ = call(capsys, "preview", "--layout", "desk.yaml", "--out", "a.png")
    assert (code, out.startswith("desk on a Stream Deck Mini is in a.png")) == (0, True)
