"""What stands in front of the real command is taken off and kept by name."""

from __future__ import annotations

import pytest

from flightdeck.model.shell import Code, Programs, Rest, Wrapper
from flightdeck.risk.reading import read
from flightdeck.risk.script import parse
from tests.risk.parsed import names, only, runs, script


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sudo rm a", "sudo>rm a"),
        ("sudo -n -u bob -- rm a", "sudo>rm a"),
        ("sudo -nu bob rm a", "sudo>rm a"),
        ("sudo -ubob rm a", "sudo>rm a"),
        ("sudo --user=bob rm a", "sudo>rm a"),
        ("sudo --user bob rm a", "sudo>rm a"),
        ("sudo --us bob rm a", "sudo>rm a"),
        ("sudo A=1 rm a", "sudo>rm a"),
        ("env -i A=1 rm a", "env>rm a"),
        ("env - rm a", "env>rm a"),
        ("env -S 'rm a'", "env>rm a"),
        ("/usr/bin/env rm a", "env>rm a"),
        ("nice -n 10 rm a", "nice>rm a"),
        ("timeout -k 1 5 rm a", "timeout>rm a"),
        ("time -p rm a", "time>rm a"),
        ("stdbuf -oL rm a", "stdbuf>rm a"),
        ("builtin command rm a", "builtin>command>rm a"),
        ("exec -a x rm a", "exec>rm a"),
        ("nohup rm a >/dev/null 2>&1 &", "nohup>rm a"),
        ("direnv exec . rm a", "direnv>rm a"),
        ("uv run -- rm a", "uv>rm a"),
        ("docker -H x exec -it db rm a", "docker>rm a"),
        ("docker compose -f y exec db rm a", "docker>rm a"),
        ("kubectl exec -n x pod -c y -- rm a", "kubectl>rm a"),
        ("ssh -p 22 host rm a", "ssh>rm a"),
        ("ssh host -- 'rm a'", "ssh>rm a"),
        ("watch -n1 'rm a'", "watch>rm a"),
        ("eval rm a", "eval>rm a"),
        ("eval 'rm' \"a\"", "eval>rm a"),
        ("eval eval 'rm a'", "eval>eval>rm a"),
        ("trap 'rm a' EXIT INT", "trap>rm a"),
        ("flock f -c 'rm a'", "flock>rm a"),
        ("flock f rm a", "flock>rm a"),
        ("parallel rm ::: a", "parallel>rm a"),
        ("sudo env nice timeout 5 bash -c 'rm a'", "sudo>env>nice>timeout>bash>rm a"),
        ("git-rm a", "git rm a"),
        ("/usr/libexec/git-core/git-rm a", "git rm a"),
        ("alias x='rm a'; x", "rm a"),
        ("alias rm='rm a'; rm b", "rm a b"),
    ],
)
def test_the_command_behind_a_wrapper_is_found(command: str, expected: str) -> None:
    assert runs(command)[-1] == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("find . -exec rm {} \\;", ["find . -exec rm {} ;", "find>rm {}"]),
        ("find . -exec ls {} + -ok rm {} \\;", ["find>ls {}", "find>rm {}"]),
        ("find . -exec env rm {} +", ["find>env>rm {}"]),
        ("find . -exec sh -c 'rm \"$1\"' _ {} \\;", ["find>sh>rm {}"]),
        ("vim -es -c ':!rm a' -c :q", ["vim -es -c :!rm a -c :q", "vim>rm a"]),
        ("tar cf x --checkpoint-action=exec='rm a' .", ["tar>rm a"]),
        ("sed -n '1e rm a' f", ["sed>rm a"]),
        ("git -c alias.x='!rm a' x", ["git -c alias.x=!rm a x", "git>rm a"]),
        ("git rebase -x 'rm a' main", ["git>rm a"]),
        ("git bisect run rm a", ["git bisect run rm a", "git>rm a"]),
        ("su bob -c 'rm a'", ["su bob -c rm a", "su>rm a"]),
    ],
)
def test_programs_that_run_others_beside_their_work_stay(command: str, expected: list[str]) -> None:
    assert set(expected) <= set(runs(command))


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("command -v rm", "command"),
        ("sudo -l rm", "sudo"),
        ("sudo -i", "sudo"),
        ("env", "env"),
        ("ssh host", "ssh"),
        ("docker ps -a", "docker"),
        ("git status", "git"),
        ("find . -name x", "find"),
        ("vim -c ':q' f", "vim"),
        ("bash --version", "bash"),
        ("bash f.sh a", "bash"),
        ("git-", "git"),
        ("docker", "docker"),
    ],
)
def test_a_wrapper_that_runs_nothing_is_the_command(command: str, program: str) -> None:
    assert names(script(command).invocations) == [program]


