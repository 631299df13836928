"""Bootstrap intervals of macro-F1 for many systems: counts of distinct items against a loop in numpy.

Prints the CPU time of both, side by side in one process (other work on the machine hardly disturbs it), their
ratio, and the largest difference of an end.
`python -m benchmarks.intervals [n_systems n_items n_resamples n_labels]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assay.evaluation import Predictions, PreparedPredictions, ScoringSettings, prepare_predictions
from assay.metrics import METRICS
from benchmarks._bars import print_bar

Score = Callable[[np.ndarray, np.ndarray, int], float]


def simulated(n_systems: int, n_items: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    gold = generator.integers(n_labels, size=n_items)
    rates = np.linspace(0.5, 0.9, n_systems)[:, None]
    noise = generator.integers(n_labels, size=(n_systems, n_items))
    return gold, np.where(generator.random((n_systems, n_items)) < rates, gold, noise)


def macro_f1(gold: np.ndarray, predicted: np.ndarray, n_labels: int) -> float:
    """The macro-F1 that a careful user writes: one bincount a confusion matrix."""
    counts = np.bincount(gold * n_labels + predicted, minlength=n_labels**2).reshape(n_labels, n_labels)
    total = counts.sum(axis=0) + counts.sum(axis=1)
    present = total > 0
    return float((2 * np.diag(counts)[present] / total[present]).mean())


def macro_f1_by_class(gold: np.ndarray, predicted: np.ndarray, n_labels: int) -> float:
    """The macro-F1 that most users write: three comparisons a class."""
    scores = []
    for label in range(n_labels):
        right, said = gold == label, predicted == label
        total = right.sum() + said.sum()
        if total:
            scores.append(2 * (right & said).sum() / total)
    return float(np.mean(scores))


def looped(gold: np.ndarray, systems: np.ndarray, n_resamples: int, n_labels: int, score: Score) -> np.ndarray:
    generator = np.random.default_rng(0)
    values = np.empty((n_resamples, len(systems)))
    for resample in range(n_resamples):
        rows = generator.integers(len(gold), size=len(gold))
        for system, predicted in enumerate(systems):
            values[resample, system] = score(gold[rows], predicted[rows], n_labels)
    return np.quantile(values, [0.025, 0.975], axis=0)


def coded(gold: np.ndarray, systems: np.ndarray) -> PreparedPredictions:
    """Number the labels, which the loop is given for nothing: not in the time."""
    names = {str(number): predicted for number, predicted in enumerate(systems)}
    return prepare_predictions(Predictions.from_arrays(gold, names))


def ours(prepared: PreparedPredictions, n_resamples: int, method: str = "percentile") -> np.ndarray:
    settings = ScoringSettings(interval=method, n_resamples=n_resamples)
    found = replace(prepared, settings=settings).compute_scores(METRICS["macro-f1"]).values()
    return np.array([[interval.low for interval in found], [interval.high for interval in found]])


def timed(function: object, *arguments: object, repeats: int) -> tuple[float, np.ndarray]:
    best, result = np.inf, None
    for _ in range(repeats):
        start = time.process_time()
        result = function(*arguments)  # type: ignore[operator]
        best = min(best, time.process_time() - start)
    return best, np.asarray(result)


def main(arguments: Sequence[str] = ()) -> None:
    sizes = [int(number) for number in arguments] or [30, 10_000, 1_000, 5]
    n_systems, n_items, n_resamples, n_labels = sizes
    gold, systems = simulated(n_systems, n_items, n_labels)
    prepared = coded(gold, systems)
    fast, ends = timed(ours, prepared, n_resamples, repeats=3)
    better, _ = timed(ours, prepared, n_resamples, "bca", repeats=3)
    slow, checked = timed(looped, gold, systems, n_resamples, n_labels, macro_f1, repeats=1)
    few = max(1, n_resamples // 10)
    plain = timed(looped, gold, systems, few, n_labels, macro_f1_by_class, repeats=1)[0] * n_resamples / few
    print(f"macro-F1, {n_systems} systems × {n_items:,} items × {n_resamples:,} resamples, {n_labels} labels")
    print(f"  numpy loop, one bincount a score {slow:8.3f} s")
    print(f"  numpy loop, class by class       {plain:8.3f} s (timed on a tenth of the resamples)")
    for name, taken in (("percentile", fast), ("BCa", better)):
        line = f"  assay, {name:<25} {taken:8.3f} s {slow / taken:8.1f} × and {plain / taken:8.1f} ×"
        print_bar(line, is_held=taken <= slow)
    print(f"  largest difference of an interval's end: {np.abs(ends - checked).max():.4f} (other draws)")


if __name__ == "__main__":
    main(sys.argv[1:])
