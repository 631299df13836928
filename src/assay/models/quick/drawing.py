"""Draw the splits under which quick models learn: random folds, the data's own parts, and harder ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.kinds import kind_of
from assay.kinds.tools.topics import find_topics
from assay.models.cross_validation import RANDOM, STANDARD, SplitSizes, find_times
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.splits.groups import merge_groups

if TYPE_CHECKING:
    from assay.data import Dataset

DRAWN_OFTEN = ("rare-words", "wasserstein")  # splits into two sides, whose held-out sides overlap
MIN_TRAIN = 10
NEW_SUBJECTS = "new subjects"  # folds that hold out whole subjects
NamedSplits = list[tuple[str, RowSplit]]


def draw_splits(
    data: Dataset, splits: Sequence[str], sizes: SplitSizes, random_state: int, ready: Mapping[str, Any]
) -> tuple[NamedSplits, list[str]]:
    """Return random folds, the data's own parts, every split named, and folds of whole subjects; and notes.

    Random folds keep groups whole, or else items with the same text. A split that the data cannot give is in the notes.
    """
    options = {"n_splits": sizes.n_splits, "random_state": random_state}
    units = find_units(data)
    rows = _draw(data, "stratified", units if len(np.unique(units)) < len(data) else None, {}, **options)
    drawn: NamedSplits = [(RANDOM, split) for split in rows]
    notes: list[str] = []
    standard = find_own_parts(data)
    if standard is not None:
        drawn.append((STANDARD, standard))
    for name in splits:
        try:
            chosen, note = _draw_harder(data, name, sizes, random_state, ready)
        except AssayError as error:
            notes.append(f"The {name} split is left out: {error.fact.removesuffix('.')}.")
        else:
            drawn += [(name, split) for split in chosen]
            notes += [note] if note else []
    topics = find_topics(data)
    if topics is not None and topics.n_unique() >= sizes.n_splits:
        groups = merge_groups(topics.to_list(), units)
        if len(np.unique(groups)) >= sizes.n_splits:
            drawn += [(NEW_SUBJECTS, split) for split in _draw(data, "stratified", groups, {}, **options)]
    return [(name, split) for name, split in drawn if len(split.train) >= MIN_TRAIN and len(split.test)], notes


def find_own_parts(data: Dataset) -> RowSplit | None:
    """Return train and test of the data, None where it has not both."""
    if data.parts is None or not {"train", "test"} <= set(data.part_names):
        return None
    train, test = (np.flatnonzero((data.parts == part).fill_null(value=False).to_numpy()) for part in ("train", "test"))
    return RowSplit(train, NO_ROWS, test)


def find_units(data: Dataset) -> Array:
    """Return the rows that random folds keep together: groups, or else items with the same text."""
    names = data.texts if data.groups is None else data.groups
    return merge_groups([f"row {row}" if name is None else f"unit {name}" for row, name in enumerate(names)])


def _draw_harder(
    data: Dataset, name: str, sizes: SplitSizes, random_state: int, ready: Mapping[str, Any]
) -> tuple[list[RowSplit], str | None]:
    """Draw a split as folds, several times, or once where nothing is random; groups stay whole where they can."""
    from assay.splits import SPLITS
    from assay.splits.base import FoldSplitter

    options: dict[str, Any] = {"test_size": sizes.test_size}
    if issubclass(SPLITS[name], FoldSplitter):
        options = {"n_splits": sizes.n_splits}
    if name == "temporal":
        options["times"] = find_times(data)
    groups = None if data.groups is None else find_units(data)
    known = {"corpus": ready.get("corpus"), "vectors": None if name == "wasserstein" else ready.get("vectors")}
    seeds = range(random_state, random_state + (sizes.n_draws if name in DRAWN_OFTEN else 1))

    def draw_all(together: Array | None) -> list[RowSplit]:
        rows = [split for seed in seeds for split in _draw(data, name, together, known, random_state=seed, **options)]
        return [replace(split, fold=number) for number, split in enumerate(rows, start=1)]

    try:
        return draw_all(groups), None
    except AssayError as error:
        if groups is None:
            raise
        reason = error.fact.removesuffix(".")
    return draw_all(None), f"The {name} split divides groups, because it cannot keep them whole: {reason}."


def _draw(data: Dataset, name: str, groups: Any, ready: Mapping[str, Any], **options: Any) -> list[RowSplit]:
    from assay.splits import SPLITS

    kind = kind_of(data)
    strata = kind.get_strata(data)
    labels = ["all"] * len(data) if strata is None else [str(label) for label in strata.to_list()]
    settings = kind.set_split(name) if strata is not None else {}
    draw = SPLITS[name](**options, **settings).partition(data.texts.to_list(), labels, groups, **ready)
    pairs = enumerate(draw.iterate_splits(), start=1)
    return [RowSplit(train, NO_ROWS, test, number) for number, (train, test) in pairs]
