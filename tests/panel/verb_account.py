"""What has to hold after a tale, worked out from what was seen and from nothing else.

A check that was made before something happened may be acted upon after it; how early it can
have been made is told by the keys and looks before it. Only what had been so for all of that
time counts against the panel.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.prompts import token_of
from flightdeck.model.waking import GONE, NOT_DELIVERED, SENT
from flightdeck.panel.delivering import CANCELLED, ENDED
from tests.panel.verb_seen import verbs_of
from tests.panel.verb_window import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.panel.verb_client import Client, Delivery, Moment
    from tests.panel.verb_seen import Seen, Span, Verb
    from tests.panel.verb_window import Call


class Account:
    """Finds what should not be."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.faults: list[str] = list(seen.stuck)
        self.counts: Counter[str] = Counter()
        self.verbs = verbs_of(seen)
        self._by_token = {verb.token: verb for verb in self.verbs.values() if verb.token}

    def check(self) -> list[str]:
        """Return every rule that was broken."""
        self._deliveries()
        for verb in self.verbs.values():
            self._once(verb)
            self._told(verb)
            self._alive(verb)
        for number, call in enumerate(self.seen.calls):
            if call.what in KEYS and not call.refused:
                self._typed(number, call)
        for client in self.seen.clients:
            self.faults += [f"torn line {line[:80]!r}" for line in client.torn]
        self.faults += [f"left in queue/: {name}" for name in self.seen.left]
        for _, note in self.seen.notes:
            if note["what"] == "broke":
                self.faults.append(f"the panel broke: {note['error']}")
        return self.faults

    def _deliveries(self) -> None:
        for client in self.seen.clients:
            for delivery in client.deliveries:
                verb = self.verbs.get(delivery.mark)
                if verb is None:
                    self.faults.append(f"{delivery.mark} was delivered, nobody staged it")
                    continue
                verb.deliveries.append(delivery)
                if delivery.whose != verb.whose:
                    self._stray(verb, delivery)
                if delivery.way == "Stop":
                    self._drained(verb, delivery)
                self.counts[f"delivered: {delivery.way}"] += 1

    def _stray(self, verb: Verb, delivery: Delivery) -> None:
        """A typed line may be overtaken by a /clear; the keys are looked at one by one."""
        if delivery.way == "Stop" or delivery.whose[1] != verb.whose[1]:
            self.faults.append(f"{verb.mark} for {verb.whose} reached {delivery.whose}")
        else:
            self.counts["typed, and the session was cleared before it was read"] += 1

    def _drained(self, verb: Verb, delivery: Delivery) -> None:
        if verb.until and delivery.began >= verb.until:
            self.faults.append(f"{verb.mark} was drained after it had expired")
        if any(a <= delivery.began and delivery.at <= b for a, b in self.seen.latched):
            self.faults.append(f"{verb.mark} was drained while the latch stood")

    def _once(self, verb: Verb) -> None:
        if len(verb.deliveries) > 1:
            ways = [f"{d.way} at {d.at:.4f}" for d in verb.deliveries]
            self.faults.append(f"{verb.mark} was delivered {len(ways)} times: {', '.join(ways)}")
        if verb.deliveries and verb.cancelled:
            self.faults.append(f"{verb.mark} was cancelled and delivered")
        if verb.deliveries and verb.refused:
            self.faults.append(f"{verb.mark} was refused and delivered")

    def _told(self, verb: Verb) -> None:
        """What people are told is true, as far as anybody could know."""
        words = [word for _, word in verb.said]
        if len(words) > 1 and (SENT in words or not {CANCELLED, GONE}.isdisjoint(words[:-1])):
            self.faults.append(f"{verb.mark} came to more than one thing: {words}")
        if CANCELLED in words and not verb.cancelled:
            self.faults.append(f"{verb.mark} was said to be cancelled, and nobody took it back")
        for at, word in verb.said:
            self.counts[f"said: {word}"] += 1
            if word != SENT:
                self._told_otherwise(verb, at, word)
            elif not verb.deliveries and not self._hook_killed(verb):
                self.faults.append(f"{verb.mark} was said to be sent, and reached nobody")
        if not words and verb.staged and verb.panel not in self.seen.killed:
            self.faults.append(f"{verb.mark}: nobody was ever told what became of it")

    def _told_otherwise(self, verb: Verb, at: float, word: str) -> None:
        for delivery in verb.deliveries:
            if delivery.began > at:
                self.faults.append(f"{verb.mark} was said to be {word}, and delivered later")
            elif word == ENDED:
                self.counts["delivered, and its session had ended when it was told"] += 1
            elif not self._unheard(verb):
                self.faults.append(f"{verb.mark} was delivered and said to be {word}")

    def _alive(self, verb: Verb) -> None:
        """What nothing came in the way of arrives."""
        if not verb.staged or verb.deliveries or verb.cancelled:
            return
        why = next(self._excuses(verb), "")
        if why:
            self.counts[f"not delivered: {why}"] += 1
        else:
            said = f"said {verb.said}, woke {verb.woke}"
            self.faults.append(f"{verb.mark} was not delivered, with nothing in its way: {said}")

    def _excuses(self, verb: Verb) -> Iterator[str]:
        ends = self.seen.ended_at + 1.0  # some shells compare whole seconds
        yield from ["its session ended"] if self._has_ended(verb) else []
        yield from ["it expired"] if verb.until and verb.until < ends else []
        yield from ["its hook was killed"] if self._hook_killed(verb) else []
        yield from ["its panel was killed"] if self._panel_killed(verb) else []
        yield from ["the disk was full"] if self._found_full(verb) else []
        yield from ["typed in vain"] if self._disturbed(verb) else []

    def _has_ended(self, verb: Verb) -> bool:
        client = next(c for c in self.seen.clients if verb.whose[0] in c.ids)
        last = client.history[-1]
        return (last.session_id, last.pid) != verb.whose

    def _hook_killed(self, verb: Verb) -> bool:
        return any(
            ran.event == "Stop" and ran.killed and ran.whose == verb.whose and ran.ended > verb.at
            for ran in self.seen.hooks
        )

    def _panel_killed(self, verb: Verb) -> bool:
        return any(at > verb.at for at in self.seen.killed.values())

    def _found_full(self, verb: Verb) -> bool:
        hooks = any(ran.full and ran.ended > verb.at for ran in self.seen.hooks)
        return hooks or any(end > verb.at for _, end in self.seen.full)

    def _unheard(self, verb: Verb) -> bool:
        """Say whether what tells of it was kept from telling."""
        mute = self.seen.fault == "mute"
        return mute or self._hook_killed(verb) or self._found_full(verb)

    def _disturbed(self, verb: Verb) -> bool:
        """Say whether something happened to its agent while a line was being typed."""
        lost = [(at, why) for at, problem, why in verb.woke if problem == NOT_DELIVERED]
        lost += [(at, word) for at, word in verb.said if word == NOT_DELIVERED]
        if not lost:
            return False
        client = next(c for c in self.seen.clients if verb.whose[0] in c.ids)
        return bool(self.seen.fault) or any(m.at > verb.at for m in client.history)

    # The keys.

    def _typed(self, number: int, call: Call) -> None:
        """A key is pressed only where the last look before it could say so."""
        mine = [before for before in self.seen.calls[:number] if before.panel == call.panel]
        line = call if call.what == "paste" else _pasted(mine, call)
        verb = self._by_token.get(token_of(line.text)) if line else None
        looks = [k for k, before in enumerate(mine) if before.what == "device"]
        if not looks or looks[-1] == 0:
            return  # nothing tells how early it was looked at
        span = mine[looks[-1] - 1].ended, mine[looks[-1]].began
        client = self.seen.clients[call.window - 1]
        what = f"{call.what} {call.text[:40]}".strip()
        if not any(m.free for m in _during(client, span)):
            self.faults.append(f"{what} was typed while its agent took no line")
        if any(a <= span[0] and span[1] <= b for a, b in self.seen.latched):
            self.faults.append(f"{what} was typed while the latch stood")
        if verb is not None:
            self._typed_for(verb, client, span, what)

    def _typed_for(self, verb: Verb, client: Client, span: Span, what: str) -> None:
        if all((m.session_id, m.pid) != verb.whose for m in _during(client, span)):
            self.faults.append(f"{what} was typed into another session than {verb.whose}")
        if verb.until and verb.until <= span[0]:
            self.faults.append(f"{what} was typed after it had expired")


def _pasted(before: list[Call], call: Call) -> Call | None:
    """Return what was put in last before a key."""
    pasted = (c for c in reversed(before) if c.what == "paste" and c.window == call.window)
    return next(pasted, None)


def _during(client: Client, span: Span) -> list[Moment]:
    """Return what a client was like at any time of a span."""
    history = sorted(client.history, key=lambda moment: moment.at)
    before = [moment for moment in history if moment.at <= span[0]]
    return before[-1:] + [m for m in history if span[0] < m.at <= span[1]]
