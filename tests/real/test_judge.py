"""How a phase is judged from what was shown over time."""

from __future__ import annotations

from tests.real.judge import Answer, Judgement, Row, judge, median_ms, table

START, END = 100.0, 110.0
BLOCKED = {"blocked"}


def row(found: Judgement, bound_s: float = 1.0) -> Row:
    return Row("ask", "permission dialog", "blocked", 10.0, bound_s, found)


def test_an_answer_that_stands_when_the_phase_begins_is_not_late() -> None:
    found = judge([Answer(90.0, "blocked")], BLOCKED, START, END)

    assert found == Judgement(0, {}, {})
    assert found.clean


def test_the_delay_counts_from_the_clients_own_change() -> None:
    answers = [Answer(90.0, "working"), Answer(100.25, "blocked")]

    assert judge(answers, BLOCKED, START, END) == Judgement(250, {"working": 250}, {})


def test_a_wrong_answer_after_the_right_one_is_a_relapse() -> None:
    answers = [Answer(99.0, "blocked"), Answer(103.0, "working"), Answer(105.0, "blocked")]

    found = judge(answers, BLOCKED, START, END)

    assert found == Judgement(0, {}, {"working": 2000})
    assert not row(found).right


def test_an_echo_of_the_clients_own_flicker_is_a_relapse_too() -> None:
    found = judge(
        [Answer(99.0, "blocked"), Answer(103.0, "idle"), Answer(103.017, "blocked")],
        BLOCKED,
        START,
        END,
    )

    assert not row(found).right
    assert "then wrong: idle 17 ms" in str(row(found))


def test_a_wrong_answer_that_stays_counts_to_the_end_of_the_phase() -> None:
    found = judge([Answer(99.0, "idle")], BLOCKED, START, END)

    assert found == Judgement(None, {"idle": 10_000}, {})
    assert not row(found).right


def test_a_right_answer_after_its_bound_is_wrong() -> None:
    found = Judgement(1500, {"idle": 1500}, {})

    assert not row(found).right
    assert row(found, bound_s=2.0).right


def test_a_phase_never_shown_right_weighs_as_endless_in_the_median() -> None:
    rows = [row(Judgement(late, {}, {})) for late in (10, None, None)]

    assert median_ms(rows) > 10**6


def test_the_table_marks_what_is_wrong_and_says_what_was_shown_instead() -> None:
    good, bad = row(Judgement(4, {}, {})), row(Judgement(None, {"idle": 10_000}, {}))

    lines = table([good, bad]).splitlines()

    assert lines[0].startswith("  ask: permission dialog")
    assert lines[1].startswith("X ask: permission dialog")
    assert lines[1].endswith("NEVER  idle 10000 ms")
    assert lines[2].startswith("1 of 2 right")
