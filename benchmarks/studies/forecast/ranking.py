"""Rank lists of datasets by how well they will discriminate (Xiao et al. 2022, Table 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.forecast.evidence import Evidence
from assay.views.results import Result
from benchmarks.studies.forecast.regressors import fit_with_settings

Score = Callable[[Array], Array]  # features → the higher, the further up a dataset belongs
N_LISTS = {"train": 4200, "dev": 600, "test": 1200}  # of Xiao et al. (2022)
N_ROUNDS = 200
# Xiao et al. (2022) say that a dataset discriminates from these values on.
THRESHOLDS = {"lambda_var": 3.0, "lambda_sva": 28.0}

RANKERS: Registry[Callable[[Array, Array, Array, Array], Score]] = Registry("ranker")


@dataclass(frozen=True)
class RankingScore(Result):
    """NDCG and MAP of a ranker over lists of n datasets, next to those of a random order of the same lists.

    `relevant` is the share of datasets in the lists whose λ reaches the threshold.
    """

    ndcg: float
    map: float
    n: int
    n_lists: int
    random_ndcg: float
    random_map: float
    relevant: float


@RANKERS.add("lightgbm")
def fit_lightgbm(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """LambdaRank of LightGBM, fitted to lists of rows."""
    import lightgbm

    n = train.shape[1]
    ranker = lightgbm.LGBMRanker(
        n_estimators=N_ROUNDS, learning_rate=0.05, num_leaves=31, min_child_samples=20, colsample_bytree=0.5,
        label_gain=list(range(n)), random_state=0, n_jobs=1, verbose=-1, deterministic=True, force_col_wise=True,
    )  # fmt: skip
    X_dev, y_dev = _grade_lists(X, y, dev)
    ranker.fit(
        *_grade_lists(X, y, train), group=[n] * len(train), eval_X=X_dev, eval_y=y_dev, eval_group=[[n] * len(dev)],
        eval_at=[n], callbacks=[lightgbm.early_stopping(30, verbose=False)],
    )  # fmt: skip
    return lambda rows: np.asarray(ranker.predict(rows))


@RANKERS.add("xgboost")
def fit_xgboost(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """XGBoost's ranker, fitted to lists of rows."""
    import xgboost

    ranker = xgboost.XGBRanker(
        objective="rank:ndcg", n_estimators=N_ROUNDS, learning_rate=0.05, max_depth=6, colsample_bytree=0.5,
        tree_method="hist", ndcg_exp_gain=False, early_stopping_rounds=30, random_state=0, n_jobs=1,
    )  # fmt: skip
    queries = [np.repeat(np.arange(len(part)), train.shape[1]) for part in (train, dev)]
    lists = _grade_lists(X, y, train)
    ranker.fit(*lists, qid=queries[0], eval_set=[_grade_lists(X, y, dev)], eval_qid=[queries[1]], verbose=False)
    return lambda rows: np.asarray(ranker.predict(rows))


@RANKERS.add("extra-trees")
def fit_extra_trees(X: Array, y: Array, train: Array, dev: Array) -> Score:
    """λ as extra trees predict it; each row of the lists counts once, and none is set aside."""
    rows = np.unique(np.concatenate([train.ravel(), dev.ravel()]))
    return fit_with_settings("extra-trees", X[rows], y[rows], {}, log=True).predict


def draw_lists(rows: Array, n: int, n_lists: int, random_state: int) -> Array:
    """Draw lists of n different rows."""
    rng = np.random.default_rng(random_state)
    return np.stack([rng.choice(rows, n, replace=False) for _ in range(n_lists)])


def grade_members(values: Array) -> Array:
    """Return how many members of its list each one beats (ties share the lower grade)."""
    return np.asarray((values[:, :, None] > values[:, None, :]).sum(axis=2))


def compute_ndcg(truth: Array, predicted: Array) -> float:
    """Return the mean NDCG of lists (lists × n): gains are grades, discounted by log₂ of the rank.

    >>> compute_ndcg(np.array([[3.0, 1.0, 2.0]]), np.array([[9.0, 1.0, 5.0]]))
    1.0
    """
    gains = grade_members(truth).astype(np.float64)
    discounts = 1 / np.log2(np.arange(2, truth.shape[1] + 2))
    order = np.argsort(-predicted, axis=1, kind="stable")
    reached = (np.take_along_axis(gains, order, 1) * discounts).sum(axis=1)
    ideal = (-np.sort(-gains, axis=1) * discounts).sum(axis=1)
    return float(np.mean(reached[ideal > 0] / ideal[ideal > 0]))


def compute_mean_average_precision(truth: Array, predicted: Array, threshold: float) -> float:
    """Return MAP with λ ≥ threshold as relevant; lists without a relevant dataset are left out.

    >>> compute_mean_average_precision(np.array([[5.0, 1.0, 4.0]]), np.array([[1.0, 2.0, 3.0]]), threshold=3)
    0.833...
    """
    order = np.argsort(-predicted, axis=1, kind="stable")
    is_relevant = np.take_along_axis(truth >= threshold, order, 1)
    precision = np.cumsum(is_relevant, axis=1) / np.arange(1, truth.shape[1] + 1)
    has_relevant = is_relevant.any(axis=1)
    if not has_relevant.any():
        return float("nan")
    averages = (precision * is_relevant).sum(axis=1)[has_relevant] / is_relevant.sum(axis=1)[has_relevant]
    return float(np.mean(averages))


def evaluate_ranker(
    evidence: Evidence,
    name: str,
    target: str,
    n: int,
    folds: list[tuple[Array, Array]],
    chosen: str = "light",
    n_lists: Mapping[str, int] | None = None,
) -> RankingScore:
    """Fit a ranker on lists of the training rows of each fold, and score it on lists of the test rows.

    With several folds each is trained on half as many lists, and the test lists are divided among them.
    """
    sizes = n_lists or N_LISTS
    X, y = evidence.features(chosen), evidence.target(target)
    truths, scores = [], []
    for number, (train, test) in enumerate(folds):
        order = np.random.default_rng(number).permutation(train)
        kept, dev = order[len(order) // 8 :], order[: len(order) // 8]
        shares = {part: max(1, sizes[part] // min(2, len(folds))) for part in ("train", "dev")}
        drawn = [draw_lists(rows, n, shares[part], number) for part, rows in (("train", kept), ("dev", dev))]
        score = RANKERS[name](X, y, *drawn)
        held_out = draw_lists(test, n, max(1, sizes["test"] // len(folds)), number)
        truths.append(y[held_out])
        scores.append(score(X[test])[np.searchsorted(test, held_out)])
    return score_lists(np.concatenate(truths), np.concatenate(scores), n, THRESHOLDS[target])


def score_lists(truth: Array, scores: Array, n: int, threshold: float) -> RankingScore:
    """Score lists, and the same lists in random order."""
    noise = np.random.default_rng(0).random(scores.size).reshape(scores.shape)
    ranked, random = (
        (compute_ndcg(truth, values), compute_mean_average_precision(truth, values, threshold))
        for values in (scores, noise)
    )
    return RankingScore(*ranked, n, len(truth), *random, float(np.mean(truth >= threshold)))


def _grade_lists(X: Array, y: Array, lists: Array) -> tuple[Array, Array]:
    """Return features and grades of the members of lists, one list after the other."""
    return X[lists.ravel()], grade_members(y[lists]).ravel()
