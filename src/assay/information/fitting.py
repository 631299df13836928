"""Fit control and full models round by round; each fit is a task that can be cached."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.data.hold_out import PartRows, draw_per_class
from assay.information.controls import compute_losses, predict_with_control, smooth_shares, spread_over_labels
from assay.information.stacking import apply_stack, fit_stack
from assay.models import MODELS
from assay.models.counted_texts import CountedTexts
from assay.tasks import run_tasks
from assay.tasks.threads import use_one_thread

# Settings worth trying: a loss punishes overfitting that accuracy forgives.
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "linear": ({}, {"C": 0.3}, {"C": 1.0, "word_ngrams": (1, 1), "char_ngrams": None}),
}
READY_MADE = "given"
MIN_ITEMS = 20
MIN_GROWTH_ITEMS = 1_000  # held-out items by which the growth of the loss is measured, if there are as many
N_STACKING_FOLDS = 5
ShortcutSet = tuple[str, ...]


@dataclass(frozen=True)
class ModelProbabilities:
    """Label probabilities of the development rows of each round, and of all held-out rows, round after round.

    `rows` selects the held-out rows that have any. `growth` is how much more some held-out items lose if the model
    learns from half of the training rows.
    """

    name: str
    dev: list[Array] = field(repr=False)
    test: Array = field(repr=False)
    temperature: float = 1.0
    rows: Any = field(default_factory=lambda: slice(None), repr=False)
    growth: Array | None = field(default=None, repr=False)


def fit_controls(
    table: dict[str, Array],
    sets: list[ShortcutSet],
    codes: Array,
    rounds: list[PartRows],
    candidates: tuple[str, ...],
    random_state: int,
    **work: Any,
) -> dict[ShortcutSet, ModelProbabilities]:
    """Choose the kind of control model on the widest set and the first round's development rows, and fit it in all."""
    inputs = {chosen: np.column_stack([table[name] for name in chosen]) for chosen in sets}
    shares = share_labels(codes, rounds)
    trials = run_tasks(
        fit_control, [(name, inputs[sets[-1]], codes, rounds[0], random_state) for name in candidates], **work
    )
    losses = [_stacked_loss(fit[0], shares[0][0], codes[rounds[0].dev]) for fit in trials]
    number = int(np.argmin(losses))
    name = candidates[number]
    tasks = [(name, inputs[chosen], codes, rows, random_state) for chosen in sets for rows in rounds]
    known = len(tasks) - len(rounds)  # the widest set in the first round
    fits = run_tasks(fit_control, [*tasks[:known], *tasks[known + 1 :]], **work)
    fits.insert(known, trials[number])
    cuts = range(0, len(fits), len(rounds))
    return {
        chosen: _stack_rounds(name, fits[start : start + len(rounds)], codes, rounds, shares)
        for chosen, start in zip(sets, cuts, strict=True)
    }


def share_labels(codes: Array, rounds: list[PartRows]) -> list[tuple[Array, Array]]:
    """Return the label shares of training for the development and held-out rows of every round."""
    n_labels = int(codes.max()) + 1
    tables = []
    for rows in rounds:
        shares = smooth_shares(codes[rows.train], n_labels)
        tables.append((np.tile(shares, (len(rows.dev), 1)), np.tile(shares, (len(rows.test), 1))))
    return tables


def fit_control(name: str, X: Array, codes: Array, rows: PartRows, random_state: int) -> tuple[Array, Array]:
    """Fit one control model and return its probabilities for development and held-out rows."""
    others = [X[rows.dev], X[rows.test]]
    n_labels = int(codes.max()) + 1
    with use_one_thread():  # tasks run side by side, and more threads would only slow them down
        dev, test = predict_with_control(name, X[rows.train], codes[rows.train], others, n_labels, random_state)
    return dev, test


