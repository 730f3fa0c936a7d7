"""What the scripted model answers in the scenarios of the verdict row; see `deeds`.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from tests.real.fake_api import Step, Tool
from tests.real.script import QUESTION


def shell(command: str) -> Step:
    """Return a step that runs one command."""
    return Step([Tool("Bash", {"command": command, "description": "Lab"})])


def makes(name: str, then_s: float = 0) -> Step:
    """Return a step whose command makes a file and goes on for so many seconds."""
    return shell(f'perl -e "open F, q(>), q({name}); select undef, undef, undef, {then_s:g}"')


def reads(*paths: str) -> Step:
    """Return a step that reads files, all in one message."""
    return Step([Tool("Read", {"file_path": path}) for path in paths])


def writes(path: str) -> Step:
    """Return a step that writes a file."""
    return Step([Tool("Write", {"file_path": path, "content": "lab\n"})])


def speaks(after_s: float = 0) -> Step:
    """Return a step that ends the turn after so many seconds."""
    return Step(["That was it."], delay_s=after_s)


def agent(prompt: str) -> Step:
    """Return a step that starts a sub-agent in the background."""
    given = {
        "description": "Small job",
        "prompt": f"scenario:{prompt}",
        "subagent_type": "general-purpose",
        "run_in_background": True,
    }
    return Step([Tool("Agent", given)])


DEED_SCRIPTS = {
    "v-approve": [makes("made", 2), speaks(2)],
    "v-high": [shell("rm -rf old"), speaks()],
    "v-twin": [shell("rm -rf old"), speaks()],
    "v-remember": [shell("perl tool.pl"), shell("perl tool.pl"), speaks()],
    "v-tree": [shell("perl tool.pl"), shell("perl tool.pl"), speaks()],
    "v-mode": [writes("one.txt"), writes("two.txt"), speaks()],
    "v-deny": [makes("made"), speaks(2)],
    "v-steer": [makes("made"), speaks(2)],
    "v-interrupt": [makes("made"), speaks()],
    "v-yes": [makes("one", 2), makes("two"), speaks()],
    "v-no": [makes("one"), speaks()],
    "v-esc": [makes("one"), speaks()],
    "v-kill": [makes("made"), speaks()],
    "v-agent": [agent("v-child"), Step(["It runs in the background."])],
    "v-child": [makes("made"), speaks()],
    "v-reads": [reads("/tmp/left/note", "/tmp/right/note"), speaks(4)],
    "v-other": [reads("/tmp/left/note", "/tmp/right/note"), speaks(3)],
    "v-first": [makes("first"), speaks(3)],
    "v-second": [makes("second"), speaks(3)],
    "v-question": [Step([Tool("AskUserQuestion", {"questions": [QUESTION]})]), speaks(2)],
    "v-plan": [Step([Tool("ExitPlanMode", {"plan": "# Plan\n1. Do a thing"})]), speaks(2)],
    "h-next": [makes("first", 2), makes("second"), speaks()],
    "h-runs": [makes("first", 20), makes("second"), speaks()],
    "h-blocked": [makes("made"), speaks()],
    **{name: [makes("again"), speaks()] for name in ("h-again", "h-lifted", "h-unblocked")},
    "h-gated": [shell("rm -rf old"), makes("made"), speaks()],
    "v-headless": [makes("made"), speaks()],
    "v-late": [makes("made"), speaks()],
    "n-walk": [makes("made", 2), speaks(2)],
    "n-after": [speaks()],
}
