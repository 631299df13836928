"""How well could any predictor do? Noise of test items and of training in the λ of the evidence.

    python -m benchmarks.evidence_noise

A training run again with the same seed differs, since a GPU adds in no fixed order and neighbours in a batch differ;
the mean gap of the repeated trainings gives its standard deviation (gap · √π / 2, for normal noise). λ is computed
again from scores with fresh noise of both kinds; what share of its variance that moves bounds every predictor.
"""

from __future__ import annotations

import math

import numpy as np


def main() -> None:
    from scipy.stats import spearmanr

    from assay.forecast.evidence import SYSTEMS, evidence_note, read_evidence

    evidence, note = read_evidence(), evidence_note()
    gaps = [value["mean_gap"] for value in note["same_seed_again"].values()]
    sd = float(np.mean(gaps)) * math.sqrt(math.pi) / 2
    scores = evidence.table.select(SYSTEMS).to_numpy().astype(float)
    share = np.clip(scores / 100, 0.005, 0.995)
    draw = np.random.default_rng(0)
    # Systems answer alike: half the variance of a score over items is common to all four and moves no spread.
    items = 100 * np.sqrt(share * (1 - share) / evidence.target("n_test")[:, None] / 2)
    kinds = {"items": (items, 0.0), "training": (0.0, sd), "both": (items, sd)}
    print(f"standard deviation of a score over trainings: {sd:.2f} points")
    for target in ("lambda_var", "lambda_sva"):
        for kind, (over_items, over_trainings) in kinds.items():
            noisy = scores + draw.normal(size=scores.shape) * np.sqrt(over_items**2 + over_trainings**2)
            spread = noisy.std(axis=1, ddof=1)
            again = spread if target == "lambda_var" else spread * (100 - noisy.mean(axis=1))
            # corr(seen, seen + noise)² = V / (V + N); the share of V that is no noise is 2 − 1 / that.
            squared = float(spearmanr(evidence.target(target), again).statistic) ** 2
            print(f"{target} {kind:9s} ceiling of Spearman about {math.sqrt(max(0.0, 2 - 1 / squared)):.2f}")


if __name__ == "__main__":
    main()
