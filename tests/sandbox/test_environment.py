"""What a template can do, what it may not touch, and how a failure names its line."""

from __future__ import annotations

from typing import Any

import pytest

from flightdeck.sandbox.environment import Environment, Fault


def render(text: str, markup: bool = True, **values: Any) -> str:
    return Environment({"t": text}.get, markup=markup).render("t", values)


def fault(text: str, **values: Any) -> tuple[int, str]:
    with pytest.raises(Fault) as caught:
        render(text, **values)
    return caught.value.line, caught.value.message


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("{{ '<' ~ 1 }}", "&lt;1"),
        ("{{ '<' ~ ('<' | safe) }}", "&lt;<"),
        ("{{ ['<', '>'] | join('&' | safe) }}", "&lt;&&gt;"),
        ("{{ xs | join(' ') }}", "1 2.5 c"),
        ("{{ [{'a': 1}, {'a': 2}] | join('-', 'a') }}", "1-2"),
        ("{{ 'a<a' | replace('a', 'b', 1) }}", "b&lt;a"),
        ("{{ ('<i>' | safe) | replace('i', '<') }}", "<&lt;>"),
        (
            "{{ 2.346 | round(2) }} {{ 2.341 | round(2, 'ceil') }} {{ 2.9 | round | int }}",
            "2.35 2.35 3",
        ),
        ("{{ 2.9 | round(0, 'floor') }} {{ -7 // 2 }} {{ 7 % 4 }} {{ 2**10 }}", "2.0 -4 3 1024"),
        ("{{ [1] + [2] == [1, 2] }} {{ (1,) + (2,) == (1, 2) }} {{ 'a' + 'b' }}", "True True ab"),
        ("{{ 5 | string ~ 'x' }} {{ ' a ' | trim }} {{ 'b' | upper | safe }}", "5x a B"),
        ("{{ 4 is even }} {{ 4 is odd }} {{ 9 is divisibleby(3) }}", "True False True"),
        ("{% for a in xs %}{{ loop.cycle('x', 'y') }}{{ loop.index }}{% endfor %}", "x1y2x3"),
        ("{% for a, b in {'k': 1} | items %}{{ a }}{{ b }}{% endfor %}", "k1"),
        ("{% for a in xs | map('string') if a == 'c' %}{{ a }}{% else %}-{% endfor %}", "c"),
        (
            "{% macro m(a, b=2) %}{{ a ~ b ~ caller() }}{% endmacro %}{% call m(1) %}{% endcall %}",
            "12",
        ),
        (
            "{% set n = namespace(n=0) %}{% for a in xs %}{% set n.n=n.n+1 %}{% endfor %}{{ n.n }}",
            "3",
        ),
        ("{% filter upper %}a{% endfilter %}{% set a %}b{% endset %}{{ a }}{{ none }}", "AbNone"),
        ("{% block a %}x{% endblock %}{{ self.a() }}", "xx"),
        (
            "{{ [3, 1] | sort | first }}{{ [3, 1] | max }}{{ [[1], [2]] | sum(start=[]) | last }}",
            "132",
        ),
    ],
)
def test_template_can(text: str, made: str) -> None:
    assert render(text, xs=(1, 2.5, "c")) == made


def test_text_that_is_no_markup_is_not_escaped() -> None:
    assert render("{{ '<' ~ ('>' | safe) }}{{ ['<'] | join }}", markup=False) == "<><"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{ ''.__class__ }}", "access to attribute '__class__' of 'str' object is unsafe"),
        ("{{ xs.append(1) }}", "access to attribute 'append' of 'list' object is unsafe"),
        ("{{ xs.index(1) }}", "'index' may not be called"),
        ("{{ xs() }}", "'list' may not be called"),
        ("{{ xs }}", "a list cannot be written as text (TypeError)"),
        ("{{ 'a' ~ xs }}", "a list cannot be written as text (TypeError)"),
        ("{{ xs | upper }}", "a list cannot be written as text (TypeError)"),
        ("{{ xs | random }}", "no filter named 'random'"),
        ("{{ xs is escaped }}", "no test named 'escaped'"),
        ("{{ lipsum() }}", "'lipsum' is undefined"),
        (
            "{% for a in xs recursive %}{{ loop([1]) }}{% endfor %}",
            "'LoopContext' may not be called",
        ),
        ("{{ nope }}", "'nope' is undefined"),
        ("{{ nope() }}", "'nope' is undefined"),
        ("{{ nope + 1 }}", "'nope' is undefined"),
        ("{{ 1 + nope }}", "'nope' is undefined"),
        ("{{ 'a' ~ nope }}", "'nope' is undefined"),
        ("{% for a in nope %}{% endfor %}", "'nope' is undefined"),
        ("{{ 1 // 0 }}", "integer division or modulo by zero (ZeroDivisionError)"),
        ("{{ 2 | round(1, 'up') }}", "a way to round is common, ceil or floor (ValueError)"),
        ("{% include 'other' %}", "there is no template 'other'"),
        ("{% if %}", "expected an expression, got 'end of statement block'"),
    ],
)
def test_template_may_not(text: str, told: str) -> None:
    assert fault(f"\n{text}", xs=[1]) == (2, told)


def test_fault_is_in_the_innermost_template() -> None:
    files = {
        "t": "\n{% import 'm' as m %}{{ m.a() }}",
        "m": "\n\n{% macro a() %}\n{{ b }}{% endmacro %}",
    }
    with pytest.raises(Fault) as caught:
        Environment(files.get, markup=True).render("t", {})
    assert (caught.value.name, caught.value.line, caught.value.unknown) == ("m", 4, "b")


def test_attribute_nobody_has_is_named() -> None:
    with pytest.raises(Fault) as caught:
        render("{{ view.colour }}", view=object())
    assert caught.value.unknown == "colour"


def test_syntax_of_an_included_template_is_its_own_fault() -> None:
    environment = Environment({"t": "{% include 'm' %}", "m": "\n{{"}.get, markup=True)
    environment.compile("t")
    with pytest.raises(Fault) as caught:
        environment.render("t", {})
    assert (caught.value.name, caught.value.line) == ("m", 2)


def test_template_that_is_another_by_now_is_read_again() -> None:
    files = {"t": "a"}
    environment = Environment(files.get, markup=True)
    first = environment.render("t", {})
    files["t"] = "b"
    assert (first, environment.render("t", {})) == ("a", "b")


def test_template_that_cannot_be_fetched_is_a_fault() -> None:
    def find(name: str) -> str:
        raise OSError("no such device")

    with pytest.raises(Fault, match="no such device"):
        Environment(find, markup=True).compile("t")
