"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.audits.case import Case
from assay.audits.context import foretold
from assay.audits.doubts import doubtful
from assay.audits.function_words import is_function_word
from assay.audits.section import Measure, Measured
from assay.data import Dataset
from assay.information import search_cues
from assay.information.dataset_information import dataset_information

QUICK_CONTROLS = ("mlp-30", "boosting")
NOT_IN_CHART = 30
NEARLY_ALWAYS = 0.9
MOST_CONTEXTS = 50


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
