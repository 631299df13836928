from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, evaluate_arrays
from assay.evaluation.slices.columns import cut_quarters

ROWS = [
    {"id": str(n), "text": "word " * (n + 1), "label": "ab"[n % 2], "split": "test", "topic": f"t{n % 3}", "size": n}
    for n in range(40)
]
ANSWERS = {"x": ["ab"[n % 2] if n < 20 else "a" for n in range(40)]}
evaluate_rows = partial(evaluate, ROWS, ANSWERS)


def test_slices_by_length_are_quarters_with_size_and_interval():
    rows = evaluate_rows(metrics="accuracy", by="length").by.columns["length"]
    assert [row.slice for row in rows] == ["1 to 10 words", "11 to 20 words", "21 to 30 words", "31 to 40 words"]
    assert [row.value for row in rows] == [1.0, 1.0, 0.5, 0.5]
    assert all(row.n == row.size == 10 and row.share == 0.25 and row.low < row.value for row in rows)


def test_slices_by_label_show_accuracy():
    rows = evaluate_rows(by="label").by.columns["label"]
    assert [(row.slice, row.metric, row.value) for row in rows] == [("a", "accuracy", 1.0), ("b", "accuracy", 0.5)]


def test_slices_by_part_and_by_column():
    columns = evaluate_rows(metrics="accuracy", by=["part", "topic", "size"]).by.columns
    assert [row.slice for row in columns["part"]] == ["test"]
    assert [row.slice for row in columns["topic"]] == ["t0", "t1", "t2"]
    assert len(columns["size"]) == 4


def test_a_column_that_does_not_exist_is_an_error_with_the_columns():
    with pytest.raises(AssayError, match=r"no column 'colour'\. Its columns: id, text, label, split, topic"):
        evaluate_rows(by="colour")


def test_slices_of_texts_need_data():
    with pytest.raises(UsageError, match="by length needs the data of the items"):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, by="length")


def test_parts_are_needed_for_slices_by_part():
    rows = [{name: value for name, value in row.items() if name != "split"} for row in ROWS]
    with pytest.raises(AssayError, match=r"by part needs a column that names the part of each row\. .* split="):
        evaluate(rows, ANSWERS, by="part")


def test_a_column_of_different_values_has_no_slices():
    rows = [{**row, "name": f"item {row['id']}"} for row in ROWS]
    with pytest.raises(UsageError, match="by name: all 40 values differ"):
        evaluate(rows, ANSWERS, by="name")


def test_equal_numbers_stay_in_one_slice():
    assert cut_quarters(np.array([1.0] * 9 + [5.0])).tolist() == ["1"] * 9 + ["5"]
