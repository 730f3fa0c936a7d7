"""How a verb reaches its agent: the queue, the window, and the last look before either.

What the loop has decided is old by the time it is done, so everything is looked at again:
the agent's own record, what its hooks have just told, the latch, and who is in front in
that very window. A verb is claimed before anything is typed, so nobody delivers it twice;
what goes wrong after that is told, and never tried again.

It runs on performers' threads. It must not know which agent or which host it is.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from flightdeck.errors import FlightdeckError, Gone, Refused, Unavailable
from flightdeck.fold.witnesses import same_process
from flightdeck.model import witness
from flightdeck.model.halt import STOPS_S, runs_on
from flightdeck.model.inputbox import has_room
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.staged import CONFIRMED_FOR_S, Staged
from flightdeck.model.verb import ESCAPE
from flightdeck.model.waking import (
    CALM_S,
    HALTED,
    MOVED,
    NOT_DELIVERED,
    WHERE,
    has_moved,
    waking,
)
from flightdeck.panel.typing import NotTyped, submit
from flightdeck.store import inbox, latch, queue
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.model.effect import Forget, Stage, Stroke, Unstage, Wake
    from flightdeck.model.place import Place
    from flightdeck.model.session import Record, Session
    from flightdeck.ports import AgentKind, Keyboard
    from flightdeck.store.paths import StateFolder
    from flightdeck.store.queue import Taken

_LOG = logging.getLogger(__name__)
# What is longer is no typed line to an agent, but text that somebody pasted.
_LONGEST_LINE = 500
# After any of these the agent is not where its session was last seen.
_NEWS = frozenset(
    {
        Kind.STARTED,
        Kind.PROMPTED,
        Kind.DELIVERED,
        Kind.WOKEN,
        Kind.TOOL_STARTED,
        Kind.ASKED,
        Kind.COMPACTING,
        Kind.LEFT,
        Kind.CLOSED,
    }
)
_EVERY_S = 0.03
_TAKEN = "something else in its window took the Esc: a menu, a search, vim's insert mode; look"
_IN_FRONT = "something else runs in front of the agent in its window"


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Whom a last look asks.

    `session` returns a session of the last fold by its key, or raises KeyError. `kinds`
    makes every agent kind anew: nothing one remembers may stand in for what is there now.
    `in_front` says whether a process is in the foreground of a terminal device.
    """

    session: Callable[[str], Session]
    kinds: Callable[[], Mapping[str, AgentKind]]
    in_front: Callable[[int, str], bool]


