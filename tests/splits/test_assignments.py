"""The outcome of a split."""

import numpy as np

from assay.splits import FoldAssignment, PartAssignment
from assay.splits.methods.sds_k_means import ClusterDetails

FOLDS = FoldAssignment(np.array([1, 2, 1, 0, 2]))
PARTS = PartAssignment(np.array(["train", "test", "unused", "dev"], dtype=object), {"test": 1})
BOOTSTRAP = PartAssignment(np.array(["train", "test", "unused"], dtype=object), weights=np.array([2, 1, 0]))


def test_every_fold_is_tested_once_and_unused_rows_are_on_no_side():
    assert [(train.tolist(), test.tolist()) for train, test in FOLDS.iterate_splits()] == [
        ([1, 4], [0, 2]),
        ([0, 2], [1, 4]),
    ]


def test_training_rows_occur_as_often_as_they_were_drawn():
    (fold,) = BOOTSTRAP.iterate_splits()
    assert (fold.train.tolist(), fold.test.tolist()) == ([0, 0], [1])


def test_frames_have_one_line_per_row():
    assert FOLDS.to_frame().to_dict(as_series=False) == {"row": [0, 1, 2, 3, 4], "fold": [1, 2, 1, 0, 2]}
    assert PARTS.to_frame()["part"].to_list() == ["train", "test", "unused", "dev"]
    assert BOOTSTRAP.to_frame()["weight"].to_list() == [2, 1, 0]


def test_the_representation_counts_rows():
    assert repr(FOLDS) == "FoldAssignment(5 rows, 2 folds of 2 rows, 1 row unused)"
    assert repr(PARTS) == "PartAssignment(4 rows, train 1, dev 1, test 1, 1 row unused)"


def test_an_assignment_is_equal_to_itself_read_back_and_to_no_other():
    assert FoldAssignment.from_dict(FOLDS.to_dict()) == FOLDS
    assert PartAssignment.from_dict(BOOTSTRAP.to_dict()) == BOOTSTRAP
    assert FoldAssignment(np.array([2, 1, 2, 0, 1])) != FOLDS
    assert FoldAssignment(FOLDS.folds, ClusterDetails(1.0, 3, 0.0, True, 8)) != FOLDS
    assert PartAssignment(BOOTSTRAP.parts, weights=np.array([1, 1, 1])) != BOOTSTRAP
    assert PartAssignment(BOOTSTRAP.parts) != BOOTSTRAP
    assert FOLDS != PARTS


def test_members_are_named_in_order():
    assert [(name, rows.tolist()) for name, rows in FOLDS.iterate_members()] == [
        ("1", [True, False, True, False, False]),
        ("2", [False, True, False, False, True]),
    ]
    assert [name for name, _ in PARTS.iterate_members()] == ["train", "dev", "test"]
