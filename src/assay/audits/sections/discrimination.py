"""Can this benchmark tell systems apart: the given ones, or the quick models where none are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.finding import MOST_IDS
from assay.audits.held_out import sample_trainable
from assay.audits.intervals import kappa
from assay.audits.section import Measure, Measured
from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.discrimination import (
    DatasetDiscrimination,
    Outcomes,
    analyse_items,
    build_outcomes,
    discriminate_outcomes,
    discriminate_scores,
    find_negative_discrimination,
    find_outvoted_items,
    propose_actions,
)
from assay.evaluation import Predictions, evaluate
from assay.models.quick_systems import predict_with_quick_systems

REVERSED = -0.1
_ENDS = {"value": "", "low": "_low", "high": "_high"}


def measure(case: Case) -> Measured:
    """Measure λ, ranks and items of the systems; a score table alone gives λ and ranks."""
    result: dict[str, Any] = {}
    items = None
    if case.scores is not None:
        told = discriminate_scores(case.scores).to_dict()
        result = {**told, "basis": "scores"}
    predictions, basis = systems(case)
    if predictions is not None:
        result, items = from_systems(case, predictions, basis, result)
    if not result:
        raise AssayError("There are no systems: give --predictions or --scores.")
    given = result["basis"] != "quick models"  # which say nothing of a dataset's use
    datasets = [DatasetDiscrimination.from_dict(row) for row in result["datasets"]]
    result["proposals"] = [proposal.to_dict() for proposal in propose_actions(datasets)] if given else []
    result["charts"] = charts(result)
    return Measured(result, items)


def systems(case: Case) -> tuple[Predictions | None, str]:
    """Return the given predictions, or those of the quick models where neither predictions nor scores are given."""
    if case.predictions is not None:
        return case.predictions, "predictions"
    if case.scores is not None:
        return None, "scores"
    try:
        return predict_with_quick_systems(sample_trainable(case), **case.settings.work), "quick models"
    except AssayError as error:
        raise AssayError(f"No systems are given, and no quick model can be trained: {error}") from error


def from_systems(
    case: Case, predictions: Predictions, basis: str, scored: dict[str, Any]
) -> tuple[dict[str, Any], pl.DataFrame | None]:
    """Measure the outcomes of systems, item by item."""
    outcomes = build_outcomes(predictions, case.data.name)
    result = discriminate_outcomes([outcomes]).to_dict()
    for kept in result["keep"]:
        kept["chosen"] = kept["chosen"][:MOST_IDS] if kept["what"] == "items" else kept["chosen"]
    if scored:
        result["datasets"] += scored["datasets"]
        result["keep"] += scored["keep"]
    table, back = item_rows(predictions, outcomes)
    told = {**back, "basis": basis, "agreement": agreement(predictions), "n_systems": len(predictions.names)}
    told |= {**detectable(case, predictions), "n_test": len(predictions)}
    return {**result, **told}, table if basis == "predictions" else None  # quick models do not judge items


def detectable(case: Case, predictions: Predictions) -> dict[str, Any]:
    """Return the smallest difference that these items can show, and that of the two best systems, in shares."""
    draws = case.settings.most(200, 1000)
    seed = case.settings.random_state
    metrics = ["accuracy"] if predictions.gold is not None else None
    found = evaluate(None, predictions, metrics=metrics, n_permutations=draws, n_resamples=draws, random_state=seed)
    best = sorted((one.value for one in found.systems if np.isfinite(one.value)), reverse=True)[:2]
    gap = best[0] - best[1] if len(best) == 2 else None
    return {"detectable": found.detectable, "gap_first_two": gap, "evaluated_by": found.metric}


def item_rows(predictions: Predictions, outcomes: Outcomes) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return difficulty and discrimination of every item, those that run backwards and those outvoted."""
    about = analyse_items(outcomes.table)
    back = find_negative_discrimination(outcomes.table[not_reversed(predictions)])
    marked = np.zeros(len(predictions), bool)
    marked[back.items] = True
    votes = find_outvoted_items(predictions)
    against, voters = votes.is_outvoted, votes.n_systems
    right = np.nansum(outcomes.table, axis=0)
    ids = pl.Series("id", predictions.ids.tolist(), dtype=pl.String)
    table = pl.DataFrame(
        {
            "id": ids,
            "item_difficulty": about.difficulty,
            "item_discrimination": about.discrimination,
            "n_systems_right": right,
            "n_systems": np.isfinite(outcomes.table).sum(axis=0),
            "backwards": marked,
            "outvoted": against,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    told = {"count": back.n_negative, "n": back.n_tested, "n_systems": back.n_systems}
    told_against = {"count": int(against.sum()), "n": len(against), "n_systems": voters}
    return table, {
        "backwards": {
            **told,
            "keys": keys(predictions, back.items),
            "ids": ids.gather(back.items[:MOST_IDS]).to_list(),
        },
        "outvoted": {**told_against, "ids": ids.gather(np.flatnonzero(against)[:MOST_IDS]).to_list()},
    }


def keys(predictions: Predictions, rows: Array) -> dict[str, int]:
    """Count the keys of some items."""
    if predictions.gold is None:
        return {}
    names, counts = np.unique(predictions.gold[rows].astype(str), return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def not_reversed(predictions: Predictions) -> Array:
    """Mark the systems to judge items by: all but single ones whose own answers run against the key."""
    kappas = {row["system"]: row["high"] for row in agreement(predictions)}
    sound = np.array([not kappas.get(name, 1.0) < REVERSED for name in predictions.names], dtype=bool)
    return sound if sound.mean() > 0.5 else np.ones(len(sound), dtype=bool)


def agreement(predictions: Predictions) -> list[dict[str, Any]]:
    """Return how far each system agrees with gold beyond chance: below 0 its answers run backwards."""
    if predictions.gold is None:
        return []
    rows = []
    for name, answers in predictions.systems.items():
        if answers.predicted is None or not answers.answered.any():
            continue
        here = answers.answered
        found = kappa(answers.predicted[here], predictions.gold[here])
        rows.append({"system": name, "kappa": found.value, "low": found.low, "high": found.high, "n": int(here.sum())})
    return rows


def charts(result: dict[str, Any]) -> dict[str, Any]:
    """Return the points of the charts."""
    lambdas = [
        {"dataset": row["dataset"], "measure": name, **{end: row[name + tail] for end, tail in _ENDS.items()}}
        for row in result["datasets"][:200]
        for name in ("lambda_var", "lambda_sva", "lambda_hit")
    ]
    names = ("system", "score", "rank_low", "rank_high", "tie_group")
    return {"lambdas": lambdas, "ranks": [{name: row[name] for name in names} for row in result["systems"][:200]]}


DISCRIMINATION = Measure("discrimination", 1.0, measure)
