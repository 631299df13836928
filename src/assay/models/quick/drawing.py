"""Draw the splits under which quick models learn: random folds, the data's own parts, and harder ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.data import Dataset
from assay.kinds import kind_of
from assay.kinds.tools.topics import find_topics
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.models.split_drawing import RANDOM, STANDARD, NamedSplits, SplitSizes, draw_challenging, draw_named_splits
from assay.splits import SPLITS
from assay.splits.groups import merge_groups
from assay.splits.items import Ready

MIN_TRAIN = 10
NEW_SUBJECTS = "new subjects"  # folds that hold out whole subjects


def draw_splits(
    data: Dataset, splits: Sequence[str], sizes: SplitSizes, random_state: int, ready: Ready
) -> tuple[NamedSplits, list[str]]:
    """Return random folds, the data's own parts, every split named, and folds of whole subjects; and notes.

    Random folds keep groups whole, or else items with the same text. A split that the data cannot give is in the notes.
    """
    options = {"n_splits": sizes.n_splits, "random_state": random_state}
    units = find_units(data)
    draw = partial(_draw, data)
    rows = draw("stratified", units if len(np.unique(units)) < len(data) else None, {}, **options)
    drawn: NamedSplits = [(RANDOM, split) for split in rows]
    standard = find_own_parts(data)
    if standard is not None:
        drawn.append((STANDARD, standard))
    together = None if data.groups is None else units
    how: dict[str, Any] = {"sizes": sizes, "groups": together, "ready": ready, "random_state": random_state}
    harder, notes = draw_named_splits(splits, lambda name: draw_challenging(data, name, draw, **how))
    drawn += harder
    topics = find_topics(data)
    if topics is not None and topics.n_unique() >= sizes.n_splits:
        groups = merge_groups(topics.to_list(), units)
        if len(np.unique(groups)) >= sizes.n_splits:
            drawn += [(NEW_SUBJECTS, split) for split in draw("stratified", groups, {}, **options)]
    return [(name, split) for name, split in drawn if len(split.train) >= MIN_TRAIN and len(split.test)], notes


def find_own_parts(data: Dataset) -> RowSplit | None:
    """Return train and test of the data, None if it has not both."""
    if data.parts is None or not {"train", "test"} <= set(data.part_names):
        return None
    train, test = (np.flatnonzero((data.parts == part).fill_null(value=False).to_numpy()) for part in ("train", "test"))
    return RowSplit(train, NO_ROWS, test)


def find_units(data: Dataset) -> Array:
    """Return the rows that random folds keep together: groups, or else items with the same text."""
    names = data.texts if data.groups is None else data.groups
    return merge_groups([f"row {row}" if name is None else f"unit {name}" for row, name in enumerate(names)])


def _draw(data: Dataset, name: str, groups: Values | None, ready: Ready, **options: Any) -> list[RowSplit]:
    kind = kind_of(data)
    strata = kind.learning.get_strata(data)
    labels = ["all"] * len(data) if strata is None else [str(label) for label in strata.to_list()]
    settings = kind.learning.set_split(name) if strata is not None else {}
    draw = SPLITS[name](**options, **settings).partition(data.texts.to_list(), labels, groups, **ready)
    pairs = enumerate(draw.iterate_splits(), start=1)
    return [RowSplit(train, NO_ROWS, test, number) for number, (train, test) in pairs]
