"""How programs are read, where several are told at once: risk/README.md, "A file"."""

from __future__ import annotations

from tests.risk.tables import compiled, table


def test_what_is_said_of_several_programs_is_said_of_each() -> None:
    found = table("""
    programs:
      docker  run, podman run:
        values: -e --env
      ash, dash:
        aliases: sh
        shell: yes
      git, jj:
        dashed: yes
    """)
    assert found.readings["docker run"] == found.readings["podman run"]
    assert found.readings["podman run"].values == {"-e", "--env"}
    assert found.aliases["sh"] == "ash"
    assert found.programs.shells == {"ash", "dash", "sh"}
    assert found.programs.dashed == {"git", "jj"}


def test_a_subcommand_among_several_programs_has_nothing_of_a_whole_program() -> None:
    (problem,) = compiled("programs:\n  git, git push:\n    dashed: yes\n").problems
    assert problem.message == "dashed is about a program, and 'git push' is a subcommand"
