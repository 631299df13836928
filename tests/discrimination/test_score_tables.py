import math

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.discrimination import discriminate, discriminate_scores, read_scores


def make_long(*rows, columns=("dataset", "system", "score")):
    return {name: [str(row[place]) for row in rows] for place, name in enumerate(columns)}


def measure_datasets(source, **options):
    return {row.dataset: row for row in discriminate_scores(read_scores(source, **options)).datasets}


def test_long_and_wide_tables_give_the_same_measurements():
    wide = read_scores({"system": ["x", "y"], "RTE": [80, 90], "CoLA": [60, 70]})
    tall = read_scores(make_long(("RTE", "x", 80), ("RTE", "y", 90), ("CoLA", "x", 60), ("CoLA", "y", 70)))
    for first, second in zip(wide.measurements, tall.measurements, strict=True):
        assert first.key == second.key
        assert np.array_equal(first.scores, second.scores)


def test_shares_become_percents_with_a_note():
    result = read_scores({"system": ["x", "y"], "RTE": [0.8, 0.9]})
    assert result.measurements[0].scores.tolist() == [80, 90]
    assert any("multiplied by 100" in note for note in result.notes)


def test_one_measurement_is_one_benchmark_dataset_and_metric():
    columns = ("benchmark", "dataset", "metric", "system", "score")
    table = make_long(
        ("G", "MRPC", "F1", "x", 90), ("G", "MRPC", "acc", "x", 88), ("H", "MRPC", "acc", "x", 70), columns=columns
    )
    assert [measurement.key for measurement in read_scores(table).measurements] == [
        ("G", "MRPC", "F1"),
        ("G", "MRPC", "acc"),
        ("H", "MRPC", "acc"),
    ]


def test_missing_cells_are_left_out_and_counted():
    result = read_scores({"system": ["x", "y", "z"], "RTE": ["80", "", "90"], "CoLA": ["60", "-", "70"]})
    assert [len(measurement.systems) for measurement in result.measurements] == [2, 2]
    assert any("2 of 6 cells have no score" in note for note in result.notes)


def test_one_system_has_no_lambda_and_a_reason():
    row = measure_datasets({"system": ["x"], "RTE": [80]})["RTE"]
    assert math.isnan(row.lambda_var.value)
    assert "at least 2 systems" in row.reason
    assert row.verdict == "cannot tell"


def test_one_dataset_has_ranks_without_intervals():
    result = discriminate_scores(read_scores({"system": ["x", "y"], "RTE": [80, 90]}))
    assert [row.system for row in result.systems] == ["y", "x"]
    assert result.systems[0].rank_low is None
    assert result.keep[0].size is None


def test_constant_scores_do_not_discriminate():
    row = measure_datasets({"system": ["x", "y", "z"], "RTE": [80, 80, 80]})["RTE"]
    assert (row.lambda_var.value, row.lambda_sva.value, row.verdict) == (0, 0, "does not discriminate")


def test_shares_among_percents_get_a_note():
    inside = read_scores({"system": ["x", "y", "z"], "RTE": [0.8, 90, 85]})
    assert any("1 of 3 scores of RTE" in note and "shares" in note for note in inside.notes)
    beside = read_scores({"system": ["x", "y"], "RTE": [0.8, 0.9], "CoLA": [60, 70]})
    assert any("all scores of RTE" in note for note in beside.notes)
    assert beside.measurements[0].scores.tolist() == [0.8, 0.9]


def test_negative_scores_are_allowed():
    row = measure_datasets({"system": ["x", "y", "z"], "AX": [-10.3, 20, 55]})["AX"]
    assert row.lambda_var.value == pytest.approx(np.std([-10.3, 20, 55], ddof=1))
    assert row.lambda_sva.value > 0


def test_lower_error_rates_rank_higher():
    table = {"system": ["x", "y", "z"], "AG": [4.5, 5.0, 8.0]}
    result = discriminate_scores(read_scores(table, lower_is_better=True))
    row = result.datasets[0]
    assert row.lambda_var.value == pytest.approx(np.std([4.5, 5, 8], ddof=1))
    assert row.lambda_sva.value == pytest.approx(row.lambda_var.value * np.mean([4.5, 5, 8]))
    assert (row.headroom, row.mean) == (4.5, pytest.approx(5.8333, abs=1e-3))
    assert [measurement.system for measurement in result.systems] == ["x", "y", "z"]
    assert result.systems[0].score == 4.5


def test_lower_is_better_for_one_metric_does_not_affect_the_others():
    columns = ("dataset", "metric", "system", "score")
    table = make_long(
        ("A", "error", "x", 5), ("A", "error", "y", 9), ("A", "acc", "x", 95), ("A", "acc", "y", 91), columns=columns
    )
    result = read_scores(table, lower_is_better=["error"])
    assert [measurement.lower_is_better for measurement in result.measurements] == [True, False]


