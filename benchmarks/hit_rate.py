"""The exact hit rate against Monte Carlo, and against the loops it replaces.

python -m benchmarks.hit_rate [--resamples 200000]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from assay.discrimination import measure_hit_rate
from benchmarks._bars import print_bar

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "semeval2016_cqa" / "pred_labels_A.tsv.gz"
BLOCK = 1000
MAX_ERRORS = 4.0  # standard errors of Monte Carlo, the worst of some 200 pairs


def timed(function):
    start = time.process_time()
    value = function()
    return value, time.process_time() - start


def semeval_runs():
    from assay.evaluation import read_predictions

    return read_predictions(SHARED).outcomes()


def drawn_sums(outcomes, resampling, size, generator):
    """Draw items (not discordant counts) and add up every system's right answers."""
    n = outcomes.shape[1]
    if resampling == "bootstrap":
        drawn = generator.integers(n, size=(size, n)) + np.arange(size)[:, None] * n
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float32)
        return weights @ outcomes.T.astype(np.float32)
    left_out = generator.permuted(np.tile(np.arange(n, dtype=np.int32), (size, 1)), axis=1)[:, round(0.8 * n) :]
    weights = np.ones((size, n), dtype=np.float32)
    np.put_along_axis(weights, left_out, 0, axis=1)
    return weights @ outcomes.T.astype(np.float32)


def monte_carlo(outcomes, resampling, n_resamples, seed=0):
    """Return the hit rate of every resample, and of every pair."""
    generator = np.random.default_rng(seed)
    first, second = np.triu_indices(len(outcomes), 1)
    full = np.sign(outcomes.sum(axis=1)[first] - outcomes.sum(axis=1)[second])
    means, pairs = [], np.zeros(len(first))
    for _ in range(n_resamples // BLOCK):
        sums = drawn_sums(outcomes, resampling, BLOCK, generator)
        gaps = np.sign(sums[:, first] - sums[:, second])
        won = np.where(full == 0, np.abs(gaps) / 2, gaps == full)
        means.append(won.mean(axis=1))
        pairs += won.sum(axis=0)
    return np.concatenate(means), pairs / (BLOCK * (n_resamples // BLOCK))


def show_agreement(outcomes, n_resamples):
    for resampling in ("bootstrap", "subsample"):
        exact, seconds = timed(lambda way=resampling: measure_hit_rate(outcomes, way))
        (means, pairs), drawn = timed(lambda way=resampling: monte_carlo(outcomes, way, n_resamples))
        error = means.std(ddof=1) / np.sqrt(len(means))
        gap = (exact.lambda_hit - means.mean()) / error
        often = np.minimum(exact.pairs, 1 - exact.pairs) * len(means) > 10  # rarer events are not normal
        errors = np.sqrt(exact.pairs * (1 - exact.pairs) / len(means))[often]
        worst = (np.abs(exact.pairs - pairs)[often] / errors).max()
        print(f"{resampling:9} exact {exact.lambda_hit:.6f} ({seconds:.3f} s),")
        print(
            f"          {len(means)} resamples of items {means.mean():.6f} ({drawn:.1f} s): {gap:+.2f} standard errors;"
        )
        line = f"          worst of the {often.sum()} pairs that go either way {worst:.2f} standard errors"
        print_bar(line, is_held=abs(gap) < MAX_ERRORS and worst < MAX_ERRORS)


def shared_loop(outcomes, n_resamples, generator):
    """The usual way: one resample of item numbers for all systems, in a Python loop."""
    n = outcomes.shape[1]
    first, second = np.triu_indices(len(outcomes), 1)
    full = np.sign(outcomes.mean(axis=1)[first] - outcomes.mean(axis=1)[second])
    wins = np.zeros(len(first))
    for _ in range(n_resamples):
        means = outcomes[:, generator.integers(n, size=n)].mean(axis=1)
        wins += np.sign(means[first] - means[second]) == full
    return wins.mean() / n_resamples


def show_speed():
    generator = np.random.default_rng(0)
    outcomes = (generator.random((20, 10_000)) < np.linspace(0.6, 0.8, 20)[:, None]).astype(float)
    measure_hit_rate(outcomes[:, :10])  # compile
    exact, seconds = timed(lambda: measure_hit_rate(outcomes))
    loop, slow = timed(lambda: shared_loop(outcomes, 10_000, generator))
    print(f"20 systems × 10,000 items: exact {exact.lambda_hit:.4f} in {seconds:.3f} s,")
    line = f"          loop of 10,000 resamples {loop:.4f} in {slow:.1f} s: {slow / seconds:.0f} times as long"
    print_bar(line, is_held=slow >= seconds)
    with_ends, seconds = timed(lambda: measure_hit_rate(outcomes, interval=True))
    print(f"          with interval [{with_ends.low:.4f}, {with_ends.high:.4f}] in {seconds:.1f} s")


def show_macro_f1():
    generator = np.random.default_rng(0)
    gold = generator.integers(0, 3, 2000)
    right = generator.random((6, 2000)) < np.linspace(0.6, 0.75, 6)[:, None]
    answers = np.where(right, gold, generator.integers(0, 3, (6, 2000)))
    classes = np.eye(3)
    parts = [classes[answers] * classes[gold], classes[answers], np.broadcast_to(classes[gold], (6, 2000, 3))]
    statistics = np.concatenate(parts, axis=2)

    def macro(sums):
        return (2 * sums[..., :3] / np.maximum(1, sums[..., 3:6] + sums[..., 6:])).mean(axis=-1)

    def plain(codes):
        chosen, truth = classes[(codes // 3).astype(int)], classes[(codes % 3).astype(int)]
        return (2 * (chosen * truth).sum(0) / np.maximum(1, chosen.sum(0) + truth.sum(0))).mean()

    fast, seconds = timed(lambda: measure_hit_rate(None, statistics=statistics, metric=macro, n_resamples=2000))
    slow, long = timed(lambda: measure_hit_rate(3 * answers + gold, metric=plain, n_resamples=2000))
    print(f"macro-F1, 6 systems × 2,000 items × 2,000 resamples: sums {fast.lambda_hit:.4f} in {seconds:.2f} s,")
    line = f"          plain resampling {slow.lambda_hit:.4f} in {long:.1f} s: {long / seconds:.0f} times as long"
    print_bar(line, is_held=long >= seconds)


def show_large():
    generator = np.random.default_rng(0)
    table = (
        generator.random((20, 1_000_000), dtype=np.float32) < np.linspace(0.700, 0.702, 20, dtype=np.float32)[:, None]
    )
    found, seconds = timed(lambda: measure_hit_rate(table))
    print(f"20 systems × 1,000,000 items: {found.lambda_hit:.4f} in {seconds:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resamples", type=int, default=200_000)
    options, _ = parser.parse_known_args()
    show_speed()
    show_macro_f1()
    show_large()
    if SHARED.exists():
        show_agreement(semeval_runs(), options.resamples)


if __name__ == "__main__":
    main()
