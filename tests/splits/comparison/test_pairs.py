"""A split as pairs of parts."""

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.splits import FoldAssignment, PartAssignment
from assay.splits.comparison.pairs import list_members, pair_parts

HELD_OUT = PartAssignment(np.array(["train", "test", "dev", "unused", "train"], dtype=object))


def test_dev_and_test_are_compared_with_train():
    pairs = pair_parts([HELD_OUT])
    assert pairs.names == ["dev", "test"]
    assert [np.flatnonzero(row).tolist() for row in pairs.parts] == [[2], [1]]
    assert [np.flatnonzero(row).tolist() for row in pairs.references] == [[0, 4], [0, 4]]


def test_each_fold_is_compared_with_the_others_and_unused_rows_with_none():
    pairs = pair_parts([FoldAssignment(np.array([1, 2, 3, 0]))])
    assert pairs.names == ["1", "2", "3"]
    assert np.flatnonzero(pairs.references[0]).tolist() == [1, 2]


def test_repeats_are_named():
    assert list(list_members([HELD_OUT, HELD_OUT]))[:4] == [
        "train (repeat 0)",
        "dev (repeat 0)",
        "test (repeat 0)",
        "train (repeat 1)",
    ]


def test_permuted_pairs_have_the_same_sizes_and_leave_unused_rows_out():
    pairs = pair_parts([PartAssignment(np.array(["train"] * 6 + ["test"] * 3 + ["unused"] * 2, dtype=object))])
    permuted = [pairs.permute(np.random.default_rng(seed)) for seed in range(20)]
    assert all(one.parts.sum() == 3 and one.references.sum() == 6 and not one.parts[0, 9:].any() for one in permuted)
    assert len({one.parts.tobytes() for one in permuted}) > 10


def test_a_split_without_two_parts_cannot_be_compared():
    with pytest.raises(AssayError, match="Nothing to compare: the split has no two parts with rows"):
        pair_parts([PartAssignment(np.array(["train", "train"], dtype=object))])
