"""The input of an audit: data, results of systems and settings, and values that several sections share, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.hold_out import find_reference_part
from assay.kinds import TaskKind, kind_of
from assay.tasks import announce_step

if TYPE_CHECKING:
    from assay.discrimination import ScoreTable
    from assay.discrimination.boards.cost_tables import CostTable
    from assay.evaluation import Predictions
    from assay.information import Cue
    from assay.judges import Verdicts
    from assay.models import CountedTexts, OutOfFoldPredictions
    from assay.models.quick.results import QuickStudy
    from assay.text import Corpus
    from assay.text.languages import LanguageGuess
    from assay.votes import Votes

MAX_LABELS = 200
MAX_TRAINED = (6_000, 20_000)  # items to train on, in a quick and in a full audit
MAX_ANSWERED = (4_000, 20_000)  # items that quick models of other kinds than classes learn from
MAX_CUES = 2_000
MAX_SEARCHED = (30_000, 200_000)  # items to search for cues


@dataclass(frozen=True)
class Settings:
    """How to work: quick or full, the random seed, and where tasks run and are kept."""

    quick: bool = True
    private: bool = False
    random_state: int = 0
    n_jobs: int = 1
    backend: str | None = None
    cache: Path | None = None

    @property
    def task_options(self) -> Options:
        """Return what functions need that run tasks."""
        return {
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
            "backend": self.backend,
            "cache": self.cache,
        }

    def choose(self, quick: int, full: int) -> int:
        """Choose a number by the depth of the audit."""
        return quick if self.quick else full


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of the data, and their numbers there."""

    data: Dataset
    rows: Array = field(repr=False)


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The input of all sections, with everything that several of them need computed at most once.

    Of systems that ran several times, `predictions` has the most frequent answers and the mean outcomes, and `repeats`
    every repeat.
    """

    data: Dataset
    predictions: Predictions | None = None
    scores: ScoreTable | None = None
    settings: Settings = Settings()
    votes: Votes | None = None
    verdicts: Verdicts | None = None
    verdicts_on_items: pl.DataFrame | None = None  # of people who reviewed the items
    training_corpus: Any = None  # the files in which items are searched, or their texts
    repeats: Predictions | None = None
    costs: CostTable | None = None
    responses: Any = None  # a table of responses
    _vectors: dict[bytes, Any] = field(default_factory=dict, repr=False)
    _texts: dict[bytes, CountedTexts] = field(default_factory=dict, repr=False)

    @cached_property
    def filled(self) -> Dataset:
        """The data with missing texts as empty strings."""
        return self.data.fill_texts()

    @cached_property
    def is_paired(self) -> bool:
        """Whether items are pairs of texts."""
        return kind_of(self.data).texts.is_paired(self.data)

    @cached_property
    def corpus(self) -> Corpus:
        """The words of all texts; both sides of a pair are one text."""
        from assay.text import Corpus

        announce_step("counting words")
        return Corpus.from_texts(self.filled.texts)

    @cached_property
    def language(self) -> LanguageGuess:
        """The language of the texts."""
        from assay.text.languages import identify_language

        return identify_language(self.corpus)

    @cached_property
    def side_corpora(self) -> tuple[Corpus, ...]:
        """The words of each side; both sides of pairs share one vocabulary."""
        from assay.text import Corpus

        if len(self.filled.sides) == 1:
            return (self.corpus,)
        first, second = self.filled.sides
        return Corpus.from_sides(first, second)

    @cached_property
    def item_corpus(self) -> Corpus:
        """The words of whole items, such as questions with their options; those of the texts if they are the same."""
        from assay.text import Corpus

        items = kind_of(self.data).texts.get_item_texts(self.filled)
        return self.corpus if items is self.filled.texts else Corpus.from_texts(items)

    @cached_property
    def exact_groups(self) -> Array:
        """The group of exact copies of each item."""
        from assay.text import exact_duplicates

        return exact_duplicates(kind_of(self.data).texts.get_item_texts(self.filled))

    @cached_property
    def near_groups(self) -> Array:
        """The group of near-duplicates of each item."""
        from assay.text import near_duplicates

        announce_step("searching near-duplicates")
        return near_duplicates(self.item_corpus, close=True)

    @cached_property
    def n_seen_sides(self) -> Array | None:
        """How many sides of each pair occur in the reference part; None if items are not pairs or have no parts."""
        from assay.text import exact_duplicates

        reference = self.reference_part
        if not self.is_paired or reference is None or self.data.parts is None:
            return None
        first, second = self.filled.sides
        groups = exact_duplicates(pl.concat([first, second])).reshape(2, -1)
        is_reference = (self.data.parts == reference).fill_null(value=False).to_numpy()
        known = np.unique(groups[:, is_reference])
        return np.asarray(np.isin(groups, known).sum(axis=0))

    @cached_property
    def reference_part(self) -> str | None:
        """The part that systems learn from, if there is another to test on."""
        return find_reference_part(self.data.part_names)

    @cached_property
    def classes(self) -> Sample:
        """The labelled rows if labels are classes; an error says why they are not."""
        names, kind = self.data.label_names, kind_of(self.data)
        if not kind.gold.has_text_labels:
            raise AssayError(f"This needs one class per text, which {kind.title} does not have{_point_to_model(kind)}.")
        if len(names) < 2:
            raise AssayError("There are no labels." if not names else "All items have the same label.")
        if kind.gold.has_grades:
            raise AssayError(f"Labels are grades, not classes{_point_to_model(kind)}.")
        if len(names) > MAX_LABELS:
            raise AssayError(f"{len(names):,} different labels are too many for classes.")
        assert self.data.labels is not None
        rows = np.flatnonzero(self.data.labels.is_not_null().to_numpy())
        return Sample(self.filled.take(rows) if len(rows) < len(self.data) else self.filled, rows)

    @cached_property
    def searched(self) -> Sample:
        """The labelled rows in which cues are searched."""
        return self.draw(self.classes, self.settings.choose(*MAX_SEARCHED))

    @cached_property
    def trainable(self) -> Sample:
        """A sample of the labelled rows to train on, without labels of one or two rows."""
        from assay.models.cross_validation import find_trainable_rows

        drawn = self.draw(self.classes, self.settings.choose(*MAX_TRAINED))
        rows = find_trainable_rows(drawn.data)
        return drawn if len(rows) == len(drawn.rows) else Sample(drawn.data.take(rows), drawn.rows[rows])

    @cached_property
    def held_out(self) -> OutOfFoldPredictions:
        """Out-of-fold predictions of the audit's models on the rows to train on."""
        from assay.models import cross_validate

        sample = self.trainable
        return cross_validate(
            sample.data,
            self.models,
            texts=self.count_texts(sample),
            corpus=self.corpus.take(sample.rows),
            vectors=self.encode(sample.rows),
            **self.settings.task_options,
        )

    @cached_property
    def quick_study(self) -> QuickStudy:
        """Scores of the quick models of the kind of task, on a sample of the rows with a gold answer."""
        from assay.models.quick.cross_validation import find_answered_rows
        from assay.models.quick.study import study_quick_models

        rows = find_answered_rows(self.filled)
        whole = Sample(self.filled.take(rows) if len(rows) < len(self.data) else self.filled, rows)
        sample = self.draw(whole, self.settings.choose(*MAX_ANSWERED))
        ready = {"corpus": self.corpus.take(sample.rows), "vectors": self.encode(sample.rows)}
        return study_quick_models(sample.data, **ready, random_state=self.settings.random_state)

    @cached_property
    def models(self) -> dict[str, Options]:
        """The linear model, and in a full audit a neural one if torch is installed, with their settings."""
        from assay.models.presets import FREQUENT_TERMS, SMALL_CNN

        if self.settings.quick:
            return {"linear": FREQUENT_TERMS}
        return {"linear": {}} if find_spec("torch") is None else {"linear": {}, "cnn": SMALL_CNN}

    @cached_property
    def cues(self) -> list[Cue]:
        """The words, word pairs and numbers that go with a label beyond chance."""
        from assay.information import ItemTexts, search_cues

        sample = self.searched
        assert sample.data.labels is not None
        names = sample.data.label_names
        numbers = {name: number for number, name in enumerate(names)}
        codes = np.array([numbers[label] for label in sample.data.labels.to_list()])
        items = ItemTexts([side.to_list() for side in sample.data.sides], self.take_corpora(sample.rows))
        announce_step("searching cues")
        return search_cues(items, codes, names, max_cues=MAX_CUES)

    def take_corpora(self, rows: Array) -> tuple[Corpus, ...]:
        """Return the words of some rows, side by side."""
        if len(rows) == len(self.data):
            return self.side_corpora
        return tuple(corpus.take(rows) for corpus in self.side_corpora)

    def count_texts(self, sample: Sample) -> CountedTexts:
        """Return the texts of a sample, whose n-grams are counted once for all models."""
        from assay.models import CountedTexts
        from assay.models.inputs import list_items

        key = np.ascontiguousarray(sample.rows).tobytes()
        if key not in self._texts:
            self._texts[key] = CountedTexts(list_items(sample.data))
        return self._texts[key]

    def encode(self, rows: Array) -> Any:
        """Return TF-IDF vectors of some rows, fitted on these rows."""
        from assay.text import make_encoder

        key = np.ascontiguousarray(rows).tobytes()
        if key not in self._vectors:
            encoder = make_encoder("tfidf", random_state=self.settings.random_state)
            self._vectors[key] = encoder.fit_transform(self.corpus.take(rows))
        return self._vectors[key]

    def draw(self, sample: Sample, n: int) -> Sample:
        """Draw at most n rows of a sample, of every part its share, in file order."""
        if len(sample.rows) <= n:
            return sample
        drawn = sample_rows(sample.data, n, self.settings.random_state)
        return Sample(sample.data.take(drawn), sample.rows[drawn])

    def draw_filled(self, n: int) -> Sample:
        """Draw at most n rows of all data, of every part its share, in file order."""
        return self.draw(Sample(self.filled, np.arange(len(self.filled))), n)


