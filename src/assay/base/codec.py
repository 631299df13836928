"""Results to JSON values and back: the only place that knows how a result is written."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.wording.characters import escape_json

if TYPE_CHECKING:
    from assay.base.arrays import Values

T = TypeVar("T")


def to_plain(value: object) -> Any:
    """Turn a value into what JSON knows: numpy numbers into Python's, nan and infinity into None.

    >>> to_plain({"a": float("nan"), "b": (1, 2.5)})
    {'a': None, 'b': [1, 2.5]}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        to_dict = getattr(value, "to_dict", None)
        return to_dict() if to_dict else {name: to_plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if hasattr(value, "to_dicts"):  # a polars frame: one dict per row
        return [to_plain(row) for row in value.to_dicts()]
    for convert in ("tolist", "to_list"):  # numpy arrays and scalars, polars columns
        if hasattr(value, convert):
            return to_plain(getattr(value, convert)())
    return str(value)


def to_json(value: object) -> str:
    """Write a value as JSON, the same bytes for the same value; control characters are escaped."""
    return escape_json(json.dumps(to_plain(value), ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def from_plain(kind: type[T], value: Any, place: str = "") -> T:
    """Rebuild a value of a type from what `to_plain` made of it; None becomes nan if a float is expected.

    >>> from_plain(tuple[float, ...], [1, None])
    (1.0, nan)
    """
    return typing.cast("T", _decode(kind, value, place))


def _decode(kind: object, value: Any, place: str) -> Any:
    if kind in (Any, object):
        return value
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _decode_union(arguments, value, place)
    if origin is typing.Literal:
        return _check(value in arguments, value, value, kind, place)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _decode_dataclass(kind, value, place)
    if kind is float:
        number = _to_float(value) if _is_number(value) else math.nan
        return _check(value is None or _is_number(value), value, number, kind, place)
    if kind in (int, str, bool, type(None)):
        expected = type(value) is kind
        return _check(expected, value, value, kind, place)
    if origin in (tuple, list, Sequence):
        return _decode_sequence(origin, arguments, value, place)
    if origin in (dict, Mapping):
        _check(isinstance(value, dict), value, value, kind, place)
        key = int if arguments[0] is int else str
        return {key(name): _decode(arguments[1], item, f"{place}.{name}") for name, item in value.items()}
    raise TypeError(f"{place}: values of type {kind} cannot be read back from JSON.")


def _decode_union(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    if value is None and type(None) in kinds:
        return None
    candidates = [kind for kind in kinds if kind is not type(None)]
    for kind in candidates[:-1]:
        try:
            return _decode(kind, value, place)
        except AssayError:
            continue
    return _decode(candidates[-1], value, place)


def _decode_dataclass(kind: type, value: Values, place: str) -> Any:
    _check(isinstance(value, dict), value, value, kind, place)
    if "from_dict" in kind.__dict__:  # the inverse of a `to_dict` of its own
        return kind.from_dict(value)  # type: ignore[attr-defined]
    return decode_fields(kind, value, place)


def decode_fields(kind: type[T], value: Any, place: str = "") -> T:
    """Rebuild a dataclass field by field, also if it has a `from_dict` of its own, which may call this."""
    _check(isinstance(value, dict), value, value, kind, place)
    hints = resolve_hints(typing.cast("Any", kind))
    fields = {
        field.name: field
        for field in dataclasses.fields(typing.cast("Any", kind))
        if field.init and field.metadata.get("json", True)
    }
    value = {name: item for name, item in value.items() if name not in getattr(kind, "_properties", ())}
    if value.keys() - fields:
        raise AssayError(f"unknown field {min(value.keys() - fields)!r} of {kind.__name__}", place=place or None)
    needed = {
        name
        for name, field in fields.items()
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    if needed - value.keys():
        raise AssayError(f"{kind.__name__} lacks the field {min(needed - value.keys())!r}", place=place or None)
    return kind(**{name: _decode(hints[name], item, f"{place}.{name}") for name, item in value.items()})


def _decode_sequence(origin: Any, arguments: tuple[Any, ...], value: Any, place: str) -> Any:
    _check(isinstance(value, list), value, value, origin, place)
    if origin is tuple and Ellipsis not in arguments:
        _check(len(value) == len(arguments), value, value, origin, place)
        return tuple(_decode(kind, item, place) for kind, item in zip(arguments, value, strict=True))
    items = [_decode(arguments[0], item, f"{place}[{number}]") for number, item in enumerate(value)]
    return tuple(items) if origin is tuple else items


def _to_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer of hundreds of digits
        return math.inf if value > 0 else -math.inf


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check(condition: bool, value: object, result: object, kind: object, place: str) -> object:
    if not condition:
        name = getattr(kind, "__name__", str(kind))
        raise AssayError(f"expected {name}, got {type(value).__name__}", place=place or None)
    return result


def _is_written(field: dataclasses.Field[Any]) -> bool:
    return bool(field.metadata.get("json", True))


@cache
def _names(kind: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(kind) if _is_written(field)]


@cache
def resolve_hints(kind: type) -> Options:
    """Return the types of the fields of a dataclass that are written to JSON."""
    names = set(_names(kind))
    module = sys.modules[kind.__module__]
    hints: dict[str, Any] = {}
    for owner in reversed(kind.__mro__):
        for name, annotation in inspect.get_annotations(owner).items():
            if name in names:
                scope = vars(sys.modules.get(owner.__module__, module))
                hints[name] = eval(annotation, scope) if isinstance(annotation, str) else annotation  # noqa: S307, our own annotations
    return hints
