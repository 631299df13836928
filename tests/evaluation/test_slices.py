from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, read_predictions
from assay.evaluation.slices import quarters
from assay.kinds import read


@pytest.fixture
def predictions(tmp_path):
    rows = [
        {
            "id": str(n),
            "text": "word " * (n + 1),
            "label": "ab"[n % 2],
            "split": "test",
            "topic": f"t{n % 3}",
            "size": n,
        }
        for n in range(40)
    ]
    lines = [f"{n}\t{'ab'[n % 2] if n < 20 else 'a'}\n" for n in range(40)]
    (tmp_path / "p.tsv").write_text("id\tx\n" + "".join(lines))
    return read_predictions(tmp_path / "p.tsv", read(rows))


def test_slices_by_length_are_quarters_with_size_and_interval(predictions):
    rows = evaluate(predictions, metrics=["accuracy"], by=["length"]).by["length"]
    assert [row.slice for row in rows] == ["1 to 10 words", "11 to 20 words", "21 to 30 words", "31 to 40 words"]
    assert [row.value for row in rows] == [1.0, 1.0, 0.5, 0.5]
    assert all(row.n == row.size == 10 and row.share == 0.25 and row.low < row.value for row in rows)


def test_slices_by_label_show_accuracy(predictions):
    rows = evaluate(predictions, by=["label"]).by["label"]
    assert [(row.slice, row.metric, row.value) for row in rows] == [("a", "accuracy", 1.0), ("b", "accuracy", 0.5)]


def test_slices_by_part_and_by_column(predictions):
    result = evaluate(predictions, metrics=["accuracy"], by=["part", "topic", "size"])
    assert [row.slice for row in result.by["part"]] == ["test"]
    assert [row.slice for row in result.by["topic"]] == ["t0", "t1", "t2"]
    assert len(result.by["size"]) == 4


def test_a_column_that_does_not_exist_is_an_error_with_the_columns(predictions):
    with pytest.raises(AssayError, match=r"no column 'colour'\. Its columns: id, text, label, split, topic"):
        evaluate(predictions, by=["colour"])


def test_slices_of_texts_need_data():
    with pytest.raises(UsageError, match="--by length needs DATA"):
        evaluate(["a", "b"], {"x": ["a", "b"]}, by=["length"])


def test_equal_numbers_stay_in_one_slice():
    assert quarters(np.array([1.0] * 9 + [5.0])).tolist() == ["1"] * 9 + ["5"]
