"""The laws every splitter keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, check_cv, cross_val_score
from sklearn.pipeline import make_pipeline

from assay.errors import AssayError, UsageError
from assay.splits import SPLITS, Assignment, FoldSplitter, Parts

WORDS = "ash bay cod doe elk fir gum hay ivy jay".split()
NAMES = sorted(SPLITS)
FOLDING = [name for name in NAMES if issubclass(SPLITS[name], FoldSplitter)]
HOLDING = [name for name in NAMES if name not in FOLDING]
LABELLED = {"stratified", "sds-k-means"}
LAWS = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def datasets(draw, distinct=False):
    n = draw(st.integers(4, 30))
    texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    rows = draw(st.lists(texts, min_size=n, max_size=n, unique=distinct))
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    groups = draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n))
    return rows, labels, groups


def days_of(texts):
    """Dates that depend on the text alone, so that they move with it."""
    return [f"2020-{1 + len(text) % 12:02d}-{1 + sum(map(ord, text)) % 28:02d}" for text in texts]


def splitter(name, texts, **parameters):
    extra = {"times": days_of(texts)} if name == "temporal" else {"n_init": 2} if name.endswith("k-means") else {}
    return SPLITS[name](**extra, **parameters)


WAYS = {
    "folds": {"n_splits": 3},
    "hold-out": {"test_size": 0.3},
    "hold-out and dev": {"test_size": 0.3, "dev_size": 0.2},
}
every_way = pytest.mark.parametrize(
    ("name", "way"), [(name, way) for name in NAMES for way in WAYS if way != "folds" or name in FOLDING]
)


def partitions(chosen, *data):
    """Return the draws, or None where the data cannot be split in this way, which must be said on one line."""
    try:
        return list(chosen.partitions(*data))
    except AssayError as error:
        message = str(error)
    assert "\n" not in message
    return None


def partitions_or_reject(chosen, *data):
    """Return the draws; data that cannot be split are no example of the law, and Hypothesis fails where all are so."""
    draws = partitions(chosen, *data)
    return reject() if draws is None else draws


def groups_for(name, texts, groups):
    """Return groups that a split may keep whole: those drawn, or all texts that are equal in what it cuts by."""
    if name == "temporal":
        return days_of(texts)
    return [len(text.split()) for text in texts] if name in ("length", "random-length") else groups


@every_way
@LAWS
@given(data=datasets())
def test_no_row_is_on_both_sides_no_side_is_empty_and_none_is_lost(name, way, data):
    texts, labels, _ = data
    chosen = splitter(name, texts, **WAYS[way])
    for draw in partitions_or_reject(chosen, texts, labels):
        assert len(draw.folds if isinstance(draw, Assignment) else draw.parts) == len(texts)
        for train, test in draw.cuts():
            assert set(train).isdisjoint(test)
            assert len(train)
            assert len(test)
        if isinstance(draw, Parts) and name not in ("bootstrap", "temporal"):
            assert set(draw.parts) == {"train", "test"} | ({"dev"} if chosen.dev_size else set())
        if isinstance(draw, Assignment):
            assert set(draw.folds) == set(range(1, chosen.n_splits + 1))


@every_way
@LAWS
@given(data=datasets())
def test_groups_are_never_cut(name, way, data):
    texts, labels, groups = data
    groups = groups_for(name, texts, groups)
    for draw in partitions_or_reject(splitter(name, texts, **WAYS[way]), texts, labels, groups):
        for train, test in draw.cuts():
            assert {groups[row] for row in train}.isdisjoint(groups[row] for row in test)
        if isinstance(draw, Parts):
            parts = {part: {groups[row] for row in np.flatnonzero(draw.parts == part)} for part in ("dev", "test")}
            assert parts["dev"].isdisjoint(parts["test"])


@every_way
@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "groups"])
@LAWS
@given(data=datasets(distinct=True), seed=st.integers(0, 9), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(name, way, grouped, data, seed, shuffle):
    texts, labels, groups = data
    groups = groups_for(name, texts, groups) if grouped else None
    order = list(range(len(texts)))
    shuffle.shuffle(order)
    moved = [None if values is None else [values[row] for row in order] for values in (texts, labels, groups)]
    first = partitions(splitter(name, texts, random_state=seed, **WAYS[way]), texts, labels, groups)
    second = partitions(splitter(name, moved[0], random_state=seed, **WAYS[way]), *moved)
    assert (first is None) == (second is None)
    for one, other in zip(first or reject(), second, strict=True):
        column = "folds" if isinstance(one, Assignment) else "parts"
        assert getattr(one, column)[order].tolist() == getattr(other, column).tolist()


LONG = [" ".join(WORDS[(3 * row + step) % 10] for step in range(1 + row % 7)) + f" w{row % 23}" for row in range(60)]
LABELS = ["xy"[row % 2] for row in range(60)]


@pytest.mark.parametrize("name", NAMES)
def test_one_seed_gives_one_split_and_repeats_differ(name):
    way = splitter(name, LONG, test_size=0.2)
    assert next(way.split(LONG, LABELS)).test.tolist() == next(way.split(LONG, LABELS)).test.tolist()
    if not way.draws:
        with pytest.raises(UsageError, match=f"The {name} split draws nothing at random: 3 repeats would be equal"):
            list(replace(way, n_repeats=3).split(LONG, LABELS))
        return
    tests = [tuple(fold.test) for fold in replace(way, n_repeats=6).split(LONG, LABELS)]
    assert len(tests) == 6
    assert len(set(tests)) > 1
    assert tests[0] == tuple(next(way.split(LONG, LABELS)).test)


@pytest.mark.parametrize("name", NAMES)
def test_it_works_as_cv_in_scikit_learn(name):
    way = splitter(name, LONG, **({"n_splits": 3} if name in FOLDING else {"test_size": 0.3}))
    model = make_pipeline(CountVectorizer(), LogisticRegression())
    assert check_cv(way) is way
    assert len(cross_val_score(model, LONG, LABELS, cv=way)) == way.get_n_splits(LONG)
    search = GridSearchCV(model, {"logisticregression__C": [0.1, 1.0]}, cv=way).fit(LONG, LABELS)
    assert search.n_splits_ == way.get_n_splits()


@pytest.mark.parametrize("name", NAMES)
def test_texts_may_be_a_polars_or_pandas_column_or_an_array(name):
    import pandas as pd
    import polars as pl

    way = splitter(name, LONG, test_size=0.2)
    tests = [next(way.split(kind(LONG), LABELS)).test.tolist() for kind in (list, np.array, pl.Series, pd.Series)]
    assert tests[1:] == tests[:1] * 3


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_of_counts_may_be_dense_or_sparse(name):
    counts = CountVectorizer().fit_transform(LONG)
    way = splitter(name, LONG, test_size=0.2)
    dense, thin = (next(way.split(X, LABELS)) for X in (counts.toarray(), sparse.csr_array(counts)))
    assert len(dense.train)
    assert len(thin.test)
    assert set(dense.train).isdisjoint(dense.test)
    if name not in ("k-means", "same-size-k-means", "sds-k-means"):  # sums in another order may break ties
        assert dense.test.tolist() == thin.test.tolist()


@pytest.mark.parametrize("name", FOLDING)
@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (["a", "b"], ["x", "y"]),
        (["same"] * 6, list("xyxyxy")),
        ([""] * 6, ["x"] * 6),
        (["a b", "b", "c d", "d", "e"], ["x", "x", "x", "x", "rare"]),
        (["a b", "b", "c d", "d"], ["x", None, "x", None]),
    ],
    ids=["two rows", "equal texts", "empty texts of one label", "a label with one row", "unlabelled rows"],
)
def test_folds_can_be_made_of_odd_data(name, texts, labels):
    if name == "k-means" and len(set(texts)) == 1:  # its folds are as equal as the texts
        with pytest.raises(AssayError, match="The k-means split left 1 of 2 folds empty: fewer folds"):
            SPLITS[name](n_splits=2).partition(texts, labels)
        return
    assert set(SPLITS[name](n_splits=2).partition(texts, labels).folds) == {1, 2}


@pytest.mark.parametrize("name", HOLDING)
@pytest.mark.parametrize("texts", [["same"] * 6, [""] * 6])
def test_a_hold_out_of_equal_texts_works_or_says_why_not(name, texts):
    way = SPLITS[name](times=["2020-01-01"] * 6) if name == "temporal" else SPLITS[name]()
    if name in ("length", "rare-words", "random-length", "temporal"):
        with pytest.raises(AssayError, match=f"The {name} split (finds no cut|cannot make a test set of 1 rows)"):
            way.partition(texts)
    else:
        assert (way.partition(texts).parts == "test").sum() == 1


@pytest.mark.parametrize("name", NAMES)
def test_one_row_cannot_be_split(name):
    with pytest.raises(AssayError, match="at least 2 rows"):
        splitter(name, ["a"]).partition(["a"], ["x"])


@pytest.mark.parametrize("name", FOLDING)
def test_more_folds_than_rows_or_groups_is_an_error_with_both_numbers(name):
    with pytest.raises(AssayError, match=r"3 rows cannot make 5 folds\."):
        SPLITS[name](n_splits=5).partition(["a", "b", "c"], ["x", "x", "y"])
    with pytest.raises(AssayError, match=r"2 groups that must stay whole cannot make 3 folds\."):
        SPLITS[name](n_splits=3).partition(["a", "b", "c"], ["x", "x", "y"], [1, 1, 2])


@pytest.mark.parametrize("name", NAMES)
def test_labels_and_groups_must_be_as_many_as_rows(name):
    texts = ["a", "b b"]
    with pytest.raises(AssayError, match=r"2 rows, but 1 labels\."):
        splitter(name, texts).partition(texts, ["x"])
    with pytest.raises(AssayError, match=r"2 rows, but 3 groups\."):
        splitter(name, texts).partition(texts, ["x", "y"], [1, 2, 3])


@pytest.mark.parametrize("name", NAMES)
def test_sizes_that_leave_nothing_to_train_on_are_errors(name):
    with pytest.raises(AssayError, match=r"60 rows: dev 0 and test 60 leave 0 rows to train on\."):
        splitter(name, LONG, test_size=60).partition(LONG, LABELS)
    for size in (-1, 1.5, float("nan"), float("inf"), 0):
        with pytest.raises(UsageError, match=f"test_size must be a share below 1 or a number of rows, not {size}"):
            splitter(name, LONG, test_size=size).partition(LONG, LABELS)


def test_a_hold_out_of_folds_of_unequal_size_passes_over_those_too_large():
    X = np.array([[0.0]] * 40 + [[5.0 + row] for row in range(10)])
    sizes = {SPLITS["k-means"](test_size=0.1, random_state=seed).partition(X).sizes["test"] for seed in range(4)}
    assert max(sizes) <= 9


def test_a_hold_out_of_few_groups_uses_fewer_folds():
    parts = SPLITS["k-means"](test_size=0.1).partition(np.arange(9.0)[:, None], None, [0, 0, 0, 1, 1, 1, 2, 2, 2]).parts
    assert (parts == "test").sum() == 3
