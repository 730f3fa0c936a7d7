"""Reads PowerShell text into the commands that stand in it, nested ones included.

Not the language: enough of it to know which words are commands and which are only text.
An expression is told as `write-output` of its words, for that is what it does. A method
call is a command named after the method (`io.directory::delete`, `.downloadstring`).
It knows nothing of shells within shells; that is `powershell.py`'s.

Source: Microsoft Learn, "about_Parsing", "about_Quoting_Rules", "about_Operators".
"""

from __future__ import annotations

import re
from dataclasses import replace

from flightdeck.model.shell import Feed, Invocation, Redirect, Script, Word
from flightdeck.risk.powershell_names import Parts, command

_MAX_DEPTH = 24
_MAX_COMMANDS = 150
_MAX_UPSTREAM = 12
_MAX_WORDS = 500

_BLANK = re.compile(r"(?:[ \t\r\f\v\u00a0]|`\r?\n|<#.*?(?:#>|\Z)|#[^\n]*)+", re.DOTALL)
_STOP = re.compile(r"[\n;]|&&|\|\||&(?=\s*(?:\n|;|\Z|\)|\}))")
_ASSIGNS = re.compile(
    r"(?:\[[\w.\[\]]+\]\s*)?(?:\$(?P<name>[\w:]+)|[A-Za-z_]\w*)\s*[-+*/%]?=(?!=)\s*"
)
_KEYWORD = re.compile(
    r"(?:if|elseif|else|while|until|for|foreach(?=\s*\()|switch|do|try|catch|finally|return|throw"
    r"|trap|begin|process|end|param|(?:function|filter)\s+[\w:-]+|\$\w+\s+in)(?![\w-])\s*",
    re.IGNORECASE,
)
_EXPRESSION = re.compile(r"[\"'$(\[@{!+\d-]|,")
_REDIRECT = re.compile(r"[*\d]?(>>?|<)(&\d)?[ \t]*")
_BARE = re.compile(r"[^\s'\"`$(){};|&,<>@]+")
_METHOD = re.compile(r"(?:\[(?:system\.)?([\w.]+)\]::|(\.))(\w+)\Z", re.IGNORECASE)
_VARIABLE = re.compile(r"\$(?:\{([^}]*)\}|([\w:?]+|[$^]))")
_SINGLE = re.compile(r"'([^']*(?:''[^']*)*)'(?!')")
_HERE_END = {"'": re.compile(r"\n'@"), '"': re.compile(r'\n"@')}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def read(text: str) -> Script:
    """Return the commands of `text` in the order they end; nested ones come first."""
    reader = _Reader(text)
    reader.statements("")
    return Script(tuple(reader.found), reader.opaque)


