from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError, name_flag
from assay.evaluation import evaluate
from assay.evaluation.slices.folds import FoldTable
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
    table = evaluate(None, files / "p.tsv", metrics="accuracy", by="fold", folds=files / "f.tsv").by.fold[0]
    assert [fold.value for fold in table.folds] == [0.9, 0.9]
    assert (table.mean, table.std_ddof0, table.n_folds) == (0.9, 0.0, 2)
    assert table.folds[0].labels == {"0": 0.5, "1": 0.5}
    assert table.dependence["size"].reason == "x is constant"


def test_a_table_has_one_row_per_fold_and_is_read_back_from_json(files):
    table = evaluate(None, files / "p.tsv", by="fold", folds=files / "f.tsv").by.fold[0]
    assert table.to_frame()["fold"].to_list() == ["1", "2"]
    copy = FoldTable.from_dict(table.to_dict())
    assert copy.to_dict() == table.to_dict()


def test_parts_give_one_fold_per_repeat(files):
    table = evaluate(None, files / "p.tsv", by="fold", folds=files / "parts.tsv").by.fold[0]
    assert [(fold.fold, fold.n) for fold in table.folds] == [("0", 10), ("1", 10)]


def test_a_fold_column_of_the_predictions_counts(files):
    (files / "with.tsv").write_text("id\tgold\tpredicted\tfold\n1\ta\ta\t1\n2\tb\tb\t1\n3\ta\tb\t2\n4\tb\tb\t2\n")
    table = evaluate(None, files / "with.tsv", metrics="accuracy", by="fold").by.fold[0]
    assert [fold.value for fold in table.folds] == [1.0, 0.5]
    assert table.std_ddof0 == pytest.approx(np.std([1.0, 0.5]))


def test_every_split_has_a_table(files):
    folds = [read_folds(files / "f.tsv"), read_folds(files / "parts.tsv")]
    result = evaluate(None, files / "p.tsv", by="fold", folds=folds)
    assert [table.split for table in result.by.fold] == ["f.tsv", "parts.tsv"]


def test_as_many_splits_as_files_are_taken_in_pairs(files):
    (files / "q.tsv").write_text((files / "p.tsv").read_text())
    (files / "g.tsv").write_text((files / "f.tsv").read_text())
    result = evaluate(None, [files / "p.tsv", files / "q.tsv"], by="fold", folds=[files / "f.tsv", files / "g.tsv"])
    assert [(table.system, table.split) for table in result.by.fold] == [("p", "f.tsv"), ("q", "g.tsv")]


def test_folds_are_needed(files):
    with pytest.raises(UsageError, match="by fold needs the folds of the items") as caught:
        evaluate(None, files / "p.tsv", by="fold")
    assert "Give --folds, or predictions with a column fold." in caught.value.phrase(name_flag)


def test_folds_of_other_items_are_an_error(files):
    with pytest.raises(AssayError, match=r"other\.tsv: none of its ids has a prediction"):
        evaluate(None, files / "p.tsv", by="fold", folds=files / "other.tsv")
