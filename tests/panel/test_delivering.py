"""What becomes of a verb that waits, told from what there is to see of it, look by look."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model.deck import Position
from flightdeck.model.effect import Effect, Forget, Refuse, Stage, Unstage, Wake
from flightdeck.model.layout import Key, VerbBinding
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.session import Session, Status, Teardown
from flightdeck.model.staged import Staged
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.model.waking import NOT_DELIVERED
from flightdeck.panel.delivering import CONFIRM_S, HANDED_OVER, TELLS_S, Delivering
from flightdeck.panel.perform import Hand, Performed
from tests.factories import A_PID, a_record, a_session
from tests.model.panels import a_fleet, a_panel, a_view

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet

PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")
VERB = Verb("test", VerbKind.PROMPT, "TEST", "Run the tests.")
OTHER = replace(VERB, name="diff")
KEYS = Position(3, 1), Position(3, 2)
LAYOUT = replace(
    a_panel(),
    keys=(
        *a_panel().keys,
        *(Key(position, VerbBinding(VERB), "TEST") for position in KEYS),
        Key(Position(3, 3), VerbBinding(OTHER), "DIFF"),
    ),
)
EPOCH, AHEAD = 1000.0, 900.0  # the monotonic clock shows so much less
STAGED = Staged("test", "0123456789abcdef", "s-aaaa", A_PID, EPOCH)
LATER = replace(STAGED, token="fedcba9876543210")
WAKE, FORGET = Wake(STAGED, "a", PANE), Forget(STAGED)


def at_rest(**more: Any) -> Session:
    told: dict[str, Any] = {
        "state": State.DONE,
        "record": a_record(at=500.0),
        "place": PANE,
        "session_id": "s-aaaa",
        "announced": True,
    }
    return a_session(**told | more)


WORKS = at_rest(state=State.WORKING, record=a_record(Status.BUSY, 500.0))


class Queue:
    """Delivering, on clocks a test turns, and what a terminal was told."""

    def __init__(self, session: Session | None = None) -> None:
        self.delivering = Delivering(LAYOUT)
        self.session: Session | None = session or at_rest()
        self.now = EPOCH + 1.0
        self.told: Future[Performed] = Future()
        self.staged: tuple[Staged, ...] = ()
        self.halted = False

    @property
    def fleet(self) -> Fleet:
        staged = tuple(("a", one) for one in self.staged)
        return a_fleet(a_view(), staged=staged, halted=self.halted)

    def look(self, later_s: float = 0.0) -> list[Wake | Forget]:
        """Look so much later, and return what is to be done."""
        self.now += later_s
        sessions = [self.session] if self.session else []
        return self.delivering.due(self.fleet, sessions, self.now, self.now - AHEAD)

    def done(self, effect: Effect, **more: Any) -> Performed | None:
        """Let something have been done."""
        return self.delivering.note(Performed(effect, Hand(None), **more), self.now - AHEAD)

    def stage(self, staged: Staged = STAGED, *, stands: bool = True) -> None:
        """Let a terminal have put a verb into the queue; without `stands` it is out again."""
        effect = Stage(VERB, "a", staged.session_id, staged.pid)
        done = Performed(effect, Hand(None, self.told), staged=staged)
        assert self.delivering.note(done, self.now - AHEAD) is None
        if stands:
            self.staged = (staged,)

    def typed(self) -> None:
        """Let it have been staged, and typed."""
        self.stage()
        assert self.look() == [WAKE]
        self.staged = ()
        self.done(WAKE)

    def words(self) -> list[str]:
        """Return the words for the keys of the verb; another verb's key has none."""
        words = self.delivering.words()
        assert {position for position, _ in words} in (set(), set(KEYS))
        return [word for position, word in words if position == KEYS[0]]

    def came_of(self) -> tuple[str, str]:
        """Return what the terminal was told: the problem, and what was done."""
        assert self.told.done()
        done = self.told.result()
        return done.problem, done.said


# Who is woken.


def test_agent_at_rest_is_woken_once() -> None:
    queue = Queue()
    queue.stage()
    assert queue.look() == [WAKE]
    assert (queue.look(), queue.words(), queue.told.done()) == ([], [], False)


def test_agent_at_work_is_not_and_whoever_waits_is_told() -> None:
    queue = Queue(WORKS)
    queue.stage()
    assert queue.look() == []
    assert queue.words() == ["queued"]
    assert queue.came_of() == ("", "queued: it is sent when its turn ends")
    assert (queue.look(), queue.words()) == ([], [])


