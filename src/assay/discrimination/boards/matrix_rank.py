"""How many dimensions the table of systems and datasets has."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.discrimination.boards.draws import start_generator
from assay.discrimination.boards.logits import MIN_DATASETS, MIN_SYSTEMS, LogitTable
from assay.statistics import Interval, normal_quantile
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

N_PERMUTATIONS = 100
MAX_GROUPS = 50  # of the jackknife


@dataclass(frozen=True)
class MatrixRank(Result):
    """Effective rank, share of the first component, and components beyond chance, of systems with all scores.

    `effective_rank` is exp(entropy of the eigenvalue shares) of the correlations between datasets (Roy and Vetterli
    2007): 1 if one ability explains everything, the number of datasets if they are unrelated. `n_components`
    counts eigenvalues above the 95% quantile of shuffled columns (Horn 1965).
    """

    effective_rank: Interval
    first_share: Interval
    n_components: int
    eigenvalue_shares: tuple[float, ...]
    n_systems: int
    n_datasets: int
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_matrix_rank(table: LogitTable, random_state: int = 0) -> MatrixRank:
    """Analyse the correlations between datasets on the logit scale; intervals are jackknifed over systems."""
    complete = table.values[np.isfinite(table.values).all(axis=1)]
    varies = complete.std(axis=0) > 0 if len(complete) else np.zeros(0, dtype=bool)
    complete = complete[:, varies]
    n, d = complete.shape
    nothing = Interval(math.nan, math.nan, math.nan)
    if n < MIN_SYSTEMS or d < MIN_DATASETS:
        reason = f"{n} systems with all of {d} datasets; at least {MIN_SYSTEMS} and {MIN_DATASETS} are needed"
        return MatrixRank(nothing, nothing, 0, (), n, d, reason)
    shares = _share_eigenvalues(complete)
    generator = start_generator(random_state)
    chance = np.array([_share_eigenvalues(_shuffle(complete, generator)) for _ in range(N_PERMUTATIONS)])
    above = shares > np.percentile(chance, 95, axis=0)
    groups = generator.permutation(n) % min(n, MAX_GROUPS)
    left_out = [_share_eigenvalues(complete[groups != group]) for group in range(groups.max() + 1)]
    return MatrixRank(
        effective_rank=_jackknife(_count_effective(shares), [_count_effective(row) for row in left_out], 1.0, d),
        first_share=_jackknife(float(shares[0]), [float(row[0]) for row in left_out], 0.0, 1.0),
        n_components=len(above) if above.all() else int(np.argmin(above)),
        eigenvalue_shares=tuple(shares[:10].tolist()),
        n_systems=n,
        n_datasets=d,
    )


def _share_eigenvalues(values: Array) -> Array:
    """Return the eigenvalues of the correlations, the largest first, as shares of their sum."""
    deviation = values.std(axis=0)
    z = np.divide(values - values.mean(axis=0), deviation, out=np.zeros_like(values), where=deviation > 0)
    squares = np.zeros(values.shape[1])
    singular = np.linalg.svd(z, compute_uv=False) ** 2
    squares[: len(singular)] = singular
    return np.asarray(squares / squares.sum())


def _count_effective(shares: Array) -> float:
    positive = shares[shares > 1e-15]
    return float(np.exp(-(positive * np.log(positive)).sum()))


def _shuffle(values: Array, generator: np.random.Generator) -> Array:
    return np.asarray(np.take_along_axis(values, np.argsort(generator.random(values.shape), axis=0), axis=0))


def _jackknife(value: float, left_out: list[float], lowest: float, highest: float) -> Interval:
    n = len(left_out)
    error = math.sqrt((n - 1) * float(np.var(left_out)))
    half = normal_quantile(0.95) * error
    return Interval(value, max(lowest, value - half), min(highest, value + half))
