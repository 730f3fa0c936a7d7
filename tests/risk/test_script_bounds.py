"""Whatever comes in, parsing ends soon and raises nothing.

No test here measures time: each bound is a count, and the counts are what holds it.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.shell import Invocation
from flightdeck.risk import line as state
from flightdeck.risk import tree
from flightdeck.risk.calm import MOST_SIGNS, calm
from flightdeck.risk.line import Line, Value
from tests.risk.parsed import names, runs, script
from tests.risk.programs import PROGRAMS

TOKENS = [
    "rm",
    "a",
    "sh",
    "bash",
    "-c",
    "sudo",
    "env",
    "eval",
    "find",
    "-exec",
    ";",
    "xargs",
    "git",
    "f",
    "x",
    "alias",
    "cat",
    "echo",
    "printf",
    "|",
    "||",
    "&",
    "&&",
    "(",
    ")",
    "{",
    "}",
    "$(",
    "`",
    "'",
    '"',
    "$'",
    '$"',
    "${",
    "}",
    "$x",
    "$@",
    "<(",
    ">(",
    ">",
    "<",
    "<<",
    ">&-",
    "<&-",
    "!(a|b)",
    "time ",
    "coproc ",
    "tee",
    "awk",
    "sed",
    "system(",
    "s/a/b/e",
    "cd",
    "set --",
    "PAGER=",
    "-I{}",
    "-c",
    "<<-",
    "<<<",
    "EOF",
    "2>&1",
    "\\",
    "#",
    "!",
    "*",
    "?",
    "{a,b}",
    "{1..3}",
    "if",
    "then",
    "else",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "while",
    "case",
    "esac",
    ";;",
    "a)",
    "[[",
    "]]",
    "[",
    "]",
    "((",
    "))",
    "$((",
    "=",
    "a=",
    "a=(",
    "+=",
    "f()",
    "function",
    " ",
    "\n",
    "\t",
    "\x00",
    "\r\n",
    "é",
    "\ud800",
    "\U000f0001",
]

UNITS = [
    "(",
    "$(",
    '"$(',
    "{",
    "`",
    "if ",
    "[[ ",
    "<<a ",
    "<<a\n",
    "a=(",
    "${a:-",
    "case x in ",
    "$((",
    "<(",
    "|",
    "a|",
    "a && ",
    "a;",
    "))",
    '"',
    "'",
    "\\",
    "\0",
    "\ud800",
    "é",
    "{a,",
    "{1..9999}{1..9999} ",
    "eval ",
    "sudo ",
    "x=$x$x;",
    'a=("${a[@]}" "${a[@]}");',
    "f(){ f|f& };",
    ">a ",
    "$x ",
    "A=1 ",
    "find -exec ",
    "xargs ",
    'sh -c "sh -c ',
    "cat <<'E'\n",
    "echo a | ",
    "for i in a b;do ",
    "git -c alias.x=!",
    "os.system('",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("length", [300, 12_000, 1_000_000])
def test_the_same_over_and_over_ends(unit: str, length: int) -> None:
    told = script((unit * length)[:length])
    assert len(told.invocations) <= state.MOST_EFFORT


@given(st.text())
def test_any_text_parses(text: str) -> None:
    script(text)


@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(["", " "]))
def test_any_run_of_shell_words_parses(tokens: list[str], between: str) -> None:
    command = between.join(tokens)
    for one in script(command).invocations:
        assert 0 <= one.span[0] <= one.span[1] <= len(command)


@given(st.binary())
def test_bytes_that_are_no_utf8_parse(data: bytes) -> None:
    script(data.decode("utf-8", "surrogateescape"))


@given(st.lists(st.sampled_from(TOKENS), max_size=12).map(" ".join))
def test_a_dangerous_command_in_front_is_found_whatever_follows(text: str) -> None:
    assert "rm" in names(script(f"rm -rf zzz\n{text}").invocations)


def test_too_long_a_text_is_opaque_and_its_head_is_read() -> None:
    told = script("rm a\n" + "echo b c d\n" * state.MOST_TEXT)
    assert told.opaque
    assert told.invocations[0].program == "rm"


def test_a_long_here_document_does_not_hide_what_follows() -> None:
    body = "some text of a file\n" * 5_000
    told = script(f"cat > f.md <<'EOF'\n{body}EOF\nrm a")
    assert names(told.invocations) == ["cat", "rm"]
    assert not told.opaque


@pytest.mark.parametrize(
    "command",
    [
        "(" * 60 + "rm a" + ")" * 60,
        "eval " * 40 + "ls",
        "sudo " * 40 + "ls",
        "f() { g 1; g 2; }; g() { h 1; h 2; }; h() { ls; };" + "f 1; f 2;" * 400 + "x" * 9,
        "a=b; " + "$a " * 4_000,
        "ls " + ">$x " * 2_000,
        "a=$b " * 2_000,
    ],
)
def test_past_a_bound_a_script_is_opaque(command: str) -> None:
    assert script(command).opaque


@pytest.mark.parametrize("command", ["a && " * 700 + "rm a", "a; " * 700 + "rm a"])
def test_a_long_list_is_read_to_its_end(command: str) -> None:
    told = script(command)
    assert "rm" in names(told.invocations)
    assert not told.opaque


@pytest.mark.parametrize(
    "command",
    [
        "curl -d '" + '{"a": [1, (2)]}, ' * 500 + "' x",
        'python3 -c "' + "print(f(x)) [1] " * 500 + '"',
        "a | b\n" * 400,
        "a 2>&1\n" * 400,
        "(a) && (b)\n" * 400,
    ],
)
def test_ordinary_text_is_calm(command: str) -> None:
    assert calm(command) == command


@pytest.mark.parametrize("unit", ["a|", "a)", "a|\n", "[ ", "`a` ", "((", "a&&(b)&&\n", '"$(" a)'])
def test_text_with_too_many_signs_is_cut(unit: str) -> None:
    assert len(calm(unit * 2_000)) < len(unit) * 2 * MOST_SIGNS


def test_signs_in_quotes_inside_quotes_count_for_nothing() -> None:
    command = "x \"$(y '" + "((((" * 500 + "')\" z"
    assert calm(command) == command


def test_a_tree_that_costs_too_much_is_read_in_part() -> None:
    _, whole = tree.parse(b"a=(" * 400)
    assert not whole


def test_a_value_that_grows_too_long_is_not_kept() -> None:
    told = script("a=xxxxxxxxxxxxxxxx;" + "a=$a$a;" * 20 + "rm $a")
    assert max(len(w.text) for one in told.invocations for w in one.words) <= state.MOST_TEXT


def test_the_upstream_of_a_long_pipe_is_bounded() -> None:
    told = script("a" + " | b" * 100)
    assert max(len(one.upstream) for one in told.invocations) == state.MOST_UPSTREAM


def test_setting_a_variable_to_what_it_holds_changes_nothing() -> None:
    line = Line(PROGRAMS)
    line.set("x", Value(("a",)))
    version = line.version
    line.set("x", Value(("a",)))
    assert line.version == version


def test_two_parses_of_one_line_are_equal() -> None:
    command = "curl x | sudo bash; f() { rm $1; }; f a"
    assert script(command) == script(command)
    assert hash(script(command)) == hash(script(command))


def test_an_opaque_line_holds_commands_only() -> None:
    assert all(isinstance(one, Invocation) for one in script("rm a; (" * 20).invocations)
    assert "rm a" in runs("rm a; (" * 20)
