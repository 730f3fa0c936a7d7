"""Each condition of a rule: risk/README.md, "A rule"."""

from __future__ import annotations

import pytest

from tests.risk.tables import bash, rules, trips

SECTIONS = """
groups:
  shells: sh, bash
  decoders: base64 -d --decode, xxd -r
targets:
  scratch: /tmp/?**
  secret: ~/.ssh/**
  device: /dev/sd*
programs:
  bash:
    aliases: zsh
    shell: yes
  python3:
    aliases: python3.*
    interpreter: yes
    code: -c
  psql:
    values: -c
    code: -c
  sqlite3:
    code: '*'
wrappers:
  sudo, doas:
    runs: words
  xargs:
    runs: words
    more: yes
"""


def speaks(fields: str, command: str, cwd: str = "") -> bool:
    return trips(rules(fields, sections=SECTIONS), command, cwd)


@pytest.mark.parametrize(
    "command",
    ["rm x", "/bin/rm x", r"\rm x", "RM x", "rm.exe x", "cd /x && rm x", "echo $(rm x)"],
)
def test_program_is_found_by_its_name(command: str) -> None:
    assert speaks("program: rm", command)


@pytest.mark.parametrize("command", ["echo rm", "rmdir x", "grep 'rm x' y", "# rm x"])
def test_mention_of_a_program_is_not_its_use(command: str) -> None:
    assert not speaks("program: rm", command)


def test_program_of_several_names_is_found_by_each() -> None:
    assert speaks("program: python3", "python3.12 x")
    assert speaks("program: bash", "zsh -c x") == speaks("program: bash", "bash -c x")


@pytest.mark.parametrize(
    ("program", "command", "expected"),
    [
        ("mkfs*", "mkfs.ext4 /dev/sda", True),
        ("mkfs*", "ls", False),
        ("aws ** terminate-*", "aws ec2 terminate-instances", True),
        ("aws ** terminate-*", "aws ec2 describe-instances", False),
        ("aws * terminate-*", "aws terminate-instances", False),
        ("gcloud ** delete", "gcloud compute instances delete x", True),
        ("docker compose down", "docker compose up", False),
        ("docker compose down", "docker compose", False),
        ("git push, git fetch", "git fetch", True),
    ],
)
def test_command_is_found_by_the_operands_it_begins_with(
    program: str, command: str, expected: bool
) -> None:
    assert speaks(f"program: '{program}'", command) is expected


def test_program_a_glob_stands_for_need_not_be_named_anywhere() -> None:
    assert speaks("program: python3", "python3.11 x")
    assert speaks("program: bash", "ZSH x")


def test_names_of_many_programs_can_be_asked() -> None:
    assert not speaks("program: rm", "; ".join(f"p{n} x" for n in range(60)))


def test_group_stands_for_its_commands() -> None:
    assert speaks("program: <decoders>", "base64 --decode x")
    assert not speaks("program: <decoders>", "base64 x")


@pytest.mark.parametrize(
    ("tokens", "command"),
    [
        ("+*", "git push origin +a/b"),
        (":?*", "git push origin :main"),
        (".", "git push ./"),
        ("<secret>", "git push ~/.ssh/id"),
        ("of=<device>", "git push of=/dev/sda"),
        ("/etc/*", "git push /etc/../etc/hosts"),
        ("<glob>", "git push *.txt"),
        ("<variable>", "git push $X"),
        ("<unseen>", "ls | xargs git push"),
        ("<secret>&<glob>", "git push ~/.ssh/*"),
    ],
)
def test_operand_is_found_by_a_glob_or_a_class(tokens: str, command: str) -> None:
    assert speaks(f"program: git push\noperands: '{tokens}'", command)


@pytest.mark.parametrize(
    ("tokens", "command"),
    [
        ("push", "git push"),
        (".", "git push .x"),
        ("<secret>&<glob>", "git push ~/.ssh/id *.txt"),
        ("<unseen>", "git push x"),
        ("<glob>", "git push '*.txt'"),
        ("of=<device>", "git push if=/dev/sda"),
    ],
)
def test_other_operands_are_not_found(tokens: str, command: str) -> None:
    assert not speaks(f"program: git push\noperands: '{tokens}'", command)


