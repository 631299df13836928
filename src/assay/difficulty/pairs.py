"""The difficulty of a dataset of pairs: divergence, cases, distributions, and what annotators say (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.results import Result
from assay.data.columns.grades import is_number
from assay.difficulty import measures
from assay.difficulty.agreement import CaseAgreement, agreement_by_case, ratings_of, seconds_of, time_by_case
from assay.difficulty.cases import (
    Obviousness,
    PartCases,
    median,
    named_threshold,
    obviousness,
    obviousness_by_label,
)
from assay.difficulty.distribution import Distribution, distribution, distributions
from assay.difficulty.positive import usual_positive
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.text.tokenizers import Tokenizer


@dataclass(frozen=True)
class PairDifficulty(Result):
    """How much the shared words of pairs give away; cases are None where labels are missing or cannot be cut in two.

    `one_vs_rest` holds the cases of each label where there are more than two; `cases` those of the positive one.
    """

    obvious_share: float
    low: float
    high: float
    counts: dict[str, int] | None
    measure: str
    tokenizer: str
    threshold: str | float
    median: float
    positive: str | None
    n_items: int
    n_undefined: int
    by_part: dict[str, PartCases]
    one_vs_rest: dict[str, Obviousness]
    distribution: Distribution
    distribution_by_label: dict[str, Distribution]
    distribution_by_part: dict[str, Distribution]
    agreement: CaseAgreement | None
    annotation_time: CaseAgreement | None
    notes: tuple[str, ...]
    divergence: NDArray[np.float64] = field(repr=False, compare=False)
    cases: Obviousness | None = field(repr=False, compare=False)
    ids: pl.Series = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the values of single items, which `items` holds."""
        told = super().to_dict()
        for name in ("divergence", "cases", "ids"):
            del told[name]
        for result in told["one_vs_rest"].values():
            del result["cases"]
        return told

    def items(self) -> pl.DataFrame:
        """Return one row an item: id, divergence (or similarity), case; one case column a label for several labels."""
        name = "similarity" if self.measure in measures.SIMILARITIES else "divergence"
        cases = {} if self.cases is None else {"case": self.cases.cases}
        several = {f"case:{label}": result.cases for label, result in self.one_vs_rest.items()}
        return pl.DataFrame({"id": self.ids, name: self.divergence, **cases, **several})


def pair_difficulty(
    data: Dataset,
    *,
    measure: str = "jensen-shannon",
    tokenizer: str | Tokenizer = "words",
    threshold: str | float = "dataset",
    positive: str | None = None,
    positive_from: float | None = None,
    n_permutations: int = 10_000,
    random_state: int = 0,
) -> PairDifficulty:
    """Measure every pair of a dataset and sort its items into cases, as far as its labels allow."""
    threshold = named_threshold(threshold)
    values = measures.MEASURES[measure](data.sides[0], data.sides[1], tokenizer=tokenizer)
    settings = {
        "threshold": threshold,
        "parts": None if data.parts is None else data.parts.to_list(),
        "similarity": measure in measures.SIMILARITIES,
    }
    chosen, several, notes = _sorted_out(data, values, positive, positive_from, settings)
    agreement, seconds = _annotations(data, chosen, n_permutations, random_state)
    names, nothing = data.label_names, float("nan")
    return PairDifficulty(
        obvious_share=nothing if chosen is None else chosen.obvious_share,
        low=nothing if chosen is None else chosen.low,
        high=nothing if chosen is None else chosen.high,
        counts=None if chosen is None else chosen.counts,
        measure=measure,
        tokenizer=tokenizer if isinstance(tokenizer, str) else getattr(tokenizer, "__name__", "own"),
        threshold=threshold,
        median=median(values),
        positive=None if chosen is None else chosen.positive,
        n_items=len(values),
        n_undefined=int(np.isnan(values).sum()),
        by_part={} if chosen is None else chosen.by_part,
        one_vs_rest=several,
        distribution=distribution(values),
        distribution_by_label={} if not names or kind_of(data).has_grades else distributions(values, _labels(data)),
        distribution_by_part={} if data.parts is None else distributions(values, data.parts.to_list()),
        agreement=agreement,
        annotation_time=seconds,
        notes=tuple(notes),
        divergence=values,
        cases=chosen,
        ids=data.ids,
    )


def _sorted_out(
    data: Dataset,
    values: NDArray[np.float64],
    positive: str | None,
    positive_from: float | None,
    settings: dict[str, Any],
) -> tuple[Obviousness | None, dict[str, Obviousness], list[str]]:
    """Return the cases of the positive label, those of each label if there are several, and what was decided."""
    names, labels = data.label_names, _labels(data)
    if positive is not None or positive_from is not None:
        return obviousness(values, labels, positive=positive, positive_from=positive_from, **settings), {}, []
    if len(names) < 2:
        told = f"all labels are '{names[0]}'" if names else "no item has a label"
        return None, {}, [f"No cases, as {told}; name the positive label with --positive."]
    if len(names) == 2:
        result = obviousness(values, labels, **settings)
        return result, {}, [f"Positive label: '{result.positive}' (change it with --positive)."]
    if kind_of(data).has_grades:
        return None, {}, [f"No cases, as {len(names)} different numbers are grades; cut them with --positive-from."]
    several = obviousness_by_label(values, labels, **settings)
    usual = usual_positive([name for name in names if not is_number(name)])
    told = f"; '{usual}' is taken as the positive one" if usual else ""
    return several.get(usual or ""), several, [f"{len(names)} labels: cases of each against the others{told}."]


def _labels(data: Dataset) -> list[Any]:
    return [None] * len(data) if data.labels is None else data.labels.to_list()


def _annotations(
    data: Dataset, chosen: Obviousness | None, n_permutations: int, random_state: int
) -> tuple[CaseAgreement | None, CaseAgreement | None]:
    """Compare agreement and time in the cases, where the data has columns `annotator:<name>`, `seconds:<name>`."""
    columns: dict[str, dict[str, Any]] = {"annotator:": {}, "seconds:": {}}
    for name in data.frame.columns:
        for start, found in columns.items():
            if name.startswith(start):
                found[name] = data.frame[name]
    settings = {"n_permutations": n_permutations, "random_state": random_state}
    agreement = time = None
    if chosen is not None and len(columns["annotator:"]) > 1:
        agreement = agreement_by_case(chosen.cases, ratings_of(columns["annotator:"]), **settings)
    if chosen is not None and columns["seconds:"]:
        time = time_by_case(chosen.cases, seconds_of(columns["seconds:"]), **settings)
    return agreement, time