def test_operands_a_line_does_not_show_are_told() -> None:
    assert only("ls | xargs -n 1 rm", "rm").more
    assert only("find . -exec rm {} +", "rm").more
    assert only("ls | xargs sh -c 'rm \"$@\"'", "rm").more
    assert not only("sudo rm a", "rm").more


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("echo a b | xargs rm -r", "xargs>rm -r a b"),
        ("echo rm a | xargs env", "xargs>env>rm a"),
        ("echo 'rm a' | parallel", "parallel>rm a"),
        ("echo a | xargs -I{} rm x/{}", "xargs>rm x/a"),
        ("echo 'rm a' | xargs -I % sh -c %", "xargs>sh>rm a"),
    ],
)
def test_operands_that_are_known_are_added(command: str, expected: str) -> None:
    assert runs(command)[-1] == expected


def test_variables_a_wrapper_sets_are_those_of_the_command() -> None:
    one = only("A=1 env B=2 rm a", "rm")
    assert [(name, word.text) for name, word in one.assignments] == [("A", "1"), ("B", "2")]


def test_input_and_redirections_go_through_wrappers() -> None:
    one = only("curl x | sudo bash -c 'sh' > f", "sh")
    assert names(one.upstream) == ["curl"]
    assert [r.target.text for r in one.redirects] == ["f"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('f() { rm "$@"; }; f -r a', "rm -r a"),
        ('f() { rm "$1" $2; }; f -r a', "rm -r a"),
        ('f() { local x="$1"; rm "$x"; }; f a', "rm a"),
        ("f() { sh; }; echo 'rm a' | f", "sh>rm a"),
        ("bash -c 'rm \"$1\"' _ a", "bash>rm a"),
        ("bash -c 'rm \"$@\"' _ -r a", "bash>rm -r a"),
        ("bash -c '$0' 'rm a'", "bash>rm a"),
        ("echo 'rm $1' | bash -s a", "bash>rm a"),
        ("echo 'rm $1' > f; bash f a", "bash>rm a"),
    ],
)
def test_parameters_are_known_to_what_is_called(command: str, expected: str) -> None:
    assert runs(command)[-1] == expected


def test_a_call_without_parameters_adds_nothing_to_the_body() -> None:
    assert runs("f() { rm a; }; f") == ["rm a"]


@pytest.mark.parametrize(
    "command",
    [
        "f() { f x; }; f x",
        "f() { g x; }; g() { f x; }; f x",
        "alias a='b 1' b='a 2'; a",
        "alias a='a;a'; a",
        "echo './x 1; ./x 2' > x; ./x",
    ],
)
def test_what_calls_itself_ends(command: str) -> None:
    assert len(script(command).invocations) < 64


def test_an_option_value_is_not_taken_for_the_verb() -> None:
    wrapper = Wrapper(verb=("exec",), values=frozenset({"-H"}), operands=1, rest=Rest.ARGV)
    told = Programs(wrappers={"docker": (wrapper,)})
    assert names(parse("docker -H exec ps", told).invocations) == ["docker"]


def test_words_after_the_end_of_options_are_operands() -> None:
    words = only("x -- -a b", "x").words
    reading = read(words, Wrapper(values=frozenset({"-a"})))
    assert reading is not None
    assert [w.text for w in reading.operands] == ["-a", "b"]


def test_code_may_be_every_operand() -> None:
    told = Programs(wrappers={"x": (Wrapper(code=(Code("*", "run:"),)),)})
    assert names(parse("x a run:ls 'run:rm a'", told).invocations) == ["ls", "rm"]
