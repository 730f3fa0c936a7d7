"""Broken verb files and fragments, one fault each: its place, its line and a way out."""

from __future__ import annotations

import re

import pytest

from flightdeck.config.fragments import Fragment
from flightdeck.config.passage import MOST_BYTES
from flightdeck.config.report import render_text
from flightdeck.config.verbs import parse_verb
from flightdeck.errors import ConfigError, Location, Problem

RULES = {"_common": Fragment("Ask first."), "_common-git": Fragment("Never force.")}


def report(text: str, name: str = "short") -> str:
    with pytest.raises(ConfigError) as caught:
        parse_verb(name, text, f"{name}.md", RULES)
    assert all(problem.hint for problem in caught.value.problems)
    return render_text(caught.value.problems)


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
            "---\nkind: key\nrequires: working bloked\n---\nEscape\n",
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
            "---\nkind: key\nrequires: idle\n---\n\nControl-C\n",
            (
                "short.md:6:1: 'Control-C' is no keystroke a verb may send\n"
                "    6 | Control-C\n"
                "      | ^^^^^^^^^\n"
                "  hint: there are: Escape, Enter\n"
            ),
        ),
        (
            "---\nkind: key\n---\nEscape\n",
            (
                "short.md:2:7: a key verb that requires no state\n"
                "    2 | kind: key\n"
                "      |       ^^^\n"
                "  hint: add `requires: working`: in any other state it would do something else\n"
            ),
        ),
        (
            "---\nkind: key\nconfirm: yes\n---\nEnter\n",
            (
                "short.md:2:7: a key verb that requires no state\n"
                "    2 | kind: key\n"
                "      |       ^^^\n"
                "  hint: add `requires: blocked`: in any other state it would do something else\n"
            ),
        ),
        (
            "---\nkind: key\nrequires: working blocked\n---\nEscape\n",
            (
                "short.md:3:11: Escape is never sent to an agent that is blocked\n"
                "    3 | requires: working blocked\n"
                "      |           ^^^^^^^^^^^^^^^\n"
                "  hint: write `requires: working`\n"
            ),
        ),
        (
            "---\nkind: key\nconfirm: yes\nrequires: idle\n---\nEnter\n",
            (
                "short.md:4:11: Enter is never sent to an agent that is idle\n"
                "    4 | requires: idle\n"
                "      |           ^^^^\n"
                "  hint: write `requires: blocked`\n"
            ),
        ),
        (
            "---\nkind: key\nrequires: blocked\n---\nEnter\n",
            (
                "short.md:2:7: an Enter that asks for no second press\n"
                "    2 | kind: key\n"
                "      |       ^^^\n"
                "  hint: write `confirm: yes`: it answers whatever dialog is open\n"
            ),
        ),
        (
            "---\nkind: key\nrequires: blocked\nconfirm: no\n---\nEnter\n",
            (
                "short.md:4:10: an Enter that asks for no second press\n"
                "    4 | confirm: no\n"
                "      |          ^^\n"
                "  hint: write `confirm: yes`: it answers whatever dialog is open\n"
            ),
        ),
        (
            "---\nkind: prompt\n---\n\nRun `{{flightdeck}} fail` or {{flightdek}}.\n",
            (
                "short.md:5:30: unknown token 'flightdek'\n"
                "    5 | Run `{{flightdeck}} fail` or {{flightdek}}.\n"
                "      |                              ^^^^^^^^^^^^^\n"
                "  hint: the only token is `{{flightdeck}}`\n"
            ),
        ),
        (
            "---\nkind: prompt\n---\nRun {{ flightdeck }}.\n",
            (
                "short.md:4:5: unknown token ' flightdeck '\n"
                "    4 | Run {{ flightdeck }}.\n"
                "      |     ^^^^^^^^^^^^^^^^\n"
                "  hint: the only token is `{{flightdeck}}`\n"
            ),
        ),
        (
            "---\nkind: prompt\n---\nRun {{flightdeck\n}} fail.\n",
            (
                "short.md:4:5: a '{{' that is never closed\n"
                "    4 | Run {{flightdeck\n"
                "      |     ^^\n"
                "  hint: the only token is `{{flightdeck}}`\n"
            ),
        ),
        (
            "---\nkind: steer\n---\nRun {{flightdeck}} fail.\n",
            (
                "short.md:4:5: a token in a steer verb\n"
                "    4 | Run {{flightdeck}} fail.\n"
                "      |     ^^^^^^^^^^^^^^\n"
                "  hint: prompts have tokens, the message of a denial has none: write it out\n"
            ),
        ),
        (
            "---\nkind: key\nrequires: working\n---\n{{flightdeck}}\n",
            (
                "short.md:5:1: '{{flightdeck}}' is no keystroke a verb may send\n"
                "    5 | {{flightdeck}}\n"
                "      | ^^^^^^^^^^^^^^\n"
                "  hint: there are: Escape, Enter\n"
            ),
        ),
    ],
)
def test_broken_file_is_told_with_its_place_and_a_way_out(text: str, told: str) -> None:
    assert re.sub(r"\d+ problems? in 1 verb$", "", report(text)) == told


def test_steer_too_long_for_the_hook_is_told() -> None:
    told = report("---\nkind: steer\n---\n" + "x" * (MOST_BYTES + 1)).splitlines()
    assert told[0] == "short.md:4:1: a text of 8193 bytes, a steer verb has 8192 at most"
    assert told[3] == "  hint: shorten it, or name a file the agent can read"


def test_long_name_needs_a_label() -> None:
    assert report("---\nkind: steer\n---\nx\n", "explain-it-all") == (
        "explain-it-all.md:1:1: label 'EXPLAIN-IT-ALL' has 14 characters, a key holds 11\n"
        "    1 | ---\n"
        "      | ^^^\n"
        "  hint: give the verb a shorter `label:`\n"
        "1 problem in 1 verb"
    )


def test_prompt_too_long_with_its_rules_is_told_how_much_is_theirs() -> None:
    before = len("Ask first.\n\n")
    told = report("---\nkind: prompt\n---\n\n" + "x" * (MOST_BYTES + 1 - before)).splitlines()
    assert told[0] == (
        f"short.md:5:1: a text of 8193 bytes, {before} of them its fragments', "
        "a prompt verb has 8192 at most"
    )
    assert told[3] == "  hint: shorten it, or name a file the agent can read"


def test_prompt_whose_rules_are_broken_is_told_so_beside_its_own_problems() -> None:
    broken = Problem(Location("_common.md", 1, 1), "the fragment '_common' is empty", "write it")
    rules = {**RULES, "_common": Fragment(problems=(broken,))}
    with pytest.raises(ConfigError) as caught:
        parse_verb("short", "---\nkind: prompt\n---\n{{x}}\n", "short.md", rules)
    assert [p.message for p in caught.value.problems] == [broken.message, "unknown token 'x'"]


def test_steer_needs_no_rules() -> None:
    broken = Problem(Location("_common.md", 1, 1), "the fragment '_common' is empty", "write it")
    rules = {**RULES, "_common": Fragment(problems=(broken,))}
    assert parse_verb("short", "---\nkind: steer\n---\nNo.\n", "short.md", rules).text == "No."
