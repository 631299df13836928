"""Labels that a model which never saw them does not believe."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.benchmark import Benchmark as Case
from assay.audits.evidence.common import MAX_IDS as MOST_IDS
from assay.audits.intervals import kappa
from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.information.items import suspected_errors
from assay.statistics import Interval, wilson

RIGHT = 0.85  # labels are doubted where the model is right so often
AGREES = 0.1  # agreement beyond chance that a model surely needs to doubt anything
SUREST = (0.05, 0.1, 0.2, 0.4)
LEAST = 20


def doubtful(case: Case) -> tuple[dict[str, Any], pl.DataFrame | None]:
    """Doubt labels by confident learning on cross-validated predictions; say how well these predict at all.

    Of the doubted labels the surest are kept, as many as the bound on labels wrong at random allows.
    """
    try:
        found = case.held_out
    except AssayError as error:
        return {"reason": str(error)}, None
    probabilities = found.probabilities()
    agreement = kappa(probabilities.argmax(axis=1), found.codes)
    sure = trusted(probabilities, found.codes) & (agreement.low > AGREES)
    likelier = suspected_errors(probabilities, found.codes)
    doubt, bound = doubts(probabilities, found.codes), where_surest(probabilities, found.codes)
    rows = np.flatnonzero(sure & (likelier >= 0))
    rows = rows[np.argsort(-doubt[rows], kind="stable")][: int(bound.high * len(sure))]
    told = {
        "share": wilson(len(rows), len(sure)).to_dict(),
        "count": len(rows),
        "n": len(sure),
        "n_trusted": int(sure.sum()),
        "where_surest": bound.to_dict(),
        "kappa": agreement.to_dict(),
        "ids": found.data.ids.gather(rows[:MOST_IDS]).to_list(),
    }
    names = np.full(len(sure), None, dtype=object)
    names[rows] = np.array(found.names, dtype=object)[likelier[rows]]
    labels = pl.Series(names.tolist(), dtype=pl.String)
    return told, pl.DataFrame({"id": found.data.ids, "suspected_label": labels, "label_doubt": doubt})


def doubts(probabilities: Array, codes: Array) -> Array:
    """Return by how much the model prefers another label to the item's own, from -1 to 1.

    >>> doubts(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 0])).round(2).tolist()
    [-0.8, 0.6]
    """
    rows = np.arange(len(codes))
    others = probabilities.copy()
    others[rows, codes] = -1.0
    return np.asarray(others.max(axis=1) - probabilities[rows, codes])


def trusted(probabilities: Array, codes: Array) -> Array:
    """Mark the items on which the model is so confident that it is right 85 times in 100.

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


def where_surest(probabilities: Array, codes: Array) -> Interval:
    """Return the share of labels that differ where the model is surest; its upper end bounds those wrong at random.

    Over the surest 5, 10, 20 and 40 % of the items, the one with the least upper end, and the least lower end of all:
    the model's own errors fade as it grows sure, random errors of the labels do not. Wilson, Bonferroni over the four.
    """
    wrong = (probabilities.argmax(axis=1) != codes)[np.argsort(-probabilities.max(axis=1), kind="stable")]
    sizes = [round(share * len(wrong)) for share in SUREST if share * len(wrong) >= LEAST] or [len(wrong)]
    found = [wilson(int(wrong[:n].sum()), n, 1 - 0.05 / len(sizes)) for n in sizes]
    best = min(found, key=lambda one: one.high)
    return Interval(best.value, min(one.low for one in found), best.high, method="wilson-bonferroni")
