"""The verbs that ship: what each of them is, and what an agent is told, word for word.

`tests/golden/verbs` holds every text as it is sent, rules and all. After a change that is
meant, write them again, and read each aloud:

    FLIGHTDECK_GOLDEN=write pytest tests/config/test_shipped_verbs.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.frontmatter import LINE_CHARS
from flightdeck.config.verbs import load_verbs
from flightdeck.model.lifecycle import State
from flightdeck.model.verb import VerbKind
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from flightdeck.config.verbs import Verbs
    from flightdeck.model.verb import Verb

SHIPPED = shipped.folder("verbs")
README = (SHIPPED / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```markdown\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "verbs"
WRITE = os.environ.get("FLIGHTDECK_GOLDEN") == "write"
COMMAND = Path("/opt/flightdeck/bin/flightdeck")

PROMPTS = ["commit", "diff", "doubt", "explain", "fork", "issue", "narrow", "note"]
PROMPTS += ["pr", "push", "review", "test"]
STEERS = ["dryrun", "justify", "otherway"]
KEYS = ["confirm", "stop"]
FRAGMENTS = ["_common", "_common-git"]
WRITES_TO_A_REPOSITORY = {"commit", "fork", "pr", "push"}
ASKS_FOR_A_SECOND_PRESS = {"confirm", "fork", "issue", "pr", "push"}

# A prompt is read in passing, before the work it asks for.
MOST_CHARACTERS = 3_500
MOST_FRAGMENT_LINES = 12

# Whatever is named here is not on every machine, or is no longer there next year.
MACHINES_OWN = re.compile(
    r"\b(claude|anthropic|gpt|openai|codex|gemini|copilot|sonnet|opus|haiku"
    r"|github|gitlab|bitbucket|gitea|jira|gh|glab|pypi|npmjs?|npx|yarn|pip|uv|pytest|tox|cargo"
    r"|docker|python3?|node|macos|linux|tmux|iterm2?|obsidian|mcp)\b|://|[~\s(`]/\w",
    re.IGNORECASE,
)


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    """A state folder with room for verbs."""
    (tmp_path / "verbs").mkdir()
    return StateFolder(tmp_path)


@pytest.fixture
def verbs(monkeypatch: pytest.MonkeyPatch) -> Verbs:
    """The verbs that ship, with the command in a place that is the same everywhere."""
    monkeypatch.setattr(shipped, "command", lambda: COMMAND)
    return load_verbs(None)


def written(name: str) -> str:
    """Return what the author of a file wrote, frontmatter included."""
    return (SHIPPED / f"{name}.md").read_text(encoding="utf-8")


def own_words(name: str) -> str:
    """Return the text of a verb without its frontmatter and without the rules before it."""
    return written(name).split("---\n", 2)[2].strip()


def mine(folder: StateFolder, name: str, text: str) -> Verb:
    """Return the verb that a file of one's own says, which is all right."""
    (folder.verbs / f"{name}.md").write_text(text, encoding="utf-8")
    verbs = load_verbs(folder)
    assert verbs.problems == {}
    return verbs.usable[name]


def test_every_verb_that_ships_can_be_used(verbs: Verbs) -> None:
    assert verbs.problems == {}
    kinds = {VerbKind.PROMPT: PROMPTS, VerbKind.STEER: STEERS, VerbKind.KEY: KEYS}
    for kind, names in kinds.items():
        assert [name for name, verb in verbs.usable.items() if verb.kind is kind] == names


