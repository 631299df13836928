"""Predictions of models for rows they did not learn from: under random folds, own parts and challenging splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.marks import NAME, OWN
from assay.models.fitting import Cache, FitTask, run_fits
from assay.models.inputs import join_sides
from assay.models.row_splits import RowSplit, split_by_draw, split_by_parts
from assay.views.results import Result, convert_frame

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.models.counted_texts import CountedTexts
    from assay.text import Corpus

CHALLENGING_SPLITS = ("length", "rare-words", "wasserstein", "sds-k-means", "temporal")
RANDOM, STANDARD = "random", "standard"
N_SPLITS = 5
N_DRAWS = 5
TEST_SIZE = 0.2
MIN_ITEMS = 50
MIN_ITEMS_OF_LABEL = 3
MIN_PROBABILITY = 1e-6


@dataclass(frozen=True)
class HeldOutPredictions:
    """What a model predicted for the rows that one fold, or one draw, of a split holds out."""

    split: str
    model: str
    fold: int
    rows: Array = field(repr=False)
    probabilities: Array = field(repr=False)
    predicted: Array = field(repr=False)


@dataclass(frozen=True)
class SplitScore(Result):
    """Accuracy of a model under a split, over all held-out items."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    accuracy: float
    n: int


@dataclass(frozen=True, repr=False)
class OutOfFoldPredictions:
    """Labelled items, their labels as numbers, and what models predicted for them under every split.

    `folds` holds for each split the number of the fold that holds out an item, 0 where none does; of a split that is
    drawn several times, it holds the first draw.
    """

    data: Dataset
    label_names: list[str]
    codes: Array
    predictions: list[HeldOutPredictions]
    folds: dict[str, Array]
    notes: list[str] = field(metadata=NAME)

    @property
    def models(self) -> list[str]:
        """Name the models, the first one first."""
        return list(dict.fromkeys(prediction.model for prediction in self.predictions))

    @property
    def splits(self) -> list[str]:
        """Name the splits under which models were trained."""
        return list(dict.fromkeys(prediction.split for prediction in self.predictions))

    def select(self, split: str, model: str | None = None) -> list[HeldOutPredictions]:
        """Return the predictions under a split, of one model (the first where none is named)."""
        name = model or self.predictions[0].model
        return [one for one in self.predictions if one.split == split and one.model == name]

    def average_probabilities(self) -> Array:
        """Return the probabilities of each item when a random fold held it out: the models' geometric mean."""
        logs = np.zeros((len(self.codes), len(self.label_names)))
        for prediction in self.predictions:
            if prediction.split == RANDOM:
                logs[prediction.rows] += np.log(np.maximum(prediction.probabilities, MIN_PROBABILITY))
        shares = np.exp(logs / len(self.models))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def score_items(self, split: str, model: str | None = None) -> tuple[Array, Array]:
        """Return the held-out rows of a split, and 1.0 where the model was right and 0.0 where it was wrong."""
        selected = self.select(split, model)
        if not selected:
            return np.zeros(0, np.int64), np.zeros(0)
        rows = np.concatenate([prediction.rows for prediction in selected])
        predicted = np.concatenate([prediction.predicted for prediction in selected])
        return rows, (predicted == self.codes[rows]).astype(float)

    def score_splits(self) -> list[SplitScore]:
        """Return the accuracy of every model under every split."""
        scores = []
        for model in self.models:
            for split in self.splits:
                right = self.score_items(split, model)[1]
                scores.append(SplitScore(split, model, float(right.mean()), len(right)))
        return scores

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the scores as a frame, one row per split and model."""
        import polars as pl

        return convert_frame(pl.DataFrame([score.to_dict() for score in self.score_splits()]), kind)

    def __repr__(self) -> str:
        scores = ", ".join(f"{score.split} {score.accuracy:.3f} ({score.model})" for score in self.score_splits())
        return f"OutOfFoldPredictions({len(self.codes):,} items, {len(self.label_names)} labels: {scores})"


def cross_validate(
    data: Dataset,
    models: Mapping[str, dict[str, Any]],
    *,
    splits: Sequence[str] = CHALLENGING_SPLITS,
    n_splits: int = N_SPLITS,
    n_draws: int = N_DRAWS,
    test_size: float = TEST_SIZE,
    texts: CountedTexts | None = None,
    corpus: Corpus | None = None,
    vectors: Any = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> OutOfFoldPredictions:
    """Fit models under random folds, the data's own parts and every challenging split that the data allows.

    A split into folds holds out each fold once. A random split into two sides is drawn `n_draws` times.
    `models` maps names to settings. Every item needs a label (see `select_trainable`). Splits that the data cannot
    give are named in `notes`. What is ready is not computed again: `texts` with their n-gram counts, `corpus` (words
    of `data.texts`) and `vectors` (one row per item, for the splits that cluster texts).
    """
    assert data.labels is not None
    labels, names = data.labels.to_list(), data.label_names
    ready: dict[str, Any] = {"corpus": corpus, "vectors": vectors}
    sizes = SplitSizes(n_splits, n_draws, test_size)
    row_splits, notes = _draw_row_splits(data, splits, sizes, random_state, ready)
    plan = [(model, split, rows) for model in models for split, rows in row_splits]
    tasks = [FitTask(model, rows, models[model]) for model, _, rows in plan]
    X = join_sides([side.to_list() for side in data.sides]) if texts is None else texts
    results = run_fits(tasks, X, labels, random_state=random_state, n_jobs=n_jobs, backend=backend, cache=cache)
    predictions = []
    for (model, split, rows), result in zip(plan, results, strict=True):
        table = result.spread_over(names)
        predictions.append(HeldOutPredictions(split, model, rows.fold or 0, rows.test, table, table.argmax(axis=1)))
    folds: dict[str, Array] = {}
    for split, rows in row_splits:
        fold_numbers = folds.setdefault(split, np.zeros(len(data), np.int64))
        if split not in _DRAWN or not fold_numbers.any():
            fold_numbers[rows.test] = rows.fold or 1
    numbers = {name: number for number, name in enumerate(names)}
    codes = np.array([numbers[label] for label in labels])
    return OutOfFoldPredictions(data, names, codes, predictions, folds, notes)


def select_trainable(data: Dataset) -> Dataset:
    """Return the rows whose label at least three rows have, or raise where these are too few to train on."""
    return data.take(find_trainable_rows(data))


def find_trainable_rows(data: Dataset) -> Array:
    """Return the numbers of the rows whose label at least three rows have, or raise where these are too few."""
    labels = [] if data.labels is None else data.labels.to_list()
    counts = Counter(label for label in labels if label is not None)
    rows = np.flatnonzero([counts[label] >= MIN_ITEMS_OF_LABEL for label in labels])
    if len(rows) < MIN_ITEMS or len({labels[row] for row in rows.tolist()}) < 2:
        raise AssayError(f"{len(rows)} labelled items are too few to train on; at least {MIN_ITEMS} are needed.")
    return rows


def draw_split(
    data: Dataset,
    name: str,
    repeat: int | None = None,
    *,
    ready: Mapping[str, Any] | None = None,
    keep_groups: bool = True,
    **options: Any,
) -> list[RowSplit]:
    """Draw a named split of labelled data once; dates and groups come from the data.

    `ready` holds the words (`corpus`) and `vectors` of the items where they are known.
    """
    from assay.splits import SPLITS

    if name == "temporal":
        options["times"] = find_times(data)
    assert data.labels is not None
    groups = None if data.groups is None or not keep_groups else data.groups.to_list()
    draw = SPLITS[name](**options).partition(data.texts.to_list(), data.labels.to_list(), groups, **(ready or {}))
    return split_by_draw(data, draw, repeat)


def find_times(data: Dataset) -> Any:
    """Return the dates of the items, or raise where the data has none."""
    if data.times is None:
        raise AssayError("there is no column with dates", place=data.name, hint="Name it with {time}.")
    return data.times


@dataclass(frozen=True)
class SplitSizes:
    """How many folds and draws a split has, and the share of items that a draw holds out."""

    n_splits: int
    n_draws: int
    test_size: float


# Splits into two sides that are drawn several times: their held-out sides overlap.
_DRAWN = ("rare-words", "wasserstein")


def _draw_row_splits(
    data: Dataset, splits: Sequence[str], sizes: SplitSizes, random_state: int, ready: Mapping[str, Any]
) -> tuple[list[tuple[str, RowSplit]], list[str]]:
    stratified = draw_split(data, "stratified", n_splits=sizes.n_splits, random_state=random_state)
    row_splits = [(RANDOM, rows) for rows in stratified]
    notes: list[str] = []
    if {"train", "test"} <= set(data.part_names):
        row_splits.append((STANDARD, split_by_parts(data, random_state=random_state)[0]))
    for name in splits:
        try:
            drawn, note = _draw_challenging(data, name, sizes, random_state, _select_ready(name, ready))
        except AssayError as error:
            notes.append(f"The {name} split is left out: {error.fact.removesuffix('.')}.")
        else:
            row_splits += [(name, rows) for rows in drawn]
            notes += [note] if note else []
    return [(name, rows) for name, rows in row_splits if _has_two_labels(data, rows.train)], notes


def _draw_challenging(
    data: Dataset, name: str, sizes: SplitSizes, random_state: int, ready: Mapping[str, Any]
) -> tuple[list[RowSplit], str | None]:
    """Draw a split as folds, several times, or once where nothing is random; groups stay whole where they can."""
    from assay.splits import SPLITS
    from assay.splits.base import FoldSplitter

    folding = issubclass(SPLITS[name], FoldSplitter)
    options: dict[str, Any] = {"n_splits": sizes.n_splits} if folding else {"test_size": sizes.test_size}
    seeds = [random_state + draw for draw in range(sizes.n_draws)] if name in _DRAWN else [random_state]

    def draw_all(keep_groups: bool) -> list[RowSplit]:
        draws = [
            draw_split(data, name, ready=ready, keep_groups=keep_groups, random_state=seed, **options) for seed in seeds
        ]
        rows = [split for draw in draws for split in draw]
        return [replace(split, fold=number) for number, split in enumerate(rows, start=1)] if len(seeds) > 1 else rows

    try:
        return draw_all(keep_groups=True), None
    except AssayError as error:
        if data.groups is None:
            raise
        reason = error.fact.removesuffix(".")
    return draw_all(keep_groups=False), f"The {name} split divides groups, because it cannot keep them whole: {reason}."


def _select_ready(name: str, ready: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a split can use: the Wasserstein split measures word counts, not vectors."""
    return {"corpus": ready["corpus"], "vectors": None if name == "wasserstein" else ready["vectors"]}


def _has_two_labels(data: Dataset, rows: Array) -> bool:
    assert data.labels is not None
    return data.labels.gather(rows).n_unique() > 1
