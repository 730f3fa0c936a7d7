"""Risk files: what they say, and every fault of one: risk/README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.config.risk import read_risk
from flightdeck.model.risk import Command, Reading, Rule, Table, Tier
from flightdeck.model.shell import Code, Programs, Rest, Wrapper
from tests.risk.tables import compiled, rule, table

if TYPE_CHECKING:
    from pathlib import Path

PUSH = rule("program: git push", name="push")


def told(text: str, base: Table | None = None) -> list[str]:
    """Return what is wrong with a file, each with its place."""
    problems = sorted(compiled(text, base).problems)
    return [f"{p.location.line}:{p.location.column} {p.message}" for p in problems]


def wrong(fields: str, tier: str = "high") -> list[str]:
    """Return what is wrong with one rule, without its place."""
    text = f"targets:\n  mine: /a\nrules:\n{rule(fields, tier=tier)}"
    return [problem.split(" ", 1)[1] for problem in told(text)]


@pytest.mark.parametrize("text", ["", "# later\n"])
def test_empty_file_adds_nothing(text: str) -> None:
    base = table(f"rules:\n{PUSH}")
    assert compiled(text, base).table == base
    assert compiled(text, base).problems == ()


def test_rule_has_every_field_it_is_given() -> None:
    fields = """
    tool: Bash PowerShell
    program: git push, aws ** delete-*, <feeders>
    flags:
      - -f --force
      - -m=777
    before: -c=x
    without: -n
    operands:
      - "'a b' <mine> of=<mine>"
      - <glob>&<mine>
    only: <mine>
    outside: /x
    count: 1-2
    code:
      - drop table, "a, b"
    without_code: where
    from: <feeders>, cat
    wrapper: sudo <feeders>
    assigns: X Y=*
    writes: <mine>
    empties: <mine>
    reads: <mine>
    bomb: yes
    """.replace("\"'a b'", '\'"a b"').replace('of=<mine>"', "of=<mine>'")
    sections = "targets:\n  mine: /a\ngroups:\n  feeders: curl, base64 -d"
    found = table(f"{sections}\nrules:\n{rule(fields, name='all')}", local=True).rules[0]
    feeders = (Command(("curl",)), Command(("base64",), ("-d",)))
    assert found == Rule(
        name="all",
        tier=Tier.HIGH,
        why="because",
        local=True,
        tools=("Bash", "PowerShell"),
        programs=(Command(("git", "push")), Command(("aws", "**", "delete-*")), *feeders),
        flags=(("-f", "--force"), ("-m=777",)),
        before=(("-c=x",),),
        without=("-n",),
        operands=(("a b", "<mine>", "of=<mine>"), ("<glob>&<mine>",)),
        only=("<mine>",),
        outside=("/x",),
        least=1,
        most=2,
        code=(("drop table", "a, b"),),
        without_code=("where",),
        sources=(*feeders, Command(("cat",))),
        wrapper=("sudo", "curl", "base64"),
        assigns=("X", "Y=*"),
        writes=("<mine>",),
        empties=("<mine>",),
        reads=("<mine>",),
        bomb=True,
    )


def test_rule_about_a_tool_has_every_field_it_is_given() -> None:
    fields = """
    tool: "mcp__*"
    code: drop table
    fields: sql query
    name: drop delete
    path: <mine>
    input:
      url: http://*
      to: <mine>
    """
    found = table(f"targets:\n  mine: /a\nrules:\n{rule(fields, name='all')}").rules[0]
    assert found == Rule(
        name="all",
        tier=Tier.HIGH,
        why="because",
        tools=("mcp__*",),
        code=(("drop table",),),
        fields=("sql", "query"),
        names=("drop", "delete"),
        path=("<mine>",),
        input=(("url", ("http://*",)), ("to", ("<mine>",))),
    )


@pytest.mark.parametrize(("count", "expected"), [("2", (2, 2)), ("2+", (2, None)), ("1-3", (1, 3))])
def test_count_is_a_number_or_a_range(count: str, expected: tuple[int, int | None]) -> None:
    found = table(f"rules:\n{rule(f'program: x{chr(10)}count: {count}')}").rules[0]
    assert (found.least, found.most) == expected


def test_classes_and_groups_may_name_those_before_them() -> None:
    found = table(
        """
        targets:
          a: /a /b
          b: <a> /c
        groups:
          x: curl
          y: <x>, wget
        """
    )
    assert found.targets == {"a": ("/a", "/b"), "b": ("/a", "/b", "/c")}
    assert found.groups["y"] == (Command(("curl",)), Command(("wget",)))


def test_classes_and_groups_of_a_file_grow_those_there_are() -> None:
    base = table("targets:\n  a: /a\ngroups:\n  x: curl")
    found = table("targets:\n  a: /b\n  b: <a>\ngroups:\n  x: wget", base)
    assert found.targets == {"a": ("/a", "/b"), "b": ("/a", "/b")}
    assert found.groups == {"x": (Command(("curl",)), Command(("wget",)))}


def test_program_is_read_as_it_says() -> None:
    found = table(
        """
        programs:
          git:
            values: -C -c
            options: --no-pager
            before: yes
            dashed: yes
          git push:
            values: -o
          python3:
            aliases: python python3.*
            interpreter: yes
            code: -c
          bash:
            aliases: sh
            shell: yes
          sqlite3:
            code: -cmd *
        """
    )
    assert found.readings["git"] == Reading(
        frozenset({"-C", "-c"}), frozenset({"--no-pager"}), before=True
    )
    assert found.readings["git push"].values == {"-o"}
    assert found.readings["sqlite3"].code == {"-cmd", "*"}
    assert found.aliases == {"python": "python3", "python3.*": "python3", "sh": "bash"}
    assert found.programs == Programs(
        shells=frozenset({"bash", "sh"}),
        interpreters={"python3": frozenset({"-c"}), "python": frozenset({"-c"})},
        dashed=frozenset({"git"}),
    )


def test_wrapper_is_read_as_it_says() -> None:
    found = table(
        """
        wrappers:
          sudo, doas:
            runs: words
            values: -u
            assigns: yes
          docker exec, docker run:
            runs: words
            operands: 1
          tar:
            stays: yes
            code:
              --to-command: ''
              --checkpoint-action: exec=
          find:
            embeds: -exec -ok
            drops: ':::'
            inert: -v
            more: yes
          watch:
            runs: text
        """
    ).programs.wrappers
    sudo = Wrapper(values=frozenset({"-u"}), assigns=True, rest=Rest.ARGV)
    assert found["sudo"] == found["doas"] == (sudo,)
    assert [one.verb for one in found["docker"]] == [("exec",), ("run",)]
    assert found["docker"][0].operands == 1
    assert found["tar"][0].code == (Code("--to-command"), Code("--checkpoint-action", "exec="))
    assert found["find"] == (
        Wrapper(
            embeds=frozenset({"-exec", "-ok"}),
            drops=frozenset({":::"}),
            inert=frozenset({"-v"}),
            more=True,
        ),
    )
    assert found["watch"][0].rest is Rest.STRING


def test_program_of_a_later_file_grows_and_its_wrapper_is_asked_first() -> None:
    base = table("programs:\n  git:\n    values: -C\nwrappers:\n  x:\n    operands: 1")
    found = table(
        "programs:\n  git:\n    values: -c\n    before: yes\nwrappers:\n  x:\n    operands: 2", base
    )
    assert found.readings["git"] == Reading(frozenset({"-C", "-c"}), before=True)
    assert [one.operands for one in found.programs.wrappers["x"]] == [2, 1]


def test_rule_of_the_user_comes_first_and_a_shipped_one_behind_those_before_it() -> None:
    base = table(f"rules:\n{PUSH}{rule('program: a', name='a')}")
    more = f"rules:\n{rule('program: b', name='b')}{rule('program: c', name='a')}"
    assert [r.name for r in table(more, base, local=True).rules] == ["b", "a", "push"]
    assert [r.name for r in table(more, base).rules] == ["push", "b", "a"]


def test_rule_of_a_later_file_replaces_one_of_its_name() -> None:
    base = table(f"rules:\n{PUSH}")
    found = table(f"rules:\n{rule('program: c', name='push')}", base)
    assert [r.programs for r in found.rules] == [(Command(("c",)),)]


def test_examples_are_calls_with_what_they_are_to_show() -> None:
    text = """
    rules:
      a:
        tier: low
        why: because
        tool: Write
        matches:
          - tool: Write
            input:
              file_path: /a
        spares:
          - ls -la
          - |
            cat <<X
            y
            X
    """
    first, *rest = compiled(text).examples
    assert (first.rule, first.tier, first.tool, first.input, first.wanted) == (
        "a",
        Tier.LOW,
        "Write",
        {"file_path": "/a"},
        True,
    )
    assert [(e.tool, e.input["command"], e.wanted) for e in rest] == [
        ("Bash", "ls -la", False),
        ("Bash", "cat <<X\ny\nX", False),
    ]


def test_file_with_a_problem_adds_nothing() -> None:
    base = table(f"rules:\n{PUSH}")
    file = compiled(f"rules:\n{rule('program: x', name='x')}{rule('flags: f', name='y')}", base)
    assert file.table == base
    assert file.examples == ()
    assert len(file.problems) == 1


def test_every_problem_of_a_file_is_told() -> None:
    text = """\
    targets:
      BAD: /a
      b: <none>
      c: /c
      c: /d
    groups:
      x: -f
      y: curl,
    programs:
      git push:
        dashed: yes
      git:
        values: C
        code: -c x
      git:
        values: -C
      ",":
        values: -C
    wrappers:
      env:
        runs: wods
        operands: 10
        code:
          -S: "("
    rules:
      Bad:
        tier: hih
        wy: x
        program: <none>
        matches:
          - x
      a:
        tier: low
        why: because
        matches:
          - x
        spares: x
      a:
        tier: high
    more: x
    """
    assert told(text) == [
        "2:3 'BAD' is no name",
        "3:6 no class of paths is called 'none'",
        "5:3 'c' is written twice",
        "7:6 '-f' has no program",
        "8:6 a comma with nothing beside it",
        "11:5 dashed is about a program, and 'git push' is a subcommand",
        "13:13 'C' is no option",
        "14:11 'x' is no option",
        "15:3 'git' is written twice",
        "17:3 ',' names no program",
        "21:11 'wods' is not how a command is written",
        "22:15 '10' is no number of operands",
        "24:11 '(' is no regular expression: missing ), unterminated subpattern at position 0",
        "26:3 'Bad' has no 'spares'",
        "26:3 'Bad' has no 'why'",
        "26:3 'Bad' is no name",
        "27:11 'hih' is no tier",
        "28:5 unknown key 'wy'",
        "29:14 no group of commands is called 'none'",
        "32:3 'a' asks for nothing",
        "37:13 spares of 'a' is not a list",
        "38:3 rule 'a' is written twice",
        "40:1 unknown key 'more'",
    ]


def test_file_that_is_no_mapping_is_told() -> None:
    assert told("- a\n") == ["1:1 a file that is no mapping"]
    assert told("rules:\n  - a\n") == ["2:3 'rules' is not a mapping"]
    assert told("rules:\n  a: b\n") == ["2:6 'a' is not a mapping"]


def test_fault_of_the_yaml_itself_is_told() -> None:
    assert told("--- \n...\n---\n...\n") == ["3:1 a second document"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("flags: -m=<none>", "no class of paths is called 'none'"),
        ("program: x\noperands: <nope>", "no class of paths is called 'nope'"),
        ("writes: <glob>", "no class of paths is called 'glob'"),
        ("writes: '*a*a*a*a*a*a*'", "glob '*a*a*a*a*a*a*' has more than 6 stars"),
        ("program: x\ncount: some", "'some' is no count"),
        ("wrapper: <none>", "no group of commands is called 'none'"),
        ("bomb: maybe", "'maybe' is neither yes nor no"),
        ("program: x\ncode: ab", "phrase 'ab' is too short"),
        ("program: x\ncode: abc … d", "phrase 'abc … d' is too short"),
        ("tool: T\nname: Drop", "'Drop' is no word of a name"),
        ("tool: T\ninput:\n  a: <none>", "no class of paths is called 'none'"),
        ("tool: T\ninput: x", "input of 'it' is not a mapping"),
        (
            "tool: Write\nprogram: x",
            "program of 'it' is about commands, and tool 'Write' runs none",
        ),
        ("path: <mine>", "path of 'it' is about tools that run no command"),
        ("tool: Bash", "'it' asks for nothing"),
        ("tool: Bash\nfields: sql", "fields of 'it' is about tools that run no command"),
    ],
)
def test_fault_of_a_rule_is_told(fields: str, message: str) -> None:
    assert message in wrong(fields)


def test_low_rule_must_say_what_it_makes_low() -> None:
    message = "'it' makes commands low without saying which"
    assert wrong("flags: --help", tier="low") == [message]
    assert wrong("program: x\nflags: --help", tier="low") == []
    assert wrong("writes: <mine>", tier="low") == []
    assert wrong("tool: Read", tier="low") == []


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("''", "an example that is no command"),
        ("- x", "an example that is no command"),
        ("tool: T", "'matches' has no 'input'"),
        ("input: x", "'matches' has no 'tool'"),
        ("input: x", "input of 'matches' is not a mapping"),
        ("tool: T\ninput:\n  a:\n    - x", "'a' is not text"),
    ],
)
def test_fault_of_an_example_is_told(example: str, message: str) -> None:
    lines = example.replace("\n", "\n          ")
    text = f"""\
    rules:
      a:
        tier: high
        why: because
        program: x
        matches:
        - {lines}
        spares:
        - y
    """
    assert message in [problem.split(" ", 1)[1] for problem in told(text)]


def test_files_are_read_one_over_the_other(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml"))
    one.write_text("targets:\n  mine: /a\n", encoding="utf-8")
    two.write_text("{", encoding="utf-8")
    three.write_text(f"rules:\n{rule('writes: <mine>')}", encoding="utf-8")
    read = read_risk([one, two, three], Table(), local=True)
    assert [bool(file.problems) for file in read] == [False, True, False]
    assert read[1].table == read[0].table
    assert [r.local for r in read[2].table.rules] == [True]


def test_trusted_file_is_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"rules:\n{PUSH}", encoding="utf-8")
    checked = read_risk([path], Table(), local=False)[0]
    assert read_risk([path], Table(), local=False, trusted=True)[0] == checked


def test_long_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("".join(f"k{n}: x\n" for n in range(10_001)), encoding="utf-8")
    problems = read_risk([path], Table(), local=False)[0].problems
    assert [p.message for p in problems] == ["more than 20000 keys and values"]
