"""Which rules cover more than their words say; what cannot be told counts as too wide."""

from __future__ import annotations

import pytest

from flightdeck.model.breadth import covers_home, folder_of, is_broad, shell_rule_is_wide

HOME = "/home/dev"


@pytest.mark.parametrize(
    "content",
    [
        "git status",
        "git status:*",
        "git push *",
        "git p*",
        "git diff:*",
        "make:*",
        "npm run test:*",
        "cargo test --lib:*",
        "./gradlew build:*",
        "/usr/bin/make check:*",
        "CI=1 make:*",
        "docker ps:*",
        "docker compose up:*",
        "kubectl get pods:*",
        "uv sync:*",
        "7z l:*",
        "rm *",
        "python3 -c 'print(1)'",  # that command to the letter, nothing beside it
        "bash deploy.sh",
        "ls && make",
    ],
)
def test_rule_that_names_its_command_is_not_wide(content: str) -> None:
    assert not shell_rule_is_wide(content)


@pytest.mark.parametrize(
    "content",
    [
        "*",
        ":*",
        " *",
        "* ",
        "**",
        "git -C * log",
        "git * :*",
        "*.sh",
        "rm \\*.o",
        "git **",
        "ba*",
        "/bin/ba*",
        "A=1 *",
        "A=1 B=2:*",
        "prompt: run the tests",
        "''*",
        "'' x:*",
    ],
)
def test_wildcard_before_the_end_or_in_place_of_the_program_is_wide(content: str) -> None:
    assert shell_rule_is_wide(content)


@pytest.mark.parametrize(
    "content",
    [
        "sh:*",
        "bash:*",
        "bash -c:*",
        "/bin/bash:*",
        "'bash':*",
        "\\bash:*",
        "b'as'h -c:*",
        "ba\\sh:*",
        "C:\\Windows\\cmd.exe /c:*",
        "BASH:*",
        "bash.exe:*",
        "zsh *",
        "sudo git push:*",
        "env make:*",
        "A=1 env:*",
        "xargs rm:*",
        "eval:*",
        "python:*",
        "python3:*",
        "python3.11 -m pytest:*",
        "node20:*",
        "perl -e:*",
        "ruby:*",
        "ssh host:*",
        "find .:*",
        "timeout 5:*",
        "pkexec ls:*",
        "npx eslint:*",
        "Invoke-Expression:*",
    ],
)
def test_prefix_of_a_program_that_runs_any_other_is_wide(content: str) -> None:
    assert shell_rule_is_wide(content)


@pytest.mark.parametrize(
    "content",
    [
        "docker:*",
        "docker run:*",
        "docker exec web:*",
        "docker --host h run:*",
        "docker --debug:*",
        "docker e*",
        "docker compose:*",
        "docker compose run web:*",
        "docker compose -f x:*",
        "podman run --rm:*",
        "kubectl exec pod:*",
        "git:*",
        "git -c core.pager=x:*",
        "git config:*",
        "npm exec:*",
        "pyenv exec:*",
        "uv run pytest:*",
        "go run:*",
    ],
)
def test_prefix_that_leaves_such_a_subcommand_open_is_wide(content: str) -> None:
    assert shell_rule_is_wide(content)


@pytest.mark.parametrize(
    "content", ["ls && *", "ls; *", "ls | *", "echo $(*", "echo `*", "cat <*", "{ ls:*"]
)
def test_prefix_behind_which_another_command_may_begin_is_wide(content: str) -> None:
    assert shell_rule_is_wide(content)


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ("//etc/**", "/etc"),
        ("//etc/hostname", "/etc/hostname"),
        ("//etc/*", "/etc"),
        ("//**", "/"),
        ("//", "/"),
        ("~", HOME),
        ("~/**", HOME),
        ("~/docs/**", "/home/dev/docs"),
        ("/src/**", "/R/app/src"),
        ("/**", "/R/app"),
        ("**", "/R/app"),
        ("src/x.py", "/R/app/src/x.py"),
        ("./src", "/R/app/src"),
    ],
)
def test_file_rule_speaks_of_one_folder(content: str, path: str) -> None:
    assert folder_of(content, "/R/app", HOME) == path


@pytest.mark.parametrize(
    "content",
    ["//a/*/b", "**/x", "//a/[bc]", "//a/?", "!x", "//a/{b,c}", "/../**", "//a/..", "~root/x"],
)
def test_file_rule_that_may_speak_of_several_folders_speaks_of_none(content: str) -> None:
    assert folder_of(content, "/R/app", HOME) is None


@pytest.mark.parametrize("content", ["~/x", "/x", "x"])
def test_file_rule_without_anything_to_start_from_speaks_of_none(content: str) -> None:
    assert folder_of(content, "", "") is None


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/etc", "/home", "/home/dev", "/home/other", "/Users/me", "/private/etc"),
        *("/mnt/c", "/Volumes/disk", "/root"),
    ],
)
def test_whole_disk_top_folder_and_home_are_broad(path: str) -> None:
    assert is_broad(path, HOME)


@pytest.mark.parametrize("path", ["/home/dev/docs", "/var/log", "/private/var/log", "/R/app"])
def test_folder_further_down_is_not_broad(path: str) -> None:
    assert not is_broad(path, HOME)


def test_home_in_an_unusual_place_is_broad_with_all_above_it() -> None:
    assert is_broad("/data/people/me", "/data/people/me")
    assert is_broad("/data/people", "/data/people/me")


def test_home_is_covered_by_itself_and_all_above_it() -> None:
    assert [covers_home(p, HOME) for p in ("/", "/home", HOME, "/home/de", "/home/dev/x")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert not covers_home("/home", "")
