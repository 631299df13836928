"""Our functions next to those of other packages, on the same input in one process: processor time and ratios.

    python -m benchmarks.peers

The bar is 1: not slower than the peer. Peers are no dependencies (krippendorff, evalica, ranx); those that are not
installed are named as skipped. BLEU and label issues are in `kind_metrics` and `suspects`.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

BAR = 1.0
REPEATS = 5


def main() -> None:
    """Time all pairs of functions and print the table."""
    print("what                                        peer ms   ours ms   ratio  bar 1")
    for package, compare in (("krippendorff", compare_alpha), ("evalica", compare_ratings)):
        if importlib.util.find_spec(package) is None:
            print(f"{package} is not installed: skipped")
            continue
        compare()
    if importlib.util.find_spec("ranx") is None:
        print("ranx is not installed: skipped")


def compare_alpha() -> None:
    """Compare Krippendorff's alpha of arrays and lists; the peer has no interval, so ours draws no resamples."""
    import krippendorff

    from assay.statistics import krippendorff_alpha

    rng = np.random.default_rng(0)
    for n_items in (2_000, 50_000):
        truth = rng.integers(0, 5, (n_items, 1))
        ratings = np.where(rng.random((n_items, 5)) < 0.7, truth, rng.integers(0, 5, (n_items, 5))).astype(float)
        ratings[rng.random(ratings.shape) < 0.1] = np.nan
        rows = [[None if value != value else int(value) for value in row] for row in ratings]
        columns = [[np.nan if value is None else value for value in column] for column in zip(*rows, strict=True)]
        for level in ("nominal", "ordinal", "interval"):
            for form, theirs, ours in (("array", ratings.T, ratings), ("lists", columns, rows)):
                report(
                    f"alpha, {level}, {form}, {n_items:,} × 5",
                    lambda theirs=theirs, level=level: krippendorff.alpha(theirs, level_of_measurement=level),
                    lambda ours=ours, level=level: krippendorff_alpha(ours, level, n_resamples=0).value,
                )


def compare_ratings() -> None:
    """Compare ratings from votes: ours with intervals and joint ranks, the peer's without."""
    import evalica

    import assay

    rng = np.random.default_rng(0)
    strengths = rng.normal(size=20)
    left, right = rng.integers(0, 20, (2, 20_000))
    left, right = left[left != right], right[left != right]
    is_left = rng.random(len(left)) < 1 / (1 + np.exp(strengths[right] - strengths[left]))
    names = np.array([f"system {number}" for number in range(20)])
    votes = {
        "model_a": names[left].tolist(),
        "model_b": names[right].tolist(),
        "winner": np.where(is_left, "model_a", "model_b").tolist(),
    }
    winners = [evalica.Winner.X if won else evalica.Winner.Y for won in is_left]
    report(
        "ratings, 20,000 votes (ours with intervals)",
        lambda: evalica.bradley_terry(votes["model_a"], votes["model_b"], winners),
        lambda: assay.rate_votes(votes),
        same=False,
    )


def report(what: str, theirs: Callable[[], Any], ours: Callable[[], Any], *, same: bool = True) -> None:
    """Time both, check that they agree, and print the ratio."""
    if same:
        assert abs(theirs() - ours()) < 1e-9, what
    times = [min(time_call(function) for _ in range(REPEATS)) for function in (theirs, ours)]
    ratio = times[1] / times[0]
    verdict = "held" if ratio <= BAR else "missed"
    print(f"{what:<42}  {1e3 * times[0]:8.2f}  {1e3 * times[1]:8.2f}  {ratio:6.2f}  {verdict}", flush=True)


def time_call(function: Callable[[], Any]) -> float:
    """Return the processor time of one call."""
    started = time.process_time()
    function()
    return time.process_time() - started


if __name__ == "__main__":
    main()
