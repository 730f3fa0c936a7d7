"""Session ids that may stand in a file name, and those that may not."""

from __future__ import annotations

import pytest

from flightdeck.store.names import is_file_name


@pytest.mark.parametrize(
    "session", ["a", "_", "7", "66078404-f8e0-46c9-bbcd-288d19208686", "a.b_c"]
)
def test_plain_id_is_a_file_name(session: str) -> None:
    assert is_file_name(session)


@pytest.mark.parametrize(
    "session", ["", ".", "..", ".a", "-a", "a/b", "a b", "a\n", "é", "٣", "a\x00", "x" * 129]
)
def test_id_that_could_be_anything_else_is_none(session: str) -> None:
    assert not is_file_name(session)
