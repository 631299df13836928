"""Search the types of results for fields with text that carry no mark."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from assay.base.codec import resolve_hints


def unmarked_fields(kind):
    """Yield the fields of a result, and of the results inside it, that hold text and carry no mark."""
    yield from _unmarked(kind, set())


def _unmarked(kind, visited):
    if kind in visited:
        return
    visited.add(kind)
    fields = [field for field in dataclasses.fields(kind) if field.metadata.get("json", True)]
    hints = resolve_hints(kind)
    for field in fields:
        hint = hints[field.name]
        if "text" not in field.metadata and _holds_text(hint):
            yield f"{kind.__name__}.{field.name}"
        for inner in _dataclasses_in(hint):
            yield from _unmarked(inner, visited)


def _holds_text(hint):
    if typing.get_origin(hint) is typing.Literal:
        return False
    return hint in (str, Any, object) or any(_holds_text(part) for part in _parts(hint))


def _dataclasses_in(hint):
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for part in _parts(hint):
        yield from _dataclasses_in(part)


def _parts(hint):
    if typing.get_origin(hint) is typing.Literal or (isinstance(hint, types.GenericAlias) and not hint.__args__):
        return ()
    return tuple(part for part in typing.get_args(hint) if part is not Ellipsis)