def _point_to_model(kind: TaskKind) -> str:
    return " (see Quick models)" if kind.learning.has_models else ""


def sample_rows(data: Dataset, n: int, random_state: int = 0) -> Array:
    """Draw n rows, of every part its share but at least half of an equal one, in file order."""
    rng = np.random.default_rng(random_state)
    if data.parts is None:
        return np.sort(rng.permutation(len(data))[:n])
    names = np.array(["" if part is None else str(part) for part in data.parts])
    groups = [np.flatnonzero(names == name) for name in sorted(set(names.tolist()))]
    sizes = allocate([len(rows) for rows in groups], n)
    return np.sort(np.concatenate([rng.permutation(rows)[:k] for rows, k in zip(groups, sizes, strict=True)]))


def allocate(sizes: list[int], n: int) -> list[int]:
    """Give every part its share of n, but at least half of an equal one if it has so many.

    >>> allocate([90_000, 1_000], 4_000), allocate([10, 20], 100)
    ([3000, 1000], [10, 20])
    """
    if sum(sizes) <= n:
        return sizes
    floor = n // (2 * len(sizes))
    shares = [min(size, max(floor, round(n * size / sum(sizes)))) for size in sizes]
    largest = int(np.argmax(sizes))
    shares[largest] = max(1, min(sizes[largest], n - sum(shares) + shares[largest]))
    return shares
