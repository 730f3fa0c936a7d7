"""What a template may do is bounded: whatever is written in it, it ends soon, with a line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.sandbox import meter
from flightdeck.sandbox.environment import Environment, Fault

VALUES = {"xs": [1, 2]}
# 16,384 letters in `ns.s`.
LONG = (
    "{% set ns = namespace(s='ab') %}"
    "{% for i in range(13) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}"
)
# It would be run 100 times.
PASSES_NOTHING = "{{% for i in range(100) %}}{{% set x = {} %}}{{% endfor %}}"
ROUND_AND_ROUND = (
    "{% set ns = namespace() %}{% set ns.a = ns %}{% set xs = [ns, ns, ns, ns, ns, ns, ns, ns] %}"
    "{% for i in range(100) %}{% set x = xs | map(attribute='" + ".".join("a" * 100) + "') %}"
    "{% endfor %}"
)


def loops(depth: int, body: str = "") -> str:
    return "{% for i in range(1000) %}" * depth + body + "{% endfor %}" * depth


def render(text: str, *, markup: bool = True) -> str:
    return Environment({"t": text}.get, markup=markup).render("t", VALUES)


def fault(text: str) -> Fault:
    with pytest.raises(Fault) as caught:
        render(text)
    return caught.value


STEPS, LETTERS, NUMBER = "steps", "characters", "number"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{ range(10**9) | length }}", "a range of more than 1000"),
        (loops(6), STEPS),
        (loops(2, "{% if 'b' in 'aaaa' %}{% endif %}"), STEPS),
        ("{% for a in range(1000) if xs == xs == xs %}{% endfor %}" * 9, STEPS),
        (LONG + loops(2, "{% if 'c' in ns.s %}{% endif %}"), STEPS),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "30 deep"),
        ("{% block a %}{{ self.a() }}{% endblock %}", "30 deep"),
        (
            "{% macro m(n) %}{% if n %}{{ m(n-1) ~ m(n-1) }}{% endif %}{% endmacro %}{{ m(28) }}",
            STEPS,
        ),
        ("{% include 't' %}", STEPS),
        ("{% extends 't' %}", STEPS),
        ("{% import 't' as t %}", "is nested too deep"),
        ("{{ 'a' * 10**9 }}", "'*' takes no str"),
        ("{{ [1] * 10**9 }}", "'*' takes no list"),
        ("{{ '%1000000000d' % 5 }}", "'%' takes no str"),
        ("{{ '{:>1000000000}'.format(1) }}", "'format' may not be called"),
        ("{{ 'a'.center(10**9) }}", "'center' may not be called"),
        ("{{ '%1000000000d' is divisibleby(5) }}", "only numbers are divided"),
        ("{{ 10**10**10 }}", NUMBER),
        ("{{ 2**65 }}", "a power beyond 64"),
        ("{{ 10**15 + 1 }}", NUMBER),
        ("{{ 1.5 | round(10**9, 'ceil') }}", "a precision is 0 to 15"),
        (LONG + "{% for i in xs * 1 %}{% endfor %}", "'*' takes no list"),
        (LONG + "{{ ns.s ~ ns.s ~ ns.s ~ ns.s ~ ns.s ~ ns.s ~ ns.s ~ ns.s }}", LETTERS),
        (LONG + "{{ range(1000) | join(ns.s) }}", LETTERS),
        (LONG + "{{ ns.s | replace('a', ns.s) }}", LETTERS),
        (LONG + "{{ ns.s | replace('', ns.s) }}", LETTERS),
        (LONG + "{% set a %}{{ ns.s }}{{ ns.s }}{{ ns.s }}{% endset %}{{ a }}", LETTERS),
        (LONG + "{{ [ns.s, ns.s] | map('upper') | map('lower') | join }}", LETTERS),
        (loops(1, "x" * 121), LETTERS),
        (
            "{% set ns = namespace(x=[1]) %}" + loops(1, "{% set ns.x = [ns.x, ns.x] %}"),
            STEPS,
        ),
        (
            "{% set ns = namespace(x=[1]) %}" + loops(1, "{% set ns.x = ns.x + ns.x %}"),
            STEPS,
        ),
        ("{{ [-10**9] | map(' run') | list | length }}" + loops(3), STEPS),
        # What passes nothing on has looked through all of it.
        (PASSES_NOTHING.format("range(1000) | select('string')"), STEPS),
        (PASSES_NOTHING.format("range(1000) | reject('number')"), STEPS),
        (PASSES_NOTHING.format("range(1000) | max"), STEPS),
        (PASSES_NOTHING.format("range(1000) | rejectattr('real', 'defined')"), STEPS),
        (ROUND_AND_ROUND, STEPS),
        ("{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}", "is nested too deep"),
        ("{% for a in xs %}" * 30 + "{% endfor %}" * 30, "too many statically nested blocks"),
        ("{{ " + "9" * 5_000 + " }}", "digits"),
    ],
)
def test_what_would_go_on_or_grow_is_ended(text: str, told: str) -> None:
    assert told in fault(text).message


def test_list_that_is_shared_is_never_written_out() -> None:
    doubled = "{% set ns.x = namespace(a=ns.x, b=ns.x) %}"
    text = "{% set ns = namespace(x=1) %}" + loops(1, doubled) + "{{ ns.x | e }}"
    assert fault(text).message.startswith("a Namespace cannot be written as text")


def test_each_rendering_has_all_of_what_one_may_do() -> None:
    environment = Environment(
        {"t": "{% for i in range(900) %}{{ i }}{% endfor %}"}.get, markup=True
    )
    assert len({environment.render("t", {}) for _ in range(40)}) == 1


def test_what_is_counted_is_only_what_is_run() -> None:
    assert render("{% if false %}" + loops(4) + "{% endif %}x") == "x"


def test_nothing_is_counted_outside_of_a_rendering() -> None:
    assert meter.run(10**9, 10**9) == ""


PIECES = (
    *(
        "{{ xs }}",
        "{{ a }}",
        "{% set a = 'x' %}",
        "{% for a in xs %}",
        "{% endfor %}",
        "{% if a %}",
    ),
    *(
        "{% endif %}",
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "'",
        '"',
        "|",
        "(",
        ")",
        "[",
        "]",
        ".",
        "~",
        "**",
    ),
    *(
        "{% macro m(a) %}",
        "{% endmacro %}",
        "{{ m(1) }}",
        "{% include 't' %}",
        "range(999)",
        "\n",
        "a",
    ),
    *(
        "{% set a %}",
        "{% endset %}",
        "{% filter upper %}",
        "{% endfilter %}",
        "{% raw %}",
        "-",
        "5.a",
    ),
    *(
        "{{ xs[0].a }}",
        "{{ 5[a] }}",
        "{% extends xs %}",
        "{% import a as b %}",
        "\x00",
        "\ud800",
        "%",
    ),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=24))
def test_any_template_renders_or_has_a_fault(pieces: list[str]) -> None:
    found: list[Fault] = []
    try:
        render("".join(pieces))
    except Fault as told:
        found.append(told)
    assert all(one.name == "t" and one.message.isprintable() for one in found)
