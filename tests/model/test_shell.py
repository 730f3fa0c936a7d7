"""Shell commands as values: what is true of one nobody said more about."""

from __future__ import annotations

from flightdeck.model.shell import Code, Feed, Invocation, Programs, Rest, Script, Wrapper


def test_an_invocation_is_fed_by_nothing_unless_it_is_said() -> None:
    one = Invocation("ls")
    assert (one.feed, one.upstream, one.sources, one.text) == (Feed.NONE, (), (), "")


def test_a_script_of_nothing_is_empty_and_was_read() -> None:
    assert Script() == Script((), opaque=False, bomb=None)


def test_a_wrapper_runs_nothing_unless_it_is_said() -> None:
    assert Wrapper().rest is Rest.NONE
    assert not Wrapper().code


def test_code_is_the_whole_value_unless_it_is_said() -> None:
    assert Code("-c").after == ""


def test_programs_know_nothing_by_themselves() -> None:
    told = Programs()
    assert (told.wrappers, told.interpreters) == ({}, {})
    assert told.shells == told.dashed == frozenset()
