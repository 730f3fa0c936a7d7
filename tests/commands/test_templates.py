"""`flightdeck templates`: which there are, whose each is, and where to copy one from."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.cli import main
from flightdeck.commands.templates import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = shipped.folder("templates")


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the user's own templates."""
    monkeypatch.setenv("FLEET_HOME", str(tmp_path))
    (tmp_path / "templates" / "faces").mkdir(parents=True)
    return tmp_path / "templates"


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["templates", *words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_list_says_whose_each_is(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "faces" / "key.svg.j2").touch()
    (own / "faces" / "mine.svg.j2").touch()
    assert call(capsys, "list") == (
        0,
        (
            "faces/key.svg.j2    yours\n"
            "faces/marks.svg.j2  shipped\n"
            "faces/mine.svg.j2   yours\n"
            "hooks/brakes.sh.j2  shipped\n"
            "hooks/drain.sh.j2   shipped\n"
            "hooks/guard.sh.j2   shipped\n"
            "hooks/spool.sh.j2   shipped\n"
            "hooks/wait.sh.j2    shipped\n"
        ),
        "",
    )


@pytest.mark.usefixtures("own")
def test_list_as_json_is_one_object_with_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(call(capsys, "list", "--json")[1])
    assert set(told) == {"schema", "templates"}
    assert told["schema"] == "flightdeck.templates/1"
    path = str(SHIPPED / "faces" / "key.svg.j2")
    assert told["templates"][0] == {"name": "faces/key.svg.j2", "from": "shipped", "path": path}


@pytest.mark.usefixtures("own")
def test_path_is_where_the_shipped_one_can_be_copied_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = SHIPPED / "hooks" / "spool.sh.j2"
    assert call(capsys, "path", "hooks/spool.sh.j2") == (0, f"{path}\n", "")


def test_own_one_is_shown_before_the_shipped(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "faces" / "key.svg.j2").write_bytes(b"\xef\xbb\xbfmine\r\n")
    assert call(capsys, "show", "faces/key.svg.j2") == (0, "mine\n", "")


def test_one_that_is_no_text_is_a_problem(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own / "faces" / "key.svg.j2").write_bytes(b"\xff")
    code, out, err = call(capsys, "show", "faces/key.svg.j2")
    assert (code, out) == (1, "")
    assert "byte 0xff is not UTF-8" in err


@pytest.mark.usefixtures("own")
def test_unknown_one_is_told_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, "path", "faces/keys.svg.j2")
    assert code == 1
    assert "did you mean 'faces/key.svg.j2'?" in err


@pytest.mark.usefixtures("own")
def test_examples_are_real(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.split("   ")[0].strip() for line in EXAMPLES.splitlines()]
    words = [shlex.split(line)[2:] for line in lines if line.startswith("flightdeck templates")]
    assert words
    assert [call(capsys, *each)[0] for each in words] == [0] * len(words)
