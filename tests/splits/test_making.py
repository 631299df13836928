"""Splitters made by name."""

import pytest

from assay.base.errors import UsageError
from assay.splits import SPLITS
from assay.splits.making import make_splitter

HOLDOUT_ONLY = ["bootstrap", "length", "random-length", "rare-words", "wasserstein"]


@pytest.mark.parametrize("name", HOLDOUT_ONLY)
def test_folds_of_a_hold_out_method_are_a_usage_error(name):
    with pytest.raises(
        UsageError, match=rf"The {name} split makes one test set, not folds\. Give test_size=, or choose .*random"
    ):
        make_splitter(name, n_splits=5)


@pytest.mark.parametrize("name", sorted(set(SPLITS) - set(HOLDOUT_ONLY) - {"temporal"}))
def test_folds_and_a_test_set_exclude_each_other(name):
    with pytest.raises(
        UsageError,
        match=rf"The {name} split makes folds or a test set, not both\. Give n_splits= for folds, or test_size=",
    ):
        make_splitter(name, n_splits=5, test_size=0.2)
    with pytest.raises(UsageError, match="not both"):
        SPLITS[name](n_splits=5, test_size=0.2)


def test_windows_of_the_temporal_split_have_a_number_and_a_size():
    splitter = make_splitter("temporal", n_splits=3, test_size=0.1, times=["2020-01-01"])
    assert (splitter.n_splits, splitter.test_size) == (3, 0.1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dev_size": 0.1}, r"A dev set needs a test set\. Give test_size= with dev_size="),
        ({"colour": 1}, r"The random split has no parameter colour\. Known: dev_size, n_repeats, n_splits"),
        ({"n_splits": 2.5}, "n_splits of the random split must be int, not 2.5"),
        ({"n_splits": True}, "n_splits of the random split must be int, not True"),
        ({"n_splits": 1}, "n_splits must be at least 2, not 1"),
        ({"n_repeats": 0}, "n_repeats must be at least 1, not 0"),
    ],
)
def test_wrong_parameters_are_usage_errors(settings, message):
    with pytest.raises(UsageError, match=message):
        make_splitter("random", **settings)


def test_settings_of_another_type_are_usage_errors():
    with pytest.raises(UsageError, match=r"gap of the temporal split must be float or str, not \[1\]"):
        make_splitter("temporal", times=["2020-01-01"], gap=[1])
    with pytest.raises(UsageError, match="n_init of the sds-k-means split must be int, not 'many'"):
        make_splitter("sds-k-means", n_init="many")


def test_five_folds_are_the_default():
    assert make_splitter("random").n_splits == 5
    assert make_splitter("random", test_size=0.1).n_splits is None
