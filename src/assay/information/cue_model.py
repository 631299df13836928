"""A model of the cues that were found, which tells how many items they solve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.hold_out import PartRows
from assay.information.control import smoothed_shares, spread
from assay.information.cue_features import CueTable, cue_tables, numeric_features
from assay.information.cues import Cue, search_cues
from assay.information.stacking import stack, stacked

Array = NDArray[np.float64]
MOST_CUES = 20


def cue_probabilities(
    sides: Sequence[Any], codes: NDArray[np.int64], names: Sequence[str], plan: list[PartRows]
) -> Array:
    """Predict the held-out rows of every round from at most twenty cues that its training rows show.

    Where no cue is found, the label shares stand.
    """
    tables = list(cue_tables(sides, least=10))
    numbers = numeric_features(sides)
    return np.concatenate([round_probabilities(sides, codes, names, round_, tables, numbers) for round_ in plan])


def round_probabilities(
    sides: Sequence[Any],
    codes: NDArray[np.int64],
    names: Sequence[str],
    plan: PartRows,
    tables: list[CueTable],
    numbers: dict[str, Array],
) -> Array:
    """Find cues on the training rows, fit them, calibrate on the development rows, predict the held-out ones."""
    from sklearn.linear_model import LogisticRegression

    train_sides = [[side[row] for row in plan.train] for side in sides]
    cues = search_cues(train_sides, codes[plan.train], names, most=MOST_CUES)
    columns = cue_columns(cues, tables, numbers)
    shares = smoothed_shares(codes[plan.train], len(names))
    if columns is None or len(np.unique(codes[plan.train])) < 2:
        return np.tile(shares, (len(plan.test), 1))
    model = LogisticRegression(max_iter=500).fit(columns[plan.train], codes[plan.train])
    dev, test = (
        spread(model.predict_proba(columns[rows]), model.classes_, len(names)) for rows in (plan.dev, plan.test)
    )
    weights, _ = stack(dev, np.tile(shares, (len(dev), 1)), codes[plan.dev])
    return stacked(weights, test, np.tile(shares, (len(test), 1)))


def cue_columns(cues: list[Cue], tables: list[CueTable], numbers: dict[str, Array]) -> Array | None:
    """Lay out which items have which cue; numbers are standardised."""
    places = {(table.kind, word): (table, column) for table in tables for column, word in enumerate(table.words)}
    found = []
    for cue in cues:
        if cue.kind == "number":
            values = numbers[cue.token]
            found.append((values - values.mean()) / (values.std() or 1.0))
        elif (cue.kind, cue.token) in places:
            table, column = places[cue.kind, cue.token]
            found.append(np.asarray(table.matrix[:, [column]].todense()).ravel())
    return np.column_stack(found) if found else None
