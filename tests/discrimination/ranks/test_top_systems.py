import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import Measurement
from assay.discrimination.ranks.top_systems import select_top_systems


def measure(dataset, scores, **options):
    names = tuple(scores)
    return Measurement("b", dataset, "acc", names, np.array([scores[name] for name in names], dtype=float), **options)


FIRST = measure("A", {"x": 90, "y": 80, "z": 70})
SECOND = measure("B", {"x": 10, "y": 60, "z": 90})


def test_by_dataset_every_dataset_has_its_own_top():
    assert [measurement.systems for measurement in select_top_systems([FIRST, SECOND], 2)] == [("x", "y"), ("y", "z")]


def test_by_benchmark_all_datasets_have_the_same_top():
    chosen = select_top_systems([FIRST, SECOND], 2, "benchmark")
    assert [measurement.systems for measurement in chosen] == [("y", "z"), ("y", "z")]


def test_by_benchmark_systems_with_all_datasets_come_first():
    partial = measure("B", {"y": 60, "z": 90})
    assert [measurement.systems for measurement in select_top_systems([FIRST, partial], 2, "benchmark")] == [
        ("y", "z"),
        ("y", "z"),
    ]


def test_where_lower_is_better_the_lowest_are_the_top():
    errors = measure("A", {"x": 5, "y": 3, "z": 9}, lower_is_better=True)
    assert select_top_systems([errors], 2)[0].systems == ("x", "y")


def test_equal_scores_keep_file_order():
    assert select_top_systems([measure("A", {"x": 5, "y": 5, "z": 5})], 2)[0].systems == ("x", "y")


def test_no_number_keeps_all_systems():
    assert select_top_systems([FIRST], None)[0].systems == ("x", "y", "z")


def test_zero_systems_are_refused():
    with pytest.raises(UsageError, match="at least 1 system"):
        select_top_systems([FIRST], 0)
