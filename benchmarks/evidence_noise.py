"""How well could any predictor do? Noise of test items and of training in the λ of the evidence.

    python -m benchmarks.evidence_noise

A training run again with the same seed differs, since a GPU adds in no fixed order and neighbours in a batch differ;
another seed differs more. The mean gap of two seeds gives a model's standard deviation (gap · √π / 2, for normal
noise), which falls with the root of the trainings a score is the mean of. λ is computed again from scores with fresh
noise of both kinds; what share of its variance that moves bounds every predictor. The bound measured without such a
model steps up two halves of the test items, the first answered by one training and the second by the other. Lists
are ranked by λ as it stands and scored with the noisy λ: what a ranker would reach that knows λ but for its noise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assay.forecast.evidence import SeedGap

LIST_LENGTH, N_LISTS = 7, 1200
SYSTEMS = ("cnn", "lstm", "lstm_attention", "transformer")


def deviations(gaps: dict[str, SeedGap], systems: tuple[str, ...]) -> np.ndarray:
    """Return the standard deviation of a score over trainings, a system at a time."""
    return np.array([gaps[name.replace("_", "-")].mean_gap for name in systems]) * math.sqrt(math.pi) / 2


def over_items(scores: np.ndarray, n_test: np.ndarray) -> np.ndarray:
    """Return the standard deviation of scores (percent) over test items, as far as it moves their spread.

    Systems answer alike: half the variance of a score over items is common to all four and moves no spread.
    """
    share = np.clip(scores / 100, 0.005, 0.995)
    return np.asarray(100 * np.sqrt(share * (1 - share) / n_test[:, None] / 2))


def ceiling(seen: np.ndarray, again: np.ndarray) -> float:
    """Return the Spearman correlation no predictor passes, from λ as seen and with its noise once more.

    corr(seen, seen + noise)² = V / (V + N); the share of V that is no noise is 2 − 1 / that.
    """
    from scipy.stats import spearmanr

    squared = float(spearmanr(seen, again).statistic) ** 2
    return math.sqrt(max(0.0, 2 - 1 / squared))


def list_scores(seen: np.ndarray, again: np.ndarray, threshold: float) -> tuple[float, float]:
    """Return NDCG and MAP of lists that are ranked by λ as seen, where the noisy λ is the truth."""
    from benchmarks.studies.forecast.ranking import draw_lists, score_lists

    lists = draw_lists(np.arange(len(seen)), LIST_LENGTH, N_LISTS, 0)
    score = score_lists(again[lists], seen[lists], LIST_LENGTH, threshold)
    return score.ndcg, score.map


def main() -> None:
    from assay.forecast.evidence import TARGETS, read_evidence, read_evidence_note
    from benchmarks.studies.forecast.protocols import measure_reliability
    from benchmarks.studies.forecast.ranking import THRESHOLDS

    evidence, note = read_evidence(), read_evidence_note()
    for kind in ("same_seed_again", "second_seed"):
        for name, value in getattr(note, kind).items():
            gaps = f"mean gap {value.mean_gap:.2f} points, largest {value.largest_gap:.1f}"
            print(f"{kind:16s} {name:15s} n = {value.n:5d}  {gaps}")
    scores, n = evidence.table.select(SYSTEMS).to_numpy().astype(float), evidence.target("n_trainings")
    training = deviations(note.second_seed, SYSTEMS) / np.sqrt(n)[:, None]
    items = over_items(scores, evidence.target("n_test"))
    print(f"{len(n)} rows, {int((n > 1).sum())} of two trainings; sd of a score over one training:")
    print(dict(zip(SYSTEMS, deviations(note.second_seed, SYSTEMS).round(2).tolist(), strict=True)))
    draw = np.random.default_rng(0)
    for target in TARGETS:
        seen = evidence.target(target)
        for kind, sd in {"items": items, "training": training, "both": np.hypot(items, training)}.items():
            noisy = scores + draw.normal(size=scores.shape) * sd
            spread = noisy.std(axis=1, ddof=1)
            again = spread if target == "lambda_var" else spread * (100 - noisy.mean(axis=1))
            ndcg, precision = list_scores(seen, again, THRESHOLDS[target])
            print(
                f"{target} {kind:9s} ceiling of Spearman about {ceiling(seen, again):.2f}; "
                f"lists of {LIST_LENGTH}: NDCG {ndcg:.3f}, MAP {precision:.3f}"
            )
        found, errors = measure_reliability(evidence, target), evidence.target(f"{target}_se")
        print(f"{target} measured: items {found.ceiling:.2f}, items and training {found.ceiling_trained:.2f}")
        print(f"{target} split-half reliability {found.whole:.2f}; standard error, median {np.median(errors):.2f}")


if __name__ == "__main__":
    main()
