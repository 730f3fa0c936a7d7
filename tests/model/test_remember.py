"""REMEMBER grants the agent's own suggestion, whole and shown, or says why it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.ask import Grant
from flightdeck.model.remember import LINE_CHARS, LINES, grant

ROOT = "/R/app"
EDITS = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}


def rule(text: str) -> dict[str, str]:
    """Return the rule a settings file would write as `text`."""
    tool, bracket, content = text.partition("(")
    return {"toolName": tool, "ruleContent": content[:-1]} if bracket else {"toolName": tool}


def rules(*texts: str, destination: str = "localSettings") -> dict[str, Any]:
    told = [rule(text) for text in texts]
    return {"type": "addRules", "rules": told, "behavior": "allow", "destination": destination}


def folders(*paths: object, destination: str = "session") -> dict[str, Any]:
    return {"type": "addDirectories", "directories": list(paths), "destination": destination}


def granted(*entries: object, **more: Any) -> Grant:
    return grant(json.dumps(list(entries)), "app", ROOT, **({"home": "/home/dev"} | more))


def refusal(*entries: object, **more: Any) -> str:
    """Return why it is refused; a refusal grants nothing and fits on a key."""
    refused = granted(*entries, **more)
    assert refused == Grant(refusal=refused.refusal)
    assert len(refused.refusal) <= 18
    return refused.refusal


# What is granted, and how the key says it.


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Bash(make:*)", ("Bash(make:*)",)),
        ("Bash(git status)", ("Bash(git", "status)")),
        ("Bash(git push:*)", ("Bash(git", "push:*)")),
        ("Bash(mkdir -p para)", ("Bash(mkdir -p", "para)")),
        ("Bash(npm run test:unit)", ("Bash(npm run", "test:unit)")),
        ("Bash(touch para/a.txt)", ("Bash(touch", "para/a.txt)")),
        ("Bash(echo grün)", ("Bash(echo", "grün)")),
        ("WebFetch(domain:example.com)", ("WebFetch(", "domain:", "example.com)")),
        ("Read(//home/dev/other/**)", ("Read(//home/", "dev/other/**)")),
        ("Read(/src/**)", ("Read(/src/**)",)),
        ("Edit(//R/app/src/**)", ("Edit(//R/app/", "src/**)")),
    ],
)
def test_rule_is_shown_in_full(text: str, lines: tuple[str, ...]) -> None:
    assert granted(rules(text)).what == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Bash(rm -rf / tmp)", ("Bash(rm -rf", "/ tmp)")),
        ("Bash(rm -rf /tmp)", ("Bash(rm -rf /", "tmp)")),
        ("Bash(cat -n  a.txt)", ("Bash(cat -", "n  a.txt)")),
    ],
)
def test_end_of_a_line_never_leaves_open_whether_a_blank_stood_there(
    text: str, lines: tuple[str, ...]
) -> None:
    assert granted(rules(text)).what == lines


def test_several_rules_are_all_shown_and_the_same_one_once() -> None:
    assert granted(rules("Bash(ls:*)", "Bash(cat:*)", "Bash(ls:*)")).what == (
        "Bash(ls:*)",
        "Bash(cat:*)",
    )


@pytest.mark.parametrize(
    "texts",
    [
        ["Bash(mkdir -p para)", "Bash(touch para/a.txt)"],
        ["Bash(aaaaaaaaaaaaaaaa)"],
        ["Bash(one two three four five six seven eight nine)"],
        ["Bash(ls:*)", "Bash(cat:*)", "Bash(pwd:*)", "Bash(id:*)"],
    ],
)
def test_what_does_not_fit_on_the_key_is_refused_and_never_cut(texts: list[str]) -> None:
    assert refusal(rules(*texts)) == "too long"


def test_permissions_are_the_suggestion_character_by_character() -> None:
    text = json.dumps([rules("Bash(make:*)")], indent=3)
    assert grant(text, "app", ROOT).permissions == text


@pytest.mark.parametrize(
    ("mode", "lines"),
    [
        ("acceptEdits", ("MODE", "acceptEdits")),
        ("plan", ("MODE plan",)),
        ("default", ("MODE default",)),
    ],
)
def test_switch_of_mode_says_so_and_names_no_rule(mode: str, lines: tuple[str, ...]) -> None:
    """agentforce314/clawcodex#852, EdanStarfire/claudecode_webui#18."""
    assert granted(EDITS | {"mode": mode}).what == lines


