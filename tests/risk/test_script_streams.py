"""What awk and sed start and write; the commands a text hides from a plain look.

Source: POSIX.1-2024, "awk" and "sed"; bash(1), "EXPANSION".
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.shell import Programs, Rest, Script, Word, Wrapper
from flightdeck.risk import awk, sed
from flightdeck.risk.script import parse

PROGRAMS = Programs(shells=frozenset({"sh", "bash"}))


def _words(*texts: str) -> list[Word]:
    return [Word(text, (0, len(text))) for text in texts]


def _ran(script: Script) -> list[list[str]]:
    return [[i.program, *(w.text for w in i.words)] for i in script.invocations]


@pytest.mark.parametrize(
    ("program", "commands"),
    [
        ('BEGIN{system("ls -l")}', ["ls -l"]),
        ('BEGIN{while(("ls a")|getline);}', ["ls a"]),
        ('BEGIN{while("ls a" | getline x) print x}', ["ls a"]),
        ('{print $1 | "sort -n"}', ["sort -n"]),
        ('{print $1 |& "sort -n"}', ["sort -n"]),
        ('{c = "rm a"; system(c)}', ["rm a"]),
        ('{print $1 "|" $2}', []),
        ("/a|b/ || $1 ~ /c|d[/]e/ {print}", []),
        ('{print 4 / 2 "|x" / 2}', []),
        ('# "x" | getline\n{print}', []),
    ],
)
def test_awk_starts_what_stands_beside_its_pipe(program: str, commands: list[str]) -> None:
    assert awk.started(_words(program, "a.txt")) == awk.Started(commands)


@pytest.mark.parametrize(
    ("program", "files"),
    [
        ('{print > "a.txt"}', ["a.txt"]),
        ('{printf "%s", $1 >> "a.txt"}', ["a.txt"]),
        ("$3 > 10 {print $1}", []),
        ("{print ($1 > 3)}", []),
        ("{print; if ($1 > 3) n++}", []),
    ],
)
def test_awk_writes_the_files_its_print_names(program: str, files: list[str]) -> None:
    assert awk.started(_words(program)) == awk.Started(files=files)


@pytest.mark.parametrize(
    "program", ["{system($1)}", "{print > $1}", "{$1 | getline}", "{ | getline}"]
)
def test_awk_that_takes_commands_from_its_input_is_not_known(program: str) -> None:
    assert awk.started(_words(program)).unknown


def test_a_variable_given_to_awk_is_followed() -> None:
    words = _words("-v", "c=rm -rf a", "BEGIN{system(c)}")
    assert awk.started(words) == awk.Started(["rm -rf a"])


def test_no_more_than_so_many_commands_of_awk_are_kept() -> None:
    told = awk.started(_words('{system("ls")}' * (awk.MOST_STARTED + 1)))
    assert len(told.commands) == awk.MOST_STARTED
    assert told.unknown


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("1e git push", ["git push"]),
        ("/x/,$e ls", ["ls"]),
        ("\\,x,e ls", ["ls"]),
        ("2~3!e ls", ["ls"]),
        ("s/x/rm a/e", ["rm a"]),
        ("s|.*|rm &|gep", ['rm  "$1"']),
        ("e", []),
    ],
)
def test_sed_runs_what_stands_behind_its_e(script: str, commands: list[str]) -> None:
    assert sed.started(_words(script, "a.txt")) == awk.Started(commands, unknown=True)


@pytest.mark.parametrize(
    ("script", "files"),
    [
        ("w a.txt", ["a.txt"]),
        ("s/a/b/gw a.txt", ["a.txt"]),
        ("s/\\//x/;w a.txt", ["a.txt"]),
        ("y/abc/xyz/;W a.txt", ["a.txt"]),
        ("/x/{p;w a.txt\n}", ["a.txt"]),
        ("s/e/w e/", []),
        ("a\\\nw e ls", []),
        ("b end; :end; p", []),
        ("r a.txt", []),
        ("/^$/d", []),
        ("", []),
        ("s", []),
    ],
)
def test_sed_writes_what_stands_behind_its_w(script: str, files: list[str]) -> None:
    assert sed.started(_words("-n", "-f", "x.sed", script)) == awk.Started(files=files)


def test_every_script_of_sed_is_read() -> None:
    told = sed.started(_words("-e", "p", "--expression=w a.txt", "b.txt"))
    assert told.files == ["a.txt"]


def test_sed_without_a_script_starts_nothing() -> None:
    assert sed.started(_words("-n")) == awk.Started()


def test_a_sed_script_that_starts_very_much_is_not_known_whole() -> None:
    assert sed.started(_words("w a\n" * (awk.MOST_STARTED + 1))).unknown


@pytest.mark.parametrize(
    "command",
    [
        "echo ${x:=`rm a`}",
        "echo ${x#`rm a`}",
        "a[$(rm a)]=1",
        'set -- rm a; "$@"',
        "set -e -- rm a; $1 $2",
        "r${x}m a",
        "awk 'BEGIN{system(\"rm a\")}'",
        "sed '1e rm a' b",
    ],
)
def test_a_command_is_found_where_it_hides(command: str) -> None:
    assert ["rm", "a"] in _ran(parse(command, PROGRAMS))


def test_a_name_with_an_unknown_variable_in_it_is_not_sure() -> None:
    assert parse("r${x}m a", PROGRAMS).opaque
    assert _ran(parse('"$x" a', PROGRAMS)) == [["", "a"]]


def test_an_input_file_alone_is_read_as_cat_reads_it() -> None:
    assert ["cat", "a.txt"] in _ran(parse('echo "$(<a.txt)"', PROGRAMS))


@pytest.mark.parametrize("command", ["LD_X=a", "LD_X=a sh -c ls", "LD_X=a >b"])
def test_a_variable_of_the_environment_is_told_also_alone(command: str) -> None:
    told = [i.assignments for i in parse(command, PROGRAMS).invocations]
    assert [(name, word.text) for pairs in told for name, word in pairs] == [("LD_X", "a")]


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("cd a; ls", "a"),
        ("cd a && cd ../b && ls", "a/../b"),
        ("cd -P ~/x; ls", "~/x"),
        ("cd; ls", "~"),
        ("pushd /a; ls", "/a"),
        ("cd a; popd; ls", "a"),
        ("(cd a); ls", ""),
        ("x=$(cd a; pwd); ls", ""),
        ("cd a; (cd b; ls)", "a/b"),
    ],
)
def test_what_follows_a_cd_is_seen_from_there(command: str, folder: str) -> None:
    last = parse(command, PROGRAMS).invocations[-1]
    assert (last.program, last.folder) == ("ls", folder)


@pytest.mark.parametrize(
    "command", ["GIT_PAGER='rm a' git log", "export PAGER='rm a'", "LESSOPEN='|rm a'"]
)
def test_what_a_variable_makes_others_run_is_run(command: str) -> None:
    assert ["rm", "a"] in _ran(parse(command, PROGRAMS))


def test_a_subscript_in_a_test_may_run_what_is_in_it() -> None:
    assert parse("[[ -v 'a[$(rm a)]' ]]", PROGRAMS).opaque
    assert not parse("[[ -v 'a[1]' ]]", PROGRAMS).opaque


def test_several_words_in_one_are_a_line_for_who_runs_it_for_each() -> None:
    parallel = Wrapper(rest=Rest.ARGV, more=True, values=frozenset({"-I"}))
    told = Programs(wrappers={"parallel": (parallel,)})
    assert ["rm", "-r", "{}"] in _ran(parse("ls | parallel 'rm -r {}'", told))
    assert ["cat", "k/*"] in _ran(parse("ls | parallel -I % cat k/%", told))


def test_a_command_may_be_attached_to_the_option_that_begins_it() -> None:
    told = Programs(wrappers={"fd": (Wrapper(embeds=frozenset({"--exec"}), stays=True),)})
    assert ["rm", "-r"] in _ran(parse("fd x --exec=rm -r", told))


@pytest.mark.parametrize(
    "command", ["$SUDO rm a", "$A ${B} rm a", "ls b\n\\rm a", "ls b\n\\\nrm a"]
)
def test_a_line_is_read_as_it_runs_where_a_variable_is_empty_or_a_break_hidden(
    command: str,
) -> None:
    assert ["rm", "a"] in _ran(parse(command, PROGRAMS))


@pytest.mark.parametrize("command", ['"$A" rm a', "$A -x rm"])
def test_a_quoted_variable_and_one_before_options_is_the_program(command: str) -> None:
    assert len(parse(command, PROGRAMS).invocations) == 1


@pytest.mark.parametrize("command", ["! if rm a; then ls; fi", "time for i in 1; do rm a; done"])
def test_a_sign_before_a_loop_or_a_condition_hides_nothing(command: str) -> None:
    assert ["rm", "a"] in _ran(parse(command, PROGRAMS))


def test_a_here_document_ends_also_where_lines_end_as_on_windows() -> None:
    assert ["rm", "a"] in _ran(parse("cat <<E\r\nhi\r\nE\r\nrm a", PROGRAMS))


def test_what_xargs_adds_is_for_the_shell_it_starts() -> None:
    told = Programs(
        wrappers={"xargs": (Wrapper(rest=Rest.ARGV, more=True),)}, shells=frozenset({"sh"})
    )
    more = {
        i.program: i.more
        for i in parse("xargs sh -c 'ls; rm a'; xargs sh -c 'cp $1'", told).invocations
    }
    assert more == {"ls": False, "rm": False, "cp": True}


@given(st.text(alphabet="\"\\'/|>$#{}()[];\n seywacb,1!&", max_size=60))
def test_whatever_text_is_read_as_a_program_to_its_end(text: str) -> None:
    assert all(isinstance(one.started(_words(f"{{{text}")), awk.Started) for one in (awk, sed))


def test_a_string_that_does_not_end_is_no_command() -> None:
    assert awk.started(_words('{system("rm a')).commands == ["rm a"]
    assert awk.started(_words('{print "a\\"b" > "c"}')).files == ["c"]


def test_each_command_in_a_line_of_tmux_is_one() -> None:
    told = _ran(parse("tmux -L w ls \\; kill-server\\; x", PROGRAMS))
    assert told == [["tmux", "-L", "w", "ls"], ["tmux", "kill-server"], ["tmux", "x"]]
    assert _ran(parse("tmux \\; \\;", PROGRAMS)) == [["tmux", ";", ";"]]


def test_a_function_may_write_to_a_file_whenever_it_is_called() -> None:
    told = parse("f() { ls; } > a.txt; f", PROGRAMS).invocations
    assert [r.target.text for i in told for r in i.redirects] == ["a.txt"]


def test_a_command_behind_two_dashes_is_read_also_where_something_stands_before_them() -> None:
    told = Programs(wrappers={"mise": (Wrapper(verb=("exec",), rest=Rest.ARGV),)})
    assert ["rm", "a"] in _ran(parse("mise exec node@20 -- rm a", told))


def test_one_word_with_blanks_is_a_line_for_who_runs_it() -> None:
    told = Programs(wrappers={"lerna": (Wrapper(verb=("exec",), rest=Rest.ARGV),)})
    assert ["rm", "a"] in _ran(parse("lerna exec 'rm a'", told))
