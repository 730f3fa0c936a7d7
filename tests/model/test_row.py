"""What the keys of the verdict row stand for, and what they show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.model import row
from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.ask import Grant
from flightdeck.model.display import display
from flightdeck.model.layout import Look
from flightdeck.model.lifecycle import Reason
from tests.model.requests import (
    APPROVE,
    DECISIONS,
    DENY,
    DETAIL,
    INTERRUPT,
    KEYS,
    REMEMBER,
    STEER,
    VERDICTS,
    WARNING,
    a_row,
    an_ask,
    asking,
)

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.verdict import Verdict

ROW = a_row()
LABELS = {b: k.label for b in VERDICTS for k in ROW.keys if k.position == KEYS[b]}
ARM = Arm(
    ArmKind.VERDICT, ("approve", "r1"), KEYS[APPROVE], 1.0, 11.0, ("app", "CONFIRM?"), "approve it"
)


def shown(binding: Verdict, fleet: Fleet, *arms: Arm) -> KeyView:
    return display(ROW, fleet, arms=arms)[KEYS[binding]]


# At rest.


@pytest.mark.parametrize("binding", VERDICTS)
def test_key_at_rest_is_dimmed_and_keeps_its_word(binding: Verdict) -> None:
    view = shown(binding, asking())
    assert (view.top, view.bottom, view.lines, view.dimmed) == ("", LABELS[binding], (), True)
    assert view.name == f"{LABELS[binding]}, nothing pending"


# With a request.


@pytest.mark.parametrize("binding", [APPROVE, REMEMBER, DENY, STEER])
def test_key_that_can_act_lights_up(binding: Verdict) -> None:
    view = shown(binding, asking(an_ask()))
    assert (view.top, view.bottom, view.dimmed) == ("", LABELS[binding], False)
    assert view.name == f"{LABELS[binding]}, Bash (medium) of webshop checkout"


def test_detail_shows_who_asks_what_and_how_dangerous_it_is() -> None:
    view = shown(DETAIL, asking(an_ask(tier="high", repeats=3)))
    assert view.lines == ("webshop", "checkout", "high Bash \u00d73")
    assert (view.count, view.dimmed) == (0, False)
    assert view.name == "Detail, Bash (high) of webshop checkout, asked 3 times"


@pytest.mark.parametrize(("reason", "word"), [(Reason.QUESTION, "QUESTION"), (Reason.PLAN, "PLAN")])
def test_detail_says_that_it_is_a_choice(reason: Reason, word: str) -> None:
    view = shown(DETAIL, asking(an_ask(reason=reason)))
    assert view.lines[-1] == word
    assert word.lower() in view.name


def test_detail_counts_how_many_wait() -> None:
    view = shown(DETAIL, asking(an_ask("r1"), an_ask("r2", key="b"), an_ask("r3")))
    assert view.count == 3
    assert view.name.endswith(", 3 wait")


def test_detail_says_aloud_what_only_the_terminal_can_answer() -> None:
    assert shown(DETAIL, asking(an_ask(answerable=False))).name.endswith(", in terminal")


def test_interrupt_says_that_its_message_is_lost() -> None:
    view = shown(INTERRUPT, asking(an_ask()))
    assert (view.top, view.bottom, view.dimmed) == ("Interrupt", "no message", False)
    assert "no message" in view.name


def test_interrupt_of_a_choice_is_a_denial_whose_message_arrives() -> None:
    view = shown(INTERRUPT, asking(an_ask(reason=Reason.PLAN)))
    assert (view.top, view.bottom) == ("", "Interrupt")


@pytest.mark.parametrize(
    ("binding", "fleet", "word"),
    [
        *((b, asking(an_ask(answerable=False)), "in terminal") for b in DECISIONS),
        (APPROVE, asking(an_ask(reason=Reason.QUESTION)), "question"),
        (REMEMBER, asking(an_ask(reason=Reason.PLAN)), "plan"),
        (REMEMBER, asking(an_ask(grant=Grant(refusal="no rule"))), "no rule"),
        (REMEMBER, asking(an_ask(grant=Grant(refusal="too wide"))), "too wide"),
        (APPROVE, asking(an_ask(), halted=True), "halted"),
    ],
)
def test_key_that_cannot_act_says_why_and_stays_dimmed(
    binding: Verdict, fleet: Fleet, word: str
) -> None:
    view = shown(binding, fleet)
    assert (view.top, view.bottom, view.dimmed) == (LABELS[binding], word, True)
    assert word in view.name


# Armed.


def test_armed_key_says_what_its_second_press_does() -> None:
    view = shown(APPROVE, asking(an_ask(tier="high")), ARM)
    assert view.lines == ("app", "CONFIRM?")
    assert (view.background, view.ink, view.glyph, view.glyph_ink) == (
        "#armed",
        "#loud",
        WARNING,
        "#amber",
    )
    assert view.name == "armed, press again to approve it"


def test_only_the_key_that_is_armed_looks_armed() -> None:
    fleet = asking(an_ask(tier="high"))
    views = display(ROW, fleet, arms=(ARM,))
    assert [b for b in VERDICTS if views[KEYS[b]].background == "#armed"] == [APPROVE]


def test_arm_of_a_terminal_is_on_no_key() -> None:
    fleet = asking(an_ask(tier="high"))
    assert display(ROW, fleet, arms=(replace(ARM, by=None),)) == display(ROW, fleet)


@pytest.mark.parametrize(
    "fleet",
    [asking(), asking(an_ask("r2", tier="high")), asking(an_ask(tier="high"), halted=True)],
    ids=["nothing waits", "another request", "halted"],
)
def test_key_whose_arm_means_nothing_any_more_does_not_look_armed(fleet: Fleet) -> None:
    assert shown(APPROVE, fleet, ARM).background == "#rest"


def test_arm_of_another_deed_is_not_shown() -> None:
    other = replace(ARM, what=("remember", "r1"))
    assert shown(APPROVE, asking(an_ask(tier="high")), other).background == "#rest"


# Looks.


@pytest.mark.parametrize("binding", VERDICTS)
@pytest.mark.parametrize("fleet", [asking(), asking(an_ask()), asking(an_ask(answerable=False))])
def test_key_keeps_the_look_its_author_gave_it(binding: Verdict, fleet: Fleet) -> None:
    own = Look("#111111", "#eeeeee", WARNING, "#222222")
    keys = tuple(replace(key, look=own) for key in ROW.keys)
    view = display(replace(ROW, keys=keys), fleet)[KEYS[binding]]
    assert (view.background, view.ink, view.glyph, view.glyph_ink) == (
        "#111111",
        "#eeeeee",
        WARNING,
        "#222222",
    )


# Aims.


def test_aims_are_of_the_keys_of_the_row_only() -> None:
    assert set(row.aims(ROW, asking())) == set(KEYS.values())


def test_aim_changes_with_the_request_its_refusal_and_its_arm() -> None:
    high = an_ask(tier="high")
    told = [
        row.aims(ROW, asking())[KEYS[APPROVE]],
        row.aims(ROW, asking(high))[KEYS[APPROVE]],
        row.aims(ROW, asking(an_ask("r2")))[KEYS[APPROVE]],
        row.aims(ROW, asking(high, halted=True))[KEYS[APPROVE]],
        row.aims(ROW, asking(high), (ARM,))[KEYS[APPROVE]],
    ]
    assert len(set(told)) == len(told)


def test_aim_is_the_same_where_a_press_would_mean_the_same() -> None:
    once, again = asking(an_ask()), asking(an_ask(repeats=2), an_ask("r2"))
    assert row.aims(ROW, once) == row.aims(ROW, again)
