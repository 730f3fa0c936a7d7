"""A deep link is given only to a client that is known to read it as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused
from flightdeck.install.links import must_be_safe

if TYPE_CHECKING:
    from tests.install.home import Home


@pytest.mark.parametrize("version", ["2.1.118", "2.1.332", "3.0.0"])
def test_client_since_the_fix_is_given_links(home: Home, version: str) -> None:
    home.install_client(f"{version} (Claude Code)")
    must_be_safe(home.environ)


@pytest.mark.parametrize(
    ("answer", "told"), [("2.1.117 (Claude Code)", "2.1.117"), ("who knows", "unknown")]
)
def test_older_or_unknown_client_is_to_be_updated(home: Home, answer: str, told: str) -> None:
    home.install_client(answer)
    with pytest.raises(Refused, match="update Claude Code") as caught:
        must_be_safe(home.environ)
    assert caught.value.hint.startswith(f"its version is {told};")


def test_without_a_client_no_link_is_opened(home: Home) -> None:
    with pytest.raises(Refused, match="update Claude Code"):
        must_be_safe(home.environ)
