"""The stress table: what models score under each family of splits, and which family foretells a new sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.errors import AssayError, join_names, unknown_name
from assay.base.results import Result
from assay.models.cuts import Cut, drawn_cuts, own_cuts
from assay.models.fits import Fit, Fitted, run_fits, settings_for
from assay.models.inputs import joined
from assay.models.studies.samples import NewSample, check_new_sample

if TYPE_CHECKING:
    from assay.data import Dataset

STANDARD = "standard"
FAMILIES = (STANDARD, *"random bootstrap length random-length rare-words wasserstein sds-k-means temporal".split())


@dataclass(frozen=True)
class FamilyScore(Result):
    """A model under a family of splits: mean accuracy and error reduction over the draws, their spread (ddof 1)."""

    split: str
    model: str
    score: float
    error_reduction: float
    score_std: float
    n_draws: int
    n_test: int
    scores: list[float] = field(repr=False)


@dataclass(frozen=True)
class RankFlip(Result):
    """Two models that change places between two families, by error reduction."""

    split: str
    other_split: str
    better: str
    better_there: str


@dataclass(frozen=True)
class FamilyError(Result):
    """How far a family's estimates are from the new sample: mean squared error over the models."""

    split: str
    mse: float
    mse_score: float
    n_models: int


@dataclass(frozen=True)
class StressTable(Result):
    """Scores under each family of splits (paper 004, Table 2), rank flips, and errors against a new sample."""

    _table: ClassVar[str] = "rows"

    rows: list[FamilyScore]
    flips: list[RankFlip]
    errors: list[FamilyError]
    new_sample: NewSample | None
    notes: list[str]


def stress_table(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    splits: Sequence[str] = FAMILIES,
    *,
    repeats: int = 5,
    test_size: float = 0.1,
    new_sample: Dataset | None = None,
    settings: dict[str, Any] | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
) -> StressTable:
    """Fit every model under every split family, `repeats` draws each, and set the scores side by side.

    The error reduction is (p_s − p_b) / (1 − p_b), p_b the expected accuracy of guessing labels by their shares in
    training. `standard` is the data's own parts. Families the data cannot give are left out, with a note.
    """
    pool = data.drop_unlabelled().fill_texts()
    cuts, notes = _cuts(pool, splits, repeats, test_size, random_state)
    chosen = {model: settings_for(model, settings or {}, models) for model in dict.fromkeys(models)}
    y = _labels(pool)
    plan = [(model, split, cut) for model in chosen for split, cut in cuts]
    fits = [Fit(m, chosen[m], cut.train, cut.test, cut.dev, f"{m}, {split}") for m, split, cut in plan]
    X = joined(tuple(side.to_list() for side in pool.sides))
    running: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
    made = run_fits(fits, X, y, **running)
    rows = _scores(plan, made, np.array(y, dtype=object))
    notes += dict.fromkeys(note for fitted in made for note in fitted.notes)
    fresh = None
    if new_sample is not None:
        fresh = check_new_sample(pool, new_sample.drop_unlabelled().fill_texts(), chosen, running)
    return StressTable(rows, _flips(rows), _errors(rows, fresh), fresh, notes)


def chance(train: np.ndarray, test: np.ndarray) -> float:
    """Return the expected accuracy of guessing labels by their shares in training.

    >>> chance(np.array(["a", "a", "b", "b"]), np.array(["a", "b"]))
    0.5
    """
    return float(sum(np.mean(train == label) * np.mean(test == label) for label in set(train.tolist())))


def reduction(score: float, baseline: float) -> float:
    """Return the share of the baseline's errors that are avoided; nan for a perfect baseline."""
    return (score - baseline) / (1 - baseline) if baseline < 1 else float("nan")


