"""What a key is for, in the short form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.bindings import Around, parse_binding, parse_target, word_of
from flightdeck.config.values import BadValue
from flightdeck.config.verbs import Verbs
from flightdeck.errors import Location, Problem
from flightdeck.model.layout import (
    Action,
    AppTarget,
    Binding,
    BlankBinding,
    Brake,
    ControlBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    SteerBinding,
    UrlTarget,
    VerbBinding,
    VerdictBinding,
)
from flightdeck.model.verb import Verb, VerbKind

if TYPE_CHECKING:
    from pathlib import Path

JUSTIFY = Verb("justify", VerbKind.STEER, "Why?", "Say why.")
TEST = Verb("test", VerbKind.PROMPT, "Test", "Run the tests.")
STOP = Verb("stop", VerbKind.KEY, "Stop", "Escape")
BROKEN = Problem(Location("verbs/broken.md", 2, 1), "unknown key 'knd'")
VERBS = Verbs({}, {verb.name: verb for verb in (JUSTIFY, TEST, STOP)}, {"broken": (BROKEN,)})


def parsed(text: str, here: int | None = None) -> Binding:
    return parse_binding(text, Around(32, here, VERBS))


def refusal(text: str, here: int | None = None) -> str:
    with pytest.raises(BadValue) as caught:
        parsed(text, here)
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "binding"),
    [
        ("slot 3", SlotBinding(3)),
        ("open app Visual Studio Code", OpenBinding(AppTarget("Visual Studio Code"))),
        ("open app /Applications/X.app", OpenBinding(AppTarget("/Applications/X.app"))),
        ("open url https://a.org/b?c=d#e", OpenBinding(UrlTarget("https://a.org/b?c=d#e"))),
        ("open url http://localhost:3000", OpenBinding(UrlTarget("http://localhost:3000"))),
        ("run /usr/bin/say hello", RunBinding(("/usr/bin/say", "hello"))),
        ("run  /bin/x 'a b' c\\ d", RunBinding(("/bin/x", "a b", "c d"))),
        ("verdict detail", VerdictBinding(Action.DETAIL)),
        ("verdict  approve ", VerdictBinding(Action.APPROVE)),
        ("verdict remember", VerdictBinding(Action.REMEMBER)),
        ("verdict deny", VerdictBinding(Action.DENY)),
        ("verdict interrupt", VerdictBinding(Action.INTERRUPT)),
        ("steer justify", SteerBinding(JUSTIFY)),
        ("verb test", VerbBinding(TEST)),
        ("verb  stop ", VerbBinding(STOP)),
        ("control halt", ControlBinding(Brake.HALT)),
        ("control  gate ", ControlBinding(Brake.GATE)),
        ("blank", BlankBinding()),
    ],
)
def test_short_form_is_kind_and_argument(text: str, binding: Binding) -> None:
    assert parsed(text) == binding


def test_pin_takes_the_slot_of_its_place() -> None:
    assert parsed("pin app Obsidian", here=7) == PinBinding(7, AppTarget("Obsidian"))


def test_words_of_run_reach_no_shell() -> None:
    assert parsed("run /bin/echo $HOME `id` | tee; x") == RunBinding(
        ("/bin/echo", "$HOME", "`id`", "|", "tee;", "x")
    )


def test_program_below_home_is_spelled_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert parsed("run ~/bin/lamp on") == RunBinding((f"{tmp_path}/bin/lamp", "on"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slots 3", "nobody implements 'slots' yet"),
        ("slot", "'slot' takes a number, not ''"),
        ("slot three", "'slot' takes a number, not 'three'"),
        ("slot -1", "'slot' takes a number, not '-1'"),
        ("slot 32", "slot 32 is out of range"),
        ("pin app Obsidian", "a pin where there is no slot to take"),
        ("pin Obsidian", "'Obsidian' is neither an app nor a URL"),
        ("open", "'' is neither an app nor a URL"),
        ("open app", "'app' is neither an app nor a URL"),
        ("open https://a.org", "'https://a.org' is neither an app nor a URL"),
        ("open app -a", "app '-a' starts with a dash"),
        ("open app ../X.app", "app '../X.app' is a relative path"),
        ("open url claude-cli://open?q=x", "the deep link does not say one folder"),
        ("open url file:///etc/passwd", "nobody opens 'file:' yet"),
        ("open url javascript:alert(1)", "nobody opens 'javascript:' yet"),
        ("open url a.org", "a URL without a scheme"),
        ("open url /a/b", "a URL without a scheme"),
        ("open url https://", "'https://' is no URL"),
        ("open url https://a.org/b c", "'https://a.org/b c' is no URL"),
        ("open url https://[::1", "'https://[::1' is no URL"),
        ("open url https://a.org:port/", "'https://a.org:port/' is no URL"),
        ("run", "'run' says no program"),
        ("run ''", "'run' says no program"),
        ("run say hello", "'run' with the relative program 'say'"),
        ("run /bin/echo 'x", "'run' has a quote that is never closed"),
        ("blank 3", "'blank' takes nothing, not '3'"),
        ("verdict", "'verdict' takes an action, not ''"),
        ("verdict aprove", "'verdict' takes an action, not 'aprove'"),
        ("verdict approve all", "'verdict' takes an action, not 'approve all'"),
        ("steer", "'steer' names no verb"),
        ("steer justfy", "unknown verb 'justfy'"),
        ("steer justify otherway", "unknown verb 'justify otherway'"),
        ("steer ../justify", "unknown verb '../justify'"),
        ("steer test", "'test' is a prompt verb"),
        ("steer stop", "'stop' is a key verb"),
        ("steer _common", "'_common' is a fragment of verbs, not a verb"),
        ("steer broken", "verb 'broken' cannot be used"),
        ("verb", "'verb' names no verb"),
        ("verb tset", "unknown verb 'tset'"),
        ("verb test stop", "unknown verb 'test stop'"),
        ("verb ../test", "unknown verb '../test'"),
        ("verb justify", "'justify' is a steer verb"),
        ("verb _common-git", "'_common-git' is a fragment of verbs, not a verb"),
        ("verb broken", "verb 'broken' cannot be used"),
        ("control", "'control' takes a brake, not ''"),
        ("control stop", "'control' takes a brake, not 'stop'"),
        ("control halt now", "'control' takes a brake, not 'halt now'"),
    ],
)
def test_binding_that_says_nothing_is_refused(text: str, message: str) -> None:
    assert refusal(text) == message


def test_kind_nobody_implements_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadValue) as caught:
        parsed("gate on")
    assert caught.value.hint == (
        "there are: slot, pin, open, run, verdict, steer, verb, control, blank"
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("verdict aprove", "did you mean 'approve'?"),
        ("verdict", "there are: detail, approve, remember, deny, interrupt"),
        ("steer justfy", "did you mean 'justify'?"),
        ("steer", "there are: justify"),
        ("steer test", "write `verb test`"),
        ("steer stop", "write `verb stop`"),
        ("verb", "there are: test, stop"),
        ("verb tset", "did you mean 'test'?"),
        ("verb _common", "there are: test, stop"),
        ("verb justify", "write `steer justify`"),
        ("verb broken", "verbs/broken.md:2:1: unknown key 'knd'"),
        ("control hlat", "did you mean 'halt'?"),
        ("control", "there are: halt, gate"),
        ("steer broken", "verbs/broken.md:2:1: unknown key 'knd'"),
    ],
)
def test_hint_names_the_nearest_or_those_there_are_or_the_broken_file(text: str, hint: str) -> None:
    with pytest.raises(BadValue) as caught:
        parsed(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("slot 3", ""),
        ("blank", ""),
        ("pin app Obsidian", "Obsidian"),
        ("open app /Applications/Notes.app", "Notes"),
        ("open url https://www.example.org/x", "example.org"),
        ("run /usr/bin/say hello", "say"),
        ("verdict approve", "APPROVE"),
        ("steer justify", "Why?"),
        ("verb test", "Test"),
        ("verb stop", "Stop"),
        ("control halt", "HALT"),
        ("control gate", "GATE"),
    ],
)
def test_key_without_a_label_is_called_after_what_it_does(text: str, word: str) -> None:
    assert word_of(parsed(text, here=0)) == word


def test_target_stands_alone_in_local_pins() -> None:
    assert parse_target("url https://a.org") == UrlTarget("https://a.org")
