"""Toy data whose conditional entropy is known: how far off is a held-out loss (Zhu et al. 2021, §3.4)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.tasks import run_tasks
from assay.views.results import Result

SHARES = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))
MAX_GAP = 0.04


@dataclass(frozen=True)
class ToySetting(Result):
    """One setting: the function g of m features with share p_x, noise p_y, and loss − H(Y|X) in nats."""

    g: str = field(metadata=OWN)
    m: int
    p_x: float
    p_y: float
    gap: float


@dataclass(frozen=True)
class ToyStudy(Result):
    """How often |dev loss − H(Y|X)| stays under 0.04 nats over a grid of toy datasets."""

    _table: ClassVar[str] = "settings"

    share_within: float
    n_within: int
    n_settings: int
    largest: float
    n_dev: int
    settings: list[ToySetting]


def study_toy_data(
    sizes: Sequence[int] = tuple(range(2, 11)),
    feature_shares: Sequence[float] = SHARES,
    noise_shares: Sequence[float] = SHARES,
    *,
    n_train: int = 10_000,
    n_dev: int = 10_000,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
) -> ToyStudy:
    """Train scikit-learn's default MLP on every setting and compare its held-out loss with the entropy of the noise.

    X has m Bernoulli(p_x) features, Y = g(X) + Bernoulli(p_y) with g the sum or the conjunction, so H(Y|X) is that
    of the noise alone. The paper gives neither grid nor sizes; ours are the arguments.
    """
    grid = list(product(("sum", "and"), sizes, feature_shares, noise_shares))
    seeds = [random_state * len(grid) + number for number in range(len(grid))]
    tasks = [(*setting, n_train, n_dev, seed) for setting, seed in zip(grid, seeds, strict=True)]
    gaps = run_tasks(measure_toy_gap, tasks, n_jobs=n_jobs, backend=backend)
    settings = [ToySetting(*setting, gap) for setting, gap in zip(grid, gaps, strict=True)]
    within = int((np.abs(gaps) < MAX_GAP).sum())
    return ToyStudy(within / len(grid), within, len(grid), float(np.abs(gaps).max()), n_dev, settings)


def measure_toy_gap(g: str, m: int, p_x: float, p_y: float, n_train: int, n_dev: int, seed: int) -> float:
    """Return the held-out loss minus H(Y|X) of one setting, in nats."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier
    from threadpoolctl import threadpool_limits

    X, y = draw_toy_data(g, m, p_x, p_y, n_train + n_dev, seed)
    network = MLPClassifier(random_state=seed)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(X[:n_train], y[:n_train])
    probabilities = network.predict_proba(X[n_train:])
    columns_of = {label: column for column, label in enumerate(network.classes_.tolist())}
    columns = np.array([columns_of.get(label, -1) for label in y[n_train:].tolist()])
    own = np.where(columns >= 0, probabilities[np.arange(n_dev), columns], 0.0)
    entropy = -(p_y * math.log(p_y) + (1 - p_y) * math.log(1 - p_y))
    return float(-np.log(np.maximum(own, 1e-6)).mean()) - entropy


def draw_toy_data(g: str, m: int, p_x: float, p_y: float, n: int, seed: int) -> tuple[Array, Array]:
    """Draw X and Y = g(X) + noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) < p_x
    value = X.sum(axis=1) if g == "sum" else X.all(axis=1)
    return X.astype(np.float64), value.astype(np.int64) + (rng.random(n) < p_y)
