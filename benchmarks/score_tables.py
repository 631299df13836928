"""The time of `assay.discriminate` on large score tables, and of its greedy selection against brute force.

python -m benchmarks.score_tables [--systems 1000] [--datasets 500] [--jobs 1]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import assay
from assay.discrimination.subsets.orders import order_greedily
from assay.discrimination.subsets.pair_agreement import draw_pairs, measure_agreement
from benchmarks._bars import print_bar


def draw_scores(n_systems, n_datasets, factor):
    """Draw scores around 60; `factor` is the deviation of the systems' common ability in units of the noise."""
    generator = np.random.default_rng(0)
    ability = factor * generator.normal(size=(n_systems, 1))
    return np.clip(60 + 4 * (ability + generator.normal(size=(n_systems, n_datasets))), 0, 100)


def order_by_brute_force(columns, pairs):
    """Compare all pairs under all remaining columns at every step."""

    def compute_signs(scores):
        return np.sign(np.round(scores[pairs.first] - scores[pairs.second], 9)).astype(np.float32)

    target = compute_signs(columns.sum(axis=1))
    left, total, order = list(range(columns.shape[1])), np.zeros(len(columns)), []
    while left:
        signs = compute_signs(total[:, None] + columns[:, left])
        size = np.sqrt((signs**2).sum(axis=0) * (target**2).sum())
        tau = np.divide(target @ signs, size, out=np.zeros(len(left), dtype=np.float32), where=size > 0)
        best = left.pop(int(tau.argmax()))
        total = total + columns[:, best]
        order.append(best)
    return order


def show_table(n_systems, n_datasets, factor, n_jobs):
    scores = draw_scores(n_systems, n_datasets, factor)
    columns = {f"d{column}": scores[:, column] for column in range(n_datasets)}
    table = {"system": [f"s{row}" for row in range(n_systems)]} | columns
    start, used = time.perf_counter(), time.process_time()
    result = assay.discriminate(table, n_jobs=n_jobs)
    wall, cpu = time.perf_counter() - start, time.process_time() - used
    kind = "one factor" if factor else "pure noise"
    own = f", {cpu:.1f} s of this process" if n_jobs == 1 else ""
    print(f"{n_systems} systems × {n_datasets} datasets, {kind}: {wall:.1f} s{own}; keep {result.keep[0].size}")


def show_selection(n_systems=200, n_datasets=100):
    scores = draw_scores(n_systems, n_datasets, 1.5)
    columns = (scores - scores.mean(axis=0)) / scores.std(axis=0)
    pairs = draw_pairs(np.ones(n_systems, dtype=bool), np.random.default_rng(0))
    order_greedily(columns[:, :3], pairs)  # compile
    start = time.process_time()
    fast = order_greedily(columns, pairs)
    middle = time.process_time()
    slow = order_by_brute_force(columns, pairs)
    ratio = (time.process_time() - middle) / (middle - start)
    sizes = list(range(1, n_datasets + 1))
    taus = [measure_agreement(columns, np.array(order), sizes, pairs) for order in (fast, slow)]
    gap = np.abs(taus[0] - taus[1]).max()
    print_bar(
        f"greedy selection, {n_systems} × {n_datasets}: τ of any size within {gap:.3f} of brute force, "
        f"{ratio:.0f} times as fast",
        is_held=gap <= 0.005 and ratio >= 10,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--datasets", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    options, _ = parser.parse_known_args()
    show_selection()
    for factor in (1.5, 0.0):
        show_table(options.systems, options.datasets, factor, options.jobs)


if __name__ == "__main__":
    main()
