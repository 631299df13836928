"""Rank lists of datasets by how well they will discriminate (paper 000, Table 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import import_extra
from assay.base.registry import Registry
from assay.base.results import Result
from assay.forecast.evidence import THRESHOLDS, Evidence
from assay.forecast.regressors import trained

Score = Callable[[Array], Array]  # features → how far up a dataset belongs
N_LISTS = {"train": 4200, "dev": 600, "test": 1200}  # of paper 000
ROUNDS = 200


@dataclass(frozen=True)
class Ranked(Result):
    """NDCG and MAP of a ranker over lists of n datasets, beside those of a random order of the same lists."""

    ndcg: float
    map: float
    n: int
    n_lists: int
    random_ndcg: float
    random_map: float
    relevant: float


def lists(rows: Array, n: int, n_lists: int, random_state: int) -> Array:
    """Draw lists of n different rows."""
    draw = np.random.default_rng(random_state)
    return np.stack([draw.choice(rows, n, replace=False) for _ in range(n_lists)])


def grades(values: Array) -> Array:
    """Return how many members of its list each one beats (ties share the lower grade)."""
    return np.asarray((values[:, :, None] > values[:, None, :]).sum(axis=2))


def ndcg(truth: Array, predicted: Array) -> float:
    """Return the mean NDCG of lists (lists × n): gains are grades, discounted by log₂ of the place.

    >>> ndcg(np.array([[3.0, 1.0, 2.0]]), np.array([[9.0, 1.0, 5.0]]))
    1.0
    """
    gains = grades(truth).astype(np.float64)
    discounts = 1 / np.log2(np.arange(2, truth.shape[1] + 2))
    order = np.argsort(-predicted, axis=1, kind="stable")
    got = (np.take_along_axis(gains, order, 1) * discounts).sum(axis=1)
    most = (-np.sort(-gains, axis=1) * discounts).sum(axis=1)
    return float(np.mean(got[most > 0] / most[most > 0]))


def mean_average_precision(truth: Array, predicted: Array, threshold: float) -> float:
    """Return MAP with λ ≥ threshold as relevant; lists without a relevant dataset are left out.

    >>> mean_average_precision(np.array([[5.0, 1.0, 4.0]]), np.array([[1.0, 2.0, 3.0]]), threshold=3)
    0.833...
    """
    order = np.argsort(-predicted, axis=1, kind="stable")
    relevant = np.take_along_axis(truth >= threshold, order, 1)
    precision = np.cumsum(relevant, axis=1) / np.arange(1, truth.shape[1] + 1)
    held = relevant.any(axis=1)
    if not held.any():
        return float("nan")
    return float(np.mean((precision * relevant).sum(axis=1)[held] / relevant.sum(axis=1)[held]))


def lightgbm(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """Fit LambdaRank to lists of rows and return what scores features."""
    found = import_extra("lightgbm", "forecast", "LightGBM")
    n = train.shape[1]
    ranker = found.LGBMRanker(
        n_estimators=ROUNDS, learning_rate=0.05, num_leaves=31, min_child_samples=20, colsample_bytree=0.5,
        label_gain=list(range(n)), random_state=0, n_jobs=1, verbose=-1, deterministic=True, force_col_wise=True,
    )  # fmt: skip
    X_dev, y_dev = _graded(X, y, dev)
    ranker.fit(
        *_graded(X, y, train), group=[n] * len(train), eval_X=X_dev, eval_y=y_dev, eval_group=[[n] * len(dev)],
        eval_at=[n], callbacks=[found.early_stopping(30, verbose=False)],
    )  # fmt: skip
    return lambda asked: np.asarray(ranker.predict(asked))


def xgboost(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """Fit XGBoost's ranker to lists of rows and return what scores features."""
    found = import_extra("xgboost", "forecast", "XGBoost")
    ranker = found.XGBRanker(
        objective="rank:ndcg", n_estimators=ROUNDS, learning_rate=0.05, max_depth=6, colsample_bytree=0.5,
        tree_method="hist", ndcg_exp_gain=False, early_stopping_rounds=30, random_state=0, n_jobs=1,
    )  # fmt: skip
    queries = [np.repeat(np.arange(len(part)), train.shape[1]) for part in (train, dev)]
    ranker.fit(
        *_graded(X, y, train), qid=queries[0], eval_set=[_graded(X, y, dev)], eval_qid=[queries[1]], verbose=False
    )
    return lambda asked: np.asarray(ranker.predict(asked))


def extra_trees(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """Rank by λ as extra trees predict it: a list is seen as its members, each row counts once, none is set aside."""
    rows = np.unique(np.concatenate([train.ravel(), dev.ravel()]))
    return trained("extra-trees", X[rows], y[rows], {}, log=True).predict


RANKERS: Registry[Callable[[Array, Array, Array, Array], Score]] = Registry(
    "ranker", {"lightgbm": lightgbm, "xgboost": xgboost, "extra-trees": extra_trees}
)


def ranked(
    evidence: Evidence,
    name: str,
    target: str,
    n: int,
    folds: list[tuple[Array, Array]],
    chosen: str = "light",
    n_lists: dict[str, int] | None = None,
) -> Ranked:
    """Fit a ranker on lists of the training rows of each fold, and score it on lists of the test rows.

    With several folds each is trained on half as many lists, and the test lists are shared out among them.
    """
    sizes = n_lists or N_LISTS
    X, y = evidence.features(chosen), evidence.target(target)
    truths, scores = [], []
    for number, (train, test) in enumerate(folds):
        order = np.random.default_rng(number).permutation(train)
        kept, dev = order[len(order) // 8 :], order[: len(order) // 8]
        shares = {part: max(1, sizes[part] // min(2, len(folds))) for part in ("train", "dev")}
        drawn = [lists(rows, n, shares[part], number) for part, rows in (("train", kept), ("dev", dev))]
        score = RANKERS[name](X, y, *drawn)
        held = lists(test, n, max(1, sizes["test"] // len(folds)), number)
        truths.append(y[held])
        scores.append(score(X[test])[np.searchsorted(test, held)])
    return measured(np.concatenate(truths), np.concatenate(scores), n, THRESHOLDS[target])


def measured(truth: Array, scores: Array, n: int, threshold: float) -> Ranked:
    """Score lists, and the same lists in random order."""
    noise = np.random.default_rng(0).random(scores.size).reshape(scores.shape)
    found = [(ndcg(truth, told), mean_average_precision(truth, told, threshold)) for told in [scores, noise]]
    relevant = float(np.mean(truth >= threshold))
    return Ranked(*found[0], n, len(truth), *found[1], relevant)


def _graded(X: Array, y: Array, drawn: Array) -> tuple[Array, Array]:
    """Return features and grades of the members of lists, one list after the other."""
    return X[drawn.ravel()], grades(y[drawn]).ravel()
