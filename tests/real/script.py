"""What the scripted model answers, by scenario name; `scenarios` says what the person does.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

from tests.real.fake_api import SUMMARY, Step, Tool

NAP = "Bash(perl *)"  # allowed beforehand where a scenario wants no dialog
REPORT = "Bash(flightdeck fail)"
QUESTION = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [
        {"label": "Red", "description": "Warm"},
        {"label": "Blue", "description": "Cold"},
    ],
}


def nap(seconds: int, **more: object) -> Step:
    """Return a step that calls a shell tool which takes `seconds`.

    Not `sleep`: the client refuses a bare one before it asks anybody.
    """
    command = f'perl -e "sleep {seconds}; print {seconds}"'
    return Step([Tool("Bash", {"command": command, "description": "Lab", **more})])


_REPORTS = [
    Step([Tool("Bash", {"command": "flightdeck fail", "description": "Report it"})]),
    Step(["The tests still fail."], delay_s=3),
]
SCRIPTS = {
    "quick": [Step(["Done at once."])],
    "think": [Step(["I thought about it."], delay_s=7)],
    "wait-for-me": [Step(["The first one."], delay_s=5)],
    "after-you": [Step(["The second one."], delay_s=7)],
    "ask": [nap(8), Step(["Finished."])],
    "tool": [nap(30), Step(["Finished."])],
    "stream": [Step(["word " * 80], word_s=0.4)],
    "question": [
        Step([Tool("AskUserQuestion", {"questions": [QUESTION]})]),
        Step(["Thanks."], delay_s=7),
    ],
    "plan": [
        Step([Tool("ExitPlanMode", {"plan": "# Plan\n1. Do a thing\n2. Test it"})]),
        Step(["Plan over."], delay_s=7),
    ],
    "agent": [
        Step(
            [
                Tool(
                    "Agent",
                    {
                        "description": "Small job",
                        "prompt": "scenario:subagent-asks",
                        "subagent_type": "general-purpose",
                        "run_in_background": True,
                    },
                )
            ]
        ),
        Step(["It runs in the background."]),
    ],
    "subagent-asks": [
        Step(
            [Tool("Bash", {"command": "mkdir -p made && touch made/x", "description": "Make"})],
            delay_s=7,
        ),
        Step(["The sub-agent's report."]),
    ],
    # One for each who reports: when a step was asked for is told by its name alone.
    "fails": _REPORTS,
    "fails-below": _REPORTS,
    "subagent-fails": [
        Step(
            [
                Tool(
                    "Agent",
                    {
                        "description": "Run the tests",
                        "prompt": "scenario:fails-below",
                        "subagent_type": "general-purpose",
                        "run_in_background": False,
                    },
                )
            ]
        ),
        Step(["It says that the tests still fail."], delay_s=3),
    ],
    "shell": [nap(12, run_in_background=True), Step(["Started it in the background."])],
    "limited": [Step(error=(429, "rate_limit_error", "scripted rate limit"))],
    "broken": [Step(error=(500, "api_error", "scripted server error"))],
    SUMMARY: [
        Step(
            ["<analysis>Long.</analysis><summary>Go on with scenario:after-summary</summary>"],
            delay_s=5,
        )
    ],
    "overflow": [
        nap(1),
        Step(
            error=(
                400,
                "invalid_request_error",
                "prompt is too long: 215000 tokens > 200000 maximum",
            )
        ),
    ],
    "after-summary": [Step(["Went on after compaction."], delay_s=6)],
    "elicit": [Step([Tool("mcp__labmcp__ask", {"what": "name"})]), Step(["Asked."])],
    "more": [Step(["More work, because a hook said so."], delay_s=7)],
}
