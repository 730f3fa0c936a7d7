"""Text that reaches a shell is a script, whichever way it takes; other text is not."""

from __future__ import annotations

import pytest

from flightdeck.model.shell import Feed
from tests.risk.parsed import names, only, runs, script


@pytest.mark.parametrize(
    "command",
    [
        "sh -c 'rm a'",
        'bash -lc "ls; rm a"',
        "bash -xc 'rm a'",
        "bash -o pipefail -c 'rm a'",
        "bash --norc -c 'rm a'",
        "bash.exe -c 'rm a'",
        "/bin/sh -c 'rm a'",
        "$SHELL -c 'rm a'",
        '"${BASH}" -c "rm a"',
        "bash <<'EOF'\nrm a\nEOF",
        "bash -s <<'EOF'\nrm a\nEOF",
        "bash -s -- -x <<'EOF'\nrm a\nEOF",
        "bash - <<< 'rm a'",
        "bash /dev/stdin <<< 'rm a'",
        "bash -c 'sh' <<'EOF'\nrm a\nEOF",
        "bash -c 'sh' <<< 'rm a'",
        "cat <<'EOF' | sh\nrm a\nEOF",
        "cat <<'EOF' | tee f | sudo sh -\nrm a\nEOF",
        "echo rm a | sh",
        "echo 'rm a' | bash -s",
        "printf 'rm %s\\n' a | sh",
        "{ echo ls; echo rm a; } | sh",
        "source <(echo rm a)",
        ". <(echo rm a)",
        "sh <(printf 'rm a')",
        "sh < <(echo rm a)",
        'sh -c "$(echo rm a)"',
        "eval \"$(printf 'rm %s' a)\"",
        "eval $(echo rm a)",
        "x='rm a'; eval \"$x\"",
        "x='rm a'; sh -c \"$x\"",
        "x='rm a'; echo \"$x\" | sh",
        "x='rm a'; sh <<EOF\n$x\nEOF",
        "echo 'rm a' > f.sh; sh f.sh",
        "cat > f.sh <<'EOF'\nrm a\nEOF\nbash f.sh",
        "cat > f.sh <<'EOF'\nrm a\nEOF\n. f.sh",
        "echo 'rm a' > f; cat f | sh",
        "echo 'rm a' | tee f; sh f",
        "echo ls > f; echo 'rm a' >> f; sh f",
        "echo 'rm a' >> f; sh ./f",
        "echo 'rm a' > ./f; sh f",
        "echo 'rm a' > f; chmod +x f; ./f",
        "cat > x/f <<'EOF'\n#!/usr/bin/env bash\nrm $1\nEOF\nx/f a",
        "cat > f.py <<'EOF'\n#!/usr/bin/env python3\nos.system('rm a')\nEOF\n./f.py",
        "echo 'rm a' > >(sh)",
        "ssh host <<'EOF'\nrm a\nEOF",
        "sudo -i <<'EOF'\nrm a\nEOF",
        "su - <<'EOF'\nrm a\nEOF",
        "make -f <(printf 'x:\\n\\trm a\\n')",
        "make -f - <<'EOF'\nx:\n\t@rm a\nEOF",
        "c=rm; $c a",
        'c=(rm a); "${c[@]}"',
        "${c:-rm} a",
        "$(which rm) a",
        "$(command -v rm) a",
        "for c in ls rm; do $c a; done",
        "{rm,a}",
        "rm${IFS}a",
    ],
)
def test_text_that_a_shell_reads_runs(command: str) -> None:
    assert "rm a" in [line.rpartition(">")[2] for line in runs(command)]


@pytest.mark.parametrize(
    "command",
    [
        "echo cm0gYQ== | base64 -d | sh",
        "echo cm0gYQ | base64 --decode | bash",
        "base64 -d <<< cm0gYQ== | sh",
        "echo 726d2061 | xxd -r -p | sh",
        "echo cm0gYQ== | openssl base64 -d | sh",
        "echo OJWSAYI= | base32 -d | sh",
        "echo 'a mr' | rev | sh",
        "echo 'ez n' | tr A-Za-z N-ZA-Mn-za-m | sh",
        'x=$(echo cm0gYQ== | base64 -d); eval "$x"',
    ],
)
def test_decoded_text_runs(command: str) -> None:
    assert "rm a" in [line.rpartition(">")[2] for line in runs(command)]


def test_a_shell_fed_by_a_decoder_stays_with_its_upstream() -> None:
    one = only("echo cm0gYQ== | base64 -d | sh", "sh")
    assert names(one.upstream) == ["echo", "base64"]


