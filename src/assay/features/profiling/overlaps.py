"""Items, groups and sides of one part that are also in the part that systems learn from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.data import Dataset
from assay.data.columns.shared_strings import share_strings
from assay.data.hold_out import find_reference_part
from assay.kinds import kind_of
from assay.text import Corpus, exact_duplicates
from assay.views.results import Result
from assay.views.values import MAX_IDS, ItemCount

MIN_WORDS = 8  # of a text whose copies count: short questions recur without being copied


@dataclass(frozen=True)
class Overlap(Result):
    """Items of a part that also occur in the reference part, as exact or near copies.

    A "contrast" is a near copy whose original has another class.
    """

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    kind: Literal["exact", "near", "contrast"]
    items: ItemCount


@dataclass(frozen=True)
class GroupOverlap(Result):
    """Items of a part whose group also occurs in the reference part."""

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    items: ItemCount
    n_groups: int
    example: str | None = field(default=None, metadata=NAME)


@dataclass(frozen=True)
class SideOverlap(Result):
    """Pairs of a part whose sides, exactly one or both, occur in pairs of the reference part."""

    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    one: ItemCount
    both: ItemCount


@dataclass(frozen=True)
class TextOverlap(Result):
    """Items of a part with a text, such as the context, that is also in the reference part, verbatim."""

    text: str = field(metadata=OWN)
    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    items: ItemCount


def find_overlaps(data: Dataset, leak: Array, contrast: Array) -> Iterator[Overlap]:
    """Count, for every tested part, the items with an exact or a near copy in the reference part.

    `leak` is "exact", "near" or None for every row, `contrast` marks near copies with another class, as `mark_copies`
    returns them.
    """
    parts, reference = list_row_parts(data), find_reference_part(data.part_names)
    for part in list_tested_parts(data):
        here = parts == part
        marks: dict[Literal["exact", "near", "contrast"], Array] = {
            "exact": leak == "exact",
            "near": leak == "near",
            "contrast": contrast,
        }
        for kind, mark in marks.items():
            yield Overlap(part, reference or "", kind, count_items(data, here & mark, here))


def find_group_overlaps(data: Dataset) -> Iterator[GroupOverlap]:
    """Count, for every tested part, the items whose group is also in the reference part."""
    reference = find_reference_part(data.part_names)
    if data.groups is None or data.parts is None or reference is None:
        return
    known = data.groups.filter(data.parts == reference).drop_nulls().unique()
    shared = data.groups.is_in(known.to_list()).fill_null(value=False)
    for part in list_tested_parts(data):
        here = (data.parts == part).fill_null(value=False)
        groups = data.groups.filter(here & shared)
        items = count_items(data, (here & shared).to_numpy(), here.to_numpy())
        yield GroupOverlap(part, reference, items, groups.n_unique(), groups[0] if len(groups) else None)


def find_side_overlaps(data: Dataset, n_seen: Array | None) -> Iterator[SideOverlap]:
    """Count, for every tested part, the pairs with one side or both in the reference part too.

    `n_seen` is the number of sides of each pair that are in the reference part, None if the items are not pairs.
    """
    if n_seen is None:
        return
    parts, reference = list_row_parts(data), find_reference_part(data.part_names)
    for part in list_tested_parts(data):
        here = parts == part
        one, both = (count_items(data, here & (n_seen == sides), here) for sides in (1, 2))
        yield SideOverlap(part, reference or "", one, both)


def find_text_overlaps(data: Dataset, exact_groups: Array) -> Iterator[TextOverlap]:
    """Count items that are not in the reference part as a whole, but have a text that is."""
    reference = find_reference_part(data.part_names)
    if reference is None:
        return
    parts = list_row_parts(data)
    is_reference = parts == reference
    whole = _mark_known(exact_groups, is_reference)
    for name, texts in list(kind_of(data).texts.leak_texts(data).items())[1:]:
        is_long = np.asarray(Corpus.from_texts(texts).lengths) >= MIN_WORDS
        copied = _mark_known(exact_duplicates(texts), is_reference) & is_long & ~whole
        for part in list_tested_parts(data):
            here = parts == part
            yield TextOverlap(name, part, reference, count_items(data, copied & here, here))


def _mark_known(groups: Array, is_reference: Array) -> Array:
    """Mark the rows of other parts whose group has a row in the reference part."""
    return np.asarray(np.isin(groups, groups[is_reference]) & ~is_reference)


def list_tested_parts(data: Dataset) -> list[str]:
    """Name all parts but the reference part, test first; none if there is no part to learn from."""
    reference = find_reference_part(data.part_names)
    others = [name for name in data.part_names if name != reference] if reference else []
    return sorted(others, key=lambda name: name != "test")


def list_row_parts(data: Dataset) -> Array:
    """Return the part of every row, "" if it has no part."""
    return share_strings(fill_parts(data))


def fill_parts(data: Dataset) -> pl.Series:
    """Return the part of every row as a column, "" if it has no part."""
    return pl.repeat("", len(data), eager=True) if data.parts is None else data.parts.fill_null("")


def count_items(data: Dataset, mark: Array, among: Array | None = None) -> ItemCount:
    """Count marked items, of all or of some, and keep the first ids."""
    rows = np.flatnonzero(mark)
    n = len(mark) if among is None else int(among.sum())
    return ItemCount(len(rows), n, tuple(data.ids.gather(rows[:MAX_IDS]).to_list()))
