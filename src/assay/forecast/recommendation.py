"""Which datasets to put into a benchmark: by forecast λ, by how much they repeat others, and by cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.data import Dataset
from assay.forecast.evidence import read_evidence
from assay.forecast.forecasting import Forecast, run_forecasts
from assay.forecast.predictor import RANGE_FEATURES, Predictor, read_predictor, standardise
from assay.inputs import take_data
from assay.kinds import check_text_labels
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval

FORECAST, MEASURED = "forecast", "measured"


@dataclass(frozen=True)
class Candidate(Result):
    """A dataset that may be chosen: its λ, its size, its features in units of their spread, and its texts' keys."""

    data: str = field(metadata=NAME)
    basis: str = field(metadata=OWN)
    lambda_var: float
    lambda_sva: Interval
    percentile_sva: float
    n_items: int
    n_words: int
    out_of_range: bool = False
    features: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False, metadata={"json": False})
    text_keys: frozenset[int] = field(default=frozenset(), repr=False, compare=False, metadata={"json": False})


@dataclass(frozen=True)
class Choice(Result):
    """A candidate with its place in the order of choice.

    `redundancy` is the similarity to the most similar dataset chosen before it (0 to 1), `gain` is
    percentile_sva / 100 · (1 − redundancy), the quantity by which the next dataset is chosen. The basis of λ is
    `measured` for the shipped evidence and `forecast` for data of the user.
    """

    rank: int
    data: str = field(metadata=NAME)
    gain: float
    redundancy: float
    most_similar: str | None = field(metadata=NAME)
    basis: str = field(metadata=OWN)
    lambda_var: float
    lambda_sva: Interval
    percentile_sva: float
    n_items: int
    n_words: int
    out_of_range: bool
    recommended: bool


@dataclass(frozen=True)
class Recommendation(Result):
    """All candidates in the order in which they would be chosen; the first `k` that fit the budget are recommended."""

    _table: ClassVar[str] = "choices"

    choices: list[Choice]
    k: int
    max_words: int | None
    chosen_before: tuple[str, ...] = field(metadata=NAME)
    notes: tuple[str, ...] = field(default=(), metadata=OWN)

    def blocks(self) -> Iterator[Block]:
        """Yield the recommended datasets."""
        from assay.forecast.view import show_recommendation

        yield from show_recommendation(self)


def recommend_datasets(
    data: Sequence[Any] = (),
    k: int = 5,
    *,
    chosen: Sequence[Any] = (),
    max_words: int | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
) -> Recommendation:
    """Rank datasets for a new benchmark; without `data` those of the shipped evidence, whose λ was measured.

    The next dataset is the one with the largest gain: high forecast λ_sva, little similarity to those chosen already
    and to `chosen`, which the benchmark has already. `max_words` limits the words of all recommended test items and
    training items together.

    >>> found = recommend_datasets(k=3)
    >>> [choice.rank for choice in found.choices if choice.recommended]
    [1, 2, 3]
    """
    if k < 1:
        raise UsageError(f"must be at least 1, not {k}", option="recommend")
    before = describe_candidates(chosen, random_state=random_state, n_jobs=n_jobs, backend=backend)
    work = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend}
    candidates = describe_candidates(data, **work) if len(data) else list_evidence_candidates()
    choices = order_candidates(candidates, before, k, max_words)
    notes = []
    if k > len(candidates):
        notes.append(f"There are only {len(candidates)} candidates.")
    if (n_outside := sum(candidate.out_of_range for candidate in candidates)) > 0:
        notes.append(f"The forecast is out of range for {n_outside} of {len(candidates)} candidates.")
    return Recommendation(choices, k, max_words, tuple(each.data for each in before), tuple(notes))


def describe_candidates(data: Sequence[Any], **work: Any) -> list[Candidate]:
    """Forecast every dataset and count its items and words."""
    datasets = [check_text_labels(take_data(each)) for each in data]
    forecasts = run_forecasts(datasets, **work)
    predictor = read_predictor()
    return [_describe(dataset, found, predictor) for dataset, found in zip(datasets, forecasts, strict=True)]


