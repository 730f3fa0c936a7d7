"""Print the JSON Schema of a kind of file, with which an editor completes, explains and checks it.

`layout`, `local` for local.yaml, `risk` for a file of risk rules, `verb` for what a verb says of
itself between its two `---` lines. With --out it is written to a file; the line that names it to
an editor is told. An older schema in that file is written over, anything else never.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.schema_files import schema_for_editors
from flightdeck.config.schema import KINDS

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Result, Say

EXAMPLES = """\
examples:
  flightdeck schema risk --out ~/.fleet/risk/risk.schema.json     your own rules
  flightdeck schema local --out ~/.fleet/local.schema.json        local.yaml
  flightdeck schema layout --out layout.schema.json               `layout new` writes this one
  flightdeck schema verb                                          the frontmatter of a verb
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the kind of file."""
    parser.add_argument("kind", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("--out", type=Path, metavar="FILE", help="write it there")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Print the schema, or write it.

    Raises:
        Refused: something else is in the file to write.
        Unavailable: it cannot be written.
    """
    return schema_for_editors(arguments.kind, arguments.out)