class _Reader:
    """One pass over the text; `found` fills as commands end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.found: list[Invocation] = []
        self.opaque = False
        self.values: dict[str, str] = {}

    def statements(self, closer: str) -> None:
        """Read statements up to `closer`, which is passed; up to the end if it is empty."""
        self.depth += 1
        while self.at < len(self.text) and not self._is_spent():
            self._skip_blank()
            sign = self.text[self.at : self.at + 1]
            if sign and sign == closer:
                self.at += 1
                break
            if stop := _STOP.match(self.text, self.at):
                self.at = stop.end()
            elif sign in (")", "}", "|", "&&", ","):
                self.at += 1
            elif sign:
                self._statement()
        else:
            self.opaque = self.opaque or bool(closer)
        self.depth -= 1

    def _is_spent(self) -> bool:
        """Whether a bound is reached; the rest of the text is then left unread."""
        spent = self.depth > _MAX_DEPTH or len(self.found) >= _MAX_COMMANDS
        return spent and not self._give_up()

    def _give_up(self) -> bool:
        """Leave the rest of the text unread; always False."""
        self.opaque, self.at = True, len(self.text)
        return False

    def _statement(self) -> None:
        self._pass(_KEYWORD)
        self._skip_blank()
        name = ""
        if assigns := _ASSIGNS.match(self.text, self.at):
            name, self.at = (assigns["name"] or "").lower(), assigns.end()
        first = len(self.found)
        only = self._pipeline(first)
        if name and only is not None and len(only.words) == 1 and only.words[0].literal:
            self.values[name] = only.words[0].text

    def _pipeline(self, first: int) -> Invocation | None:
        """Read one pipeline; return its element if it is a single plain expression."""
        count, last = 0, None
        while not self._is_spent():
            self._skip_blank()
            last = self._element(tuple(self.found[first:][-_MAX_UPSTREAM:]) if count else ())
            count += 1
            self._skip_blank()
            if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
                break
            self.at += 1
            self._pass(re.compile(r"\s+"))
        plain = last is not None and last.path is None and count == 1
        return last if plain else None

    def _element(self, upstream: tuple[Invocation, ...]) -> Invocation | None:
        start, before = self.at, len(self.found)
        called = self._pass(re.compile(r"&\s*"))
        dotted = not called and self._pass(re.compile(r"\.(?=[\s'\"$])"))
        expression = not called and not dotted and _EXPRESSION.match(self.text, self.at) is not None
        words, redirects = self._words()
        inner = tuple(self.found[before:])
        if self.at == start:
            self.at = min(self.at + 1, len(self.text))  # it begins nothing: step over it
            return None
        made = command(words, expression=expression, dotted=dotted)
        if made is None:
            return None
        made = replace(
            made,
            span=(start, self.at),
            redirects=tuple(redirects),
            upstream=upstream,
            sources=inner,
            feed=Feed.PIPE if upstream else Feed.NONE,
            more=bool(upstream or inner),
        )
        self.found.append(made)
        return made

    def _words(self) -> tuple[list[Word], list[Redirect]]:
        words: list[Word] = []
        redirects: list[Redirect] = []
        while len(words) < _MAX_WORDS or self._give_up():
            self._skip_blank()
            if self.text.startswith("--%", self.at):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                words += [
                    Word(part, (self.at, end)) for part in self.text[self.at + 3 : end].split()
                ]
                self.at = end
            elif redirect := _REDIRECT.match(self.text, self.at):
                self.at = redirect.end()
                target = self._word() if redirect[2] is None else None
                if target is not None and target.text.lower() != "$null":
                    redirects.append(Redirect(redirect[1], target))
            elif self.text.startswith(",", self.at):
                self.at += 1
            else:
                word = self._word()
                if word is None:
                    return words, redirects
                words.append(word)
        return words, redirects

    def _word(self) -> Word | None:
        parts = Parts(self.at)
        more = True
        while more and self.at < len(self.text):
            more = self._piece(parts)
        return parts.word(self.at) if self.at > parts.start else None

    def _piece(self, parts: Parts) -> bool:
        """Read the next piece of a word into `parts`; False where the word ends."""
        sign, pair = self.text[self.at], self.text[self.at : self.at + 2]
        if sign == "'":
            parts.add(self._single(), quoted=True)
        elif sign == '"':
            self._double(parts)
        elif pair in ("@'", '@"'):
            self._here(parts)
        elif sign == "`" and self.at + 1 < len(self.text):
            parts.add(self.text[self.at + 1])
            self.at += 2
        elif sign in "({" or pair in ("$(", "@(", "@{"):
            self._nested(parts)
        elif sign in "$@":
            self._variable(parts)
        elif bare := _BARE.match(self.text, self.at):
            parts.add(bare[0])
            self.at = bare.end()
        else:
            return False
        return True

    def _nested(self, parts: Parts) -> None:
        """Read `( )` or `{ }`: commands of their own, or the arguments of a method."""
        start, before = self.at, len(self.found)
        method = _METHOD.search("".join(parts.text)) if self.text[start] == "(" else None
        self.at += 1 if self.text[start] in "({" else 2
        self.statements(")" if self.text[self.at - 1] == "(" else "}")
        if method is not None:
            name = f"{method[1]}::{method[3]}" if method[1] else f".{method[3]}"
            inner = tuple(self.found[before:])
            plain = [item for item in inner if item.path is None]
            given = tuple(word for item in plain for word in item.words)
            self.found.append(
                Invocation(
                    name.lower(), given, (parts.start, self.at), parts.word(start), sources=inner
                )
            )
        parts.add(self.text[start : self.at], literal=False, quoted=True)

    def _variable(self, parts: Parts) -> None:
        found = _VARIABLE.match(self.text, self.at)
        if found is None:
            parts.add(self.text[self.at])
            self.at += 1
            return
        self.at = found.end()
        value = self.values.get((found[1] or found[2] or "").lower())
        parts.add(found[0] if value is None else value, literal=value is not None)

    def _single(self) -> str:
        found = _SINGLE.match(self.text, self.at)
        if found is None:  # not closed: all of the rest
            self.opaque = True
            rest, self.at = self.text[self.at + 1 :], len(self.text)
            return rest
        self.at = found.end()
        return found[1].replace("''", "'")

    def _double(self, parts: Parts) -> None:
        self.at += 1
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == '"' and self.text[self.at + 1 : self.at + 2] != '"':
                self.at += 1
                parts.quoted = True
                return
            self._inside(parts, sign, '"')
        self.opaque = True

    def _inside(self, parts: Parts, sign: str, doubled: str) -> None:
        """Read one piece of text in which variables and `$( )` are still looked for."""
        if sign == doubled:
            parts.add(sign, quoted=True)
            self.at += 2
        elif sign == "`" and self.at + 1 < len(self.text):
            letter = self.text[self.at + 1]
            parts.add(_ESCAPES.get(letter, letter), quoted=True)
            self.at += 2
        elif self.text.startswith("$(", self.at):
            self._nested(parts)
        elif sign == "$":
            self._variable(parts)
        else:
            run = re.compile(r'[^"`$]+' if doubled else r"[^`$]+").match(self.text, self.at)
            parts.add(run[0] if run else sign, quoted=True)
            self.at = run.end() if run else self.at + 1

    def _here(self, parts: Parts) -> None:
        quote = self.text[self.at + 1]
        close = _HERE_END[quote].search(self.text, self.at + 2)
        end = len(self.text) if close is None else close.start()
        body = self.text[self.at + 2 : end].partition("\n")[2]
        self.opaque = self.opaque or close is None
        self.at = end if close is None else close.end()
        if quote == "'":
            parts.add(body, quoted=True)
        else:
            inner = _Reader(body)
            inner.depth, inner.values = self.depth + 1, self.values
            while inner.at < len(body) and inner.depth <= _MAX_DEPTH:
                inner._inside(parts, body[inner.at], "")
            self.found += inner.found
            parts.quoted = True

    def _skip_blank(self) -> None:
        self._pass(_BLANK)

    def _pass(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return bool(found and found[0])