def test_scores_above_a_given_bound_have_no_lambda_sva():
    row = measure_datasets({"system": ["x", "y"], "Arena": [1100, 1287]}, upper=1200)["Arena"]
    assert math.isnan(row.lambda_sva.value)
    assert "beyond the best possible value 1200" in row.reason


@pytest.mark.parametrize("scores", [[1100, 1287], [6.4, 9.1]], ids=["Elo", "ratings to 10"])
def test_a_scale_without_known_end_has_neither_headroom_nor_lambda_sva(scores):
    result = discriminate_scores(read_scores({"system": ["x", "y"], "Arena": scores}))
    (row,) = result.datasets
    assert all(math.isnan(value) for value in (row.upper, row.headroom, row.lambda_sva.value))
    assert "no best possible score is known" in row.reason
    assert (row.scale, row.verdict_var, row.verdict_sva) == ("other", "cannot tell", "cannot tell")
    assert any("No best possible score is known for Arena" in note for note in result.notes)


def test_a_rating_with_a_given_end_has_headroom():
    row = measure_datasets({"system": ["x", "y"], "MT": [6.5, 9.0]}, upper=10)["MT"]
    assert row.headroom == 1.0
    assert row.lambda_sva.value == pytest.approx(np.std([6.5, 9], ddof=1) * 2.25)


def test_datasets_of_other_scales_do_not_change_the_percents_next_to_them():
    rows = measure_datasets({"system": ["x", "y"], "MMLU": [71, 80], "Arena": [1100, 1287]})
    assert (rows["MMLU"].upper, rows["MMLU"].scale, rows["Arena"].scale) == (100.0, "percent", "other")


@pytest.mark.parametrize("metric", ["perplexity", "wer", "CER", "edit_distance", "ece", "brier", "latency", "rmse"])
def test_known_error_metrics_are_lower_is_better(metric):
    columns = ("dataset", "metric", "system", "score")
    table = make_long(("A", metric, "good", 0.2), ("A", metric, "bad", 0.9), columns=columns)
    result = discriminate_scores(read_scores(table))
    assert [row.system for row in result.systems] == ["good", "bad"]
    assert any("Lower is better, by the name" in note for note in result.notes)


def test_an_inferred_direction_can_be_overruled():
    columns = ("dataset", "metric", "system", "score")
    table = make_long(("A", "wer", "x", 20), ("A", "wer", "y", 90), columns=columns)
    assert not read_scores(table, lower_is_better=False).measurements[0].lower_is_better
    assert not read_scores(table, higher_is_better=["wer"]).measurements[0].lower_is_better


def test_scores_of_both_directions_are_ranked_by_win_rate_and_not_by_a_mean():
    columns = ("dataset", "metric", "system", "score")
    scores = {"x": (90, 30.0), "y": (89, 10.0), "z": (60, 20.0)}
    rows = [("A", "acc", name, pair[0]) for name, pair in scores.items()]
    rows += [("B", "perplexity", name, pair[1]) for name, pair in scores.items()]
    result = discriminate_scores(read_scores(make_long(*rows, columns=columns)))
    assert {row.system: row.score for row in result.systems} == {"y": 75.0, "x": 50.0, "z": 25.0}
    assert result.benchmarks[0].ranked_by == "win rate over acc and perplexity"
    assert any("have no mean" in note for note in result.notes)


def test_losses_below_one_are_not_shares():
    columns = ("dataset", "metric", "system", "score")
    table = make_long(("A", "loss", "x", 0.2), ("A", "loss", "y", 0.4), columns=columns)
    assert read_scores(table).measurements[0].scores.tolist() == [0.2, 0.4]


def test_an_unnamed_benchmark_has_its_correlations_once():
    generator = np.random.default_rng(0)
    table = {"system": list("abcdef")} | {f"d{number}": generator.uniform(20, 90, 6) for number in range(5)}
    pairs = [(row.first, row.second, row.method) for row in discriminate_scores(read_scores(table)).correlations]
    assert len(pairs) == len(set(pairs)) > 0


def test_two_datasets_give_no_probability_of_being_best():
    result = discriminate_scores(read_scores({"system": list("abc"), "d1": [90, 80, 70], "d2": [60, 62, 58]}))
    assert all(math.isnan(row.p_best) for row in result.systems)


def test_given_upper_bounds_are_used():
    assert measure_datasets({"system": ["x", "y"], "Arena": [1100, 1287]}, upper=1500)["Arena"].lambda_sva.value > 0
    named = measure_datasets({"system": ["x", "y"], "A": [40, 44], "B": [40, 44]}, uppers={"A": 50})
    assert named["A"].lambda_sva.value < named["B"].lambda_sva.value


def test_without_items_the_verdict_is_a_point_estimate():
    row = measure_datasets({"system": ["x", "y", "z"], "RTE": [60, 80, 90]})["RTE"]
    assert math.isnan(row.lambda_var.low)
    assert row.verdict_basis == "point estimate"
    assert "does not cover" in row.reason


