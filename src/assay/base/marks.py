"""Marks on the fields of results: which text comes from the data, and what a private report may show of it."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from typing import Any, Final, TypeVar

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


def make_text_visible(value: T) -> T:
    """Make every string inside a result visible; the mark of its field decides how long it may be."""
    return rewrite_text(value, lambda text, mark: make_visible(text, LIMITS[mark]))
