"""Marks on the fields of results: which text comes from the data, and what a private report may show of it."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from assay.base.codec import resolve_hints
from assay.wording.characters import make_visible

Marks = dict[str, str]
TEXT: Final[Marks] = {"text": "text"}  # text of items: withheld from private reports
WORD: Final[Marks] = {"text": "word"}  # single words of items: withheld unless they are function words
NAME: Final[Marks] = {"text": "name"}  # names of labels, systems, parts, files and items: shown, always escaped
OWN: Final[Marks] = {"text": "own"}  # our own words: shown as they are
WITHHELD = "(withheld)"
# How much of a string is shown, by the mark of its field.
LIMITS = {"text": 300, "word": 80, "name": 600, "own": 1_500}
T = TypeVar("T")


def rewrite_text(value: T, rewrite: Callable[[str, str], str]) -> T:
    """Return a result with `rewrite(string, mark)` applied to every string inside, by the mark of its field.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Example:
    ...     title: str = dataclasses.field(metadata=TEXT)
    ...     label: str = dataclasses.field(metadata=NAME)
    >>> rewrite_text(Example("a secret", "pos"), lambda text, mark: WITHHELD if mark == "text" else text)
    Example(title='(withheld)', label='pos')
    """
    return typing.cast("T", _rewrite(value, "own", rewrite))


def _rewrite(value: object, mark: str, rewrite: Callable[[str, str], str]) -> Any:
    if isinstance(value, str):
        return rewrite(value, mark)
    if isinstance(value, dict):
        return {_rewrite(key, mark, rewrite): _rewrite(item, mark, rewrite) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_rewrite(item, mark, rewrite) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field for field in dataclasses.fields(value) if field.init and field.metadata.get("json", True)]
        changed = {
            field.name: _rewrite(getattr(value, field.name), field.metadata.get("text", "own"), rewrite)
            for field in fields
        }
        return dataclasses.replace(value, **changed)
    return value


def unmarked_fields(kind: type) -> Iterator[str]:
    """Yield the fields of a result, and of the results inside it, that hold text and carry no mark."""
    yield from _unmarked(kind, set())


def _unmarked(kind: type, visited: set[type]) -> Iterator[str]:
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


def _holds_text(hint: object) -> bool:
    if typing.get_origin(hint) is typing.Literal:
        return False
    return hint in (str, Any, object) or any(_holds_text(part) for part in _parts(hint))


def _dataclasses_in(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for part in _parts(hint):
        yield from _dataclasses_in(part)


def _parts(hint: object) -> tuple[Any, ...]:
    if typing.get_origin(hint) is typing.Literal or (isinstance(hint, types.GenericAlias) and not hint.__args__):
        return ()
    return tuple(part for part in typing.get_args(hint) if part is not Ellipsis)


def make_text_visible(value: T) -> T:
    """Make every string inside a result visible; the mark of its field decides how long it may be."""
    return rewrite_text(value, lambda text, mark: make_visible(text, LIMITS[mark]))
