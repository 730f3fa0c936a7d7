"""A hook is a line of sh that names absolute paths and carries our mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.install.snippets import Kind, Site, is_ours, render_hook

SITE = Site(Path("/opt/flightdeck"), Path("/home/me/.fleet"))


@pytest.mark.parametrize("kind", Kind)
def test_rendered_hook_carries_the_mark(kind: Kind) -> None:
    command = render_hook(kind, "Stop", SITE)
    assert command.endswith(f"# flightdeck:1:{kind.value}")
    assert is_ours(command)


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("anything # flightdeck:0:spool", True),
        ("anything # flightdeck:12:latch \n", True),
        ("flightdeck reap", False),
        ("x # flightdeck:1:spool; y", False),
        ("x # flightdeck::spool", False),
        (None, False),
        ({"any": True}, False),
    ],
)
def test_mark_at_the_end_alone_says_what_is_ours(command: object, ours: bool) -> None:
    assert is_ours(command) is ours


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\x1b", "\udcff"])
def test_path_that_cannot_stand_in_a_line_of_text_is_refused(name: str) -> None:
    with pytest.raises(FlightdeckError, match="cannot be written into a hook"):
        render_hook(Kind.SPOOL, "Stop", Site(Path("/opt") / name, Path("/home/me/.fleet")))


def test_path_with_spaces_and_quotes_is_quoted() -> None:
    command = render_hook(Kind.SPOOL, "Stop", Site(Path("/opt/it's here"), Path("/h/.fleet")))
    assert """test -x '/opt/it'"'"'s here' """ in command
