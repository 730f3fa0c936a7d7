r"""What the grammar misreads, painted over before it looks, character for character.

The painted text is ASCII and as long as the source (or ends early, with too much to scan),
so that an offset in the tree is one in the source. Words are read from the source. Painted:

- here-documents: the grammar takes what follows `<<EOF` on the line for arguments. The
  operator becomes a plain `<`, the body blank; both are kept aside.
- `<<<` and `<>`, which it refuses after another redirection; `;&` and `;;&`.
- `{` at the start of a word (`{rm,-rf,x}`), which it takes for a group; a line break
  quoted within a word, which it takes for its end; what is in `$'…'`, for `\'`; a backslash
  that begins a line: it does not see that the line before ended.
- `time`, `coproc` and `!` before a group or a loop, which it takes for commands with words;
  `for x do`;
  patterns like `!(a|b)`.
- what is not ASCII, NUL and other control characters: letters of a word to a shell.

Source: tree-sitter-bash 0.25, its grammar and scanner as they run; bash(1), "Here
Documents", "Quoting".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from flightdeck.risk.quoting import unquote

MOST_STEPS = 4_000  # quotes, parentheses and lines looked at for here-documents


@dataclass(frozen=True, slots=True)
class Heredoc:
    """A here-document: its text, where the text begins, and whether it is taken as it is."""

    text: str
    start: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Masked:
    """The painted text, and the here-documents by the offset of their operator."""

    text: str
    heredocs: dict[int, Heredoc] = field(default_factory=dict)


_ODD = re.compile(r"[^\t\n\x20-\x7e]")
_SIGNS = re.compile(
    r"""(?:^|(?<=[\s;&|(]))\{(?=[^\s;&|()<>])|<<<|<>|;;&|;&|\r(?=\n)"""
    r"""|(?<=[\w.,/=:@%+-])\\\n(?=[\w.,/=:@%+-])|(?:^|(?<=[ \t]))\\(?=[\w/.~-])""",
    re.MULTILINE,
)
_TIMED = re.compile(
    r"(^|[\s;&|(])(!|time(?:[ \t]+-p)?|coproc(?:[ \t]+\w+)?)"
    r"(?=[ \t]+(?:[({!]|(?:time|if|for|while|until|case|select)[ \t]))",
    re.MULTILINE,
)
_PATTERN = re.compile(r"(?<=[\w./ \t])[!@?+*]\([^()\s;&`$\"']*\)")
_LOOP = re.compile(r"((?:^|[;&|({\n]|\bdo|\bthen)\s*for[ \t]+\w+)[ \t](?=[ \t]*do\s)")
_QUOTES = re.compile(r"""\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$'(?:[^'\\]|\\.)*'""", re.DOTALL)
_JOINED = re.compile(r"^[ \t]*\\\n", re.MULTILINE)
_SIGN = {"<<<": "<  ", "<>": "< ", ";;&": ";; ", ";&": ";;", "\r": " "}

