"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.context import foretold
from assay.audits.finding import MOST_IDS
from assay.audits.function_words import is_function_word
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
NEARLY_ALWAYS = 0.9
MOST_CONTEXTS = 20
RIGHT = 0.9  # labels are doubted where the model is right so often


def measure(case: Case) -> Measured:
    """Measure task-specific information on a sample, search the cues, and let a cross-validated model doubt labels."""
    sample = case.sample(case.classes, case.settings.most(6_000, 30_000))
    options: dict[str, Any] = {"controls": QUICK_CONTROLS} if case.settings.quick else {}
    found = dataset_information(sample, **options, **case.settings.work)
    wide = case.sample(case.classes, case.settings.most(30_000, 200_000))
    result = found.to_dict()
    result["cues"] = with_context(wide, cues(wide), case.settings.random_state)
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


def with_context(data: Dataset, found: list[dict[str, Any]], random_state: int) -> list[dict[str, Any]]:
    """Add to content words that nearly always go with a label how well the rest of a text foretells them."""
    assert data.labels is not None
    told: list[dict[str, Any]] = []
    for cue in found:
        asked = cue["kind"] != "number" and cue["precision"] >= NEARLY_ALWAYS and not is_function_word(cue["token"])
        if asked and len([one for one in told if one["context"]]) < MOST_CONTEXTS:
            texts = data.texts.filter(data.labels == cue["label"]).to_list()
            told.append({**cue, "context": foretold(texts, set(cue["token"].split()), random_state).to_dict()})
        else:
            told.append({**cue, "context": None})
    return told


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
    sure = trusted(probabilities, found.codes)
    suspected[~sure] = -1
    agreement = kappa(probabilities.argmax(axis=1), found.codes)
    rows = np.flatnonzero(suspected >= 0)
    margin = probabilities[rows, suspected[rows]] - probabilities[rows, found.codes[rows]]
    surest = rows[np.argsort(-margin, kind="stable")][:MOST_IDS]
    share = wilson(len(rows), len(suspected))
    told = {
        "share": share.to_dict(),
        "count": len(rows),
        "n": len(suspected),
        "n_trusted": int(sure.sum()),
        "kappa": agreement.to_dict(),
        "ids": found.data.ids.gather(surest).to_list(),
    }
    names = [found.names[code] if code >= 0 else None for code in suspected.tolist()]
    return told, pl.DataFrame({"id": found.data.ids, "suspected_label": pl.Series(names, dtype=pl.String)})


def trusted(probabilities: Array, codes: Array) -> Array:
    """Mark the items on which the model is so confident that it is right nine times in ten.

    A weak model errs often and knows little: its doubts would only tell its own errors.

    >>> trusted(np.array([[0.9, 0.1], [0.8, 0.2], [0.55, 0.45], [0.51, 0.49]]), np.array([0, 0, 1, 1])).tolist()
    [True, True, False, False]
    """
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    order = np.argsort(-confidence, kind="stable")
    share = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(share >= RIGHT)
    limit = confidence[order[good[-1]]] if len(good) else np.inf
    return np.asarray(confidence >= limit)


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
