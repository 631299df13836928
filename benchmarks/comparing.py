"""Compare 10,000 rows with 100 permutations: against the plain loop, and whether random splits look random."""

from __future__ import annotations

import time

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from assay.splits import RandomSplit
from assay.splits.comparison.compare import Material, divergences
from assay.splits.comparison.cuts import cuts_of
from assay.splits.comparison.words import word_divergences

N_ROWS, N_PERMUTATIONS = 10_000, 100
MEASURES = ("oov", "jsd", "wasserstein", "mmd", "a_distance")


def made_up_texts(n: int) -> list[str]:
    """Draw texts of 5–35 words with Zipf's frequencies."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, 20_001)
    words = rng.choice(20_000, p=shares / shares.sum(), size=n * 36)
    lengths = rng.integers(5, 36, size=n)
    return [" ".join(f"w{word}" for word in words[36 * row : 36 * row + length]) for row, length in enumerate(lengths)]


def plain_seconds(material: Material, here: np.ndarray, n: int) -> float:
    """Time scipy's functions in a loop over permutations: words and 50 directions."""
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((material.vectors.shape[1], 50))
    start = time.perf_counter()
    for _ in range(n):
        side = rng.permutation(here)
        a, b = (np.asarray(material.counts[rows].sum(axis=0)).ravel() for rows in (side, ~side))
        jensenshannon(a, b, base=2)
        seen = material.vectors @ directions
        np.mean([wasserstein_distance(line[side], line[~side]) for line in seen.T])
    return time.perf_counter() - start


def main() -> None:
    """Print times side by side, and the p-values of random splits, which should be uniform."""
    texts = made_up_texts(N_ROWS)
    start = time.perf_counter()
    material = Material(texts, None, None, "tfidf", "words", 0)
    print(f"words, vectors, duplicates of {N_ROWS:,} rows: {time.perf_counter() - start:.1f} s")
    cuts = cuts_of([RandomSplit(test_size=0.1).partition(texts)])
    divergences(material, cuts, 1)  # compiles
    start = time.perf_counter()
    divergences(material, cuts, N_PERMUTATIONS)
    ours = time.perf_counter() - start
    plain = plain_seconds(material, cuts.here[0], 5) / 5 * N_PERMUTATIONS
    print(f"five measures, {N_PERMUTATIONS} permutations: {ours:.1f} s; two of them by scipy: {plain:.1f} s")
    print(f"ratio {plain / ours:.1f}")
    assert not np.isnan(word_divergences(material.counts, cuts)["jsd"]).any()
    calibration(texts[:2000])


def calibration(texts: list[str], n_splits: int = 40, n_permutations: int = 60) -> None:
    """Print quartiles of p over random splits, and the share at or below 0.05."""
    material = Material(texts, None, None, "tfidf", "words", 0)
    ps: dict[str, list[float]] = {name: [] for name in MEASURES}
    for seed in range(n_splits):
        cuts = cuts_of([RandomSplit(test_size=0.1, random_state=seed).partition(texts)])
        values, nulls = divergences(material, cuts, n_permutations)
        for name in MEASURES:
            ps[name].append((1 + (nulls[name][:, 0] >= values[name][0]).sum()) / (1 + n_permutations))
    for name, found in ps.items():
        quartiles = " ".join(f"{value:.2f}" for value in np.quantile(found, [0.25, 0.5, 0.75]))
        low = np.mean(np.array(found) <= 0.05)
        print(f"{name:12s} p of {n_splits} random splits: quartiles {quartiles}, ≤ 0.05: {low:.3f}")


if __name__ == "__main__":
    main()
