"""Entropies straight from nearest neighbours: the estimator that does not work here (Zhu et al. 2021, §5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.information.shortcuts import build_shortcut_table, choose_shortcuts
from assay.information.task_information import measure_task_information
from assay.models.inputs import to_sides
from assay.tasks import seeds
from assay.views.results import Result
from benchmarks.studies.information.training_size import draw_stratified


@dataclass(frozen=True)
class NeighbourDraw(Result):
    """Information in nats on one sample: of vectors of the texts, of shortcuts, and the difference."""

    information_full: float
    information_shortcuts: float
    tsi: float


@dataclass(frozen=True)
class NeighbourStudy(Result):
    """TSI by nearest neighbours next to TSI by losses; a negative one shows how far off the former is."""

    _table: ClassVar[str] = "draws"

    tsi_losses: float
    tsi_neighbours: float
    tsi_neighbours_std: float
    share_negative: float
    draws: list[NeighbourDraw]
    n_items: int


def study_neighbours(
    X: Sequence[Any],
    labels: Sequence[Any],
    *,
    parts: Any = None,
    size: int = 1000,
    n_repeats: int = 10,
    encoder: str = "tfidf",
    random_state: int = 0,
    **options: Any,
) -> NeighbourStudy:
    """Estimate H(Y|X) and H(Y|X_s) by nearest neighbours on stratified samples, next to the estimate by losses."""
    from assay.text import make_encoder

    sides = to_sides(X)
    codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1]
    by_losses = measure_task_information(X, labels, parts=parts, random_state=random_state, **options)
    vectors = np.column_stack([make_encoder(encoder).fit_transform(side) for side in sides])
    shortcuts = np.column_stack(list(build_shortcut_table(sides, choose_shortcuts(len(sides))).values()))
    draws = []
    for seed in seeds(random_state, n_repeats):
        rows = draw_stratified(codes, np.arange(len(codes)), min(size, len(codes)), int(seed.generate_state(1)[0]))
        full, control = (estimate_neighbour_information(table[rows], codes[rows]) for table in (vectors, shortcuts))
        draws.append(NeighbourDraw(full, control, full - control))
    values = np.array([draw.tsi for draw in draws])
    return NeighbourStudy(
        tsi_losses=by_losses.tsi.value,
        tsi_neighbours=float(values.mean()),
        tsi_neighbours_std=float(values.std(ddof=1)) if len(values) > 1 else float("nan"),
        share_negative=float((values < 0).mean()),
        draws=draws,
        n_items=min(size, len(codes)),
    )


def estimate_neighbour_information(X: Array, codes: Array, k: int = 3) -> float:
    """Return I(X; Y) in nats for continuous X and labels Y, by Ross's form of the Kraskov estimator.

    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 500)
    >>> information = estimate_neighbour_information(rng.normal(size=(1000, 1)) + 20 * y[:, None], y)
    >>> bool(abs(information - np.log(2)) < 0.02)
    True
    """
    from scipy.special import digamma
    from sklearn.neighbors import NearestNeighbors

    spread = X.std(axis=0)
    table = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    table = table + 1e-10 * np.random.default_rng(0).normal(size=table.shape)  # equal rows would have distance 0
    counts = np.bincount(codes)
    is_usable = counts[codes] > k
    table, codes = table[is_usable], codes[is_usable]
    radius = np.empty(len(codes))
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        distances, _ = NearestNeighbors(n_neighbors=k + 1).fit(table[members]).kneighbors()
        radius[members] = np.nextafter(distances[:, k - 1], 0)
    around = np.array([_count_within(table, row, reach) for row, reach in zip(table, radius, strict=True)])
    terms = digamma(len(codes)) + digamma(k) - digamma(np.bincount(codes)[codes]) - digamma(around)
    return max(0.0, float(terms.mean()))


def _count_within(table: Array, row: Array, radius: float) -> int:
    """Count the rows within a radius of a row, itself among them."""
    return int((np.linalg.norm(table - row, axis=1) <= radius).sum())
