"""Verb files with one fault each, and what is told of it."""

from __future__ import annotations

from typing import NamedTuple


class Broken(NamedTuple):
    """The text of a file `short.md`; where its fault is, the piece at fault, and the words."""

    text: str
    at: str
    message: str
    marked: str
    hint: str


BROKEN = [
    Broken("", "1:1", "no frontmatter", "", "start the file with `---`, `kind: …` and `---`"),
    Broken(
        "Say it.\n",
        "1:1",
        "no frontmatter",
        "Say it.",
        "start the file with `---`, `kind: …` and `---`",
    ),
    Broken(
        "---\nkind: steer\n\nSay it.\n",
        "1:1",
        "a frontmatter that never ends",
        "---",
        "close it with a line `---`",
    ),
    Broken(
        "---\n---\nSay it.\n",
        "1:1",
        "an empty frontmatter",
        "---",
        "write `kind: steer`, and what else the verb states, a line each",
    ),
    Broken(
        "---\nsteer\n---\nSay it.\n",
        "2:1",
        "a frontmatter that is no mapping",
        "steer",
        "write `kind: steer`, and what else the verb states, a line each",
    ),
    Broken(
        "---\nlabel: X\n---\nSay it.\n", "1:1", "'frontmatter' has no 'kind'", "---", "add `kind:`"
    ),
    Broken(
        "---\nkind: sterr\n---\nSay it.\n",
        "2:7",
        "unknown kind 'sterr'",
        "sterr",
        "did you mean 'steer'?",
    ),
    Broken(
        "---\nkind:\n---\nSay it.\n",
        "2:6",
        "kind of 'frontmatter' is empty",
        "",
        "give it a value, or leave it out",
    ),
    Broken(
        "---\nkind: steer\nlable: X\n---\nSay it.\n",
        "3:1",
        "unknown key 'lable'",
        "lable",
        "did you mean 'label'?",
    ),
    Broken(
        "---\nkind: steer\nlabel: A\nlabel: B\n---\nSay it.\n",
        "4:1",
        "'label' is written twice",
        "label",
        "the first is on line 3: keep one of them",
    ),
    Broken(
        "---\nkind: steer\nlabel: MUCH TOO LONG\n---\nSay it.\n",
        "3:8",
        "label 'MUCH TOO LONG' has 13 characters, a key holds 11",
        "MUCH TOO LONG",
        "shorten it",
    ),
    Broken(
        "---\nkind: steer\nlabel: |\n  A\n  B\n---\nSay it.\n",
        "3:8",
        "label of 'frontmatter' spans lines",
        "|",
        "write it on one line",
    ),
    Broken(
        "---\nkind: steer\nlabel: #WHY\n---\nSay it.\n",
        "3:8",
        "label of 'frontmatter' is empty",
        "#WHY",
        "quote it: label: '#WHY' (an unquoted # starts a comment)",
    ),
    Broken(
        "---\nkind: steer\nid: shorter\n---\nSay it.\n",
        "3:5",
        "id 'shorter' in a file called 'short.md'",
        "shorter",
        "write `id: short`, leave it out, or rename the file",
    ),
    Broken(
        "---\nkind: prompt\nconfirm: true\n---\nSay it.\n",
        "3:10",
        "'true' is neither yes nor no",
        "true",
        "write `yes` or `no`",
    ),
    Broken(
        "---\nkind: prompt\ncommon: hg\n---\nSay it.\n",
        "3:9",
        "no common rules are called 'hg'",
        "hg",
        "there are: git",
    ),
    Broken(
        "---\nkind: key\nrequires: working bloked\n---\nEscape\n",
        "3:11",
        "unknown state 'bloked'",
        "working bloked",
        "did you mean 'blocked'?",
    ),
    Broken(
        "---\nkind: steer\nconfirm: yes\n---\nSay it.\n",
        "3:1",
        "'confirm' on a steer verb",
        "confirm",
        "a steer key is one press: delete the line",
    ),
    Broken(
        "---\nkind: steer\ncommon: git\n---\nSay it.\n",
        "3:1",
        "'common' on a steer verb",
        "common",
        "only prompts are sent with common rules: delete the line",
    ),
    Broken(
        "---\nkind: prompt\nrequires: idle\n---\nSay it.\n",
        "3:1",
        "'requires' on a prompt verb",
        "requires",
        "only keystrokes depend on the state of the agent: delete the line",
    ),
    Broken(
        "---\nkind: [steer]\n---\nSay it.\n",
        "2:7",
        "flow style, '[…]' or '{…}'",
        "[steer]",
        "write it in block style, or quote it if it is text:\n    - steer",
    ),
    Broken(
        "---\nkind: 'steer\n---\nSay it.\n",
        "2:7",
        "a quote that is never closed",
        "'",
        "close the quote",
    ),
    Broken(
        "---\n\tkind: steer\n---\nSay it.\n",
        "2:1",
        "a tab where only spaces may stand",
        "\t",
        "put spaces in its place, two for each level",
    ),
    Broken(
        "---\nkind: steer\n---\n \n\n",
        "3:1",
        "there is no text below the frontmatter",
        "---",
        "write what the agent is told",
    ),
    Broken(
        "---\nkind: steer\n---\nSay\u001b[2J it.\n",
        "4:4",
        "an invisible character, U+001B",
        "\u001b",
        "delete it, or type the line again",
    ),
    Broken(
        "---\nkind: key\nrequires: idle\n---\n\nControl-C\n",
        "6:1",
        "'Control-C' is no keystroke a verb may send",
        "Control-C",
        "there are: Escape, Enter",
    ),
    Broken(
        "---\nkind: key\n---\nEscape\n",
        "2:7",
        "a key verb that requires no state",
        "key",
        "add `requires: working`: in any other state it would do something else",
    ),
    Broken(
        "---\nkind: key\nconfirm: yes\n---\nEnter\n",
        "2:7",
        "a key verb that requires no state",
        "key",
        "add `requires: blocked`: in any other state it would do something else",
    ),
    Broken(
        "---\nkind: key\nrequires: working blocked\n---\nEscape\n",
        "3:11",
        "Escape is never sent to an agent that is blocked",
        "working blocked",
        "write `requires: working`",
    ),
    Broken(
        "---\nkind: key\nconfirm: yes\nrequires: idle\n---\nEnter\n",
        "4:11",
        "Enter is never sent to an agent that is idle",
        "idle",
        "write `requires: blocked`",
    ),
    Broken(
        "---\nkind: key\nrequires: blocked\n---\nEnter\n",
        "2:7",
        "an Enter that asks for no second press",
        "key",
        "write `confirm: yes`: it answers whatever dialog is open",
    ),
    Broken(
        "---\nkind: key\nrequires: blocked\nconfirm: no\n---\nEnter\n",
        "4:10",
        "an Enter that asks for no second press",
        "no",
        "write `confirm: yes`: it answers whatever dialog is open",
    ),
    Broken(
        "---\nkind: prompt\n---\n\nRun `{{flightdeck}} fail` or {{flightdek}}.\n",
        "5:30",
        "unknown token 'flightdek'",
        "{{flightdek}}",
        "the only token is `{{flightdeck}}`",
    ),
    Broken(
        "---\nkind: prompt\n---\nRun {{ flightdeck }}.\n",
        "4:5",
        "unknown token ' flightdeck '",
        "{{ flightdeck }}",
        "the only token is `{{flightdeck}}`",
    ),
    Broken(
        "---\nkind: prompt\n---\nRun {{flightdeck\n}} fail.\n",
        "4:5",
        "a '{{' that is never closed",
        "{{",
        "the only token is `{{flightdeck}}`",
    ),
    Broken(
        "---\nkind: steer\n---\nRun {{flightdeck}} fail.\n",
        "4:5",
        "a token in a steer verb",
        "{{flightdeck}}",
        "prompts have tokens, the message of a denial has none: write it out",
    ),
    Broken(
        "---\nkind: key\nrequires: working\n---\n{{flightdeck}}\n",
        "5:1",
        "'{{flightdeck}}' is no keystroke a verb may send",
        "{{flightdeck}}",
        "there are: Escape, Enter",
    ),
]