@lru_cache(maxsize=1)
def list_evidence_candidates() -> tuple[Candidate, ...]:
    """Return one candidate per parent of the evidence: medians over its sub-datasets, 80% ranges of λ_sva."""
    evidence, predictor = read_evidence(), read_predictor()
    names = evidence.table["parent"].to_numpy()
    scaled = _scale_features(evidence.features("light"), predictor)
    everything = evidence.target("lambda_sva")
    candidates = []
    for name in dict.fromkeys(names.tolist()):
        rows = np.flatnonzero(names == name)
        part = evidence.take(rows)
        low, middle, high = np.quantile(part.target("lambda_sva"), [0.1, 0.5, 0.9])
        items = part.target("n_train") + part.target("n_test")
        words = items * part.target("train.average_length")
        candidates.append(
            Candidate(
                data=str(name),
                basis=MEASURED,
                lambda_var=float(np.median(part.target("lambda_var"))),
                lambda_sva=Interval(float(middle), float(low), float(high), 0.8, "quantiles"),
                percentile_sva=100 * float(np.mean(everything <= middle)),
                n_items=int(np.median(items)),
                n_words=int(np.median(words)),
                features=np.median(scaled[rows], axis=0),
            )
        )
    return tuple(candidates)


def order_candidates(
    candidates: Sequence[Candidate], before: Sequence[Candidate], k: int, max_words: int | None = None
) -> list[Choice]:
    """Choose the candidate with the largest gain again and again; equal gains go to the cheaper one."""
    waiting, taken = list(candidates), list(before)
    choices: list[Choice] = []
    n_words = n_recommended = 0
    while waiting:
        redundancy = [find_most_similar(candidate, taken) for candidate in waiting]
        gains = [each.percentile_sva / 100 * (1 - value) for each, (value, _) in zip(waiting, redundancy, strict=True)]
        order = sorted(range(len(waiting)), key=lambda n: (-gains[n], waiting[n].n_words, waiting[n].data))
        place = order[0]
        candidate, (value, name) = waiting.pop(place), redundancy[place]
        fits = max_words is None or n_words + candidate.n_words <= max_words
        is_recommended = fits and n_recommended < k
        if is_recommended:
            n_recommended += 1
            n_words += candidate.n_words
        if is_recommended or n_recommended >= k:  # one that does not fit repeats nothing for those after it
            taken.append(candidate)
        values = {field_: getattr(candidate, field_) for field_ in _COPIED}
        choices.append(
            Choice(
                rank=len(choices) + 1,
                gain=gains[place],
                redundancy=value,
                most_similar=name,
                recommended=is_recommended,
                **values,
            )
        )
    return [replace(choice, rank=number) for number, choice in enumerate(choices, start=1)]


def find_most_similar(candidate: Candidate, others: Sequence[Candidate]) -> tuple[float, str | None]:
    """Return the largest similarity to other datasets and the name of that dataset; 0 and None without others."""
    if not others:
        return 0.0, None
    values = [measure_similarity(candidate, other) for other in others]
    place = int(np.argmax(values))
    return values[place], others[place].data


def measure_similarity(first: Candidate, second: Candidate) -> float:
    """Return the larger of the similarity of features and the share of texts in common.

    Features: the share of pairs of unrelated datasets of the evidence that are farther apart than these two. Texts:
    those in both as a share of the smaller dataset, compared without case and white space.
    """
    distance = float(np.sqrt(np.mean((first.features - second.features) ** 2)))
    similarity = float(np.mean(measure_reference_distances() > distance))
    n_texts = min(len(first.text_keys), len(second.text_keys))
    shared = len(first.text_keys & second.text_keys) / n_texts if n_texts else 0.0
    return max(similarity, shared)


@lru_cache(maxsize=1)
def measure_reference_distances() -> Array:
    """Return the distances of the evidence's parents to parents of other families."""
    evidence = read_evidence()
    families = dict(zip(evidence.table["parent"].to_list(), evidence.families.tolist(), strict=True))
    candidates = list_evidence_candidates()
    return np.array(
        [
            np.sqrt(np.mean((first.features - second.features) ** 2))
            for place, first in enumerate(candidates)
            for second in candidates[:place]
            if families[first.data] != families[second.data]
        ]
    )


_COPIED = (*("data", "basis", "lambda_var", "lambda_sva", "percentile_sva", "n_items", "n_words", "out_of_range"),)


def _describe(dataset: Dataset, forecast: Forecast, predictor: Predictor) -> Candidate:
    texts = dataset.texts.to_list()
    row = np.array([[forecast.features[name] for name in RANGE_FEATURES]])
    return Candidate(
        data=dataset.name,
        basis=FORECAST,
        lambda_var=forecast.lambda_var.value,
        lambda_sva=forecast.lambda_sva,
        percentile_sva=forecast.percentile_sva,
        n_items=len(texts),
        n_words=sum(len((text or "").split()) for text in texts),
        out_of_range=forecast.out_of_range,
        features=_scale_features(row, predictor)[0],
        text_keys=frozenset(hash(" ".join((text or "").lower().split())) for text in texts),
    )


def _scale_features(X: Array, predictor: Predictor) -> Array:
    return standardise(X, np.array(predictor.ranges.centre), np.array(predictor.ranges.spread))
