"""Words come out as bash makes them: each case is held against bash itself."""

from __future__ import annotations

import subprocess

import pytest

from flightdeck.risk import quoting
from tests.risk.parsed import only, script


def by_bash(words: str, before: str = "") -> list[str]:
    """Return the words bash hands to a program."""
    line = f"{before}\nprintf '%s\\0' {words}"
    command = ["bash", "--norc", "-c", line]
    done = subprocess.run(command, capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"})
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


@pytest.mark.parametrize(
    "words",
    [
        "a b  c",
        "'a b' \"c d\" e\\ f",
        "r''m r\"\"m \\rm r\\m 'r'm \"r\"'m'",
        '"a\\"b\\$c\\\\d\\`e\\nf"',
        "'a\\nb'",
        "$'\\x72\\x6d' $'\\162\\155' $'a\\tb\\n' $'\\u00e9' $'\\'' $'\\\\' $'\\e' $'\\cA' $'\\q'",
        "$'\\U0001F600' $'x\\0y' $'\\x4'",
        "$'a'b\"c\"'d'",
        '$"a b"',
        'a\\\nb "c\\\nd"',
        "{a,b} x{a,b}y {a,b}{c,d} {a,{b,c}} {a,} {,a}",
        "{1..4} {4..1} {a..d} {1..9..3} {01..03} {-1..2} a{1..2}b",
        '{a} {} {a,b {a..} {1..} a{,b \\{a,b} \'{a,b}\' "{a,b}" {a,"b c"}',
        "{'a,b',c} {a,b\\,c} x{a,b}'{c,d}'",
        "a=b -x=y --z='q r'",
        "a#b 'c'#d",
        "\"\" '' a",
        "~+x a~ a:b",
        "'é' é \"ü x\"",
        "\"tab\tin\" 'new\nline'",
        "[a] 'b*' \"c?\"",
    ],
)
def test_quotes_escapes_and_braces_are_those_of_bash(words: str) -> None:
    assert [w.text for w in only(f"prog {words}", "prog").words] == by_bash(words)


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("c=rm", '$c ${c} "$c" "${c}x" x$c'),
        ("c='rm -rf x'", '$c "$c" a$c.b'),
        ("a=(x 'y z')", '"${a[@]}" ${a[@]} "${a[*]}" ${a[0]} "${a[1]}" $a'),
        ("a=(x); a+=(y)", '"${a[@]}"'),
        ("a=x; a+=y", "$a"),
        ("a[0]=x; a[1]=y", '"${a[@]}"'),
        ("c=", 'a$c "$c" $c'),
        ("c=' a '", "x$c.$c"),
        ("", "rm${IFS}-rf${IFS}x"),
        ("", "$(echo a b) \"$(echo a b)\" x$(printf '%s-' 1 2)y"),
        ("", "`echo a` $(printf 'a\\nb\\n') \"$(printf 'a\\n\\n')\""),
        ("", "$(echo -n a) $(echo -e 'a\\tb') $(echo -ne '\\x41') $(printf %d%% 5)"),
        ("", "$(printf '%s %s\\n' a b c) $(printf '%b' 'x\\ty') $(printf -- '-a')"),
        ("", "$(echo YSBi | base64 -d) $(echo 6162 | xxd -r -p) $(echo ab | rev)"),
        ("", "$(echo nop | tr A-Za-z N-ZA-Mn-za-m) $(echo a.b | tr -d .)"),
        ("", "$(cat <<EOF\na b\nEOF\n) \"$(cat <<'EOF'\n$x `y`\nEOF\n)\""),
        ("x=1", '"$(cat <<EOF\nv $x\nEOF\n)"'),
        ("printf -v c '%s' rm", "$c"),
        ("read c d <<< 'rm -rf x'", '$c "$d"'),
        ("f() { c=rm; }; f", "$c"),
    ],
)
def test_what_the_line_itself_sets_or_writes_is_known(before: str, words: str) -> None:
    line = f"{before}; prog {words}" if before else f"prog {words}"
    assert [w.text for w in only(line, "prog").words] == by_bash(words, before)


@pytest.mark.parametrize("word", ["$x", '"$x"', "a${x}b", "$(curl y)", "$1", "${x%a}", "${!x}"])
def test_a_word_that_cannot_be_known_stays_as_written(word: str) -> None:
    (read,) = only(f"prog {word}", "prog").words
    assert read.text == word.replace('"', "")
    assert not read.literal


@pytest.mark.parametrize(
    ("word", "glob", "quoted"),
    [
        ("a*", True, False),
        ("a?b", True, False),
        ("[ab]", True, False),
        ("'a*'", False, True),
        ('"a*"', False, True),
        ("a\\*", False, True),
        ('"a"*', True, True),
        ("a", False, False),
        ('"a"', False, True),
    ],
)
def test_a_word_tells_wildcards_and_quotes(word: str, glob: bool, quoted: bool) -> None:
    (read,) = only(f"prog {word}", "prog").words
    assert (read.glob, read.quoted) == (glob, quoted)


@pytest.mark.parametrize("path", ["/bin/rm", "\\rm", "'rm'", "../x/rm", "rm.exe", "C:/x/RM.EXE"])
def test_a_program_is_known_by_its_base_name(path: str) -> None:
    assert script(f"{path} a").invocations[0].program.lower() == "rm"


@pytest.mark.parametrize("path", ["$x", "$(curl y)", "/bin/r?", "r*"])
def test_a_program_that_cannot_be_known_has_no_name(path: str) -> None:
    assert script(f"{path} a").invocations[-1].program == ""


def test_a_brace_expansion_is_bounded() -> None:
    assert len(quoting.braces("{a,b}" * 10)) <= quoting.MOST_WORDS


def test_a_code_beyond_unicode_stays_as_written() -> None:
    assert quoting.ansi_c("\\UFFFFFFFF") == "\\UFFFFFFFF"
