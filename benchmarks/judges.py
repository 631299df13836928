"""How often 95% intervals of corrected scores, alpha and clustered kappa contain the truth.

`python -m benchmarks.judges [n_simulations]`.
"""

from __future__ import annotations

import sys

import numpy as np

from assay.statistics import cohen_kappa, krippendorff_alpha, rogan_gladen
from benchmarks._bars import is_covered, print_bar

# Items without gold, true share, sensitivity, specificity, positive and negative items with gold.
CORRECTIONS = [
    (500, 0.6, 0.9, 0.8, 100, 100),
    (200, 0.3, 0.85, 0.9, 30, 70),
    (1000, 0.5, 0.7, 0.7, 50, 50),
    (300, 0.9, 0.9, 0.7, 90, 10),
    (300, 0.1, 0.8, 0.95, 20, 180),
    (2000, 0.75, 0.95, 0.85, 150, 50),
    (1000, 0.5, 0.65, 0.65, 100, 100),
    (2000, 0.2, 0.6, 0.7, 100, 100),
    (1000, 0.7, 0.75, 0.6, 60, 60),
]
SHARES = np.array([0.6, 0.3, 0.1])


def cover_correction(
    case: tuple[int, float, float, float, int, int], n_simulations: int, generator: np.random.Generator
) -> float:
    """Return the coverage of the corrected share."""
    n, share, sensitivity, specificity, n_positive, n_negative = case
    rate = share * sensitivity + (1 - share) * (1 - specificity)
    covered = 0
    for _ in range(n_simulations):
        hits, spared = generator.binomial(n_positive, sensitivity), generator.binomial(n_negative, specificity)
        interval = rogan_gladen(generator.binomial(n, rate), n, hits, n_positive, spared, n_negative)
        covered += interval.low <= share <= interval.high
    return covered / n_simulations


def draw_ratings(n_items: int, n_raters: int, skill: float, generator: np.random.Generator) -> np.ndarray:
    """Draw ratings that are the truth with a probability, else random."""
    truth = generator.choice(3, p=SHARES, size=n_items)
    noise = generator.choice(3, p=SHARES, size=(n_items, n_raters))
    return np.where(generator.random((n_items, n_raters)) < skill, truth[:, None], noise)


def cover_alpha(n_items: int, skill: float, n_simulations: int, generator: np.random.Generator) -> float:
    """Return the coverage of alpha over three raters."""
    truth = krippendorff_alpha(draw_ratings(50_000, 3, skill, generator).tolist(), n_resamples=2).value
    intervals = [
        krippendorff_alpha(draw_ratings(n_items, 3, skill, generator).tolist(), n_resamples=500)
        for _ in range(n_simulations)
    ]
    return float(np.mean([interval.low <= truth <= interval.high for interval in intervals]))


def cover_kappa(n_items: int, skill: float, n_simulations: int, generator: np.random.Generator) -> float:
    """Return the coverage of kappa where each item is judged twice and half of the second verdicts are copies."""

    def draw(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        ratings = draw_ratings(n, 3, skill, generator)
        gold, first = ratings[:, 0], ratings[:, 1]
        second = np.where(generator.random(n) < 0.5, first, ratings[:, 2])
        return np.concatenate([first, second]), np.tile(gold, 2), np.tile(np.arange(n), 2)

    verdicts, gold, _ = draw(200_000)
    truth = cohen_kappa(verdicts, gold, method="fleiss").value
    covered = 0
    for _ in range(n_simulations):
        verdicts, gold, items = draw(n_items)
        interval = cohen_kappa(verdicts, gold, clusters=items)
        covered += interval.low <= truth <= interval.high
    return covered / n_simulations


def main() -> None:
    """Print the coverage of every measure."""
    n_simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    generator = np.random.default_rng(0)
    for case in CORRECTIONS:
        share = cover_correction(case, 10 * n_simulations, generator)
        print_bar(f"corrected share {case}: {share:.3f}", is_held=is_covered(share, 10 * n_simulations))
    for n_items in (50, 200):
        for skill in (0.5, 0.8):
            alpha = cover_alpha(n_items, skill, n_simulations, generator)
            print_bar(f"alpha, {n_items} items, skill {skill}: {alpha:.3f}", is_held=is_covered(alpha, n_simulations))
            kappa = cover_kappa(n_items, skill, 5 * n_simulations, generator)
            line = f"clustered kappa, {n_items} items twice, skill {skill}: {kappa:.3f}"
            print_bar(line, is_held=is_covered(kappa, 5 * n_simulations))


if __name__ == "__main__":
    main()
