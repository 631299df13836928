"""The loss from old training data (Søgaard et al. 2021, A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN, WORD
from assay.base.parameters import Options
from assay.data import Dataset
from assay.models.fitting import fit_under_splits, list_notes, resolve_settings
from assay.models.inputs import list_items
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.models.split_drawing import find_times
from assay.models.split_studies.new_sample import get_labels
from assay.splits import parse_times
from assay.statistics import Correlation, benjamini_hochberg, spearman
from assay.tasks.running import Cache
from assay.text.characters import plain_word_pattern
from assay.views.blocks import Block
from assay.views.results import Result

SECONDS_PER_DAY = 86_400.0
HALVES = ("old half", "recent half", "random half")


@dataclass(frozen=True)
class AgeScore(Result):
    """A model trained on one slice: how many days before the test slice it lies (medians), and its accuracy."""

    model: str = field(metadata=OWN)
    slice: str = field(metadata=OWN)
    score: float
    gap_days: float
    n_train: int


@dataclass(frozen=True)
class AgeCorrelation(Result):
    """The correlation of gap and score over a model's slices: Spearman's and Pearson's, with p."""

    model: str = field(metadata=OWN)
    spearman: Correlation
    pearson: float
    pearson_p: float


@dataclass(frozen=True)
class WordChange(Result):
    """A word, its mean share of a text's words before and after, and the p of the change (Benjamini–Hochberg)."""

    word: str = field(metadata=WORD)
    share_before: float
    share_after: float
    p: float


@dataclass(frozen=True)
class AgeStudy(Result):
    """Scores on a fixed recent test slice by the age of the training slice, halves, and words that changed."""

    _table: ClassVar[str] = "correlations"

    correlations: list[AgeCorrelation]
    slices: list[AgeScore]
    halves: list[AgeScore]
    words: list[WordChange]
    n_test: int
    test_from: str = field(metadata=NAME)
    notes: list[str] = field(metadata=NAME)

    def blocks(self) -> Iterator[Block]:
        """Yield scores by the age of the training data, and the words that changed."""
        from assay.models.view import show_age_study

        yield from show_age_study(self)


