"""A split as pairs of sides."""

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.splits import Assignment, Parts
from assay.splits.comparison.cuts import cuts_of, members_of

HELD_OUT = Parts(np.array(["train", "test", "dev", "unused", "train"], dtype=object), {})


def test_dev_and_test_are_compared_with_train():
    cuts = cuts_of([HELD_OUT])
    assert cuts.names == ["dev", "test"]
    assert [np.flatnonzero(row).tolist() for row in cuts.here] == [[2], [1]]
    assert [np.flatnonzero(row).tolist() for row in cuts.there] == [[0, 4], [0, 4]]


def test_each_fold_is_compared_with_the_others_and_rows_left_out_with_none():
    cuts = cuts_of([Assignment(np.array([1, 2, 3, 0]))])
    assert cuts.names == ["1", "2", "3"]
    assert np.flatnonzero(cuts.there[0]).tolist() == [1, 2]


def test_repeats_are_named():
    assert list(members_of([HELD_OUT, HELD_OUT]))[:4] == [
        "train (repeat 0)",
        "dev (repeat 0)",
        "test (repeat 0)",
        "train (repeat 1)",
    ]


def test_a_permuted_cut_has_the_same_sizes_and_leaves_unused_rows_alone():
    cuts = cuts_of([Parts(np.array(["train"] * 6 + ["test"] * 3 + ["unused"] * 2, dtype=object), {})])
    moved = [cuts.permuted(np.random.default_rng(seed)) for seed in range(20)]
    assert all(one.here.sum() == 3 and one.there.sum() == 6 and not one.here[0, 9:].any() for one in moved)
    assert len({one.here.tobytes() for one in moved}) > 10


def test_a_split_without_two_sides_cannot_be_compared():
    with pytest.raises(AssayError, match="Nothing to compare: the split has no two parts with rows"):
        cuts_of([Parts(np.array(["train", "train"], dtype=object), {})])
