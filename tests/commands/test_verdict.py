"""`flightdeck verdict`: the row from a terminal, through the true panel and true hooks."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from tests.commands.hooked import SUGGESTION, Agent, printed
from tests.fold.world import until
from tests.own_rule import OWN_RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.commands.running import Running
    from tests.fold.world import Machine

    Start = Callable[..., Running]

ALLOW = {"behavior": "allow"}
HIGH = {"tool_input": {"command": "frob -f"}}


@pytest.fixture
def agent(machine: Machine, start: Start) -> Iterator[Agent]:
    machine.folder.risk.mkdir(parents=True)
    (machine.folder.risk / "mine.yaml").write_text(OWN_RULE, encoding="utf-8")
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    agent = Agent(machine, panel, machine.agent())
    yield agent
    agent.leave()


def verdict(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["verdict", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_approved_call_is_allowed_and_its_key_goes_on(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks()
    until(agent.pending, "a request")
    assert verdict(capsys, "approve") == (0, "approve: sent\n", "")
    assert printed(hook) == ALLOW
    agent.panel.shows(1, "working")
    assert agent.pending() == []


def test_denied_call_is_told_why(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    hook = agent.asks_and_is_held()
    assert verdict(capsys, "deny")[0] == 0
    decision = printed(hook)
    assert decision is not None
    assert (decision["behavior"], "interrupt" in decision) == ("deny", False)
    assert decision["message"]


def test_interrupted_turn_is_over(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    hook = agent.asks_and_is_held()
    assert verdict(capsys, "interrupt")[0] == 0
    decision = printed(hook)
    assert decision is not None
    assert decision["interrupt"] is True
    agent.panel.shows(1, "idle")


def test_steered_call_is_denied_in_the_words_of_the_verb(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held()
    assert verdict(capsys, "steer", "dryrun") == (0, "steer dryrun: sent\n", "")
    decision = printed(hook)
    assert decision is not None
    assert decision["behavior"] == "deny"
    assert "interrupt" not in decision


def test_remembered_call_arms_first_then_gives_the_suggestion_as_it_came(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held(permission_suggestions=SUGGESTION)
    code, out, _ = verdict(capsys, "remember")
    assert code == 4
    assert out.startswith("remember: armed; the same again within 10 s will approve Bash")
    assert "write down Bash(make:*) for this session" in out
    assert verdict(capsys, "remember")[0] == 0
    assert printed(hook) == ALLOW | {"updatedPermissions": SUGGESTION}


def test_remember_without_a_suggestion_is_refused(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held()
    code, out, err = verdict(capsys, "remember")
    assert (code, out) == (1, "")
    assert err.startswith("flightdeck: no rule\n  hint: ")
    assert verdict(capsys, "deny")[0] == 0
    printed(hook)


def test_any_other_verdict_disarms(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    hook = agent.asks_and_is_held(permission_suggestions=SUGGESTION)
    assert verdict(capsys, "remember")[0] == 4
    assert verdict(capsys, "detail")[0] == 1  # its window is not known
    assert verdict(capsys, "remember")[0] == 4
    assert verdict(capsys, "approve")[0] == 0
    assert printed(hook) == ALLOW


def test_high_call_is_armed_by_the_first_approval(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held(**HIGH)
    code, out, _ = verdict(capsys, "approve")
    assert code == 4
    assert "will approve Bash (high)" in out
    assert verdict(capsys, "approve")[0] == 0
    assert printed(hook) == ALLOW


def test_request_is_named_by_its_id(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    first = agent.asks_and_is_held(tool_input={"command": "a"})
    second = agent.asks_and_is_held(tool_input={"command": "b"})
    newest = agent.pending()[-1]["request_id"]
    assert verdict(capsys, "approve", "--request", newest)[0] == 0
    assert printed(second) == ALLOW
    assert first.poll() is None
    code, out, err = verdict(capsys, "approve", "--request", newest)
    assert (code, out) == (1, "")
    assert err.startswith("flightdeck: no such request\n")
    assert verdict(capsys, "approve")[0] == 0
    assert printed(first) == ALLOW


def test_with_nothing_pending_it_says_so(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = verdict(capsys, "approve")
    assert (code, out) == (1, "")
    assert err.startswith("flightdeck: nothing pending\n")


def test_question_is_never_allowed_and_may_be_denied(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held(tool_name="AskUserQuestion", tool_input={"questions": []})
    for action in ("approve", "remember"):
        code, _, err = verdict(capsys, action)
        assert (code, err.splitlines()[0]) == (1, "flightdeck: question")
    assert verdict(capsys, "deny")[0] == 0
    decision = printed(hook)
    assert decision is not None
    assert decision["behavior"] == "deny"


def test_sub_agents_request_is_let_go_at_once_and_only_its_terminal_answers(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks(agent_id="a1")
    assert printed(hook) is None
    agent.panel.shows(1, "blocked")
    code, _, err = verdict(capsys, "approve")
    assert (code, err.splitlines()[0]) == (1, "flightdeck: in terminal")


def test_run_without_a_terminal_is_let_go_at_once(agent: Agent) -> None:
    assert printed(agent.asks("sdk-cli")) is None
    until(agent.pending, "a request")


def test_killed_hook_is_never_answered_and_the_next_one_is(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = agent.asks_and_is_held(tool_input={"command": "a"})
    dead.kill()
    until(lambda: not agent.pending()[0]["answerable"], "a request in the terminal")
    alive = agent.asks_and_is_held(tool_input={"command": "b"})
    assert verdict(capsys, "approve")[0] == 0
    assert printed(alive) == ALLOW


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_panel_that_ends_lets_its_hooks_go_and_they_print_nothing(
    agent: Agent, number: int
) -> None:
    hook = agent.asks_and_is_held()
    agent.panel.end(number)
    assert printed(hook) is None


def test_arm_does_not_outlive_its_panel(
    agent: Agent, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    first = agent.asks_and_is_held(permission_suggestions=SUGGESTION)
    assert verdict(capsys, "remember")[0] == 4
    agent.panel.end()
    assert printed(first) is None
    again = start().begun()
    until(again.listens, "a panel that listens")
    other = {"command": "make all"}
    hook = agent.asks_and_is_held(permission_suggestions=SUGGESTION, tool_input=other)
    assert verdict(capsys, "remember")[0] == 4
    assert hook.poll() is None
    assert verdict(capsys, "deny")[0] == 0
    printed(hook)


def test_what_a_tool_was_given_is_in_no_log_no_snapshot_and_no_frame(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"command": "curl -H 'Authorization: Bearer abc'"}
    hook = agent.asks_and_is_held(tool_input=secret, permission_suggestions=SUGGESTION)
    assert verdict(capsys, "remember")[0] == 4
    assert verdict(capsys, "deny")[0] == 0
    printed(hook)
    until(lambda: agent.pending() == [], "nothing that waits")
    agent.panel.end()
    kept = [path for path in agent.machine.home.rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"Bearer abc" in path.read_bytes()]


def test_verdict_is_not_kept_waiting_by_a_key_that_is_held(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held()
    argv = [*agent.panel.process.args[:3], "press", "4.7", "--hold", "50"]  # type: ignore[index]
    holding = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert verdict(capsys, "approve")[0] == 0
        assert printed(hook) == ALLOW
        assert holding.poll() is None
    finally:
        holding.kill()
        holding.wait()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["steer"], "'' is no steer verb"),
        (["steer", "nonesuch"], "'nonesuch' is no steer verb"),
        (["approve", "justify"], "'approve' takes no verb"),
    ],
)
def test_verb_that_is_none_is_told_and_how_to_mend_it(
    machine: Machine, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    code, out, err = verdict(capsys, *words)
    assert (code, out) == (1, "")
    assert problem in err
    assert "hint: " in err


def test_verb_whose_file_has_problems_is_told(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.folder.verbs.mkdir(parents=True)
    (machine.folder.verbs / "justify.md").write_text("no head at all", encoding="utf-8")
    code, _, err = verdict(capsys, "steer", "justify")
    assert code == 1
    assert "the verb 'justify' has problems" in err


def test_no_panel_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(capsys, "approve") == (
        1,
        "",
        "flightdeck: no panel is running\n  hint: start one with `flightdeck run`\n",
    )


@pytest.mark.parametrize("words", [[], ["allow"], ["approve", "a", "b"]])
def test_what_is_no_verdict_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert verdict(capsys, *words)[0] == 2


def test_help_tells_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verdict(capsys, "--help")
    assert code == 0
    assert "0 sent" in out
    assert "4 armed" in out


# Keys of the deck, over the same hooks.


def test_press_of_an_armed_key_says_so_with_exit_code_4(
    agent: Agent, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agent.asks_and_is_held(permission_suggestions=SUGGESTION)
    slowly = ["press", "3.3", "--hold", "0.4"]
    until(lambda: main(slowly) == 4, "an armed key")
    assert "3.3: armed; the same again within 10 s will approve" in capsys.readouterr().out
    assert main(slowly) == 0
    assert printed(hook) == ALLOW | {"updatedPermissions": SUGGESTION}


def test_status_tells_what_waits(agent: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    hook = agent.asks_and_is_held()
    assert main(["status"]) == 0
    assert "Bash, 0s, the deck can answer" in capsys.readouterr().out
    assert main(["status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["slots"][0]["pending"]
    assert [request["answerable"] for request in told] == [True]
    verdict(capsys, "deny")
    printed(hook)
