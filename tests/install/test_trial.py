"""Hooks of somebody's own are tried: what breaks a promise is told, and nothing is written."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.errors import ConfigError
from flightdeck.install import client, scratch, trial
from flightdeck.install.desired import desired, own_events, problems_of_own
from flightdeck.install.scratch import shells
from flightdeck.install.snippets import given

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.install.snippets import Site

BRAKES, DRAIN, GUARD, SPOOL, WAIT = (
    f"{kind}.sh.j2" for kind in ("brakes", "drain", "guard", "spool", "wait")
)

EVENTS = {BRAKES: "PreToolUse", DRAIN: "Stop", GUARD: "PostToolUse", WAIT: "PermissionRequest"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return client.find_site(tmp_path / ".fleet")


@pytest.fixture
def own(site: Site) -> Path:
    folder = site.root / "templates" / "hooks"
    folder.mkdir(parents=True)
    return folder


def text_of(name: str) -> str:
    return (shipped.folder("templates") / "hooks" / name).read_text(encoding="utf-8")


def edited(own: Path, name: str, old: str, new: str) -> Path:
    text = text_of(name)
    assert old in text
    path = own / name
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def problem(own: Path, site: Site, *events: str) -> tuple[str, str]:
    """Return file and message of the one problem there is."""
    (found,) = problems_of_own(own, site, events)
    return found.location.file, found.message


def test_there_is_a_shell_to_try_hooks_in() -> None:
    assert shells()


def test_template_that_is_the_shipped_one_is_none_of_ones_own(own: Path, site: Site) -> None:
    for path in (shipped.folder("templates") / "hooks").glob("*.j2"):
        shutil.copy(path, own)
    assert own_events(None, site) == ()
    assert problems_of_own(own, site) == []


def test_what_an_editor_leaves_and_what_is_no_hook_is_not_read(own: Path, site: Site) -> None:
    for name in (".#spool.sh.j2", "spool.sh.j2~", "#spool.sh.j2#", ".spool.sh.j2.swp", "x.txt"):
        (own / name).write_text("{{", encoding="utf-8")
    assert problems_of_own(own, site) == []


def test_hooks_of_ones_own_that_keep_the_promises_are_what_is_installed(
    own: Path, site: Site
) -> None:
    plain = desired(None, site)
    edited(own, GUARD, "if test -e", "if test -f")
    ours = desired(None, site)
    assert own_events(None, site) == ("PostToolUse", "PostToolUseFailure")
    assert {event for event in plain if plain[event] != ours[event]} == set(own_events(None, site))
    assert ours["PostToolUse"].startswith("if test -f ")


def test_every_kind_is_tried_and_each_shipped_one_passes(own: Path, site: Site) -> None:
    edited(own, SPOOL, "umask 077;", "umask 0077;")
    edited(own, BRAKES, "if test -e", "if  test -e")
    assert len(own_events(None, site)) == 17
    assert problems_of_own(own, site) == []


def test_template_may_stand_on_the_shipped_one(own: Path, site: Site) -> None:
    (own / WAIT).write_text(
        "{% extends 'shipped/hooks/wait.sh.j2' %}{% block unkept %}{{ super() }}:;{% endblock %}",
        encoding="utf-8",
    )
    assert own_events(None, site) == ("PermissionRequest",)
    assert problems_of_own(own, site, ["PermissionRequest"]) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\n{\nset +efuxC", "\necho hello;{\nset +efuxC", "says something"),
        ("trap 'exit 0' EXIT", "trap 'exit 3' EXIT", "ends with 3"),
        ("umask 077;", "umask 022;", "spools a file others may read"),
        ("umask 077;", "if umask 077;", "is no shell"),
        ("umask 077;", "exit 0;", "leaves the payload unread"),
        ("{{ event }}.ev", "{{ event }}.new", "puts 1 files into the inbox, 0 of them whole"),
        ("\\037{{ event }}", "\\037Other", "spools 'Other' of process 4242"),
        ("set -- $CLAUDE_PID;;", "set -- 1;;", "spools 'SessionStart' of process 1"),
        ('"${{ name }}" ', '"" ', "does not spool every name"),
        (
            '"${{ name }}" ',
            '"${{ "SOME_TOKEN" if loop.last else name }}" ',
            "spools more of the environment",
        ),
        ("{{ head }} -n 1 &&", "x=$({{ head }} -n 1) && echo '{}' &&", "spool the payload whole"),
        ("test $# -lt {{ bound }}", "test $# -lt 1000", "spools on where the inbox is full"),
        ("test -x {{ executable }} && ", "", "spools where flightdeck is gone"),
        ("{{ inbox }}", "'/home/somebody/.fleet/inbox'", "puts 0 files"),
    ],
)
def test_hook_that_breaks_a_promise_is_told(
    own: Path, site: Site, old: str, new: str, told: str
) -> None:
    path = edited(own, SPOOL, old, new)
    file, message = problem(own, site, "SessionStart")
    assert file == str(path)
    assert message.startswith("the SessionStart hook ")
    assert told in message


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (BRAKES, "exit 0\n", "echo '{}'; exit 0\n", "where nothing forbids the call"),
        (
            BRAKES,
            '"deny", "permissionDecisionReason": "flightdeck: HALT',
            '"allow", "permissionDecisionReason": "flightdeck: HALT',
            "the latch, a file, is set",
        ),
        (BRAKES, '"continue": false, ', "", "the latch, a file, is set"),
        (
            BRAKES,
            "test -e {{ halt }}",
            "test -f {{ halt }}",
            "the latch, a folder, is set",
        ),
        (BRAKES, "|| test -L {{ halt }} ", "", "a link that leads nowhere, is set"),
        (
            BRAKES,
            "if test -e {{ halt }}",
            "if test -x {{ executable }} && test -e {{ halt }}",
            "flightdeck is gone",
        ),
        (BRAKES, ">&2; exit 2\n;fi;", ">&2; exit 0\n;fi;", "cannot be printed"),
        (
            BRAKES,
            "0:pass) exit 0;;",
            "0:*) exit 0;;",
            "that the check did not let pass",
        ),
        (BRAKES, "0:pass) exit 0;;", "", "what the check lets pass"),
        (
            BRAKES,
            "if test -e {{ gate }}",
            "if test -x {{ executable }} && test -e {{ gate }}",
            "where flightdeck is gone",
        ),
        (
            GUARD,
            "if test -e",
            "if test -d {{ blocked }} || test -e",
            "spools where nothing waits",
        ),
        (GUARD, "if test -e", "echo; if test -e", "says something"),
        (
            GUARD,
            "if test -e {{ blocked }}",
            "if test -L {{ blocked }}",
            "leaves the payload unread",
        ),
        (GUARD, ";; esac; fi", ";; esac; else echo x; fi", "where nothing waits"),
        (WAIT, "kill -0", "false", "does not wait"),
        (
            WAIT,
            "exec {{ head }}",
            "echo yes; exec {{ head }}",
            "when the panel lets it go",
        ),
        (
            WAIT,
            'exec {{ head }} -n 1 "$w"',
            'exec {{ head }} -n 1 "$w" >/dev/null',
            "does not print the panel's answer",
        ),
        (DRAIN, "&& ! test -e {{ halt }} ", "", "says something while the fleet is stopped"),
        (
            DRAIN,
            "printf '%s\\n' \"$a\"",
            "printf 'x%s\\n' \"$a\"",
            "neither delivers a verb",
        ),
    ],
)
def test_hook_that_speaks_or_acts_when_it_may_not_is_told(
    own: Path, site: Site, name: str, old: str, new: str, told: str
) -> None:
    path = edited(own, name, old, new)
    file, message = problem(own, site, EVENTS[name])
    assert file == str(path)
    assert told in message


def test_drain_that_never_delivers_leaves_the_verb_and_is_fine(own: Path, site: Site) -> None:
    edited(own, DRAIN, 'test "$o" && ', "false && ")
    assert problems_of_own(own, site, ["Stop"]) == []


def test_first_event_of_a_kind_is_tried_with_every_rule_the_others_with_one(
    own: Path, site: Site
) -> None:
    edited(own, SPOOL, "umask 077;", "umask 077; case {{ event }} in Notification) exit 0;; esac;")
    _, message = problem(own, site, "SessionStart", "Notification")
    assert message.startswith("the Notification hook leaves the payload unread")


def test_state_folder_is_named_by_what_a_template_is_given(own: Path, site: Site) -> None:
    edited(own, GUARD, "{{ blocked }}", f"{site.root}/./blocked")
    _, message = problem(own, site, "PostToolUse")
    assert f"names {site.root} itself" in message


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("# what this is for", "a shell comment would take in all that follows"),
        ("echo \x1b;", "a hook holds no control characters"),
        ("echo " + "x" * 16_000, "a hook is no longer than 16000 characters"),
        ("{{ inbx }}", "'inbx' is undefined"),
        ("{% if %}", "expected an expression"),
    ],
)
def test_template_that_makes_no_hook_is_told_by_line(
    own: Path, site: Site, line: str, told: str
) -> None:
    edited(own, GUARD, "if test -e", f"{line}\nif test -e")
    (found,) = problems_of_own(own, site, ["PostToolUse"])
    assert told in found.message
    assert found.location.line == (0 if "longer" in told else 4)


@pytest.mark.parametrize("made", ["pipe", "folder", "bytes", "large"])
def test_what_is_no_text_in_the_place_of_a_template_is_told(
    own: Path, site: Site, made: str
) -> None:
    path = own / SPOOL
    if made == "pipe":
        os.mkfifo(path)
    elif made == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"\xff" if made == "bytes" else b"x" * 300_000)
    file, _ = problem(own, site, "SessionStart")
    assert file == str(path)


def test_mark_and_line_ends_of_another_system_change_nothing(own: Path, site: Site) -> None:
    text = text_of(SPOOL).replace("\n", "\r\n")
    (own / SPOOL).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert own_events(None, site) == ()


def test_nothing_is_desired_while_a_template_breaks_a_promise(own: Path, site: Site) -> None:
    edited(own, GUARD, "if test -e", "echo; if test -e")
    with pytest.raises(ConfigError):
        desired(None, site)


def test_rule_of_a_hook_made_of_another_template_is_told_of_that_one(own: Path, site: Site) -> None:
    path = edited(own, SPOOL, "umask 077;", "umask 022;")
    assert problem(own, site, "Stop")[0] == str(path)


def test_problem_says_under_which_shell_and_where_to_read_on(own: Path, site: Site) -> None:
    edited(own, GUARD, "if test -e", "echo; if test -e")
    (found,) = problems_of_own(own, site)
    assert found.message.endswith(f"(under {' '.join(shells()[0])})")
    assert found.hint == trial.HINT


def test_state_folder_that_may_not_be_looked_into_lets_no_call_through(
    own: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    clause = "|| { test -d {{ root }} && ! test -x {{ root }}; }"
    edited(own, BRAKES, clause, "")
    _, message = problem(own, site, "PreToolUse")
    assert "where the state folder may not be looked into" in message


def test_drain_that_takes_a_verb_in_silence_while_the_fleet_is_stopped_is_told(
    own: Path, site: Site
) -> None:
    text = text_of(DRAIN).replace("&& ! test -e {{ halt }} ", "")
    silent = "test -e {{ halt }} || printf '%s\\n' \"$a\""
    text = text.replace("e=Drained;;", "test -e {{ halt }} || e=Drained;;")
    (own / DRAIN).write_text(text.replace("printf '%s\\n' \"$a\"", silent), encoding="utf-8")
    assert "takes a verb while the fleet is stopped" in problem(own, site, "Stop")[1]


def test_shell_that_does_not_answer_is_told() -> None:
    assert "cannot run" in scratch.complaint("exit 0", ("/no/such/shell",))


def test_hook_that_never_ends_is_ended_and_told(
    own: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flightdeck.install.scratch._DEADLINE_S", 1.0)
    edited(own, SPOOL, "umask 077;", "while :; do :; done;")
    assert "does not end" in problem(own, site, "SessionStart")[1]


def test_refusal_that_complains_is_none(own: Path, site: Site) -> None:
    edited(own, BRAKES, "printf '%s\\n' '{", "echo >&2; printf '%s\\n' '{")
    assert "the latch, a file, is set" in problem(own, site, "PreToolUse")[1]


# The contract.

README = (shipped.folder("templates") / "hooks" / "README.md").read_text(encoding="utf-8")


def test_names_in_the_readme_are_the_names_a_hook_is_given(site: Site) -> None:
    table = README.split("| name | is |\n", 1)[1].split("\n\n", 1)[0]
    told = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[1:]))
    assert sorted(told) == sorted(given("Stop", site))


def test_example_in_the_readme_is_a_hook_that_passes(own: Path, site: Site) -> None:
    example = re.search(r"^```jinja\n(.*?)^```", README, re.M | re.S)
    assert example
    last = own.parents[2] / "last"
    text = example[1].replace("/tmp/last-event", str(last))
    (own / SPOOL).write_text(text, encoding="utf-8")
    assert problems_of_own(own, site, ["SessionStart", "PermissionRequest"]) == []
    assert last.read_text(encoding="utf-8").strip() in {"SessionStart", "PermissionRequest"}
