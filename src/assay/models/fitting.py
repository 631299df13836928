"""Fit one model on some rows and predict others: the task that runs in parallel and is kept on disk."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError, unknown_name
from assay.base.parameters import Options
from assay.models.counted_texts import CountedTexts
from assay.models.inputs import Texts
from assay.models.presets import find_preset
from assay.models.registry import MODELS
from assay.models.row_splits import RowSplit
from assay.tasks import default_cache, run_tasks
from assay.tasks.running import Cache


@dataclass(frozen=True)
class FitTask:
    """A fit to run: a model with its settings, and the rows to learn from, to stop by and to predict."""

    model: str
    rows: RowSplit
    settings: dict[str, Any] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True)
class FitResult:
    """The result of a fit: its classes, their probabilities for every predicted row, and its notes."""

    classes: list[str]
    probabilities: Array = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def predicted(self) -> Array:
        """Return the most probable class of each row."""
        return np.array(self.classes, dtype=object)[self.probabilities.argmax(axis=1)]

    def take(self, rows: Array) -> FitResult:
        """Return what was predicted for some rows, in the order given."""
        return replace(self, probabilities=self.probabilities[rows])

    def spread_over(self, labels: Sequence[str]) -> Array:
        """Return the probabilities with a column for each of these labels; 0 if training had no such label.

        >>> FitResult(["b"], np.array([[1.0]])).spread_over(["a", "b"]).tolist()
        [[0.0, 1.0]]
        """
        columns = {label: number for number, label in enumerate(labels)}
        table = np.zeros((len(self.probabilities), len(labels)))
        table[:, [columns[label] for label in self.classes]] = self.probabilities
        return table


def run_fits(
    tasks: Sequence[FitTask],
    X: Texts,
    y: Values,
    *,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> list[FitResult]:
    """Run fits through `assay.tasks`; finished ones come from the cache.

    Linear fits run side by side, in threads unless a back end is named, and count the n-grams of `X` once; pass
    `CountedTexts` to share the counts between calls. The others use every core or the GPU themselves, so they run one
    after the other, and with a cache they leave a checkpoint there to resume from.
    """
    if not isinstance(X, CountedTexts) and any(task.model == "linear" for task in tasks):
        X = CountedTexts(X)
    folder = _find_folder(cache)
    arguments = [_make_arguments(task, X, y, _seed(random_state, n), folder) for n, task in enumerate(tasks)]
    side_by_side = [number for number, task in enumerate(tasks) if task.model == "linear"]
    one_by_one = [number for number, task in enumerate(tasks) if task.model != "linear"]
    results: dict[int, FitResult] = {}
    for numbers, n_workers, place in ((side_by_side, n_jobs, backend or "threads"), (one_by_one, 1, None)):
        chosen = [arguments[number] for number in numbers]
        done = run_tasks(fit_and_predict, chosen, n_jobs=n_workers, backend=place, cache=folder)
        results |= dict(zip(numbers, done, strict=True))
    return [results[number] for number in range(len(tasks))]


@dataclass(frozen=True)
class SplitFit:
    """A model under one draw or fold of a named split: its rows, and what it predicted for those held out."""

    model: str
    split: str
    rows: RowSplit = field(repr=False)
    result: FitResult = field(repr=False)


def fit_under_splits(
    models: Mapping[str, Options],
    splits: Sequence[tuple[str, RowSplit]],
    X: Texts,
    y: Values,
    **work: Any,
) -> list[SplitFit]:
    """Fit every model, with its settings, under every split; `work` is passed to `run_fits`."""
    plan = [(model, split, rows) for model in models for split, rows in splits]
    tasks = [
        FitTask(model, rows, models[model], ", ".join(filter(None, (model, split)))) for model, split, rows in plan
    ]
    return [SplitFit(*step, result) for step, result in zip(plan, run_fits(tasks, X, y, **work), strict=True)]


def list_notes(fits: Sequence[SplitFit]) -> list[str]:
    """Return the notes of all fits, each once."""
    return list(dict.fromkeys(note for fit in fits for note in fit.result.notes))


def fit_and_predict(
    model: str,
    settings: Options,
    train: tuple[Sequence[Any], list[str]],
    dev: tuple[Sequence[Any], list[str]] | None,
    X: Texts,
    name: str = "",
) -> FitResult:
    """Fit a model on texts and labels and return its probabilities for others."""
    classifier = MODELS[model](**settings)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # notes come back with the result
            classifier.fit(*train, *(dev or (None, None)))
            probabilities = classifier.predict_proba(X)
    except AssayError as error:
        raise _prefix_place(error, name) from error
    return FitResult([str(label) for label in classifier.classes_], probabilities, classifier.notes_)


def resolve_settings(model: str, settings: Options, models: Sequence[str]) -> Options:
    """Return the settings of one of several models: its preset's, those it knows, and those named for it alone.

    `NAME=VALUE` goes to every model that has such a parameter, `MODEL.NAME=VALUE` to one.

    >>> resolve_settings("linear", {"C": 2, "cnn.epochs": 3}, ["linear", "cnn"])
    {'C': 2}
    """
    parameters = {name: set(signature(MODELS[name]).parameters) for name in dict.fromkeys([model, *models])}
    resolved = find_preset(settings["preset"], model) if "preset" in settings else {}
    for name, value in settings.items():
        owner, dot, parameter = name.rpartition(".")
        owner = owner.replace("_", "-")
        if name == "preset" or (dot and owner != model and owner in models):
            continue
        owners = [owner] if dot else list(parameters)
        if not any(parameter in parameters.get(each, ()) for each in owners):
            raise unknown_name(f"parameter of {' or '.join(owners)}", parameter, set().union(*parameters.values()))
        if parameter in parameters[model]:
            resolved[parameter] = tuple(value) if isinstance(value, list) else value
    return resolved


def _find_folder(cache: Cache) -> Path | None:
    if cache is None or cache is False:
        return None
    return default_cache() if cache is True else Path(cache)


def _seed(random_state: int, number: int) -> int:
    """Return the seed of a fit; the first one's is the seed itself."""
    if number == 0:
        return random_state
    return int(np.random.SeedSequence([random_state, number]).generate_state(1)[0])


def _make_arguments(task: FitTask, X: Texts, y: Values, seed: int, folder: Path | None) -> tuple[Any, ...]:
    def take(rows: Array) -> tuple[Sequence[Any], list[str]]:
        labels = [y[row] for row in rows.tolist()]
        if task.model == "linear" and isinstance(X, CountedTexts):
            return X.take(rows), labels
        return [X[row] for row in rows.tolist()], labels

    settings = {"random_state": seed, **task.settings}
    dev = take(task.rows.dev) if len(task.rows.dev) else None
    arguments = (task.model, settings, take(task.rows.train), dev, take(task.rows.test)[0], task.name)
    if folder is not None and "checkpoint" in signature(MODELS[task.model]).parameters:
        import joblib

        settings.setdefault("checkpoint", str(folder / "checkpoints" / str(joblib.hash(arguments))))
    return arguments


def _prefix_place(error: AssayError, name: str) -> AssayError:
    place = ": ".join(part for part in (name, error.place) if part)
    return type(error)(error.fact, place=place or None, option=error.option, hint=error.hint)
