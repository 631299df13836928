"""A model of the cues alone, which shows how many items they solve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array
from assay.data.hold_out import PartRows
from assay.information.controls import smooth_shares, spread_over_labels
from assay.information.cues.features import CueFeatures
from assay.information.cues.search import NUMBER, Cue, search_cues
from assay.information.stacking import apply_stack, fit_stack

MAX_CUES = 20


def predict_with_cues(
    features: CueFeatures, codes: Array, label_names: Sequence[str], rounds: Sequence[PartRows]
) -> Array:
    """Predict the held-out rows of every round from at most twenty cues found on its training rows.

    Without a cue the prediction is the label shares of training.
    """
    return np.concatenate([_predict_round(features, codes, label_names, rows) for rows in rounds])


def _predict_round(features: CueFeatures, codes: Array, label_names: Sequence[str], rows: PartRows) -> Array:
    """Find cues on the training rows, fit them, calibrate on the development rows, predict the held-out ones."""
    from sklearn.linear_model import LogisticRegression

    cues = search_cues(features.take(rows.train), codes[rows.train], label_names, max_cues=MAX_CUES)
    columns = _select_columns(cues, features)
    shares = smooth_shares(codes[rows.train], len(label_names))
    if columns is None or len(np.unique(codes[rows.train])) < 2:
        return np.tile(shares, (len(rows.test), 1))
    model = LogisticRegression(max_iter=500).fit(columns[rows.train], codes[rows.train])
    dev, test = (
        spread_over_labels(model.predict_proba(columns[part]), model.classes_, len(label_names))
        for part in (rows.dev, rows.test)
    )
    weights, _ = fit_stack(dev, np.tile(shares, (len(dev), 1)), codes[rows.dev])
    return apply_stack(weights, test, np.tile(shares, (len(test), 1)))


def _select_columns(cues: list[Cue], features: CueFeatures) -> Array | None:
    """Return a matrix of which items have which cue; numbers are standardised."""
    columns_of = {
        (table.kind, word): (table, column) for table in features.tables for column, word in enumerate(table.words)
    }
    columns = []
    for cue in cues:
        if cue.kind == NUMBER:
            values = features.numbers[cue.token]
            columns.append((values - values.mean()) / (values.std() or 1.0))
        elif (cue.kind, cue.token) in columns_of:
            table, column = columns_of[cue.kind, cue.token]
            columns.append(np.asarray(table.matrix[:, [column]].todense()).ravel())
    return np.column_stack(columns) if columns else None
