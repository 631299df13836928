"""The laws that every splitter keeps. A law that does not apply to a splitter is skipped, with the reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from assay.base.errors import AssayError, UsageError
from assay.splits import SPLITS, FoldAssignment, FoldSplitter, PartAssignment, split
from assay.text import Corpus

WORDS = "ash bay cod doe elk fir gum hay ivy jay".split()
NAMES = sorted(SPLITS)
FOLDING = [name for name in NAMES if issubclass(SPLITS[name], FoldSplitter)]
HOLDING = [name for name in NAMES if name not in FOLDING]
K_MEANS = {"k-means", "same-size-k-means", "sds-k-means"}
LAWS = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
WAYS = {"folds": {"n_splits": 3}, "test": {"test_size": 0.3}, "test and dev": {"test_size": 0.3, "dev_size": 0.2}}


def skip(*values, reason):
    return pytest.param(*values, marks=pytest.mark.skip(reason=reason))


CASES = [
    (name, way) if way != "folds" or name in FOLDING else skip(name, way, reason=f"the {name} split makes no folds")
    for name in NAMES
    for way in WAYS
]
every_case = pytest.mark.parametrize(("name", "way"), CASES)


def make_days(texts):
    """Return dates that depend on the text alone, so that they move with it."""
    return [f"2020-{1 + len(text) % 12:02d}-{1 + sum(map(ord, text)) % 28:02d}" for text in texts]


def make_splitter(name, texts, **parameters):
    extra = {"times": make_days(texts)} if name == "temporal" else {"n_init": 2} if name in K_MEANS else {}
    return SPLITS[name](**extra, **parameters)


@st.composite
def draw_data(draw, name, distinct=False):
    """Draw texts of several lengths, labels, and groups that the method can keep whole."""
    texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    rows = [" ".join(WORDS[:length]) for length in range(1, 7)] + draw(st.lists(texts, max_size=20))
    rows = draw(st.permutations(list(dict.fromkeys(rows)) if distinct else rows))
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    if name in ("length", "random-length", "temporal"):  # a group may not span a threshold, or all lengths
        values = make_days(rows) if name == "temporal" else [len(row.split()) for row in rows]
        ranks = np.unique(values, return_inverse=True)[1] // draw(st.integers(1, 2))
        groups = [f"{rank} {row % 2}" for row, rank in enumerate(ranks.tolist())]
    else:
        groups = draw(st.lists(st.integers(0, len(rows) // 2), min_size=len(rows), max_size=len(rows)))
    return rows, labels, groups


def attempt(splitter, *data):
    """Return all repeats, or the message of the refusal, which must be one line."""
    try:
        return list(splitter.iterate_partitions(*data))
    except AssayError as error:
        message = str(error)
    assert "\n" not in message
    return message


def draw_all(splitter, *data):
    """Return all repeats; an example that cannot be split does not count as one that keeps the law."""
    repeats = attempt(splitter, *data)
    if isinstance(repeats, str):
        reject()
    return repeats


@every_case
@LAWS
@given(data=st.data())
def test_no_row_is_on_both_sides_no_side_is_empty_and_no_row_is_lost(name, way, data):
    texts, labels, _ = data.draw(draw_data(name))
    splitter = make_splitter(name, texts, **WAYS[way])
    for repeat in draw_all(splitter, texts, labels):
        assert len(repeat) == len(texts)
        for train, test in repeat.iterate_splits():
            assert set(train).isdisjoint(test)
            assert len(train)
            assert len(test)
        if isinstance(repeat, FoldAssignment):
            assert set(repeat.folds) == set(range(1, splitter.n_splits + 1))
        elif name not in ("bootstrap", "temporal"):
            assert set(repeat.parts) == {"train", "test"} | ({"dev"} if splitter.dev_size else set())


@every_case
@LAWS
@given(data=st.data())
def test_groups_are_never_cut(name, way, data):
    texts, labels, groups = data.draw(draw_data(name))
    for repeat in draw_all(make_splitter(name, texts, **WAYS[way]), texts, labels, groups):
        for train, test in repeat.iterate_splits():
            assert {groups[row] for row in train}.isdisjoint(groups[row] for row in test)
        if isinstance(repeat, PartAssignment):
            dev, test = ({groups[row] for row in np.flatnonzero(repeat.parts == part)} for part in ("dev", "test"))
            assert dev.isdisjoint(test)


@every_case
@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "groups"])
@LAWS
@given(data=st.data(), seed=st.integers(0, 9), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(name, way, grouped, data, seed, shuffle):
    texts, labels, groups = data.draw(draw_data(name, distinct=True))
    order = list(range(len(texts)))
    shuffle.shuffle(order)
    moved_texts, moved_labels, moved_groups = ([values[row] for row in order] for values in (texts, labels, groups))
    parameters = {**WAYS[way], "random_state": seed}
    straight = attempt(make_splitter(name, texts, **parameters), texts, labels, groups if grouped else None)
    moved = attempt(
        make_splitter(name, moved_texts, **parameters), moved_texts, moved_labels, moved_groups if grouped else None
    )
    assert isinstance(straight, str) == isinstance(moved, str)
    if isinstance(straight, str):
        reject()
    for one, other in zip(straight, moved, strict=True):
        column = "folds" if isinstance(one, FoldAssignment) else "parts"
        assert getattr(one, column)[order].tolist() == getattr(other, column).tolist()


LONG = [" ".join(WORDS[(3 * row + step) % 10] for step in range(1 + row % 7)) + f" w{row % 23}" for row in range(60)]
LABELS = ["xy"[row % 2] for row in range(60)]


@pytest.mark.parametrize("name", NAMES)
def test_repeats_differ_or_are_refused(name):
    splitter = make_splitter(name, LONG, test_size=0.2)
    if not splitter.is_random:
        with pytest.raises(UsageError, match=f"The {name} split is not random: 3 repeats would be equal"):
            replace(splitter, n_repeats=3)
        return
    tests = [tuple(fold.test) for fold in replace(splitter, n_repeats=6).split(LONG, LABELS)]
    assert len(tests) == 6
    assert len(set(tests)) > 1
    assert tests[0] == tuple(next(splitter.split(LONG, LABELS)).test)


@every_case
def test_a_clone_has_the_same_parameters_and_makes_the_same_split(name, way):
    splitter = make_splitter(name, LONG, **WAYS[way], random_state=4)
    copy = clone(splitter)
    assert type(copy) is type(splitter)
    assert copy is not splitter
    assert copy.get_params() == splitter.get_params()
    assert WAYS[way].items() <= splitter.get_params().items()
    assert copy.partition(LONG, LABELS) == splitter.partition(LONG, LABELS)


@every_case
def test_the_number_of_splits_is_known_before(name, way):
    splitter = make_splitter(name, LONG, **WAYS[way])
    assert splitter.get_n_splits() == len(list(splitter.split(LONG, LABELS)))


@pytest.mark.parametrize("name", NAMES)
def test_it_knows_the_name_it_is_registered_under(name):
    assert SPLITS[name].name == name


@pytest.mark.parametrize("name", NAMES)
def test_it_has_a_test_file_and_a_docstring_with_an_example(name):
    """The docstring is what the documentation shows of a splitter that `docs/splits.md` does not describe."""
    assert (Path(__file__).parent / "methods" / f"test_{name.replace('-', '_')}.py").exists()
    assert SPLITS[name].__doc__.partition("\n")[0].endswith(".")
    assert ">>> " in SPLITS[name].__doc__


@every_case
def test_a_split_and_its_details_survive_json(name, way):
    settings = {"times": make_days(LONG)} if name == "temporal" else {"n_init": 2} if name in K_MEANS else {}
    data = {"text": LONG, "label": LABELS}
    result = split(data, name, **WAYS[way], **settings)
    again = type(result).from_dict(json.loads(result.to_json()))
    assert again.details == result.details
    assert [type(details) for details in again.details] == [type(details) for details in result.details]


@every_case
@pytest.mark.parametrize("backend", [None, "processes"])
def test_repeats_side_by_side_are_those_one_after_the_other(name, way, backend):
    splitter = make_splitter(name, LONG, **WAYS[way])
    splitter = replace(splitter, n_repeats=3) if splitter.is_random else splitter
    together = splitter.draw_partitions(LONG, LABELS, n_jobs=2, backend=backend)
    assert together == list(splitter.iterate_partitions(LONG, LABELS))


@pytest.mark.parametrize("name", NAMES)
def test_texts_may_be_a_polars_or_pandas_column_or_an_array(name):
    import pandas as pd
    import polars as pl

    splitter = make_splitter(name, LONG, test_size=0.2)
    tests = [next(splitter.split(kind(LONG), LABELS)).test.tolist() for kind in (list, np.array, pl.Series, pd.Series)]
    assert tests[1:] == tests[:1] * 3


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_can_take_the_place_of_texts_that_are_nothing_but_words(name):
    splitter = make_splitter(name, LONG, test_size=0.2)
    corpus = Corpus.from_texts(LONG)
    reference = splitter.partition(LONG, LABELS)
    assert splitter.partition(corpus, LABELS) == reference
    assert splitter.partition(LONG, LABELS, corpus=corpus) == reference


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_of_counts_may_be_dense_or_sparse(name):
    counts = CountVectorizer().fit_transform(LONG)
    splitter = make_splitter(name, LONG, test_size=0.2)
    dense, thin = (next(splitter.split(X, LABELS)) for X in (counts.toarray(), sparse.csr_array(counts)))
    assert len(dense.train)
    assert len(thin.test)
    assert set(dense.train).isdisjoint(dense.test)
    if name not in K_MEANS:  # sums in another order may break ties
        assert dense.test.tolist() == thin.test.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_the_input_is_not_changed(name):
    counts = CountVectorizer().fit_transform(LONG).astype(float)
    for X in (counts.toarray(), sparse.csr_matrix(counts)):
        before = X.copy()
        make_splitter(name, LONG, test_size=0.2).partition(X, LABELS, vectors=X)
        assert (before != X).sum() == 0


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
def test_folds_can_be_made_of_unusual_data(name, texts, labels):
    if name == "k-means" and len(set(texts)) == 1:  # equal texts are one cluster
        with pytest.raises(AssayError, match="The k-means split left 1 of 2 folds empty"):
            SPLITS[name](n_splits=2).partition(texts, labels)
        return
    assert set(SPLITS[name](n_splits=2).partition(texts, labels).folds) == {1, 2}


@pytest.mark.parametrize("name", HOLDING)
@pytest.mark.parametrize("texts", [["same"] * 6, [""] * 6])
def test_a_hold_out_of_equal_texts_works_or_is_refused_with_the_reason(name, texts):
    splitter = SPLITS[name](times=["2020-01-01"] * 6) if name == "temporal" else SPLITS[name]()
    if name in ("length", "rare-words", "random-length", "temporal"):
        with pytest.raises(AssayError, match=f"The {name} split (finds no threshold|cannot make a test set of 1 rows)"):
            splitter.partition(texts)
    else:
        assert (splitter.partition(texts).parts == "test").sum() == 1


@pytest.mark.parametrize("name", NAMES)
def test_one_row_cannot_be_split(name):
    with pytest.raises(AssayError, match="at least 2 rows"):
        make_splitter(name, ["a"]).partition(["a"], ["x"])


@pytest.mark.parametrize("name", FOLDING)
def test_more_folds_than_rows_or_groups_is_an_error_with_both_numbers(name):
    with pytest.raises(AssayError, match=r"3 rows cannot make 5 folds\."):
        SPLITS[name](n_splits=5).partition(["a", "b", "c"], ["x", "x", "y"])
    with pytest.raises(AssayError, match=r"2 groups that must stay whole cannot make 3 folds\."):
        SPLITS[name](n_splits=3).partition(["a", "b", "c"], ["x", "x", "y"], [1, 1, 2])


@pytest.mark.parametrize("name", FOLDING)
def test_folds_and_a_test_set_exclude_each_other(name):
    with pytest.raises(UsageError, match=f"The {name} split makes folds or a test set, not both"):
        SPLITS[name](n_splits=5, test_size=0.2)
    with pytest.raises(UsageError, match="Folds have no dev set"):
        SPLITS[name](dev_size=0.1)


@pytest.mark.parametrize(
    "name",
    [skip(name, reason="the temporal split uses no labels") if name == "temporal" else name for name in NAMES],
)
def test_every_row_needs_a_label_cell(name):
    with pytest.raises(AssayError, match=r"2 rows, but 1 labels\."):
        make_splitter(name, ["a", "b"]).partition(["a", "b"], ["x"])


@pytest.mark.parametrize("name", NAMES)
def test_sizes_that_leave_no_training_rows_are_errors(name):
    with pytest.raises(AssayError, match=r"60 rows: dev 0 and test 60 leave 0 rows to train on\."):
        make_splitter(name, LONG, test_size=60).partition(LONG, LABELS)
    for size in (-1, 1.5, float("nan"), float("inf"), 0):
        with pytest.raises(UsageError, match=f"test_size must be a share below 1 or a number of rows, not {size}"):
            make_splitter(name, LONG, test_size=size).partition(LONG, LABELS)


def test_a_test_set_of_folds_of_unequal_size_skips_those_too_large():
    X = np.array([[0.0]] * 40 + [[5.0 + row] for row in range(10)])
    sizes = {SPLITS["k-means"](test_size=0.1, random_state=seed).partition(X).sizes["test"] for seed in range(4)}
    assert max(sizes) <= 9


def test_a_test_set_of_few_groups_uses_fewer_folds():
    parts = SPLITS["k-means"](test_size=0.1).partition(np.arange(9.0)[:, None], None, [0, 0, 0, 1, 1, 1, 2, 2, 2]).parts
    assert (parts == "test").sum() == 3
