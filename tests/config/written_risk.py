"""Files of risk rules as people write them, good and spoilt."""

from __future__ import annotations

from hypothesis import strategies as st

from flightdeck.config import risk_rule
from tests.config.written import Leaf, Tree, fixed, leaves, one_of, spoilt_of

Values = st.SearchStrategy[Tree]

_FLAGS = one_of("yes", "no")
_OPTIONS = one_of("-r", "-r --recursive", "-1", "-m=777", '"-a b" -c', "--")
_COMMANDS = one_of("git push", "rm, git push -f --force", "npm", "7", "aws ** delete-*", "<shells>")
_GLOBS = one_of("/tmp/**", "~/.ssh/* .env", "<scratch>", "42", '"a b"', "+*")
_PHRASES = one_of("drop table", "drop table, os.system(", '"a, b" , exec( … open', "truncate")
_WORDS = one_of("drop delete", "42", "a 7", "true")
_TEXTS = one_of("because", "42", "true", "it's")


def _lines(form: Values) -> Values:
    return st.one_of(form, st.lists(form, min_size=1, max_size=3))


_COUNTS = one_of("0", "2", "2+", "1-3", "07", "999")
_OF_COMMANDS: dict[str, Values] = {
    **dict.fromkeys(("program", "from"), _COMMANDS),
    **dict.fromkeys(("flags", "before", "without"), _lines(_OPTIONS)),
    **dict.fromkeys(("operands", "only", "outside", "writes", "empties", "reads"), _lines(_GLOBS)),
    "count": _COUNTS,
    "wrapper": _lines(one_of("sudo doas", "env")),
    "assigns": _lines(one_of("LD_PRELOAD", "GIT_* IFS=*")),
    "bomb": _FLAGS,
}
_OF_BOTH = dict.fromkeys(("code", "without_code"), _lines(_PHRASES))
_OF_TOOLS: dict[str, Values] = {
    "name": _lines(_WORDS),
    "path": _lines(_GLOBS),
    "input": st.dictionaries(st.sampled_from(["url", "a b", "7"]), _GLOBS, min_size=1, max_size=2),
    "fields": _lines(one_of("sql query", "x")),
}
_CALLS: Values = st.fixed_dictionaries(
    {
        "tool": one_of("Write", "42"),
        "input": st.dictionaries(
            st.sampled_from(["file_path", "x"]), one_of("", "~/x", "3", "no"), min_size=1
        ),
    }
).map(dict)
_EXAMPLES = st.lists(
    st.one_of(one_of("rm -rf x", "true", "7", "echo a: b"), _CALLS), min_size=1, max_size=3
)


@st.composite
def _rules(draw: st.DrawFn) -> dict[str, Tree]:
    """Draw a rule about commands, or about tools that run none."""
    rule: dict[str, Tree] = {"tier": draw(one_of("high", "medium", "low")), "why": draw(_TEXTS)}
    if draw(st.booleans()):
        rule["tool"] = draw(_lines(one_of("Write Edit", "mcp__*", "Bash Write", "42")))
        rule |= draw(fixed(**_OF_TOOLS, **_OF_BOTH))
    else:
        rule |= draw(fixed(tool=_lines(one_of("Bash", "Bash PowerShell", '"Bash"')), **_OF_BOTH))
        rule |= draw(fixed(**_OF_COMMANDS))
        name = draw(st.sampled_from(sorted(risk_rule.OF_LOW)))
        rule[name] = draw(_OF_COMMANDS[name])
    return {**rule, "matches": draw(_EXAMPLES), "spares": draw(_EXAMPLES)}


_NAMED = st.sampled_from(["mine", "a-b", "7"])
_OF_PROGRAMS: dict[str, Values] = {
    "values": _OPTIONS,
    "options": _OPTIONS,
    "code": one_of("-c", "*", "-c *", "-1"),
}
_OF_WHOLE: dict[str, Values] = {
    **dict.fromkeys(("before", "dashed", "shell", "interpreter"), _FLAGS),
    "aliases": one_of("python3 python3.*", "7"),
}
_WRAPPERS = fixed(
    runs=one_of("words", "text"),
    values=_OPTIONS,
    inert=_OPTIONS,
    operands=one_of("0", "9", "02"),
    embeds=one_of("-exec", "a"),
    drops=one_of(":::"),
    code=st.dictionaries(
        st.sampled_from(["-c", "x"]),
        st.one_of(one_of("exec=", "7"), st.just(Leaf("", quoted=True))),
        min_size=1,
    ),
    **dict.fromkeys(("assigns", "more", "stays"), _FLAGS),
).filter(bool)
_CALLED = st.sampled_from(["git", "docker run, podman run", "a,b", " x y ", "-q", "7"])
_SUBCOMMAND = st.sampled_from(["git push", "docker run, podman run", "a,b  c"])
_WHOLE = st.sampled_from(["git", "a,b", "python3 , python", "7"])
_PROGRAMS: Values = st.one_of(
    st.dictionaries(_WHOLE, fixed(**_OF_PROGRAMS, **_OF_WHOLE).filter(bool), min_size=1).map(dict),
    st.dictionaries(_SUBCOMMAND, fixed(**_OF_PROGRAMS).filter(bool), min_size=1).map(dict),
)
RISKS: Values = fixed(
    groups=st.dictionaries(_NAMED, _COMMANDS, min_size=1),
    targets=st.dictionaries(_NAMED, _GLOBS, min_size=1),
    programs=_PROGRAMS,
    wrappers=st.dictionaries(_CALLED, _WRAPPERS, min_size=1, max_size=2),
    rules=st.dictionaries(_NAMED, _rules(), min_size=1, max_size=2),
).map(dict)

_VALUES: Values = st.one_of(
    one_of(
        *("", "3", "-1", "0", "-0", "true", "TRUE", "no", "yes", "null", "~", "a b", "07", "0x10"),
        *("+2", "4.5", "-4.5", "-", "-x", "-x y", "x -y", "x -y z", ",a", "a,,b", "a,", "a, ,b"),
        *("<nobody>", "<secret>", "Bash", "Bash Write", "Write", "High", "high", "low", "words"),
        *("12345", "10", "2+", "+", "1-", "1-3", "A", "a*", "*", "-c *", "* x", "a b, c", "ab"),
        *("*a*b*c*d*e*f*g", '"', 'a "b', '"-x"', '"Write"', "((", "abc … d"),
    ),
    st.just(Leaf("3", quoted=True)),
    st.just(Leaf("", quoted=True)),
    st.just(Leaf("  ", quoted=True)),
    leaves(st.text(st.sampled_from('ab-,"* <>=…'), min_size=1, max_size=8).filter(str.strip)),
    st.builds(lambda: [Leaf("a"), Leaf("-b")]),
    st.builds(lambda: {"a": Leaf("b")}),
    st.builds(lambda: {"tool": Leaf("Write"), "input": {"a": Leaf("")}}),
)
_NAMES = st.sampled_from(
    [
        *("a", "A", "a b", "a,", ",", "x, y z", "-x", "7", "rules", "groups", "targets"),
        *("programs", "wrappers", "values", "runs", "operands", "before", "shell", "input"),
        *risk_rule.FIELDS,
    ]
)


def spoilt_risks() -> Values:
    """Draw a file of rules with some things wrong in it."""
    return spoilt_of(RISKS, _VALUES, _NAMES)
