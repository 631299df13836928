"""The stratified split."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.base.errors import AssayError
from assay.splits import StratifiedSplit
from assay.splits.groups import choose_groups


@given(counts=st.lists(st.integers(1, 40), min_size=1, max_size=6), k=st.integers(2, 20), seed=st.integers(0, 5))
def test_every_label_and_fold_count_is_floor_or_ceiling_and_sizes_differ_by_one(counts, k, seed):
    labels = np.repeat(np.arange(len(counts)), counts)
    assume(len(labels) >= k)
    folds = StratifiedSplit(n_splits=k, random_state=seed).assign([f"t{n}" for n in range(len(labels))], labels).folds
    table = np.array([np.bincount(folds[labels == label], minlength=k + 1)[1:] for label in range(len(counts))])
    for count, row in zip(counts, table, strict=True):
        assert set(row) <= {count // k, -(-count // k)}
    assert np.ptp(table.sum(axis=0)) <= 1


@given(counts=st.lists(st.integers(1, 40), min_size=1, max_size=6), share=st.floats(0.05, 0.8))
def test_a_hold_out_has_exactly_its_size_and_each_label_floor_or_ceiling(counts, share):
    labels = np.repeat(np.arange(len(counts)), counts)
    n, size = len(labels), max(1, int(share * len(labels) + 0.5))
    assume(size < n)
    test = StratifiedSplit(test_size=size).partition([f"t{row}" for row in range(n)], labels).parts == "test"
    assert test.sum() == size
    for label, count in enumerate(counts):
        assert abs(test[labels == label].sum() - count * size / n) < 1


def test_groups_stay_whole_and_labels_close_to_their_shares():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 100, size=600)
    labels = rng.integers(0, 3, size=600)
    assignment = StratifiedSplit(n_splits=5).assign([f"t{n}" for n in range(600)], labels, groups)
    folds = assignment.folds
    table = np.array([[((labels == label) & (folds == fold)).sum() for fold in range(1, 6)] for label in range(3)])
    assert assignment.details.n_off_quota == np.maximum(table - -(-np.bincount(labels)[:, None] // 5), 0).sum()
    assert all(len(set(folds[groups == group])) == 1 for group in range(100))
    for label in range(3):
        shares = [(labels[folds == fold] == label).mean() for fold in range(1, 6)]
        assert np.ptp(shares) < 0.05


def test_missing_labels_are_an_error():
    with pytest.raises(AssayError, match=r"The stratified split needs a label for every row \(2 rows, no labels\)"):
        StratifiedSplit(n_splits=2).partition(["a", "b"])


def test_the_labels_of_the_patents_keep_their_shares(shared):
    import polars as pl

    path = shared("patents/analysis_randomized.tsv")
    labels = pl.read_csv(path, separator="\t", quote_char=None)["gold_labels"].to_numpy()
    folds = StratifiedSplit(n_splits=5).assign([str(row) for row in range(len(labels))], labels).folds
    for label in np.unique(labels):
        counts = np.bincount(folds[labels == label], minlength=6)[1:]
        assert np.ptp(counts) <= 1
    assert np.ptp(np.bincount(folds)[1:]) <= 1


def test_groups_are_exchanged_until_labels_are_even():
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 100)
    shares = generator.dirichlet(np.ones(4), 30)
    labels = np.concatenate([generator.choice(4, 100, p=row) for row in shares])
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(30)
        targets = np.bincount(labels) / 5
        test = choose_groups(groups, labels, targets, order)
        assert test.sum() == 600
        assert all(len(set(test[groups == group])) == 1 for group in range(30))
        assert np.abs(np.bincount(labels[test], minlength=4) - targets).max() < 30  # 60 to 100 without exchanges