def fit_full_models(
    X: Values,
    codes: Array,
    rounds: list[PartRows],
    models: tuple[str, ...],
    control: ModelProbabilities,
    random_state: int,
    **work: Any,
) -> ModelProbabilities:
    """Return the probabilities of the best full model, stacked with the control.

    The best of all models and their settings is chosen on the first round's development rows.
    """
    X = X if isinstance(X, CountedTexts) else CountedTexts(X)
    if all(model == "linear" for model in models) and work.get("backend") is None:
        work["backend"] = "threads"  # where fits share the n-gram counts
    trials = [(model, settings) for model in models for settings in VARIANTS.get(model, ({},))]
    first = run_tasks(fit_full_model, [(*trial, X, codes, rounds[0], random_state) for trial in trials], **work)
    losses = [_stacked_loss(dev, control.dev[0], codes[rounds[0].dev]) for dev, _ in first]
    best = int(np.argmin(losses))
    model, settings = trials[best]
    later = run_tasks(fit_full_model, [(model, settings, X, codes, rows, random_state) for rows in rounds[1:]], **work)
    ends = np.cumsum([0, *(len(rows.test) for rows in rounds)])
    controls = [(dev, control.test[ends[n] : ends[n + 1]]) for n, dev in enumerate(control.dev)]
    stacked = _stack_rounds(model, [first[best], *later], codes, rounds, controls)
    n_rounds = int(np.searchsorted(ends, MIN_GROWTH_ITEMS)) or 1
    halves = [halve_training(rows, codes, random_state) for rows in rounds[:n_rounds]]
    fits = run_tasks(fit_full_model, [(model, settings, X, codes, rows, random_state) for rows in halves], **work)
    half = _stack_rounds(model, fits, codes, halves, controls[:n_rounds]).test
    gold = codes[np.concatenate([rows.test for rows in halves])]
    growth = compute_losses(half, gold) - compute_losses(stacked.test[: len(half)], gold)
    return replace(stacked, growth=growth)


def halve_training(rows: PartRows, codes: Array, random_state: int) -> PartRows:
    """Return the same rows with half of the training rows of every class."""
    is_kept = draw_per_class(codes[rows.train], lambda size: (size + 1) // 2, np.random.default_rng(random_state))
    return PartRows(rows.train[is_kept], rows.dev, rows.test)


def fit_full_model(
    model: str, settings: Options, X: CountedTexts, codes: Array, rows: PartRows, random_state: int
) -> tuple[Array, Array]:
    """Fit a full model and return its probabilities for development and held-out rows."""
    classifier = MODELS[model](**settings)
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=random_state)
    train, dev, test = (X.take(part) for part in (rows.train, rows.dev, rows.test))
    classifier.fit(train, codes[rows.train].tolist(), dev, codes[rows.dev].tolist())
    n_labels = int(codes.max()) + 1
    tables = [spread_over_labels(classifier.predict_proba(part), classifier.classes_, n_labels) for part in (dev, test)]
    return tables[0], tables[1]


def stack_ready_made(
    probabilities: Array, codes: Array, rounds: list[PartRows], control: ModelProbabilities
) -> ModelProbabilities:
    """Stack ready-made probabilities with the control, cross-fitted over the held-out items that have them."""
    tested = np.concatenate([rows.test for rows in rounds])
    rows = np.flatnonzero(np.isfinite(probabilities[tested]).all(axis=1))
    if len(rows) < MIN_ITEMS:
        fact = f"Only {len(rows)} held-out items have probabilities for every label; at least {MIN_ITEMS} are needed."
        raise AssayError(fact)
    full = np.maximum(probabilities[tested[rows]], 1e-6)
    full /= full.sum(axis=1, keepdims=True)
    gold, shortcut = codes[tested[rows]], control.test[rows]
    test = np.empty_like(full)
    temperatures = []
    folds = np.arange(len(rows)) % N_STACKING_FOLDS
    for fold in range(N_STACKING_FOLDS):
        is_test = folds == fold
        weights, temperature = fit_stack(full[~is_test], shortcut[~is_test], gold[~is_test])
        test[is_test] = apply_stack(weights, full[is_test], shortcut[is_test])
        temperatures.append(temperature)
    return ModelProbabilities(READY_MADE, [], test, float(np.median(temperatures)), rows)


def _stacked_loss(full: Array, control: Array, gold: Array) -> float:
    weights, _ = fit_stack(full, control, gold)
    return float(compute_losses(apply_stack(weights, full, control), gold).mean())


def _stack_rounds(
    model: str,
    fits: list[tuple[Array, Array]],
    codes: Array,
    rounds: list[PartRows],
    controls: list[tuple[Array, Array]],
) -> ModelProbabilities:
    """Stack the models of all rounds with their controls, each with the weights that suit all other items best.

    The weights of a round are fitted on the development rows of all rounds but those that it holds out: on those of one
    round alone they would be so uncertain that they add to the loss.
    """
    rows = np.concatenate([round_.dev for round_ in rounds])
    full, control = np.concatenate([dev for dev, _ in fits]), np.concatenate([dev for dev, _ in controls])
    devs, tests, temperatures = [], [], []
    for round_, (dev, test), (control_dev, control_test) in zip(rounds, fits, controls, strict=True):
        is_used = ~np.isin(rows, round_.test)
        weights, temperature = fit_stack(full[is_used], control[is_used], codes[rows[is_used]])
        devs.append(apply_stack(weights, dev, control_dev))
        tests.append(apply_stack(weights, test, control_test))
        temperatures.append(temperature)
    return ModelProbabilities(model, devs, np.concatenate(tests), float(np.median(temperatures)))
