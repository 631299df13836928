"""Fit control and full models round by round; each fit is a task that can be cached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.data.hold_out import PartRows
from assay.information.control import fitted_probabilities, losses, smoothed_shares, spread
from assay.information.stacking import stack, stacked
from assay.tasks import run_tasks

Array = NDArray[np.float64]

# Settings worth trying, as losses punish what accuracies forgive: a full model must not overfit.
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "linear": ({}, {"C": 0.3}, {"C": 1.0, "word_ngrams": (1, 1), "char_ngrams": None}),
}


@dataclass(frozen=True)
class Probabilities:
    """Label probabilities of the development rows of each round, and of all held-out rows, round after round."""

    name: str
    dev: list[Array]
    test: Array
    temperature: float = 1.0
    rows: Any = field(default_factory=lambda: slice(None))


def control_probabilities(
    table: dict[str, Array],
    sets: list[tuple[str, ...]],
    codes: NDArray[np.int64],
    plan: list[PartRows],
    candidates: tuple[str, ...],
    random_state: int,
    **work: Any,
) -> dict[tuple[str, ...], Probabilities]:
    """Choose a control model for each set on the first round's development rows, and fit it in every round."""
    inputs = {chosen: np.column_stack([table[name] for name in chosen]) for chosen in sets}
    trials = [(chosen, name) for chosen in sets for name in candidates]
    tasks = [(name, inputs[chosen], codes, plan[0], random_state) for chosen, name in trials]
    first = run_tasks(fit_control, tasks, **work)
    by_set: dict[tuple[str, ...], tuple[float, str, Any]] = {}
    for (chosen, name), found in zip(trials, first, strict=True):
        loss = float(losses(found[0], codes[plan[0].dev]).mean())
        if chosen not in by_set or loss < by_set[chosen][0]:
            by_set[chosen] = (loss, name, found)
    later = [(by_set[chosen][1], inputs[chosen], codes, round_, random_state) for chosen in sets for round_ in plan[1:]]
    rest = iter(run_tasks(fit_control, later, **work))
    picked = {}
    for chosen in sets:
        found = [by_set[chosen][2], *(next(rest) for _ in plan[1:])]
        devs, tests = zip(*found, strict=True)
        picked[chosen] = Probabilities(by_set[chosen][1], list(devs), np.concatenate(tests))
    return picked


def fit_control(name: str, X: Array, codes: NDArray[np.int64], plan: PartRows, seed: int) -> tuple[Array, Array]:
    """Fit one control model and return its probabilities for development and held-out rows."""
    from threadpoolctl import threadpool_limits

    others = [X[plan.dev], X[plan.test]]
    n_labels = int(codes.max()) + 1
    with threadpool_limits(1):  # tasks run side by side; threads inside them only get in each other's way
        dev, test = fitted_probabilities(name, X[plan.train], codes[plan.train], others, n_labels, seed)
    shares = [np.tile(smoothed_shares(codes[plan.train], n_labels), (len(rows), 1)) for rows in (dev, test)]
    weights, _ = stack(dev, shares[0], codes[plan.dev])
    return stacked(weights, dev, shares[0]), stacked(weights, test, shares[1])


def full_probabilities(
    X: Any,
    codes: NDArray[np.int64],
    plan: list[PartRows],
    models: tuple[str, ...],
    control: Probabilities,
    given: Any,
    random_state: int,
    **work: Any,
) -> Probabilities:
    """Return the best full model's probabilities, stacked with the control; or the given ones, stacked likewise.

    The best is chosen, among models and their settings, on the first round's development rows.
    """
    if given is not None:
        return given_probabilities(np.asarray(given, dtype=np.float64), codes, plan, control)
    trials = [(model, settings) for model in models for settings in VARIANTS.get(model, ({},))]
    first = run_tasks(fit_full, [(*trial, X, codes, plan[0], random_state) for trial in trials], **work)
    scores = [dev_loss(dev, control.dev[0], codes[plan[0].dev]) for dev, _ in first]
    best = int(np.argmin(scores))
    model, settings = trials[best]
    later = run_tasks(fit_full, [(model, settings, X, codes, round_, random_state) for round_ in plan[1:]], **work)
    return stacked_rounds(model, [first[best], *later], codes, plan, control)


def fit_full(
    model: str, settings: dict[str, Any], X: Any, codes: NDArray[np.int64], plan: PartRows, random_state: int
) -> tuple[Array, Array]:
    """Fit a full model and return its probabilities for development and held-out rows."""
    from assay.models import MODELS

    classifier = MODELS[model](**settings)
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=random_state)
    train, dev, test = ([X[row] for row in rows] for rows in (plan.train, plan.dev, plan.test))
    classifier.fit(train, codes[plan.train].tolist(), dev, codes[plan.dev].tolist())
    n_labels = int(codes.max()) + 1
    shares = [spread(classifier.predict_proba(rows), classifier.classes_, n_labels) for rows in (dev, test)]
    return shares[0], shares[1]


def dev_loss(full: Array, control: Array, truth: NDArray[np.int64]) -> float:
    """Return the development loss of a full model stacked with the control."""
    weights, _ = stack(full, control, truth)
    return float(losses(stacked(weights, full, control), truth).mean())


def stacked_rounds(
    model: str, fits: list[tuple[Array, Array]], codes: NDArray[np.int64], plan: list[PartRows], control: Probabilities
) -> Probabilities:
    """Stack a model with the control in every round."""
    start, tests, temperatures = 0, [], []
    for round_, (dev, test), control_dev in zip(plan, fits, control.dev, strict=True):
        weights, temperature = stack(dev, control_dev, codes[round_.dev])
        control_test = control.test[start : start + len(round_.test)]
        start += len(round_.test)
        tests.append(stacked(weights, test, control_test))
        temperatures.append(temperature)
    return Probabilities(model, [], np.concatenate(tests), float(np.median(temperatures)))


def given_probabilities(
    given: Array, codes: NDArray[np.int64], plan: list[PartRows], control: Probabilities
) -> Probabilities:
    """Stack the user's probabilities with the control, cross-fitted over the items that have them."""
    tested = np.concatenate([round_.test for round_ in plan])
    rows = np.flatnonzero(np.isfinite(given[tested]).all(axis=1))
    if len(rows) < 20:
        raise AssayError(f"Only {len(rows)} held-out items have probabilities for every label; at least 20 are needed.")
    own = np.maximum(given[tested[rows]], 1e-6)
    own /= own.sum(axis=1, keepdims=True)
    truth, shortcut = codes[tested[rows]], control.test[rows]
    test = np.empty_like(own)
    temperatures = []
    folds = np.arange(len(rows)) % 5
    for fold in range(5):
        weights, temperature = stack(own[folds != fold], shortcut[folds != fold], truth[folds != fold])
        test[folds == fold] = stacked(weights, own[folds == fold], shortcut[folds == fold])
        temperatures.append(temperature)
    return Probabilities("given", [], test, float(np.median(temperatures)), rows)
