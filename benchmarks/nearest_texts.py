"""Nearest training texts of the same and of another label: assay against scikit-learn's brute force, label by label.

Run `python -m benchmarks.nearest_texts [N_ROWS]`: random vectors of 50 dimensions and four labels.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from sklearn.neighbors import NearestNeighbors

from assay.difficulty import nearest_texts
from benchmarks._bars import print_bar


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    random = np.random.default_rng(0)
    vectors, labels = random.normal(size=(n_rows, 50)).astype(np.float32), random.integers(0, 4, n_rows)
    nearest_texts(vectors[:100], labels[:100])  # compile

    started = time.process_time()
    found = nearest_texts(vectors, labels)
    ours = time.process_time() - started
    print(f"{n_rows:,} rows\nassay         {ours:8.2f} s")
    if n_rows > 30_000:
        return
    started = time.process_time()
    same, other = by_scikit_learn(vectors, labels)
    theirs = time.process_time() - started
    difference = max(np.abs(found.same - same).max(), np.abs(found.other - other).max())
    line = f"scikit-learn  {theirs:8.2f} s  {theirs / ours:6.1f} x  largest difference {difference:.1e}"
    print_bar(line, is_held=ours <= theirs and difference < 1e-5)


def by_scikit_learn(vectors: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ask for the two nearest rows of each label: the nearest may be the row itself."""
    distances = []
    for label in np.unique(labels):
        index = NearestNeighbors(n_neighbors=2, metric="cosine", algorithm="brute").fit(vectors[labels == label])
        near = index.kneighbors(vectors)[0]
        distances.append(np.where(labels == label, near[:, 1], near[:, 0]))
    table = np.array(distances)
    own = labels == np.unique(labels)[:, None]
    return np.where(own, table, np.inf).min(axis=0), np.where(own, np.inf, table).min(axis=0)


if __name__ == "__main__":
    main()
