"""How often nominal 95% intervals of Cohen's kappa contain the truth, over label shares, agreement and items.

For each cell, test sets are drawn from a known table of two raters. The score interval, which is the default, stands
next to the large-sample interval of Fleiss, Cohen and Everitt; values outside 93–97% are marked with *.
`python -m benchmarks.kappa_coverage [n_simulations]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import numpy as np

from assay.statistics import cohen_kappa
from benchmarks._bars import is_covered, print_bar

LOW, HIGH = 0.93, 0.97
SIZES = [50, 200, 500, 1000]
KAPPAS = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95]
SHARES: dict[str, tuple[Sequence[float], Sequence[float]]] = {
    "50, 50%": ([0.5, 0.5], [0.5, 0.5]),
    "80, 20%": ([0.8, 0.2], [0.8, 0.2]),
    "90, 10%": ([0.9, 0.1], [0.9, 0.1]),
    "95, 5%": ([0.95, 0.05], [0.95, 0.05]),
    "98, 2%": ([0.98, 0.02], [0.98, 0.02]),
    "90, 10% and 75, 25%": ([0.9, 0.1], [0.75, 0.25]),
    "60, 35, 5%": ([0.6, 0.35, 0.05], [0.6, 0.35, 0.05]),
    "60, 35, 5% and 40, 50, 10%": ([0.6, 0.35, 0.05], [0.4, 0.5, 0.1]),
    "five labels, 5 to 50%": ([0.5, 0.3, 0.1, 0.05, 0.05], [0.5, 0.3, 0.1, 0.05, 0.05]),
}


def make_table(rows: Sequence[float], columns: Sequence[float], kappa: float) -> np.ndarray | None:
    """Mix the table of independent raters with the one of most agreement; None if the shares forbid the kappa."""
    first, second = np.array(rows), np.array(columns)
    independent, shared = np.outer(first, second), np.minimum(first, second)
    rest = 1 - shared.sum()
    most = np.diag(shared) + (np.outer(first - shared, second - shared) / rest if rest > 1e-12 else 0.0)
    reachable = true_kappa(most)
    return None if kappa > reachable else independent + kappa / reachable * (most - independent)


def true_kappa(table: np.ndarray) -> float:
    chance = table.sum(axis=1) @ table.sum(axis=0)
    return float((np.trace(table) - chance) / (1 - chance))


def measure_coverage(table: np.ndarray, n_items: int, n_simulations: int) -> dict[str, float]:
    """Return the share of simulated test sets whose interval contains the truth; an undefined kappa does not miss."""
    truth, n_labels = true_kappa(table), len(table)
    drawn = np.random.default_rng([n_items, round(1e6 * abs(truth))]).multinomial(
        n_items, table.ravel(), size=n_simulations
    )
    tables, counts = np.unique(drawn, axis=0, return_counts=True)
    contained = {"score": 0, "fleiss": 0}
    for cells, count in zip(tables, counts, strict=True):
        first, second = np.divmod(np.repeat(np.arange(n_labels**2), cells), n_labels)
        for method in contained:
            interval = cohen_kappa(first, second, method=method)  # type: ignore[arg-type]
            held = np.isnan(interval.value) or interval.low - 1e-9 <= truth <= interval.high + 1e-9
            contained[method] += int(count) if held else 0
    return {method: hits / n_simulations for method, hits in contained.items()}


def main(arguments: Sequence[str] = ()) -> None:
    started = time.perf_counter()
    n_simulations = int(arguments[0]) if arguments else 2000
    print(f"Coverage of nominal 95% intervals of kappa, {n_simulations:,} simulations per cell")
    inside: dict[str, list[float]] = {"score": [], "fleiss": []}
    for name, (rows, columns) in SHARES.items():
        print(f"\nlabel shares {name}\n{'n':>5} {'interval':<9}" + " ".join(f"{kappa:<6g}" for kappa in KAPPAS))
        for n_items in SIZES:
            tables = [make_table(rows, columns, kappa) for kappa in KAPPAS]
            found = [None if table is None else measure_coverage(table, n_items, n_simulations) for table in tables]
            for method in ("score", "fleiss"):
                values = [None if cell is None else cell[method] for cell in found]
                shown = ["-      " if v is None else f"{v:.3f}{' ' if LOW <= v <= HIGH else '*'} " for v in values]
                print(f"{n_items:>5} {method:<9}{''.join(shown)}", flush=True)
                if n_items >= 200 and min(*rows, *columns) >= 0.05:
                    inside[method] += [value for value in values if value is not None]
    for method, values in inside.items():
        share = np.mean([LOW <= value <= HIGH for value in values])
        line = (
            f"\n{method}, 200 items or more and shares from 5%: {min(values):.3f} to {max(values):.3f}, "
            f"{share:.0%} of {len(values)} cells inside"
        )
        if method == "score":  # the default
            print_bar(line, is_held=is_covered(float(np.mean(values)), n_simulations))
        else:
            print(line)
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
