"""What the labels ask for beyond shortcuts, which shortcuts there are, and which labels are doubtful."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.finding import MOST_IDS
from assay.audits.intervals import kappa
from assay.audits.section import Measure, Measured
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.information import Cue, ItemTexts, find_label_errors, measure_cue_contexts, measure_information, search_cues

QUICK_CONTROLS = ("mlp-30", "boosting")
NOT_IN_CHART = 30


def measure(case: Case) -> Measured:
    """Measure task-specific information on a sample, search the cues, and let a cross-validated model doubt labels."""
    wide = case.sample(case.classes, case.settings.most(30_000, 200_000))
    items = ItemTexts([side.to_list() for side in wide.sides])
    cues = find_cues(wide, items)
    sample = case.sample(case.classes, case.settings.most(6_000, 30_000))
    options: dict[str, Any] = {"controls": QUICK_CONTROLS} if case.settings.quick else {}
    corpora = items.corpora if sample is wide else None
    found = measure_information(sample, cues=cues, corpora=corpora, **options, **case.settings.work)
    result = found.to_dict()
    result["cues"] = with_context(wide, items, cues, case.settings.random_state)
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


def find_cues(data: Dataset, items: ItemTexts) -> list[Cue]:
    """Search the cheap features of all labelled rows, or of a large sample."""
    assert data.labels is not None
    names = data.label_names
    place = {name: code for code, name in enumerate(names)}
    codes = np.array([place[label] for label in data.labels.to_list()])
    return search_cues(items, codes, names)


def with_context(data: Dataset, items: ItemTexts, cues: list[Cue], random_state: int) -> list[dict[str, Any]]:
    """Add to content words that nearly always go with a label how well the rest of a text predicts them."""
    assert data.labels is not None
    texts = items.corpora[0] if items.n_sides == 1 else data.texts.to_list()
    contexts = measure_cue_contexts(cues, texts, data.labels.to_list(), random_state)
    return [
        {**cue.to_dict(), "context": None if context is None else context.to_dict()}
        for cue, context in zip(cues, contexts, strict=True)
    ]


def doubtful(case: Case) -> tuple[dict[str, Any], pl.DataFrame | None]:
    """Find doubtful labels from the out-of-fold predictions; a reason where there are none."""
    try:
        held_out = case.held_out
    except AssayError as error:
        return {"reason": str(error)}, None
    probabilities, codes, ids = held_out.average_probabilities(), held_out.codes, held_out.data.ids
    errors = find_label_errors(probabilities, codes, kappa(probabilities.argmax(axis=1), codes))
    told = {
        "share": errors.share.to_dict(),
        "count": errors.count,
        "n": errors.n,
        "n_trusted": errors.n_trusted,
        "where_surest": errors.random_errors.to_dict(),
        "kappa": errors.agreement.to_dict(),
        "ids": ids.gather(errors.rows[:MOST_IDS]).to_list(),
    }
    names = [held_out.label_names[code] if code >= 0 else None for code in errors.suggested.tolist()]
    labels = pl.Series(names, dtype=pl.String)
    return told, pl.DataFrame({"id": ids, "suspected_label": labels, "label_doubt": errors.doubt})


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
