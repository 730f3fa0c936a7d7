"""Only a look at which every check is proven lets a worktree go."""

from __future__ import annotations

import pytest

from flightdeck.model.teardown import (
    NAMED,
    PROVES,
    Check,
    Finding,
    Inspection,
    Losses,
    Outcome,
    Stage,
    Verdict,
    proven,
    refused,
    refuted,
    unknown,
)

OVERRULED = [
    Check.OPERATION,
    Check.BRANCH,
    Check.UPSTREAM,
    Check.AHEAD,
    Check.COMMITS,
    Check.STATUS,
    Check.IGNORED,
    Check.HIDDEN,
    Check.CONTENT,
    Check.METADATA,
]


def a_look(*against: Finding, without: Check | None = None) -> Inspection:
    """Return a look at which everything is proven but `against`."""
    rest = {*Check} - {finding.check for finding in against} - {without}
    return Inspection((*(proven(check) for check in Check if check in rest), *against))


def test_look_that_proves_everything_refuses_nothing() -> None:
    assert a_look().refusal is None


def test_every_check_says_what_it_proves() -> None:
    assert list(PROVES) == list(Check)


@pytest.mark.parametrize("check", Check)
def test_one_refuted_check_refuses(check: Check) -> None:
    finding = refuted(check, "no")
    assert a_look(finding).refusal == finding


@pytest.mark.parametrize("check", Check)
def test_one_undecided_check_refuses(check: Check) -> None:
    finding = unknown(check, "git gave no answer")
    assert a_look(finding).refusal == finding


@pytest.mark.parametrize("check", Check)
def test_check_nobody_answered_refuses(check: Check) -> None:
    assert a_look(without=check).refusal == unknown(check, "was not looked at")


def test_look_at_nothing_refuses() -> None:
    assert Inspection().refusal == unknown(Check.WORKTREE, "was not looked at")


@pytest.mark.parametrize("first", [True, False])
def test_check_that_was_answered_twice_holds_only_if_both_times_proven(first: bool) -> None:
    answers = [proven(Check.STATUS), refuted(Check.STATUS, "no")]
    found = Inspection((*a_look(without=Check.STATUS).findings, *(answers[:: 1 if first else -1])))
    assert found.refusal == refuted(Check.STATUS, "no")


def test_what_was_refuted_is_told_before_what_is_only_unknown() -> None:
    found = a_look(unknown(Check.GIT, "late"), refuted(Check.IGNORED, "no"))
    assert found.refusal == refuted(Check.IGNORED, "no")


def test_of_two_refuted_checks_the_telling_one_is_told() -> None:
    found = a_look(refuted(Check.IGNORED, "a"), refuted(Check.NESTED, "b"))
    assert found.refusal == refuted(Check.NESTED, "b")


def test_reason_names_the_first_things_and_counts_the_rest() -> None:
    assert refuted(Check.IGNORED, "ignored", ["a", "b"]).sentence == "ignored: a, b"
    assert refuted(Check.IGNORED, "ignored", "abcde").sentence == "ignored: a, b, c and 2 more"
    assert proven(Check.LOCK).sentence == "nobody locked it"


def test_finding_names_no_more_than_a_person_reads() -> None:
    finding = refuted(Check.STATUS, "new", map(str, range(NAMED + 5)))
    assert (len(finding.items), finding.more) == (NAMED, 5)
    assert finding.sentence == f"new: 0, 1, 2 and {NAMED + 2} more"


@pytest.mark.parametrize("check", OVERRULED)
def test_name_typed_by_hand_overrules_what_is_about_this_worktree_alone(check: Check) -> None:
    assert a_look(refuted(check, "no")).beyond_force is None


@pytest.mark.parametrize("check", [check for check in Check if check not in OVERRULED])
def test_name_typed_by_hand_overrules_nothing_about_others(check: Check) -> None:
    assert a_look(refuted(check, "no")).beyond_force == refuted(check, "no")


@pytest.mark.parametrize("check", Check)
def test_what_nobody_knows_is_never_overruled(check: Check) -> None:
    assert a_look(unknown(check, "late")).beyond_force == unknown(check, "late")


def test_losses_are_each_file_once_and_the_commits() -> None:
    found = a_look(
        refuted(Check.STATUS, "changed", ["a"]),
        refuted(Check.CONTENT, "differ", ["a", "b", *map(str, range(NAMED))]),
        refuted(Check.IGNORED, "ignored", ["c"]),
        refuted(Check.COMMITS, "lost", map(str, range(NAMED + 1))),
        refuted(Check.AHEAD, "ahead", ["kept by the branch"]),
        refuted(Check.OPERATION, "a rebase is under way"),
    )
    assert found.losses == Losses(
        files=("a", "c", "b", *map(str, range(NAMED - 2))),
        more_files=2,
        commits=tuple(map(str, range(NAMED))),
        more_commits=1,
        operations=("a rebase is under way",),
    )


def test_proven_worktree_loses_nothing() -> None:
    assert a_look().losses == Losses()


def test_outcome_tells_its_check_where_there_is_one() -> None:
    assert Outcome(Stage.SECOND_LOOK, "no", Check.STATUS).reason == "status: no"
    assert Outcome(Stage.REMOVAL, "failed to delete").reason == "failed to delete"


def test_refused_look_keeps_what_it_saw() -> None:
    found = a_look(refuted(Check.IGNORED, "ignored", [".env"]))
    assert found.refusal is not None
    outcome = refused(Stage.SECOND_LOOK, found.refusal, found, ended=True)
    assert outcome == Outcome(
        Stage.SECOND_LOOK, "ignored: .env", Check.IGNORED, agent_ended=True, inspection=found
    )


@pytest.mark.parametrize("stage", Stage)
def test_only_what_is_done_is_removed(stage: Stage) -> None:
    assert Outcome(stage, "").removed is (stage is Stage.DONE)


def test_only_proven_is_proven() -> None:
    assert [proven(Check.GIT).verdict, refuted(Check.GIT, "").verdict] == [
        Verdict.PROVEN,
        Verdict.REFUTED,
    ]
    assert unknown(Check.GIT, "").verdict is Verdict.UNKNOWN
