"""Verbs on their way: which agent at rest is woken next, and what has become of each verb.

What waits is in the queue, and whoever takes it out says so by the verb's token: an agent that
was woken submits a prompt that names it, a Stop hook that took it tells so as its turn goes on.
What became of one that left the queue and was heard of by nobody is not known.

Knows keys by what they are bound to. It must not know files, windows or agents.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.model import ending, waking
from flightdeck.model.effect import Forget, Stage, Unstage, Wake
from flightdeck.model.layout import VerbBinding
from flightdeck.model.waking import EXPIRED, GONE, MOVED, NOT_DELIVERED, SENT
from flightdeck.panel.perform import Performed, tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout
    from flightdeck.model.session import Session
    from flightdeck.model.staged import Staged

_LOG = logging.getLogger(__name__)
# From Enter to the prompt that follows it; a hook of the agent's own may take its time.
CONFIRM_S = 5.0
# A Stop hook takes a verb first and tells of it then.
TELLS_S = 1.0
# A wake that found something in its way is tried again after so long, then after twice that,
# and so on up to the longest: what it was, a draft or a program in front, is told by nobody.
RETRY_S, LONGEST_RETRY_S = 2.0, 16.0
QUEUED, CANCELLED, ENDED = "queued", "cancelled", "ended"
# What a terminal is told of one the agent reports to have, and of one its Stop hook is printing:
# Esc in that instant, or another hook that ends the turn, would lose it unseen.
DELIVERED, HANDED_OVER = "delivered", "handed over: its turn goes on with it"
_LOOK = "it left the queue and nobody told that it arrived: look into its window"


@dataclass(frozen=True, slots=True)
class _On:
    """A verb on its way to the session with `key`.

    `at` is that of the session's record when it was woken; `until` is how long it is
    waited for, monotonic seconds. `failed` says that a wake of it went wrong, `why` what went
    wrong once it was typed.
    """

    key: str
    staged: Staged
    at: float = 0.0
    until: float = 0.0
    failed: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Tried:
    """A wake that typed nothing: `at` is that of the session's record by then, `why` its problem.

    Before `again`, monotonic seconds, `pause_s` after it, only another record is a reason.
    """

    at: float
    why: str
    hint: str
    again: float
    pause_s: float


class Delivering:
    """Every verb the panel has seen wait, until it is known what became of it, by its token."""

    def __init__(self, layout: Layout) -> None:
        self.follow(layout)
        self._waits: dict[str, _On] = {}
        self._waking: dict[str, _On] = {}
        self._typed: dict[str, _On] = {}
        self._left: dict[str, _On] = {}
        self._tried: dict[str, _Tried] = {}
        self._tolds: dict[str, Performed] = {}
        self._again: list[float] = []
        self._blind = False
        self._words: list[tuple[str, str]] = []

    def follow(self, layout: Layout) -> None:
        """Tell what becomes of verbs on the keys of this layout."""
        self._keys = [(k.position, k.binding) for k in layout.keys]

    def due(
        self, fleet: Fleet, sessions: Iterable[Session], epoch: float, now: float
    ) -> list[Wake | Forget]:
        """Return what is to be done now; `fleet` and `sessions` as they have just been seen.

        `epoch` and `now` are the same moment, in seconds since the epoch and monotonic.
        """
        known, self._blind = {session.key: session for session in sessions}, False
        self._look(fleet, now)
        self._again = []
        for token, on in list(self._left.items()):
            self._explain(token, on, known.get(on.key), epoch, now)
        effects: list[Wake | Forget] = []
        for token, on in list(self._typed.items()):
            effects += self._heard(token, on, known.get(on.key), now)
        for key, staged in fleet.staged:
            if session := known.get(key):
                effects += self._wake(session, staged, fleet, epoch, now)
        return effects

    def cover(self, fleet: Fleet) -> Fleet:
        """Return the fleet with what is being delivered in its queue still.

        A verb that is being typed may be taken for one that waits, and pressed to take it
        back: that is too late, and must not send it once more.
        """
        waits = {key for key, _ in fleet.staged}
        ons = (*self._waking.values(), *self._typed.values())
        more = tuple((on.key, on.staged) for on in ons if on.key not in waits)
        return replace(fleet, staged=(*fleet.staged, *more)) if more else fleet

    def blind(self, why: str) -> None:
        """Nobody can tell who is at rest now: whatever waits stays in the queue."""
        self._blind = True
        for staged in [done.staged for done in self._tolds.values() if done.staged]:
            self._tell_queued(staged, why)

    def note(self, done: Performed, now: float) -> Performed | None:
        """Note what was done to a verb at `now`, monotonic seconds.

        Return what is to be told of it at once, None where that comes later.
        """
        match done.effect:
            case Stage(_, key) if done.staged is not None:
                self._waits[done.staged.token] = _On(key, done.staged)
                self._tolds[done.staged.token] = done
                return None
            case Unstage(staged) if not done.problem:
                for verbs in (self._waits, self._left, self._waking):
                    verbs.pop(staged.token, None)
                self._over(staged, CANCELLED, CANCELLED)
                return replace(done, said=CANCELLED)
            case Wake(staged):
                self._woken(staged, done, now)
            case _:
                pass
        return done

    def words(self) -> list[tuple[Position, str]]:
        """Return the words for the keys of verbs of which something is known now."""
        words, self._words = self._words, []
        return [
            (position, word)
            for verb, word in words
            for position, binding in self._keys
            if isinstance(binding, VerbBinding) and binding.verb.name == verb
        ]

    def ends(self) -> list[float]:
        """Return when something is to be looked at again, monotonic seconds."""
        if self._blind:
            return []
        ons = (*self._typed.values(), *self._left.values())
        return [*self._again, *(on.until for on in ons)]

    def _look(self, fleet: Fleet, now: float) -> None:
        """Notice what is no longer in the queue, of what was there or was just put there."""
        stands = {staged.token: (key, staged) for key, staged in fleet.staged}
        for token, on in self._waits.items():
            if token not in stands and token not in self._waking and token not in self._typed:
                self._left[token] = replace(on, until=now + TELLS_S)
        failed = {token for token, on in self._waits.items() if on.failed}
        self._waits = {
            token: _On(key, staged, failed=token in failed)
            for token, (key, staged) in stands.items()
        }
        self._tried = {token: tried for token, tried in self._tried.items() if token in stands}

    def _explain(
        self, token: str, on: _On, session: Session | None, epoch: float, now: float
    ) -> None:
        """Find out what became of a verb that has left the queue, as soon as that is known."""
        hint = ""
        if session is not None and token in session.arrived:
            word = SENT
        elif session is not None and waking.has_moved(session):
            word, hint = MOVED, waking.WHERE
        elif session is None or not _same(session, on.staged):
            word = ENDED
        elif now < on.until:
            return
        else:
            gone = NOT_DELIVERED if on.failed else GONE
            word = EXPIRED if on.staged.expired(epoch) else gone
            hint = _LOOK if word == GONE else ""
        del self._left[token]
        self._over(on.staged, word, "" if word == SENT else word, hint, HANDED_OVER)

    def _heard(self, token: str, on: _On, session: Session | None, now: float) -> list[Forget]:
        """Notice that a verb was heard, or that it is too late for that."""
        if session is not None and token in session.arrived:
            self._over(on.staged, SENT)
        elif session is None or session.closed:
            self._over(on.staged, ENDED, ENDED)
        elif now >= on.until:
            self._over(on.staged, NOT_DELIVERED, NOT_DELIVERED, on.why)
        else:
            return []
        del self._typed[token]
        return [Forget(on.staged)]

    def _wake(
        self, session: Session, staged: Staged, fleet: Fleet, epoch: float, now: float
    ) -> list[Wake]:
        """Wake a session if it is time to, or see when it will be."""
        if any(on.key == session.key for on in (*self._waking.values(), *self._typed.values())):
            return []
        may, at = waking.waking(session, staged, fleet.halted, epoch), _record_at(session)
        if may.again is not None:
            self._again.append(now + may.again - epoch)
        if not may.due:
            self._tell_queued(staged, "" if may.soon else may.why)
            return []
        tried = self._tried.get(staged.token)
        if tried is not None and tried.at == at and now < tried.again:
            self._tell_queued(staged, tried.why, tried.hint)
            self._again.append(tried.again)
            return []
        self._waking[staged.token] = _On(session.key, staged, at)
        return [Wake(staged, session.key, session.place)]

    def _woken(self, staged: Staged, done: Performed, now: float) -> None:
        on = self._waking.pop(staged.token, None)
        if on is None:
            return
        if done.problem in {"", NOT_DELIVERED}:
            # What went wrong may have been the telling: the prompt that follows knows better.
            self._typed[staged.token] = replace(on, until=now + CONFIRM_S, why=done.hint)
        else:
            # Nothing was typed: it waits on, or the next look shows that somebody took it.
            if done.problem != waking.HALTED:  # nothing is tried before the latch is lifted
                self._tried[staged.token] = self._vain(on, done, now)
            self._waits[staged.token] = replace(on, failed=not done.gone)

    def _vain(self, on: _On, done: Performed, now: float) -> _Tried:
        before, pause_s = self._tried.get(on.staged.token), RETRY_S
        if before is not None and before.at == on.at:
            pause_s = min(2 * before.pause_s, LONGEST_RETRY_S)
        if before is None or before.why != done.problem:
            _LOG.info("%s for %s waits: %s", on.staged.verb, on.key, done.problem)
        return _Tried(on.at, done.problem, done.hint, now + pause_s, pause_s)

    def _tell_queued(self, staged: Staged, why: str, hint: str = "") -> None:
        """Tell whoever staged it that it waits, once, what for, and how to mend that."""
        if why and (done := self._tolds.pop(staged.token, None)):
            self._words.append((staged.verb, QUEUED))
            tell(replace(done, said=waking.told(why), hint=hint))

    def _over(
        self,
        staged: Staged,
        word: str,
        problem: str = "",
        hint: str = "",
        said: str = DELIVERED,
    ) -> None:
        """Tell what became of a verb: its keys, and whoever still waits for that."""
        _LOG.info("%s for process %d: %s", staged.verb, staged.pid, word)
        if word != ENDED:
            self._words.append((staged.verb, word))
        if done := self._tolds.pop(staged.token, None):
            tell(replace(done, problem=problem, hint=hint, said=said))


def _record_at(session: Session) -> float:
    return session.record.at if session.record else 0.0


def _same(session: Session, staged: Staged) -> bool:
    alike = (session.session_id, session.pid) == (staged.session_id, staged.pid)
    ends = session.closed or ending.under_way(session) or ending.has_ended(session)
    return alike and not ends
