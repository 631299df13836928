"""Task-specific information: what a dataset asks for beyond its shortcuts, in nats (paper 003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.results import Result
from assay.data.hold_out import PartRows
from assay.evaluation.metrics.probability import calibration_error, calibration_table
from assay.information.baselines import Baseline, baselines
from assay.information.control import CONTROLS, losses, smoothed_shares
from assay.information.cue_model import cue_probabilities
from assay.information.cues import Cue, search_cues
from assay.information.fitting import Probabilities, control_probabilities, full_probabilities
from assay.information.item_table import item_table
from assay.information.plan import rounds
from assay.information.shapley import shapley
from assay.information.shortcuts import code, shortcut_table
from assay.statistics import bootstrap_sums, percentile

Array = NDArray[np.float64]
MOST_FOR_ALL_SETS = 4


@dataclass(frozen=True)
class Control(Result):
    """What a set of shortcuts leaves to be known: tsi = nll of the control - nll of the full model, in nats."""

    shortcuts: str
    tsi: float
    tsi_low: float
    tsi_high: float
    nll: float
    accuracy: float
    model: str
    n_items: int


@dataclass(frozen=True)
class Full(Result):
    """The best full model, stacked with the control and calibrated on development items."""

    model: str
    nll: float
    accuracy: float
    temperature: float
    calibration_error: float


@dataclass(frozen=True)
class ShortcutModel(Result):
    """How far the cheapest cues get on held-out items: their information in nats, and the items shortcuts solve."""

    information: float
    accuracy: float
    solved_share: float


@dataclass(frozen=True)
class Information(Result):
    """Task-specific information of a dataset, with what it rests on.

    The difference of losses estimates I(Y; X_t | X_s); it is I(Y; X_t) only if X_s and X_t are independent, also
    given Y. Intervals are percentile bootstraps over held-out items (over groups where given) for fixed models.
    """

    _table: ClassVar[str] = "control"

    entropy: float
    full: Full
    control: list[Control]
    contributions: dict[str, float] | None
    baselines: list[Baseline]
    cues: list[Cue]
    shortcut_model: ShortcutModel
    n_items: int
    n_labels: int
    cross_fitted: bool
    notes: list[str]
    items: Any = field(repr=False, compare=False)

    @property
    def tsi(self) -> float:
        """The information beyond all shortcuts together."""
        return self.control[-1].tsi

    def to_dict(self) -> dict[str, Any]:
        """Return the fields but for the table of items, which has a file of its own."""
        return {name: value for name, value in super().to_dict().items() if name != "items"}


def task_specific_information(
    X: Sequence[Any],
    labels: Sequence[Any],
    *,
    parts: Any = None,
    groups: Any = None,
    shortcuts: Sequence[str] | None = None,
    own: dict[str, Any] | None = None,
    models: Sequence[str] = ("linear",),
    probabilities: Any = None,
    controls: Sequence[str] = CONTROLS,
    n_folds: int = 5,
    search: bool = True,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Any = None,
) -> Information:
    """Measure how much of the label the input tells beyond its shortcuts.

    X holds texts, or pairs as two-tuples. All losses are on held-out items: the test part, or all items by
    cross-fitting where `parts` gives none. `own` maps names of `shortcuts` to the user's columns; `probabilities`
    (items × labels in sorted order, nan where there are none) replaces the full models. Without `search`, baselines
    and cues are left out.
    """
    from assay.models.inputs import sides_of

    sides = sides_of(X)
    names, codes = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
    if len(names) < 2:
        raise AssayError(f"Information needs at least two labels; all {len(codes)} items have '{names[0]}'.")
    chosen = tuple(shortcuts) if shortcuts is not None else default_shortcuts(len(sides))
    table = shortcut_table(sides, chosen, own)
    plan = rounds(codes, parts, groups, n_folds, random_state)
    work = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
    sets = shortcut_sets(chosen)
    picked = control_probabilities(table, sets, codes, plan, tuple(controls), random_state, **work)
    widest = picked[sets[-1]]
    full = full_probabilities(X, codes, plan, tuple(models), widest, probabilities, random_state, **work)
    measured = np.concatenate([round_.test for round_ in plan])[full.rows]
    truth = codes[measured]
    null = np.concatenate([null_losses(codes, round_, len(names)) for round_ in plan])[full.rows]
    held_groups = None if groups is None else np.asarray(groups)[measured]
    controls_found = compared(sets, picked, full.test, full.rows, truth, held_groups, random_state)
    by_shortcuts = [widest.test[full.rows]]
    if search:
        by_shortcuts.append(cue_probabilities(sides, codes, names.tolist(), plan)[full.rows])
    items = item_table(measured, names, truth, full.test, by_shortcuts, null)
    entropy = float(-(shares := np.bincount(codes) / len(codes)) @ np.log(shares))
    full_result = Full(
        full.name, float(losses(full.test, truth).mean()), accuracy(full.test, truth),
        full.temperature, float(calibration_error(calibration_table(full.test, truth).sum(axis=0))),
    )  # fmt: skip
    return Information(
        entropy=entropy,
        full=full_result,
        control=controls_found,
        contributions=contributions(chosen, sets, picked, full.rows, truth, null),
        baselines=baselines(sides, codes, plan) if search else [],
        cues=search_cues(sides, codes, names.tolist()) if search else [],
        shortcut_model=ShortcutModel(
            float(null.mean() - losses(by_shortcuts[-1], truth).mean()),
            accuracy(by_shortcuts[-1], truth),
            float(items["shortcut_solvable"].to_numpy().mean()),
        ),
        n_items=len(measured),
        n_labels=len(names),
        cross_fitted=len(plan) > 1,
        notes=checks(controls_found, full_result, entropy),
        items=items,
    )


def default_shortcuts(n_sides: int) -> tuple[str, ...]:
    """Return the paper's shortcuts: punctuation and stop words, and for pairs their overlap."""
    return ("punctuation", "stop-words", "overlap")[: 1 + n_sides]