def _cuts(
    data: Dataset, splits: Sequence[str], repeats: int, test_size: float, seed: int
) -> tuple[list[tuple[str, Cut]], list[str]]:
    from assay.splits import SPLITS

    cuts: list[tuple[str, Cut]] = []
    notes: list[str] = []
    for name in splits:
        if name != STANDARD and name not in SPLITS:
            raise unknown_name("split", name, [STANDARD, *SPLITS])
        try:
            cuts += [(name, cut) for cut in _family(data, name, repeats, test_size, seed)]
        except AssayError as error:
            notes.append(f"The {name} split is left out: {error}")
    if not cuts:
        raise AssayError(f"{data.name}: none of the splits {join_names(splits, 10)} can be made. {' '.join(notes)}")
    return cuts, notes


def _family(data: Dataset, name: str, repeats: int, test_size: float, seed: int) -> list[Cut]:
    from assay.splits import SPLITS

    if name == STANDARD:
        if "test" not in data.part_names or len(data.part_names) < 2:
            raise AssayError(f"{data.name} has no train and test parts.")
        return own_cuts(data, random_state=seed)[0]
    kind = SPLITS[name]
    options: dict[str, Any] = {"test_size": test_size, "random_state": seed}
    options["n_repeats"] = repeats if kind.draws else 1
    if name == "temporal":
        if data.times is None:
            raise AssayError(f"{data.name} has no column with dates (--time).")
        options["times"] = data.times
    groups = None if data.groups is None else data.groups.to_list()
    drawn = kind(**options).partitions(data.texts.to_list(), _labels(data), groups)
    return [cut for number, parts in enumerate(drawn) for cut in drawn_cuts(data, parts, number)]


def _labels(data: Dataset) -> list[str]:
    assert data.labels is not None
    return data.labels.to_list()


def _scores(plan: list[tuple[str, str, Cut]], made: list[Fitted], y: np.ndarray) -> list[FamilyScore]:
    found: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    for (model, split, cut), fitted in zip(plan, made, strict=True):
        score = float(np.mean(fitted.predicted == y[cut.test]))
        drawn = (score, reduction(score, chance(y[cut.train], y[cut.test])), len(cut.test))
        found.setdefault((split, model), []).append(drawn)
    return [_family_score(split, model, drawn) for (split, model), drawn in found.items()]


def _family_score(split: str, model: str, drawn: list[tuple[float, float, int]]) -> FamilyScore:
    scores, reductions, sizes = (np.array(values, dtype=float) for values in zip(*drawn, strict=True))
    std = float(scores.std(ddof=1)) if len(scores) > 1 else float("nan")
    means = (float(scores.mean()), float(reductions.mean()), std)
    return FamilyScore(split, model, *means, len(drawn), round(float(sizes.mean())), scores.tolist())


def _flips(rows: Sequence[FamilyScore]) -> list[RankFlip]:
    """Return every change of places between two families; equal scores are no order."""
    value = {(row.split, row.model): row.error_reduction for row in rows}
    models, splits = (list(dict.fromkeys(getattr(row, name) for row in rows)) for name in ("model", "split"))
    flips = []
    for here, there in combinations(splits, 2):
        for a, b in combinations(models, 2):
            first, second = value[here, a] - value[here, b], value[there, a] - value[there, b]
            if first * second < 0:
                better, worse = (a, b) if first > 0 else (b, a)
                flips.append(RankFlip(here, there, better, worse))
    return flips


def _errors(rows: Sequence[FamilyScore], fresh: NewSample | None) -> list[FamilyError]:
    if fresh is None:
        return []
    truth = {score.model: score for score in fresh.scores}
    errors = []
    for split in dict.fromkeys(row.split for row in rows):
        here = [row for row in rows if row.split == split]
        reduced = [(row.error_reduction - truth[row.model].error_reduction) ** 2 for row in here]
        plain = [(row.score - truth[row.model].score) ** 2 for row in here]
        errors.append(FamilyError(split, float(np.mean(reduced)), float(np.mean(plain)), len(here)))
    return errors
