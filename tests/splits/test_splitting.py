"""Whole datasets split by name."""

import pytest

from assay.base.errors import UsageError
from assay.kinds import read
from assay.splits import SPLITS, FoldSplitter, make_splitter, split_dataset

DATA = {
    "id": list("abcdefgh"),
    "text": [f"text {letter}" for letter in "abcdefgh"],
    "label": ["x", "y"] * 3 + ["x", None],
    "writer": list("kkllmmnn"),
}


@pytest.mark.parametrize("name", [name for name, kind in SPLITS.items() if not issubclass(kind, FoldSplitter)])
def test_asking_a_hold_out_method_for_folds_is_a_usage_error(name):
    with pytest.raises(
        UsageError, match=f"The {name} split makes one test set, not folds: give test_size, or choose .*random"
    ):
        make_splitter(name, n_folds=5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_folds": 5, "test_size": 0.1}, "Folds or a test set, not both"),
        ({"dev_size": 0.1}, "dev_size needs test_size"),
        ({"colour": 1}, r"The random split has no parameter colour\. Known: dev_size, n_repeats, n_splits"),
        ({"n_folds": 2.5}, "n_splits of the random split must be int, not 2.5"),
    ],
)
def test_demands_that_make_no_sense_are_usage_errors(settings, message):
    with pytest.raises(UsageError, match=message):
        make_splitter("random", **settings)


def test_sizes_asked_and_reached_and_label_shares_are_told():
    result = split_dataset(read(DATA), make_splitter("stratified", test_size=0.25))
    train, test = result.sizes
    assert (train.part, train.asked, train.n, test.part, test.asked, test.n) == ("train", 6, 6, "test", 2, 2)
    assert result.notes == ["1 rows have no label: where labels count, they are a class of their own."]
    assert sum(train.labels.values()) == pytest.approx(1)


def test_groups_of_the_data_stay_whole():
    result = split_dataset(read(DATA, group="writer"), make_splitter("random", n_folds=2))
    folds = result.draws[0].folds.tolist()
    assert folds[0::2] == folds[1::2]
    assert "4 groups of 8 rows stay whole." in result.notes


def test_a_row_without_a_group_is_a_group_of_its_own():
    data = read({**DATA, "writer": ["k", "k"] + [None] * 6}, group="writer")
    assert "7 groups of 8 rows stay whole." in split_dataset(data, make_splitter("random", n_folds=2)).notes


def test_settings_of_another_kind_are_usage_errors():
    with pytest.raises(UsageError, match=r"gap of the temporal split must be float \| str, not \[1\]"):
        make_splitter("temporal", times=["2020-01-01"], gap=[1])
    with pytest.raises(UsageError, match="n_init of the sds-k-means split must be int, not 'many'"):
        make_splitter("sds-k-means", n_init="many")


def test_a_size_missed_by_more_than_a_tenth_is_said():
    data = read({"text": ["one two"] * 4 + ["one"] * 16, "label": ["x"] * 20})
    notes = split_dataset(data, make_splitter("length", test_size=0.1)).notes
    assert notes == ["test has 4 rows, 2 were asked for: what belongs together is not cut."]
