"""Everyday bash, and the corners of it that the grammar alone misreads."""

from __future__ import annotations

import pytest

from tests.risk.parsed import only, runs, script

EVERYDAY = """\
for i do rm a; done
for f; do rm a; done
for i in {1..3}; do rm a; done
for ((;;)); do rm a; done
[[ $x =~ ^[0-9]+$ ]] && rm a
[[ "$a" == *.txt || ( -f x && ! -d y ) ]] && rm a
[[ $a =~ (a|b)c ]] && rm a
[[ $a > $b ]] && rm a
[[ $(ls | wc -l) -gt 3 ]] && rm a
[ $x -gt 1 -a "$y" = b ] && rm a
case "$1" in (a) rm a;; esac
case $x in a) ;; "b c"|[0-9]*) rm a ;; esac
declare -A m=([a]=1 [b]=2); rm a
echo ${x@Q} ${x:1:2} ${x/a/b} ${#arr[@]} ${x^^} "${arr[@]:1}"; rm a
echo ${x##*/} ${x%.*} ${x//\\//_} ${x:?err} ${!x*} "${x:-"y"}"; rm a
((i++)) && rm a
let i++; rm a
x=$(( (1+2)*3 )); rm a
echo $[1+2] $((16#ff)); rm a
foo() if true; then rm a; fi
time (rm a)
time -p { rm a; }
coproc NAME { rm a; }
! (rm a)
while IFS= read -r line; do rm a; done < <(ls)
ls 2> >(tee log >&2); rm a
exec {fd}>file; rm a
ls >&- 2>&-; rm a
ls &>>log; rm a
shopt -s extglob; ls !(a|b) @(c) x+(d); rm a
x=1 > f; rm a
n=$(($1 + 0)) 2>/dev/null && rm a
ls & wait; rm a
ls | awk '{print $1}' | sort; rm a
find . \\( -name a -o -name b \\) -exec rm a \\;
curl -H "Authorization: Bearer $T" "https://x/?a=1&b=2"; rm a
ls *.{js,ts} a{b}c {} [a] a[0] %1 a%b a^b ~u/x; rm a
echo "\\\\"; rm a
echo "it's"; rm a
A="$(printf 'x)')"; rm a
ls | { read x; echo $x; }; rm a
echo a | tee >(cat) >(wc) > /dev/null; rm a
return 0 2>/dev/null || exit 0; rm a
printf '%s\\n' "$@" $? $$ $# $* $- $_ $!; rm a
if ls; then :; fi >/dev/null; rm a
a[1]=x; unset a[1]; a+=(y); rm a
""".splitlines()

LINES = [
    "ls |\n  grep x\nrm a",
    "ls \\\n  | grep x \\\n  | sort\nrm a",
    "ls &&\n  rm a",
    "ls &\nrm a",
    "# it's\nls # it's\nrm a",
    'echo "two\nlines"; rm a',
    "if ls\nthen rm a\nfi",
    "while :\ndo rm a\ndone",
    "f()\n{\n  rm a\n}",
    "case $x in\n  a) rm a\n  ;;\n  *)\n  ls\n  ;;\nesac",
    "cat >f <<EOF\n$x ${y} `ls` $(pwd) \\$z\nEOF\nrm a",
    "cat <<EOF >f; rm a\nx\nEOF",
    "cat <<EOF | grep x | sort > f\nx\nEOF\nrm a",
    'python3 - "$x" <<PY 2>&1 | tail -3\nprint(1)\nPY\nrm a',
    "ls <<EOF1; cat <<EOF2\na\nEOF1\nb\nEOF2\nrm a",
    "if true; then cat <<EOF\nx\nEOF\nfi; rm a",
    "for i in 1; do cat <<EOF > f\nx\nEOF\ndone\nrm a",
    "f() { cat <<EOF\nx\nEOF\n}\nrm a",
    'x=$(cat <<"EOF"\nit\'s ( unbalanced " ` \nEOF\n)\nrm a',
    "echo $(cat <<EOF\nx)\nEOF\n); rm a",
]


@pytest.mark.parametrize("command", EVERYDAY + LINES)
def test_everyday_bash_is_read_to_its_end(command: str) -> None:
    assert "rm a" in runs(command) or "find>rm a" in runs(command)
    assert not script(command).opaque or command.startswith(("x=1 >", "n=$(("))


def test_a_redirection_without_a_command_does_not_swallow_the_next() -> None:
    redirect, remove = script("x=1 > f; rm a").invocations
    assert (redirect.path, remove.redirects) == (None, ())


def test_a_here_document_in_what_cannot_be_read_is_still_text() -> None:
    command = "if ls; cat > f.md <<'EOF'\nrm -rf /\nEOF\n)"
    assert script(command).opaque
    assert not [line for line in runs(command) if line.startswith("rm")]


@pytest.mark.parametrize("command", ["if 'x; rm' a; rm a", 'if "x | rm" a; rm a'])
def test_quotes_are_heeded_in_what_cannot_be_read(command: str) -> None:
    assert "rm a" in runs(command)
    assert "rm" not in [line.split()[0] for line in runs(command) if line != "rm a"]


@pytest.mark.parametrize(
    "command",
    ["for x in a", "f() {", "for x; rm a", "f() { f() { ls; }; rm a; }; f 1", "ls <<EOF <<", "(("],
)
def test_half_a_construct_is_no_fault(command: str) -> None:
    assert script(command).opaque or runs(command)


def test_a_wildcard_in_an_array_is_not_resolved() -> None:
    (word,) = only('a=(*.c); rm "$a"', "rm").words
    assert (word.text, word.literal) == ("*.c", True)


def test_an_assignment_without_a_value_is_empty() -> None:
    assert runs("x=; rm a$x") == ["rm a"]


def test_an_unset_is_a_command_of_its_own() -> None:
    assert runs("unset HOME; export A B=1") == ["unset HOME", "export A B=1"]


def test_a_loop_over_nothing_known_leaves_its_variable_open() -> None:
    assert runs('for x in "$@"; do rm $x; done') == ["rm $x"]
