"""Rates of a system on obvious and non-obvious items (Peinelt et al. 2019, Tables 6–8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.marks import OWN
from assay.difficulty.pairs.cases import CASES
from assay.statistics import Interval, wilson
from assay.views.results import Result


@dataclass(frozen=True)
class CaseRates(Result):
    """Rates of a system in each case, F1 of the obvious (o) and non-obvious (n) items, and F1 of all.

    `right` of the `counts` items of a case are predicted correctly; `intervals` are Wilson's, 95%, of the four rates.
    """

    TPR_o: float
    TPR_n: float
    TNR_o: float
    TNR_n: float
    F1_o: float
    F1_n: float
    F1: float
    counts: dict[str, int] = field(repr=False, metadata=OWN)
    right: dict[str, float] = field(repr=False, metadata=OWN)
    intervals: dict[str, Interval] = field(repr=False, metadata=OWN)


def compute_case_rates(
    cases: Sequence[str] | NDArray[np.str_],
    gold: Sequence[bool] | NDArray[np.bool_],
    predicted: Sequence[bool] | NDArray[np.bool_],
) -> CaseRates:
    """Score predictions (True = positive) on each case; nan if a case is empty or F1 has nothing to find.

    F1 of all counts every item, also those without a case (''); nothing is rounded on the way.

    >>> rates = compute_case_rates(["Po", "Pn", "No", "Nn"], [True, True, False, False], [True, False, False, True])
    >>> rates.TPR_o, rates.TPR_n, rates.F1_o, rates.F1_n, rates.F1
    (1.0, 0.0, 1.0, 0.0, 0.5)
    """
    names, truth, guess = np.asarray(cases), _to_flags(gold, "gold"), _to_flags(predicted, "predicted")
    if not len(names) == len(truth) == len(guess):
        raise AssayError(f"Lengths differ: {len(names)} cases, {len(truth)} gold labels and {len(guess)} predictions.")
    counts = {case: int((names == case).sum()) for case in CASES}
    right = {case: float(((names == case) & (truth == guess)).sum()) for case in CASES}
    outside = ~np.isin(names, CASES)
    rest = [int((outside & (truth == t) & (guess == g)).sum()) for t, g in [(True, True), (False, True), (True, False)]]
    return _collect_rates(counts, right, rest)


def compute_chance_rates(
    cases: Sequence[str] | NDArray[np.str_], gold: Sequence[bool] | NDArray[np.bool_]
) -> CaseRates:
    """Return the rates of calling half of the items positive at random, by the expected counts.

    >>> compute_chance_rates(["Po", "Pn", "No", "Nn"], [True, True, False, False]).F1
    0.5
    """
    names, truth = np.asarray(cases), _to_flags(gold, "gold")
    counts = {case: int((names == case).sum()) for case in CASES}
    outside = ~np.isin(names, CASES)
    positive, negative = int((outside & truth).sum()), int((outside & ~truth).sum())
    return _collect_rates(
        counts, {case: n / 2 for case, n in counts.items()}, [positive / 2, negative / 2, positive / 2]
    )


def compute_f1(true_positive: float, false_positive: float, false_negative: float) -> float:
    """Return 2 TP / (2 TP + FP + FN), nan if nothing is positive, neither gold nor predicted.

    >>> compute_f1(6, 2, 4), compute_f1(0, 0, 0)
    (0.6666666666666666, nan)
    """
    total = 2 * true_positive + false_positive + false_negative
    return 2 * true_positive / total if total else float("nan")


def _collect_rates(counts: dict[str, int], right: dict[str, float], rest: Sequence[float]) -> CaseRates:
    wrong = {case: counts[case] - right[case] for case in CASES}
    shares = {case: wilson(right[case], counts[case]) for case in CASES}
    totals = (
        right["Po"] + right["Pn"] + rest[0],
        wrong["No"] + wrong["Nn"] + rest[1],
        wrong["Po"] + wrong["Pn"] + rest[2],
    )
    rates = {"TPR_o": shares["Po"], "TPR_n": shares["Pn"], "TNR_o": shares["No"], "TNR_n": shares["Nn"]}
    return CaseRates(
        **{name: interval.value for name, interval in rates.items()},
        F1_o=compute_f1(right["Po"], wrong["No"], wrong["Po"]),
        F1_n=compute_f1(right["Pn"], wrong["Nn"], wrong["Pn"]),
        F1=compute_f1(*totals),
        counts=counts,
        right=right,
        intervals=rates,
    )


def _to_flags(values: Any, name: str) -> NDArray[np.bool_]:
    array = np.asarray(values)
    if array.dtype != bool and not np.isin(array, (0, 1)).all():
        raise AssayError(f"The {name} labels must be True (positive) or False: compare them with the positive label.")
    return array.astype(bool)