class Reach:
    """Does what `perform.VerbWorld` names."""

    def __init__(self, folder: StateFolder, keyboard: Keyboard, witnesses: Witnesses) -> None:
        self._folder = folder
        self._keyboard = keyboard
        self._ask = witnesses

    def stage(self, effect: Stage) -> Staged:
        """Put a verb into the queue of its session and return what waits there now.

        Raises:
            Refused: another verb waits, its process goes by another id meanwhile, or its
                conversation went on in another process.
            Unavailable: it cannot be written, or the session has ended.
        """
        session, verb, now = self._session(effect.key), effect.verb, clock.now()
        if (session.session_id, session.pid) != (effect.session_id, effect.pid):
            raise Refused("changed", "the session was cleared or resumed; look, then send it again")
        if has_moved(session):
            raise Refused(MOVED, WHERE)
        until = now + CONFIRMED_FOR_S if verb.confirm else 0.0
        token = secrets.token_hex(8)
        staged = Staged(verb.name, token, effect.session_id, effect.pid, now, until)
        kind = self._ask.kinds()[session.agent]
        queue.put(self._folder, staged, kind.carry_on(verb.text), verb.text)
        _LOG.info("%s staged for %s", verb.name, effect.key)
        return staged

    def unstage(self, effect: Unstage) -> None:
        """Take a verb out of the queue again.

        Raises:
            Gone: it is not there any more.
            Unavailable: it cannot be taken out.
        """
        if not queue.withdraw(self._folder, effect.staged):
            raise Gone("too late", "somebody has taken it: it was sent, or it had expired")
        _LOG.info("%s taken back", effect.staged.verb)

    def wake(self, effect: Wake) -> None:
        """Type the line that names a staged verb, and submit it.

        Raises:
            Gone: it is not in the queue any more.
            Refused: now is not the time, and it stays in the queue; or, as `NOT_DELIVERED`,
                it was taken out of it and something went wrong.
            Unavailable: its window cannot be reached, and it stays in the queue.
        """
        session = self._ready(effect)
        kind = self._ask.kinds()[session.agent]
        staged, path = effect.staged, queue.prompt_file(self._folder, effect.staged.token)
        line = kind.wake_line(staged.verb, path)
        if not line or not line.isprintable() or len(line) > _LONGEST_LINE:
            raise Refused("cannot be typed", f"'{path.parent}' is no path an agent reads there")
        self._must_take(kind, effect.place, line)
        taken = queue.take(self._folder, staged, clock.now())
        if taken is None:
            raise Gone("gone", "somebody else has taken it: it was sent, or it had expired")
        try:
            queue.write_prompt(self._folder, staged.token, taken.prompt)
            submit(self._keyboard, kind.input_box, effect.place, line, lambda: self._still(effect))
        except Exception as error:
            self._failed(effect, taken, error)
        _LOG.info("%s typed for %s", staged.verb, effect.key)

    def forget(self, effect: Forget) -> None:
        """Remove the prompt a typed line has named; never raises."""
        queue.remove_prompt(self._folder, effect.staged.token)

    def stroke(self, effect: Stroke) -> None:
        """Send the keystroke of a key verb.

        Raises:
            Refused: the session does not show any more what the key was pressed for, or its
                turn runs on in spite of an Esc.
            Unavailable: its window cannot be reached.
        """
        session = self._session(effect.key)
        asked = self._news(session, frozenset({Kind.ASKED}))
        if session.shown.since != effect.since or session.place != effect.place or asked:
            raise Refused("changed", "its state had just changed; look, then press again")
        if session.headless:
            raise Refused("no window", "a run without a terminal hears no key")
        self._in_front(session, effect.place)
        if effect.verb.text == ESCAPE:
            before = self._must_work(session)
            self._keyboard.interrupt(effect.place)
            self._must_stop(session, before)
        else:
            self._must_wait(session)
            self._keyboard.confirm(effect.place)
        _LOG.info("%s sent to %s", effect.verb.name, effect.key)

    def _must_work(self, session: Session) -> Record:
        record = self._own_record(session)
        if record is None or record.status is not Status.BUSY or witness.unanswered(session):
            raise Refused("not working", "by its own record no turn runs")
        return record

    def _must_stop(self, session: Session, before: Record) -> None:
        """Tell of a turn that runs on: what else is open in its window takes an Esc for itself."""
        end = clock.monotonic() + STOPS_S
        while runs_on(replace(session, record=self._record(session)), before):
            if clock.monotonic() >= end:
                raise Refused("not stopped", _TAKEN)
            clock.pause(_EVERY_S)

    def _must_wait(self, session: Session) -> None:
        """Refuse unless the very dialog the session shows is open, and has been for a while.

        A dialog is drawn some tenths of a second late; until then keys go to the prompt.
        """
        record, known = self._own_record(session), session.record
        if record is None or known is None or record.status is not Status.WAITING:
            raise Refused("not blocked", "by its own record no dialog is open")
        if (record.at, record.session_id) != (known.at, session.session_id):
            raise Refused("changed", "another dialog is open by now; look, then press again")
        if latch.stands(self._folder):
            raise Refused(HALTED)
        kind = self._ask.kinds()[session.agent]
        drawn = kind.input_box(self._keyboard.screen(session.place)) is None
        if not drawn or clock.now() < record.at + CALM_S:
            raise Refused("too soon", "its dialog is not drawn yet; look, then press again")

    def _own_record(self, session: Session) -> Record | None:
        record = self._record(session)
        if record is not None and record.parked:
            raise Refused(MOVED, WHERE)
        return record

    def _must_take(self, kind: AgentKind, place: Place, line: str) -> None:
        """Refuse a window of which is known before that the line would be left in it."""
        self._keyboard.must_take_lines(place)
        screen = self._keyboard.screen(place)
        if kind.input_box(screen) is not None and not has_room(screen, line):
            raise Refused("window too small", "in a larger window it could be typed at once")

    def _failed(self, effect: Wake, taken: Taken, error: Exception) -> NoReturn:
        """Put back what was not typed at all.

        Of anything else nobody knows where it is: a line that stands in the prompt may yet be
        submitted, so what it names is left until that is not to be expected any more.
        """
        verb, key = effect.staged.verb, effect.key
        why = error.message if isinstance(error, FlightdeckError) else type(error).__name__
        if isinstance(error, NotTyped) and self._given_back(taken):
            queue.remove_prompt(self._folder, effect.staged.token)
            _LOG.info("%s for %s back in the queue: %s", verb, key, why)
            raise error
        _LOG.warning("%s for %s not delivered: %s", verb, key, why)
        raise Refused(NOT_DELIVERED, why) from error

    def _given_back(self, taken: Taken) -> bool:
        try:
            return queue.give_back(self._folder, taken)
        except Unavailable:
            return False

    def _still(self, effect: Wake) -> None:
        """Raise where the agent can no longer take a line."""
        self._ready(effect)

    def _ready(self, effect: Wake) -> Session:
        """Return the session if it may be typed at now, as everything says that can be asked."""
        session = self._session(effect.key)
        seen = replace(session, record=self._record(session))
        now = waking(seen, effect.staged, latch.stands(self._folder), clock.now())
        if not now.due:
            raise Refused(now.why)
        if session.place != effect.place or self._news(session, _NEWS):
            raise Refused("changed")
        self._in_front(session, effect.place)
        return session

    def _session(self, key: str) -> Session:
        try:
            return self._ask.session(key)
        except KeyError as error:
            raise Gone("gone", "its session has ended meanwhile") from error

    def _record(self, session: Session) -> Record | None:
        """Return what the agent's own registry says of it at this moment.

        One that was killed leaves its record behind, and its pid comes round again in another
        registry: where two could be meant, none is.
        """
        kind = self._ask.kinds()[session.agent]
        kind.learn([session])
        named = (record for record in kind.records() if record.pid == session.pid)
        ours = [record for record in named if same_process(record, session.started)]
        return ours[0] if len(ours) == 1 else None

    def _news(self, session: Session, news: frozenset[Kind]) -> bool:
        """Say whether a hook has told of any of these, and nobody has folded it yet."""
        kind = self._ask.kinds()[session.agent]
        events = inbox.read(self._folder.inbox, clock.now()).events
        ours = (event for event in events if event.pid == session.pid)
        return any(signal.kind in news for event in ours for signal in kind.signals(event))

    def _in_front(self, session: Session, place: Place) -> None:
        if not self._ask.in_front(session.pid, self._keyboard.device(place)):
            raise Refused("not in front", _IN_FRONT)
