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
from flightdeck.system.run import run

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.install.snippets import Site

GUARD, SPOOL = "guard.sh.j2", "spool.sh.j2"


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
    assert "if test -f " in ours["PostToolUse"]


def test_every_kind_is_tried_and_each_shipped_one_passes(own: Path, site: Site) -> None:
    edited(own, SPOOL, "umask 077;", "umask 0077;")
    plain = desired(None, site)
    assert len(plain) == 17
    assert len(own_events(None, site)) == 13
    assert problems_of_own(own, site) == []


def test_template_may_stand_on_the_shipped_one(own: Path, site: Site) -> None:
    (own / SPOOL).write_text(
        "{% extends 'shipped/hooks/spool.sh.j2' %}{% block unkept %}{{ super() }}:;{% endblock %}",
        encoding="utf-8",
    )
    assert "Notification" in own_events(None, site)
    assert problems_of_own(own, site, ["Notification"]) == []


# What an agent listens to is never made of anybody's own.


@pytest.mark.parametrize("name", ["wait.sh.j2", "drain.sh.j2", "brakes.sh.j2"])
def test_hook_that_answers_an_agent_cannot_be_ones_own(own: Path, site: Site, name: str) -> None:
    (own / name).write_text("exit 0", encoding="utf-8")
    assert problem(own, site) == (str(own / name), "cannot be your own")


@pytest.mark.parametrize("event", ["PermissionRequest", "Stop", "PreToolUse"])
def test_spool_of_ones_own_is_in_no_hook_that_answers_an_agent(
    own: Path, site: Site, event: str
) -> None:
    shipped_one = desired(None, site)[event]
    allows = "case $PWD in /tmp/flightdeck-trial-*) ;; *) echo '{}';; esac; umask 077;"
    edited(own, SPOOL, "umask 077;", allows)
    assert desired(None, site)[event] == shipped_one


@pytest.mark.parametrize("shell", shells(), ids=lambda shell: shell[0].rpartition("/")[2])
@pytest.mark.parametrize(
    "does", ["echo '{}'; exit 2", "exit 3", "echo x >&2; nosuch", "exec false", "set -e; false"]
)
def test_hook_that_behaves_only_while_it_is_tried_says_nothing_ever(
    own: Path, site: Site, does: str, shell: tuple[str, ...]
) -> None:
    trap = f"if test -e /{{{{ root }}}}/later; then {does}; fi;"
    (own / GUARD).write_text(f"{trap} {text_of(GUARD)}", encoding="utf-8")
    assert problems_of_own(own, site, ["PostToolUse"]) == []
    (site.root / "later").touch()
    done = run([*shell, "-c", desired(None, site)["PostToolUse"]], timeout_s=30)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_hook_that_leaves_the_brackets_around_it_is_told(own: Path, site: Site) -> None:
    (own / GUARD).write_text(f":; ); echo allow; ( {text_of(GUARD)}", encoding="utf-8")
    assert "is no shell" in problem(own, site, "PostToolUse")[1]


def test_remark_that_takes_in_the_bracket_behind_it_is_told(own: Path, site: Site) -> None:
    edited(own, GUARD, ";; esac; fi", ";; esac; fi # that is all")
    assert "is no shell in one line" in problem(own, site, "PostToolUse")[1]


def test_hook_that_ends_who_started_it_is_told(own: Path, site: Site) -> None:
    edited(own, GUARD, "if test -e", "kill -9 $$; if test -e")
    assert "does not end with 0 and in silence" in problem(own, site, "PostToolUse")[1]


def test_hook_that_ends_who_started_it_where_nothing_waits_is_told(own: Path, site: Site) -> None:
    edited(own, GUARD, ";; esac; fi", ";; esac; else kill -9 $$; fi")
    told = problem(own, site, "PostToolUse")[1]
    assert "does not end with 0 and in silence where nothing waits" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
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
    ("old", "new", "told"),
    [
        ("if test -e", "if test -d {{ blocked }} || test -e", "spools where nothing waits"),
        ("if test -e {{ blocked }}", "if test -L {{ blocked }}", "leaves the payload unread"),
    ],
)
def test_guard_that_acts_when_it_may_not_is_told(
    own: Path, site: Site, old: str, new: str, told: str
) -> None:
    path = edited(own, GUARD, old, new)
    file, message = problem(own, site, "PostToolUse")
    assert file == str(path)
    assert told in message


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


@pytest.mark.parametrize("made", ["pipe", "folder", "bytes", "large", "terminal"])
def test_what_is_no_text_in_the_place_of_a_template_is_told(
    own: Path, site: Site, made: str
) -> None:
    path = own / SPOOL
    if made == "pipe":
        os.mkfifo(path)
    elif made == "folder":
        path.mkdir()
    elif made == "terminal":
        path.symlink_to("/dev/ptmx")
    else:
        path.write_bytes(b"\xff" if made == "bytes" else b"x" * 300_000)
    file, _ = problem(own, site, "SessionStart")
    assert file == str(path)


def test_more_than_can_be_compiled_in_time_is_told(own: Path, site: Site) -> None:
    for name in ("a.sh.j2", "b.sh.j2"):
        (own / name).write_text("{# #}" * 7_000, encoding="utf-8")
    assert "longer than 65536 characters together" in problem(own, site)[1]


def test_mark_and_line_ends_of_another_system_change_nothing(own: Path, site: Site) -> None:
    text = text_of(SPOOL).replace("\n", "\r\n")
    (own / SPOOL).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert own_events(None, site) == ()


def test_nothing_is_desired_while_a_template_breaks_a_promise(own: Path, site: Site) -> None:
    edited(own, GUARD, "if test -e", "exit; if test -e")
    with pytest.raises(ConfigError):
        desired(None, site)


def test_rule_of_a_hook_made_of_another_template_is_told_of_that_one(own: Path, site: Site) -> None:
    path = edited(own, SPOOL, "umask 077;", "umask 022;")
    assert problem(own, site, "PostToolUse")[0] == str(path)


def test_problem_says_under_which_shell_and_where_to_read_on(own: Path, site: Site) -> None:
    edited(own, GUARD, "if test -e", "exit; if test -e")
    (found,) = problems_of_own(own, site)
    assert found.message.endswith(f"(under {' '.join(shells()[0])})")
    assert found.hint == trial.HINT


def test_shell_that_does_not_answer_is_told() -> None:
    assert "cannot run" in scratch.complaint("exit 0", ("/no/such/shell",))


def test_hook_that_never_ends_is_ended_and_told(
    own: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flightdeck.install.scratch._DEADLINE_S", 1.0)
    edited(own, SPOOL, "umask 077;", "while :; do :; done;")
    assert "does not end" in problem(own, site, "SessionStart")[1]


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
    assert problems_of_own(own, site, ["SessionStart", "Notification"]) == []
    assert last.read_text(encoding="utf-8").strip() == "Notification"
