"""The checkout a folder lies in: on real repositories, worktrees and wrecks of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flightdeck.system import git as git_module
from flightdeck.system.git import GitCache, GitFacts, facts

ZERO_HASH = "0123456789abcdef0123456789abcdef01234567"
GIT_ENV = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(where: Path, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    local = ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]
    return subprocess.run(
        ["git", *who, *local, *words],
        cwd=where,
        env=GIT_ENV,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def a_repository(path: Path, *flags: str) -> Path:
    """Make a repository with one commit on `main`."""
    path.mkdir(parents=True)
    git(path, "init", "-q", *flags)
    git(path, "commit", "-q", "--allow-empty", "-m", "first")
    return path


def a_reftable_repository(path: Path) -> Path:
    """Write what git 2.45 and later put on disk, so that every git can run this test."""
    for name in ("objects", "refs", "reftable"):
        (path / ".git" / name).mkdir(parents=True)
    (path / ".git" / "config").write_text(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n",
        encoding="utf-8",
    )
    (path / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")
    (path / ".git" / "reftable" / "tables.list").write_text("a.ref\n", encoding="utf-8")
    return path


def stand_in_for_git(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """Put a program called `git` first on the path; it notes how it was called in `asked`."""
    folder.mkdir()
    asked = folder / "asked"
    program = folder / "git"
    program.write_text(
        f'#!/bin/sh\n{{ pwd; echo "$*"; env | grep ^GIT_; }} >>"{asked}"\n{script}\n',
        encoding="utf-8",
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return asked


@pytest.fixture(autouse=True)
def no_git_process(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail every test that starts git, but those about reftables."""
    if "reftable" not in request.node.name:

        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("git was started")

        monkeypatch.setattr(git_module, "run", refuse)


@pytest.mark.parametrize("name", ["app", "app with space", "ünï"])
def test_checkout_has_the_name_of_its_folder(name: str, tmp_path: Path) -> None:
    top = a_repository(tmp_path / name)
    assert facts(top) == GitFacts(name, "main", top)


