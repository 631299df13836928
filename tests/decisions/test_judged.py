"""A judge on all items and people on some."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError
from assay.statistics import count_labels, estimate_powered_mean


def make_table(n: int = 400, share: float = 0.25, accuracy: float = 0.85) -> tuple[pl.DataFrame, float]:
    generator = np.random.default_rng(0)
    people = {"A": (generator.random(n) < 0.4) * 1.0, "B": (generator.random(n) < 0.55) * 1.0}
    judge = {name: np.where(generator.random(n) < accuracy, values, 1 - values) for name, values in people.items()}
    labelled = generator.random(n) < share
    rows = [
        {"id": str(i), "system": name, "score": judge[name][i], "human": people[name][i] if labelled[i] else None}
        for name in "AB"
        for i in range(n)
    ]
    return pl.DataFrame(rows), 100 * float(people["B"].mean() - people["A"].mean())


def test_the_judge_narrows_the_interval_and_its_errors_do_not_move_it():
    table, truth = make_table()
    result = assay.decide(judge=table, gold="human", baseline="A", candidate="B")
    assert result.difference.low < truth < result.difference.high
    assert result.judge.relative_width < 0.9
    assert result.judge.labels.high - result.judge.labels.low > result.difference.high - result.difference.low
    assert result.judge.n_judged == 400
    assert not set(result.judge.spend_on) & set(table.filter(pl.col("human").is_not_null())["id"])
    assert result.candidate_score - result.baseline_score == pytest.approx(result.difference.value / 100, abs=0.05)


def test_labels_may_be_in_another_table_and_the_judge_in_one_column_per_system():
    table, _ = make_table()
    whole = assay.decide(judge=table, gold="human", baseline="A", candidate="B")
    labels = table.select("id", "system", "human")
    apart = assay.decide(judge=table.drop("human"), predictions=labels, gold="human", baseline="A", candidate="B")
    wide = table.drop("human").pivot(on="system", index="id", values="score")
    other = assay.decide(judge=wide, predictions=labels, gold="human", baseline="A", candidate="B")
    assert apart.difference == whole.difference == other.difference


def test_verdicts_between_two_answers_are_net_wins():
    rows = [{"id": n, "verdict": "ab"[n % 3 == 0], "human": "ab"[n % 3 == 0] if n < 30 else None} for n in range(90)]
    result = assay.decide(judge=pl.DataFrame(rows), gold="human", baseline="old", candidate="new")
    assert result.difference.value == pytest.approx(-100 / 3, abs=0.1)
    assert result.difference.high - result.difference.low > 10  # thirty labels without an error do not make it perfect


def test_the_estimate_equals_the_formula_of_ppi_with_power_tuning():
    generator = np.random.default_rng(0)
    truth = generator.normal(size=300)
    guess = truth + generator.normal(size=300)
    y, f, g = truth[:60], guess[:60], guess[60:]
    result = estimate_powered_mean(y, f, g)
    tuning = np.cov(y, f)[0, 1] / ((1 + 60 / 240) * guess.var(ddof=1))
    assert result.tuning == pytest.approx(tuning)
    assert result.value == pytest.approx(tuning * g.mean() + (y - tuning * f).mean())
    error = np.sqrt(tuning**2 * g.var(ddof=1) / 240 + (y - tuning * f).var(ddof=1) / 60)
    assert (result.high - result.low) / 2 == pytest.approx(2.0017 * error, rel=1e-3)


@pytest.mark.parametrize("n_labels", [20, 60])
def test_intervals_cover_the_truth_with_a_bad_and_a_good_judge(n_labels):
    generator = np.random.default_rng(1)
    hits = []
    for noise in (0.5, 5.0):
        for _ in range(400):
            truth = generator.normal(0.2, 1, 300)
            guess = truth + generator.normal(0.5, noise, 300)
            result = estimate_powered_mean(truth[:n_labels], guess[:n_labels], guess[n_labels:])
            hits.append(result.low <= 0.2 <= result.high)
    assert 0.92 <= np.mean(hits) <= 0.98


def test_labels_drawn_with_different_probabilities_do_not_move_the_estimate():
    """Items without a label are not a random sample then, so that predictions are averaged over all items."""
    generator = np.random.default_rng(0)
    values, hits = [], 0
    for _ in range(400):
        is_hard = generator.random(600) < 0.5
        truth = (generator.random(600) < np.where(is_hard, 0.3, 0.9)).astype(float)
        guess = np.where(generator.random(600) < 0.85, truth, 1 - truth)
        share = np.where(is_hard, 0.3, 0.1)
        known = generator.random(600) < share
        result = estimate_powered_mean(truth[known], guess[known], guess[~known], weights=1 / share[known], span=1)
        values.append(result.value)
        hits += result.low <= 0.6 <= result.high
    assert np.mean(values) == pytest.approx(0.6, abs=0.006)
    assert 0.93 <= hits / 400 <= 0.98


def test_draw_probabilities_are_needed_for_all_labels_or_none():
    table, _ = make_table()
    even = table.with_columns(draw_probability=pl.lit(0.25))
    result = assay.decide(judge=even, gold="human", baseline="A", candidate="B")
    plain = assay.decide(judge=table, gold="human", baseline="A", candidate="B")
    assert result.difference.value == pytest.approx(plain.difference.value, abs=0.5)
    for wrong in (None, 0.0, 1.5):
        some = even.with_columns(
            draw_probability=pl.when(pl.col("human") == 1).then(wrong).otherwise(pl.col("draw_probability"))
        )
        with pytest.raises(AssayError, match="without a draw_probability between 0 and 1"):
            assay.decide(judge=some, gold="human", baseline="A", candidate="B")


def test_labels_needed():
    assert count_labels(0.5, 0.5, 0.5, 100, 0.05) is None
    assert count_labels(0.5, 0.0, 0.0, 300, 0.05) is None


def test_errors():
    table, _ = make_table(40)
    with pytest.raises(AssayError, match="no column 'people'"):
        assay.decide(judge=table, gold="people", baseline="A", candidate="B")
    with pytest.raises(AssayError, match="not named"):
        assay.decide(judge=table, baseline="A", candidate="B")
    with pytest.raises(AssayError, match="labels 0 items"):
        assay.decide(
            judge=table.with_columns(human=pl.lit(None, pl.Float64)), gold="human", baseline="A", candidate="B"
        )