def test_the_number_of_items_gives_intervals_and_an_open_verdict_near_the_threshold():
    columns = ("dataset", "system", "score", "n_items")
    table = make_long(("RTE", "x", 80, 100), ("RTE", "y", 83, 100), ("RTE", "z", 86, 100), columns=columns)
    row = measure_datasets(table)["RTE"]
    assert row.lambda_var.low < 3 < row.lambda_var.high
    assert (row.verdict_var, row.verdict_basis, row.n_items) == ("cannot tell", "interval", 100)


def test_a_word_among_the_scores_is_an_error_that_quotes_it():
    with pytest.raises(AssayError, match="the score of y on RTE is 'high', not a number"):
        read_scores({"system": ["x", "y"], "RTE": ["80", "high"]})


def test_two_scores_of_one_system_are_an_error():
    with pytest.raises(AssayError, match="system 'x' has several scores on RTE"):
        read_scores(make_long(("RTE", "x", 80), ("RTE", "x", 81)))


def test_a_table_without_systems_lists_its_columns():
    with pytest.raises(AssayError, match="no column 'system' or 'model'; columns are entry, RTE"):
        read_scores({"entry": ["x"], "RTE": [1]})


def test_a_table_of_votes_is_named():
    with pytest.raises(AssayError, match=r"this is a table of votes, not of scores\. Rate the systems"):
        read_scores({"model_a": ["x"], "model_b": ["y"], "verdict": ["a"]})


def test_an_unknown_metric_lists_the_known_ones():
    with pytest.raises(AssayError, match="no metric 'F2'; metrics are score"):
        read_scores({"system": ["x"], "RTE": [1]}, metric="F2")


def test_an_empty_table_is_an_error():
    with pytest.raises(AssayError, match="no score in any cell"):
        read_scores({"system": ["x"], "RTE": [""]})


LEADERBOARD = {
    "Rank": ["1", "2", "3"],
    "Model": ["x", "y", "z"],
    "MMLU": ["90%", "80.5 ± 1.2", "N/A"],
    "GSM8K": ["**77.0**", "1,0", "55 (5-shot)"],
    "Average": ["83.5", "80.5", "55"],
    "#Params (B)": ["70", "7", "1"],
    "Submission Date": ["2024-05-01", "2024-06-01", "2024-07-01"],
    "License": ["MIT", "MIT", "other"],
}


def test_a_leaderboard_as_people_keep_it():
    table = read_scores(LEADERBOARD)
    scores = {
        entry.dataset: dict(zip(entry.systems, entry.scores.tolist(), strict=True)) for entry in table.measurements
    }
    assert scores == {"MMLU": {"x": 90.0, "y": 80.5}, "GSM8K": {"x": 77.0, "y": 1.0, "z": 55.0}}
    assert "not used: Rank, Average, #Params (B), Submission Date, License" in table.notes[0]


def test_metrics_where_lower_is_better_are_known_by_name():
    table = read_scores({"system": ["x", "y"], "accuracy": [90, 80], "word_perplexity": [12, 10]})
    assert [entry.lower_is_better for entry in table.measurements] == [False, True]
    assert "Lower is better, by the name: word_perplexity (score)." in table.notes
    ranks = {row.system: (row.rank, row.score) for row in discriminate(table).systems}
    assert ranks == {"x": (1, 50.0), "y": (1, 50.0)}  # each wins once: no mean of accuracy and perplexity


def test_the_real_table_of_alpaca_eval_is_read(shared):
    table = read_scores(shared("alpaca_eval/leaderboard.tsv.gz"))
    names = [entry.dataset for entry in table.measurements]
    assert names == ["win_rate", "discrete_win_rate", "length_controlled_winrate"]
    assert len(table.measurements[0].systems) == 223


def test_a_long_table_of_benchmarks_has_one_dataset_for_each():
    rows = [("mmlu", "a", 0.7), ("mmlu", "b", 0.6), ("gsm8k", "a", 0.8), ("gsm8k", "b", 0.9)]
    table = read_scores(dict(zip(("benchmark", "model", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    assert [(row.benchmark, row.dataset) for row in table.measurements] == [("all", "mmlu"), ("all", "gsm8k")]


def test_emphasis_in_cells_is_not_a_part_of_a_score():
    cells = {"model": ["a", "b", "c"], "SST-2": ["93.5 ± 0.2", "**96.4** ± 0.1", r"$\textbf{91}$"]}
    assert read_scores(cells).measurements[0].scores.tolist() == [93.5, 96.4, 91.0]


def test_a_system_without_one_metric_of_the_only_dataset_leaves_no_gap_in_the_ranking():
    scores = {"LAS": (79.6, 77.3, 70.5, 69.9), "UAS": (None, 84.2, None, 76.7)}
    rows = [
        {"dataset": "treebank", "metric": metric, "system": system, "score": score}
        for metric, values in scores.items()
        for system, score in zip("abcd", values, strict=True)
        if score is not None
    ]
    assert {row.system for row in discriminate(rows).systems} <= set("abcd")