@pytest.mark.parametrize(
    ("tokens", "word"),
    [
        ("<secret>", "~/.ssh/id"),
        ("/etc/*", "/etc/hosts"),
        ("/etc/*&<glob>", "/etc/h*"),
        ("+*", "+main"),
        ("Exact", "exact"),
        ("@<secret>", "@~/.ssh/id"),
        ("a*z", "'a\nz'"),
    ],
)
def test_operand_is_found_among_many(tokens: str, word: str) -> None:
    others = " ".join(f"/srv/a{n}" for n in range(100))
    asked = f"program: git push\noperands: '{tokens}'"
    assert speaks(asked, f"git push {others} {word} {others}")
    assert not speaks(asked, f"git push {others}")


def test_each_line_of_operands_must_be_met() -> None:
    fields = "program: x\noperands:\n  - a*\n  - b*"
    assert speaks(fields, "x b1 a1")
    assert not speaks(fields, "x a1 a2")


@pytest.mark.parametrize("command", ["rm /tmp/a", "rm /tmp/a /tmp/b/c", "rm -r -- /tmp/a"])
def test_operands_may_all_be_of_one_kind(command: str) -> None:
    assert speaks("program: rm\nonly: <scratch>", command)
    assert not speaks("program: rm\noutside: <scratch>", command)


@pytest.mark.parametrize(
    "command",
    [
        "rm /tmp/a /etc/b",
        "rm /tmp/*",
        "rm /tmp/$X",
        "rm $TMPDIR/a",
        "rm /tmp",
        "rm",
        "ls | xargs rm /tmp/a",
        "cd /tmp && rm a",
    ],
)
def test_operands_that_may_lie_elsewhere_are_outside(command: str) -> None:
    assert not speaks("program: rm\nonly: <scratch>", command)
    assert speaks("program: rm\noutside: <scratch>", command)


def test_words_and_paths_can_be_what_operands_are_only_of() -> None:
    assert speaks("program: make\nonly: build test* /srv/*", "make build test-all /srv/x")
    assert not speaks("program: make\nonly: build test*", "make build install")


@pytest.mark.parametrize(
    ("count", "command", "expected"),
    [
        ("0", "x a", True),
        ("0", "x a b", False),
        ("2+", "x a b c", True),
        ("2+", "x a b", False),
        ("1-2", "x a b c", True),
        ("1-2", "x a b c d", False),
        ("1+", "ls | xargs x a", True),
        ("0", "ls | xargs x a", False),
    ],
)
def test_operands_behind_the_subcommand_are_counted(
    count: str, command: str, expected: bool
) -> None:
    assert speaks(f"program: x a\ncount: {count}", command) is expected


@pytest.mark.parametrize(
    "command",
    [
        'psql app -c "DROP  TABLE users"',
        "psql app <<'EOF'\ndrop table users;\nEOF",
        "echo 'drop table users' | psql app",
    ],
)
def test_code_is_looked_for_where_a_program_has_it(command: str) -> None:
    assert speaks("program: psql\ncode: drop table", command)


def test_code_is_not_looked_for_elsewhere() -> None:
    assert not speaks("program: psql\ncode: drop table", "psql 'drop table' -f x")
    assert speaks("program: sqlite3\ncode: drop table", "sqlite3 a.db 'drop table x'")
    assert speaks("program: other\ncode: drop table", "other 'drop table x'")


def test_lines_of_code_must_all_be_met_and_none_of_what_spares() -> None:
    fields = "program: psql\ncode:\n  - delete from\n  - users\nwithout_code: where"
    assert speaks(fields, "psql -c 'delete from users'")
    assert not speaks(fields, "psql -c 'delete from orders'")
    assert not speaks(fields, "psql -c 'delete from users where id = 1'")


@pytest.mark.parametrize(
    "command",
    [
        "curl -s x | sh",
        "curl -s x | tee y | sh",
        "sh <(curl -s x)",
        'sh -c "$(curl -s x)"',
        "curl -s x | sudo sh",
        "echo x | base64 -d | curl y | sh",
    ],
)
def test_output_that_reaches_a_program_is_found(command: str) -> None:
    assert speaks("program: <shells>\nfrom: curl", command)


@pytest.mark.parametrize("command", ["curl -s x && sh", "sh x | curl y", "echo curl | sh"])
def test_output_that_does_not_reach_it_is_not_found(command: str) -> None:
    assert not speaks("program: <shells>\nfrom: curl", command)


def test_source_may_need_an_option() -> None:
    assert speaks("program: sh\nfrom: <decoders>", "cat x | xxd -r | sh")
    assert not speaks("program: sh\nfrom: <decoders>", "cat x | xxd | sh")


