from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate, read_predictions
from assay.splits import read_folds


@pytest.fixture
def files(tmp_path):
    gold = ["1", "0"] * 10
    lines = [f"{n}\t{label}\t{label if n % 5 else '1'}\n" for n, label in enumerate(gold)]
    (tmp_path / "p.tsv").write_text("id\tgold\tpredicted\n" + "".join(lines))
    (tmp_path / "f.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{1 + n // 10}\n" for n in range(20)))
    parts = "".join(f"{n}\t{'test' if n // 10 == r else 'train'}\t{r}\n" for r in (0, 1) for n in range(20))
    (tmp_path / "parts.tsv").write_text("id\tpart\trepeat\n" + parts)
    (tmp_path / "other.tsv").write_text("id\tfold\nz\t1\n")
    return tmp_path


def test_mean_and_standard_deviation_are_over_the_folds(files):
    found = evaluate(
        read_predictions(files / "p.tsv"), metrics=["accuracy"], by=["fold"], folds=[read_folds(files / "f.tsv")]
    )
    table = found.by["fold"][0]
    assert [fold.value for fold in table.folds] == [0.9, 0.9]
    assert (table.mean, table.std_ddof0, table.n_folds) == (0.9, 0.0, 2)
    assert table.folds[0].labels == {"0": 0.5, "1": 0.5}
    assert table.dependence["size"].reason == "x is constant"


def test_parts_give_a_fold_a_repeat(files):
    found = evaluate(read_predictions(files / "p.tsv"), by=["fold"], folds=[read_folds(files / "parts.tsv")])
    assert [(fold.fold, fold.n) for fold in found.by["fold"][0].folds] == [("0", 10), ("1", 10)]


def test_a_fold_column_of_the_predictions_serves(files):
    (files / "with.tsv").write_text("id\tgold\tpredicted\tfold\n1\ta\ta\t1\n2\tb\tb\t1\n3\ta\tb\t2\n4\tb\tb\t2\n")
    found = evaluate(read_predictions(files / "with.tsv"), metrics=["accuracy"], by=["fold"])
    assert [fold.value for fold in found.by["fold"][0].folds] == [1.0, 0.5]
    assert found.by["fold"][0].std_ddof0 == pytest.approx(np.std([1.0, 0.5]))


def test_several_splits_stand_side_by_side(files):
    folds = [read_folds(files / "f.tsv"), read_folds(files / "parts.tsv")]
    found = evaluate(read_predictions(files / "p.tsv"), by=["fold"], folds=folds)
    assert [table.split for table in found.by["fold"]] == ["f.tsv", "parts.tsv"]


def test_folds_are_needed(files):
    with pytest.raises(UsageError, match="--by fold needs --folds FILE"):
        evaluate(read_predictions(files / "p.tsv"), by=["fold"])


def test_folds_of_other_items_are_an_error(files):
    with pytest.raises(AssayError, match=r"other\.tsv: none of its ids has a prediction"):
        evaluate(read_predictions(files / "p.tsv"), by=["fold"], folds=[read_folds(files / "other.tsv")])