def test_agent_that_comes_to_rest_is_looked_at_again_in_time() -> None:
    queue = Queue(at_rest(record=a_record(at=EPOCH + 0.5)))
    queue.stage()
    assert queue.look() == []
    assert queue.delivering.ends() == [pytest.approx(EPOCH + 1.5 - AHEAD)]
    assert not queue.told.done()
    assert queue.look(0.6) == [WAKE]


def test_nobody_is_woken_while_the_fleet_is_halted() -> None:
    queue = Queue()
    queue.halted = True
    queue.stage()
    assert queue.look() == []
    assert "halted" in queue.came_of()[1]
    queue.halted = False
    assert queue.look() == [WAKE]


def test_session_nobody_knows_is_not_woken() -> None:
    queue = Queue()
    queue.staged, queue.session = (STAGED,), None
    assert queue.look() == []


def test_verb_somebody_else_staged_wakes_too() -> None:
    queue = Queue()
    queue.staged = (STAGED,)
    assert queue.look() == [WAKE]


def test_next_verb_waits_until_it_is_known_what_became_of_the_last() -> None:
    queue = Queue()
    queue.typed()
    queue.staged = (LATER,)
    assert queue.look() == []
    queue.session = at_rest(arrived=(STAGED.token,))
    assert queue.look() == [FORGET, Wake(LATER, "a", PANE)]


def test_while_nobody_can_tell_who_is_at_rest_it_stays_queued() -> None:
    queue = Queue()
    queue.stage()
    queue.delivering.blind("no disk")
    says = "queued: no disk; it is tried again, and sent when its next turn ends"
    assert queue.came_of() == ("", says)
    queue.delivering.blind("no disk")


# What was typed.


def test_prompt_with_its_token_says_that_it_was_delivered() -> None:
    queue = Queue()
    queue.typed()
    assert queue.look() == []
    queue.session = at_rest(arrived=(STAGED.token,))
    assert queue.look(1.0) == [FORGET]
    assert (queue.words(), queue.came_of()) == (["sent"], ("", "delivered"))
    assert (queue.look(9.0), queue.words()) == ([], [])


def test_token_of_another_verb_says_nothing() -> None:
    queue = Queue()
    queue.typed()
    queue.session = at_rest(arrived=(LATER.token,))
    assert queue.look(1.0) == []


def test_without_that_prompt_it_was_not_delivered() -> None:
    queue = Queue()
    queue.typed()
    until = queue.now - AHEAD + CONFIRM_S
    assert queue.delivering.ends() == [pytest.approx(until)]
    assert queue.look(CONFIRM_S - 0.1) == []
    assert queue.look(0.2) == [FORGET]
    assert (queue.words(), queue.came_of()[0]) == (["not delivered"], "not delivered")


@pytest.mark.parametrize("session", [None, at_rest(closed=True)])
def test_session_that_ends_over_it_has_no_word(session: Session | None) -> None:
    queue = Queue()
    queue.typed()
    queue.session = session
    assert queue.look() == [FORGET]
    assert (queue.words(), queue.came_of()[0]) == ([], "ended")


# What was not typed.


def test_wake_that_typed_nothing_is_told_of_with_its_reason() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.done(WAKE, problem="not in front", hint="look")
    assert queue.look() == []
    assert queue.words() == ["queued"]
    says = "queued: not in front; it is tried again, and sent when its next turn ends"
    assert queue.came_of() == ("", says)
    assert queue.told.result().hint == "look"


def test_wake_that_typed_nothing_is_tried_again_at_once_with_another_record() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.done(WAKE, problem="not in front")
    assert queue.look() == []
    queue.session = at_rest(record=a_record(at=501.0))
    assert queue.look() == [WAKE]


def test_wake_that_typed_nothing_is_tried_again_ever_more_rarely() -> None:
    queue = Queue()
    queue.stage()
    assert queue.look() == [WAKE]
    for pause_s in (2.0, 4.0, 8.0, 16.0, 16.0, 16.0):
        queue.done(WAKE, problem="not in front")
        assert (queue.look(), queue.delivering.ends()) == ([], [queue.now - AHEAD + pause_s])
        assert queue.look(pause_s - 0.01) == []
        assert queue.look(0.02) == [WAKE]
    assert queue.words() == ["queued"]


def test_pause_begins_anew_with_another_record() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    for _ in range(3):
        queue.done(WAKE, problem="not in front")
        queue.look(60.0)
    queue.session = at_rest(record=a_record(at=501.0))
    queue.done(WAKE, problem="not in front")
    assert queue.look() == [WAKE]
    queue.done(WAKE, problem="not in front")
    assert queue.look(1.9) == []
    assert queue.look(0.2) == [WAKE]


