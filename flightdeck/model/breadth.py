"""How much a permission rule covers: whether it may let more through than its words say.

What cannot be told counts as too wide. Knows the rules an agent suggests, as a tool and
its content, and nothing of where they would be written.

Source: README.md, "Row 3: verdicts"; how the client matches rules: its documentation of
permissions, "Permission rule syntax"; anthropics/claude-code#40344, #95614.
"""

from __future__ import annotations

import re

SHELLS = frozenset({"Bash", "PowerShell"})
READERS = frozenset({"Read", "Glob", "Grep", "LS"})
WRITERS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
# After one of these a prefix no longer says what runs.
_OPERATORS = frozenset(";&|<>$`(){}")
# Each runs whatever its arguments say, so a prefix of it is no limit at all.
_PROGRAMS = """
    ash bash cmd csh dash elvish eval exec fish ksh mksh nu osh pwsh powershell rbash sh tcsh xonsh
    yash ysh zsh wsl
    . builtin command coproc source trap
    chroot chrt doas env expect fakeroot flock gosu ionice nice nohup nsenter parallel pkexec
    runuser script setarch setpriv setsid stdbuf strace ltrace su su-exec sudo systemd-run taskset
    time timeout unbuffer unshare watch xargs
    entr gdb hyperfine lldb rlwrap screen tmux valgrind watchexec
    awk gawk mawk nawk bun bunx deno dotnet-script irb julia lua luajit node nodejs npx osascript
    perl php pipx pnpx pypy python pythonw r rscript ruby tclsh ts-node tsx uvx wish
    busybox toybox ed emacs ex find fd fdfind nvim sed vi vim view
    ssh autossh mosh plink rsh sshpass
    iex invoke-command invoke-expression invoke-item start-process
    nix-shell toolbox distrobox firejail bwrap
"""
_RUNS_ANYTHING = frozenset(_PROGRAMS.split())
# These do with some of their subcommands, and with options before any of them.
_CONTAINERS = frozenset({"run", "exec", "create", "compose", "container", "buildx"})
_SUBCOMMANDS = {
    "docker": _CONTAINERS,
    "nerdctl": _CONTAINERS,
    "podman": _CONTAINERS,
    "docker-compose": frozenset({"run", "exec"}),
    "kubectl": frozenset({"run", "exec", "debug", "attach"}),
    "oc": frozenset({"run", "exec", "debug", "rsh"}),
    "git": frozenset({"bisect", "config", "difftool", "filter-branch", "mergetool"}),
    "npm": frozenset({"exec", "x", "explore"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "yarn": frozenset({"exec", "dlx"}),
    "uv": frozenset({"run", "tool"}),
    "go": frozenset({"run", "tool"}),
    "nix": frozenset({"run", "shell", "develop"}),
    "bundle": frozenset({"exec"}),
    "conda": frozenset({"run"}),
    "direnv": frozenset({"exec"}),
    "asdf": frozenset({"exec"}),
    "pyenv": frozenset({"exec"}),
    "rbenv": frozenset({"exec"}),
    "hatch": frozenset({"run", "shell"}),
    "mise": frozenset({"exec", "x"}),
    "pdm": frozenset({"run"}),
    "pipenv": frozenset({"run", "shell"}),
    "poetry": frozenset({"run", "shell"}),
}
_FOLDERS_OF_HOMES = frozenset({"home", "Users", "mnt", "media", "Volumes", "export"})


def shell_rule_is_wide(content: str) -> bool:
    """Say so of a wildcard before the end, of no program, or of one that runs any other."""
    content = content.rstrip()
    stem = content.removesuffix("*").removesuffix(":")
    if "*" in stem or content.startswith("prompt:"):
        return True
    if not content.endswith("*"):
        return False  # one command, to the letter
    words = stem.split()
    while words and _ASSIGNMENT.match(words[0]):
        del words[0]
    # `ba*` is not only `bash`, and `docker e*` not only `docker exec`.
    partial = not content.endswith((":*", " *"))
    if not words or _OPERATORS & set(stem) or (partial and len(words) == 1):
        return True
    names = _programs(words[0])
    return any(_runs_anything(name, words[1:], partial=partial) for name in names)


def _programs(word: str) -> set[str]:
    """Return what the word may name: `b'as'h` is bash; a backslash quotes, or parts folders."""
    word = word.replace("'", "").replace('"', "").lower()
    return {_program(word.replace("\\", "")), _program(word.replace("\\", "/"))}


def _program(path: str) -> str:
    name = path.rsplit("/", 1)[-1].removesuffix(".exe")
    return name if name in _RUNS_ANYTHING else name.rstrip("0123456789.-")


def _runs_anything(program: str, words: list[str], *, partial: bool) -> bool:
    if not program or program in _RUNS_ANYTHING:
        return True
    wide = _SUBCOMMANDS.get(program)
    if wide is None:
        return False
    # An option before the subcommand may name another configuration, or take the word.
    if not words or words[0].startswith("-"):
        return True
    if program in {"docker", "nerdctl", "podman"} and words[0] == "compose" and words[1:]:
        return _runs_anything("docker-compose", words[1:], partial=partial)
    last = words[-1]
    return bool(wide & set(words)) or (partial and any(name.startswith(last) for name in wide))


def folder_of(content: str, root: str, home: str) -> str | None:
    """Return the path a file rule speaks of, absolute; None where that cannot be told.

    `//x` is the path `/x`, `/x` and `x` lie in the project, `~/x` in the person's home.
    """
    base, rest = root, content.removeprefix("./")
    if content.startswith("//"):
        base, rest = "/", content[2:]
    elif content.startswith("~"):
        base, rest = home, content[1:]
        if rest[:1] not in {"", "/"}:
            return None  # another person's
    rest = f"/{rest}".removesuffix("/*").removesuffix("/**")
    if not base or any(c in rest for c in "*?[]{}!\\") or ".." in rest.split("/"):
        return None
    return "/" + "/".join(part for part in f"{base}/{rest}".split("/") if part)


def covers_home(path: str, home: str) -> bool:
    """Say whether `path`, absolute and without `..`, is the whole disk or holds the home."""
    return path == "/" or (bool(home) and f"{home}/".startswith(f"{path}/"))


def is_broad(path: str, home: str) -> bool:
    """Say whether it is the whole disk, a folder at its top, or anybody's home."""
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["private"]:
        parts = parts[1:]
    if len(parts) <= 1 or covers_home(path, home):
        return True
    return len(parts) == 2 and parts[0] in _FOLDERS_OF_HOMES
