"""What a program's words are: risk/README.md, "Options"."""

from __future__ import annotations

import pytest

from tests.risk.tables import rules, trips

PROGRAMS = """
programs:
  git:
    values: -C -c --git-dir
    before: yes
  git push:
    values: -o --push-option
    options: --force-if-includes
  kubectl:
    values: -n --namespace
  kubectl delete:
    values: -l
  find:
    values: -name
    options: -delete -print
"""


@pytest.mark.parametrize(
    "command",
    [
        "rm -r x",
        "rm -rf x",
        "rm -fvr x",
        "rm x -r",
        "rm --recursive x",
        "rm --recur x",
        "rm --r x",
        "rm '-r' x",
    ],
)
def test_option_is_found_however_it_is_given(command: str) -> None:
    assert trips(rules("program: rm\nflags: -r --recursive"), command)


@pytest.mark.parametrize("command", ["rm x", "rm -- -r", "rm --rex x", "rm -f x", "rm - x", "rm r"])
def test_what_only_looks_like_an_option_is_none(command: str) -> None:
    assert not trips(rules("program: rm\nflags: -r --recursive"), command)


def test_lines_of_options_must_all_be_met() -> None:
    told = rules("program: git branch\nflags:\n  - -d --delete\n  - -f --force", sections=PROGRAMS)
    assert trips(told, "git branch --delete -f x")
    assert not trips(told, "git branch --delete x")


@pytest.mark.parametrize("text", ["--force", "--force-with-lease"])
def test_option_some_rule_writes_out_is_not_another_one_cut_short(text: str) -> None:
    told = rules(
        "program: git push\nflags: --force-with-lease",
        "program: git push\nflags: --force",
        sections=PROGRAMS,
    )
    assert trips(rules(f"program: git push\nflags: {text}", sections=PROGRAMS), f"git push {text}")
    judged = {rule.name for rule in told.rules if rule.flags == ((text,),)}
    assert len(judged) == 1


def test_option_the_program_is_said_to_have_is_not_another_one_cut_short() -> None:
    told = rules("program: git push\nflags: --force-if-includes-all", sections=PROGRAMS)
    assert trips(told, "git push --force-if-includes-a")
    assert not trips(told, "git push --force-if-includes")


@pytest.mark.parametrize(
    "command",
    [
        "git push -f",
        "git -C /x push -f",
        "git --git-dir /x push -f",
        "git --git-dir=/x push -f",
        "git -c a=b -C /x push origin -f",
        "git --no-pager push -f",
    ],
)
def test_options_ahead_of_a_subcommand_do_not_hide_it(command: str) -> None:
    assert trips(rules("program: git push\nflags: -f", sections=PROGRAMS), command)


def test_options_ahead_of_a_subcommand_are_not_its_own_where_the_program_says_so() -> None:
    told = rules("program: git branch\nflags: -C", sections=PROGRAMS)
    assert trips(told, "git branch -C a b")
    assert not trips(told, "git -C /x branch")


def test_options_anywhere_are_the_subcommands_where_nothing_is_said() -> None:
    told = rules("program: systemctl disable\nflags: --now")
    assert trips(told, "systemctl --now disable ufw")


def test_options_ahead_of_a_subcommand_can_be_asked_for() -> None:
    told = rules("program: git clean\nbefore: -c=clean.requireForce=false", sections=PROGRAMS)
    assert trips(told, "git -c clean.requireforce=false clean -d")
    assert not trips(told, "git -c clean.requireForce=true clean -d")
    assert not trips(told, "git clean -c clean.requireForce=false")


@pytest.mark.parametrize("command", ["kubectl -n prod delete pod x", "kubectl delete -l a=b pod"])
def test_value_of_an_option_is_no_operand(command: str) -> None:
    assert trips(rules("program: kubectl delete\noperands: pod", sections=PROGRAMS), command)


def test_value_is_found_attached_behind_and_after_an_equals_sign() -> None:
    told = rules("program: kubectl get\nflags: -n=prod --namespace=prod", sections=PROGRAMS)
    for words in ("-n prod", "-nprod", "-n=prod", "--namespace prod", "--namespace=prod"):
        assert trips(told, f"kubectl get {words}")
    assert not trips(told, "kubectl get -n test")


def test_value_is_found_behind_an_option_nothing_is_said_of() -> None:
    told = rules("program: chmod\nflags: -m=777")
    assert trips(told, "chmod -m 777 x")
    assert trips(told, "chmod -m777 x")
    assert not trips(told, "chmod -m")


def test_option_of_one_dash_and_a_word_is_found_whole() -> None:
    told = rules("program: find\nflags: -delete", sections=PROGRAMS)
    assert trips(told, "find . -delete")
    assert not trips(told, "find . -name -delete")
    assert not trips(rules("program: find\nflags: -d", sections=PROGRAMS), "find . -delete")
    assert not trips(rules("program: find\nflags: -d", sections=PROGRAMS), "find . -name=d")


def test_option_of_a_word_is_found_with_one_dash_and_with_two() -> None:
    told = rules("program: terraform apply\nflags: -auto-approve")
    assert trips(told, "terraform apply -auto-approve")
    assert trips(told, "terraform apply --auto-approve")
    assert trips(
        rules("program: terraform apply\nflags: --auto-approve=x"),
        "terraform apply -auto-approve=x",
    )


def test_end_of_options_can_be_asked_for() -> None:
    told = rules("program: git checkout\nflags: --", sections=PROGRAMS)
    assert trips(told, "git checkout -- .")
    assert not trips(told, "git checkout main")


@pytest.mark.parametrize("command", ["git push -f -n", "git push -nf", "git push --dry-run -f"])
def test_option_that_spares_spares(command: str) -> None:
    told = rules("program: git push\nflags: -f\nwithout: -n --dry-run", sections=PROGRAMS)
    assert not trips(told, command)


@pytest.mark.parametrize(
    "command",
    [
        "git push -f --dry",
        "git push -f --dry-run=false",
        "git push -f --dry-run --no-dry-run",
        "git push -f -- --dry-run",
        "git push -f -o --dry-run",
        "git -n push -f",
    ],
)
def test_option_that_spares_must_be_beyond_doubt(command: str) -> None:
    told = rules("program: git push\nflags: -f\nwithout: -n --dry-run", sections=PROGRAMS)
    assert trips(told, command)


def test_value_that_spares_is_asked_for_like_any_other() -> None:
    told = rules("program: kubectl apply\nwithout: --dry-run=client")
    assert not trips(told, "kubectl apply --dry-run=client")
    assert trips(told, "kubectl apply --dry-run=none")


def test_subcommands_below_the_fourth_operand_are_not_looked_for() -> None:
    told = rules(
        "program: a b c d e f\nflags: -x", sections="programs:\n  a b c d e f:\n    values: -v"
    )
    assert trips(told, "a b c d e f -x")
    assert trips(told, "a b c d e f -v x -x")
