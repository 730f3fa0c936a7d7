"""Verb files: what they mean, which one wins, and every way they can be broken."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.frontmatter import LINE_CHARS
from flightdeck.config.report import render_text
from flightdeck.config.verbs import (
    MOST_STEER_BYTES,
    load_verbs,
    parse_verb,
    read_verb,
    verb_files,
)
from flightdeck.errors import ConfigError
from flightdeck.model.lifecycle import State
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

VERBS = shipped.folder("verbs")
README = (VERBS / "README.md").read_text(encoding="utf-8")
GOOD = "---\nkind: steer\nlabel: SHORT\n---\n\nSay it in one line.\n"


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    """A state folder with room for verbs."""
    (tmp_path / "verbs").mkdir()
    return StateFolder(tmp_path)


def own(folder: StateFolder, name: str, text: str = GOOD) -> Path:
    path = folder.verbs / name
    path.write_text(text, encoding="utf-8")
    return path


def parsed(text: str, name: str = "short") -> Verb:
    return parse_verb(name, text, f"{name}.md")


def report(text: str, name: str = "short") -> str:
    with pytest.raises(ConfigError) as caught:
        parsed(text, name)
    assert all(problem.hint for problem in caught.value.problems)
    return render_text(caught.value.problems)


def test_verb_is_its_frontmatter_and_its_text() -> None:
    assert parsed(GOOD) == Verb("short", VerbKind.STEER, "SHORT", "Say it in one line.")


def test_text_keeps_its_lines_and_loses_the_blank_ones_around_it() -> None:
    text = "---\nkind: steer\n---\n\n \nOne.\n\n\tTwo.\n---\nThree.\n\n\n"
    assert parsed(text).text == "One.\n\n\tTwo.\n---\nThree."


def test_verb_without_a_label_is_called_by_its_name() -> None:
    assert parsed("---\nkind: steer\n---\nx\n", "do-less").label == "DO-LESS"


def test_prompt_can_ask_for_a_second_press_and_for_the_rules_of_git() -> None:
    verb = parsed("---\nid: short\nkind: prompt\nconfirm: yes\ncommon: git\n---\nCommit.\n")
    assert (verb.kind, verb.confirm, verb.common) == (VerbKind.PROMPT, True, "git")


def test_keystroke_names_the_states_it_may_be_sent_in() -> None:
    verb = parsed("---\nkind: key\nrequires: working blocked\n---\nEscape\n")
    assert (verb.text, verb.requires) == ("Escape", (State.WORKING, State.BLOCKED))


@pytest.mark.parametrize(
    "raw",
    [
        b"---\r\ncommon: git\r\nkind: prompt\r\n---\r\n\r\nDo it.\r\n",
        b"\xef\xbb\xbf---\ncommon: git\nkind: prompt\n---\n\nDo it.\n",
        b"---  \ncommon: git\nkind: prompt\n---\t\n\nDo it.\n",
        b"---\rcommon: git\rkind: prompt\r---\r\rDo it.\r",
    ],
    ids=["crlf", "mark", "spaces", "cr"],
)
def test_what_an_editor_leaves_behind_changes_nothing(folder: StateFolder, raw: bytes) -> None:
    # VB-01, mohitagw15856/pm-claude-skills#173 and others: the frontmatter was sent as prompt.
    plain = read_verb(own(folder, "do.md", "---\ncommon: git\nkind: prompt\n---\n\nDo it.\n"))
    (folder.verbs / "do.md").write_bytes(raw)
    assert read_verb(folder.verbs / "do.md") == plain
    assert plain.text == "Do it."


def test_text_of_any_script_and_joined_pictures_are_fine() -> None:
    text = "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f4bb ß 表"
    assert parsed(f"---\nkind: steer\n---\n{text}\n").text == text


def test_steer_as_long_as_it_may_be_is_fine() -> None:
    parsed("---\nkind: steer\n---\n" + "é" * (MOST_STEER_BYTES // 2))
    parsed("---\nkind: prompt\n---\n" + "x" * (MOST_STEER_BYTES + 1))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "",
            (
                "short.md:1:1: no frontmatter\n"
                "  hint: start the file with `---`, `kind: …` and `---`\n"
            ),
        ),
        (
            "Say it.\n",
            (
                "short.md:1:1: no frontmatter\n"
                "    1 | Say it.\n"
                "      | ^^^^^^^\n"
                "  hint: start the file with `---`, `kind: …` and `---`\n"
            ),
        ),
        (
            "---\nkind: steer\n\nSay it.\n",
            (
                "short.md:1:1: a frontmatter that never ends\n"
                "    1 | ---\n"
                "      | ^^^\n"
                "  hint: close it with a line `---`\n"
            ),
        ),
        (
            "---\n---\nSay it.\n",
            (
                "short.md:1:1: an empty frontmatter\n"
                "    1 | ---\n"
                "      | ^^^\n"
                "  hint: write `kind: steer`, and what else the verb states, a line each\n"
            ),
        ),
        (
            "---\nsteer\n---\nSay it.\n",
            (
                "short.md:2:1: a frontmatter that is no mapping\n"
                "    2 | steer\n"
                "      | ^^^^^\n"
                "  hint: write `kind: steer`, and what else the verb states, a line each\n"
            ),
        ),
        (
            "---\nlabel: X\n---\nSay it.\n",
            (
                "short.md:1:1: 'frontmatter' has no 'kind'\n"
                "    1 | ---\n"
                "      | ^^^\n"
                "  hint: add `kind:`\n"
            ),
        ),
        (
            "---\nkind: sterr\n---\nSay it.\n",
            (
                "short.md:2:7: unknown kind 'sterr'\n"
                "    2 | kind: sterr\n"
                "      |       ^^^^^\n"
                "  hint: did you mean 'steer'?\n"
            ),
        ),
        (
            "---\nkind:\n---\nSay it.\n",
            (
                "short.md:2:6: kind of 'frontmatter' is empty\n"
                "    2 | kind:\n"
                "      |      ^\n"
                "  hint: give it a value, or leave it out\n"
            ),
        ),
        (
            "---\nkind: steer\nlable: X\n---\nSay it.\n",
            (
                "short.md:3:1: unknown key 'lable'\n"
                "    3 | lable: X\n"
                "      | ^^^^^\n"
                "  hint: did you mean 'label'?\n"
            ),
        ),
        (
            "---\nkind: steer\nlabel: A\nlabel: B\n---\nSay it.\n",
            (
                "short.md:4:1: 'label' is written twice\n"
                "    4 | label: B\n"
                "      | ^^^^^\n"
                "  hint: the first is on line 3: keep one of them\n"
            ),
        ),
        (
            "---\nkind: steer\nlabel: MUCH TOO LONG\n---\nSay it.\n",
            (
                "short.md:3:8: label 'MUCH TOO LONG' has 13 characters, a key holds 11\n"
                "    3 | label: MUCH TOO LONG\n"
                "      |        ^^^^^^^^^^^^^\n"
                "  hint: shorten it\n"
            ),
        ),
        (
            "---\nkind: steer\nlabel: |\n  A\n  B\n---\nSay it.\n",
            (
                "short.md:3:8: label of 'frontmatter' spans lines\n"
                "    3 | label: |\n"
                "      |        ^\n"
                "  hint: write it on one line\n"
            ),
        ),
        (
            "---\nkind: steer\nlabel: #WHY\n---\nSay it.\n",
            (
                "short.md:3:8: label of 'frontmatter' is empty\n"
                "    3 | label: #WHY\n"
                "      |        ^^^^\n"
                "  hint: quote it: label: '#WHY' (an unquoted # starts a comment)\n"
            ),
        ),
        (
            "---\nkind: steer\nid: shorter\n---\nSay it.\n",
            (
                "short.md:3:5: id 'shorter' in a file called 'short.md'\n"
                "    3 | id: shorter\n"
                "      |     ^^^^^^^\n"
                "  hint: write `id: short`, leave it out, or rename the file\n"
            ),
        ),
        (
            "---\nkind: prompt\nconfirm: true\n---\nSay it.\n",
            (
                "short.md:3:10: 'true' is neither yes nor no\n"
                "    3 | confirm: true\n"
                "      |          ^^^^\n"
                "  hint: write `yes` or `no`\n"
            ),
        ),
        (
            "---\nkind: prompt\ncommon: hg\n---\nSay it.\n",
            (
                "short.md:3:9: no common rules are called 'hg'\n"
                "    3 | common: hg\n"
                "      |         ^^\n"
                "  hint: there are: git\n"
            ),
        ),
        (
            "---\nkind: key\nrequires: working bloked\n---\nEnter\n",
            (
                "short.md:3:11: unknown state 'bloked'\n"
                "    3 | requires: working bloked\n"
                "      |           ^^^^^^^^^^^^^^\n"
                "  hint: did you mean 'blocked'?\n"
            ),
        ),
        (
            "---\nkind: steer\nconfirm: yes\n---\nSay it.\n",
            (
                "short.md:3:1: 'confirm' on a steer verb\n"
                "    3 | confirm: yes\n"
                "      | ^^^^^^^\n"
                "  hint: a steer key is one press: delete the line\n"
            ),
        ),
        (
            "---\nkind: steer\ncommon: git\n---\nSay it.\n",
            (
                "short.md:3:1: 'common' on a steer verb\n"
                "    3 | common: git\n"
                "      | ^^^^^^\n"
                "  hint: only prompts are sent with common rules: delete the line\n"
            ),
        ),
        (
            "---\nkind: prompt\nrequires: idle\n---\nSay it.\n",
            (
                "short.md:3:1: 'requires' on a prompt verb\n"
                "    3 | requires: idle\n"
                "      | ^^^^^^^^\n"
                "  hint: only keystrokes depend on the state of the agent: delete the line\n"
            ),
        ),
        (
            "---\nkind: [steer]\n---\nSay it.\n",
            (
                "short.md:2:7: flow style, '[…]' or '{…}'\n"
                "    2 | kind: [steer]\n"
                "      |       ^^^^^^^\n"
                "  hint: write it in block style, or quote it if it is text:\n"
                "    - steer\n"
            ),
        ),
        (
            "---\nkind: 'steer\n---\nSay it.\n",
            (
                "short.md:2:7: a quote that is never closed\n"
                "    2 | kind: 'steer\n"
                "      |       ^\n"
                "  hint: close the quote\n"
            ),
        ),
        (
            "---\n\tkind: steer\n---\nSay it.\n",
            (
                "short.md:2:1: a tab where only spaces may stand\n"
                "    2 |  kind: steer\n"
                "      | ^\n"
                "  hint: put spaces in its place, two for each level\n"
            ),
        ),
        (
            "---\nkind: steer\n---\n \n\n",
            (
                "short.md:3:1: there is no text below the frontmatter\n"
                "    3 | ---\n"
                "      | ^^^\n"
                "  hint: write what the agent is told\n"
            ),
        ),
        (
            "---\nkind: steer\n---\nSay\x1b[2J it.\n",
            (
                "short.md:4:4: an invisible character, U+001B\n"
                "    4 | Say\ufffd[2J it.\n"
                "      |    ^\n"
                "  hint: delete it, or type the line again\n"
            ),
        ),
        (
            "---\nkind: steer\n---\nSay\0it\u202e.\n",
            (
                "short.md:4:4: an invisible character, NUL\n"
                "    4 | Say\ufffdit\ufffd.\n"
                "      |    ^\n"
                "  hint: delete it, or type the line again\n"
                "short.md:4:7: an invisible character, U+202E\n"
                "    4 | Say\ufffdit\ufffd.\n"
                "      |       ^\n"
                "  hint: delete it, or type the line again\n"
            ),
        ),
        (
            "---\nkind: key\n---\n\nControl-C\n",
            (
                "short.md:5:1: 'Control-C' is no keystroke a verb may send\n"
                "    5 | Control-C\n"
                "      | ^^^^^^^^^\n"
                "  hint: there are: Escape, Enter\n"
            ),
        ),
    ],
)
def test_broken_file_is_told_with_its_place_and_a_way_out(text: str, told: str) -> None:
    assert re.sub(r"\d+ problems? in 1 verb$", "", report(text)) == told


def test_steer_too_long_for_the_hook_is_told() -> None:
    told = report("---\nkind: steer\n---\n" + "x" * (MOST_STEER_BYTES + 1)).splitlines()
    assert told[0] == "short.md:4:1: a text of 8193 bytes, a steer verb has 8192 at most"
    assert told[3] == "  hint: shorten it, or name a file the agent can read"


@pytest.mark.parametrize("name", ["My Verb", "größe", "_common", "-x", "a--b", "Short", ""])
def test_name_is_lower_case_letters_digits_and_dashes(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_verb(name, GOOD, "x.md")
    (problem,) = caught.value.problems
    assert str(problem.location) == "x.md"
    assert problem.message == f"'{name}' is no name for a verb"
    assert problem.hint == "call the file in a-z, 0-9 and '-': `my-verb.md`"


def test_long_name_needs_a_label() -> None:
    assert report("---\nkind: steer\n---\nx\n", "explain-it-all") == (
        "explain-it-all.md:1:1: label 'EXPLAIN-IT-ALL' has 14 characters, a key holds 11\n"
        "    1 | ---\n"
        "      | ^^^\n"
        "  hint: give the verb a shorter `label:`\n"
        "1 problem in 1 verb"
    )
    assert parsed("---\nkind: steer\nlabel: EXPLAIN\n---\nx\n", "explain-it-all").label == "EXPLAIN"


def test_every_problem_of_a_file_is_told_at_once() -> None:
    text = "---\nkind: key\nlabel: MUCH TOO LONG\nknd: x\nid: y\n---\nTab\u200b\n"
    with pytest.raises(ConfigError) as caught:
        parse_verb("Short", text, "Short.md")
    assert [(str(p.location), p.message) for p in caught.value.problems] == [
        ("Short.md", "'Short' is no name for a verb"),
        ("Short.md:3:8", "label 'MUCH TOO LONG' has 13 characters, a key holds 11"),
        ("Short.md:4:1", "unknown key 'knd'"),
        ("Short.md:5:5", "id 'y' in a file called 'Short.md'"),
        ("Short.md:7:4", "an invisible character, U+200B"),
    ]


def test_text_is_checked_also_below_a_frontmatter_nobody_can_read() -> None:
    with pytest.raises(ConfigError) as caught:
        parsed("---\nkind: 'x\n---\n\n")
    assert [p.location.line for p in caught.value.problems] == [2, 3]


def test_file_that_is_not_there_is_named(folder: StateFolder) -> None:
    with pytest.raises(ConfigError) as caught:
        read_verb(folder.verbs / "none.md")
    assert caught.value.problems[0].message == "does not exist"


def test_file_that_is_not_utf8_has_line_and_column(folder: StateFolder) -> None:
    (folder.verbs / "x.md").write_bytes(b"---\nkind: steer\n---\nab\xff\n")
    with pytest.raises(ConfigError) as caught:
        read_verb(folder.verbs / "x.md")
    (problem,) = caught.value.problems
    assert str(problem.location) == f"{folder.verbs / 'x.md'}:4:3"


def test_own_verb_wins_over_the_shipped_one_and_leaves_the_others(folder: StateFolder) -> None:
    path = own(folder, "justify.md")
    own(folder, "more.md")
    verbs = load_verbs(folder)
    assert list(verbs.paths) == ["dryrun", "justify", "more", "otherway"]
    assert verbs.usable["justify"].text == "Say it in one line."
    assert verbs.paths["justify"] == path
    assert verbs.usable["dryrun"] == load_verbs(None).usable["dryrun"]


def test_broken_own_verb_never_falls_back_to_the_shipped_one(folder: StateFolder) -> None:
    own(folder, "justify.md", "Say it.\n")
    verbs = load_verbs(folder)
    assert "justify" not in verbs.usable
    assert [p.message for p in verbs.problems["justify"]] == ["no frontmatter"]


def test_machine_without_own_verbs_has_the_shipped_ones(tmp_path: Path) -> None:
    assert load_verbs(StateFolder(tmp_path / "none")) == load_verbs(None)


def test_fragments_the_page_and_what_editors_leave_are_no_verbs(folder: StateFolder) -> None:
    for name in ("_common.md", "README.md", ".#short.md", "short.md~", "short.txt"):
        own(folder, name)
    (folder.verbs / "overrides").mkdir()
    path = own(folder, "short.md")
    assert verb_files(folder.verbs) == [path]


def test_shipped_verbs_have_no_problems() -> None:
    verbs = load_verbs(None)
    assert verbs.problems == {}
    assert set(verbs.usable) == {"justify", "otherway", "dryrun"}


@pytest.mark.parametrize("verb", load_verbs(None).usable.values(), ids=lambda verb: verb.name)
def test_shipped_steer_says_where_it_comes_from_and_when_to_wait(verb: Verb) -> None:
    first, rest = verb.text.split("\n\n", 1)
    assert "operator" in first
    assert "from the panel" in first
    assert "wait for" in " ".join(rest.split())
    assert not re.search(r"claude|anthropic|gpt|codex", verb.text, re.IGNORECASE)
    assert verb.label == verb.name.upper()


def test_page_lists_every_verb_that_ships() -> None:
    rows = re.findall(r"^\| `([a-z]+)` \| ([A-Z]+) \|", README, re.MULTILINE)
    usable = load_verbs(None).usable
    assert sorted(rows) == [(name, verb.label) for name, verb in usable.items()]
    assert f"{LINE_CHARS} characters" in README


def test_example_of_the_page_is_a_verb() -> None:
    (example,) = re.findall(r"^```markdown\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert parsed(example, "smaller").label == "SMALLER"
