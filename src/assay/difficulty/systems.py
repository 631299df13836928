"""Systems side by side on obvious and non-obvious items, with a random guesser (paper 002, Tables 6–8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.difficulty.positive import positives
from assay.difficulty.rates import CaseRates, case_rates, guesser_rates
from assay.statistics import Interval, wilson

GUESSER = "(random guesser)"


@dataclass(frozen=True)
class SystemOnCases(Result):
    """The rates of one system on the items it answered, and how many it did not; MAP where items are ranked."""

    system: str
    rates: CaseRates
    n_items: int
    n_missing: int
    MAP: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the rates beside the name, as one flat row."""
        rates = self.rates.to_dict()
        counts = {"n_items": self.n_items, "n_missing": self.n_missing}
        return {"system": self.system, **rates, "MAP": super().to_dict()["MAP"], **counts}


@dataclass(frozen=True)
class SystemOnTexts(Result):
    """Accuracy on the texts whose nearest training text has the same label (o), another one (n), and on all."""

    system: str
    accuracy_o: float
    accuracy_n: float
    accuracy: float
    intervals: dict[str, Interval]
    n_items: int
    n_missing: int


def systems_on_cases(
    cases: Sequence[str] | NDArray[np.str_],
    gold: Sequence[Any],
    predicted: Mapping[str, Sequence[Any]],
    *,
    positive: str | None = None,
    positive_from: float | None = None,
    average_precisions: Mapping[str, float] | None = None,
) -> list[SystemOnCases]:
    """Score each system's labels on the cases; items it did not answer (None) are left out of its rates and counted.

    >>> [row.rates.F1 for row in systems_on_cases(["Po", "No"], ["1", "0"], {"x": ["1", None]}, positive="1")]
    [1.0, 0.5]
    """
    names, truth = np.asarray(cases), positives(gold, positive, positive_from)
    ranked = average_precisions or {}
    rows = []
    for system, labels in predicted.items():
        answered = np.array([label is not None for label in labels], dtype=bool)
        guess = positives(labels, positive, positive_from)
        rates = case_rates(names[answered], truth[answered], guess[answered])
        missing = int((~answered).sum())
        rows.append(SystemOnCases(system, rates, int(answered.sum()), missing, ranked.get(system)))
    rows.append(SystemOnCases(GUESSER, guesser_rates(names, truth), len(names), 0, ranked.get(GUESSER)))
    return rows


def systems_on_texts(
    cases: Sequence[str] | NDArray[np.str_], gold: Sequence[Any], predicted: Mapping[str, Sequence[Any]]
) -> list[SystemOnTexts]:
    """Give each system's accuracy on the obvious ('o') and non-obvious ('n') texts, and of guessing a label at random.

    >>> systems_on_texts(["o", "n"], ["a", "b"], {"x": ["a", "a"]})[0].accuracy_n
    0.0
    """
    names, truth = np.asarray(cases), np.array(list(gold), dtype=object)
    rows = []
    for system, labels in predicted.items():
        guess = np.array(list(labels), dtype=object)
        answered = np.array([label is not None for label in guess], dtype=bool)
        rows.append(
            _on_texts(system, names[answered], (guess == truth)[answered].astype(float), int((~answered).sum()))
        )
    chance = np.full(len(names), 1 / max(1, len(set(truth.tolist()))))
    return [*rows, _on_texts(GUESSER, names, chance, 0)]


def _on_texts(system: str, names: NDArray[np.str_], right: NDArray[np.float64], n_missing: int) -> SystemOnTexts:
    shares = {}
    for name, kept in (("accuracy_o", names == "o"), ("accuracy_n", names == "n"), ("accuracy", names == names)):
        shares[name] = wilson(float(right[kept].sum()), int(kept.sum()))
    values = {name: interval.value for name, interval in shares.items()}
    return SystemOnTexts(system, **values, intervals=shares, n_items=len(right), n_missing=n_missing)
