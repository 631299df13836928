"""How task-specific information settles with the size of the training set (Zhu et al. 2021, §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.information.task_information import measure_task_information, plan_rounds
from assay.statistics import Correlation, spearman
from assay.tasks import seeds
from assay.views.results import Result


@dataclass(frozen=True)
class SizeFit(Result):
    """TSI, loss and accuracy of the full model for one draw of training items."""

    size: int
    tsi: float
    nll: float
    accuracy: float


@dataclass(frozen=True)
class SizePoint(Result):
    """Means over the draws of one size, and the standard deviation of TSI over them (ddof 1)."""

    size: float
    tsi: float
    nll: float
    accuracy: float
    tsi_std: float
    n_draws: int


@dataclass(frozen=True)
class SizeStudy(Result):
    """TSI, loss and accuracy by training size, and how accuracy follows loss over all fits (Spearman)."""

    _table: ClassVar[str] = "curve"

    curve: list[SizePoint]
    accuracy_against_loss: Correlation
    fits: list[SizeFit] = field(repr=False)


def study_training_size(
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
    rows = plan_rounds(codes, parts, random_state=random_state)[0]
    known = np.r_[rows.train, rows.dev]
    fits = []
    for size in sorted({min(size, len(known)) for size in sizes}):
        for repeat, seed in enumerate(seeds(random_state, n_repeats if size < len(known) else 1)):
            train = draw_stratified(codes, known, size, int(seed.generate_state(1)[0]))
            chosen = np.r_[train, rows.test]
            names = ["train"] * len(train) + ["test"] * len(rows.test)
            found = measure_task_information(
                [X[row] for row in chosen], codes[chosen].tolist(), parts=names, random_state=repeat, **options
            )
            fits.append(SizeFit(len(train), found.tsi.value, found.full.nll, found.full.accuracy))
    curve = [_average([fit for fit in fits if fit.size == size]) for size in dict.fromkeys(fit.size for fit in fits)]
    trend = spearman([fit.nll for fit in fits], [fit.accuracy for fit in fits])
    return SizeStudy(curve, trend, fits)


def draw_stratified(codes: Array, rows: Array, size: int, seed: int) -> Array:
    """Draw rows so that every label keeps its share, at least two of each if there are as many."""
    rng = np.random.default_rng(seed)
    drawn = []
    for code in np.unique(codes[rows]):
        members = rows[codes[rows] == code]
        n = max(2, round(size * len(members) / len(rows)))
        drawn.append(rng.permutation(members)[:n])
    return np.sort(np.concatenate(drawn))


def _average(fits: list[SizeFit]) -> SizePoint:
    return SizePoint(
        size=float(np.mean([fit.size for fit in fits])),
        tsi=float(np.mean([fit.tsi for fit in fits])),
        nll=float(np.mean([fit.nll for fit in fits])),
        accuracy=float(np.mean([fit.accuracy for fit in fits])),
        tsi_std=float(np.std([fit.tsi for fit in fits], ddof=1)) if len(fits) > 1 else float("nan"),
        n_draws=len(fits),
    )
