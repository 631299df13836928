"""Scores of models under each family of splits, and which family predicts the score on a new sample.

Søgaard et al. (2021), Table 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names, unknown_name
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data import Dataset
from assay.models.drops import compute_error_reduction
from assay.models.fitting import SplitFit, fit_under_splits, list_notes, resolve_settings
from assay.models.inputs import list_items
from assay.models.row_splits import RowSplit, split_by_draw, split_by_parts
from assay.models.split_drawing import STANDARD, NamedSplits, draw_named_splits, find_times
from assay.models.split_studies.new_sample import NewSampleScores, expected_accuracy, get_labels, measure_new_sample
from assay.splits import SPLITS
from assay.tasks.running import Cache
from assay.views.blocks import Block
from assay.views.results import Result

FAMILIES = (STANDARD, *"random bootstrap length random-length rare-words wasserstein sds-k-means temporal".split())


@dataclass(frozen=True)
class FamilyScore(Result):
    """A model under a family of splits: mean accuracy and error reduction over the draws, their spread (ddof 1)."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    score: float
    error_reduction: float
    score_std: float
    n_draws: int
    n_test: int
    scores: list[float] = field(repr=False)


@dataclass(frozen=True)
class RankFlip(Result):
    """Two models that change places between two families, by error reduction."""

    split: str = field(metadata=OWN)
    other_split: str = field(metadata=OWN)
    better: str = field(metadata=OWN)
    better_there: str = field(metadata=OWN)


@dataclass(frozen=True)
class FamilyError(Result):
    """How far a family's estimates are from the new sample: mean squared error over the models."""

    split: str = field(metadata=OWN)
    mse: float
    mse_score: float
    n_models: int


@dataclass(frozen=True)
class StressTable(Result):
    """Scores under each family of splits, rank flips, and errors against a new sample."""

    _table: ClassVar[str] = "rows"

    rows: list[FamilyScore]
    flips: list[RankFlip]
    errors: list[FamilyError]
    new_sample: NewSampleScores | None
    notes: list[str] = field(metadata=NAME)

    def blocks(self) -> Iterator[Block]:
        """Yield the scores by family of splits, and what differs between the families."""
        from assay.models.view import show_stress_table

        yield from show_stress_table(self)


def build_stress_table(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    splits: Sequence[str] = FAMILIES,
    *,
    n_repeats: int = 5,
    test_size: float = 0.1,
    new_sample: Dataset | None = None,
    settings: Options | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> StressTable:
    """Fit every model under every split family, `n_repeats` draws each, and compare the scores.

    The error reduction is (p_s − p_b) / (1 − p_b), p_b the expected accuracy of guessing labels by their shares in
    training. `standard` is the data's own parts. Families the data cannot give are left out, with a note.
    """
    pool = data.drop_unlabelled().fill_texts()
    row_splits, notes = _draw_families(pool, splits, n_repeats, test_size, random_state)
    chosen = {model: resolve_settings(model, settings or {}, models) for model in dict.fromkeys(models)}
    X, y = list_items(pool), get_labels(pool)
    work: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
    fits = fit_under_splits(chosen, row_splits, X, y, **work)
    rows = _score_families(fits, np.array(y, dtype=object))
    notes += list_notes(fits)
    measured = None
    if new_sample is not None:
        measured = measure_new_sample(pool, new_sample.drop_unlabelled().fill_texts(), chosen, **work)
    return StressTable(rows, find_flips(rows), _compare_with_sample(rows, measured), measured, notes)


def find_flips(rows: Sequence[FamilyScore]) -> list[RankFlip]:
    """Return every change of places between two families; equal scores have no order."""
    values = {(row.split, row.model): row.error_reduction for row in rows}
    models, splits = (list(dict.fromkeys(getattr(row, name) for row in rows)) for name in ("model", "split"))
    flips = []
    for here, there in combinations(splits, 2):
        for a, b in combinations(models, 2):
            first, second = values[here, a] - values[here, b], values[there, a] - values[there, b]
            if first * second < 0:
                better, worse = (a, b) if first > 0 else (b, a)
                flips.append(RankFlip(here, there, better, worse))
    return flips


def _draw_families(
    data: Dataset, splits: Sequence[str], n_repeats: int, test_size: float, random_state: int
) -> tuple[NamedSplits, list[str]]:
    for name in splits:
        if name != STANDARD and name not in SPLITS:
            raise unknown_name("split", name, [STANDARD, *SPLITS])
    row_splits, notes = draw_named_splits(
        splits, lambda name: (_draw_family(data, name, n_repeats, test_size, random_state), None)
    )
    if not row_splits:
        reasons = " ".join(notes)
        raise AssayError(f"none of the splits {join_names(splits, 10)} can be made. {reasons}", place=data.name)
    return row_splits, notes


def _draw_family(data: Dataset, name: str, n_repeats: int, test_size: float, random_state: int) -> list[RowSplit]:
    if name == STANDARD:
        if "test" not in data.part_names or len(data.part_names) < 2:
            raise AssayError("there are no train and test parts", place=data.name)
        return [split_by_parts(data, random_state=random_state)[0]]
    kind = SPLITS[name]
    options: dict[str, Any] = {"test_size": test_size, "random_state": random_state}
    options["n_repeats"] = n_repeats if kind.is_random else 1
    if name == "temporal":
        options["times"] = find_times(data)
    groups = None if data.groups is None else data.groups.to_list()
    draws = kind(**options).iterate_partitions(data.texts.to_list(), get_labels(data), groups)
    return [rows for number, draw in enumerate(draws) for rows in split_by_draw(data, draw, number)]


def _score_families(fits: Sequence[SplitFit], y: Array) -> list[FamilyScore]:
    draws: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    for fit in fits:
        train, test = y[fit.rows.train], y[fit.rows.test]
        score = float(np.mean(fit.result.predicted == test))
        reduction = compute_error_reduction(score, expected_accuracy(train, test))
        draws.setdefault((fit.split, fit.model), []).append((score, reduction, len(test)))
    return [_average_draws(split, model, values) for (split, model), values in draws.items()]


def _average_draws(split: str, model: str, draws: list[tuple[float, float, int]]) -> FamilyScore:
    scores, reductions, sizes = (np.array(values, dtype=float) for values in zip(*draws, strict=True))
    return FamilyScore(
        split=split,
        model=model,
        score=float(scores.mean()),
        error_reduction=float(reductions.mean()),
        score_std=float(scores.std(ddof=1)) if len(scores) > 1 else float("nan"),
        n_draws=len(draws),
        n_test=round(float(sizes.mean())),
        scores=scores.tolist(),
    )


def _compare_with_sample(rows: Sequence[FamilyScore], sample: NewSampleScores | None) -> list[FamilyError]:
    if sample is None:
        return []
    truth = {score.model: score for score in sample.scores}
    errors = []
    for split in dict.fromkeys(row.split for row in rows):
        members = [row for row in rows if row.split == split]
        reductions = [(row.error_reduction - truth[row.model].error_reduction) ** 2 for row in members]
        scores = [(row.score - truth[row.model].score) ** 2 for row in members]
        errors.append(FamilyError(split, float(np.mean(reductions)), float(np.mean(scores)), len(members)))
    return errors
