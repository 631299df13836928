"""How often nominal 95% intervals hold the truth: simulated systems with known accuracy, F1 and macro-F1.

For each true rate and number of items, 2,000 test sets are drawn and every method makes its interval. The
table shows the share that holds the truth; outside 93–97.5% it is marked with *. `auto` is what assay uses
by default. `python -m benchmarks.coverage [n_simulations]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import numpy as np

from assay.evaluation.scoring.intervals import CountedRows, compute_intervals
from assay.metrics import METRICS, AnsweredItems, Metric
from benchmarks._bars import is_covered, print_bar

RATES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
EXTREMES = [0.01, 0.03, 0.97, 0.99]
SIZES = [50, 200, 1000]
LOW, HIGH = 0.93, 0.975
N_BOOTSTRAPPED, N_RESAMPLES = 300, 600  # the bootstrap is slow: fewer simulations, wider error (± 0.013)


def accuracy_cells(rate: float) -> np.ndarray:
    """Gold 0 or 1 by halves, right with the rate: the shares of (gold, predicted)."""
    return np.array([rate, 1 - rate, 1 - rate, rate]) / 2


def f1_cells(rate: float, prevalence: float) -> np.ndarray:
    """Precision and recall both equal to the rate, so that F1 is too; 1 is positive."""
    missed = prevalence * (1 - rate)
    return np.array([1 - prevalence - missed, missed, missed, prevalence * rate])


def macro_cells(rate: float, shares: Sequence[float]) -> np.ndarray:
    """Each class right with the rate, its errors spread by the shares of the others."""
    prior = np.asarray(shares)
    table = (1 - rate) * prior[None, :] / (1 - prior[:, None])
    np.fill_diagonal(table, rate)
    return (table * prior[:, None]).ravel()


def every_cell(n_labels: int) -> AnsweredItems:
    gold, predicted = np.divmod(np.arange(n_labels**2), n_labels)
    return AnsweredItems(np.ones(n_labels**2, dtype=bool), gold, predicted, n_labels, positive=1)


def covered(metric: Metric, shares: np.ndarray, n_items: int, method: str, n_simulations: int) -> float:
    """Return the share of simulated test sets whose interval holds the truth; an undefined one does not miss."""
    n_labels = round(len(shares) ** 0.5)
    table = metric.collect_statistics(every_cell(n_labels)).astype(np.float64)
    truth = float(metric.compute_value(shares @ table))
    drawn = np.random.default_rng([n_items, round(1e6 * truth)]).multinomial(n_items, shares, size=n_simulations)
    held = 0
    for counts in drawn:
        some = counts > 0
        rows = CountedRows(table[some], counts[some])
        (found,) = compute_intervals(metric, [rows], method=method, n_resamples=N_RESAMPLES)
        held += bool(np.isnan(found.low) or found.low <= truth <= found.high)
    return held / n_simulations


def row(metric: Metric, cells: Sequence[np.ndarray], n_items: int, method: str, n_simulations: int) -> list[float]:
    return [covered(metric, shares, n_items, method, n_simulations) for shares in cells]


def format_coverage(values: Sequence[float]) -> str:
    return " ".join(f"{value:.3f}{' ' if LOW <= value <= HIGH else '*'}" for value in values)


def table(
    title: str, metric: Metric, cells: dict[float, np.ndarray], n_simulations: int, *, bootstrap: bool
) -> list[float]:
    print(f"\n{title}\n{'n':>5} {'method':<11}" + " ".join(f"{rate:<6g}" for rate in cells))
    default: list[float] = []
    for n_items in SIZES:
        for method in ("auto", "bca", "percentile") if bootstrap else ("auto",):
            n = n_simulations if method == "auto" else min(n_simulations, N_BOOTSTRAPPED)
            found = row(metric, list(cells.values()), n_items, method, n)
            print(f"{n_items:>5} {method:<11}{format_coverage(found)}")
            default += found if method == "auto" else []
    return default


def grouped(n_groups: int, method: str, n_simulations: int) -> list[float]:
    """Accuracy over groups of 10 items that succeed together (Beta, correlation 0.3 inside a group)."""
    found = []
    for rate in RATES[::2]:
        generator, held = np.random.default_rng([n_groups, round(100 * rate)]), 0
        strength = 1 / 0.3 - 1
        for _ in range(n_simulations):
            chances = generator.beta(rate * strength, (1 - rate) * strength, size=n_groups)
            right = generator.binomial(10, chances)
            rows = CountedRows(np.stack([right, np.full(n_groups, 10)], axis=1), np.ones(n_groups, dtype=np.int64))
            options = {"grouped": True, "method": method, "n_resamples": N_RESAMPLES}
            (interval,) = compute_intervals(METRICS["accuracy"], [rows], **options)
            held += interval.low <= rate <= interval.high
        found.append(held / n_simulations)
    return found


def main(arguments: Sequence[str] = ()) -> None:
    started = time.perf_counter()
    n = int(arguments[0]) if arguments else 2000
    print(f"Coverage of nominal 95% intervals, {n:,} simulations a cell (bootstrap: {min(n, N_BOOTSTRAPPED)})")
    accuracy, f1, macro = METRICS["accuracy"], METRICS["f1"], METRICS["macro-f1"]
    found = table("accuracy, true rate:", accuracy, {r: accuracy_cells(r) for r in RATES}, n, bootstrap=False)
    for prevalence in (0.2, 0.5):
        cells = {rate: f1_cells(rate, prevalence) for rate in RATES}
        found += table(f"F1, {prevalence:.0%} positive, true rate:", f1, cells, n, bootstrap=prevalence == 0.2)
    inside = np.mean([LOW <= value <= HIGH for value in found])
    line = (
        f"\naccuracy and F1, default: {min(found):.3f} to {max(found):.3f}, {inside:.1%} of {len(found)} cells inside"
    )
    print_bar(line, is_held=is_covered(min(found), n))
    for name, shares in (
        ("3 labels (50, 30, 20%)", [0.5, 0.3, 0.2]),
        ("5 labels (40, 30, 15, 10, 5%)", [0.4, 0.3, 0.15, 0.1, 0.05]),
    ):
        cells = {rate: macro_cells(rate, shares) for rate in (0.1, 0.3, 0.5, 0.7, 0.9)}
        table(f"macro-F1, {name}, rate of every class:", macro, cells, n, bootstrap=len(shares) == 3)
    table("Extremes: accuracy, true rate:", accuracy, {r: accuracy_cells(r) for r in EXTREMES}, n, bootstrap=False)
    table("Extremes: F1, 20% positive, true rate:", f1, {r: f1_cells(r, 0.2) for r in EXTREMES}, n, bootstrap=False)
    print(
        "\nGroups of 10 items, accuracy, true rate:\ngroups method     "
        + " ".join(f"{rate:<6g}" for rate in RATES[::2])
    )
    for n_groups in (20, 50, 200):
        for method, times in (("auto", n), ("percentile", min(n, N_BOOTSTRAPPED))):
            print(f"{n_groups:>5} {method:<11}{format_coverage(grouped(n_groups, method, times))}")
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