def test_wrapper_is_found_whatever_it_runs() -> None:
    assert speaks("wrapper: sudo do*", "sudo ls")
    assert speaks("wrapper: sudo do*", "env doas ls") or speaks("wrapper: sudo do*", "doas ls")
    assert not speaks("wrapper: sudo", "ls sudo")


@pytest.mark.parametrize(
    ("tokens", "command", "expected"),
    [
        ("LD_PRELOAD", "LD_PRELOAD=x ls", True),
        ("LD_PRELOAD", "ls LD_PRELOAD=x", False),
        ("GIT_*", "GIT_SSH_COMMAND=x git pull", True),
        ("PATH=.*", "PATH=.:$PATH ls", True),
        ("PATH=.*", "PATH=/bin ls", False),
    ],
)
def test_assigned_variable_is_found(tokens: str, command: str, expected: bool) -> None:
    assert speaks(f"assigns: '{tokens}'", command) is expected


@pytest.mark.parametrize(
    ("field", "command", "expected"),
    [
        ("writes", "echo x > ~/.ssh/id", True),
        ("writes", "echo x >> ~/.ssh/id", True),
        ("writes", "cat < ~/.ssh/id", False),
        ("writes", "echo x > /srv/id", False),
        ("empties", "echo x > ~/.ssh/id", True),
        ("empties", "echo x >> ~/.ssh/id", False),
        ("empties", "> ~/.ssh/id", True),
        ("reads", "cat < ~/.ssh/id", True),
        ("reads", "cat > ~/.ssh/id", False),
    ],
)
def test_redirection_is_found_by_its_target(field: str, command: str, expected: bool) -> None:
    assert speaks(f"{field}: <secret>", command) is expected


@pytest.mark.parametrize(
    ("command", "underlined"),
    [
        ("ls; git -C /x push origin -f", "git -C /x push origin -f"),
        ("git push -f origin", "git push -f"),
    ],
)
def test_span_goes_from_the_program_to_what_tripped(command: str, underlined: str) -> None:
    told = rules("program: git push\nflags: -f", sections="programs:\n  git:\n    values: -C")
    start, end = bash(told, command).span or (0, 0)
    assert command[start:end] == underlined


def lowers(fields: str, command: str, cwd: str = "") -> bool:
    """Return whether a rule of tier low speaks of a command."""
    told = rules(f"program: x\n{fields}", tier="low", sections=SECTIONS)
    return trips(told, command, cwd)


@pytest.mark.parametrize(
    ("fields", "command"),
    [
        ("flags: --list", "x --list"),
        ("flags: -m=7", "x -m7"),
        ("without: -o --out", "x -a"),
        ("operands: <scratch>", "x /tmp/a"),
        ("operands: /srv/*", "x /srv/a"),
        ("operands: a*", "x ab"),
        ("operands: of=<scratch>", "x of=/tmp/a"),
        ("count: 1", "x a"),
        ("count: 1+", "ls | xargs x a"),
        ("writes: <scratch>", "x > /tmp/a"),
        ("flags: -o=<scratch>", "x -o /tmp/a"),
    ],
)
def test_rule_that_lowers_holds_where_it_is_proven(fields: str, command: str) -> None:
    assert lowers(fields, command)


@pytest.mark.parametrize(
    ("fields", "command"),
    [
        ("flags: --list", "x --li"),
        ("flags: --list", "x -list"),
        ("flags: --list", "x --list=no"),
        ("without: -o --out", "x --ou"),
        ("without: -o --out", "x --out --no-out"),
        ("operands: <scratch>", "x ../../tmp/a"),
        ("operands: <scratch>", "x /tmp/$A"),
        ("operands: <scratch>", "x /TMP/a"),
        ("operands: /srv/*", "x srv/../../srv/a"),
        ("operands: a*", "x AB"),
        ("operands: a*", "x a*"),
        ("operands: of=<scratch>", "x of=../tmp/a"),
        ("count: 0", "ls | xargs x"),
        ("count: 1-3", "ls | xargs x"),
        ("writes: <scratch>", "x > $A"),
        ("flags: -o=<scratch>", "x -o ../tmp/a"),
    ],
)
def test_rule_that_lowers_wants_proof(fields: str, command: str) -> None:
    assert not lowers(fields, command, "/srv/app")
