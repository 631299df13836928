"""Claims about simulated data of many shapes: few items, few systems, many labels, systems that answered other items."""

from __future__ import annotations

import numpy as np
import pytest

from assay.evaluation import Predictions
from assay.suspects import Suspects, find_suspects

N_RUNS = 20
# Items, systems, labels, and the share of items that each system answered.
SHAPES = {
    "few items": (40, 4, 4, 1.0),
    "two labels": (600, 6, 2, 1.0),
    "twenty labels": (600, 6, 20, 1.0),
    "unequal coverage": (600, 10, 4, 0.6),
    "few systems": (600, 3, 4, 1.0),
}


def judge(shape: tuple[int, int, int, float], seed: int, share: float) -> tuple[Suspects, int]:
    """Judge systems that share difficulty and their most frequent error; the first ones answer most items."""
    n, n_systems, n_labels, coverage = shape
    rng = np.random.default_rng((seed, n, n_labels))
    labels = np.array([f"l{code:02d}" for code in range(n_labels)] + [None], dtype=object)
    truth = rng.integers(0, n_labels, n)

    def draw_other(size: tuple[int, ...]) -> np.ndarray:
        return (truth + rng.integers(1, n_labels, size)) % n_labels

    skill = rng.normal(3.0, 0.6, (n_systems, 1))
    right = rng.random((n_systems, n)) < 1 / (1 + np.exp(rng.normal(0, 1.8, n) - skill))
    wrong = np.where(rng.random((n_systems, n)) < 0.7, draw_other((n,)), draw_other((n_systems, n)))
    answered = rng.random((n_systems, n)) < np.linspace(1.0, 2 * coverage - 1, n_systems)[:, None]
    codes = np.where(answered, np.where(right, truth, wrong), n_labels)
    bad = rng.permutation(n) < round(share * n)
    gold = np.where(bad, draw_other((n,)), truth)
    systems = {f"s{number}": labels[row].tolist() for number, row in enumerate(codes)}
    return find_suspects(predictions=Predictions.from_arrays(labels[gold].tolist(), systems)), int(bad.sum())


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("share", [0.0, 0.03])
def test_the_interval_holds_the_number_of_bad_items(name, share):
    results = [judge(SHAPES[name], seed, share) for seed in range(N_RUNS)]
    held = [result.order_only or result.expected_bad.low <= n <= result.expected_bad.high for result, n in results]
    assert sum(held) >= N_RUNS - 1
    if name in ("two labels", "twenty labels"):  # an estimate, in most runs
        assert sum(not result.order_only for result, _ in results) > N_RUNS / 2
    if not share:
        assert sum(result.suspected.count > 0 for result, _ in results) <= 1


def test_four_systems_and_forty_items_only_order_them():
    assert all(judge(SHAPES["few items"], seed, 0.03)[0].order_only for seed in range(N_RUNS))
