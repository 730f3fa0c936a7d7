"""The two forms of a staged verb: what a Stop hook prints, and the line that is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flightdeck.agents.claude_code.prompts import carry_on, token_of, wake_line

TOKEN = "0123456789abcdef"
PROMPT_FILE = Path(f"/home/somebody/.fleet/queue/{TOKEN}.md")
LINE = wake_line("TEST", PROMPT_FILE)


def test_stop_hook_prints_one_line_that_blocks_with_the_prompt() -> None:
    line = carry_on('Say "so".\nThen stop.')
    assert "\n" not in line
    assert json.loads(line) == {"decision": "block", "reason": 'Say "so".\nThen stop.'}


def test_typed_line_names_the_file_with_a_word_behind_it() -> None:
    assert f"flightdeck TEST: do what @{PROMPT_FILE} says" == LINE


def test_path_with_a_blank_is_quoted() -> None:
    line = wake_line("TEST", Path(f"/a b/{TOKEN}.md"))
    assert line == f'flightdeck TEST: do what @"/a b/{TOKEN}.md" says'
    assert token_of(line) == TOKEN


@pytest.mark.parametrize("folder", ['/a"b', "/a'b", "/é日本", "/$x;a", "/a(b),[c]*"])
def test_path_the_client_reads_is_left_as_it_is(folder: str) -> None:
    assert f"@{folder}/{TOKEN}.md says" in wake_line("TEST", Path(f"{folder}/{TOKEN}.md"))


@pytest.mark.parametrize("folder", ["/a#b", "/a#L1-2 b", '/a" b'])
def test_file_the_client_would_not_read_there_has_no_line(folder: str) -> None:
    assert not wake_line("TEST", Path(f"{folder}/{TOKEN}.md"))


def test_token_is_that_of_the_line_as_it_is_submitted() -> None:
    assert token_of(f" {LINE}\n") == TOKEN


@pytest.mark.parametrize(
    "prompt", [None, 7, "", "hello", f"more {LINE}", f"{LINE}\nand more", LINE.replace("0", "g")]
)
def test_any_other_prompt_has_no_token(prompt: object) -> None:
    assert token_of(prompt) == ""
