"""Task-specific information: what the labels of a dataset need beyond its shortcuts, in nats (Zhu et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import factorial
from typing import Any, Unpack

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import AssayError
from assay.data.hold_out import PartRows, choose_parts, draw_per_class, select_part_rows
from assay.information.baselines import score_baselines
from assay.information.controls import compute_losses, smooth_shares
from assay.information.cues.features import build_cue_features
from assay.information.cues.model import predict_with_cues
from assay.information.cues.search import Cue, search_cues
from assay.information.fitting import ModelProbabilities, ShortcutSet, fit_controls, fit_full_models, stack_ready_made
from assay.information.item_information import build_item_table
from assay.information.item_texts import ItemTexts
from assay.information.results import ControlModel, FullModel, Information, ShortcutModel
from assay.information.settings import FittingArguments, InformationSettings
from assay.information.shortcuts import abbreviate, build_shortcut_table, choose_shortcuts
from assay.metrics.common.probabilities import collect_calibration, compute_calibration_error
from assay.models.counted_texts import CountedTexts
from assay.models.inputs import to_sides
from assay.statistics import Interval, bootstrap_sums, percentile, wilson
from assay.text import Corpus
from assay.wording.numbers import write_rounded

DEV_SHARE = 0.125
MAX_SHORTCUTS_FOR_ALL_SETS = 4
MAX_CALIBRATION_ERROR = 0.1
N_RESAMPLES = 2000
MISSING_GROWTH = 4.0  # what all missing training items cost, in units of what half of those at hand cost


@entry_point(FittingArguments)
def measure_task_information(
    X: Values,
    labels: Values,
    *,
    parts: Sequence[str | None] | None = None,
    groups: Sequence[object] | None = None,
    shortcuts: str | Sequence[str] | None = None,
    own: Mapping[str, object] | None = None,
    probabilities: Array | None = None,
    cues: Sequence[Cue] | None = None,
    corpora: Sequence[Corpus] | None = None,
    settings: InformationSettings = InformationSettings(),
    **options: Unpack[FittingArguments],
) -> Information:
    """Measure how much of the label the input tells beyond its shortcuts.

    X holds texts, or pairs as two-tuples. All losses are on held-out items: the test part, or all items by
    cross-fitting if `parts` has no test part. `own` maps names of `shortcuts` to the user's columns. `probabilities`
    (items × labels in sorted order, nan if unknown) replaces the full models. `corpora`, the words of each side, and
    `cues` are reused if they are known already. `options` are fields of the settings.
    """
    settings = replace_settings(settings, options)
    random_state = settings.random_state
    items = ItemTexts(to_sides(X), corpora)
    names, codes = _code_labels(labels)
    chosen = tuple(list_strings(shortcuts)) if shortcuts is not None else choose_shortcuts(items.n_sides)
    rounds = plan_rounds(codes, parts, groups, settings.n_splits, random_state)
    sets = list_shortcut_sets(chosen)
    table = build_shortcut_table(items, chosen, own)
    work: dict[str, Any] = {"n_jobs": settings.n_jobs, "backend": settings.backend, "cache": settings.cache}
    fitted = fit_controls(table, sets, codes, rounds, tuple(list_strings(settings.controls)), random_state, **work)
    widest = fitted[sets[-1]]
    if probabilities is None:
        models = tuple(list_strings(settings.models))
        full = fit_full_models(X, codes, rounds, models, widest, random_state, **work)
    else:
        full = stack_ready_made(np.asarray(probabilities, dtype=np.float64), codes, rounds, widest)
    measured = _select_items(codes, rounds, full, groups)
    by_shortcuts = [widest.test[full.rows]]
    if settings.search:
        features = build_cue_features(items)
        by_shortcuts.append(predict_with_cues(features, codes, names, rounds)[full.rows])
        cues = search_cues(features, codes, names) if cues is None else cues
    item_table = build_item_table(measured.rows, names, measured.gold, full.test, by_shortcuts, measured.null_losses)
    control_models = _compare_controls(sets, fitted, full, measured, random_state)
    full_model = _describe_full(full, measured.gold)
    entropy = _compute_entropy(codes)
    return Information(
        entropy=entropy,
        full=full_model,
        control=control_models,
        contributions=_share_contributions(chosen, fitted, full.rows, measured),
        baselines=score_baselines(items, codes, rounds, X if isinstance(X, CountedTexts) else None)
        if settings.search
        else [],
        cues=list(cues or ()),
        shortcut_model=_describe_shortcuts(by_shortcuts[-1], measured, item_table["shortcut_solvable"].to_numpy()),
        n_items=len(measured.rows),
        n_labels=len(names),
        cross_fitted=len(rounds) > 1,
        notes=_check_bounds(control_models, full_model, entropy),
        items=item_table,
    )


def list_shortcut_sets(names: ShortcutSet) -> list[ShortcutSet]:
    """Return every set of shortcuts, small ones first; with five or more, each alone and nested ones.

    >>> list_shortcut_sets(("P", "S"))
    [('P',), ('S',), ('P', 'S')]
    """
    if not names:
        raise AssayError("Information needs at least one shortcut.")
    if len(names) <= MAX_SHORTCUTS_FOR_ALL_SETS:
        return [chosen for size in range(1, len(names) + 1) for chosen in combinations(names, size)]
    return [(name,) for name in names] + [names[:size] for size in range(2, len(names) + 1)]


@dataclass(frozen=True)
class _MeasuredItems:
    """The held-out items that are measured: their rows, labels, groups, and losses of the label shares alone."""

    rows: Array
    gold: Array
    groups: Array | None
    null_losses: Array


def _select_items(codes: Array, rounds: list[PartRows], full: ModelProbabilities, groups: Any) -> _MeasuredItems:
    n_labels = int(codes.max()) + 1
    losses = []
    for split in rounds:
        shares = smooth_shares(codes[np.r_[split.train, split.dev]], n_labels)
        losses.append(-np.log(shares[codes[split.test]]))
    rows = np.concatenate([split.test for split in rounds])[full.rows]
    selected = None if groups is None else np.asarray(groups)[rows]
    return _MeasuredItems(rows, codes[rows], selected, np.concatenate(losses)[full.rows])


def _code_labels(labels: Values) -> tuple[list[str], Array]:
    names, codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
    if len(names) < 2:
        raise AssayError(f"Information needs at least two labels; all {len(codes)} items have '{names[0]}'.")
    return names.tolist(), codes


def _compute_entropy(codes: Array) -> float:
    shares = np.bincount(codes) / len(codes)
    return float(-shares @ np.log(shares))


def _compare_controls(
    sets: list[ShortcutSet],
    fitted: dict[ShortcutSet, ModelProbabilities],
    full: ModelProbabilities,
    measured: _MeasuredItems,
    random_state: int,
) -> list[ControlModel]:
    """Compare each control's losses with the full model's, item by item."""
    gold, n = measured.gold, len(measured.gold)
    tables = [fitted[chosen].test[full.rows] for chosen in sets]
    losses = np.column_stack([compute_losses(table, gold) for table in tables])
    differences = losses - compute_losses(full.test, gold)[:, None]
    sums = bootstrap_sums(np.column_stack([differences, np.ones(n)]), N_RESAMPLES, random_state, measured.groups)
    results = []
    for column, (chosen, table) in enumerate(zip(sets, tables, strict=True)):
        interval = percentile(sums[:, column] / sums[:, -1])
        value = float(differences[:, column].mean())
        results.append(
            ControlModel(
                shortcuts=abbreviate(chosen),
                tsi=widen_upwards(Interval(value, interval.low, interval.high, method="bootstrap"), full.growth),
                nll=float(losses[:, column].mean()),
                accuracy=_compute_accuracy(table, gold),
                model=fitted[chosen].name,
                n_items=n,
            )
        )
    return results


def widen_upwards(estimate: Interval, growth: Array | None) -> Interval:
    """Raise the upper end by what the full model fails to learn from too few items, and by how uncertain that is.

    If a model of half of the training items loses `growth` more, all items that are missing for the lowest loss cost at
    most about four times as much: the excess falls with a power of the training size of a third or more.

    >>> round(widen_upwards(Interval(0.2, 0.1, 0.3), np.full(50, 0.01)).high, 3)
    0.34
    """
    if growth is None or len(growth) < 2:
        return estimate
    bias = MISSING_GROWTH * max(0.0, float(growth.mean()))
    error = 1.96 * MISSING_GROWTH * float(growth.std(ddof=1)) / math.sqrt(len(growth))
    return replace(estimate, high=estimate.value + bias + math.hypot(estimate.high - estimate.value, error))


def _describe_full(full: ModelProbabilities, gold: Array) -> FullModel:
    loss = float(compute_losses(full.test, gold).mean())
    error = float(compute_calibration_error(collect_calibration(full.test, gold).sum(axis=0)))
    return FullModel(full.name, loss, _compute_accuracy(full.test, gold), full.temperature, error)


def _describe_shortcuts(probabilities: Array, measured: _MeasuredItems, is_solved: Array) -> ShortcutModel:
    information = float(measured.null_losses.mean() - compute_losses(probabilities, measured.gold).mean())
    solved = wilson(int(is_solved.sum()), len(is_solved))
    return ShortcutModel(information, _compute_accuracy(probabilities, measured.gold), solved)


def _share_contributions(
    names: ShortcutSet, fitted: dict[ShortcutSet, ModelProbabilities], rows: Any, measured: _MeasuredItems
) -> dict[str, float] | None:
    """Share what the shortcuts tell about the label among them (Shapley); None if not every set was fitted."""
    if len(names) > MAX_SHORTCUTS_FOR_ALL_SETS:
        return None
    null_loss = measured.null_losses.mean()
    losses = {chosen: compute_losses(model.test[rows], measured.gold).mean() for chosen, model in fitted.items()}
    gains = {chosen: float(null_loss - loss) for chosen, loss in losses.items()}
    return compute_shapley_values({(): 0.0, **gains}, names)


def _compute_accuracy(probabilities: Array, gold: Array) -> float:
    return float((probabilities.argmax(axis=1) == gold).mean())


def _check_bounds(controls: list[ControlModel], full: FullModel, entropy: float) -> list[str]:
    """Say where a bound of the theory is broken: 0 <= TSI <= H(Y)."""
    notes = [
        f"Information beyond {control.shortcuts} (TSI) is below 0 ({write_rounded(control.tsi.value, 3)}): "
        "the full model is too weak to show information."
        for control in controls
        if control.tsi.high < 0
    ]
    notes += [
        f"Information beyond {control.shortcuts} (TSI) exceeds the label entropy {entropy:.3f}: the control is worse "
        "than label shares alone."
        for control in controls
        if control.tsi.low > entropy
    ]
    if full.calibration_error > MAX_CALIBRATION_ERROR:
        notes.append(f"The full model is badly calibrated (error {full.calibration_error:.2f}): its loss is too high.")
    return notes


Names = tuple[str, ...]


def compute_shapley_values(gains: Mapping[Names, float], names: Names) -> dict[str, float]:
    """Return each name's mean gain over all orders in which names can be added; they sum to the gain of all names.

    >>> compute_shapley_values({(): 0.0, ("P",): 1.0, ("S",): 2.0, ("P", "S"): 4.0}, ("P", "S"))
    {'P': 1.5, 'S': 2.5}
    """
    n = len(names)
    values = {}
    for name in names:
        others = [other for other in names if other != name]
        values[name] = sum(
            factorial(size) * factorial(n - size - 1) / factorial(n)
            * (gains[_in_order((*chosen, name), names)] - gains[_in_order(chosen, names)])
            for size in range(n)
            for chosen in combinations(others, size)
        )  # fmt: skip
    return values


def _in_order(chosen: Names, names: Names) -> Names:
    return tuple(name for name in names if name in chosen)


def plan_rounds(
    codes: Array, parts: object = None, groups: object = None, n_splits: int = 5, random_state: int = 0
) -> list[PartRows]:
    """Return train, dev and test by the parts, or cross-fitting rounds if there are none.

    Without a dev part, an eighth of the training rows of every class is set aside; without a test part, dev is
    measured. Groups are never divided.
    """
    names = np.asarray(parts, dtype=object) if parts is not None else np.array([None] * len(codes))
    chosen = choose_parts(set(names.tolist()), train=("train",))
    if chosen is None:
        return _cross_fit(codes, groups, n_splits, random_state)
    rows = select_part_rows(names.tolist(), train=chosen[0], test=chosen[1])
    return [rows if len(rows.dev) else _set_dev_aside(rows.train, rows.test, codes, groups, random_state)]


def _cross_fit(codes: Array, groups: object, n_splits: int, random_state: int) -> list[PartRows]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    smallest = int(np.bincount(codes).min())
    if len(codes) < 2 * n_splits:
        raise AssayError(f"{len(codes)} labelled items are too few for {n_splits} folds.")
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splitter = kind(n_splits, shuffle=True, random_state=random_state)
    strata = codes if smallest >= n_splits else np.zeros_like(codes)  # rare labels cannot be spread over all folds
    folds = splitter.split(np.zeros(len(codes)), strata, groups)
    return [_set_dev_aside(train, test, codes, groups, random_state + 1) for train, test in folds]


def _set_dev_aside(train: Array, test: Array, codes: Array, groups: object, random_state: int) -> PartRows:
    rng = np.random.default_rng(random_state)
    if groups is None:
        is_dev = draw_per_class(codes[train], lambda size: round(DEV_SHARE * size), rng)
    else:
        names = np.unique(np.asarray(groups)[train])
        drawn = rng.permutation(names)[: max(1, round(DEV_SHARE * len(names)))]
        is_dev = np.isin(np.asarray(groups)[train], drawn)
    if not is_dev.any():
        raise AssayError(f"{len(train)} training items are too few to set some aside for choosing a model.")
    return PartRows(train[~is_dev], train[is_dev], test)
