import numpy as np
import pytest

from assay.discrimination import DiscriminationSettings, Outcomes, build_outcomes, discriminate_outcomes
from assay.evaluation import Predictions

GOLD = ["a", "b"] * 30


def make_predictions():
    generator = np.random.default_rng(0)
    flipped = {"a": "b", "b": "a"}
    systems = {f"s{n}": [g if generator.random() < 0.5 + n / 10 else flipped[g] for g in GOLD] for n in range(4)}
    return Predictions.from_arrays(GOLD, systems, groups=[str(row // 6) for row in range(60)])


def test_accuracy_is_the_default_metric():
    result = build_outcomes(make_predictions(), "toy")
    assert result.metric == "accuracy"
    assert result.measure().scores == pytest.approx(100 * result.table.mean(axis=1))


def test_a_metric_of_sums_is_measured_with_intervals():
    outcomes = build_outcomes(make_predictions(), "toy", "macro-f1")
    row = discriminate_outcomes([outcomes], DiscriminationSettings(n_resamples=200)).datasets[0]
    assert row.metric == "macro-f1"
    assert row.lambda_var.low < row.lambda_var.value < row.lambda_var.high
    assert row.lambda_hit.low <= row.lambda_hit.value <= row.lambda_hit.high


def test_macro_f1_equals_that_of_scikit_learn():
    from sklearn.metrics import f1_score

    predictions = make_predictions()
    scores = build_outcomes(predictions, "toy", "macro-f1").measure().scores
    expected = [
        100 * f1_score(GOLD, list(answers.predicted), average="macro") for answers in predictions.systems.values()
    ]
    assert scores == pytest.approx(expected)


def test_ranks_by_macro_f1_have_intervals():
    systems = discriminate_outcomes([build_outcomes(make_predictions(), "toy", "macro-f1")]).systems
    assert systems[0].system in ("s2", "s3")
    assert all(row.rank_low <= row.rank <= row.rank_high for row in systems)


def test_map_over_groups_samples_whole_groups():
    predictions = make_predictions()
    generator = np.random.default_rng(1)
    scores = {name: generator.random(60) for name in predictions.names}
    ranked = Predictions.from_arrays(
        ["1" if label == "a" else "0" for label in GOLD],
        {name: ["1"] * 60 for name in predictions.names},
        groups=predictions.groups,
        ranking_scores=scores,
    )
    outcomes = build_outcomes(ranked, "toy", "map")
    row = discriminate_outcomes([outcomes], DiscriminationSettings(n_resamples=200)).datasets[0]
    assert outcomes.over_groups
    assert 0 <= row.lambda_hit.low <= row.lambda_hit.value <= row.lambda_hit.high <= 1


def test_two_datasets_are_ranked_over_both():
    generator = np.random.default_rng(0)
    tables = [(generator.random((3, 50)) < 0.6).astype(float) for _ in range(2)]
    outcomes = [Outcomes("b", f"d{n}", "acc", ("x", "y", "z"), table) for n, table in enumerate(tables)]
    result = discriminate_outcomes(outcomes)
    assert result.benchmarks[0].ranked_over == "both"
    assert len(result.items) == 2


def test_top_measures_only_the_best():
    result = discriminate_outcomes([build_outcomes(make_predictions(), "toy")], DiscriminationSettings(top=2))
    assert result.datasets[0].n_systems == 2
    assert len(result.systems) == 4


def test_pairs_are_compared_on_the_items_that_both_answered():
    table = (np.random.default_rng(0).random((3, 40)) < 0.6).astype(float)
    table[1, 0] = np.nan
    result = discriminate_outcomes([Outcomes("b", "d", "acc", ("x", "y", "z"), table)])
    assert "on the items that both have (39 to 40)" in result.benchmarks[0].reason


def test_a_system_without_any_answer_is_left_out():
    table = np.array([[1.0, 0, 1, 1], [0, 1, 0, 1], [np.nan] * 4])
    result = discriminate_outcomes([Outcomes("b", "d", "acc", ("x", "y", "z"), table)])
    assert result.datasets[0].n_systems == 2
    assert {row.system for row in result.systems} == {"x", "y"}


def test_one_system_has_no_lambda_and_no_rank_interval():
    result = discriminate_outcomes([Outcomes("b", "d", "acc", ("x",), np.array([[1.0, 0, 1]]))])
    assert np.isnan(result.datasets[0].lambda_var.value)
    assert result.systems[0].rank_low is None
