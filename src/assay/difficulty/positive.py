"""Which items are positive: by a label the user names, from a grade on, or by a usual name of the positive class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.base.errors import AssayError, UsageError, join_names
from assay.data.columns.spellings import adopt_spellings

USUAL_NAMES = {"1", "1.0", "true", "yes", "y", "positive", "pos", "duplicate", "paraphrase", "entailment"}
USUAL_NAMES |= {"similar", "same", "equivalent", "match", "relevant", "good"}


@dataclass(frozen=True)
class Polarity:
    """Which items are positive, which have a label at all, and how that was decided."""

    positive: NDArray[np.bool_]
    labelled: NDArray[np.bool_]
    name: str


def polarity(labels: Values, positive: str | None = None, positive_from: float | None = None) -> Polarity:
    """Decide which labels are positive.

    A label is missing if it is None or nan. `positive_from` turns grades into two classes; `positive` names a label
    and makes all others negative; without either, one of two labels must have a usual name of the positive class.

    >>> polarity(["yes", "no", None]).positive.tolist(), polarity([4.2, 3, 5], positive_from=4).name
    ([True, False, False], '>= 4')
    """
    if positive is not None and positive_from is not None:
        raise UsageError("Positive items are named in two ways.", hint="Give {positive} or {positive_from}, not both.")
    names = [None if _is_missing(label) else str(label) for label in labels]
    labelled = np.array([name is not None for name in names], dtype=bool)
    if positive_from is not None:
        return Polarity(_parse_grades(names) >= positive_from, labelled, f">= {positive_from:g}")
    chosen = _choose_positive(
        sorted({name for name in names if name is not None}), None if positive is None else str(positive)
    )
    return Polarity(np.array([name == chosen for name in names], dtype=bool), labelled, chosen)


def positives(labels: Values, positive: str | None, positive_from: float | None = None) -> NDArray[np.bool_]:
    """Find which labels, gold or predicted, are positive; missing ones are not.

    >>> positives(["1", None, "0"], "1").tolist(), positives(["4.5", "2"], None, positive_from=4).tolist()
    ([True, False, False], [True, False])
    """
    names = [None if _is_missing(label) else str(label) for label in labels]
    if positive_from is not None:
        return np.asarray(_parse_grades(names) >= positive_from)
    return np.array([name is not None and name == positive for name in names], dtype=bool)


def usual_positive(names: Sequence[str]) -> str | None:
    """Return the one label that has a usual name of the positive class, or None.

    >>> usual_positive(["not_entailment", "entailment"]), usual_positive(["left", "right"])
    ('entailment', None)
    """
    usual = [name for name in names if name.strip().lower() in USUAL_NAMES]
    return usual[0] if len(usual) == 1 else None


def _choose_positive(names: Sequence[str], positive: str | None) -> str:
    if positive is not None:
        if not names:
            raise AssayError("No item has a label.", hint="Name the column with {label}.")
        positive = adopt_spellings([positive], names).get(positive, positive)
        if positive not in names:
            raise AssayError(f"No item has the label '{positive}'. Labels: {join_names(names)}.")
        return positive
    if len(names) > 2:
        raise UsageError(
            f"There are {len(names)} labels: {join_names(names)}.",
            hint="Name the positive one with {positive}, or for grades the lowest positive one with {positive_from}.",
        )
    usual = usual_positive(names)
    if usual is None:
        raise UsageError(
            f"Which label is positive: {' or '.join(names) or 'no item has one'}?", hint="Name it with {positive}."
        )
    return usual


def _parse_grades(names: Sequence[str | None]) -> NDArray[np.float64]:
    grades = np.full(len(names), np.nan)
    for place, name in enumerate(names):
        if name is not None:
            grades[place] = _parse_grade(name)
    return grades


def _parse_grade(name: str) -> float:
    try:
        return float(name)
    except ValueError:
        raise AssayError(
            f"needs labels that are numbers, and '{name}' is not a number", option="positive_from"
        ) from None


def _is_missing(label: object) -> bool:
    return label is None or (isinstance(label, float) and np.isnan(label))
