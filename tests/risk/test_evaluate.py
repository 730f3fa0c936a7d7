"""How rules combine: risk/README.md, "What a call is judged by"."""

from __future__ import annotations

import pytest

from flightdeck.model.risk import Table, Tier
from tests.risk.tables import bash, rule, table, trips

SHIPPED = f"""
targets:
  system: /etc/**
  scratch: /tmp/?**
wrappers:
  sudo:
    runs: words
  env:
    runs: words
    assigns: yes
rules:
{rule("program: ls, cat", name="reader", tier="low")}
{rule("program: make", name="make", tier="medium")}
{rule("program: rm", name="rm")}
{rule("wrapper: sudo", name="root")}
{rule("writes: <system>", name="system-file")}
{rule("program: rm", name="rm-again")}
{rule("bomb: yes", name="bomb")}
"""


def mine(*rules: str) -> Table:
    """Return the shipped rules with some of the user's before them."""
    return table("rules:\n" + "".join(rules), table(SHIPPED), local=True)


@pytest.mark.parametrize(
    ("command", "tier", "name"),
    [
        ("ls", Tier.LOW, "reader"),
        ("ls | cat", Tier.LOW, "reader"),
        ("make", Tier.MEDIUM, "make"),
        ("ls && make", Tier.MEDIUM, "make"),
        ("make; rm x", Tier.HIGH, "rm"),
        ("rm x; make", Tier.HIGH, "rm"),
        ("ls; sudo ls", Tier.HIGH, "root"),
        ("cat x > /etc/hosts", Tier.HIGH, "system-file"),
        ("> /etc/hosts", Tier.HIGH, "system-file"),
        ("sudo rm x", Tier.HIGH, "rm"),
    ],
)
def test_most_dangerous_program_decides(command: str, tier: Tier, name: str) -> None:
    judged = bash(table(SHIPPED), command)
    assert (judged.tier, judged.rule) == (tier, name)


@pytest.mark.parametrize(
    "command",
    [
        "frobnicate",
        "ls; frobnicate",
        "$X",
        "ls > out.txt",
        "ls 2> out.txt",
        "ls &>> out.txt",
        "> out.txt",
        "ls (",
        "",
        "  \n",
    ],
)
def test_what_no_rule_speaks_of_is_medium(command: str) -> None:
    judged = bash(table(SHIPPED), command)
    assert (judged.tier, judged.rule) == (Tier.MEDIUM, "")
    assert judged.why


@pytest.mark.parametrize(
    "command",
    [
        "ls 2>/dev/null",
        "ls 2>&1",
        "ls >&2",
        "ls > /dev/stderr",
        "A=1 ls",
        "A=1",
        "# rm x",
        "ls 2>&-",
    ],
)
def test_what_changes_no_file_stays_low(command: str) -> None:
    assert bash(table(SHIPPED), command).tier is Tier.LOW


def test_first_of_several_rules_of_a_tier_is_named() -> None:
    assert bash(table(SHIPPED), "rm x").rule == "rm"


def test_fork_bomb_is_judged_by_its_rule() -> None:
    assert bash(table(SHIPPED), ":(){ :|:& };:").rule == "bomb"
    assert trips(table(SHIPPED), ":(){ :|:& };:")
    assert bash(Table(), ":(){ :|:& };:").tier is Tier.MEDIUM


@pytest.mark.parametrize(("tier", "expected"), [("low", Tier.LOW), ("high", Tier.HIGH)])
def test_rule_of_the_user_lowers_and_raises(tier: str, expected: Tier) -> None:
    judged = bash(mine(rule("program: make\noperands: test", name="mine", tier=tier)), "make test")
    assert (judged.tier, judged.rule) == (expected, "mine")


def test_medium_rule_of_the_user_wants_proof_and_a_shipped_one_does_not() -> None:
    fields = "program: rm\nflags: --all"
    own = mine(rule(fields, name="mine", tier="medium"))
    assert bash(own, "rm --all").rule == "mine"
    assert bash(own, "rm --al").rule == "rm"
    assert bash(table(f"rules:\n{rule(fields, tier='medium')}"), "rm --al").rule == "it"


def test_highest_of_the_users_own_rules_decides() -> None:
    told = mine(
        rule("program: make", name="low", tier="low"),
        rule("program: make", name="high", tier="high"),
    )
    assert bash(told, "make").rule == "high"


def test_rule_of_the_user_speaks_only_where_it_matches() -> None:
    told = mine(rule("program: rm\noperands: build", name="mine", tier="low"))
    assert bash(told, "rm build").tier is Tier.LOW
    assert bash(told, "rm src").rule == "rm"
    assert bash(told, "rm build; rm src").rule == "rm"


@pytest.mark.parametrize("command", ["sudo make", "make > /etc/hosts"])
def test_lowered_program_does_not_lower_what_stands_around_it(command: str) -> None:
    told = mine(rule("program: make", name="mine", tier="low"))
    assert bash(told, command).tier is Tier.HIGH


def test_what_stands_around_a_program_is_lowered_by_a_rule_of_its_kind() -> None:
    told = mine(rule("program: ls\nwrapper: sudo", name="mine", tier="low"))
    assert bash(told, "sudo ls").tier is Tier.LOW
    assert bash(told, "sudo make").rule == "root"


def test_rule_may_say_that_writing_one_file_is_harmless_but_not_two() -> None:
    told = mine(rule("writes: <scratch>", name="mine", tier="low"))
    assert bash(told, "ls > /tmp/x").tier is Tier.LOW
    assert bash(told, "ls > out.txt").tier is Tier.MEDIUM
    assert bash(told, "ls > /tmp/x 2> out.txt").tier is Tier.MEDIUM
    assert bash(told, "frobnicate > /tmp/x").tier is Tier.MEDIUM


def test_rule_of_the_user_replaces_the_shipped_one_of_its_name() -> None:
    told = mine(rule("program: rm\nflags: -r", name="rm"), rule("program: x", name="rm-again"))
    assert bash(told, "rm x").tier is Tier.MEDIUM
    assert bash(told, "rm -r x").rule == "rm"


def test_rules_of_one_shell_are_not_asked_in_the_other() -> None:
    told = table("rules:\n" + rule("tool: PowerShell\nprogram: rm"))
    assert bash(told, "rm x").rule == ""
