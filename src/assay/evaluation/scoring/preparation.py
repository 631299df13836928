"""Score systems: every metric that applies, each with its interval and the number of items it is based on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.evaluation.predictions.coverage import treat_missing
from assay.evaluation.predictions.labels import LabelScheme, find_label_scheme
from assay.evaluation.predictions.types import Predictions
from assay.evaluation.scoring.arrays import GoldArrays, count_cells
from assay.evaluation.scoring.intervals import CountedRows, compute_intervals, count_rows
from assay.evaluation.scoring.workers import Workers
from assay.kinds import TaskKind, kind_of
from assay.metrics import AnsweredItems, Metric
from assay.statistics import Interval
from assay.text import Corpus
from assay.views.results import Result


@dataclass(frozen=True)
class Score(Result):
    """A metric of one system, its interval, and the number of items (or groups, for rankings) it is based on."""

    value: float
    low: float
    high: float
    n: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class ScoringSettings:
    """How to score: the positive label, missing answers, intervals, words, and where to compute."""

    positive: str | None = None
    missing_predictions: str | None = None
    interval: str = "auto"
    confidence: float = 0.95
    n_resamples: int = 1000
    random_state: int = 0
    tokenizer: str = "words"
    workers: Workers = field(default_factory=Workers)


@dataclass(frozen=True)
class PreparedPredictions:
    """Predictions with the arrays that metrics read: what scores, slices and comparisons start from."""

    predictions: Predictions
    labels: LabelScheme
    settings: ScoringSettings
    items: Mapping[str, AnsweredItems] = field(repr=False)

    @property
    def groups(self) -> Array | None:
        """The groups that are resampled whole, or None if items are resampled."""
        items = next(iter(self.items.values()))
        return items.groups if items.has("groups") else None

    @property
    def kind(self) -> TaskKind | None:
        """The kind of task, None without data."""
        return None if self.predictions.data is None else kind_of(self.predictions.data)

    @cached_property
    def word_counts(self) -> Array | None:
        """The number of words of each item, None without data."""
        data = self.predictions.data
        return None if data is None else count_words(data.texts.to_list(), self.settings.tokenizer)

    def count_items(self, metric: Metric) -> dict[str, AnsweredItems]:
        """Return the items that a metric counts, for each system for which it can be computed."""
        able = {name: items for name, items in self.items.items() if metric.find_lack(items) is None}
        return {name: items.restrict(metric.needs) for name, items in able.items()}

    def collect_statistics(self, metric: Metric) -> dict[str, Array]:
        """Return the per-item statistics of each system for which the metric can be computed.

        If items have several repeats, the repeats of an item with fewer of them count more: every item counts the same.
        """
        return {name: self._weight_repeats(metric, items) for name, items in self.count_items(metric).items()}

    def _weight_repeats(self, metric: Metric, items: AnsweredItems) -> Array:
        table = metric.collect_statistics(items)
        if self.predictions.n_repeats < 2 or metric.over_groups:
            return table
        _, places = np.unique(self.predictions.ids.astype(str), return_inverse=True)
        counts = np.bincount(places[items.present], minlength=int(places.max()) + 1 if len(places) else 0)
        if not counts.any() or counts[counts > 0].min() == counts.max():
            return table
        return np.asarray(table * (counts.max() / np.maximum(counts, 1))[places, None])

    def compute_scores(self, metric: Metric) -> dict[str, Score]:
        """Return a metric of every system with its interval."""
        counted, settings = self.count_items(metric), self.settings
        systems = self._count_rows(metric, counted)
        intervals = compute_intervals(
            metric,
            list(systems.values()),
            grouped=self.groups is not None,
            method=settings.interval,
            confidence=settings.confidence,
            n_resamples=settings.n_resamples,
            random_state=settings.random_state,
            workers=settings.workers,
        )
        scores = {
            name: _build_score(metric, counted[name], interval, systems[name])
            for name, interval in zip(systems, intervals, strict=True)
        }
        return {name: scores.get(name) or _explain_lack(metric, items) for name, items in self.items.items()}

    def _count_rows(self, metric: Metric, counted: Mapping[str, AnsweredItems]) -> dict[str, CountedRows]:
        groups = self.groups
        if groups is not None or not set(metric.needs) <= {"labels", "positive label"}:
            return {name: count_rows(self._weight_repeats(metric, items), groups) for name, items in counted.items()}
        cells = {name: count_cells(items) for name, items in counted.items()}
        return {
            name: CountedRows(metric.collect_statistics(cell.items), cell.counts, cell.cells)
            for name, cell in cells.items()
        }

    def take(self, rows: Array) -> PreparedPredictions:
        """Keep some items; labels and the positive one stay as they are."""
        items = {name: items.take(rows) for name, items in self.items.items()}
        return replace(self, predictions=self.predictions.take(rows), items=items)

    def select(self, names: Iterable[str]) -> PreparedPredictions:
        """Keep some systems."""
        chosen = list(names)
        items = {name: self.items[name] for name in chosen}
        return replace(self, predictions=self.predictions.select(chosen), items=items)

    def set_positive(self, code: int) -> PreparedPredictions:
        """Make another label the positive one, by its number."""
        items = {name: replace(items, positive=code) for name, items in self.items.items()}
        return replace(self, items=items)


def prepare_predictions(predictions: Predictions, settings: ScoringSettings | None = None) -> PreparedPredictions:
    """Turn answers into arrays, once for all metrics."""
    settings = settings or ScoringSettings()
    predictions = treat_missing(predictions, settings.missing_predictions)
    labels = find_label_scheme(predictions, settings.positive)
    gold = GoldArrays(predictions, labels)
    items = {name: gold.pair_answers(answers) for name, answers in predictions.systems.items()}
    return PreparedPredictions(predictions, labels, settings, items)


def _build_score(metric: Metric, items: AnsweredItems, interval: Interval, rows: CountedRows) -> Score:
    n = int(rows.sums[-1]) if metric.over_groups else int(items.present.sum())
    reason = None if math.isfinite(interval.value) else (metric.undefined if n else "no item counts")
    return Score(interval.value, interval.low, interval.high, n, interval.method, reason)


def _explain_lack(metric: Metric, items: AnsweredItems) -> Score:
    return Score(math.nan, math.nan, math.nan, 0, "none", metric.find_lack(items))


def count_words(texts: Sequence[str | None] | Corpus, tokenizer: str = "words") -> Array:
    """Return the number of words of each text.

    >>> count_words(["a good film", ""]).tolist()
    [3, 0]
    """
    corpus = texts if isinstance(texts, Corpus) else Corpus.from_texts(texts, tokenizer=tokenizer)
    return np.asarray(corpus.lengths)
