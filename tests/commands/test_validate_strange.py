"""Whatever lies where a file should, `validate` tells it as problems: no trace, no wait."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from flightdeck.cli import main
from tests.config.panels import SMALLEST

# Whole commands, dozens of times: their lines are counted where each has a test of its own.
pytestmark = pytest.mark.no_cover
BOMB = "a: &a ['x', 'x']\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(12))
A_RULE = """\
rules:
  a:
    tier: high
    why: x
    {line}
    matches:
      - a
    spares:
      - b
"""

# what is wrong with it: the bytes
WRITTEN = {
    "an anchor and an alias": b"device: &a stream-deck-xl\nrows: *a\n",
    "aliases that multiply": BOMB.encode(),
    "an alias to nothing": b"rows: *nobody\n",
    "a merge key": b"x: &x\n  a: b\ny:\n  <<: *x\n",
    "a tag that would run": b"device: !!python/object/apply:os.system ['touch ran']\n",
    "a directive": b"%YAML 9.9\n---\na: b\n",
    "a tag's directive": b"%TAG ! tag:x,2000:\n---\na: !b c\n",
    "half a directive": b"%FOO\n",
    "lists 100 000 deep": b"[" * 100_000,
    "mappings 100 000 deep": b"{a: " * 100_000,
    "blocks 100 000 deep": b"- " * 100_000,
    "questions without end": b"? " * 50_000,
    "a second document, deep": b"---\nkind: prompt\n---\n" + b"{{" * 400,
    "a line of 10 MB": b"device: " + b"x" * 10_000_000,
    "a long key": b"x" * 200_000 + b": 1\n",
    "a quote without end": b"device: '" + b"x" * 200_000,
    "many keys": b"".join(b"k%d: 1\n" % number for number in range(30_000)),
    "NUL": b"device: a\0b\n",
    "a lone surrogate": b"device: \xed\xa0\x80\n",
    "a lone surrogate, escaped": b'device: "\\ud800"\n',
    "no character at all": b'device: "\\U99999999"\n',
    "not UTF-8": b"rows:\n  - \xff\xfe\n",
    "Windows-1252": b"# caf\xe9\ndevice: \x93x\x94\n",
    "UTF-16": "device: x\n".encode("utf-16"),
    "line breaks of Unicode": "device: x\u0085rows:\u2028  - fill: slots\u2029".encode(),
    "tabs": b"rows:\n\t- fill: slot\n\t- x\n",
    "a key twice": b"device: a\ndevice: b\nrows:\n  - fill: slot\n    fill: slot\n",
    "CR alone": b"device: stream-deck-xl\rrows:\r  - fill: slots\r",
    "CRLF": b"device: stream-deck-xl\r\nrows:\r\n  - fill: slots\r\n",
    "truths of YAML 1.1": b"on: no\noff: yes\ny: n\n~: null\n",
    "numbers of YAML 1.1": b"timings:\n  armed: 017\n  flash: 190:20:30\n  reap: 0o17\n",
    "a number of 5000 digits": b"timings:\n  armed: " + b"9" * 5_000 + b" s\n",
    "a colon too many": b"a: b: c\n",
    "a key that is a list": b"? [a, b]\n: c\n",
    "no key": b": x\n",
    "behind the end": b"device: x\n...\ngarbage\n",
    "a terminal's escapes": b"device: \x1b[31mred\n",
    "letters that run backwards": "device: \u202ex\n".encode(),
    "tokens without end": b"---\nkind: prompt\n---\n" + b"{{" * 200,
    "a text too long": b"---\nkind: prompt\n---\n" + b"{{flightdeck}}" * 9_000,
    "a frontmatter without end": b"---\nkind: prompt\n",
    "digits of another script": A_RULE.format(line="count: '\u0661'").encode(),
    "a command 5000 deep": A_RULE.format(line="code: abc")
    .replace("- a", "- " + "$(" * 5_000)
    .encode(),
    "no regular expression": b"wrappers:\n  a:\n    code:\n      -x: '" + b"(" * 200 + b"'\n",
}
EMPTY = {"nothing": b"", "a comment": b"# later\n", "a start": b"---\n", "a mark": b"\xef\xbb\xbf"}
FOLDERS = {"layouts": ".yaml", "risk": ".yaml", "verbs": ".md"}


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The current folder is an empty one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["validate", *words])
    told = capsys.readouterr()
    assert told.err == ""
    return code, told.out


@pytest.mark.parametrize(("folder", "suffix"), FOLDERS.items())
def test_every_file_there_may_be_is_problems_at_places_it_has(
    place: Path, capsys: pytest.CaptureFixture[str], folder: str, suffix: str
) -> None:
    (place / folder).mkdir()
    # A risk file may have many, and it takes a while to count them; its own test does.
    left_out = "many keys" if folder == "risk" else ""
    tried = (raw for what, raw in WRITTEN.items() if what != left_out)
    files = {f"{folder}/{n:02}{suffix}": raw for n, raw in enumerate(tried)}
    for name, raw in files.items():
        (place / name).write_bytes(raw)
    code, out = asked(capsys, folder, "--format", "json")
    told = json.loads(out)
    assert (code, told["files"], told["ok"]) == (1, list(files), False)
    assert {one["file"] for one in told["problems"]} == set(files)
    for one in told["problems"]:
        raw = re.sub(b"\r\n?", b"\n", files[one["file"]])
        lines = raw.decode(errors="replace").removeprefix("\ufeff").split("\n")
        assert one["message"]
        assert one["hint"]
        assert one["line"] <= len(lines)
        assert not one["line"] or one["column"] <= len(lines[one["line"] - 1]) + 2
    assert not Path("ran").exists()


@pytest.mark.parametrize("raw", WRITTEN.values(), ids=WRITTEN)
def test_local_file_may_be_anything_too(
    place: Path, capsys: pytest.CaptureFixture[str], raw: bytes
) -> None:
    (place / "local.yaml").write_bytes(raw)
    code, out = asked(capsys, "local.yaml", "--format", "json")
    assert (code, json.loads(out)["ok"]) == (1, False)


@pytest.mark.parametrize("name", ["local.yaml", "risk/a.yaml"])
@pytest.mark.parametrize("raw", EMPTY.values(), ids=EMPTY)
def test_file_that_says_nothing_is_no_problem_where_nothing_must_be_said(
    place: Path, capsys: pytest.CaptureFixture[str], raw: bytes, name: str
) -> None:
    (place / "risk").mkdir()
    (place / name).write_bytes(raw)
    assert asked(capsys, name)[0] == 0


@pytest.mark.parametrize("folder", ["layouts", "risk", "verbs"])
def test_what_is_no_file_is_told_and_not_waited_for(
    place: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    (place / folder).mkdir()
    suffix = FOLDERS[folder]
    (place / folder / f"a{suffix}").mkdir()
    os.mkfifo(place / folder / f"b{suffix}")
    (place / folder / f"c{suffix}").symlink_to("/dev/zero")
    (place / folder / f"d{suffix}").symlink_to("nowhere")
    (place / folder / f"e{suffix}").symlink_to(f"e{suffix}")
    code, out = asked(capsys, folder, "--format", "json")
    assert (code, [one["message"] for one in json.loads(out)["problems"]]) == (
        1,
        [
            "is a folder, not a file",
            "is a pipe, not a file",
            "is larger than 256 KiB",
            "does not exist",
            "cannot be read: Too many levels of symbolic links",
        ],
    )


@pytest.mark.parametrize("name", ["a.yaml", "risk/a.yaml", "verbs/a.md", "local.yaml", ""])
@pytest.mark.parametrize("ahead", ["a" * 300, "ring"], ids=["too long a name", "a ring of links"])
def test_path_nobody_can_follow_is_told(
    place: Path, capsys: pytest.CaptureFixture[str], ahead: str, name: str
) -> None:
    (place / "ring").symlink_to("ring")
    code, out = asked(capsys, f"{ahead}/{name}")
    assert (code, "cannot be read: " in out) == (1, True)


def test_file_that_goes_while_it_is_looked_for_is_told(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "a.yaml").write_text(SMALLEST, encoding="utf-8")
    found = Path.glob
    monkeypatch.setattr(
        Path, "glob", lambda self, pattern: [*found(self, pattern), self / "gone.yaml"]
    )
    code, out = asked(capsys, ".")
    assert (code, out.split("\n")[0]) == (1, "gone.yaml: does not exist")


def test_layouts_sixty_deep_are_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(60):
        text = f"extends: ./{number + 1}.yaml\n"
        (place / f"{number}.yaml").write_text(text, encoding="utf-8")
    code, out = asked(capsys, "0.yaml")
    assert (code, "8.yaml:1:10: a layout with more than 8 below it" in out) == (1, True)


NASTY = "a\n::warning::b%0A,c:d.yaml"


def test_names_and_keys_cannot_give_a_workflow_a_command(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '"x\\n::error::y %0A\\r": 1\ndevice: "::stop-commands::z\\n"\n'
    (place / NASTY).write_text(text, encoding="utf-8")
    code, out = asked(capsys, NASTY, "--format", "github")
    assert code == 1
    for line in out.rstrip("\n").split("\n"):
        properties, data = line.removeprefix("::error ").split("::", 1)
        assert line.startswith("::error file=a%0A%3A%3Awarning%3A%3Ab%250A%2Cc%3Ad.yaml,line=")
        assert re.fullmatch(r"(?:[^%,:]|,(?=[a-zA-Z]+=)|%(?:25|0A|0D|3A|2C))*", properties)
        assert re.fullmatch(r"(?:[^%\r\n]|%(?:25|0A|0D))*", data)


def test_names_and_keys_do_nothing_to_a_terminal(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "\x1b[2J.yaml").write_text('"\\e[31m": 1\n', encoding="utf-8")
    _, out = asked(capsys, "\x1b[2J.yaml")
    assert out.replace("\n", "").isprintable()


def test_folder_that_cannot_be_looked_into_is_not_taken_for_an_empty_one(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEET_HOME", str(place))
    (place / "risk").write_text("a file\n", encoding="utf-8")
    (place / "verbs").symlink_to("nowhere")
    code, out = asked(capsys, "--format", "json")
    told = [(one["file"], one["message"]) for one in json.loads(out)["problems"]]
    assert (code, told) == (
        1,
        [
            ("risk", "cannot be read: Not a directory"),
            ("verbs", "cannot be read: No such file or directory"),
        ],
    )