def shortcut_sets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every set of shortcuts, small ones first, or from five on each alone and nested ones.

    >>> shortcut_sets(("P", "S"))
    [('P',), ('S',), ('P', 'S')]
    """
    if not names:
        raise AssayError("Information needs at least one shortcut.")
    if len(names) <= MOST_FOR_ALL_SETS:
        return [chosen for size in range(1, len(names) + 1) for chosen in combinations(names, size)]
    return [(name,) for name in names] + [names[:size] for size in range(2, len(names) + 1)]


def null_losses(codes: NDArray[np.int64], plan: PartRows, n_labels: int) -> Array:
    """Return the held-out losses of a model that knows the label shares only."""
    shares = smoothed_shares(codes[np.r_[plan.train, plan.dev]], n_labels)
    loss: Array = -np.log(shares[codes[plan.test]])
    return loss


def compared(
    sets: list[tuple[str, ...]],
    picked: dict[tuple[str, ...], Probabilities],
    full: Array,
    rows: Any,
    truth: NDArray[np.int64],
    groups: Any,
    random_state: int,
) -> list[Control]:
    """Set each control's losses against the full model's, item by item."""
    full_losses = losses(full, truth)
    control_losses = np.column_stack([losses(picked[chosen].test[rows], truth) for chosen in sets])
    differences = control_losses - full_losses[:, None]
    sums = bootstrap_sums(np.column_stack([differences, np.ones(len(truth))]), 2000, random_state, groups)
    found = []
    for column, chosen in enumerate(sets):
        interval = percentile(sums[:, column] / sums[:, -1])
        found.append(
            Control(
                code(chosen),
                float(differences[:, column].mean()),
                interval.low,
                interval.high,
                float(control_losses[:, column].mean()),
                accuracy(picked[chosen].test[rows], truth),
                picked[chosen].name,
                len(truth),
            )
        )
    return found


def contributions(
    names: tuple[str, ...],
    sets: list[tuple[str, ...]],
    picked: dict[tuple[str, ...], Probabilities],
    rows: Any,
    truth: NDArray[np.int64],
    null: Array,
) -> dict[str, float] | None:
    """Share what the shortcuts tell about the label among them (Shapley); None where not every set was fitted."""
    if len(names) > MOST_FOR_ALL_SETS:
        return None
    told = {chosen: float(null.mean() - losses(picked[chosen].test[rows], truth).mean()) for chosen in sets}
    return shapley({(): 0.0, **told}, names)


def accuracy(probabilities: Array, truth: NDArray[np.int64]) -> float:
    """Return the share of items whose label is the most probable one."""
    return float((probabilities.argmax(axis=1) == truth).mean())


def checks(controls: list[Control], full: Full, entropy: float) -> list[str]:
    """Say where a bound of the theory is broken: 0 <= TSI <= H(Y)."""
    notes = [
        f"TSI beyond {found.shortcuts} is below 0 ({found.tsi:.3f}): the full model is too weak to show information."
        for found in controls
        if found.tsi_high < 0
    ]
    notes += [
        f"TSI beyond {found.shortcuts} exceeds the label entropy {entropy:.3f}: a control model does worse than none."
        for found in controls
        if found.tsi_low > entropy
    ]
    if full.calibration_error > 0.1:
        notes.append(f"The full model is badly calibrated (error {full.calibration_error:.2f}): its loss overstates.")
    return notes