def test_text_is_sent_as_somebody_has_read_it(verbs: Verbs) -> None:
    texts = {name: f"{verb.text}\n" for name, verb in verbs.usable.items()}
    if WRITE:
        for name, text in texts.items():
            (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    kept = {path.stem: path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.txt")}
    assert texts == kept


def test_key_is_called_after_its_verb(verbs: Verbs) -> None:
    assert all(verb.label == name.upper() for name, verb in verbs.usable.items())


def test_second_press_is_asked_for_where_others_see_what_comes_of_it(verbs: Verbs) -> None:
    asked = {name for name, verb in verbs.usable.items() if verb.confirm}
    assert asked == ASKS_FOR_A_SECOND_PRESS


def test_verbs_that_write_to_a_repository_carry_the_rules_for_it(verbs: Verbs) -> None:
    carrying = {name for name, verb in verbs.usable.items() if "Never force" in verb.text}
    assert carrying == WRITES_TO_A_REPOSITORY
    assert {name for name, verb in verbs.usable.items() if verb.common} == carrying


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_begins_with_where_it_comes_from(verbs: Verbs, name: str) -> None:
    text = verbs.usable[name].text
    assert "the operator's flightdeck panel: they pressed a key there" in text.split("\n", 1)[0]
    assert f"\n\nThe operator pressed {name.upper()} on the panel: " in text


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_stands_alone_under_rules_of_the_users_own(folder: StateFolder, name: str) -> None:
    (folder.verbs / "_common.md").write_text("My rules.\n", encoding="utf-8")
    assert load_verbs(folder).usable[name].text.startswith("My rules.\n\n")
    assert own_words(name).startswith(f"The operator pressed {name.upper()} on the panel: ")


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_says_when_to_do_nothing_and_when_to_stop(name: str) -> None:
    text = " ".join(own_words(name).split())
    assert re.search(r"\bsay so\b", text)
    assert re.search(r"\b(and|Then) (then )?stop\b", text)


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_can_be_read_in_passing(verbs: Verbs, name: str) -> None:
    assert len(verbs.usable[name].text) <= MOST_CHARACTERS


@pytest.mark.parametrize("name", FRAGMENTS)
def test_rules_before_a_prompt_are_short(name: str) -> None:
    assert len(written(name).splitlines()) <= MOST_FRAGMENT_LINES


@pytest.mark.parametrize("name", [*PROMPTS, *STEERS, *FRAGMENTS])
def test_text_names_nothing_but_a_shell_and_git(name: str) -> None:
    assert MACHINES_OWN.findall(written(name)) == []


@pytest.mark.parametrize("name", STEERS)
def test_steer_says_where_it_comes_from_and_when_to_wait(verbs: Verbs, name: str) -> None:
    first, rest = verbs.usable[name].text.split("\n\n", 1)
    assert first.startswith("The operator refused this call from the panel")
    assert "wait for" in " ".join(rest.split())


def test_stop_is_an_escape_to_an_agent_at_work(verbs: Verbs) -> None:
    stop = verbs.usable["stop"]
    assert (stop.text, stop.requires, stop.confirm) == ("Escape", (State.WORKING,), False)


def test_confirm_is_an_enter_to_a_dialog_and_takes_two_presses(verbs: Verbs) -> None:
    confirm = verbs.usable["confirm"]
    assert (confirm.text, confirm.requires, confirm.confirm) == ("Enter", (State.BLOCKED,), True)


def test_test_reports_a_failure_through_the_command_itself(verbs: Verbs) -> None:
    text = verbs.usable["test"].text
    assert f"\n    {COMMAND} fail\n" in text
    assert f"`{COMMAND} fail --explain`" in text


@pytest.mark.parametrize("name", ["note", "issue", "pr"])
def test_text_that_cannot_be_put_in_its_place_is_printed_whole(name: str) -> None:
    assert re.search(r"\bprint\b[^.]*\bwhole\b", own_words(name))


def test_note_of_the_vault_takes_the_place_of_the_shipped_one(folder: StateFolder) -> None:
    text = (SHIPPED / "overrides" / "note-obsidian.md").read_text(encoding="utf-8")
    verb = mine(folder, "note", text)
    assert (verb.kind, verb.label, verb.confirm) == (VerbKind.PROMPT, "NOTE", False)
    assert verb.text.startswith("This comes from the operator's flightdeck panel")
    assert "The operator pressed NOTE on the panel: " in verb.text


def test_note_of_the_vault_knows_its_id_and_no_path() -> None:
    text = (SHIPPED / "overrides" / "note-obsidian.md").read_text(encoding="utf-8")
    assert "the vault whose id is `flightdeck`" in " ".join(text.split())
    assert re.findall(r"[~\s(`]/\w|://", text) == []


def test_override_is_no_verb_until_it_is_copied(verbs: Verbs) -> None:
    assert "note-obsidian" not in verbs.paths


def test_page_lists_every_verb_that_ships(verbs: Verbs) -> None:
    rows = re.findall(r"^\| `([a-z]+)` \| ([A-Z]+) \|", README, re.MULTILINE)
    assert sorted(rows) == [(name, verb.label) for name, verb in verbs.usable.items()]
    assert f"{LINE_CHARS} characters" in README


def test_prompt_of_the_page_is_a_verb_as_it_stands(folder: StateFolder) -> None:
    verb = mine(folder, "simpler", EXAMPLES[0])
    assert (verb.kind, verb.label) == (VerbKind.PROMPT, "SIMPLER")
    assert "The operator pressed SIMPLER on the panel: " in verb.text


def test_steer_of_the_page_is_a_verb_as_it_stands(folder: StateFolder) -> None:
    verb = mine(folder, "smaller", EXAMPLES[1])
    assert (verb.kind, verb.label) == (VerbKind.STEER, "SMALLER")
    assert len(EXAMPLES) == 2
