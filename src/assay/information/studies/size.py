"""How task-specific information settles with the size of the training set (paper 003, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.results import Result
from assay.data.hold_out import sample_per_class
from assay.information.plan import rounds
from assay.information.tsi import task_specific_information
from assay.statistics import Correlation, spearman
from assay.tasks import seeds


@dataclass(frozen=True)
class SizeStudy(Result):
    """TSI, loss and accuracy by training size, and how accuracy follows loss over all fits (Spearman)."""

    curve: list[dict[str, float]]
    accuracy_against_loss: Correlation
    fits: list[dict[str, float]]


def size_study(
    X: Sequence[Any],
    labels: Sequence[Any],
    *,
    parts: Any = None,
    sizes: Sequence[int] = (100, 1000, 10_000, 100_000),
    n_repeats: int = 3,
    random_state: int = 0,
    **options: Any,
) -> SizeStudy:
    """Measure TSI on stratified training samples of growing size, the held-out items fixed; repeated draws."""
    codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1]
    plan = rounds(codes, parts, random_state=random_state)[0]
    known = np.r_[plan.train, plan.dev]
    fits = []
    for size in sorted({min(size, len(known)) for size in sizes}):
        for repeat, seed in enumerate(seeds(random_state, n_repeats if size < len(known) else 1)):
            rows = sample_per_class(codes, known, size, int(seed.generate_state(1)[0]))
            chosen = np.r_[rows, plan.test]
            names = ["train"] * len(rows) + ["test"] * len(plan.test)
            found = task_specific_information(
                [X[row] for row in chosen], codes[chosen].tolist(), parts=names, random_state=repeat, **options
            )
            fits.append({"size": len(rows), "tsi": found.tsi, "nll": found.full.nll, "accuracy": found.full.accuracy})
    curve = [
        summary([fit for fit in fits if fit["size"] == size]) for size in dict.fromkeys(fit["size"] for fit in fits)
    ]
    trend = spearman([fit["nll"] for fit in fits], [fit["accuracy"] for fit in fits])
    return SizeStudy(curve, trend, fits)


def summary(fits: list[dict[str, float]]) -> dict[str, float]:
    """Average the fits of one size; the spread of TSI is its standard deviation over draws (ddof = 1)."""
    means = {name: float(np.mean([fit[name] for fit in fits])) for name in ("size", "tsi", "nll", "accuracy")}
    spread = float(np.std([fit["tsi"] for fit in fits], ddof=1)) if len(fits) > 1 else float("nan")
    return {**means, "tsi_std": spread, "n_draws": len(fits)}
