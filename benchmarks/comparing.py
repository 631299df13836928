"""Compare 10,000 rows with 100 permutations: against the plain loop, and whether random splits look random."""

from __future__ import annotations

import time

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from assay.splits import RandomSplit
from assay.splits.comparison.compared_texts import ComparedTexts
from assay.splits.comparison.measuring import measure_pairs
from assay.splits.comparison.pairs import PartPairs, pair_parts
from assay.tasks.threads import use_one_thread
from benchmarks._bars import is_rare, print_bar

N_ROWS, N_PERMUTATIONS = 10_000, 100
MEASURES = ("oov", "jsd", "wasserstein", "mmd", "a_distance")
INCLUDE = ("words", "vectors", "domain")


def draw_texts(n: int) -> list[str]:
    """Draw texts of 5–35 words with Zipf's frequencies."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, 20_001)
    words = rng.choice(20_000, p=shares / shares.sum(), size=n * 36)
    lengths = rng.integers(5, 36, size=n)
    return [" ".join(f"w{word}" for word in words[36 * row : 36 * row + length]) for row, length in enumerate(lengths)]


def time_plain_loop(compared: ComparedTexts, part: np.ndarray, n: int) -> float:
    """Time scipy's functions in a loop over permutations: words and 50 directions."""
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((compared.vectors.shape[1], 50))
    start = time.process_time()
    for _ in range(n):
        side = rng.permutation(part)
        a, b = (np.asarray(compared.counts[rows].sum(axis=0)).ravel() for rows in (side, ~side))
        jensenshannon(a, b, base=2)
        projected = compared.vectors @ directions
        np.mean([wasserstein_distance(line[side], line[~side]) for line in projected.T])
    return time.process_time() - start


def main() -> None:
    """Print times side by side, and the p-values of random splits, which should be uniform."""
    texts = draw_texts(N_ROWS)
    start = time.process_time()
    compared = ComparedTexts(texts)
    for name in ("counts", "vectors", "exact_duplicates", "near_duplicates"):
        getattr(compared, name)
    print(f"words, vectors, duplicates of {N_ROWS:,} rows: {time.process_time() - start:.1f} s")
    pairs = pair_parts([RandomSplit(test_size=0.1).partition(texts)])
    measure_pairs(compared, pairs, INCLUDE, 1)  # compiles
    ours = time_measures(compared, pairs, 1)
    plain = time_plain_loop(compared, pairs.parts[0], 5) / 5 * N_PERMUTATIONS
    print(f"five measures, {N_PERMUTATIONS} permutations: {ours:.1f} s; two of them by scipy: {plain:.1f} s")
    print_bar(f"ratio of processor time {plain / ours:.1f}", is_held=ours <= plain)
    calibration(texts[:2000])


def time_measures(compared: ComparedTexts, pairs: PartPairs, n_jobs: int) -> float:
    """Time all measures with permutations, as a comparison runs them."""
    start = time.process_time()
    with use_one_thread():
        values, _ = measure_pairs(compared, pairs, INCLUDE, N_PERMUTATIONS, n_jobs)
    assert not np.isnan(values["jsd"]).any()
    return time.process_time() - start


def calibration(texts: list[str], n_splits: int = 40, n_permutations: int = 60) -> None:
    """Print quartiles of p over random splits, and the share at or below 0.05."""
    compared = ComparedTexts(texts)
    ps: dict[str, list[float]] = {name: [] for name in MEASURES}
    for seed in range(n_splits):
        pairs = pair_parts([RandomSplit(test_size=0.1, random_state=seed).partition(texts)])
        values, nulls = measure_pairs(compared, pairs, INCLUDE, n_permutations)
        for name in MEASURES:
            ps[name].append((1 + (nulls[name][:, 0] >= values[name][0]).sum()) / (1 + n_permutations))
    for name, p_values in ps.items():
        quartiles = " ".join(f"{value:.2f}" for value in np.quantile(p_values, [0.25, 0.5, 0.75]))
        low = np.mean(np.array(p_values) <= 0.05)
        line = f"{name:12s} p of {n_splits} random splits: quartiles {quartiles}, ≤ 0.05: {low:.3f}"
        print_bar(line, is_held=is_rare(low, 0.05, n_splits))


if __name__ == "__main__":
    main()
