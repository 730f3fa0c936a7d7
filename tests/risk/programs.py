"""The programs the parser's tests know: as wide as the shipped table, written in Python."""

from __future__ import annotations

from flightdeck.model.shell import Code, Programs, Rest, Wrapper


def argv(values: str = "", **known: object) -> Wrapper:
    return Wrapper(rest=Rest.ARGV, values=frozenset(values.split()), **known)  # type: ignore[arg-type]


def string(values: str = "", **known: object) -> Wrapper:
    return Wrapper(rest=Rest.STRING, values=frozenset(values.split()), **known)  # type: ignore[arg-type]


def coded(*code: tuple[str, str], values: str = "", **known: object) -> Wrapper:
    places = tuple(Code(*place) for place in code)
    return Wrapper(code=places, values=frozenset(values.split()), stays=True, **known)  # type: ignore[arg-type]


_SSH = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
_DOCKER = "-H --host --context -c -e --env -u --user -w --workdir --env-file --detach-keys -l"
_KUBE = "-n --namespace -c --container --context --kubeconfig --cluster --user -f --filename -s"
_GIT = "-C --git-dir --work-tree --namespace --exec-path --config-env"

PROGRAMS = Programs(
    wrappers={
        "sudo": (
            argv(
                "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -r --role "
                "-t --type -T --command-timeout -U --other-user -R --chroot",
                assigns=True,
                inert=frozenset({"-l", "-v", "-V", "-K", "-k", "--list", "--version"}),
            ),
        ),
        "doas": (argv("-u -C -a"),),
        "pkexec": (argv("--user"),),
        "su": (coded(("-c", ""), ("--command", ""), values="-s --shell -g --group -G -w"),),
        "env": (
            argv("-u --unset -C --chdir", assigns=True, code=(Code("-S"), Code("--split-string"))),
        ),
        "nice": (argv("-n --adjustment"),),
        "ionice": (argv("-c --class -n --classdata -p --pid"),),
        "nohup": (argv(),),
        "setsid": (argv(),),
        "stdbuf": (argv("-i --input -o --output -e --error"),),
        "time": (argv("-f --format -o --output"),),
        "timeout": (argv("-s --signal -k --kill-after", operands=1),),
        "command": (argv(inert=frozenset({"-v", "-V"})),),
        "builtin": (argv(),),
        "exec": (argv("-a"),),
        "coproc": (argv(),),
        "xargs": (
            argv(
                "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs "
                "-s --max-chars",
                more=True,
            ),
        ),
        "parallel": (
            string(
                "-j --jobs -a --arg-file -S -I --colsep --delay --joblog",
                more=True,
                drops=frozenset({":::", "::::", ":::+"}),
            ),
        ),
        "watch": (string("-n --interval"),),
        "eval": (string(),),
        "ssh": (string(_SSH, operands=1),),
        "trap": (Wrapper(code=(Code("1"),), inert=frozenset({"-p", "-l"})),),
        "direnv": (argv(verb=("exec",), operands=1),),
        "uv": (argv("--with --python -p --env-file --project --directory", verb=("run",)),),
        "docker": (
            argv(_DOCKER, verb=("exec",), operands=1),
            argv(_DOCKER + " -f --file -p --profile", verb=("compose", "exec"), operands=1),
        ),
        "kubectl": (argv(_KUBE, verb=("exec",), operands=1),),
        "chroot": (argv("--userspec --groups", operands=1),),
        "flock": (
            argv(
                "-w --timeout -E --conflict-exit-code",
                operands=1,
                code=(Code("-c"), Code("--command")),
            ),
        ),
        "strace": (argv("-e -o -p -s -u -E"),),
        "find": (Wrapper(embeds=frozenset({"-exec", "-execdir", "-ok", "-okdir"}), stays=True),),
        "vim": (coded(("-c", r":?!"), ("--cmd", r":?!"), values="-u -S -T"),),
        "tar": (coded(("--checkpoint-action", "exec="), ("--to-command", ""), ("-I", "")),),
        "sed": (coded(("*", r"\d*e "), ("-e", r"\d*e "), values="-f"),),
        "git": (
            coded(("-x", ""), ("--exec", ""), values=_GIT + " -c", verb=("rebase",)),
            Wrapper(("bisect", "run"), frozenset(_GIT.split()), rest=Rest.ARGV, stays=True),
            coded(
                ("-c", r"alias\.[^=]*=!|core\.(?:pager|editor|sshCommand|fsmonitor)="), values=_GIT
            ),
        ),
    },
    shells=frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox-sh"}),
    interpreters={
        "python": frozenset({"-c"}),
        "node": frozenset({"-e", "--eval", "-p", "--print"}),
        "perl": frozenset({"-e", "-E"}),
        "ruby": frozenset({"-e"}),
        "php": frozenset({"-r"}),
    },
    dashed=frozenset({"git"}),
)
