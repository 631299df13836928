"""What people read of trained models and studies of splits."""

from __future__ import annotations

import math

from tests.example_audit import MODEL, SPLITS

from assay.models.split_studies.new_sample import NewSampleScores, SampleScore
from assay.models.split_studies.stress_table import FamilyError, FamilyScore, RankFlip, StressTable
from assay.models.split_studies.training_age import AgeCorrelation, AgeScore, AgeStudy, WordChange
from assay.models.training import ModelFit, TrainingRun
from assay.models.view import show_stress
from assay.statistics import spearman
from assay.views.blocks import collect_blocks


def test_a_run_shows_its_fits_and_the_mean_of_each_system():
    fits = [ModelFit("linear", value, 8, 10, 40, fold) for fold, value in enumerate((0.8, 0.9), start=1)]
    run = TrainingRun(fits, ["a", "b"], [])
    assert run.summary == "Accuracy on held-out rows: linear 0.85, mean of 2 fits."
    assert run.to_csv().splitlines() == ["system,fold,train,test,accuracy", "linear,1,40,10,0.8", "linear,2,40,10,0.9"]


def test_the_cost_of_harder_splits_is_in_points_with_its_interval():
    (table,) = show_stress(SPLITS.stress)
    cells = dict(zip(table.headings, table.cells[0], strict=True))
    assert (cells["random folds"], cells["this split"], cells["kappa"]) == ("80%", "70%", "0.40")
    assert cells["drop, points"].startswith("10 [")


def test_a_study_of_quick_models_says_what_the_hardest_split_costs():
    stress, drop = MODEL.hardest
    assert drop.value == stress.drop
    assert f"The {stress.split} split" in MODEL.summary
    assert "Quick models" in MODEL.to_markdown()


def test_a_stress_table_names_the_best_and_the_worst_split():
    rows = [
        FamilyScore(split, "linear", score, 0.5, math.nan, 1, 20, [score])
        for split, score in (("random", 0.9), ("length", 0.7))
    ]
    sample = NewSampleScores("new", 0.3, 0.6, True, 50, [SampleScore("linear", 0.75, 0.5, 50)])
    errors = [FamilyError("random", 0.02, 0.01, 1), FamilyError("length", 0.01, 0.01, 1)]
    table = StressTable(rows, [RankFlip("random", "length", "a", "b")], errors, sample, [])
    assert table.summary == "linear scores 0.9 under random and 0.7 under length."
    view = collect_blocks(table.blocks())
    assert [block.title for block in view.tables] == ["Scores by split family", "New sample", "Rank flips"]
    assert view.main_table.headings[-1] == "MSE to new sample"
    assert StressTable.from_dict(table.to_dict()) == table


def test_a_study_of_age_says_whether_scores_fall():
    slices = [AgeScore("linear", f"slice {n}", 0.9 - n / 10, 30.0 * n, 40) for n in range(1, 7)]
    trend = spearman([row.gap_days for row in slices], [row.score for row in slices])
    words = [WordChange("film", 0.1, 0.2, 0.001)]
    study = AgeStudy([AgeCorrelation("linear", trend, -1.0, 0.001)], slices, [], words, 10, "2024-01-01", [])
    assert study.summary.startswith("The scores of linear fall with the age of the training data (Spearman −1, p")
    assert [table.shows_words for table in collect_blocks(study.blocks()).tables] == [False, False, True]
