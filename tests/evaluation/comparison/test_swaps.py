from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from assay.evaluation import Predictions, prepare_predictions
from assay.evaluation.comparison import swaps
from assay.evaluation.comparison.swaps import (
    compute_differences,
    compute_swap_p_values,
    has_few_cells,
    sum_kept_rows,
    sum_moved_cells,
)
from assay.evaluation.scoring import workers
from assay.evaluation.scoring.workers import Workers
from assay.metrics import METRICS

F1 = METRICS["f1"]


def simulate(n=200, seed=0, rates=(0.8, 0.7, 0.7)):
    generator = np.random.default_rng(seed)
    gold = generator.choice(["0", "1"], size=n)
    other = np.where(gold == "1", "0", "1")
    return gold, {f"s{k}": np.where(generator.random(n) < rate, gold, other) for k, rate in enumerate(rates)}


def collect_tables(gold, systems, metric=F1):
    return list(prepare_predictions(Predictions.from_arrays(gold, systems)).collect_statistics(metric).values())


def test_swapped_sums_are_those_of_swapped_answers():
    gold, systems = simulate(30)
    first, second, _ = collect_tables(gold, systems)
    kept = np.random.default_rng(7).integers(2, size=(5, 30), dtype=np.int8).astype(bool)
    sums = sum_kept_rows(np.hstack([first, second]), 5, 7)
    differences = compute_differences(F1, first.sum(axis=0), second.sum(axis=0), sums[:, :3] - sums[:, 3:])
    for mask, difference in zip(kept, differences, strict=True):
        a = np.where(mask, systems["s0"], systems["s1"])
        b = np.where(mask, systems["s1"], systems["s0"])
        expected = f1_score(gold, a, pos_label="1") - f1_score(gold, b, pos_label="1")
        assert difference == pytest.approx(expected)


def test_items_with_the_same_statistics_are_swapped_together_with_the_same_distribution():
    gold, systems = simulate(4000, rates=(0.8, 0.78))
    first, second = collect_tables(gold, systems)
    totals = first.sum(axis=0), second.sum(axis=0)
    kept = np.split(sum_kept_rows(np.hstack([first, second]), 4000, 0), 2, axis=1)
    items = compute_differences(F1, *totals, kept[0] - kept[1])
    cells = compute_differences(F1, *totals, sum_moved_cells(first, second, 4000, 0))
    assert has_few_cells([first, second])
    assert not np.array_equal(cells, items)
    assert cells.std() == pytest.approx(items.std(), rel=0.05)
    assert abs(cells.mean()) < 4 * cells.std() / np.sqrt(4000)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc"])
@pytest.mark.parametrize("n_items", [60, 3000])
def test_several_processes_give_the_same_p_values(metric, n_items, monkeypatch):
    monkeypatch.setattr(workers, "MIN_DRAWS", 0)
    tables = collect_tables(*simulate(n_items), METRICS[metric])
    alone = compute_swap_p_values(METRICS[metric], tables, 300, 0)
    together = compute_swap_p_values(METRICS[metric], tables, 300, 0, Workers(2))
    assert np.array_equal(alone, together, equal_nan=True)
    assert np.isfinite(alone[np.triu_indices(3, 1)]).all()


def test_unequal_tables_are_swapped_item_by_item(monkeypatch):
    monkeypatch.setattr(swaps, "BLOCK_SIZE", 50)  # several blocks draw what one block draws
    table = np.random.default_rng(0).random((20, 2))
    small = sum_kept_rows(table, 7, 3)
    monkeypatch.undo()
    assert small == pytest.approx(sum_kept_rows(table, 7, 3))