def test_projects_own_folder_beside_a_mode_needs_no_name() -> None:
    assert granted(folders(ROOT), EDITS).what == ("MODE", "acceptEdits")


def test_projects_own_folder_alone_is_named() -> None:
    assert granted(folders(ROOT)).what == ("DIR app",)


def test_another_folder_inside_the_repository_is_named() -> None:
    assert granted(folders(f"{ROOT}/libs/sub"), EDITS).what == (
        "DIR libs/sub",
        "MODE",
        "acceptEdits",
    )


def test_main_checkout_seen_from_a_worktree_is_inside_and_named() -> None:
    """anthropics/claude-code#78008, PostHog/code#1812."""
    from_worktree = grant(
        json.dumps([folders("/R/app", "/W/app-feat-7")]), "app", "/W/app-feat-7", "/R/app"
    )
    assert from_worktree.what == ("DIR /R/app",)


def test_folder_of_the_main_checkout_is_not_taken_for_one_of_the_worktree() -> None:
    def told(path: str) -> tuple[str, ...]:
        return grant(json.dumps([folders(path)]), "app", "/W/feat", "/R/app").what

    assert told("/R/app") != told("/W/feat/app") == ("DIR app",)
    assert told("/R/app/src") == ("DIR /R/app/", "src")


# Where it is written.


@pytest.mark.parametrize(
    ("destination", "where"),
    [
        ("localSettings", "app"),
        ("projectSettings", "app"),
        ("session", "this session"),
        ("cliArg", "this session"),
    ],
)
def test_place_that_is_written_to_is_named(destination: str, where: str) -> None:
    assert granted(rules("Bash(make:*)", destination=destination)).where == where


@pytest.mark.parametrize(
    "destination", ["userSettings", "policySettings", "", None, 7, ["session"]]
)
def test_what_would_hold_in_every_project_is_refused(destination: object) -> None:
    assert refusal(rules("Bash(make:*)") | {"destination": destination}) == "every project"


def test_entry_without_a_destination_is_refused() -> None:
    entry = rules("Bash(make:*)")
    del entry["destination"]
    assert refusal(entry) == "every project"


def test_place_without_a_name_is_refused() -> None:
    text = json.dumps([rules("Bash(make:*)")])
    assert grant(text, "", ROOT).refusal == "every project"


def test_one_key_cannot_name_two_places() -> None:
    assert refusal(rules("Bash(make:*)"), EDITS) == "two places"


def test_two_files_of_one_repository_are_two_places() -> None:
    shared = rules("Bash(make:*)", destination="projectSettings")
    assert refusal(rules("Bash(make:*)"), shared) == "two places"


# What is refused.