def study_training_age(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    *,
    n_slices: int = 8,
    test_size: float = 0.1,
    settings: Options | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> AgeStudy:
    """Train on slices of equal size further and further back and test on the latest rows.

    The slices are disjoint and do not overlap in time, except for rows of equal date; one with a single class is left
    out. The halves of the training span (old, recent and random) have equal size too.
    """
    pool = data.drop_unlabelled().fill_texts()
    times = find_times(pool)
    seconds = parse_times(times)
    order = np.argsort(seconds, kind="stable")[: int((~np.isnan(seconds)).sum())]  # rows without a date come last
    past, test = _cut_test(order, test_size, n_slices, pool.name)
    y = np.array(get_labels(pool), dtype=object)
    trainings, notes = _drop_single_class(_cut_trainings(past, n_slices, random_state), y, pool.name)
    chosen = {model: resolve_settings(model, settings or {}, models) for model in dict.fromkeys(models)}
    splits = [(name, RowSplit(rows, NO_ROWS, test)) for name, rows in trainings.items()]
    X = list_items(pool)
    work: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
    fits = fit_under_splits(chosen, splits, X, y.tolist(), **work)
    scores = []
    for fit in fits:
        rows = fit.rows.train
        gap = float(np.median(seconds[test]) - np.median(seconds[rows])) / SECONDS_PER_DAY
        scores.append(AgeScore(fit.model, fit.split, float(np.mean(fit.result.predicted == y[test])), gap, len(rows)))
    slices = [score for score in scores if score.slice not in HALVES]
    halves = [score for score in scores if score.slice in HALVES]
    notes += list_notes(fits)
    return AgeStudy(
        correlations=[_correlate(model, slices) for model in chosen],
        slices=slices,
        halves=halves,
        words=_compare_halves(pool.texts.to_list(), past),
        n_test=len(test),
        test_from=str(times[int(test[0])]),
        notes=notes,
    )


def _cut_test(order: Array, test_size: float, n_slices: int, name: str) -> tuple[Array, Array]:
    n_test = max(1, round(test_size * len(order)))
    if len(order) - n_test < 2 * n_slices:
        fact = f"{len(order)} rows with a date are too few for {n_slices} training slices and a test"
        raise AssayError(fact, place=name)
    return order[:-n_test], order[-n_test:]


def _cut_trainings(past: Array, n_slices: int, random_state: int) -> dict[str, Array]:
    """Return the slices, the latest first, and the three halves; slices have one size, and so have halves."""
    size, half = len(past) // n_slices, len(past) // 2
    end = len(past)
    slices = {f"slice {back + 1}": past[end - (back + 1) * size : end - back * size] for back in range(n_slices)}
    drawn = np.sort(np.random.default_rng(random_state).permutation(len(past))[:half])
    return slices | dict(zip(HALVES, (past[:half], past[-half:], past[drawn]), strict=True))


def _drop_single_class(trainings: dict[str, Array], y: Array, place: str) -> tuple[dict[str, Array], list[str]]:
    """Leave out slices with one class, as the paper does, with a note."""
    kept = {name: rows for name, rows in trainings.items() if len(set(y[rows].tolist())) > 1}
    if not any(name not in HALVES for name in kept):
        raise AssayError("every training slice holds one class only", place=place)
    dropped = [name for name in trainings if name not in kept]
    return kept, [f"Left out because they hold one class only: {join_names(dropped, 10)}."] if dropped else []


def _compare_halves(texts: list[str], past: Array) -> list[WordChange]:
    half = len(past) // 2
    old, recent = ([texts[row] for row in rows] for rows in (past[:half], past[-half:]))
    return find_word_changes(old, recent)


def _correlate(model: str, slices: list[AgeScore]) -> AgeCorrelation:
    from scipy.stats import pearsonr

    mine = [row for row in slices if row.model == model]
    gaps, scores = np.array([row.gap_days for row in mine]), np.array([row.score for row in mine])
    if np.ptp(gaps) == 0 or np.ptp(scores) == 0:
        return AgeCorrelation(model, spearman(gaps, scores), float("nan"), float("nan"))
    linear = pearsonr(gaps, scores)
    return AgeCorrelation(model, spearman(gaps, scores), float(linear.statistic), float(linear.pvalue))


def find_word_changes(
    before: list[str], after: list[str], n_words: int = 20, min_count: int = 5, level: float = 0.05
) -> list[WordChange]:
    """Return the words whose share of a text changed, the most significant first, by Welch's test over the texts.

    >>> [change.word for change in find_word_changes(["old news"] * 30, ["new news"] * 30)]
    ['new', 'old']
    """
    from scipy.stats import norm
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = CountVectorizer(token_pattern=plain_word_pattern())
    try:
        shares = normalize(vectorizer.fit_transform(before + after).astype(float), norm="l1")
    except ValueError:  # no text holds a word
        return []
    frequent = np.flatnonzero(np.asarray((shares > 0).sum(axis=0)).ravel() >= min_count)
    first, second = _moments(shares[: len(before), frequent]), _moments(shares[len(before) :, frequent])
    error = np.sqrt(first[1] / len(before) + second[1] / len(after))
    z = (second[0] - first[0]) / np.maximum(error, 1e-12)  # a word in every text of one side alone has no error
    p = np.asarray(benjamini_hochberg(2 * norm.sf(np.abs(z))))
    words = vectorizer.get_feature_names_out()[frequent]
    order = [number for number in np.lexsort((words, -np.abs(z))) if p[number] < level][:n_words]
    return [WordChange(str(words[i]), float(first[0][i]), float(second[0][i]), float(p[i])) for i in order]


def _moments(shares: Any) -> tuple[Array, Array]:
    mean = np.asarray(shares.mean(axis=0)).ravel()
    squares = np.asarray(shares.multiply(shares).mean(axis=0)).ravel()
    return mean, np.maximum(squares - mean**2, 0.0)
