"""`flightdeck validate` of templates: each is tried as it would be used."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = shipped.folder("templates")
FACE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>\n'


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A current folder with templates in it, as in a repository of dotfiles."""
    monkeypatch.setenv("FLEET_HOME", str(tmp_path / "fleet"))
    (tmp_path / "templates" / "faces").mkdir(parents=True)
    (tmp_path / "templates" / "hooks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "templates"


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["validate", *words])
    return code, capsys.readouterr().out


def face(place: Path, text: str) -> None:
    (place / "faces" / "key.svg.j2").write_text(FACE.format(text), encoding="utf-8")


@pytest.mark.usefixtures("place")
def test_shipped_templates_have_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, str(SHIPPED)) == (0, "7 templates, no problems\n")


def test_folder_of_templates_is_its_faces_and_hooks(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    face(place, "{{ marks.nothing }}")
    (place / "hooks" / "guard.sh.j2").write_text("echo {{ halt\n", encoding="utf-8")
    code, out = call(capsys, "templates")
    assert code == 1
    assert "templates/faces/key.svg.j2:1:62: 'marks' is undefined\n" in out
    assert "templates/hooks/guard.sh.j2:1:6: unexpected end of template" in out
    assert out.endswith("2 problems in 2 templates\n")


def test_hook_that_breaks_a_promise_is_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "hooks" / "guard.sh.j2").write_text("echo hello; exit 0\n", encoding="utf-8")
    code, out = call(capsys, "templates/hooks/guard.sh.j2")
    assert code == 1
    assert "templates/hooks/guard.sh.j2: the PostToolUse hook leaves the payload unread" in out


def test_face_is_tried_at_every_size_there_is(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    face(place, "{% if width == 120 %}<image/>{% endif %}")
    assert "element 'image' is not allowed" in call(capsys, "templates")[1]


@pytest.mark.parametrize(
    "condition",
    ["view.lines | length == 5", "view.count > 99", "view.flash", "view.glyph and view.queued"],
)
def test_face_is_tried_with_a_key_of_every_kind(
    place: Path, capsys: pytest.CaptureFixture[str], condition: str
) -> None:
    face(place, f"{{% if {condition} %}}{{{{ 1 // 0 }}}}{{% endif %}}")
    assert "integer division or modulo by zero" in call(capsys, "templates")[1]


def test_marks_of_ones_own_are_tried_with_the_shipped_face(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(SHIPPED / "faces" / "marks.svg.j2", place / "faces")
    path = place / "faces" / "marks.svg.j2"
    path.write_text(path.read_text().replace("macro tear(", "macro rip("), encoding="utf-8")
    code, out = call(capsys, "templates/faces/marks.svg.j2")
    assert code == 1
    assert "'tear'" in out


def test_notes_in_a_pull_request_are_at_the_line(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    face(place, "\n<g>{{ paint.grund }}</g>")
    code, out = call(capsys, "--format", "github", "templates")
    assert code == 1
    assert "::error file=templates/faces/key.svg.j2,line=2,col=13,endColumn=18," in out
    assert "hint: did you mean 'ground'?" in out


def test_problems_as_json_have_their_place(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    face(place, "<g></h>")
    code, out = call(capsys, "--format", "json", "templates/faces/key.svg.j2")
    (problem,) = json.loads(out)["problems"]
    assert (code, problem["line"], problem["column"]) == (1, 1, 1)
    assert "not well-formed: mismatched tag" in problem["message"]


def test_without_a_path_ones_own_are_checked(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    face(place, "{{ nope }}")
    shutil.copytree(place, place.parent / "fleet" / "templates")
    code, out = call(capsys)
    assert code == 1
    assert "fleet/templates/faces/key.svg.j2:1:62: 'nope' is undefined" in out


def test_other_templates_cannot_be_ones_own(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "panel.html.j2").touch()
    code, out = call(capsys, "templates/panel.html.j2")
    assert code == 1
    assert "templates/panel.html.j2: is neither a face, .svg.j2, nor a hook, .sh.j2" in out


@pytest.mark.parametrize("made", ["nothing", "pipe", "folder", "bytes"])
def test_what_cannot_be_read_is_a_problem(
    place: Path, capsys: pytest.CaptureFixture[str], made: str
) -> None:
    path = place / "faces" / "key.svg.j2"
    if made == "pipe":
        os.mkfifo(path)
    elif made == "bytes":
        path.write_bytes(b"\xff")
    elif made == "folder":
        path = place / "hooks" / "spool.sh.j2"
        path.mkdir()
    code, out = call(capsys, str(path if made != "folder" else place))
    assert code == 1
    assert out.startswith(str(path.relative_to(place.parent)))
    assert "1 problem in 1 template" in out
