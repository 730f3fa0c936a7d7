"""What holds for every file of the package: the direction of imports, sizes, one door each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "flightdeck"
FILES = sorted(PACKAGE.rglob("*.py"))

# Imports go down only; packages on one floor do not know each other.
FLOORS = [
    {"errors"},
    {"model"},
    {"ports", "sandbox"},
    {"store", "templating", "shipped"},
    {"config", "faces", "risk", "system"},
    {"agents", "hosts", "decks"},
    {"fold"},
    {"panel", "install"},
    {"doctor"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
FLOOR_OF = {name: floor for floor, names in enumerate(FLOORS) for name in names}
# `system` is the machine and `shipped` a path: everything above the model may ask them.
BESIDE = {("templating", "shipped"), ("store", "system")}


def room(path: Path) -> str:
    """Return the package or module of `flightdeck` a file belongs to."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else Path(parts[0]).stem


def imports(path: Path, *, at_start: bool = False) -> set[str]:
    """Return the full names of everything of ours the file imports.

    `at_start` leaves out what is imported inside functions or for type checkers only.
    """
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if at_start else ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {node.module} | {f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
    return {name for name in found if name.startswith("flightdeck.")}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_down_only(path: Path) -> None:
    here = room(path)
    if here == "__init__":
        return
    wrong = {
        name
        for name in imports(path)
        if (there := name.split(".")[1]) != here
        and there in FLOOR_OF
        and FLOOR_OF[there] >= FLOOR_OF[here]
        and (here, there) not in BESIDE
    }
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_file_is_longer_than_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_no_modules_import_each_other_in_a_ring() -> None:
    graph = {
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): imports(
            p, at_start=True
        )
        for p in FILES
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail, name])
        if name in done or name not in graph:
            return
        for other in graph[name]:
            visit(other, (*trail, name))
        done.add(name)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("__init__.py")), ids=str)
def test_package_files_hold_a_docstring_only(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert len(body) == 1
    assert isinstance(body[0], ast.Expr)


def test_model_imports_the_standard_library_only() -> None:
    for path in (PACKAGE / "model").rglob("*.py"):
        names = {n.split(".")[1] for n in imports(path)}
        assert names <= {"model"}, path
