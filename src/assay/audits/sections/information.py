"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.finding import MOST_IDS
from assay.audits.intervals import kappa
from assay.audits.section import Measure, Measured
from assay.data import Dataset
from assay.errors import AssayError
from assay.information import search_cues
from assay.information.control import smoothed_shares
from assay.information.dataset_information import dataset_information
from assay.information.items import suspected_errors
from assay.statistics import wilson

Array = np.ndarray[Any, Any]
QUICK_CONTROLS = ("mlp-30", "boosting")
NOT_IN_CHART = 30


def measure(case: Case) -> Measured:
    """Measure task-specific information on a sample, search the cues, and let a cross-validated model doubt labels."""
    sample = case.sample(case.classes, case.settings.most(6_000, 30_000))
    options: dict[str, Any] = {"controls": QUICK_CONTROLS} if case.settings.quick else {}
    found = dataset_information(sample, **options, **case.settings.work)
    wide = case.sample(case.classes, case.settings.most(30_000, 200_000))
    result = found.to_dict()
    result["cues"] = cues(wide)
    result["n_searched"] = len(wide)
    result["label_shares"] = label_shares(wide)
    doubts, doubted = doubtful(case)
    result["labels"] = doubts
    result["charts"] = charts(result)
    rows = found.items.select("row", pvi="information", shortcut_solvable="shortcut_solvable")
    table = rows.with_columns(id=sample.ids.gather(rows["row"])).drop("row")
    if doubted is not None:
        table = table.join(doubted, on="id", how="full", coalesce=True)
    return Measured(result, table)


def cues(data: Dataset) -> list[dict[str, Any]]:
    """Search the cheap features of all labelled rows, or of a large sample."""
    assert data.labels is not None
    names = data.label_names
    place = {name: code for code, name in enumerate(names)}
    codes = np.array([place[label] for label in data.labels.to_list()])
    return [cue.to_dict() for cue in search_cues([side.to_list() for side in data.sides], codes, names)]


def label_shares(data: Dataset) -> dict[str, float]:
    """Return the share of each label."""
    assert data.labels is not None
    counts = dict(data.labels.value_counts().iter_rows())
    return {name: counts[name] / len(data) for name in data.label_names}


def doubtful(case: Case) -> tuple[dict[str, Any] | None, pl.DataFrame | None]:
    """Doubt labels by confident learning on cross-validated predictions; say how well these predict at all."""
    try:
        found = case.held_out
    except AssayError as error:
        return {"reason": str(error)}, None
    probabilities = found.probabilities()
    null = -np.log(smoothed_shares(found.codes, len(found.names)))[found.codes]
    safe = np.maximum(probabilities, 1e-6)
    suspected = suspected_errors(safe / safe.sum(axis=1, keepdims=True), found.codes, null)
    agreement = kappa(probabilities.argmax(axis=1), found.codes)
    rows = np.flatnonzero(suspected >= 0)
    margin = probabilities[rows, suspected[rows]] - probabilities[rows, found.codes[rows]]
    surest = rows[np.argsort(-margin, kind="stable")][:MOST_IDS]
    share = wilson(len(rows), len(suspected))
    told = {
        "share": share.to_dict(),
        "count": len(rows),
        "n": len(suspected),
        "kappa": agreement.to_dict(),
        "ids": found.data.ids.gather(surest).to_list(),
    }
    names = [found.names[code] if code >= 0 else None for code in suspected.tolist()]
    return told, pl.DataFrame({"id": found.data.ids, "suspected_label": pl.Series(names, dtype=pl.String)})


def charts(result: dict[str, Any]) -> dict[str, Any]:
    """Return the points of the charts."""
    names = ("token", "kind", "label", "precision", "coverage", "p")
    return {
        "tsi": [
            {"shortcuts": one["shortcuts"], "tsi": one["tsi"], "low": one["tsi_low"], "high": one["tsi_high"]}
            for one in result["control"]
        ],
        "entropy": result["entropy"],
        "cues": [{name: cue[name] for name in names} for cue in result["cues"][:NOT_IN_CHART]],
        "baselines": [{name: one[name] for name in ("name", "accuracy", "low", "high")} for one in result["baselines"]],
    }


INFORMATION = Measure("information", 5.0, measure)