@pytest.mark.parametrize("command", ["echo 'rm a' | sh", "sh -c 'rm a'", "sh <<< 'rm a'"])
def test_a_shell_whose_script_is_plain_is_not_listed(command: str) -> None:
    assert "sh" not in names(script(command).invocations)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("curl x | sh", "sh"),
        ("curl x | base64 -d | sh", "sh"),
        ("sh <(curl x)", "sh"),
        ('sh -c "$(curl x)"', "sh"),
        ('eval "$(curl x)"', "eval"),
        ('c=$(curl x); eval "$c"', "eval"),
        ('curl x | while read l; do eval "$l"; done', "eval"),
        ("curl x | sudo bash -s -- -y", "bash"),
        ("source <(curl x)", "source"),
        ("curl x > >(sh)", "sh"),
        ("curl x | tee >(sh)", "sh"),
    ],
)
def test_a_shell_whose_script_is_unknown_is_listed_with_where_it_comes_from(
    command: str, program: str
) -> None:
    one = only(command, program)
    assert "curl" in names(one.upstream + one.sources)


@pytest.mark.parametrize(
    "command",
    [
        "echo rm a | cat",
        "echo 'rm a' | grep rm",
        "cat <<'EOF' > f\nrm a\nEOF",
        "echo Y2F0 | base64 -d",
        "echo 'rm a' > f; sh g",
        "echo 'rm a' > f; ls > f; sh f",
        "echo 'rm a' > f; f",
        "cat > f <<'EOF'\n#!/usr/bin/awk -f\nrm a\nEOF\n./f",
        "echo '!!' | base64 -d | sh",
        "printf -z 'rm a' | sh",
        "printf | sh",
        "echo cm0gYQ== | base64 | sh",
        "echo OJWSAYI= | base32 | sh",
        "echo cm0gYQ== | openssl enc -d -aes256 | sh",
        "echo cm0gYQ== | openssl enc -a | sh",
        "echo 726d2061 | xxd | sh",
        "curl x | xxd -r -p | sh",
        "echo 'sn b' | tr a-z b-za | sh",
        "echo 'a mr' | rev f | sh",
        "curl x | tr -d a | sh",
        "which rm ls | sh",
        "bash --help -c 'rm a'",
        "sh f <<< 'rm a'",
    ],
)
def test_text_no_shell_reads_does_not_run(command: str) -> None:
    assert "rm" not in names(script(command).invocations)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("python3 - <<'EOF'\nx = 1\nEOF", "x = 1\n"),
        ("crontab - <<< '* * * * * x'", "* * * * * x\n"),
        ("echo '* * * * * x' | crontab -", "* * * * * x\n"),
        ("echo a > f; cat f | y", "a\n"),
    ],
)
def test_what_a_program_reads_is_told_where_it_is_known(command: str, text: str) -> None:
    assert script(command).invocations[-1].text == text


def test_a_here_document_is_text_and_a_file_a_file() -> None:
    assert only("x <<< a", "x").feed is Feed.TEXT
    assert only("x < a", "x").feed is Feed.FILE


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c \"import os; os.system('rm a')\"",
        "python3 -Ic \"import os; os.system('rm a')\"",
        "python3.12 -c \"import os; os.system('rm a')\"",
        "python3 <<'EOF'\nimport subprocess\nsubprocess.run(\"rm a\", shell=True)\nEOF",
        "python3 <<'EOF'\nimport subprocess\nsubprocess.run(['rm', 'a'])\nEOF",
        "echo \"import os; os.popen('rm a')\" | python3",
        "cat > x.py <<'EOF'\nimport os\nos.system(\"rm a\")\nEOF\npython3 x.py",
        'node -e \'require("child_process").execSync("rm a")\'',
        'node --eval=\'require("child_process").spawn("rm", ["a"])\'',
        "node -e 'require(\"child_process\").execSync(`rm a`)'",
        "perl -e 'system(\"rm a\")'",
        'perl -e \'system "rm", "a"\'',
        "ruby -e '`rm a`'",
        "ruby -e '%x(rm a)'",
        "php -r 'shell_exec(\"rm a\");'",
    ],
)
def test_shell_commands_in_other_languages_run(command: str) -> None:
    assert "rm a" in [line.rpartition(">")[2] for line in runs(command)]


@pytest.mark.parametrize(
    "command",
    ["python3 -c \"print('rm a')\"", "python3 -c 'os.system(x)'", "perl -e 'print \"rm a\"'"],
)
def test_strings_of_other_languages_that_start_nothing_do_not_run(command: str) -> None:
    assert "rm" not in names(script(command).invocations)


def test_a_word_of_a_list_is_one_word() -> None:
    (one,) = [
        one
        for one in script("python3 -c \"subprocess.run(['rm', 'a b; c'])\"").invocations
        if one.program == "rm"
    ]
    assert [w.text for w in one.words] == ["a b; c"]
