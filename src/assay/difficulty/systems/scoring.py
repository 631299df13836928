"""Systems on obvious and non-obvious items, next to random guessing (Peinelt et al. 2019, Tables 6–8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.difficulty.positive import positives
from assay.difficulty.systems.rates import CaseRates, compute_case_rates, compute_chance_rates
from assay.statistics import Interval, wilson
from assay.views.results import Result

CHANCE_SYSTEM = "(random guesser)"
CASE_NAMES = {"o": "obvious", "n": "non-obvious"}


@dataclass(frozen=True)
class SystemOnCases(CaseRates):
    """The rates of one system on the items it answered, and how many it did not; MAP if items are ranked."""

    system: str = field(metadata=NAME)
    n_items: int
    n_missing: int
    MAP: float | None = None

    def to_dict(self) -> Options:
        """Return the values with the system first."""
        return {"system": self.system, **super().to_dict()}


@dataclass(frozen=True)
class SystemOnTexts(Result):
    """Accuracy on the texts whose nearest training text has the same label (o), another one (n), and on all."""

    system: str = field(metadata=NAME)
    accuracy_o: float
    accuracy_n: float
    accuracy: float
    intervals: dict[str, Interval] = field(metadata=OWN)
    n_items: int
    n_missing: int


@dataclass(frozen=True)
class CaseAccuracy(Result):
    """The accuracy of a system on obvious or on non-obvious items, with Wilson's interval."""

    system: str = field(metadata=NAME)
    case: Literal["obvious", "non-obvious"]
    accuracy: Interval
    n: int


def score_outcomes(
    cases: Sequence[str] | NDArray[np.str_], outcomes: Mapping[str, NDArray[np.float64]]
) -> list[CaseAccuracy]:
    """Score outcomes (1 is right, 0 is wrong, nan is missing) on "obvious" and "non-obvious" items.

    Systems with outcomes between 0 and 1 are left out.

    >>> rows = score_outcomes(["obvious", "non-obvious"], {"x": np.array([1.0, 0.0])})
    >>> [(row.case, row.accuracy.value) for row in rows]
    [('obvious', 1.0), ('non-obvious', 0.0)]
    """
    names = np.asarray(cases, dtype=object)
    known: tuple[Literal["obvious", "non-obvious"], ...] = ("obvious", "non-obvious")
    rows = []
    for system, outcome in outcomes.items():
        for case in known:
            right = outcome[(names == case) & np.isfinite(outcome)]
            if len(right) and np.isin(right, (0.0, 1.0)).all():
                rows.append(CaseAccuracy(system, case, wilson(float(right.sum()), len(right)), len(right)))
    return rows


def score_on_cases(
    cases: Sequence[str] | NDArray[np.str_],
    gold: Values,
    predicted: Mapping[str, Values],
    *,
    positive: str | None = None,
    positive_from: float | None = None,
    average_precisions: Mapping[str, float] | None = None,
) -> list[SystemOnCases]:
    """Score each system's labels on the cases; items it did not answer (None) are left out of its rates and counted.

    >>> [row.F1 for row in score_on_cases(["Po", "No"], ["1", "0"], {"x": ["1", None]}, positive="1")]
    [1.0, 0.5]
    """
    names, truth = np.asarray(cases), positives(gold, positive, positive_from)
    precisions = average_precisions or {}
    rows = []
    for system, labels in predicted.items():
        answered = np.array([label is not None for label in labels], dtype=bool)
        guess = positives(labels, positive, positive_from)
        rates = compute_case_rates(names[answered], truth[answered], guess[answered])
        rows.append(_name_rates(rates, system, int(answered.sum()), int((~answered).sum()), precisions.get(system)))
    chance = compute_chance_rates(names, truth)
    return [*rows, _name_rates(chance, CHANCE_SYSTEM, len(names), 0, precisions.get(CHANCE_SYSTEM))]


def score_on_texts(
    cases: Sequence[str] | NDArray[np.str_], gold: Values, predicted: Mapping[str, Values]
) -> list[SystemOnTexts]:
    """Return each system's accuracy on the obvious ('o') and non-obvious ('n') texts, and that of random guessing.

    >>> score_on_texts(["o", "n"], ["a", "b"], {"x": ["a", "a"]})[0].accuracy_n
    0.0
    """
    names, truth = np.asarray(cases), np.array(list(gold), dtype=object)
    rows = []
    for system, labels in predicted.items():
        guess = np.array(list(labels), dtype=object)
        answered = np.array([label is not None for label in guess], dtype=bool)
        correct = (guess == truth)[answered].astype(float)
        rows.append(_score_texts(system, names[answered], correct, int((~answered).sum())))
    chance = np.full(len(names), 1 / max(1, len(set(truth.tolist()))))
    return [*rows, _score_texts(CHANCE_SYSTEM, names, chance, 0)]


def _name_rates(rates: CaseRates, system: str, n_items: int, n_missing: int, mean_precision: Any) -> SystemOnCases:
    values = {each.name: getattr(rates, each.name) for each in fields(rates)}
    return SystemOnCases(**values, system=system, n_items=n_items, n_missing=n_missing, MAP=mean_precision)


def _score_texts(system: str, names: NDArray[np.str_], correct: NDArray[np.float64], n_missing: int) -> SystemOnTexts:
    rows = {"accuracy_o": names == "o", "accuracy_n": names == "n", "accuracy": np.ones(len(names), dtype=bool)}
    shares = {name: wilson(float(correct[kept].sum()), int(kept.sum())) for name, kept in rows.items()}
    values = {name: interval.value for name, interval in shares.items()}
    return SystemOnTexts(system, **values, intervals=shares, n_items=len(correct), n_missing=n_missing)
