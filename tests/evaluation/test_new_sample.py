from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.evaluation import evaluate, read_predictions
from assay.splits import read_folds


def predictions(path, right, n=20):
    """A run of system m that is right on the first `right` of every ten items."""
    gold = ["01"[number // 2 % 2] for number in range(n)]
    lines = [f"m\t{k}\t{g}\t{g if k % 10 < right else '10'[int(g)]}\n" for k, g in enumerate(gold)]
    path.write_text("system\tid\tgold\tpredicted\n" + "".join(lines))
    return path


def test_the_split_nearest_to_the_new_sample_has_the_smallest_error(tmp_path):
    paths = [predictions(tmp_path / "random.tsv", 9), predictions(tmp_path / "hard.tsv", 6)]
    new = read_predictions(predictions(tmp_path / "new.tsv", 7))
    (tmp_path / "f.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{1 + n // 10}\n" for n in range(20)))
    (tmp_path / "g.tsv").write_text((tmp_path / "f.tsv").read_text())
    folds = [read_folds(tmp_path / "f.tsv"), read_folds(tmp_path / "g.tsv")]
    found = evaluate(read_predictions(paths), metrics=["accuracy"], folds=folds, new_sample=new).new_sample
    assert {row.split: row.mse for row in found["splits"]} == pytest.approx({"f.tsv": 0.04, "g.tsv": 0.01})
    assert [row.system for row in found["estimates"]] == ["m", "m"]
    assert found["splits"][0].mse_error_reduction > found["splits"][1].mse_error_reduction


def test_a_new_sample_of_other_systems_is_an_error(tmp_path):
    new = tmp_path / "new.tsv"
    new.write_text("system\tid\tgold\tpredicted\nz\t1\t0\t0\n")
    (tmp_path / "f.tsv").write_text("id\tfold\n" + "".join(f"{n}\t{1 + n // 10}\n" for n in range(20)))
    given = read_predictions(predictions(tmp_path / "run.tsv", 9))
    with pytest.raises(AssayError, match="The new sample has none of the systems m"):
        evaluate(given, folds=[read_folds(tmp_path / "f.tsv")], new_sample=read_predictions(new))