# In commands and in double quotes other characters mean something.
_IN_CODE = re.compile(
    r"""\\.|\$'(?:[^'\\]|\\.)*'|'[^']*'|["`\n()]|\$?\(\(|[$<>]\(|\$\{[^}"'`$]*\}|<<<|<<-?"""
    r"""|(?:^|(?<=[\s;&|()]))\#[^\n]*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_IN_QUOTES = re.compile(r'\\.|["`]|\$\(\(?', re.DOTALL)
_DELIMITER = re.compile(r"""[ \t]*((?:\\.|'[^']*'|"[^"]*"|[^\s;&|<>()'"\\`])+)""")


def mask(text: str) -> Masked:
    """Return `text` painted over, and the here-documents found in it."""
    heredocs: dict[int, Heredoc] = {}
    painted = text
    if "<<" in text.replace("<<<", ""):
        painted, heredocs = _Scanner(text).scan()
    if not painted.isascii() or not painted.isprintable():
        painted = _ODD.sub(lambda m: "\r" if m[0] == "\r" else "x", painted)
    if "\\'" in painted and "$'" in painted:
        painted = _QUOTES.sub(_ansi, painted)
    if "!" in painted or "time" in painted or "coproc" in painted:
        painted = _TIMED.sub(lambda m: m[1] + " " * len(m[2]), painted)
    if "(" in painted:
        painted = _PATTERN.sub(lambda m: "x" * len(m[0]), painted)
    if "for" in painted:
        painted = _LOOP.sub(r"\1;", painted)
    if "\\\n" in painted:
        painted = _JOINED.sub(lambda m: " " * len(m[0]), painted)
    painted = _SIGNS.sub(lambda m: _SIGN.get(m[0]) or "x" * len(m[0]), painted)
    return Masked(painted, heredocs)


def _ansi(found: re.Match[str]) -> str:
    return f"$'{'x' * (len(found[0]) - 3)}'" if found[0][0] == "$" else found[0]


class _Scanner:
    """Walks once over a script, knowing quotes and nesting, and lifts here-documents out."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[str] = []  # what is open: " ` ( or $(( as two "a"
        self._pending: list[tuple[int, str, bool, bool]] = []
        self._blank: list[tuple[int, int, str]] = []
        self._heredocs: dict[int, Heredoc] = {}

    def scan(self) -> tuple[str, dict[int, Heredoc]]:
        """Return the text with blanks for here-documents, as far as it was scanned."""
        at = 0
        for _ in range(MOST_STEPS):
            found = self._pattern().search(self._text, at)
            if found is None:
                at = len(self._text)
                break
            at = self._step(found)
        return self._painted(at), self._heredocs

    def _painted(self, end: int) -> str:
        parts, at = [], 0
        for start, stop, paint in self._blank:
            parts += [self._text[at:start], paint]
            at = stop
        return "".join([*parts, self._text[at:end]])

    def _pattern(self) -> re.Pattern[str]:
        return _IN_QUOTES if self._open and self._open[-1] == '"' else _IN_CODE

    def _step(self, found: re.Match[str]) -> int:
        sign = found[0]
        if sign in ('"', "`"):
            self._toggle(sign)
        elif sign == ")":
            if self._open and self._open[-1] in "(a":
                self._open.pop()
        elif sign.endswith("(("):
            self._open += ["a", "a"]
        elif sign.endswith("("):
            self._open.append("a" if self._open[-1:] == ["a"] and sign == "(" else "(")
        elif sign in ("<<", "<<-"):
            return self._operator(found)
        elif sign == "\n" and self._pending:
            return self._bodies(found.end())
        return found.end()

    def _toggle(self, sign: str) -> None:
        if self._open and self._open[-1] == sign:
            self._open.pop()
        else:
            self._open.append(sign)

    def _operator(self, found: re.Match[str]) -> int:
        word = _DELIMITER.match(self._text, found.end())
        if self._open[-1:] == ["a"] or word is None:
            return found.end()
        delimiter = unquote(word[1])
        self._pending.append((found.start(), delimiter, delimiter != word[1], found[0] == "<<-"))
        self._blank.append((found.start(), found.end(), "<".ljust(len(found[0]))))
        return word.end()

    def _bodies(self, at: int) -> int:
        for operator, delimiter, quoted, tabs in self._pending:
            indent = r"\t*" if tabs else ""
            close = r"(?=[)`]|\r?\n|\r?\Z)" if self._open else r"(?=\r?\n|\r?\Z)"
            end = re.compile(f"^{indent}{re.escape(delimiter)}{close}", re.MULTILINE)
            found = end.search(self._text, at)
            stop = found.start() if found else len(self._text)
            body = self._text[at:stop]
            if tabs:
                body = re.sub(r"^\t+", "", body, flags=re.MULTILINE)
            self._heredocs[operator] = Heredoc(body, at, quoted)
            after = found.end() if found else stop
            self._blank.append((at, after, " " * (after - at)))
            at = min(after + 1, len(self._text)) if self._text[after : after + 1] == "\n" else after
        self._pending = []
        return at


def paint_quotes(text: str) -> str:
    """Return a double-quoted text with the quotes inside it painted, substitutions aside.

    In a here-document a double quote is a character like others.
    """
    painted = list(text)
    stack: list[str] = []
    at = 1
    while at < len(text) - 1:
        pattern = _IN_CODE if stack and stack[-1] != '"' else _IN_QUOTES
        found = pattern.search(text, at, len(text) - 1)
        if found is None:
            break
        at, sign = found.end(), found[0]
        if sign == '"' and not stack:
            painted[found.start()] = "x"
        elif stack and sign == {"(": ")"}.get(stack[-1], stack[-1]):
            stack.pop()
        elif sign.endswith("("):
            stack += ["("] * (2 if sign.endswith("((") else 1)
        elif sign in ('"', "`"):
            stack.append(sign)
    return "".join(painted)
