"""Do rank intervals, tie groups, intervals of λ and backwards items keep their promises? Known truths, simulated.

python -m benchmarks.ranks [--runs 200] [--first 0] [--only-ranks]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from assay.discrimination import (
    find_negative_discrimination,
    measure_hit_rate,
    measure_performance_variance,
    rank_systems,
)
from benchmarks._bars import is_covered, is_rare, print_bar


def answers(truth, n_items, generator, shared=0.0):
    """Draw right and wrong answers; `shared` makes items hard or easy for all systems at once."""
    from scipy.special import expit, logit

    level = generator.normal(scale=shared, size=n_items) if shared else np.zeros(n_items)
    chance = expit(logit(truth)[:, None] + level)
    return (generator.random(chance.shape) < chance).astype(float)


def covered(found, truth):
    """Tell for every system whether its interval holds all ranks that its true score allows."""
    best = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    worst = (truth[None, :] >= truth[:, None]).sum(axis=1)
    return (found.rank_low <= best) & (found.rank_high >= worst)


def show_ranks(title, draw, truth, seeds, **options):
    same = [(i, j) for i in range(len(truth)) for j in range(i) if truth[i] == truth[j]]
    held, tied, banded, width = [], [], [], []
    for seed in seeds:
        found = rank_systems(draw(np.random.default_rng(seed)), n_draws=1000, random_state=seed, **options)
        held.append(covered(found, truth))
        width.append((found.rank_high - found.rank_low).mean())
        tied += [found.tie_group[i] == found.tie_group[j] for i, j in same]
        banded += [
            found.first_band[i] <= found.last_band[j] and found.first_band[j] <= found.last_band[i] for i, j in same
        ]
    worst = np.mean(held, axis=0).min()
    boards = np.mean(np.all(held, axis=1))
    line = f"{title:44} all true ranks held {boards:.3f}, single ones {np.mean(held):.3f} (worst system {worst:.3f})"
    line += f", mean width {np.mean(width):.1f}"
    print_bar(
        line + (f"; equals in one tie group {np.mean(tied):.3f}, in one band {np.mean(banded):.3f}" if same else ""),
        is_held=is_covered(boards, len(held)),
    )


def drop_cells(table, share, generator):
    """Let systems have been run on only some items, of which all systems have the first ten."""
    missing = generator.random(table.shape) < share * generator.random((len(table), 1))
    missing[:, :10] = False
    return np.where(missing, np.nan, table)


def by_dataset(truth, n_datasets, generator):
    return (
        truth[:, None] * 100
        + generator.normal(scale=4, size=(len(truth), n_datasets))
        + generator.normal(scale=10, size=n_datasets)
    )


def show_bootstrap_of_systems(runs):
    """The interval we do not offer: systems drawn with replacement from a table of five scores."""
    generator, held = np.random.default_rng(0), 0
    for _ in range(runs):
        scores = generator.normal(size=5)
        drawn = scores[generator.integers(5, size=(1000, 5))].std(axis=1, ddof=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        held += low <= 1 <= high
    print(f"{'a bootstrap over 5 systems':44} covers λ_var in {held / runs:.3f}")


def show_false_discoveries(runs):
    for n_systems, slope in ((20, 0.0), (40, 0.0), (40, 1.0)):
        found, flagged, tested = 0, 0, 0
        for seed in range(runs):
            generator = np.random.default_rng(seed)
            ability, difficulty = generator.normal(size=n_systems), generator.normal(size=300)
            chance = 1 / (1 + np.exp(-slope * ability[:, None] + difficulty))
            outcome = find_negative_discrimination(
                (generator.random(chance.shape) < chance).astype(float), random_state=seed
            )
            found += outcome.n_negative > 0
            flagged, tested = flagged + outcome.n_negative, tested + outcome.n_tested
        error = np.sqrt(0.05 * 0.95 / runs)
        title = f"no backwards item, {n_systems} systems, slope {slope:g}"
        print_bar(
            f"{title:44} any found in {found / runs:.3f} of runs (0.05 ± {error:.3f}), {flagged / tested:.5f} of items",
            is_held=is_rare(found / runs, 0.05, runs),
        )


def show_power(runs):
    hits, false, planted = 0, 0, 0
    for seed in range(runs):
        generator = np.random.default_rng(seed)
        ability, difficulty = generator.normal(size=60), generator.normal(size=300)
        chance = 1 / (1 + np.exp(-2 * (ability[:, None] - difficulty)))
        table = (generator.random(chance.shape) < chance).astype(float)
        table[:, :15] = 1 - table[:, :15]
        found = find_negative_discrimination(table, random_state=seed).items
        hits, false, planted = hits + (found < 15).sum(), false + (found >= 15).sum(), planted + 15
    share, title = false / max(1, hits + false), "15 of 300 items turned round, 60 systems"
    print(f"{title:44} {hits / planted:.3f} found, {share:.3f} of those named are false")


def true_hit_rate(truth, n_items):
    """Return λ_hit of independent systems with these accuracies, drawn anew with n items."""
    from scipy.stats import binom

    drawn, chances = np.arange(n_items + 1), []
    for i, j in zip(*np.triu_indices(len(truth), 1), strict=True):
        better, worse = max(truth[i], truth[j]), min(truth[i], truth[j])
        up, down = better * (1 - worse), worse * (1 - better)
        chances.append(binom.pmf(drawn, n_items, up + down) @ binom.sf(drawn // 2, drawn, up / (up + down)))
    return np.mean(chances)


def show_intervals(runs):
    cases = [(np.linspace(0.60, 0.75, 4), 300), (np.linspace(0.70, 0.73, 4), 1000), (np.linspace(0.6, 0.8, 10), 500)]
    for truth, n_items in cases:
        var, hit, held = 100 * truth.std(ddof=1), true_hit_rate(truth, n_items), []
        for seed in range(runs):
            table = answers(truth, n_items, np.random.default_rng(seed))
            scores = 100 * table.mean(axis=1)
            items = measure_performance_variance(scores, outcomes=table, n_resamples=500, random_state=seed)
            alone = measure_performance_variance(scores, n_items=n_items, n_resamples=500, random_state=seed)
            hits = measure_hit_rate(table, interval=True, random_state=seed)
            held.append([one.low <= var <= one.high for one in (items, alone)] + [hits.low <= hit <= hits.high])
        title = f"{len(truth)} systems, {n_items} items, λ_var {var:.2f}, λ_hit {hit:.3f}"
        shares = np.mean(held, axis=0)
        line = f"{title:44} covered: λ_var {shares[0]:.3f} (from n_items {shares[1]:.3f}), λ_hit {shares[2]:.3f}"
        print_bar(line, is_held=is_covered(shares.min(), runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed of the ranks")
    parser.add_argument("--only-ranks", action="store_true", help="leave out the intervals of λ and backwards items")
    options = parser.parse_known_args()[0]
    runs, only_ranks = options.runs, options.only_ranks
    seeds = range(options.first, options.first + runs)
    start = time.perf_counter()
    steps = np.array([0.8, 0.8, 0.77, 0.74, 0.74, 0.7, 0.65, 0.6, 0.55, 0.5])
    close = np.linspace(0.70, 0.72, 10)
    show_ranks("10 systems, 500 items", lambda g: answers(steps, 500, g), steps, seeds)
    show_ranks("10 systems, 2,000 items of unequal difficulty", lambda g: answers(steps, 2000, g, 1.5), steps, seeds)
    show_ranks("10 nearly equal systems, 500 items", lambda g: answers(close, 500, g), close, seeds)
    equal = np.full(6, 0.7)
    show_ranks("6 equal systems, 100 items", lambda g: answers(equal, 100, g), equal, seeds)
    groups = np.repeat(np.arange(60), 10)
    show_ranks(
        "10 systems, 60 groups of 10 equal items",
        lambda g: np.repeat(answers(steps, 60, g), 10, axis=1),
        steps,
        seeds,
        groups=groups,
    )
    show_ranks("10 systems over 8 datasets", lambda g: by_dataset(steps, 8, g), steps, seeds, over="datasets")
    options = {"over": "datasets", "aggregate": "win-rate"}
    show_ranks("10 systems over 8 datasets, win rate", lambda g: by_dataset(steps, 8, g), steps, seeds, **options)
    show_ranks(
        "6 equal systems, 300 items, cells missing", lambda g: drop_cells(answers(equal, 300, g), 0.9, g), equal, seeds
    )
    show_ranks(
        "10 systems, 500 items, cells missing", lambda g: drop_cells(answers(steps, 500, g), 0.9, g), steps, seeds
    )
    if only_ranks:
        return
    show_bootstrap_of_systems(2000)
    show_intervals(runs // 2)
    show_false_discoveries(max(60, runs // 2))
    show_power(max(10, runs // 15))
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
