"""Rules that do not do what their examples say: risk/README.md, "Examples"."""

from __future__ import annotations

from flightdeck.config.risk_examples import failing
from flightdeck.risk.judge import TableJudge
from tests.risk.tables import HOME, compiled

RULES = """\
rules:
  push:
    tier: high
    why: because
    program: git push
    flags: -f
    matches:
      - git push -f
      - git push
      - rm x
      - git push -f; rm x
    spares:
      - git push
      - git push -f
  rm:
    tier: high
    why: because
    program: rm
    matches:
      - rm x
      - rm x; git push -f
      - git push -f; rm x
    spares:
      - ls
"""


def test_each_example_that_fails_is_told_with_what_was_decided() -> None:
    file = compiled(RULES)
    judge = TableJudge(file.table, HOME)
    told = [(p.location.line, p.message, p.hint) for p in failing(file, judge, judge.speaking)]
    look = "see what its words are taken for: flightdeck risk --explain"
    assert told == [
        (9, "'push' does not match this: medium, no rule knows this program", look),
        (10, "'push' does not match this: 'rm' takes it, high", look),
        (14, "'push' matches this, which it spares", "narrow the rule, or move it"),
        (
            22,
            "'rm' matches this, but 'push' takes it, high",
            "give the example to 'push', or narrow that rule",
        ),
    ]


def test_rules_that_do_what_they_say_have_no_problem() -> None:
    said = RULES.replace("      - rm x\n      - git push -f; rm x\n    spares:", "    spares:")
    said = said.replace("      - git push\n", "").replace(
        "      - git push -f\n  rm:", "      - ls\n  rm:"
    )
    file = compiled(said.replace("      - git push -f; rm x\n", ""))
    judge = TableJudge(file.table, HOME)
    assert len(file.examples) == 5
    assert list(failing(file, judge, judge.speaking)) == []
