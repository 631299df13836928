"""Fit one model on some rows and predict others: the task that runs in parallel and is kept on disk."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.errors import AssayError, unknown_name
from assay.models import MODELS
from assay.models.counted_texts import CountedTexts
from assay.models.presets import preset


@dataclass(frozen=True)
class Fit:
    """What to fit: a model with settings, the rows to learn from, to stop by, and to predict."""

    model: str
    settings: dict[str, Any]
    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    dev: np.ndarray | None = field(default=None, repr=False)
    name: str = ""


@dataclass(frozen=True)
class Fitted:
    """What a fit gave: the classes it knew, their probabilities for every predicted row, and what it had to say."""

    classes: list[str]
    probabilities: np.ndarray = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def predicted(self) -> np.ndarray:
        """Return the most probable class of each row."""
        return np.array(self.classes, dtype=object)[self.probabilities.argmax(axis=1)]


def run_fits(
    fits: Sequence[Fit],
    X: Sequence[Any],
    y: Sequence[Any],
    *,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
) -> list[Fitted]:
    """Run fits through `assay.tasks`; finished ones come from the cache.

    Linear fits run side by side, in threads unless a back end is named, and count the n-grams of `X` once; pass
    `CountedTexts` to share the counts between calls. The others use every core or the GPU themselves, so they run one
    after the other, and with a cache they leave a checkpoint there to go on from.
    """
    from assay.tasks import run_tasks

    if not isinstance(X, CountedTexts) and any(fit.model == "linear" for fit in fits):
        X = CountedTexts(X)
    tasks = [_task(fit, X, y, _seed(random_state, number), cache) for number, fit in enumerate(fits)]
    alone = [number for number, fit in enumerate(fits) if fit.model != "linear"]
    side_by_side = [number for number, fit in enumerate(fits) if fit.model == "linear"]
    results: dict[int, Fitted] = {}
    for numbers, n_workers, where in ((side_by_side, n_jobs, backend or "threads"), (alone, 1, None)):
        made = run_tasks(fit_and_predict, [tasks[n] for n in numbers], n_jobs=n_workers, backend=where, cache=cache)
        results |= dict(zip(numbers, made, strict=True))
    return [results[number] for number in range(len(fits))]


def fit_and_predict(
    model: str,
    settings: dict[str, Any],
    train: tuple[Sequence[Any], list[str]],
    dev: tuple[Sequence[Any], list[str]] | None,
    X: Sequence[Any],
    name: str = "",
) -> Fitted:
    """Fit a model on texts and labels and return its probabilities for others."""
    classifier = MODELS[model](**settings)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # notes come back with the result
            classifier.fit(*train, *(dev or (None, None)))
            probabilities = classifier.predict_proba(X)
    except AssayError as error:
        raise AssayError(f"{name}: {error}") if name else error from error
    return Fitted([str(label) for label in classifier.classes_], probabilities, classifier.notes_)


def settings_for(model: str, settings: dict[str, Any], models: Sequence[str]) -> dict[str, Any]:
    """Return the settings a model takes: its preset's, those it knows, and those given for it alone.

    `NAME=VALUE` goes to every model that has such a parameter, `MODEL.NAME=VALUE` to one.

    >>> settings_for("linear", {"C": 2, "cnn.epochs": 3}, ["linear", "cnn"])
    {'C': 2}
    """
    known = {each: set(signature(MODELS[each]).parameters) for each in dict.fromkeys([model, *models])}
    found = preset(settings["preset"], model) if "preset" in settings else {}
    for name, value in settings.items():
        owner, dot, parameter = name.rpartition(".")
        owner = owner.replace("_", "-")
        if name == "preset" or (dot and owner != model and owner in models):
            continue
        takers = [owner] if dot else list(known)
        if not any(parameter in known.get(each, ()) for each in takers):
            raise unknown_name(f"parameter of {' or '.join(takers)}", parameter, set().union(*known.values()))
        if parameter in known[model]:
            found[parameter] = tuple(value) if isinstance(value, list) else value
    return found


def _seed(random_state: int, number: int) -> int:
    """Return the seed of a fit; the first one's is the seed itself."""
    if number == 0:
        return random_state
    return int(np.random.SeedSequence([random_state, number]).generate_state(1)[0])


def _task(fit: Fit, X: Sequence[Any], y: Sequence[Any], seed: int, cache: str | Path | None) -> tuple[Any, ...]:
    def taken(rows: np.ndarray) -> tuple[Sequence[Any], list[str]]:
        items = (
            X.take(rows) if fit.model == "linear" and isinstance(X, CountedTexts) else [X[row] for row in rows.tolist()]
        )
        return items, [y[row] for row in rows.tolist()]

    settings = {"random_state": seed, **fit.settings}
    dev = taken(fit.dev) if fit.dev is not None and len(fit.dev) else None
    task = (fit.model, settings, taken(fit.train), dev, taken(fit.test)[0], fit.name)
    if cache is not None and "checkpoint" in signature(MODELS[fit.model]).parameters:
        import joblib

        settings.setdefault("checkpoint", str(Path(cache) / "checkpoints" / str(joblib.hash(task))))
    return task
