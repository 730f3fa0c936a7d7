"""Worktrees and what a teardown must make of each: the check that refuses, or None.

Each script runs in the clean worktree `wt` of a place, with `$X` the place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flightdeck.model.teardown import Check


@dataclass(frozen=True)
class Case:
    """One worktree; `cwd` is where its session works, below the place."""

    name: str
    script: str
    check: Check | None
    cwd: str = "wt"
    named: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


_ODD = "git -C $X/main worktree add -q -b odd '{0}'; cd '{0}'; git push -q -u origin odd"


def _elsewhere(name: str, path: str, check: Check | None = None, after: str = "") -> Case:
    return Case(name, f"{_ODD.format(f'../{path}')}; {after}", check, cwd=path)


REMOVED = [
    Case("clean", "", None),
    Case("a session in a tracked folder below the top", "", None, cwd="wt/src"),
    Case("a session that came in through a link", "ln -s wt $X/way", None, cwd="way/src"),
    Case("a stash, which the repository keeps", "echo w >>a.txt; git stash -q", None),
    Case("commits that were pushed", "echo q >q; git add q; git commit -qm q; git push -q", None),
    Case(
        "a commit amended before it was pushed",
        "echo q >q; git add q; git commit -qm q; git commit -q --amend -m r; git push -q",
        None,
    ),
    Case(
        "a commit thrown away on its branch, whose reflog stays",
        "git commit -q --allow-empty -m q; git reset -q --hard HEAD~1",
        None,
    ),
    Case(
        "a branch behind its upstream",
        "git commit -q --allow-empty -m q; git push -q; git reset -q --hard HEAD~1",
        None,
    ),
    Case(
        "a rebase that ended",
        "git commit -q --allow-empty -m q; git -C $X/main commit -q --allow-empty -m m;"
        " git rebase -q main; git push -q",
        None,
    ),
    Case(
        "a note of the commit it began at",
        "git rev-parse HEAD >$(git rev-parse --git-dir)/CLAUDE_BASE",
        None,
    ),
    Case("empty folders", "mkdir -p build deep/er", None),
    Case("another branch of the remote as upstream", "git branch -q -u origin/main", None),
    Case("a main checkout full of changes", "echo x >$X/main/.env; echo y >>$X/main/a.txt", None),
    Case("a main checkout that is detached", "git -C $X/main checkout -q --detach", None),
    Case("packed refs and objects", "git gc -q", None),
    Case("no reflogs", "git config core.logAllRefUpdates false; rm -r $X/main/.git/logs", None),
    Case("a hard link to elsewhere", "ln $X/main/a.txt $X/a2; ln -f a.txt $X/a3", None),
    Case("touched files", "touch -d 2001-01-01 a.txt src/b.txt", None),
    Case(
        "a sparse checkout",
        "git status -s; git sparse-checkout set --no-cone /a.txt; test ! -e src",
        None,
    ),
    Case(
        "a sparse checkout with a sparse index",
        "mkdir other; echo o >other/o; git add other; git commit -qm o; git push -q;"
        " git sparse-checkout set --cone --sparse-index src; test ! -e other; test -e src",
        None,
    ),
    Case(
        "line endings git converts and would write again",
        "echo '*.txt text eol=crlf' >.gitattributes; git add -A; git commit -qm e; git push -q;"
        " rm a.txt; git checkout -q a.txt; grep -q \"$(printf '\\r')\" a.txt",
        None,
    ),
    Case(
        "a filter that writes the same again",
        "git config filter.up.smudge 'tr a-z A-Z'; git config filter.up.clean 'tr A-Z a-z';"
        " echo 'a.txt filter=up' >.gitattributes; git add -A; git commit -qm e; git push -q;"
        " rm a.txt; git checkout -q a.txt; grep -q A a.txt",
        None,
    ),
    Case(
        "a shallow clone",
        "git -C $X/main commit -q --allow-empty -m 2; git -C $X/main push -q;"
        " git clone -q --depth 1 --no-single-branch file://$X/o.git $X/shallow; cd $X/shallow;"
        " git worktree add -q -b odd ../odd; cd ../odd; git push -q -u origin odd",
        None,
        cwd="odd",
    ),
    Case(
        "a worktree of a bare repository",
        "git clone -q --bare $X/o.git $X/bare.git; cd $X/bare.git;"
        " git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git fetch -q;"
        " git worktree add -q -b odd ../odd; cd ../odd; git push -q -u origin odd",
        None,
        cwd="odd",
    ),
    Case(
        "objects borrowed from another repository",
        "git clone -q --shared $X/o.git $X/lent; cd $X/lent;"
        " git worktree add -q -b odd ../odd; cd ../odd; git push -q -u origin odd",
        None,
        cwd="odd",
    ),
    Case(
        "names hashed with sha256",
        "git init -q --bare --object-format=sha256 $X/p.git; cd $X; git init -q"
        " --object-format=sha256 new; cd new; git remote add origin $X/p.git;"
        " echo a >a; git add a; git commit -qm a;"
        " git push -q -u origin HEAD:main; git worktree add -q -b odd ../odd; cd ../odd;"
        " git push -q -u origin odd",
        None,
        cwd="odd",
    ),
    Case(
        "a .git file with a relative path", "echo 'gitdir: ../main/.git/worktrees/wt' >.git", None
    ),
    Case(
        "a worktree moved by git itself",
        "git worktree move $X/wt $X/moved; cd $X/moved",
        None,
        cwd="moved",
    ),
    Case(
        "an environment that points elsewhere",
        "git init -q $X/clean",
        None,
        environment={"GIT_DIR": "$X/clean/.git", "GIT_WORK_TREE": "$X/clean"},
    ),
    Case(
        "a tracked file whose name begins with a dash",
        "echo x >-f; git add -- -f; git commit -qm x; git push -q",
        None,
    ),
    _elsewhere("a space in the path", "a b"),
    _elsewhere("a newline in the path", "a\nb"),
    _elsewhere("a newline at the end of the path", "a\n"),
    _elsewhere("another alphabet in the path", "ünï-木"),
    _elsewhere("glob characters in the path", "a[b]*"),
]

REFUSED = [
    Case("an ignored secret", "echo S=1 >.env", Check.IGNORED, named=".env"),
    Case(
        "ignored by info/exclude and by the person's own excludes file",
        "echo 'scratch/' >>$X/main/.git/info/exclude; mkdir scratch; echo n >scratch/notes.md;"
        " echo '*.local' >$X/gi; git config --global core.excludesFile $X/gi; echo k >db.local",
        Check.IGNORED,
        named="db.local, scratch/",
    ),
    Case(
        "node_modules that is a link to a shared folder",
        "mkdir $X/main/node_modules; echo k >$X/main/node_modules/k; ln -s $X/main/node_modules",
        Check.IGNORED,
        named="node_modules",
    ),
    Case(
        "a .gitignore that ignores itself and everything",
        "mkdir cache; echo '*' >cache/.gitignore; echo x >cache/x",
        Check.IGNORED,
    ),
    Case("an untracked file", "echo n >new.txt", Check.STATUS, named="new.txt"),
    Case(
        "an untracked file, with a setting that hides it",
        "git config status.showUntrackedFiles no; echo n >new.txt",
        Check.STATUS,
    ),
    Case(
        "an untracked file whose name no shell likes",
        "echo n >\"$(printf 'a\\nb \\351')\"",
        Check.STATUS,
    ),
    Case("an edit", "echo x >>a.txt", Check.STATUS, named="a.txt"),
    Case("a staged edit", "echo x >>a.txt; git add a.txt", Check.STATUS),
    Case(
        "a staged file that is gone from disk",
        "echo x >n; git add n; rm n",
        Check.STATUS,
    ),
    Case("an empty file meant to be added", "touch n; git add -N n", Check.STATUS),
    Case("a deleted file", "rm a.txt", Check.STATUS),
    Case(
        "a changed mode, with a setting that hides it",
        "git config core.fileMode false; chmod +x a.txt",
        Check.STATUS,
    ),
    Case("a file that became a link", "rm a.txt; ln -s run.sh a.txt", Check.STATUS),
    Case("a file renamed by case only", "git mv a.txt A.TXT", Check.STATUS),
    Case(
        "an edit behind skip-worktree",
        "git update-index --skip-worktree a.txt; echo precious >>a.txt",
        Check.HIDDEN,
        named="a.txt",
    ),
    Case(
        "an edit behind assume-unchanged",
        "git update-index --assume-unchanged a.txt; echo precious >>a.txt",
        Check.HIDDEN,
        named="a.txt",
    ),
    Case(
        "an edit in a file a sparse checkout left out",
        "git status -s; git sparse-checkout set --no-cone /a.txt; mkdir src; echo mine >src/b.txt",
        Check.STATUS,
    ),
    Case(
        "bytes a filter throws away",
        "git config filter.strip.clean 'sed /secret/d'; echo 'a.txt filter=strip' >.gitattributes;"
        " git add -A; git commit -qm f; git push -q; echo secret >>a.txt; git add a.txt",
        Check.CONTENT,
        named="a.txt",
    ),
    Case(
        "a filter that fails, so nobody can tell what it would write",
        "git config filter.x.clean 'tr a-z A-Z'; git config filter.x.smudge false;"
        " git config filter.x.required true; echo 'a.txt filter=x' >.gitattributes;"
        " git add -A; git add --renormalize .; git commit -qm f; git push -q; git status",
        Check.CONTENT,
        named="external filter",
    ),
    Case(
        "line endings that are not what git would write",
        "echo '*.txt text eol=lf' >.gitattributes; git add -A; git commit -qm f; git push -q;"
        " printf 'a\\r\\n' >a.txt; git add a.txt",
        Check.CONTENT,
    ),
    Case(
        "content the repository has lost",
        "rm -f $X/main/.git/objects/$(git rev-parse HEAD:a.txt | sed 's:^..:&/:')",
        Check.CONTENT,
    ),
    Case("a detached HEAD", "git checkout -q --detach", Check.BRANCH),
    Case("an unborn branch", "git checkout -q --orphan none; git rm -rqf .", Check.BRANCH),
    Case(
        "a HEAD that is on no branch",
        "git symbolic-ref HEAD refs/remotes/origin/feat",
        Check.BRANCH,
    ),
    Case("no upstream", "git branch -q --unset-upstream", Check.UPSTREAM),
    Case("a local branch as upstream", "git branch -q -u main", Check.UPSTREAM),
    Case("an upstream that is gone", "git push -q origin :feat", Check.UPSTREAM, named="gone"),
    Case(
        "an upstream that is gone, found out by a fetch",
        "git -C $X/o.git branch -q -D feat; git fetch -q --prune",
        Check.UPSTREAM,
    ),
    Case(
        "a remote that is this very repository",
        "git remote set-url origin $X/main; git fetch -q; git branch -q -u origin/feat",
        Check.UPSTREAM,
    ),
    Case(
        "an upstream that is only another name for the branch",
        "git symbolic-ref refs/remotes/origin/feat refs/heads/feat",
        Check.UPSTREAM,
    ),
    Case("a remote without an address", "git config --unset remote.origin.url", Check.UPSTREAM),
    Case("a commit not pushed", "git commit -q --allow-empty -m mine", Check.AHEAD, named="mine"),
    Case(
        "a commit not pushed, with a replacement that hides it",
        "git commit -q --allow-empty -m mine; git replace origin/feat HEAD",
        Check.AHEAD,
    ),
    Case(
        "commits made on a detached HEAD and left",
        "git checkout -q --detach; git commit -q --allow-empty -m lost; git checkout -q feat",
        Check.COMMITS,
        named="lost",
    ),
    Case(
        "a commit only ORIG_HEAD names",
        "c=$(git commit-tree -m lost HEAD^{tree}); git update-ref ORIG_HEAD $c",
        Check.COMMITS,
    ),
    Case(
        "a commit only a ref of this worktree names",
        "git update-ref refs/worktree/mine $(git commit-tree -m lost HEAD^{tree})",
        Check.METADATA,
    ),
    Case(
        "a stopped rebase",
        "echo b >a.txt; git commit -qam b; echo c >>a.txt; git commit -qam c; git push -q;"
        " GIT_SEQUENCE_EDITOR='sed -i.bak 1s/pick/edit/' git rebase -q -i HEAD~2 || true",
        Check.OPERATION,
        named="rebase",
    ),
    Case(
        "a merge that is not committed",
        "git -C $X/main commit -q --allow-empty -m m; git commit -q --allow-empty -m n;"
        " git push -q; git merge -q --no-commit --no-ff main || true",
        Check.OPERATION,
        named="merge",
    ),
    Case(
        "a cherry-pick stopped",
        "git -C $X/main checkout -q -b o; echo o >$X/main/a.txt; git -C $X/main commit -qam o;"
        " echo p >a.txt; git commit -qam p; git push -q; git cherry-pick o || true",
        Check.OPERATION,
        named="cherry-pick",
    ),
    Case(
        "a revert stopped",
        "echo p >a.txt; git commit -qam p; echo q >a.txt; git commit -qam q; git push -q;"
        " git revert HEAD~1 || true",
        Check.OPERATION,
        named="revert",
    ),
    Case(
        "a bisect",
        "git bisect start -q; git bisect bad -q || true",
        Check.OPERATION,
        named="bisect",
    ),
    Case("another git at work", "touch $(git rev-parse --git-dir)/index.lock", Check.OPERATION),
    Case(
        "a note of a commit that nothing keeps",
        "git commit-tree -m lost HEAD^{tree} >$(git rev-parse --git-dir)/CLAUDE_BASE",
        Check.COMMITS,
    ),
    Case(
        "a note that is more than a commit",
        "echo draft >>$(git rev-parse --git-dir)/CLAUDE_BASE",
        Check.METADATA,
    ),
    Case(
        "a lock that names another process",
        "git worktree lock --reason 'claude session wt (pid 1 start 2)' .",
        Check.LOCK,
    ),
    Case(
        "a draft in git's folder", "echo d >$(git rev-parse --git-dir)/GITGUI_MSG", Check.METADATA
    ),
    Case(
        "a note in the folder of logs",
        "echo d >$(git rev-parse --git-dir)/logs/note",
        Check.METADATA,
    ),
    Case(
        "settings of this worktree alone",
        "git config extensions.worktreeConfig true; git config --worktree user.name me",
        Check.METADATA,
        named="user.name",
    ),
    Case(
        "a locked worktree", "git worktree lock --reason 'on a stick' .", Check.LOCK, named="stick"
    ),
    Case(
        "an initialised submodule",
        "git init -q $X/sub; (cd $X/sub; echo s >s; git add s; git commit -qm s);"
        " git submodule -q add $X/sub lib; git commit -qm sub; git push -q",
        Check.SUBMODULES,
        named="lib",
    ),
    Case(
        "a dirty submodule that is to be ignored",
        "git init -q $X/sub; (cd $X/sub; echo s >s; git add s; git commit -qm s);"
        " git submodule -q add $X/sub lib; git config -f .gitmodules submodule.lib.ignore all;"
        " git add -A; git commit -qm sub; git push -q; echo dirty >lib/s",
        Check.SUBMODULES,
    ),
    Case(
        "a submodule staged for removal, its git folder kept",
        "git init -q $X/sub; (cd $X/sub; echo s >s; git add s; git commit -qm s);"
        " git submodule -q add $X/sub lib; git commit -qm sub; git rm -q lib; git commit -qm no;"
        " git push -q",
        Check.SUBMODULES,
    ),
    Case(
        "another worktree inside, ignored",
        "echo '.claude/worktrees/' >>$X/main/.git/info/exclude;"
        " git worktree add -q -b inner .claude/worktrees/inner; echo w >.claude/worktrees/inner/u",
        Check.NESTED,
        named=".claude/worktrees/inner",
    ),
    Case(
        "another repository inside, ignored",
        "git init -q build/dep",
        Check.NESTED,
        named="build/dep",
    ),
    Case("another repository inside, untracked", "git init -q dep", Check.NESTED, named="dep"),
    Case("a pipe", "mkfifo pipe", Check.FILES, named="pipe"),
    Case("a pipe in an ignored folder", "mkdir build; mkfifo build/pipe", Check.IGNORED),
    Case("the main checkout", "", Check.WORKTREE, cwd="main", named="main checkout"),
    Case("no checkout", "", Check.WORKTREE, cwd="."),
    Case("a bare repository", "", Check.WORKTREE, cwd="o.git"),
    Case(
        "a submodule's checkout",
        "git init -q $X/sub; (cd $X/sub; echo s >s; git add s; git commit -qm s);"
        " git submodule -q add $X/sub lib",
        Check.WORKTREE,
        cwd="wt/lib",
    ),
    Case(
        "a repository whose git folder lies elsewhere",
        "git init -q --separate-git-dir=$X/git $X/apart",
        Check.WORKTREE,
        cwd="apart",
    ),
    Case(
        "a folder that lost its .git, inside the main checkout",
        "mkdir -p $X/main/.claude; mv $X/wt $X/main/.claude/x; rm $X/main/.claude/x/.git;"
        " echo '.claude/' >>$X/main/.git/info/exclude; echo w >$X/main/.claude/x/work.txt",
        Check.WORKTREE,
        cwd="main/.claude/x",
        named="main checkout",
    ),
    Case(
        "a folder that lost its .git, inside another worktree",
        "git worktree add -q -b inner build/inner; rm build/inner/.git; rm -r build/inner/*",
        Check.WORKTREE,
        cwd="wt/build/inner",
    ),
    Case("a worktree moved by hand", "mv $X/wt $X/moved", Check.WORKTREE, cwd="moved"),
    Case("a copy of a worktree", "cp -R $X/wt $X/copy", Check.WORKTREE, cwd="copy"),
    Case(
        "a worktree its repository has forgotten",
        "rm -r $X/main/.git/worktrees",
        Check.WORKTREE,
    ),
    Case("a worktree whose repository is gone", "rm -rf $X/main", Check.WORKTREE),
    Case("a .git that is a link", "mv .git $X/g; ln -s $X/g .git", Check.WORKTREE),
    Case("a .git that is a pipe", "rm .git; mkfifo .git", Check.WORKTREE),
    Case("a .git that is empty", ": >.git", Check.WORKTREE),
    Case(
        "a setting that moves the working tree",
        "git config extensions.worktreeConfig true; git config --worktree core.worktree $X/main",
        Check.WORKTREE,
    ),
    Case(
        "a repository of a version git does not know",
        "git config core.repositoryFormatVersion 99",
        Check.WORKTREE,
    ),
    Case("a folder that is gone", "", Check.WORKTREE, cwd="nowhere"),
    Case(
        "an edit, with an environment that points to a clean repository",
        "echo dirty >new.txt; git init -q $X/clean",
        Check.STATUS,
        environment={
            "GIT_DIR": "$X/clean/.git",
            "GIT_WORK_TREE": "$X/clean",
            "GIT_INDEX_FILE": "$X/clean/.git/index",
        },
    ),
    _elsewhere("an edit below a path with a space", "a b", Check.STATUS, "echo x >>a.txt"),
    _elsewhere("an edit below a path with a newline", "a\nb", Check.STATUS, "echo x >>a.txt"),
]
