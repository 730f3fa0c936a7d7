"""Frozen dataclasses to JSON and back, checked: a field of the wrong kind is an error.

Serves the session records; knows dataclasses, enums, tuples and plain values only.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import types
import typing
from functools import lru_cache
from typing import Any


def to_json(value: object) -> Any:
    """Return `value` as what json.dumps takes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(kind: Any, data: Any) -> Any:
    """Return `data` as `kind`; fields it does not hold keep their defaults.

    Raises:
        ValueError: it is not of that kind.
    """
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, data)
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        return _union(typing.get_args(kind), data)
    if origin is tuple:
        return _tuple(typing.get_args(kind), data)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(data)
    if kind is float and type(data) in {int, float}:
        return _finite(data)
    if type(data) is not kind:
        raise ValueError(f"expected {kind}")
    return data


def _finite(data: float) -> float:
    """JSON as Python reads it has infinity, and whole numbers no float can hold."""
    try:
        number = float(data)
    except OverflowError as error:
        raise ValueError("too large a number") from error
    if not math.isfinite(number):
        raise ValueError("no finite number")
    return number


def _dataclass(kind: Any, data: Any) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"expected an object for {kind.__name__}")  # noqa: TRY004 - one error for all
    hints = _hints(kind)
    known = {name: from_json(hints[name], data[name]) for name in hints if name in data}
    try:
        return kind(**known)
    except TypeError as error:
        raise ValueError(str(error)) from error


@lru_cache(maxsize=32)
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _union(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None and type(None) in kinds:
        return None
    return from_json(next(k for k in kinds if k is not type(None)), data)


def _tuple(kinds: tuple[Any, ...], data: Any) -> Any:
    if not isinstance(data, list):
        raise ValueError("expected a list")  # noqa: TRY004 - one error for all
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(from_json(kinds[0], item) for item in data)
    if len(kinds) != len(data):
        raise ValueError("wrong length")
    return tuple(from_json(k, item) for k, item in zip(kinds, data, strict=True))