def test_folder_deep_inside_belongs_to_the_checkout_around_it(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    deep = top / "src" / "a b" / "c"
    deep.mkdir(parents=True)
    assert facts(deep) == GitFacts("app", "main", top)


def test_link_into_a_checkout_leads_to_it(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (tmp_path / "link").symlink_to(top)
    assert facts(tmp_path / "link") == GitFacts("app", "main", top)


def test_branch_keeps_its_slashes(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    git(top, "switch", "-q", "-c", "feature/login/2")
    assert facts(top).branch == "feature/login/2"


def test_branch_without_a_commit_is_known(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "app")
    assert facts(tmp_path / "app").branch == "main"


def test_detached_head_is_a_short_hash(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    git(top, "switch", "-q", "--detach")
    assert facts(top).branch == git(top, "rev-parse", "HEAD")[:7]


def test_linked_worktree_has_its_branch_and_the_name_of_its_repository(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    linked = tmp_path / "else where" / "app-feat-7"
    git(top, "worktree", "add", "-q", "-b", "feat-7", str(linked))
    (linked / "src").mkdir()
    assert facts(linked / "src") == GitFacts("app", "feat-7", linked, top)


def test_worktree_inside_the_checkout_is_its_own(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    linked = top / ".worktrees" / "x"
    git(top, "worktree", "add", "-q", "-b", "x", str(linked))
    assert facts(linked) == GitFacts("app", "x", linked, top)


def test_worktree_with_relative_paths_finds_its_repository(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    linked = tmp_path / "feat"
    git(top, "worktree", "add", "-q", "-b", "feat", str(linked))
    (linked / ".git").write_text("gitdir: ../app/.git/worktrees/feat\n", encoding="utf-8")
    assert facts(linked) == GitFacts("app", "feat", linked, top)


def test_checkout_a_worktree_claims_without_being_known_there_is_not_its_main_one(
    tmp_path: Path,
) -> None:
    top = a_repository(tmp_path / "app")
    git(top, "worktree", "add", "-q", "-b", "feat", str(tmp_path / "feat"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".git").write_text(f"gitdir: {top}/.git/worktrees/feat\n", "utf-8")
    assert facts(tmp_path / "other").main is None


@pytest.mark.parametrize(("store", "name"), [("foo.git", "foo"), ("foo", "foo")])
def test_worktree_of_a_bare_repository_has_its_name(store: str, name: str, tmp_path: Path) -> None:
    origin = a_repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "--bare", str(origin), store)
    git(tmp_path / store, "worktree", "add", "-q", "-b", "w", str(tmp_path / "tree"))
    assert facts(tmp_path / "tree") == GitFacts(name, "w", tmp_path / "tree")


def test_bare_repository_is_named_without_its_ending(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "foo.git")
    assert facts(tmp_path / "foo.git" / "hooks") == GitFacts("foo", "main", None)


def test_hidden_bare_repository_is_named_for_the_folder_around_it(tmp_path: Path) -> None:
    origin = a_repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "--bare", str(origin), str(tmp_path / "app" / ".bare"))
    (tmp_path / "app" / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    git(tmp_path / "app", "worktree", "add", "-q", "-b", "w", "w")
    assert facts(tmp_path / "app" / "w").repo == "app"
    assert facts(tmp_path / "app").repo == "app"


def test_submodule_has_the_name_of_its_folder(tmp_path: Path) -> None:
    library = a_repository(tmp_path / "library")
    top = a_repository(tmp_path / "app")
    git(top, "submodule", "--quiet", "add", str(library), "libs/sub")
    assert facts(top / "libs" / "sub") == GitFacts("sub", "main", top / "libs" / "sub")


def test_head_of_a_very_old_repository_is_a_link(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / ".git" / "HEAD").unlink()
    (top / ".git" / "HEAD").symlink_to("refs/heads/unborn")
    assert facts(top).branch == "unborn"


def test_head_that_links_elsewhere_is_read(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / ".git" / "HEAD").rename(top / ".git" / "real")
    (top / ".git" / "HEAD").symlink_to("real")
    assert facts(top).branch == "main"


def test_folder_outside_of_any_checkout_has_its_own_name(tmp_path: Path) -> None:
    assert facts(tmp_path) == GitFacts(tmp_path.name)


def test_root_folder_has_a_name(tmp_path: Path) -> None:
    assert facts(Path("/")) == GitFacts("/")


def test_deleted_folder_keeps_its_name(tmp_path: Path) -> None:
    assert facts(tmp_path / "gone") == GitFacts("gone")


@pytest.mark.parametrize("path", ["", ".", "app", "../app"])
def test_relative_path_is_not_looked_up(path: str) -> None:
    assert facts(Path(path)) == GitFacts(Path(path).name or str(Path(path)))


def test_git_folder_without_a_head_is_passed_by(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / "sub" / ".git").mkdir(parents=True)
    assert facts(top / "sub") == GitFacts("app", "main", top)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"gitdir:", b"gitdir: ./.git", b"gitdir: a\0b", b"\xff" * 9000]
)
def test_broken_git_file_leaves_the_folder_its_name(content: bytes, tmp_path: Path) -> None:
    a_repository(tmp_path / "app")
    (tmp_path / "app" / "sub").mkdir()
    (tmp_path / "app" / "sub" / ".git").write_bytes(content)
    assert facts(tmp_path / "app" / "sub").repo == "sub"
    assert facts(tmp_path / "app" / "sub").branch == ""


def test_worktree_whose_repository_is_gone_still_tells_its_name(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /gone/app/.git/worktrees/x", encoding="utf-8")
    assert facts(tmp_path) == GitFacts("app", "", tmp_path)


@pytest.mark.parametrize(
    ("content", "branch"),
    [
        (b"", ""),
        (b"nonsense", ""),
        (b"ref:", ""),
        (b"ref: refs/heads/a\0b", ""),
        (b"ref: refs/remotes/origin/x", "remotes/origin/x"),
        (ZERO_HASH.encode(), "0123456"),
        (ZERO_HASH.encode() + b"0" * 24, "0123456"),
        (ZERO_HASH[:20].encode(), ""),
        (b"ref: refs/heads/\xff", "?"),
        (b"ref: refs/heads/x\r\n", "x"),
    ],
)
def test_whatever_head_holds_gives_an_answer(content: bytes, branch: str, tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / ".git" / "HEAD").write_bytes(content)
    assert facts(top) == GitFacts("app", branch, top)


def test_head_that_is_a_fifo_does_not_hold_anybody_up(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / ".git" / "HEAD").unlink()
    os.mkfifo(top / ".git" / "HEAD")
    assert facts(top) == GitFacts("app", "", top)


@pytest.mark.parametrize("where", ["gitdir", "link"])
def test_links_that_go_in_a_circle_end(where: str, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    if where == "gitdir":
        (tmp_path / ".git").write_text("gitdir: a/x", encoding="utf-8")
        assert facts(tmp_path) == GitFacts(tmp_path.name, "", tmp_path)
    else:
        assert facts(tmp_path / "a").branch == ""


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 5000])
def test_path_no_file_system_has_is_no_error(name: str, tmp_path: Path) -> None:
    assert facts(tmp_path / name).branch == ""


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take UTF-8 only")
def test_name_in_another_encoding_can_be_written(tmp_path: Path) -> None:
    top = a_repository(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")))
    assert facts(top).repo == "caf?"


def test_reftable_branch_comes_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = a_reftable_repository(tmp_path / "app")
    stand_in_for_git(tmp_path / "bin", monkeypatch, "echo feature/x")
    assert facts(top) == GitFacts("app", "feature/x", top)


def test_reftable_detached_head_is_a_short_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_reftable_repository(tmp_path / "app")
    script = 'case "$*" in *symbolic-ref*) exit 1 ;; *) echo 0123456 ;; esac'
    stand_in_for_git(tmp_path / "bin", monkeypatch, script)
    assert facts(top).branch == "0123456"


def test_reftable_question_is_not_bent_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_reftable_repository(tmp_path / "app")
    asked = stand_in_for_git(tmp_path / "bin", monkeypatch, "echo x")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    facts(top)
    assert asked.read_text(encoding="utf-8").splitlines() == [
        str(top),
        "-c core.fsmonitor=false -c core.hooksPath=/dev/null symbolic-ref --short -q HEAD",
        "GIT_OPTIONAL_LOCKS=0",
    ]


def test_reftable_repository_a_git_cannot_read_has_no_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_reftable_repository(tmp_path / "app")
    stand_in_for_git(tmp_path / "bin", monkeypatch, "echo wrong; exit 128")
    assert facts(top) == GitFacts("app", "", top)


def test_reftable_repository_without_a_git_has_no_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_reftable_repository(tmp_path / "app")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert facts(top) == GitFacts("app", "", top)


def test_reftable_the_installed_git_cannot_read_has_no_branch(tmp_path: Path) -> None:
    top = a_reftable_repository(tmp_path / "app")
    assert facts(top) == GitFacts("app", "", top)


def test_reftable_the_installed_git_makes_is_read(tmp_path: Path) -> None:
    try:
        git(tmp_path, "init", "-q", "--ref-format=reftable", "app")
    except subprocess.CalledProcessError:
        return  # before git 2.45 there are none
    assert facts(tmp_path / "app") == GitFacts("app", "main", tmp_path / "app")


def test_cache_reads_nothing_while_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_repository(tmp_path / "app")
    cache = GitCache()
    first = cache.facts(str(top))
    monkeypatch.setattr(git_module, "_locate", None)
    assert cache.facts(str(top)) is first


def test_cache_sees_a_switch_of_branch(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    cache = GitCache()
    before = cache.facts(str(top)).branch
    git(top, "switch", "-q", "-c", "next")
    assert (before, cache.facts(str(top)).branch) == ("main", "next")


def test_cache_sees_a_repository_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "app" / "src").mkdir(parents=True)
    cache = GitCache()
    seen = [cache.facts(str(tmp_path / "app" / "src")).repo]
    git(tmp_path / "app", "init", "-q")
    seen.append(cache.facts(str(tmp_path / "app" / "src")).repo)
    (tmp_path / "app" / ".git").rename(tmp_path / "app" / "git.away")
    seen.append(cache.facts(str(tmp_path / "app" / "src")).repo)
    assert seen == ["src", "app", "src"]


def test_cache_sees_a_repository_made_anew(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    cache = GitCache()
    before = cache.facts(str(top)).branch
    shutil.rmtree(top / ".git")
    git(top, "init", "-q", "-b", "second")
    assert (before, cache.facts(str(top)).branch) == ("main", "second")


def test_cache_sees_a_broken_git_file_mended(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "app")
    (top / "sub").mkdir()
    (top / "sub" / ".git").write_text("nonsense", encoding="utf-8")
    cache = GitCache()
    before = cache.facts(str(top / "sub")).branch
    (top / "sub" / ".git").write_text("gitdir: ../.git", encoding="utf-8")
    assert (before, cache.facts(str(top / "sub")).branch) == ("", "main")


def test_cache_sees_a_worktree_moved_to_another_repository(tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    cache, seen = GitCache(), []
    for name in ("one", "other"):
        top = a_repository(tmp_path / name)
        git(top, "worktree", "add", "-q", "-b", "w", str(linked))
        seen.append(cache.facts(str(linked)).repo)
        shutil.rmtree(linked)
    assert seen == ["one", "other"]


def test_cache_sees_a_reftable_branch_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = a_reftable_repository(tmp_path / "app")
    (tmp_path / "branch").write_text("one", encoding="utf-8")
    stand_in_for_git(tmp_path / "bin", monkeypatch, f'cat "{tmp_path}/branch"')
    cache = GitCache()
    seen = [cache.facts(str(top)).branch]
    (tmp_path / "branch").write_text("two", encoding="utf-8")
    (top / ".git" / "reftable" / "tables.list").write_text("a.ref\nb.ref\n", encoding="utf-8")
    seen.append(cache.facts(str(top)).branch)
    assert seen == ["one", "two"]


def test_cache_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_module, "_CACHED", 2)
    cache = GitCache()
    for name in ("a", "b", "c"):
        cache.facts(str(tmp_path / name))
    assert len(cache._known) == 1
