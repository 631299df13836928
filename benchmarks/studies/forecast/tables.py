"""Tables 2 and 3 of Xiao et al. (2022) on our evidence, under both protocols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.forecast.evidence import Evidence
from assay.views.results import Result
from benchmarks.studies.forecast.interval_coverage import hold_out_families, measure_coverage
from benchmarks.studies.forecast.predictor_training import SHIPPED_FEATURES, find_pairs, fit_and_predict
from benchmarks.studies.forecast.protocols import (
    FAMILIES,
    RANDOM,
    PredictionScore,
    make_folds,
    predict_by_best_feature,
    predict_held_out,
    score_predictions,
)
from benchmarks.studies.forecast.ranking import RankingScore, evaluate_ranker

N_RANDOM_SPLITS = 5  # one split of 287 rows says little about the second decimal


@dataclass(frozen=True)
class RegressionRow(Result):
    """A row of Table 2: a predictor under both protocols, the random one as the mean of five splits."""

    target: str = field(metadata=OWN)
    predictor: str = field(metadata=OWN)
    features: str = field(metadata=OWN)
    random_spearman: float
    random_p: float
    random_rmse: float
    families_spearman: float
    families_low: float
    families_high: float
    families_p: float
    families_rmse: float
    families_within: float


@dataclass(frozen=True)
class RankingRow(Result):
    """A row of Table 3: a ranker on lists of n under both protocols, the random one as the mean of five splits."""

    target: str = field(metadata=OWN)
    ranker: str = field(metadata=OWN)
    n: int
    random_ndcg: float
    random_map: float
    random_random_ndcg: float
    random_random_map: float
    random_relevant: float
    families_ndcg: float
    families_map: float
    families_random_ndcg: float
    families_random_map: float
    families_relevant: float


@dataclass(frozen=True)
class ShippedRow(Result):
    """The kind of predictor that ships, on held-out families, with a set of features; coverage for its own set."""

    coverage: float
    width_ratio: float
    target: str = field(metadata=OWN)
    features: str = field(metadata=OWN)
    spearman: float
    low: float
    high: float
    rmse: float
    within: float
    confidence: float | None = None
    n: int | None = None
    by_family: dict[str, float] | None = field(default=None, metadata=NAME)


def evaluate_regressor(evidence: Evidence, name: str, target: str, chosen: str) -> RegressionRow:
    """Evaluate a predictor under both protocols."""

    def score(protocol: str, random_state: int = 0) -> PredictionScore:
        held_out = predict_held_out(evidence, name, target, protocol, chosen, random_state)
        return score_predictions(evidence, *held_out, target, protocol)

    return _make_row(target, name, chosen, [score(RANDOM, seed) for seed in range(N_RANDOM_SPLITS)], score(FAMILIES))


def evaluate_best_feature(evidence: Evidence, target: str, chosen: str) -> RegressionRow:
    """Evaluate the best single feature, chosen on the training rows; it has no error in the unit of λ."""
    scores = {
        protocol: score_predictions(
            evidence, *predict_by_best_feature(evidence, target, protocol, chosen), target, protocol
        )
        for protocol in (RANDOM, FAMILIES)
    }
    return _make_row(target, "best feature", chosen, [scores[RANDOM]], scores[FAMILIES], has_error=False)


def evaluate_ranker_by_protocol(
    evidence: Evidence, name: str, target: str, n: int, chosen: str, n_lists: Mapping[str, int] | None = None
) -> RankingRow:
    """Evaluate a ranker on lists of n under both protocols."""
    folds = {
        RANDOM: [list(make_folds(evidence, RANDOM, seed)) for seed in range(N_RANDOM_SPLITS)],
        FAMILIES: [group_families(evidence)],
    }
    values: dict[str, float] = {}
    for protocol, splits in folds.items():
        scores = [evaluate_ranker(evidence, name, target, n, split, chosen, n_lists) for split in splits]
        values |= {f"{protocol}_{field_}": _average(scores, field_) for field_ in _RANKING_FIELDS}
    return RankingRow(target, name, n, **values)


def evaluate_shipped(evidence: Evidence, target: str, chosen: str = SHIPPED_FEATURES) -> ShippedRow:
    """Evaluate the kind of predictor that ships on held-out families with a set of features.

    Coverage of the nested intervals is measured for the set that ships.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    predicted = np.zeros(len(y))
    for train, test in make_folds(evidence, FAMILIES):
        predicted[test] = fit_and_predict(X[train], y[train], X[test], chosen)
    score = score_predictions(evidence, np.arange(len(y)), predicted, target, FAMILIES)
    quality = (target, chosen, score.spearman, score.low, score.high, score.rmse, score.within)
    if chosen != SHIPPED_FEATURES:
        return ShippedRow(float("nan"), float("nan"), *quality)
    inside = measure_coverage(hold_out_families(X, y, evidence.families, fit_and_predict, find_pairs(X)))
    return ShippedRow(inside.coverage, inside.width_ratio, *quality, inside.confidence, inside.n, inside.by_family)


def group_families(evidence: Evidence, n_folds: int = 4) -> list[tuple[Array, Array]]:
    """Return folds of several families each, since a list of datasets must be drawn from more than one."""
    names = np.unique(evidence.families)
    order = np.random.default_rng(0).permutation(names)
    folds = []
    for part in np.array_split(order, min(n_folds, len(names))):
        is_held_out = np.isin(evidence.families, part)
        folds.append((np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)))
    return folds


_RANKING_FIELDS = ("ndcg", "map", "random_ndcg", "random_map", "relevant")


def _average(scores: list[RankingScore], name: str) -> float:
    return float(np.mean([getattr(score, name) for score in scores]))


def _make_row(
    target: str,
    name: str,
    chosen: str,
    random: list[PredictionScore],
    families: PredictionScore,
    *,
    has_error: bool = True,
) -> RegressionRow:
    return RegressionRow(
        target=target,
        predictor=name,
        features=chosen,
        random_spearman=float(np.mean([score.spearman for score in random])),
        random_p=max(score.p for score in random),
        random_rmse=float(np.mean([score.rmse for score in random])) if has_error else float("nan"),
        families_spearman=families.spearman,
        families_low=families.low,
        families_high=families.high,
        families_p=families.p,
        families_rmse=families.rmse if has_error else float("nan"),
        families_within=families.within,
    )
