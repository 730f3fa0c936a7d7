"""What the keys of verbs stand for, and what they show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model import sending, verbkeys
from flightdeck.model.arming import Arm, ArmKind
from flightdeck.model.deck import Grid, Position
from flightdeck.model.display import display
from flightdeck.model.effect import Refuse, SetArm, Stage, Stroke, Unstage
from flightdeck.model.layout import Key, Look, SlotBinding, VerbBinding
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.staged import Staged
from flightdeck.model.verb import ENTER, ESCAPE, Verb, VerbKind
from flightdeck.model.verdict import Press
from tests.model.panels import a_fleet, a_panel, a_view
from tests.model.requests import PLACE, WARNING

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.row import Aim

TEST = Verb("test", VerbKind.PROMPT, "TEST", "Run the tests.")
FORK = Verb("fork", VerbKind.PROMPT, "FORK", "Fork it.", confirm=True)
STOP = Verb("stop", VerbKind.KEY, "STOP", ESCAPE, requires=(State.WORKING,))
CONFIRM = Verb("confirm", VerbKind.KEY, "CONFIRM", ENTER, confirm=True, requires=(State.BLOCKED,))
VERBS = (TEST, FORK, STOP, CONFIRM)
SLOT = Position(1, 1)
KEYS = {verb.name: Position(2, column) for column, verb in enumerate(VERBS, 1)}
PANEL = replace(
    a_panel(),
    grid=Grid(4, 2),
    armed=Look("#armed", "#loud", WARNING, "#amber"),
    keys=(Key(SLOT, SlotBinding(0)), *(Key(KEYS[v.name], VerbBinding(v), v.label) for v in VERBS)),
)
LIVE = [state for state in State if state is not State.EMPTY]
LOOK = Look("#111111", "#eeeeee", WARNING, "#222222")


def selected(queued: str = "", token: str = "7" * 16, halted: bool = False, **more: Any) -> Fleet:
    """Return a fleet whose one session is selected, and waits for the verb named by `queued`."""
    told: dict[str, Any] = {"session_id": "s-1", "place": PLACE, "selected": True, "since": 5.0}
    staged = (("a", Staged(queued, token, "s-1", 1, 0.0)),) if queued else ()
    view = a_view(**(told | {"queued": queued} | more))
    return a_fleet(view, selected="a", staged=staged, halted=halted)


def armed(verb: Verb, fleet: Fleet) -> Arm:
    """Return the arm the first press of the key of `verb` sets."""
    press = Press(KEYS[verb.name], 1.0)
    [effect] = sending.effects(verb, fleet, (), press, 10.0)
    assert isinstance(effect, SetArm)
    return effect.arm


def shown(verb: Verb, fleet: Fleet, *arms: Arm) -> KeyView:
    return display(PANEL, fleet, arms=arms)[KEYS[verb.name]]


def aim(verb: Verb, fleet: Fleet, *arms: Arm) -> Aim:
    return verbkeys.aims(PANEL, fleet, arms)[KEYS[verb.name]]


# What it shows.


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
@pytest.mark.parametrize("fleet", [a_fleet(), a_fleet(a_view())], ids=["nobody", "none selected"])
def test_key_without_a_target_is_dimmed_and_keeps_its_word(verb: Verb, fleet: Fleet) -> None:
    view = shown(verb, fleet)
    assert (view.top, view.bottom, view.lines, view.dimmed) == ("", verb.label, (), True)
    assert view.name == f"{verb.label}, no target"


@pytest.mark.parametrize(
    ("verb", "state"), [*((TEST, state) for state in LIVE), (STOP, State.WORKING)]
)
def test_key_that_can_act_is_bright_and_says_only_its_word(verb: Verb, state: State) -> None:
    view = shown(verb, selected(state=state))
    assert (view.top, view.bottom, view.dimmed, view.queued) == ("", verb.label, False, False)


def test_screen_reader_hears_for_whom_a_press_would_be() -> None:
    assert shown(TEST, selected()).name == "TEST, for app main"
    assert shown(TEST, selected(label=("", ""), agent="claude-code")).name == (
        "TEST, for claude-code"
    )


@pytest.mark.parametrize(
    ("verb", "fleet", "word"),
    [
        (STOP, selected(state=State.IDLE), "not working"),
        (CONFIRM, selected(), "not blocked"),
        (CONFIRM, selected(state=State.BLOCKED, halted=True), "halted"),
        (STOP, selected(place=Place("app", program="xterm")), "no window"),
        (TEST, selected(session_id=""), "no id yet"),
        (TEST, selected("fork"), "fork queued"),
        (FORK, selected("explain"), "explain queued"),
        (FORK, selected("explains"), "another queued"),
        (TEST, selected(ending=True), "ending"),
        (STOP, selected(ended=True), "ending"),
    ],
)
def test_key_that_cannot_act_says_why_and_is_dimmed(verb: Verb, fleet: Fleet, word: str) -> None:
    view = shown(verb, fleet)
    assert (view.top, view.bottom, view.dimmed) == (verb.label, word, True)
    assert view.name == f"{verb.label}, {word}, app main"
    assert sending.effects(verb, fleet, (), Press(None, 1.0), 10.0) == [Refuse(word)]


@pytest.mark.parametrize("halted", [False, True])
@pytest.mark.parametrize("state", [State.WORKING, State.IDLE, State.BLOCKED])
def test_key_of_a_verb_that_waits_has_the_sign_of_the_queue(state: State, halted: bool) -> None:
    view = shown(TEST, selected("test", state=state, halted=halted))
    assert (view.top, view.bottom, view.queued, view.dimmed) == ("queued", "TEST", True, False)
    assert view.name == "TEST, queued for app main"


def test_only_the_verb_that_waits_has_the_sign() -> None:
    views = display(PANEL, selected("test"))
    assert [name for name, at in KEYS.items() if views[at].queued] == ["test"]


def test_the_sign_of_the_queue_stands_in_for_a_glyph_of_the_author() -> None:
    keys = tuple(replace(key, look=LOOK) for key in PANEL.keys)
    view = display(replace(PANEL, keys=keys), selected("test"))[KEYS["test"]]
    assert (view.background, view.ink, view.glyph) == (LOOK.colour, LOOK.ink, None)


@pytest.mark.parametrize("fleet", [a_fleet(), selected(), selected("fork")])
def test_key_keeps_the_look_its_author_gave_it(fleet: Fleet) -> None:
    keys = tuple(replace(key, look=LOOK) for key in PANEL.keys)
    view = display(replace(PANEL, keys=keys), fleet)[KEYS["test"]]
    assert (view.background, view.ink, view.glyph) == (LOOK.colour, LOOK.ink, WARNING)


@pytest.mark.parametrize(
    ("verb", "state"), [(FORK, State.IDLE), (CONFIRM, State.BLOCKED)], ids=["prompt", "key"]
)
def test_armed_key_says_what_its_second_press_sends_to_whom(verb: Verb, state: State) -> None:
    fleet = selected(state=state)
    view = shown(verb, fleet, armed(verb, fleet))
    assert view.lines == (verb.label, "app", "main", "CONFIRM?")
    assert (view.background, view.glyph, view.glyph_ink) == ("#armed", WARNING, "#amber")
    assert view.name == f"armed, press again to send {verb.name} to app main"


def test_only_the_key_that_is_armed_looks_armed() -> None:
    views = display(PANEL, selected(), arms=[armed(FORK, selected())])
    assert [name for name, at in KEYS.items() if views[at].background == "#armed"] == ["fork"]


def test_arm_of_a_terminal_is_on_no_key() -> None:
    arm = replace(armed(FORK, selected()), by=None)
    assert display(PANEL, selected(), arms=[arm]) == display(PANEL, selected())


@pytest.mark.parametrize(
    "fleet",
    [a_fleet(), selected(key="b"), selected("fork"), selected("test"), selected(ending=True)],
    ids=["nobody", "another session", "it waits already", "another waits", "ending"],
)
def test_key_whose_arm_means_nothing_any_more_does_not_look_armed(fleet: Fleet) -> None:
    assert shown(FORK, fleet, armed(FORK, selected())).background == "#rest"


def test_armed_keystroke_is_for_the_very_state_it_was_armed_in() -> None:
    first, again = (selected(state=State.BLOCKED, since=since) for since in (5.0, 6.0))
    assert shown(CONFIRM, again, armed(CONFIRM, first)).background == "#rest"


# What a press of it would mean.


def test_aims_are_of_the_keys_of_verbs_only() -> None:
    assert set(verbkeys.aims(PANEL, a_fleet())) == set(KEYS.values())


def test_aim_changes_with_all_that_changes_what_a_press_does() -> None:
    told = [
        aim(FORK, a_fleet()),
        aim(FORK, selected()),
        aim(FORK, selected(key="b")),
        aim(FORK, selected(session_id="s-2")),
        aim(FORK, selected("test")),
        aim(FORK, selected("fork")),
        aim(FORK, selected("fork", token="8" * 16)),
        aim(FORK, selected(), armed(FORK, selected())),
        aim(TEST, selected()),
    ]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("change", [{"since": 6.0}, {"state": State.DONE}])
def test_prompt_is_the_same_whatever_its_session_does(change: dict[str, Any]) -> None:
    assert aim(TEST, selected()) == aim(TEST, selected(**change))


def test_keystroke_is_another_once_the_state_it_goes_into_began_anew() -> None:
    assert aim(STOP, selected()) != aim(STOP, selected(since=6.0))


def test_aim_is_the_same_where_the_session_is_only_called_otherwise() -> None:
    assert aim(TEST, selected()) == aim(TEST, selected(label=("app", "fix"), title="Fix"))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
@pytest.mark.parametrize("halted", [False, True])
@pytest.mark.parametrize("queued", ["", "test", "fork"])
@pytest.mark.parametrize("state", LIVE)
def test_press_does_what_the_key_says(verb: Verb, state: State, queued: str, halted: bool) -> None:
    fleet = selected(queued, state=state, halted=halted)
    [effect] = sending.effects(verb, fleet, (), Press(KEYS[verb.name], 1.0), 10.0)
    told = aim(verb, fleet)
    assert isinstance(effect, Refuse) == bool(told.refusal)
    assert isinstance(effect, Unstage) == bool(told.queued)
    if isinstance(effect, SetArm):
        [second] = sending.effects(verb, fleet, [effect.arm], Press(KEYS[verb.name], 2.0), 10.0)
        assert isinstance(second, Stage | Stroke)
        assert aim(verb, fleet, effect.arm).armed
        assert effect.arm.kind is ArmKind.VERB
