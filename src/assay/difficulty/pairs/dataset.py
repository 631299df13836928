"""The difficulty of a dataset of pairs: divergence, cases, distributions and annotators (Peinelt et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data.columns.grades import is_number
from assay.difficulty.distributions import DifficultyDistribution, describe_by_name, describe_values
from assay.difficulty.pairs.annotators import (
    CaseComparison,
    compare_agreement,
    compare_time,
    read_ratings,
    read_seconds,
)
from assay.difficulty.pairs.cases import (
    PairCases,
    PartCases,
    assign_cases,
    assign_cases_by_label,
    median_of_defined,
    parse_threshold,
)
from assay.difficulty.pairs.measures import MEASURES, SIMILARITIES, jensen_shannon
from assay.difficulty.positive import usual_positive
from assay.difficulty.systems.scoring import CASE_NAMES, SystemOnCases
from assay.kinds import kind_of
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.text import Corpus
    from assay.text.tokenizers import Tokenizer
    from assay.views.blocks import Block

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class PairDifficulty(Result):
    """How much the shared words of pairs give away; `counts` is None if labels are missing or have no two classes.

    `one_vs_rest` holds the cases of each label if there are more than two; `cases` those of the positive one.
    """

    obvious_share: Interval
    counts: dict[str, int] | None = field(metadata=OWN)
    measure: str = field(metadata=OWN)
    tokenizer: str = field(metadata=OWN)
    threshold: str | float = field(metadata=OWN)
    median: float
    positive: str | None = field(metadata=NAME)
    n_items: int
    n_undefined: int
    by_part: dict[str, PartCases] = field(metadata=NAME)
    one_vs_rest: dict[str, PairCases] = field(metadata=NAME)
    distribution: DifficultyDistribution
    distribution_by_label: dict[str, DifficultyDistribution] = field(metadata=NAME)
    distribution_by_part: dict[str, DifficultyDistribution] = field(metadata=NAME)
    agreement: CaseComparison | None
    annotation_time: CaseComparison | None
    notes: tuple[str, ...] = field(metadata=NAME)
    systems: tuple[SystemOnCases, ...] = ()
    divergence: Numbers = field(
        default_factory=lambda: np.zeros(0), repr=False, compare=False, metadata={"json": False, **OWN}
    )
    cases: PairCases | None = field(default=None, repr=False, compare=False, metadata={"json": False, **OWN})
    ids: pl.Series = field(default_factory=pl.Series, repr=False, compare=False, metadata={"json": False, **NAME})

    def reorder(self, order: NDArray[np.int64]) -> PairDifficulty:
        """Return the result with the items in another order."""
        by_label = {label: cases.reorder(order) for label, cases in self.one_vs_rest.items()}
        cases = None if self.cases is None else self.cases.reorder(order)
        divergence, ids = self.divergence[order], self.ids.gather(order)
        return replace(self, divergence=divergence, ids=ids, cases=cases, one_vs_rest=by_label)

    @property
    def case_names(self) -> list[str]:
        """Return "obvious", "non-obvious" or "" (no case) for every item."""
        codes = [""] * len(self.divergence) if self.cases is None else self.cases.cases.tolist()
        return [CASE_NAMES.get(code[1:], "") for code in codes]

    def blocks(self) -> Iterator[Block]:
        """Yield the cases, annotators, distributions and systems."""
        from assay.difficulty.view import show_pair_difficulty

        yield from show_pair_difficulty(self)

    def items(self) -> pl.DataFrame:
        """Return one row per item: id, divergence (or similarity), case; with several labels one case column each."""
        name = "similarity" if self.measure in SIMILARITIES else "divergence"
        cases = {} if self.cases is None else {"case": self.cases.cases}
        by_label = {f"case:{label}": result.cases for label, result in self.one_vs_rest.items()}
        return pl.DataFrame({"id": self.ids, name: self.divergence, **cases, **by_label})


@dataclass(frozen=True)
class _LabelCases:
    """The cases of the positive label, those of each label if there are several, and what was decided."""

    chosen: PairCases | None = None
    by_label: dict[str, PairCases] = field(default_factory=dict)
    note: str | None = None


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
    corpora: tuple[Corpus, Corpus] | None = None,
) -> PairDifficulty:
    """Measure every pair of a dataset and sort its items into cases, as far as its labels allow.

    `corpora` holds the words of both sides over one vocabulary, if they were computed before.
    """
    threshold = parse_threshold(threshold)
    sides = (data.sides[0], data.sides[1]) if corpora is None else corpora
    values = MEASURES[measure](*sides, tokenizer=tokenizer)
    parts = None if data.parts is None else data.parts.to_list()
    settings = {"threshold": threshold, "parts": parts, "similarity": measure in SIMILARITIES}
    cases = _assign_label_cases(data, values, positive, positive_from, settings)
    chosen, names = cases.chosen, data.label_names
    agreement, seconds = _compare_annotators(data, chosen, n_permutations, random_state)
    return PairDifficulty(
        obvious_share=Interval(np.nan, np.nan, np.nan) if chosen is None else chosen.obvious_share,
        counts=None if chosen is None else chosen.counts,
        measure=measure,
        tokenizer=tokenizer if isinstance(tokenizer, str) else getattr(tokenizer, "__name__", "own"),
        threshold=threshold,
        median=median_of_defined(values),
        positive=None if chosen is None else chosen.positive,
        n_items=len(values),
        n_undefined=int(np.isnan(values).sum()),
        by_part={} if chosen is None else chosen.by_part,
        one_vs_rest=cases.by_label,
        distribution=describe_values(values),
        distribution_by_label={}
        if not names or kind_of(data).gold.has_grades
        else describe_by_name(values, _list_labels(data)),
        distribution_by_part={} if parts is None else describe_by_name(values, parts),
        agreement=agreement,
        annotation_time=seconds,
        notes=() if cases.note is None else (cases.note,),
        divergence=values,
        cases=chosen,
        ids=data.ids,
    )


def find_similar_label(data: Dataset, corpora: tuple[Corpus, Corpus]) -> str | None:
    """Return the label to take as positive if there are two and neither has a usual name, else None.

    It is the one whose pairs share more words, as pairs with the same meaning do.
    """
    names = data.label_names
    if len(names) != 2 or usual_positive(names) is not None or data.labels is None:
        return None
    divergence = jensen_shannon(*corpora)
    means = []
    for name in names:
        values = divergence[(data.labels == name).fill_null(value=False).to_numpy()]
        known = values[~np.isnan(values)]
        means.append(float(np.mean(known)) if len(known) else 2.0)
    return names[int(np.argmin(means))]


def _assign_label_cases(
    data: Dataset, values: Numbers, positive: str | None, positive_from: float | None, settings: Options
) -> _LabelCases:
    names, labels = data.label_names, _list_labels(data)
    if positive is not None or positive_from is not None:
        return _LabelCases(assign_cases(values, labels, positive=positive, positive_from=positive_from, **settings))
    if len(names) < 2:
        reason = f"all labels are '{names[0]}'" if names else "no item has a label"
        return _LabelCases(note=f"No cases: {reason}.")
    if len(names) == 2:
        chosen = assign_cases(values, labels, **settings)
        return _LabelCases(chosen, note=f"Positive label: '{chosen.positive}'.")
    if kind_of(data).gold.has_grades:
        return _LabelCases(note=f"No cases: the labels are {len(names)} grades, and no lowest positive grade is set.")
    by_label = assign_cases_by_label(values, labels, **settings)
    usual = usual_positive([name for name in names if not is_number(name)])
    choice = f"; '{usual}' is the positive one" if usual else ""
    note = f"{len(names)} labels: cases of each against the others{choice}."
    return _LabelCases(by_label.get(usual or ""), by_label, note)


def _list_labels(data: Dataset) -> list[object]:
    return [None] * len(data) if data.labels is None else data.labels.to_list()


def _compare_annotators(
    data: Dataset, cases: PairCases | None, n_permutations: int, random_state: int
) -> tuple[CaseComparison | None, CaseComparison | None]:
    """Compare agreement and time in the cases if the data has columns `annotator:<name>`, `seconds:<name>`."""
    if cases is None:
        return None, None
    raters, seconds = (
        {name: data.frame[name].to_list() for name in data.frame.columns if name.startswith(prefix)}
        for prefix in ("annotator:", "seconds:")
    )
    settings = {"n_permutations": n_permutations, "random_state": random_state}
    agreement = compare_agreement(cases.cases, read_ratings(raters), **settings) if len(raters) > 1 else None
    time = compare_time(cases.cases, read_seconds(seconds), **settings) if seconds else None
    return agreement, time
