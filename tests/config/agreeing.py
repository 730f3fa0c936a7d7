"""Whether schemas and validators agree, on as many files as asked for.

`python -m tests.config.agreeing 500` tries 500 good and 500 spoilt files of each kind, and says
how long it took; the suite tries some of each every time.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, settings

from tests.config import test_schema_layout, test_schema_local, test_schema_risk, test_schema_verb
from tests.config.written import LAYOUTS, spoilt
from tests.config.written_local import HEADS, LOCALS, spoilt_heads, spoilt_locals
from tests.config.written_risk import RISKS, spoilt_risks

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis import strategies as st

    from tests.config.written import Tree

EDITORS = (
    (test_schema_layout.EDITOR, LAYOUTS, spoilt()),
    (test_schema_local.EDITOR, LOCALS, spoilt_locals()),
    (test_schema_verb.EDITOR, HEADS, spoilt_heads()),
    (test_schema_risk.EDITOR, RISKS, spoilt_risks()),
)


def tried(check: Callable[[Tree], None], trees: st.SearchStrategy[Tree], most: int) -> int:
    """Return how many files were tried; the first that is wrong raises, as it was drawn."""
    count = 0

    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(trees)
    def each(tree: Tree) -> None:
        nonlocal count
        count += 1
        check(tree)

    each()
    return count


def main(most: int, kinds: list[str]) -> None:
    """Try every kind of file, or those named."""
    for editor, good, bad in EDITORS:
        if editor.kind in kinds or not kinds:
            counts = tried(editor.agree_it_is_good, good, most), tried(editor.agree, bad, most)
            rules = len(editor.alone)
            told = f"{counts[0]} good and {counts[1]} spoilt files agreed on"
            sys.stdout.write(f"{editor.kind}: {told}, {rules} rules no schema can state\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
