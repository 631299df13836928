"""Peinelt et al. 2019: the official scores of SemEval-2016 Task 3, and the confusion counts behind Tables 6 and 7."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from assay.evaluation import Predictions, ScoringSettings, evaluate, prepare_predictions
from assay.metrics import METRICS

CQA = "semeval2016_cqa"
OFFICIAL = {"F1": "f1", "Acc": "accuracy", "MAP": "map", "P": "precision", "R": "recall"}


@pytest.mark.parametrize(("task", "n_runs"), [("A", 32), ("B", 28), ("C", 31)])
def test_every_run_has_its_official_scores(shared, task, n_runs):
    labels, scores = shared(f"{CQA}/pred_labels_{task}.tsv.gz"), shared(f"{CQA}/pred_scores_{task}.tsv.gz")
    found = evaluate(None, labels, item_scores=scores, metrics=list(OFFICIAL.values()), compare=False)
    ours = {system.system: system.metrics for system in found.systems}
    official = pl.read_csv(shared(f"{CQA}/official_scores.tsv.gz"), separator="\t")
    official = official.filter((pl.col("dataset") == f"subtask {task}") & pl.col("metric").is_in(list(OFFICIAL)))
    assert len(ours) == official["system"].n_unique() == n_runs
    for row in official.to_dicts():
        value = ours[row["system"]][OFFICIAL[row["metric"]]].value
        if np.isnan(value):  # precision of a run that never says 1: the official scorer prints 0
            assert (row["metric"], row["score"]) == ("P", 0.0)
        else:
            assert value == pytest.approx(row["score"], abs=1e-4), row


def test_the_command_gives_the_official_scores_and_a_table_by_difficulty(shared, run):
    done = run(
        "evaluate", shared(f"{CQA}/cqa_B.tsv.gz"), "--predictions", shared(f"{CQA}/pred_labels_B.tsv.gz"),
        "--item-scores", shared(f"{CQA}/pred_scores_B.tsv.gz"), "--by", "difficulty", "--json", "-",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    official = pl.read_csv(shared(f"{CQA}/official_scores.tsv.gz"), separator="\t")
    official = official.filter(pl.col("dataset") == "subtask B")
    ours = {system["system"]: system["metrics"] for system in result["systems"]}
    for row in official.filter(pl.col("metric").is_in(["F1", "Acc", "MAP"])).to_dicts():
        assert ours[row["system"]][OFFICIAL[row["metric"]]]["value"] == pytest.approx(row["score"], abs=1e-4)
    table = result["by"]["difficulty"]["systems"]
    assert len(table) == 29
    assert {"TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1", "MAP"} <= set(table[0])
    assert table[-1]["system"] == "(random guesser)"


def test_reconstructed_counts_give_the_unrounded_f1(shared):
    rows = pl.read_csv(shared("oracles/lexsim_semeval_confusion_reconstructed.csv")).to_dicts()
    assert len(rows) > 10
    for row in rows:
        for suffix, cases in (("_o", "o"), ("_n", "n"), ("", "on")):
            counts = {cell: sum(row[f"{cell}_{case}"] for case in cases) for cell in ("tp", "fn", "tn", "fp")}
            gold = ["1"] * (counts["tp"] + counts["fn"]) + ["0"] * (counts["tn"] + counts["fp"])
            answers = ["1"] * counts["tp"] + ["0"] * (counts["fn"] + counts["tn"]) + ["1"] * counts["fp"]
            predictions = Predictions.from_arrays(gold, {"x": answers})
            scores = prepare_predictions(predictions, ScoringSettings(positive="1")).compute_scores(METRICS["f1"])
            assert scores["x"].value == pytest.approx(row[f"F1{suffix}_unrounded"], abs=1e-6)
