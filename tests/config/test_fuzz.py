"""Whatever stands in a file, it becomes a layout, a verb or problems, never another error.

And strictyaml has the last word: what it refuses is never taken for a layout.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import strictyaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flightdeck import shipped
from flightdeck.config.compiling import compile_layout
from flightdeck.config.document import parse_document
from flightdeck.config.fragments import Fragment, load_fragments
from flightdeck.config.frontmatter import LINE_CHARS
from flightdeck.config.layouts import load_layout
from flightdeck.config.local import compile_local
from flightdeck.config.report import render_github, render_text
from flightdeck.config.resolving import resolved
from flightdeck.config.risk import compile_risk
from flightdeck.config.verbs import parse_verb, read_verb
from flightdeck.errors import ConfigError
from flightdeck.model.local import Local
from flightdeck.model.risk import Table
from tests.config.layers import problems
from tests.config.panels import SMALLEST, shipped_verbs, with_keys
from tests.config.written import LAYOUTS, Leaf, Tree, spoilt, write

if TYPE_CHECKING:
    from flightdeck.errors import Problem
    from flightdeck.model.layout import Layout

LONG = (shipped.folder("layouts") / "xl.yaml").read_text(encoding="utf-8")
SHORT = with_keys(
    "1: slot 30", "2:", "  bind: open app X", "  label: Notes", "3: steer justify", fill=True
)

LINES = st.sampled_from(
    [*LONG.splitlines(), *SHORT.splitlines(), "a:", "- b", "- # c", "  d", "", "# e", "? f", "---"]
)
PIECES = st.sampled_from(
    [*"\t\0\r\n:#-'\"[]{}&*!|>%@`?,", "\ufeff", "\u2028", "\x1b", "<<: ", "é", "\U0001f6a6"]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw a good layout with some pieces put in, taken out or doubled."""
    text = draw(st.sampled_from([SHORT, LONG, SMALLEST]))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(st.one_of(PIECES, st.just(text[at:end] * 2))) + text[end:]
    return text


def layout_of(text: str) -> Layout | None:
    try:
        document = resolved(Path("fuzz.yaml"), parse_document(text, "fuzz.yaml"), None)
        return compile_layout("fuzz", document, shipped_verbs())
    except ConfigError as error:
        check(error.problems)
        return None


def check(problems: tuple[Problem, ...]) -> None:
    assert problems
    assert all(problem.message and problem.hint for problem in problems)
    render_text(problems)
    render_github(problems)


def strictyaml_refuses(text: str) -> bool:
    try:
        strictyaml.load(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    except Exception:
        return True
    return False


@given(mutated())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutated_layout_is_a_layout_or_problems(text: str) -> None:
    if layout_of(text) is not None:
        assert not strictyaml_refuses(text)


PARENTS = st.sampled_from(["xl", "row1", "./below.yaml", "below", "./top.yaml", "", "'a", "- b"])


@given(mutated(), mutated(), PARENTS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mutated_layout_on_a_mutated_parent_is_a_layout_or_problems(
    tmp_path: Path, text: str, below: str, parent: str
) -> None:
    check_if_any(problems(tmp_path, f"extends: {parent}\n{text}", below=below))
    check_if_any(problems(tmp_path, f"extends: {parent}\n", below=f"extends: xl\n{below}"))


@given(LAYOUTS, spoilt())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_spoilt_layouts_on_one_another_are_a_layout_or_problems(
    tmp_path: Path, good: Tree, bad: Tree
) -> None:
    for below, top in ((good, bad), (bad, good)):
        text = write({"extends": Leaf("below"), **(top if isinstance(top, dict) else {})})
        check_if_any(problems(tmp_path, text, below=write(below)))


def check_if_any(found: tuple[Problem, ...]) -> None:
    if found:
        check(found)


RISK = (shipped.folder("risk") / "default.yaml").read_text(encoding="utf-8").splitlines()
RISK_LINES = st.sampled_from([line for line in RISK if line.strip()][:400])


@given(st.lists(st.one_of(RISK_LINES, PIECES), max_size=20).map("\n".join), PIECES)
@settings(max_examples=150)
def test_shuffled_rules_are_a_table_or_problems(text: str, piece: str) -> None:
    for tried in (text, f"rules:\n{text}", f"targets:\n  a: /b\nrules:\n  x:\n    {piece}\n{text}"):
        try:
            document = parse_document(tried, "risk.yaml")
        except ConfigError as error:
            check(error.problems)
        else:
            check_if_any(compile_risk(Path("risk.yaml"), document, Table(), local=True).problems)


@given(st.lists(LINES, max_size=12).map("\n".join))
@settings(max_examples=300, deadline=None)
def test_shuffled_lines_are_a_layout_or_problems(text: str) -> None:
    if layout_of(text) is not None:
        assert not strictyaml_refuses(text)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map("".join)))
@settings(max_examples=300, deadline=None)
def test_garbage_is_problems(text: str) -> None:
    assert layout_of(text) is None
    with contextlib.suppress(ConfigError):
        compile_local(parse_document(text, "local.yaml"))


RULES = {"_common": Fragment("Ask first."), "_common-git": Fragment("Never force.")}
FRONT = st.sampled_from(
    [
        *("---", "--- ", "kind: steer", "kind: prompt", "kind: key", "label: X", "confirm: yes"),
        *("common: git", "requires: idle", "id: a", "kind:", "- x", "...", "", "Escape", "Say it."),
        *("{{flightdeck}} fail", "{{x}}", "{{", "requires: working", "Enter", "confirm: no"),
    ]
)


@given(st.one_of(st.lists(FRONT, max_size=9).map("\n".join), st.text(max_size=100)), PIECES)
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_verb_or_problems(text: str, piece: str) -> None:
    for tried in (text, "---\n" + text, f"---\nkind: steer\n{piece}---\n{text}"):
        try:
            verb = parse_verb("a", tried, "a.md", RULES)
        except ConfigError as error:
            check(error.problems)
        else:
            assert verb.text.strip() == verb.text != ""
            assert len(verb.label) <= LINE_CHARS


@given(st.binary(max_size=200))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_bytes_on_disk_are_problems(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "fuzz.yaml"
    path.write_bytes(raw)
    with contextlib.suppress(ConfigError):
        assert load_layout(path, Local()) is None


WRITTEN = st.one_of(
    st.binary(max_size=200),
    st.binary(max_size=60).map(lambda raw: b"---\nkind: prompt\n---\n" + raw),
    st.binary(max_size=60).map(lambda raw: b"---\n" + raw + b"\n---\nSay it.\n"),
)


@given(WRITTEN, WRITTEN)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_bytes_in_a_folder_of_verbs_are_texts_or_problems(
    tmp_path: Path, verb: bytes, fragment: bytes
) -> None:
    (tmp_path / "a.md").write_bytes(verb)
    (tmp_path / "_common.md").write_bytes(fragment)
    fragments = load_fragments(tmp_path)
    check(fragments["_common-git"].problems)
    try:
        sent = read_verb(tmp_path / "a.md", fragments).text
    except ConfigError as error:
        check(error.problems)
    else:
        assert "\r" not in sent
        assert sent.strip() == sent != ""