@pytest.mark.parametrize(
    "suggestions",
    ["", "null", "[]", "{}", "7", "[7]", "[[]]", "[{}]", "{", "[" * 100_000, "1" * 5_000, '"x"'],
)
def test_nothing_that_can_be_understood_is_no_rule(suggestions: str) -> None:
    """qlan-ro/mainframe#101, PostHog/code#1812."""
    assert grant(suggestions, "app", ROOT) == Grant(refusal="no rule")


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "replaceRules"},
        {"type": "removeRules"},
        {"type": "removeDirectories"},
        {"type": "somethingNew"},
        {"type": ["addRules"]},
        rules("Bash(make:*)") | {"behavior": "deny"},
        rules("Bash(make:*)") | {"behavior": "ask"},
        rules("Bash(make:*)") | {"behavior": None},
        rules("Bash(make:*)") | {"later": True},
        rules(),
        rules() | {"rules": None},
        rules() | {"rules": ["Bash(make:*)"]},
        rules() | {"rules": [rule("Bash(make:*)") | {"more": 1}]},
        rules() | {"rules": [{"ruleContent": "make"}]},
        rules() | {"rules": [{"toolName": "Bash", "ruleContent": 7}]},
        rules() | {"rules": [{"toolName": "Bash(make:*)", "ruleContent": "x"}]},
        rules("Skill(deploy)"),
        rules("mcp__lab__ask(x)"),
        rules("WebFetch(https://example.com)"),
        folders(),
        folders(7),
    ],
)
def test_entry_of_an_unknown_kind_or_shape_is_no_rule(entry: dict[str, Any]) -> None:
    assert refusal({"destination": "localSettings"} | entry) == "no rule"


@pytest.mark.parametrize("destination", ["session", "localSettings", "userSettings"])
def test_switch_to_bypass_is_refused(destination: str) -> None:
    """agentforce314/clawcodex#852."""
    entry = EDITS | {"mode": "bypassPermissions", "destination": destination}
    assert refusal(entry) == "bypass"


@pytest.mark.parametrize("mode", ["auto", "dontAsk", "", "ACCEPTEDITS", None, ["plan"], "new"])
def test_any_other_mode_is_refused(mode: object) -> None:
    assert refusal(EDITS | {"mode": mode}) == "unsafe mode"


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/R", "/R/apple", "/R/app/..", "/R/app/../other", "~", "~/x", "~other/x", "../x"),
        *("libs", "", "/home/dev", "/etc"),
    ],
)
def test_folder_outside_the_repository_is_refused(path: str) -> None:
    """EdanStarfire/claudecode_webui#18."""
    assert refusal(folders(path, destination="localSettings")) == "outside repo"


def test_link_that_leads_out_of_the_repository_is_outside() -> None:
    def real(path: str) -> str:
        return path.replace("/R/app/link", "/home/dev")

    assert refusal(folders("/R/app/link/x"), real=real) == "outside repo"


@pytest.mark.parametrize("root", ["/", "/home", "/home/dev", ""])
def test_root_that_would_hold_the_whole_home_makes_nothing_inside(root: str) -> None:
    text = json.dumps([folders("/home/dev/x")])
    assert grant(text, "dev", root, home="/home/dev").refusal == "outside repo"


@pytest.mark.parametrize(
    "text",
    [
        *("Bash(git -C * log)", "Bash", "Bash(*)", "Bash(:*)", "Bash(* )", "Bash()", "Bash( )"),
        *("Bash(bash:*)", "Bash(sudo:*)", "PowerShell(iex:*)", "WebFetch(domain:*)", "WebFetch"),
        *(
            "WebFetch(domain:*.example.com)",
            "mcp__lab__ask",
            "Edit",
            "Read(//**)",
            "Read(//etc/**)",
        ),
        *(
            "Read(~/**)",
            "Read(//home/dev/**)",
            "Read(//home/**)",
            "Read(**/x)",
            "Edit(/.claude/**)",
            "Edit(/.Claude/settings.json)",
        ),
        *("Write(/.git/hooks/x)", "Edit(//R/app/../x)"),
    ],
)
def test_rule_that_lets_through_more_than_it_says_is_too_wide(text: str) -> None:
    """anthropics/claude-code#40344 and #95614, Chemaclass/agnostic-ai#996."""
    assert refusal(rules(text)) == "too wide"


def test_link_to_a_home_makes_a_reading_rule_too_wide() -> None:
    def real(path: str) -> str:
        return path.replace("/data/me", "/home/dev")

    assert refusal(rules("Read(//data/me/**)"), real=real) == "too wide"


