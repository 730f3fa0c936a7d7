"""What the scripted model answers in the scenarios of the verb row; see `verb_deeds`.

A verb holds no mark of its own, so what it is answered with is the next step of the script
that was played before it. In a session that has played none it is `That was all.`

Source: README.md, "Row 2: verbs".
"""

from __future__ import annotations

import shlex
import sys

from tests.real.deed_script import makes, shell, speaks
from tests.real.fake_api import Step, Tool
from tests.real.script import QUESTION

# As the prompt spells it, so that the client is asked for exactly that.
REPORT = f"{shlex.quote(f'{sys.prefix}/bin/flightdeck')} fail"

VERB_SCRIPTS = {
    "s-tool": [makes("made", 3), speaks(), speaks(2)],
    "s-stream": [Step(["word " * 40], word_s=0.1), speaks(2)],
    "s-quick": [speaks(), speaks(1)],
    "s-limited": [Step(error=(429, "rate_limit_error", "scripted rate limit")), speaks()],
    "s-shell": [
        Step(
            [
                Tool(
                    "Bash",
                    {
                        "command": 'perl -e "sleep 12"',
                        "description": "Lab",
                        "run_in_background": True,
                    },
                )
            ]
        ),
        speaks(),
        speaks(),
    ],
    **{name: [shell("touch made"), speaks(1), speaks(1)] for name in ("s-yes", "s-no", "s-esc")},
    "s-question": [
        Step([Tool("AskUserQuestion", {"questions": [QUESTION]})]),
        speaks(1),
        speaks(1),
    ],
    "s-plan": [
        Step([Tool("ExitPlanMode", {"plan": "# Plan\n1. Do a thing"})]),
        speaks(1),
        speaks(1),
    ],
    "s-thinks": [speaks(15), speaks(0.5)],
    "s-line": [makes("made", 3), speaks(), speaks(0.5)],
    "s-typed": [speaks(0.5), speaks(0.5)],
    "s-more": [makes("made", 2), speaks(), speaks(0.5), speaks()],
    "s-alone": [makes("made", 3), speaks(), speaks(0.5), speaks()],
    "s-race": [shell("touch made"), speaks(0.5), speaks(0.5)],
    "s-asks-first": [shell("touch made"), speaks(1), speaks(1)],
    "s-stop": [makes("made", 20), speaks()],
    "s-blocked": [shell("touch made"), speaks()],
    "s-fork": [makes("made", 4), speaks(), speaks(1), speaks()],
    "s-confirm": [shell("touch made"), speaks(1)],
    "s-cancel": [makes("made", 3), speaks(), speaks()],
    "s-halt-end": [Step(["word " * 30], word_s=0.1), speaks(1)],
    "s-halt-key": [makes("made", 20), speaks(1), speaks(1)],
    "s-clear": [speaks(), speaks()],
    "s-killed": [makes("made", 20), speaks()],
    "s-first": [speaks(), speaks()],
    "s-second": [speaks(), speaks()],
    "s-fails": [speaks(), shell(REPORT), speaks(2), speaks(2)],
}
