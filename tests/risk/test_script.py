"""Every program of a line is found, whatever it stands in; what is only mentioned is not."""

from __future__ import annotations

import pytest

from flightdeck.model.shell import Feed
from tests.risk.parsed import names, only, runs, script


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls; rm -r a", ["ls", "rm -r a"]),
        ("ls;rm -r a", ["ls", "rm -r a"]),
        ("ls && rm a || id", ["ls", "rm a", "id"]),
        ("ls & rm a", ["ls", "rm a"]),
        ("ls\nrm a\n", ["ls", "rm a"]),
        ("rm \\\n -r a", ["rm -r a"]),
        ("ls | rm a |& id", ["ls", "rm a", "id"]),
        ("! rm a", ["rm a"]),
        ("(ls; rm a) &", ["ls", "rm a"]),
        ("{ ls; rm a; }", ["ls", "rm a"]),
        ("true && { rm a || ls; }", ["true", "rm a", "ls"]),
    ],
)
def test_lists_pipes_and_groups_run_each_part(command: str, expected: list[str]) -> None:
    assert runs(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done", ["a", "b"]),
        ("until a; do b; done", ["a", "b"]),
        ('for x in p q; do rm "$x"; done', ["rm $x"]),
        ("for ((i=0; i<$(a); i++)); do b; done", ["a", "b"]),
        ("select x in p; do b; done", ["b"]),
        ("case $x in p) a;; q|r) b;& *) c;; esac", ["a", "b", "c"]),
        ("coproc rm a", ["coproc>rm a"]),
    ],
)
def test_every_branch_and_body_is_taken(command: str, expected: list[str]) -> None:
    assert runs(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "echo $(rm a)",
        "echo `rm a`",
        'echo "x `rm a` y"',
        'echo "x $(rm a) y"',
        'echo "$(echo "$(rm a)")"',
        "echo `echo \\`rm a\\``",
        "echo $((1 + $(rm a)))",
        "echo ${x:-$(rm a)}",
        "echo ${x[$(rm a)]}",
        "[[ -n $(rm a) ]]",
        '[ -n "$(rm a)" ]',
        "(( x = $(rm a) ))",
        "x=$(rm a)",
        "x=$(rm a) ls",
        "x=($(rm a) b)",
        "export x=$(rm a)",
        'ls > "$(rm a)"',
        "ls < <(rm a)",
        "diff <(rm a) b",
        "tee >(rm a)",
        "cat <<< $(rm a)",
        "cat <<EOF\n$(rm a)\nEOF",
        "cat <<EOF\n`rm a`\nEOF",
        'cat <<EOF\nsay "it $(rm a)\nEOF',
        "cat <<-EOF\n\t$(rm a)\n\tEOF",
        'ls "$(cat <<EOF\n$(rm a)\nEOF\n)"',
        "for x in $(rm a); do ls; done",
        "case $(rm a) in x) ls;; esac",
        "> f rm a",
        "2>/dev/null rm a",
        "f() { rm a; }",
        "function f { rm a; }",
        "f() ( rm a )",
    ],
)
def test_a_program_is_found_wherever_it_stands(command: str) -> None:
    assert runs(command).count("rm a") == 1


@pytest.mark.parametrize(
    "command",
    [
        "ls # ; rm a",
        "echo '$(rm a)'",
        'echo "\\$(rm a)"',
        "echo 'x; rm a'",
        "ls \\; rm a",
        "grep 'a|rm a' f",
        "cat <<'EOF'\n$(rm a)\nrm a\nEOF",
        'cat <<"EOF"\n`rm a`\nEOF',
        "cat <<\\EOF\n$(rm a)\nEOF",
        "cat <<EOF\nrm a\nEOF",
        'git commit -m "$(cat <<\'EOF\'\nit\'s (not): rm a; "rm a"\nEOF\n)"',
        "cat <<A <<B\nrm a\nA\nrm a\nB",
        "jq 'split(\"rm a\")' f",
        "echo a#b",
        "rm() { ls; }",
    ],
)
def test_what_is_only_mentioned_does_not_run(command: str) -> None:
    assert "rm" not in [one.program for one in script(command).invocations]


@pytest.mark.parametrize(
    "command",
    [
        "grep 'x$' f; rm a; echo 'z\\'",
        "echo $'it\\'s'; rm a; echo 'z'",
        "echo \"it's\" # don't\nrm a",
        "echo 'a'\\''b'; rm a",
        'echo "<<EOF"; rm a\nEOF',
        "echo $((1<<2)); rm a\n2",
        "echo '<<EOF'\nrm a",
        "ls # <<EOF\nrm a",
        "echo {x; rm a",
        'echo "`echo "x"`"; rm a',
        "echo ${x#y}; rm a",
        "echo a\\ # b; rm c\nrm a",
        "ls <<<x; rm a",
        "ls\r\nrm a",
    ],
)
def test_what_looks_like_quoting_hides_nothing(command: str) -> None:
    assert "rm a" in runs(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat <<EOF | sh && ls\nrm a\nEOF\nid", ["cat", "sh>rm a", "ls", "id"]),
        ("sh <<EOF ; ls\nrm a\nEOF", ["sh>rm a", "ls"]),
        ("cat > f <<'EOF'\nx\nEOF\nrm a", ["cat", "rm a"]),
        ("cat <<EOF && rm a\nx\nEOF", ["cat", "rm a"]),
        ("cat <<A <<B\n1\nA\n2\nB\nrm a", ["cat", "rm a"]),
        ("cat <<EOF\nnever closed", ["cat"]),
    ],
)
def test_what_stands_around_a_here_document_is_read(command: str, expected: list[str]) -> None:
    assert runs(command) == expected


