"""`compiled/risk.json`: the risk table as `validate`, `apply` and `run` compiled it.

A fold that judges must not read YAML. The file belongs to the sources whose digest it
names; whoever finds another digest compiles them again.

Source: risk/README.md, "Compiled".
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from flightdeck.model.risk import Command, Reading, Rule, Table, Tier
from flightdeck.model.shell import Code, Programs, Rest, Wrapper
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

# Another number than the file's: it was written by another release.
FORMAT = 1


def path(folder: StateFolder) -> Path:
    """Return where the compiled table lies."""
    return folder.compiled / "risk.json"


def write(folder: StateFolder, tables: Mapping[str, Table]) -> None:
    """Keep tables by the digest of what they were compiled from.

    Raises:
        OSError: it could not be written.
    """
    data = {"format": FORMAT, "tables": {digest: _told(t) for digest, t in tables.items()}}
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    files.replace(path(folder), text.encode())


def read(folder: StateFolder, digest: str) -> Table | None:
    """Return the table compiled from the sources of a digest, None where it is not there."""
    try:
        data = json.loads(files.read(path(folder)))
        return _table(data["tables"][digest]) if data["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _told(value: object) -> Any:
    """Return a value of the model as JSON knows it; sets are sorted, to be the same each time."""
    match value:
        case Tier() | Rest():
            return value.value
        case frozenset():
            return sorted(map(str, value))
        case tuple():
            return [_told(item) for item in value]
        case dict():
            return {str(key): _told(item) for key, item in value.items()}
        case _ if dataclasses.is_dataclass(value):
            fields = dataclasses.fields(value)
            told = ((f, getattr(value, f.name)) for f in fields)
            return {f.name: _told(item) for f, item in told if item != f.default}
        case _:
            return value


def _table(data: Any) -> Table:
    return Table(
        rules=tuple(_rule(one) for one in data.get("rules", ())),
        readings={name: _reading(one) for name, one in data["readings"].items()},
        aliases=dict(data["aliases"]),
        targets={name: tuple(globs) for name, globs in data["targets"].items()},
        groups={name: _commands(one) for name, one in data["groups"].items()},
        programs=_programs(data["programs"]),
    )


def _rule(data: dict[str, Any]) -> Rule:
    given = {name: _frozen(value) for name, value in data.items()}
    given["tier"] = Tier(data["tier"])
    given["programs"] = _commands(data.get("programs", ()))
    given["sources"] = _commands(data.get("sources", ()))
    return Rule(**given)


def _reading(data: dict[str, Any]) -> Reading:
    return Reading(**_with_sets(data, ("values", "options", "code")))


def _commands(data: Any) -> tuple[Command, ...]:
    return tuple(Command(tuple(one["words"]), tuple(one.get("flags", ()))) for one in data)


def _programs(data: dict[str, Any]) -> Programs:
    return Programs(
        wrappers={n: tuple(map(_wrapper, some)) for n, some in data["wrappers"].items()},
        shells=frozenset(data.get("shells", ())),
        interpreters={name: frozenset(one) for name, one in data["interpreters"].items()},
        dashed=frozenset(data.get("dashed", ())),
    )


def _wrapper(data: dict[str, Any]) -> Wrapper:
    given = _with_sets(data, ("values", "inert", "embeds", "drops"))
    given["verb"] = tuple(data.get("verb", ()))
    given["code"] = tuple(Code(**one) for one in data.get("code", ()))
    given["rest"] = Rest(data.get("rest", Rest.NONE.value))
    return Wrapper(**given)


def _with_sets(data: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return data | {name: frozenset(data[name]) for name in names if name in data}


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
