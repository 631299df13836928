"""Doubts about labels."""

import numpy as np

from assay.audits.doubts import trusted, where_surest


def simulated(noise: float, n: int = 4000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return calibrated probabilities of two labels, and labels of which a share is flipped at random."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.3, 0.3, n)
    labels = (rng.random(n) < p).astype(int)
    flipped = rng.random(n) < noise
    return np.column_stack([1 - p, p]), np.where(flipped, 1 - labels, labels)


def test_the_share_that_differs_where_the_model_is_surest_is_the_noise():
    for noise in (0.03, 0.1):
        found = where_surest(*simulated(noise))
        assert found.low < noise < found.high
        assert abs(found.value - noise) < 0.03


def test_without_noise_nothing_is_sure():
    assert where_surest(*simulated(0.0)).low < 0.005


def test_the_interval_is_seldom_above_the_noise():
    above = [where_surest(*simulated(0.02, 1000, seed)).low > 0.02 for seed in range(200)]
    assert np.mean(above) <= 0.05


def test_few_items_are_taken_together():
    probabilities, labels = simulated(0.1, 30)
    wrong = (probabilities.argmax(axis=1) != labels).mean()
    assert where_surest(probabilities, labels).value == wrong


def test_a_model_that_is_never_right_is_not_trusted():
    assert not trusted(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([1, 1])).any()
