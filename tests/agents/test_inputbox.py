"""The input box on screens the real client drew, and on what only looks like it.

Each file in `screens` is what tmux showed of it, but for the names of folders.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.agents.claude_code.inputbox import read
from flightdeck.agents.claude_code.kind import ClaudeCode
from flightdeck.model.inputbox import Box, Mode, holds

SCREENS = Path(__file__).parent / "screens"
LINE = "flightdeck TEST: do what @/home/me/.fleet/queue/0123456789abcdef.md says"
RULE = "─" * 60
SIGN = "\u276f"
MARK = f"{SIGN}\u00a0"
EMPTY = Box()

SHOWN: dict[str, Box | None] = {
    # Nothing stands in it, whatever the client writes there, around it or below it.
    "empty": EMPTY,
    "after-a-turn": EMPTY,
    "blanks": EMPTY,
    "help": EMPTY,
    "queued": EMPTY,
    "ghost-example": EMPTY,
    "stashed": Box(stashed=True),
    "narrow-stashed": Box(stashed=True),
    "tiny-stashed": Box(stashed=True),
    # Something stands in it.
    "draft": Box(text="a draft"),
    "blanks-then-text": Box(text="   x"),
    "three-lines": Box(text="first\nsecond\nthird"),
    "lines-with-empty-rows": Box(text="first\nsecond\nthird\n\n"),
    "first-row-empty": Box(text="\nx"),
    # The list of commands covers what would be said of a draft that is kept.
    "slash-popup": Box(text="/mod", stashed=True),
    "at-popup": Box(text="see @w"),
    "prompt-put-back": Box(text="scenario:think"),
    "stashed-and-draft": Box(text="another", stashed=True),
    "vim-insert-text": Box(text="abc def"),
    "vim-normal-text": Box(text="abc def"),
    "title-and-own-status-line": Box(text="text"),
    "narrow": Box(text=f"{LINE[:40]}\n{LINE[40:]}"),
    # A prompt the client proposes cannot be told from one that was typed.
    "ghost-proposal": Box(text="That was all."),
    # What is submitted there would be run.
    "shell-empty": Box(Mode.SHELL),
    "shell-text": Box(Mode.SHELL, "ls -l"),
    # A view of the client's own before it.
    "history-search": Box(Mode.COVERED),
    "transcript": Box(Mode.COVERED),
    # No box: keys go elsewhere.
    "permission-dialog": None,
    "question": None,
    "model-dialog": None,
    "rewind-menu": None,
    "trust-dialog": None,
    "list-of-agents": None,
    "bash": None,
    "vim-editor": None,
    "nothing": None,
}


def screen(name: str) -> str:
    return (SCREENS / f"{name}.txt").read_text(encoding="utf-8")


def a_screen(*rows: str, above: str = "", upper: str = RULE, lower: str = RULE) -> str:
    return "\n".join(["● Done.", "", above, upper, *rows, lower, "  ? for shortcuts"])


@pytest.mark.parametrize("name", SHOWN)
def test_box_is_read_from_a_real_screen(name: str) -> None:
    assert read(screen(name)) == SHOWN[name]


@pytest.mark.parametrize(
    "above",
    [
        '  No commands match "/zzz"',
        "  \u276f tmp/   directory",
        f"  \u276f {'a-long-name/ ' * 4}a",
        "  \u276f /boot/\n    /bin",
        "    /background  what runs in the\n                 terminal",
    ],
)
def test_list_above_the_box_may_cover_that_a_draft_is_kept(above: str) -> None:
    assert read(a_screen(f"{MARK}x /", above=above)) == Box(text="x /", stashed=True)
    assert read(a_screen(MARK, above=above)) == EMPTY


@pytest.mark.parametrize("above", ["", f"{'/effort':>59}", f"  tmux {'said ' * 10}fo…"])
def test_what_the_client_says_above_the_box_covers_nothing(above: str) -> None:
    assert read(a_screen(f"{MARK}x", above=above)) == Box(text="x")


def test_every_recorded_screen_is_looked_at() -> None:
    assert {path.stem for path in SCREENS.iterdir()} == set(SHOWN)


def test_line_broken_in_a_narrow_window_is_held() -> None:
    box = read(screen("narrow"))
    assert box is not None
    assert holds(box, LINE)


def test_agent_kind_reads_the_box() -> None:
    assert ClaudeCode({}).input_box(screen("draft")) == Box(text="a draft")


@pytest.mark.parametrize(
    "ghost",
    [
        'Try "edit <filepath> to…"',
        "Press up to edit queued messages",
        "Press up to edit queued messages, Enter to send them now",
        "Press up to select a queued message, then Enter to edit it",
        "Press Enter to edit the selected message, or up again for history",
        "Taking your message back…",
    ],
)
def test_what_the_client_itself_writes_there_is_no_text(ghost: str) -> None:
    assert read(a_screen(f"{MARK}{ghost}")) == EMPTY


def test_its_words_are_no_text_where_a_narrow_window_breaks_them() -> None:
    assert read(a_screen(f'{MARK}Try "how do I', '  log an error?"')) == EMPTY


@pytest.mark.parametrize("words", ["  Showing detailed transcript", "  ctrl+s to change scope"])
def test_view_is_known_by_its_last_row_alone(words: str) -> None:
    assert read(a_screen(f"{MARK}text", words)) == Box(text=f"text\n{words.strip()}")
    assert read(f"{words}\n{a_screen(f'{MARK}text')}") == Box(text="text")


@pytest.mark.parametrize("draft", ['Try "a" and then b', "Press up", "I Press up to edit queued"])
def test_draft_that_begins_like_the_clients_words_is_a_draft(draft: str) -> None:
    assert read(a_screen(f"{MARK}{draft}")) == Box(text=draft)


@pytest.mark.parametrize(
    "odd",
    [
        a_screen(f"{SIGN} text"),  # a prompt of the conversation has an ordinary blank
        a_screen(SIGN),
        a_screen("text"),
        a_screen(),
        a_screen("> text"),
        a_screen(f"  {MARK}text"),
        a_screen(f"{MARK}first", "second"),
        a_screen(f"{MARK}text", upper=""),
        a_screen(f"{MARK}text", upper="  " + RULE),
        a_screen(f"{MARK}text", upper="Title " + RULE),
        a_screen(f"{MARK}text", lower=""),
        a_screen(f"{MARK}text", lower="  " + RULE),
        a_screen(f"{MARK}text", lower=RULE + "─"),
        a_screen(f"{MARK}text", lower=RULE.replace("─", "╌")),
        a_screen(f"{MARK}text", lower="───"),
        f"{RULE}\n{MARK}text",
        f"{MARK}text\n{RULE}",
    ],
)
def test_what_is_not_just_like_the_box_is_none(odd: str) -> None:
    assert read(odd) is None


def test_rule_somebody_drew_in_a_draft_does_not_end_the_box() -> None:
    assert read(a_screen(f"{MARK}a", f"  {RULE}", "  b")) == Box(text=f"a\n{RULE}\nb")


def test_lowest_box_is_the_one_that_hears_keys() -> None:
    older = a_screen(f"{MARK}older")
    newer = a_screen(f"{MARK}newer")
    assert read(f"{older}\n{newer}") == Box(text="newer")


def test_draft_is_kept_only_where_the_client_says_so() -> None:
    assert read(a_screen(MARK, above="   hint · draft stashed")) == Box(stashed=True)
    assert read(a_screen(MARK, above="draft restored")) == EMPTY
    assert read(a_screen(f"{MARK}draft stashed")) == Box(text="draft stashed")


def test_ends_of_rows_do_not_matter() -> None:
    screen = a_screen(f"{MARK}one", "  two").replace("\n", "   \r\n")
    assert read(screen) == Box(text="one\ntwo")


@given(st.text(alphabet=f"─{SIGN}! \u00a0\nab·", max_size=200))
def test_no_text_at_all_is_a_fault(text: str) -> None:
    read(text)
    read(a_screen(f"{MARK}{text}"))
