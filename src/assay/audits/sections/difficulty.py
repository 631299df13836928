"""Which items are hard, and how systems do on those whose words do not give the answer away."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.audits.case import Case
from assay.audits.section import Measure, Measured
from assay.base.arrays import Array
from assay.data import Dataset
from assay.difficulty import (
    PairDifficulty,
    TextDifficulty,
    jensen_shannon,
    pair_difficulty,
    text_difficulty,
    usual_positive,
)
from assay.kinds import kind_of
from assay.statistics import wilson

MOST_SHOWN = 12


def measure(case: Case) -> Measured:
    """Measure the divergence of pairs, or how near single texts lie to training texts of another label."""
    data = case.data.fill_texts()
    if kind_of(data).is_paired(data):
        seed, positive = case.settings.random_state, nearer_label(data)
        found: PairDifficulty | TextDifficulty = pair_difficulty(data, positive=positive, random_state=seed)
    else:
        data = case.sample(data, case.settings.most(20_000, 100_000))
        found = text_difficulty(data, random_state=case.settings.random_state)
    kinds = case_kinds(found)
    systems = [] if case.predictions is None else on_kinds(case, data, kinds)
    result = {**found.to_dict(), "n_measured": len(data), "on_cases": systems}
    result["charts"] = {"divergence_histogram": bins(found), "systems": systems}
    return Measured(result, items(data, found, kinds))


def nearer_label(data: Dataset) -> str | None:
    """Return the label to take as positive where there are two and neither bears a usual name, else None.

    It is the one whose pairs share more words, as pairs that mean the same do; so chosen, half of the pairs or more are
    obvious.
    """
    names = data.label_names
    if len(names) != 2 or usual_positive(names) is not None or data.labels is None:
        return None
    divergence = jensen_shannon(data.sides[0].to_list(), data.sides[1].to_list())
    mine = [divergence[(data.labels == name).fill_null(value=False).to_numpy()] for name in names]
    means = [float(np.mean(known)) if len(known := values[~np.isnan(values)]) else 2.0 for values in mine]
    return names[int(np.argmin(means))]


def case_kinds(found: PairDifficulty | TextDifficulty) -> Array:
    """Return obvious, non-obvious or "" for every item."""
    if isinstance(found, PairDifficulty):
        names = np.full(found.n_items, "") if found.cases is None else found.cases.cases
        return np.array([{"o": "obvious", "n": "non-obvious"}.get(str(name)[1:], "") for name in names], dtype=object)
    return np.array([{"o": "obvious", "n": "non-obvious"}.get(str(name), "") for name in found.cases], dtype=object)


def on_kinds(case: Case, data: Dataset, kinds: Array) -> list[dict[str, Any]]:
    """Return each system's accuracy on obvious and on non-obvious items, with Wilson's intervals."""
    assert case.predictions is not None
    kind_of_id = dict(zip(data.ids.to_list(), kinds.tolist(), strict=True))
    mine = np.array([kind_of_id.get(str(name), "") for name in case.predictions.ids], dtype=object)
    rows = []
    for system, outcome in zip(case.predictions.names, case.predictions.outcomes(), strict=True):
        for kind in ("obvious", "non-obvious"):
            here = outcome[(mine == kind) & np.isfinite(outcome)]
            if not len(here) or not np.isin(here, (0.0, 1.0)).all():
                continue
            share = wilson(float(here.sum()), len(here))
            row = {"system": system, "case_group": kind, "accuracy": share.value, "low": share.low, "high": share.high}
            rows.append({**row, "n": len(here)})
    return rows


def bins(found: PairDifficulty | TextDifficulty) -> list[dict[str, Any]]:
    """Return the histogram of divergence, by label where there are few."""
    spreads = found.distribution_by_label or {"": found.distribution}
    rows = []
    for label, spread in list(spreads.items())[:MOST_SHOWN]:
        ends = zip(spread.edges[:-1], spread.edges[1:], spread.histogram, strict=True)
        rows += [{"label": label, "low": low, "high": high, "count": count} for low, high, count in ends]
    return rows


def items(data: Dataset, found: PairDifficulty | TextDifficulty, kinds: Array) -> pl.DataFrame:
    """Return divergence and case of every item, or the distance to the nearest training text."""
    cases = pl.Series(kinds.tolist(), dtype=pl.String).replace({"": None})
    if isinstance(found, PairDifficulty):
        return pl.DataFrame({"id": data.ids, "divergence": found.divergence, "case": cases})
    near = np.fmin(found.neighbours.same, found.neighbours.other)
    columns = {"divergence": found.neighbours.difficulty, "nearest_distance": near, "case": cases}
    return pl.DataFrame({"id": data.ids, **columns}).with_columns(pl.col(pl.Float64).fill_nan(None))


DIFFICULTY = Measure("difficulty", 1.0, measure)
