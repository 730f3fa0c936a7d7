"""`flightdeck preview`: the deck as a picture, without a deck."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from flightdeck.cli import main
from flightdeck.store.paths import StateFolder

SMALLEST = "device: stream-deck-xl\nrows:\n  - fill: slot\n"


def preview(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["preview", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_picture_is_where_it_says(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = home / "panel.png"
    code, said, _ = preview(capsys, "--out", str(out))
    assert code == 0
    with Image.open(out) as picture:
        width, height = picture.size
    assert said == f"xl on a Stream Deck XL is in {out} ({width} x {height} px)\n"


def test_scale_makes_it_larger(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for scale in ("1", "2"):
        assert preview(capsys, "--out", str(home / scale), "--scale", scale)[0] == 0
    with Image.open(home / "1") as one, Image.open(home / "2") as two:
        assert 1.9 < two.width / one.width < 2.1


def test_fleet_of_status_is_drawn(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--json"]) == 0
    (home / "fleet.json").write_text(capsys.readouterr().out, encoding="utf-8")
    words = ("--fleet", str(home / "fleet.json"))
    assert preview(capsys, *words, "--out", str(home / "empty.png"))[0] == 0
    preview(capsys, "--out", str(home / "demo.png"))
    assert (home / "empty.png").read_bytes() != (home / "demo.png").read_bytes()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"slots": [1]}', "[" * 100_000])
def test_file_that_is_no_fleet_is_told(
    home: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (home / "fleet.json").write_text(text, encoding="utf-8")
    code, _, err = preview(capsys, "--fleet", str(home / "fleet.json"), "--out", str(home / "x"))
    assert code == 1
    assert "is no fleet snapshot" in err
    assert not (home / "x").exists()


def test_missing_fleet_file_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = preview(capsys, "--fleet", str(home / "none"), "--out", str(home / "x"))
    assert (code, "cannot read" in err) == (1, True)


def test_place_that_cannot_be_written_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = preview(capsys, "--out", str(home / "none" / "x.png"))
    assert (code, "cannot write" in err) == (1, True)


def test_layout_made_for_another_deck_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--model", "stream-deck-mini", "--out", str(home / "x"))
    code, _, err = preview(capsys, *words)
    assert code == 1
    assert "layout 'xl' is for 8 x 4 keys, a Stream Deck Mini has 3 x 2" in err


def test_layout_of_a_file_is_drawn(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "mine.yaml").write_text(SMALLEST, encoding="utf-8")
    words = ("--layout", str(home / "mine.yaml"), "--out", str(home / "x.png"))
    assert preview(capsys, *words)[1].startswith("mine on a Stream Deck XL")


def test_layout_with_a_fault_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "mine.yaml").write_text("rows: 3\n", encoding="utf-8")
    words = ("--layout", str(home / "mine.yaml"), "--out", str(home / "x.png"))
    code, _, err = preview(capsys, *words)
    assert (code, "mine.yaml:1" in err) == (1, True)


def test_place_to_write_to_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert preview(capsys)[0] == 2
    assert Path.cwd().is_dir()


FACE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect fill="#abcdef" {}/></svg>'
WHOLE = 'width="9" height="9"'


def own_face(text: str) -> Path:
    path = StateFolder.from_environment().templates / "faces" / "key.svg.j2"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_own_face_is_drawn(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_face(FACE.format(WHOLE))
    assert preview(capsys, "--out", str(home / "panel.png"))[0] == 0
    with Image.open(home / "panel.png") as picture:
        colours = {colour for _, colour in picture.getcolors(1 << 24) or []}
    assert (0xAB, 0xCD, 0xEF) in colours


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"\n{{{{ view.colour }}}}{FACE}", ":2:9: a KeyView has no 'colour'"),
        (FACE.format("onclick='x'"), ":1:80: a key cannot be drawn: attribute 'onclick'"),
    ],
)
def test_own_face_with_a_problem_is_told_by_line_and_nothing_is_drawn(
    home: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    path = own_face(text)
    code, _, err = preview(capsys, "--out", str(home / "panel.png"))
    assert code == 1
    assert f"{path.name}{told}" in err
    assert not (home / "panel.png").exists()