def test_writing_outside_the_repository_is_refused() -> None:
    assert refusal(rules("Edit(//data/x/**)")) == "outside repo"


@pytest.mark.parametrize(
    "odd",
    [
        *(
            "\n",
            "\0",
            "\x1b[2J",
            "\u202e",
            "\u200b",
            "\u00ad",
            "\u00a0",
            "\u2028",
            "\u3164",
            "\ud83d",
        ),
        *("\u0301", "\u2800", "\ufe0f", "\U000e0041", "\u043e", "\u212a", "\u2066", "e\u0301"),
    ],
)
def test_character_that_is_not_what_it_looks_like_is_refused(odd: str) -> None:
    assert refusal(rules(f"Bash(ls {odd}x)")) == "odd rule"
    assert refusal(folders(f"{ROOT}/{odd}x")) == "odd rule"


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        (rules("Bash(*)", destination="session"), "too wide"),
        (EDITS | {"mode": "bypassPermissions"}, "bypass"),
        (folders("/"), "outside repo"),
        ({"type": "removeRules", "destination": "session"}, "no rule"),
    ],
)
def test_one_entry_that_is_refused_refuses_all(bad: dict[str, Any], word: str) -> None:
    good = rules("Bash(make:*)", destination="session")
    assert refusal(good, bad) == refusal(bad, good) == word


def test_one_rule_that_is_refused_refuses_all() -> None:
    assert refusal(rules("Bash(make:*)", "Bash(*)")) == "too wide"


# Whatever comes.

contents = st.one_of(
    st.text(max_size=30),
    st.from_regex(r"[a-z./*: -]{1,20}", fullmatch=True),
    st.sampled_from(["git status:*", "make", "//etc/**", "domain:a.b", "/src/**"]),
)
some_rules = st.fixed_dictionaries(
    {"toolName": st.sampled_from(["Bash", "Read", "Edit", "WebFetch", "mcp__a__b", "Bash(x)"])},
    optional={"ruleContent": contents},
)
junk = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
entries = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["addRules", "setMode", "addDirectories", "removeRules", "x"]),
        "destination": st.sampled_from(["localSettings", "session", "userSettings"]),
    },
    optional={
        "rules": st.one_of(st.lists(some_rules, max_size=3), junk),
        "behavior": st.sampled_from(["allow", "allow", "allow", "deny"]),
        "mode": st.sampled_from(["acceptEdits", "plan", "bypassPermissions"]),
        "directories": st.lists(st.sampled_from([ROOT, f"{ROOT}/a b", "/", "~"]), max_size=2),
        "more": junk,
    },
)
allowing = st.builds(
    lambda told, where: rules(destination=where) | {"rules": told},
    st.lists(some_rules, min_size=1, max_size=2),
    st.sampled_from(["localSettings", "session"]),
)
anything = st.one_of(
    st.lists(st.one_of(allowing, entries), max_size=3).map(json.dumps),
    junk.map(json.dumps),
    st.text(max_size=40),
)


def seen(lines: tuple[str, ...]) -> str:
    """Return everything the key shows, blanks aside."""
    return "".join(lines).replace(" ", "")


@given(anything)
def test_whatever_comes_is_refused_or_every_rule_of_it_is_shown_in_full(text: str) -> None:
    told = grant(text, "app", ROOT, home="/home/dev")
    if told.refusal:
        assert told == Grant(refusal=told.refusal)
        assert len(told.refusal) <= 18
        return
    assert told.permissions == text
    assert told.where in {"app", "this session"}
    assert 1 <= len(told.what) <= LINES
    assert all(1 <= len(line) <= LINE_CHARS for line in told.what)
    for entry in json.loads(text):
        for one in entry.get("rules", []):
            assert one["ruleContent"].replace(" ", "") + ")" in seen(told.what)
        assert entry.get("mode", "") in seen(told.what)