def test_nobody_is_looked_at_for_a_wake_while_it_works() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.done(WAKE, problem="not in front")
    queue.session = WORKS
    assert (queue.look(60.0), queue.delivering.ends()) == ([], [])


def test_nothing_is_waited_for_while_nobody_can_tell() -> None:
    queue = Queue()
    queue.typed()
    queue.delivering.blind("no disk")
    assert queue.delivering.ends() == []
    queue.look()
    assert queue.delivering.ends() != []


def test_wake_that_met_the_latch_is_tried_again_once_it_is_lifted() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.done(WAKE, problem="halted")
    queue.halted = True
    assert queue.look() == []
    assert queue.came_of() == ("", "queued: nothing is sent while the fleet is halted")
    queue.halted = False
    assert queue.look() == [WAKE]


def test_what_was_tried_is_forgotten_with_its_verb() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.done(WAKE, problem="not in front")
    queue.staged = ()
    queue.look()
    assert queue.delivering._tried == {}


def test_wake_that_went_wrong_is_said_with_its_reason_once_nothing_is_heard() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.staged = ()
    queue.done(WAKE, problem=NOT_DELIVERED, hint="its input box has changed")
    assert (queue.look(), queue.words()) == ([], [])
    assert queue.look(CONFIRM_S) == [FORGET]
    assert (queue.words(), queue.came_of()[0]) == (["not delivered"], "not delivered")
    assert queue.told.result().hint == "its input box has changed"


def test_line_that_went_out_all_the_same_was_sent() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.staged = ()
    queue.done(WAKE, problem=NOT_DELIVERED, hint="tmux took too long")
    queue.session = at_rest(arrived=(STAGED.token,))
    assert queue.look() == [FORGET]
    assert (queue.words(), queue.came_of()) == (["sent"], ("", "delivered"))


def test_bug_in_a_wake_that_had_claimed_it_is_not_taken_for_nothing() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.staged = ()
    queue.done(WAKE, problem="failed, see the log")
    queue.look()
    queue.look(TELLS_S)
    assert (queue.words(), queue.came_of()[0]) == (["not delivered"], "not delivered")


def test_wake_nobody_asked_for_changes_nothing() -> None:
    queue = Queue()
    queue.done(WAKE)
    queue.done(Refuse("no"))
    assert (queue.look(), queue.words(), queue.delivering.ends()) == ([], [], [])


# What left the queue.


def test_verb_its_stop_hook_took_was_sent() -> None:
    queue = Queue(WORKS)
    queue.stage()
    queue.look()
    queue.words()
    queue.staged = ()
    assert queue.look() == []
    assert queue.words() == []
    queue.session = replace(WORKS, arrived=(STAGED.token,))
    queue.look()
    assert queue.words() == ["sent"]


def test_verb_that_was_taken_before_anybody_saw_it_was_sent_too() -> None:
    queue = Queue(replace(WORKS, arrived=(STAGED.token,)))
    queue.stage(stands=False)
    queue.look()
    assert (queue.words(), queue.came_of()) == (["sent"], ("", HANDED_OVER))


def test_verb_a_wake_came_too_late_for_was_sent() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.staged = ()
    queue.done(WAKE, problem="gone", gone=True)
    queue.look()
    assert queue.words() == []
    queue.session = replace(WORKS, arrived=(STAGED.token,))
    queue.look()
    assert (queue.words(), queue.came_of()) == (["sent"], ("", HANDED_OVER))


def test_verb_an_earlier_turn_took_does_not_stand_for_this_one() -> None:
    queue = Queue(replace(WORKS, arrived=(LATER.token,)))
    queue.stage(stands=False)
    queue.look()
    assert queue.look(TELLS_S) == []
    assert (queue.words(), queue.came_of()[0]) == (["gone"], "gone")


def test_verb_nobody_told_of_is_gone_and_was_cancelled_by_nobody() -> None:
    queue = Queue(WORKS)
    queue.stage(stands=False)
    queue.look()
    queue.look(TELLS_S)
    assert (queue.words(), queue.came_of()[0]) == (["gone"], "gone")
    assert "look into its window" in queue.told.result().hint


def test_verb_that_was_seen_to_be_sent_before_it_was_known_to_be_staged_was_sent() -> None:
    queue = Queue(WORKS)
    queue.staged = (STAGED,)
    queue.look()
    queue.staged, queue.session = (), replace(WORKS, arrived=(STAGED.token,))
    queue.look()
    queue.stage(stands=False)
    queue.look()
    assert queue.came_of() == ("", HANDED_OVER)


