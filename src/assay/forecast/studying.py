"""Tables 2 and 3 of paper 000 on our evidence, under both protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.forecast.conformal import coverage
from assay.forecast.evidence import TARGETS, Evidence
from assay.forecast.importance import Importance, importance
from assay.forecast.predictor import CHOSEN, predicted
from assay.forecast.protocols import (
    PROTOCOLS,
    Judged,
    best_single_feature,
    folds,
    judged,
    predictions,
    reliability,
)
from assay.forecast.ranking import RANKERS, Ranked, ranked
from assay.forecast.regressors import REGRESSORS
from assay.tasks import run_tasks

RANDOM_CUTS = 5  # one cut of 287 says little about the second decimal


@dataclass(frozen=True)
class Study(Result):
    """Both tables (`regression`, `ranking`), the predictor that ships, the reliability of λ, features that matter."""

    _table: ClassVar[str] = "regression"

    regression: list[dict[str, Any]]
    ranking: list[dict[str, Any]]
    shipped: list[dict[str, Any]]
    reliability: dict[str, dict[str, float]]
    importance: dict[str, list[Importance]]
    n: int
    n_parents: int
    n_families: int


def study(
    evidence: Evidence,
    *,
    sets: tuple[str, ...] = ("paper", "light"),
    lengths: tuple[int, ...] = (5, 7, 9),
    n_lists: dict[str, int] | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
) -> Study:
    """Test every predictor and ranker under both protocols; minutes of work, spread over `n_jobs` processes."""
    running: dict[str, Any] = {"n_jobs": n_jobs, "backend": backend}
    asked: list[tuple[Any, ...]] = [
        (evidence, name, target, chosen) for target in TARGETS for chosen in sets for name in REGRESSORS
    ]
    regression = run_tasks(regression_row, asked, **running)
    regression += [single_row(evidence, target, sets[-1]) for target in TARGETS]
    asked = [(evidence, name, target, n, sets[-1], n_lists) for target in TARGETS for name in RANKERS for n in lengths]
    ranking = run_tasks(ranking_row, asked, **running)
    found = {target: importance(evidence, target, sets[-1]) for target in TARGETS}
    ceilings = {target: reliability(evidence, target) for target in TARGETS}
    parents = evidence.table["parent"].n_unique()
    asked = [(evidence, target, chosen) for target in TARGETS for chosen in ("probes", "paper", "light", "all")]
    shipped = run_tasks(shipped_row, asked, **running)
    families = len(np.unique(evidence.families))
    return Study(regression, ranking, shipped, ceilings, found, len(evidence), parents, families)


def shipped_row(evidence: Evidence, target: str, chosen: str = CHOSEN) -> dict[str, Any]:
    """Return how the kind of predictor that ships does on held-out families with a set of features.

    Coverage of the nested intervals is measured for the set that ships.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    found = np.zeros(len(y))
    for train, test in folds(evidence, "families"):
        found[test] = predicted(X[train], y[train], X[test], chosen)
    score = judged(evidence, np.arange(len(y)), found, target, "families")
    names = ("spearman", "low", "high", "rmse", "within")
    row = {"target": target, "features": chosen} | {name: getattr(score, name) for name in names}
    held = coverage(X, y, evidence.families, predicted).to_dict() if chosen == CHOSEN else {}
    return {"coverage": float("nan"), "width_ratio": float("nan")} | row | held


def regression_row(evidence: Evidence, name: str, target: str, chosen: str) -> dict[str, Any]:
    """Return a row of Table 2: a predictor under both protocols, the random one as the mean of five cuts."""
    cuts = [_judged(evidence, name, target, "random", chosen, seed) for seed in range(RANDOM_CUTS)]
    grouped = _judged(evidence, name, target, "families", chosen)
    return _row(target, name, chosen, cuts, grouped)


def _judged(evidence: Evidence, name: str, target: str, protocol: str, chosen: str, seed: int = 0) -> Judged:
    return judged(evidence, *predictions(evidence, name, target, protocol, chosen, seed), target, protocol)


def single_row(evidence: Evidence, target: str, chosen: str) -> dict[str, Any]:
    """Return the row of the best single feature, chosen on the training rows; it has no error in λ's unit."""
    found = {p: judged(evidence, *best_single_feature(evidence, target, p, chosen), target, p) for p in PROTOCOLS}
    row = _row(target, "best feature", chosen, [found["random"]], found["families"])
    return row | {"random_rmse": float("nan"), "families_rmse": float("nan")}


def _row(target: str, name: str, chosen: str, cuts: list[Judged], grouped: Judged) -> dict[str, Any]:
    said = {"target": target, "predictor": name, "features": chosen}
    random = {
        "random_spearman": float(np.mean([cut.spearman for cut in cuts])),
        "random_p": max(cut.p for cut in cuts),
        "random_rmse": float(np.mean([cut.rmse for cut in cuts])),
    }
    names = ("spearman", "low", "high", "p", "rmse", "within")
    return said | random | {f"families_{one}": getattr(grouped, one) for one in names}


def ranking_row(
    evidence: Evidence, name: str, target: str, n: int, chosen: str, n_lists: dict[str, int] | None = None
) -> dict[str, Any]:
    """Return a row of Table 3: a ranker on lists of n under both protocols, the random one as the mean of five cuts."""
    cuts = [list(folds(evidence, "random", seed)) for seed in range(RANDOM_CUTS)]
    asked = {"random": cuts, "families": [family_folds(evidence)]}
    row: dict[str, Any] = {"target": target, "ranker": name, "n": n}
    for protocol, tried in asked.items():
        found = [ranked(evidence, name, target, n, one, chosen, n_lists) for one in tried]
        row |= {f"{protocol}_{one}": float(np.mean([getattr(cut, one) for cut in found])) for one in _RANKED}
    return row


_RANKED = ("ndcg", "map", "random_ndcg", "random_map", "relevant")
assert set(_RANKED) <= set(Ranked.__dataclass_fields__)


def family_folds(evidence: Evidence, n_folds: int = 4) -> list[tuple[Array, Array]]:
    """Return folds of several families each: a list of datasets must be drawn from more than one."""
    names = np.unique(evidence.families)
    order = np.random.default_rng(0).permutation(names)
    found = []
    for part in np.array_split(order, min(n_folds, len(names))):
        held = np.isin(evidence.families, part)
        found.append((np.flatnonzero(~held), np.flatnonzero(held)))
    return found
