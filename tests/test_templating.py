"""Templates as text, shipped and own: who wins, and where a problem is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.errors import ConfigError, Problem
from flightdeck.templating import Source, Templates, render_markup, render_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Render = Callable[[str, Mapping[str, object]], str]

KEY = "faces/key.svg.j2"
MARKS = "faces/marks.svg.j2"


def one(text: str, name: str = KEY, *, own: bool = False) -> Source:
    return Source(name, f"{'own' if own else 'shipped'}/{name}", text, own=own)


def problem_of(*sources: Source, **values: object) -> Problem:
    with pytest.raises(ConfigError) as caught:
        Templates(sources, markup=True).render(KEY, values)
    (problem,) = caught.value.problems
    return problem


def test_own_template_wins_and_may_include_the_shipped_ones() -> None:
    sources = [one("x"), one("m", MARKS), one(f"own {{% include '{MARKS}' %}}", own=True)]
    templates = Templates(sources, markup=True)
    assert templates.render(KEY, {}) == "own m"
    assert templates.own == (KEY,)


def test_shipped_template_of_the_same_name_is_still_there() -> None:
    base = one("a{% block b %}{% endblock %}")
    own = one(f"{{% extends 'shipped/{KEY}' %}}{{% block b %}}b{{% endblock %}}", own=True)
    assert Templates([base, own], markup=True).render(KEY, {}) == "ab"


def test_values_are_escaped_in_markup_alone() -> None:
    source = [one("{{ a }}")]
    made = [Templates(source, markup=markup).render(KEY, {"a": "<"}) for markup in (True, False)]
    assert made == ["&lt;", "<"]


def test_every_broken_template_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        Templates([one("{{"), one("{% if %}", MARKS)], markup=True)
    assert [problem.location.file for problem in caught.value.problems] == [
        f"shipped/{KEY}",
        f"shipped/{MARKS}",
    ]


@pytest.mark.parametrize(
    ("text", "where", "width", "hint"),
    [
        ("\n  {{ viev }}", "2:6", 4, "did you mean 'view'?"),
        ("\n  {{ nothing_like_it }}", "2:6", 15, "templates/README.md says what there is"),
        ("\n  a {{ 1 // 0 }}", "2:5", 1, "templates/README.md says what there is"),
        ("\n  {% include 'faces/mark.svg.j2' %}", "2:15", 17, f"did you mean '{MARKS}'?"),
        (
            "{% for a in view %}\n  a\n{% endfor %}",
            "1:1",
            1,
            "templates/README.md says what there is",
        ),
    ],
)
def test_problem_has_line_column_and_what_may_have_been_meant(
    text: str, where: str, width: int, hint: str
) -> None:
    problem = problem_of(one(text), one("", MARKS), view=5)
    assert str(problem.location) == f"shipped/{KEY}:{where}"
    assert (problem.width, problem.hint) == (width, hint)
    assert problem.source == text.split("\n")[problem.location.line - 1]


def test_problem_without_a_line_is_one_of_the_whole_file() -> None:
    problem = problem_of(one("{{ " + "(" * 5_000 + " }}"))
    assert str(problem.location) == f"shipped/{KEY}"


def test_problem_of_an_own_template_names_its_file() -> None:
    marks = one("\n{% macro a() %}{{ b }}{% endmacro %}", MARKS, own=True)
    problem = problem_of(one(f"{{% import '{MARKS}' as m %}}{{{{ m.a() }}}}"), marks)
    assert str(problem.location) == f"own/{MARKS}:2:19"


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "folder", lambda _: tmp_path)
    return tmp_path


@pytest.mark.parametrize(("render", "made"), [(render_markup, "&lt;"), (render_text, "<")])
def test_shipped_template_is_the_one_on_disk(ship: Path, render: Render, made: str) -> None:
    (ship / "a.j2").write_text("{{ a }}", encoding="utf-8")
    first = render("a.j2", {"a": "<"})
    (ship / "a.j2").write_text("{{ a }}!", encoding="utf-8")
    assert (first, render("a.j2", {"a": "<"})) == (made, f"{made}!")


@pytest.mark.parametrize(
    ("text", "told"),
    [(b"{{ b }}", "templates/a.j2:1:1: 'b' is undefined"), (b"\xff", "templates/a.j2: 'utf-8'")],
)
def test_shipped_template_that_is_broken_is_told(ship: Path, text: bytes, told: str) -> None:
    (ship / "a.j2").write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        render_text("a.j2", {})
    problem = caught.value.problems[0]
    assert f"{problem.location}: {problem.message}".startswith(told)


def test_shipped_template_that_is_not_there_is_told(ship: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        render_text("b.j2", {})
    assert caught.value.problems[0].message == "there is no template 'b.j2'"