def test_verb_that_had_expired_did_not_go_with_the_next_one() -> None:
    queue = Queue(WORKS)
    queue.stage(replace(STAGED, until=EPOCH + 1.0))
    queue.look()
    queue.words()
    queue.staged, queue.session = (), replace(WORKS, arrived=(LATER.token,))
    queue.look()
    queue.told = Future()
    queue.stage(LATER, stands=False)
    queue.look()
    assert queue.words() == ["sent"]
    queue.look(TELLS_S)
    assert queue.words() == ["expired"]


def test_verbs_its_stop_hook_took_within_one_look_were_all_sent() -> None:
    queue = Queue(WORKS)
    tolds = []
    for staged in (STAGED, LATER):
        tolds.append(queue.told)
        queue.stage(staged, stands=False)
        queue.told = Future()
    queue.session = replace(WORKS, arrived=(STAGED.token, LATER.token))
    queue.look()
    assert queue.words() == ["sent", "sent"]
    assert [told.result().said for told in tolds] == [HANDED_OVER, HANDED_OVER]


def test_drain_does_not_speak_for_one_that_is_being_taken_back() -> None:
    queue = Queue(WORKS)
    for staged in (STAGED, LATER):
        queue.told = Future()
        queue.stage(staged, stands=False)
    queue.session = replace(WORKS, arrived=(STAGED.token,))
    queue.look()
    queue.done(Unstage(LATER))
    assert queue.look(TELLS_S) == []
    assert queue.words() == ["sent", "cancelled"]


def test_verb_of_a_conversation_that_moved_to_the_background_says_so() -> None:
    queue = Queue(WORKS)
    queue.stage(stands=False)
    queue.session = at_rest(record=replace(a_record(at=500.0), parked=True))
    queue.look()
    assert (queue.words(), queue.came_of()[0]) == (["moved"], "moved")
    assert "in the background" in queue.told.result().hint


def test_verb_that_expired_says_so() -> None:
    queue = Queue(WORKS)
    queue.stage(replace(STAGED, until=EPOCH + 2.0))
    queue.look()
    queue.words()
    queue.staged = ()
    queue.look(2.0)
    queue.look(TELLS_S)
    assert queue.words() == ["expired"]


@pytest.mark.parametrize(
    "session",
    [
        None,
        replace(WORKS, closed=True),
        replace(WORKS, session_id="s-bbbb"),
        replace(WORKS, teardown=Teardown(EPOCH, by=7)),
        replace(WORKS, teardown=Teardown(EPOCH, ended=True)),
    ],
    ids=["gone", "closed", "cleared", "torn down", "ended"],
)
def test_verb_that_went_with_its_session_has_no_word(session: Session | None) -> None:
    queue = Queue(WORKS)
    queue.stage()
    queue.look()
    queue.words()
    queue.staged, queue.session = (), session
    queue.look()
    assert (queue.words(), queue.delivering.ends()) == ([], [])


def test_verb_that_was_taken_back_is_cancelled_whatever_is_seen_first() -> None:
    for seen in (False, True):
        queue = Queue(WORKS)
        queue.stage()
        queue.look()
        queue.words()
        queue.staged = ()
        if seen:
            queue.look()
        done = queue.done(Unstage(STAGED))
        assert done is not None
        assert done.said == "cancelled"
        assert queue.words() == ["cancelled"]
        assert (queue.look(9.0), queue.words()) == ([], [])


def test_verb_that_was_taken_back_before_a_wake_came_to_it_is_cancelled_once() -> None:
    queue = Queue()
    queue.stage()
    queue.look()
    queue.staged = ()
    queue.done(Unstage(STAGED))
    queue.done(WAKE, problem="gone", gone=True)
    assert queue.look() == []
    assert queue.look(TELLS_S) == []
    assert queue.words() == ["cancelled"]


def test_cancelling_that_came_too_late_is_the_presss_own_word() -> None:
    queue = Queue(WORKS)
    queue.stage()
    queue.look()
    done = queue.done(Unstage(STAGED), problem="too late")
    assert done is not None
    assert (done.problem, queue.words()) == ("too late", ["queued"])


def test_verb_that_could_not_be_staged_is_the_presss_own_word() -> None:
    queue = Queue()
    done = queue.done(Stage(VERB, "a", "s-aaaa", A_PID), problem="test queued")
    assert done is not None
    assert (done.problem, queue.look()) == ("test queued", [])