def test_a_pipe_tells_what_is_upstream_nearest_last() -> None:
    last = only("curl x | tee f | sh", "sh")
    assert names(last.upstream) == ["curl", "tee"]
    assert last.feed is Feed.PIPE


@pytest.mark.parametrize("command", ["curl x | (sh)", "curl x | { ls; sh; }", "sh < <(curl x)"])
def test_the_input_of_a_group_is_the_input_of_its_parts(command: str) -> None:
    assert "curl" in names(only(command, "sh").upstream)


def test_one_pipe_does_not_feed_the_next_command() -> None:
    assert only("curl x; sh", "sh").upstream == ()


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("kill $(pgrep x)", "kill"),
        ("p=$(pgrep x); kill $p", "kill"),
        ("for p in $(pgrep x); do kill $p; done", "kill"),
        ("pgrep x | while read p; do kill $p; done", "kill"),
        ("sh <(pgrep x)", "sh"),
        ('python3 -c "$(pgrep x)"', "python3"),
        ('a=($(pgrep x)); kill "${a[@]}"', "kill"),
    ],
)
def test_words_made_of_output_tell_its_source(command: str, program: str) -> None:
    assert "pgrep" in names(only(command, program).sources)


def test_what_is_kept_in_another_is_kept_flat() -> None:
    last = only("a | b | c | d", "d")
    assert all(one.upstream == () for one in last.upstream)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls > f", [(">", "f")]),
        ("ls >> f 2>&1", [(">>", "f"), (">&", "1")]),
        ("ls &> f", [("&>", "f")]),
        ("ls >| f", [(">|", "f")]),
        ("ls < f", [("<", "f")]),
        ("ls 3<> f", [("<>", "f")]),
        ("ls >& /dev/tcp/a/1 0>&1", [(">&", "/dev/tcp/a/1"), (">&", "1")]),
        ("ls >f -a", [(">", "f")]),
        ("exec 3<&0", [("<&", "0")]),
    ],
)
def test_redirections_belong_to_their_command(
    command: str, expected: list[tuple[str, str]]
) -> None:
    (one,) = script(command).invocations
    assert [(r.operator, r.target.text) for r in one.redirects] == expected


def test_words_behind_a_redirection_are_words_of_the_command() -> None:
    assert runs("rm >f -r a") == ["rm -r a"]


@pytest.mark.parametrize(
    ("command", "program"),
    [("> f", ":"), ("{ ls; } > f", ""), ("while a; do b; done > f", "")],
)
def test_redirections_of_no_command_stand_alone(command: str, program: str) -> None:
    last = script(command).invocations[-1]
    assert (last.program, last.path) == (program, None)
    assert last.redirects[0].target.text == "f"


@pytest.mark.parametrize("command", ["{ ls; } 2>/dev/null", "{ ls; } 2>&1"])
def test_a_redirection_alone_that_opens_no_file_is_nothing(command: str) -> None:
    assert runs(command) == ["ls"]


def test_assignments_before_a_command_are_its_own() -> None:
    one = only("A=1 B='2 3' rm a", "rm")
    assert [(name, word.text) for name, word in one.assignments] == [("A", "1"), ("B", "2 3")]


@pytest.mark.parametrize("command", [":(){ :|:& };:", "f() { f | f & }; f", "f() { f & f & }; f"])
def test_a_function_that_starts_itself_twice_is_a_bomb(command: str) -> None:
    assert script(command).bomb is not None


def test_a_function_that_calls_itself_once_is_none() -> None:
    assert script("walk() { for d in *; do walk $d; done; }; walk . &").bomb is None


@pytest.mark.parametrize(
    ("command", "program", "expected"),
    [
        ("ls && rm a", "rm", "rm a"),
        ('echo "é $(rm a)"', "rm", "rm a"),
        ("cat <<EOF\né $(rm a)\nEOF", "rm", "rm a"),
        ("bash -c 'rm a'", "rm", "'rm a'"),
        ("sudo rm a", "rm", "sudo rm a"),
    ],
)
def test_a_span_is_in_characters_of_the_command(command: str, program: str, expected: str) -> None:
    start, end = only(command, program).span
    assert command[start:end] == expected


def test_words_know_their_own_span() -> None:
    command = "rm -r \"b c\" 'd' $e"
    spans = [w.span for w in only(command, "rm").words]
    assert [command[a:b] for a, b in spans] == ["-r", '"b c"', "'d'", "$e"]


def test_a_statement_that_stands_twice_is_listed_once() -> None:
    assert runs("rm a; ls; rm a") == ["rm a", "ls"]


def test_a_statement_is_listed_again_once_a_variable_changed() -> None:
    assert runs("x=a; rm $x; x=b; rm $x") == ["rm a", "rm b"]


@pytest.mark.parametrize("command", ["", "  \n", "# rm a", "x=1"])
def test_nothing_runs_where_nothing_stands(command: str) -> None:
    assert runs(command) == []


@pytest.mark.parametrize(
    "command", ["rm a; if", "rm a )", "rm a; echo 'x", "rm a; ls 'x\n", "while rm a; do"]
)
def test_what_can_be_read_of_a_broken_line_is_there(command: str) -> None:
    told = script(command)
    assert told.opaque
    assert "rm" in names(told.invocations)


@pytest.mark.parametrize("command", ["ls", "a && b | c", "x=(1 2); echo ${x[@]}"])
def test_a_line_that_is_read_whole_is_not_opaque(command: str) -> None:
    assert not script(command).opaque
