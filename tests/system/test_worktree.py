"""The inspection against gits that lie, hang or fail, and disks that will not be read.

What is proven and refuted on real repositories is in tests/panel/test_teardown_matrix.py.
"""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.teardown import Check, Inspection, Verdict
from flightdeck.system import worktree, worktree_content, worktree_disk, worktree_git
from flightdeck.system.process import start_of
from flightdeck.system.worktree import Look, inspect, remove, tip
from flightdeck.system.worktree_root import Root, find
from tests.fold.world import until
from tests.system.repositories import Place, a_place, everything, stand_in

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = {Check.AGENT, Check.SESSIONS, Check.PROCESSES}
PASSED = {Verdict.PROVEN}
# What a look leaves open that finds nothing against the worktree.
NOTHING = dict.fromkeys(sorted(OTHERS, key=list(Check).index), Verdict.UNKNOWN)
ASKED = [
    "version",
    "rev-parse",
    "symbolic-ref",
    "for-each-ref",
    "remote",
    "rev-list",
    "status",
    "ls-tree",
    "ls-files",
    "cat-file",
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = a_place(tmp_path / "x")
    place.settle(monkeypatch)
    return place


def against(look: Look) -> dict[Check, Verdict]:
    """Return every check that is not proven, but those the inspection is not asked."""
    every = Inspection(look.findings).complete
    return {finding.check: finding.verdict for finding in every if finding.verdict not in PASSED}


def sentence(look: Look, check: Check) -> str:
    return next(f.sentence for f in Inspection(look.findings).complete if f.check is check)


def when(subcommand: str, then: str) -> str:
    """Return a script for `stand_in` that answers one subcommand by itself."""
    return f'case "$all" in *"=false {subcommand}"*|*"=0 {subcommand}"*) {then} ;; esac'


def test_clean_worktree_is_proven_and_nothing_in_it_is_touched(place: Place) -> None:
    before = everything(place.root)
    look = inspect(str(place.worktree))
    assert against(look) == NOTHING
    assert (look.branch, look.notes) == ("feat", ())
    assert look.root is not None
    assert look.root.main == str(place.main)
    assert everything(place.root) == before


def test_stashes_are_mentioned(place: Place) -> None:
    place.sh("echo w >>a.txt; git stash -q")
    assert inspect(str(place.worktree)).notes == ("the repository keeps 1 stash",)
    place.sh("echo v >>a.txt; git stash -q")
    assert inspect(str(place.worktree)).notes == ("the repository keeps 2 stashes",)


def test_every_check_is_made_whatever_the_others_say(place: Place) -> None:
    place.sh("echo S=1 >.env; echo n >new; git commit -q --allow-empty -m mine")
    assert against(inspect(str(place.worktree))) == NOTHING | dict.fromkeys(
        (Check.IGNORED, Check.STATUS, Check.AHEAD), Verdict.REFUTED
    )


def test_git_is_asked_for_nothing_that_changes_anything(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.sh("git commit -q --allow-empty -m q; echo n >n")
    asked = stand_in(place, monkeypatch, "")
    inspect(str(place.worktree))
    lines = [line for line in asked.read_text(encoding="utf-8").splitlines() if "-c " in line]
    words = {line.split("maintenance.auto=false ")[1].split()[0] for line in lines}
    assert words == {*ASKED, "show"}


def test_git_runs_without_hooks_monitors_locks_and_network(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.sh('git config core.fsmonitor "touch $X/monitored; false"')
    stand_in(place, monkeypatch, f'env | grep ^GIT_ | sort >"{place.root}/environment"')
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    inspect(str(place.worktree))
    told = (place.root / "environment").read_text(encoding="utf-8").splitlines()
    assert [line for line in told if not line.startswith("GIT_CONFIG_")] == [
        "GIT_ALLOW_PROTOCOL=none",
        "GIT_GRAFT_FILE=/dev/null",
        "GIT_NO_LAZY_FETCH=1",
        "GIT_NO_REPLACE_OBJECTS=1",
        "GIT_OPTIONAL_LOCKS=0",
        "GIT_PAGER=cat",
        "GIT_TERMINAL_PROMPT=0",
    ]
    assert not (place.root / "monitored").exists()


@pytest.mark.parametrize("subcommand", ASKED)
@pytest.mark.parametrize("answer", ["exit 0", "exit 128", "kill -9 $$"])
def test_git_without_an_answer_proves_nothing(
    subcommand: str, answer: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(place, monkeypatch, when(subcommand, answer))
    # Only of a status nothing is the answer of a clean worktree; the lies are below.
    clean = (subcommand, answer) == ("status", "exit 0")
    assert (against(inspect(str(place.worktree))) == NOTHING) is clean


@pytest.mark.parametrize("subcommand", [name for name in ASKED if name != "remote"])
@pytest.mark.parametrize("answer", [r"rubbish", r"? \0", r"1 2 3\0", r"\377\0y"])
def test_git_with_an_odd_answer_proves_nothing(
    subcommand: str, answer: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(place, monkeypatch, when(subcommand, f"printf '{answer}'; exit 0"))
    assert against(inspect(str(place.worktree))) != NOTHING


@pytest.mark.parametrize(
    ("script", "check"),
    [
        ("echo S=1 >.env", Check.FILES),
        ("echo n >new", Check.FILES),
        ("echo x >>a.txt", Check.CONTENT),
        ("chmod +x a.txt", Check.CONTENT),
        ("ln -sf run.sh link", Check.CONTENT),
        ("rm a.txt; ln -s run.sh a.txt", Check.CONTENT),
        ("git init -q dep", Check.NESTED),
        ("echo x >n; git add n; rm n", Check.STATUS),
        ("cp a.txt b; echo x >>a.txt; git add a.txt; mv b a.txt", Check.STATUS),
        ("git update-index --add --cacheinfo 100644,$(git rev-parse :a.txt),n", Check.STATUS),
    ],
)
def test_status_that_lies_is_found_out(
    script: str, check: Check, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.sh(script)
    stand_in(place, monkeypatch, when("status", "exit 0"))
    assert against(inspect(str(place.worktree))) == NOTHING | {check: Verdict.REFUTED}


def test_edit_of_the_same_size_and_time_is_found(place: Place) -> None:
    stamp = "touch -d 2001-01-01 a.txt"
    place.sh(f"{stamp}; git update-index --refresh; printf 'z\\n' >a.txt; {stamp}")
    assert against(inspect(str(place.worktree)))[Check.CONTENT] is Verdict.REFUTED


def test_git_that_answers_for_another_checkout_is_not_believed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(place, monkeypatch, f'cd "{place.main}"')
    look = inspect(str(place.worktree))
    assert against(look)[Check.WORKTREE] is Verdict.REFUTED
    assert sentence(look, Check.WORKTREE) == f"git answers for another checkout: {place.main}"
    assert look.root is None


def test_checkout_of_somebody_else_is_refused_in_gits_words(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(place, monkeypatch, "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
    look = inspect(str(place.worktree))
    assert against(look)[Check.WORKTREE] is Verdict.UNKNOWN
    assert "dubious ownership" in sentence(look, Check.WORKTREE)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("git version 2.30.9", "git version 2.30.9 is too old, 2.31 is needed"),
        ("git version 1.99.0 (Apple Git-1)", "git version 1.99.0 (Apple Git-1) is too old"),
        ("hub version 3", "git does not say which version it is"),
    ],
)
def test_git_too_old_or_unheard_of_is_refused(
    version: str, words: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(place, monkeypatch, when("version", f"echo '{version}'; exit 0"))
    assert sentence(inspect(str(place.worktree)), Check.GIT).startswith(words)


def test_absent_git_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place.root))
    look = inspect(str(place.worktree))
    assert sentence(look, Check.GIT).startswith("cannot run 'git'")


@pytest.mark.parametrize("subcommand", ["version", "status", "cat-file"])
def test_git_that_hangs_is_refused_and_ended_with_all_it_started(
    subcommand: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang = f'sleep 600 & echo $! >"{place.root}/pid"; wait'
    stand_in(place, monkeypatch, when(subcommand, hang))
    monkeypatch.setattr(worktree_git, "CALL_S", 0.5)
    look = inspect(str(place.worktree))
    unknown = [f for f in look.findings if f.verdict is Verdict.UNKNOWN]
    assert unknown[0].words == f"'git' gave no answer in 0.5 s (git {subcommand})"
    pid = int((place.root / "pid").read_text(encoding="utf-8"))
    until(lambda: start_of(pid) is None, "the end of what git had started")


def test_question_that_got_no_answer_is_asked_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = stand_in(place, monkeypatch, when("ls-tree", "exit 1"))
    inspect(str(place.worktree))
    assert asked.read_text(encoding="utf-8").count(" ls-tree ") == 1


def test_inspection_ends_when_its_time_is_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worktree, "INSPECTION_S", 0.0)
    assert sentence(inspect(str(place.worktree)), Check.GIT) == "the inspection took too long"


def test_answer_without_end_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(place, monkeypatch, when("status", "exec yes"))
    monkeypatch.setattr(worktree_git, "LIMIT", 100_000)
    assert "said more than 100000 bytes" in sentence(inspect(str(place.worktree)), Check.STATUS)


def test_remote_that_lives_on_the_network_is_not_asked(place: Place) -> None:
    place.sh("git remote set-url origin ssh://nowhere.invalid/o.git")
    assert against(inspect(str(place.worktree))) == NOTHING


@pytest.mark.parametrize("url", ["$X/main", "file://$X/main/.git", "../main", ".", "$X/wt"])
def test_remote_that_is_this_repository_is_no_remote(url: str, place: Place) -> None:
    place.sh(f"git remote set-url origin {url}")
    look = inspect(str(place.worktree))
    assert sentence(look, Check.UPSTREAM) == "the remote 'origin' is this very repository"


def test_many_files_are_counted(place: Place) -> None:
    place.sh("mkdir n; for i in $(seq 30); do echo >n/$i; done")
    finding = next(f for f in inspect(str(place.worktree)).findings if f.check is Check.STATUS)
    assert (len(finding.items), finding.more) == (20, 10)


def test_socket_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.worktree)  # the address of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.sock")
        monkeypatch.chdir("/")
        look = inspect(str(place.worktree))
    assert against(look) == NOTHING | {Check.FILES: Verdict.REFUTED}


def test_folder_bound_into_it_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point = str(place.worktree / "my src").replace(" ", r"\040")
    lines = f"23 28 0:21 / /proc rw - proc proc rw\n24 28 0:22 / {point} rw - ext4 /dev/x rw\nodd\n"
    (tmp_path / "mountinfo").write_text(lines, encoding="utf-8")
    monkeypatch.setattr(worktree_disk, "_MOUNTS", tmp_path / "mountinfo")
    look = inspect(str(place.worktree))
    assert sentence(look, Check.FILES) == "another file system is mounted inside: my src"


def test_mounts_need_not_be_listed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worktree_disk, "_MOUNTS", place.root / "none")
    assert against(inspect(str(place.worktree))) == NOTHING


def test_folder_on_another_device_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.lstat

    def elsewhere(path: str | bytes) -> os.stat_result:
        info = list(real(path))
        info[2] += 1 if path == os.fsencode(place.worktree) else 0
        return os.stat_result(info)

    monkeypatch.setattr(os, "lstat", elsewhere)
    assert sentence(inspect(str(place.worktree)), Check.FILES).startswith("another file system")


def test_folder_that_cannot_be_listed_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def refuse(path: str | bytes) -> object:
        if os.fsencode(path).endswith(b"/src/"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    look = inspect(str(place.worktree))
    assert against(look)[Check.FILES] is Verdict.UNKNOWN
    assert "src/ cannot be read: Permission denied" in sentence(look, Check.FILES)


def test_file_that_cannot_be_read_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse(path: str | bytes, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith("b.txt'"):
            raise PermissionError(13, "Permission denied", path)
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    look = inspect(str(place.worktree))
    assert sentence(look, Check.CONTENT) == "src/b.txt cannot be read: Permission denied"


def test_converted_file_too_large_to_compare_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.sh(
        "echo '*.txt text eol=crlf' >.gitattributes; git add -A; git commit -qm e; git push -q;"
        " rm a.txt; git checkout -q a.txt"
    )
    monkeypatch.setattr(worktree_content, "LIMIT", 1)
    look = inspect(str(place.worktree))
    assert sentence(look, Check.CONTENT) == "a.txt is too large to be converted and compared"


def test_too_many_files_are_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worktree_disk, "_MOST_FILES", 2)
    assert "too much" in sentence(inspect(str(place.worktree)), Check.FILES)


@pytest.mark.parametrize(
    ("name", "check"),
    [("HEAD", Check.WORKTREE), ("index", Check.STATUS), ("commondir", Check.WORKTREE)],
)
def test_broken_git_folder_is_refused(name: str, check: Check, place: Place) -> None:
    (place.own / name).write_bytes(b"\0" * 64)
    assert check in against(inspect(str(place.worktree)))


@pytest.mark.parametrize("name", ["commondir", "gitdir"])
@pytest.mark.parametrize("how", ["gone", "a pipe", "empty", "elsewhere", "endless"])
def test_git_folder_that_names_no_worktree_is_refused(name: str, how: str, place: Place) -> None:
    path = place.own / name
    path.unlink()
    if how == "a pipe":
        os.mkfifo(path)
    elif how != "gone":
        text = {"empty": "", "elsewhere": "/tmp\n", "endless": "x" * 100_000}[how]
        path.write_text(text, encoding="utf-8")
    look = inspect(str(place.worktree))
    assert against(look)[Check.WORKTREE] is Verdict.REFUTED
    assert look.root is None


@pytest.mark.parametrize("cwd", ["", "relative", "a\0b"])
def test_folder_nobody_can_look_at_is_refused(cwd: str) -> None:
    assert against(inspect(cwd))[Check.WORKTREE] is Verdict.REFUTED


def test_git_folder_that_cannot_be_listed_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.listdir

    def refuse(path: str) -> list[str]:
        if path.startswith(str(place.own)):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "listdir", refuse)
    found = against(inspect(str(place.worktree)))
    assert found == NOTHING | dict.fromkeys(
        (Check.OPERATION, Check.COMMITS, Check.METADATA, Check.SUBMODULES), Verdict.UNKNOWN
    )


def test_part_of_the_git_folder_that_cannot_be_walked_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def refuse(path: str) -> object:
        if path == str(place.own / "logs"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert Check.METADATA in against(inspect(str(place.worktree)))


def test_lock_without_a_readable_reason_is_a_lock(place: Place) -> None:
    (place.own / "locked").mkdir()
    assert sentence(inspect(str(place.worktree)), Check.LOCK) == "it is locked"


def root_of(place: Place) -> Root:
    return find(str(place.worktree))


def test_removal_leaves_the_branch(place: Place) -> None:
    root = root_of(place)
    assert remove(root).removed
    assert not place.worktree.exists()
    assert tip(root, "feat") == place.git("rev-parse", "--short", "feat", where="main")


def test_tip_of_a_branch_that_is_gone_is_empty(place: Place) -> None:
    assert tip(root_of(place), "none") == ""


def test_what_git_will_not_remove_stays_and_its_words_are_told(place: Place) -> None:
    root = root_of(place)
    place.sh("echo n >new")
    before = everything(place.root)
    removal = remove(root)
    assert not removal.removed
    assert "contains modified or untracked files" in removal.words
    assert everything(place.root) == before


def test_setting_that_hides_untracked_files_does_not_hide_them_from_the_removal(
    place: Place,
) -> None:
    place.sh("git config status.showUntrackedFiles no; echo n >new")
    assert not remove(root_of(place)).removed
    assert (place.worktree / "new").exists()


def test_removal_by_force_takes_what_is_not_clean(place: Place) -> None:
    place.sh("echo n >new")
    assert remove(root_of(place), force=True).removed


def test_removal_that_fails_halfway_deletes_nothing_more(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = root_of(place)
    top = place.worktree
    fail = f'rm "{top}/a.txt"; echo "error: failed to delete: Directory not empty" >&2; exit 255'
    stand_in(place, monkeypatch, when("worktree remove", fail))
    removal = remove(root)
    assert (removal.removed, removal.words) == (
        False,
        "error: failed to delete: Directory not empty",
    )
    assert (top / "src" / "b.txt").exists()


@pytest.mark.parametrize("answer", ["exit 0", 'rm -r "$X/wt"; exit 0'])
def test_removal_that_git_only_claims_is_found_out(
    answer: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = root_of(place)
    monkeypatch.setenv("X", str(place.root))
    stand_in(place, monkeypatch, when("worktree remove", answer))
    assert "is still there" in remove(root).words


def test_removal_that_says_nothing_is_told_by_its_status(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = root_of(place)
    stand_in(place, monkeypatch, when("worktree remove", "exit 7"))
    assert remove(root).words == "git worktree ended with status 7"


def test_removal_that_hangs_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    root = root_of(place)
    stand_in(place, monkeypatch, when("worktree remove", "exec sleep 600"))
    monkeypatch.setattr(worktree, "REMOVAL_S", 0.5)
    assert remove(root).words.startswith("'git' gave no answer in 0.")


def test_removal_is_never_forced_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    root = root_of(place)
    asked = stand_in(place, monkeypatch, "")
    remove(root)
    assert shutil.which("git") == str(place.root / "bin" / "git")
    last = asked.read_text(encoding="utf-8").splitlines()[-1]
    assert last.endswith(f" worktree remove {place.worktree}")
