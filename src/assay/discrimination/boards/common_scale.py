"""One scale over benchmarks: an ability of every system, a difficulty and a slope of every dataset."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.boards.draws import start_generator
from assay.discrimination.boards.factors import fit_factors
from assay.discrimination.boards.logits import LogitTable
from assay.statistics import Interval, normal_quantile
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

PENALTY = 0.5
N_RESAMPLES = 200


@dataclass(frozen=True)
class SystemAbility(Result):
    """The place of a system on the common scale, which has mean 0 and deviation 1 over the systems."""

    system: str = field(metadata=NAME)
    ability: Interval
    n_datasets: int


@dataclass(frozen=True)
class DatasetScale(Result):
    """Where a dataset is on the common scale: the ability that scores 50%, and how fast scores grow with ability.

    A slope near 0 means that the dataset does not measure the common ability; the difficulty is then undefined.
    """

    dataset: str = field(metadata=NAME)
    difficulty: float
    slope: float


@dataclass(frozen=True)
class CommonScale(Result):
    """Abilities with intervals over resampled datasets, and the datasets on the same scale."""

    systems: tuple[SystemAbility, ...]
    datasets: tuple[DatasetScale, ...]
    explained: float  # share of the variance of standardised logits
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def fit_common_scale(table: LogitTable, random_state: int = 0) -> CommonScale:
    """Fit logit(score) = slope · (ability − difficulty), with ridge penalties, to all scores that there are.

    The model is by Ho et al. (2025, "A Rosetta Stone for AI benchmarks"). Intervals are the 2.5 and 97.5%
    quantiles over bootstrapped datasets, widened by √(d / (d − 1)) and Student's t for few datasets.
    """
    from scipy.stats import t

    reason = table.explain_too_small()
    if reason:
        return CommonScale((), (), float("nan"), reason)
    values = table.values
    d = values.shape[1]
    start = fit_factors(values, 1, PENALTY).abilities
    ability = _fit_ability(values, np.ones(d), start)
    generator = start_generator(random_state)
    draws = np.array(
        [
            _fit_ability(values, generator.multinomial(d, np.full(d, 1 / d)).astype(float), start)
            for _ in range(N_RESAMPLES)
        ]
    )
    has_any = np.isfinite(draws)
    centre = np.where(has_any, draws, 0.0).sum(axis=0) / np.maximum(has_any.sum(axis=0), 1)
    low, high = np.nanpercentile(draws, [2.5, 97.5], axis=0)
    factor = np.sqrt(d / (d - 1)) * t.ppf(0.975, d - 1) / normal_quantile(0.95)
    counts = np.isfinite(values).sum(axis=1)
    systems = [
        SystemAbility(
            name, Interval(float(value), float(value - factor * below), float(value + factor * above)), int(n)
        )
        for name, value, below, above, n in zip(
            table.systems, ability, centre - low, high - centre, counts, strict=True
        )
    ]
    datasets, explained = _place_datasets(table, ability)
    systems.sort(key=lambda row: -row.ability.value)
    return CommonScale(tuple(systems), datasets, explained)


def _fit_ability(values: Array, weights: Array, start: Array) -> Array:
    """Return standardised abilities under weights of datasets; nan for systems without any weighted score."""
    ability = fit_factors(values, 1, PENALTY, weights, start).abilities[:, 0]
    known = (np.isfinite(values) * weights).sum(axis=1) > 0
    centre, deviation = ability[known].mean(), ability[known].std()
    means = np.nanmean(values, axis=1)
    sign = 1.0 if (ability - ability.mean()) @ (means - means.mean()) >= 0 else -1.0
    return np.where(known, sign * (ability - centre) / max(deviation, 1e-12), np.nan)


def _place_datasets(table: LogitTable, ability: Array) -> tuple[tuple[DatasetScale, ...], float]:
    """Regress the logits of every dataset on ability; return the places and the share of variance explained."""
    rows, shares = [], []
    for name, column in zip(table.datasets, table.values.T, strict=True):
        known = np.isfinite(column)
        x, y = ability[known], column[known]
        if not len(x):
            rows.append(DatasetScale(name, float("nan"), float("nan")))
            continue
        spread = x.var()
        slope = float(((x - x.mean()) * (y - y.mean())).mean() / spread) if spread > 0 else 0.0
        intercept = float(y.mean() - slope * x.mean())
        residual = y - intercept - slope * x
        shares.append(1 - residual.var() / y.var() if y.var() > 0 else np.nan)
        difficulty = -intercept / slope if slope > 0.05 else float("nan")
        rows.append(DatasetScale(name, difficulty, slope))
    return tuple(rows), float(np.nanmean(shares))
