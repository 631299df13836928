from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.evaluation import evaluate
from assay.evaluation.comparison.new_sample import NewSample


def write_run(path, n_right, n=20):
    """Write a run of system m that is right on the first `n_right` of every ten items."""
    gold = ["01"[number // 2 % 2] for number in range(n)]
    lines = [f"m\t{k}\t{g}\t{g if k % 10 < n_right else '10'[int(g)]}\n" for k, g in enumerate(gold)]
    path.write_text("system\tid\tgold\tpredicted\n" + "".join(lines))
    return path


@pytest.fixture
def folds(tmp_path):
    paths = [tmp_path / "f.tsv", tmp_path / "g.tsv"]
    for path in paths:
        path.write_text("id\tfold\n" + "".join(f"{n}\t{1 + n // 10}\n" for n in range(20)))
    return paths


def test_the_split_closest_to_the_new_sample_has_the_smallest_error(tmp_path, folds):
    paths = [write_run(tmp_path / "random.tsv", 9), write_run(tmp_path / "hard.tsv", 6)]
    new = write_run(tmp_path / "new.tsv", 7)
    result = evaluate(None, paths, metrics="accuracy", folds=folds, new_sample=new).new_sample
    assert {row.split: row.mse for row in result.splits} == pytest.approx({"f.tsv": 0.04, "g.tsv": 0.01})
    assert [row.system for row in result.estimates] == ["m", "m"]
    assert result.splits[0].mse_error_reduction > result.splits[1].mse_error_reduction
    assert result.to_frame()["split"].to_list() == ["f.tsv", "g.tsv"]
    assert NewSample.from_dict(result.to_dict()) == result


def test_a_new_sample_of_other_systems_is_an_error(tmp_path, folds):
    (tmp_path / "new.tsv").write_text("system\tid\tgold\tpredicted\nz\t1\t0\t0\n")
    run = write_run(tmp_path / "run.tsv", 9)
    with pytest.raises(AssayError, match="The new sample has none of the systems m"):
        evaluate(None, run, folds=folds[:1], new_sample=tmp_path / "new.tsv")


def test_a_new_sample_with_one_label_has_the_positive_label_of_the_other_answers(tmp_path, folds):
    run, new = write_run(tmp_path / "run.tsv", 9), tmp_path / "new.tsv"
    new.write_text("system\tid\tgold\tpredicted\n" + "".join(f"m\t{n}\t1\t{n % 2}\n" for n in range(20)))
    result = evaluate(None, run, metrics="f1", folds=folds[:1], new_sample=new).new_sample
    assert result.estimates[0].new_sample == pytest.approx(2 / 3)
    new.write_text("system\tid\tgold\tpredicted\nm\t1\t0\t0\n")
    with pytest.raises(AssayError, match="the new sample: No item has the label '1'"):
        evaluate(None, run, metrics="f1", folds=folds[:1], new_sample=new)
