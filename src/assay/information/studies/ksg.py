"""Entropies straight from nearest neighbours: the estimator that does not work here (paper 003, section 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.information.shortcuts import shortcut_table
from assay.information.studies.size import stratified_sample
from assay.information.tsi import default_shortcuts, task_specific_information
from assay.tasks import seeds


@dataclass(frozen=True)
class KsgStudy(Result):
    """TSI by nearest neighbours beside TSI by losses; a negative one shows how far off the former is."""

    tsi_losses: float
    tsi_neighbours: float
    tsi_neighbours_std: float
    share_negative: float
    draws: list[dict[str, float]]
    n_items: int


def ksg_study(
    X: Sequence[Any],
    labels: Sequence[Any],
    *,
    parts: Any = None,
    size: int = 1000,
    n_repeats: int = 10,
    encoder: str = "tfidf",
    random_state: int = 0,
    **options: Any,
) -> KsgStudy:
    """Estimate H(Y|X) and H(Y|X_s) by nearest neighbours on stratified samples, and set them beside the losses."""
    from assay.models.inputs import sides_of
    from assay.text import make_encoder

    sides = sides_of(X)
    codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)[1]
    found = task_specific_information(X, labels, parts=parts, random_state=random_state, **options)
    vectors = np.column_stack([make_encoder(encoder).fit_transform(side) for side in sides])
    shortcuts = np.column_stack(list(shortcut_table(sides, default_shortcuts(len(sides))).values()))
    draws = []
    for seed in seeds(random_state, n_repeats):
        rows = stratified_sample(codes, np.arange(len(codes)), min(size, len(codes)), int(seed.generate_state(1)[0]))
        full, control = (neighbour_information(table[rows], codes[rows]) for table in (vectors, shortcuts))
        draws.append({"information_full": full, "information_shortcuts": control, "tsi": full - control})
    values = np.array([draw["tsi"] for draw in draws])
    spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    negative = float((values < 0).mean())
    return KsgStudy(found.tsi, float(values.mean()), spread, negative, draws, min(size, len(codes)))


def neighbour_information(X: NDArray[np.float64], codes: NDArray[np.int64], k: int = 3) -> float:
    """Return I(X; Y) in nats for continuous X and labels Y, by Ross's form of the Kraskov estimator.

    >>> draw = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 500)
    >>> bool(abs(neighbour_information(draw.normal(size=(1000, 1)) + 20 * y[:, None], y) - np.log(2)) < 0.02)
    True
    """
    from scipy.special import digamma
    from sklearn.neighbors import NearestNeighbors

    spread = X.std(axis=0)
    table = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    table = table + 1e-10 * np.random.default_rng(0).normal(size=table.shape)  # equal rows would have distance 0
    counts = np.bincount(codes)
    usable = counts[codes] > k
    table, codes = table[usable], codes[usable]
    radius = np.empty(len(codes))
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        distances, _ = NearestNeighbors(n_neighbors=k + 1).fit(table[members]).kneighbors()
        radius[members] = np.nextafter(distances[:, k - 1], 0)
    around = np.array([reached(table, row, reach) for row, reach in zip(table, radius, strict=True)])
    terms = digamma(len(codes)) + digamma(k) - digamma(np.bincount(codes)[codes]) - digamma(around)
    return max(0.0, float(terms.mean()))


def reached(table: NDArray[np.float64], row: NDArray[np.float64], reach: float) -> int:
    """Count the rows within reach of a row, itself among them."""
    return int((np.linalg.norm(table - row, axis=1) <= reach).sum())
