"""A deep link puts one line before an agent in one folder, or it is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import flightdeck
from flightdeck.config.bindings import parse_target, word_of_target
from flightdeck.config.deeplinks import check_link
from flightdeck.config.values import BadValue
from flightdeck.model.layout import UrlTarget


def refusal(query: str) -> str:
    with pytest.raises(BadValue) as caught:
        check_link(f"claude-cli://open?{query}")
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    "query",
    [
        "q=fix%20tests&cwd=/R/app",
        "q=fix+tests&cwd=%2FR%2Fapp",
        "cwd=/R/app",
        "q=&cwd=/R/app",
        "cwd=/R/a%20b..c&q=not-a-flag%20a-%20%C3%A9",
    ],
)
def test_link_of_a_folder_and_one_line_is_opened_as_it_stands(query: str) -> None:
    url = f"claude-cli://open?{query}"
    assert parse_target(f"url {url}") == UrlTarget(url)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        # OT-01, the advisory on Claude Code of 2026-05-12.
        ("q=--settings%3D%2Ftmp%2Fe.json&cwd=/R/app", "'--settings=/tmp/e.js' in the prompt"),
        ("q=fix%20it%20--settings%20x&cwd=/R/app", "'--settings' in the prompt"),
        ("q=a%0Ab&cwd=/R/app", "a line end, a control or an invisible character in `q`"),
        ("q=a&cwd=../x", "the deep link does not say one folder"),
        ("q=a&cwd=/R/app&repo=o/r", "'repo' in a deep link"),
        # And what is as good as these.
        ("q=fix+-p&cwd=/R/app", "'-p' in the prompt"),
        ("q=a%E2%80%A8--settings&cwd=/R/app", "a line end, a control or an invisible character"),
        ("q=a%E2%80%AEb&cwd=/R/app", "a line end, a control or an invisible character in `q`"),
        ("q=a&cwd=/R/a%00b", "a line end, a control or an invisible character in `cwd`"),
        ("q=a&cwd=/R/../x", "the deep link does not say one folder"),
        ("q=a&cwd=//host/x", "the deep link does not say one folder"),
        ("q=a&cwd=", "the deep link does not say one folder"),
        ("q=a", "the deep link does not say one folder"),
        ("q=a&q=b&cwd=/R", "'q' twice in a deep link"),
        ("q=a&cwd=/R&cwd=/S", "'cwd' twice in a deep link"),
        ("q=a&cwd=/R&prefill", "a deep link that is not UTF-8 or has no `=`"),
        ("q=%FF&cwd=/R", "a deep link that is not UTF-8 or has no `=`"),
        ("q=a&cwd=/R&settings=x", "'settings' in a deep link"),
        (f"q={'a' * 5001}&cwd=/R", "`q` of a deep link is too long"),
        (f"cwd=/{'a' * 4096}", "`cwd` of a deep link is too long"),
        ("q=a&cwd=/R#x", "not a deep link"),
        ("q=é&cwd=/R", "not a deep link"),
        ("q=a b&cwd=/R", "not a deep link"),
        ("", "not a deep link"),
    ],
)
def test_link_that_could_mean_anything_else_is_refused(query: str, message: str) -> None:
    assert refusal(query).startswith(message)


@pytest.mark.parametrize(
    "url",
    [
        "claude-cli://install-plugin?plugin=x",
        "claude-cli://open/x?cwd=/R",
        "claude-cli://me@open?cwd=/R",
        "claude-cli://open:80?cwd=/R",
        "claude-cli:open?cwd=/R",
        "CLAUDE-CLI://open?cwd=/R",
        "claude-cli://",
    ],
)
def test_no_other_action_and_no_other_spelling_is_opened(url: str) -> None:
    with pytest.raises(BadValue, match="not a deep link"):
        parse_target(f"url {url}")


@pytest.mark.parametrize(("folder", "word"), [("/R/my%20app/", "my app"), ("/", "/")])
def test_key_of_a_link_is_called_after_its_folder(folder: str, word: str) -> None:
    assert word_of_target(UrlTarget(f"claude-cli://open?cwd={folder}")) == word


@given(st.text(alphabet="=&%-+/.~qcwd0AFaé\n ", max_size=40))
def test_whatever_stands_there_is_accepted_or_refused_with_a_reason(query: str) -> None:
    try:
        check_link(f"claude-cli://open?{query}")
    except BadValue as refused:
        told = (refused.message, refused.hint)
    else:
        told = ("accepted", "cwd=/" if "cwd=/" in query else "cwd=%2F")
    assert all(told)


def test_nothing_writes_a_link_but_whoever_writes_the_layout() -> None:
    # OT-01: no title of an issue, no branch and no output of a model ever ends up in one.
    package = Path(flightdeck.__file__).parent
    naming = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search("LINK_SCHEME|claude-cli", path.read_text(encoding="utf-8"))
    }
    assert naming == {
        "commands/run.py",
        "config/bindings.py",
        "config/deeplinks.py",
        "model/layout.py",
    }
