"""Information of single items from their losses."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.information.controls import compute_losses

MIN_INFORMATION = 0.1  # nats that shortcuts must tell about an item to solve it


def compute_pointwise_information(loss_without: Array, loss_with: Array) -> Array:
    """Return how many nats the input tells about each item's label (PVI), negative if it misleads.

    >>> compute_pointwise_information(np.array([0.7]), np.array([0.1])).round(3).tolist()
    [0.6]
    """
    return np.asarray(loss_without - loss_with)


def find_solvable_items(probabilities: Array, codes: Array, null_losses: Array) -> Array:
    """Mark items whose label the control predicts and about which it knows at least 0.1 nats.

    A control that knows nothing over all items solves none.
    """
    own = probabilities[np.arange(len(codes)), codes]
    information = compute_pointwise_information(null_losses, -np.log(own))
    if information.mean() <= 0:
        return np.zeros(len(codes), bool)
    return np.asarray((probabilities.argmax(axis=1) == codes) & (information >= MIN_INFORMATION))


def build_item_table(
    rows: Array, names: list[str], gold: Array, full: Array, controls: list[Array], null_losses: Array
) -> pl.DataFrame:
    """Return one row per held-out item, in the order of the data: its information and its suggested label.

    An item is solvable by shortcuts if one of the controls solves it. If the full model tells less than 0.1 nats
    about the labels it suggests none.
    """
    full_losses, control_losses = compute_losses(full, gold), compute_losses(controls[0], gold)
    information = compute_pointwise_information(null_losses, full_losses)
    is_informed = information.mean() >= MIN_INFORMATION
    suggested = suggest_labels(full, gold) if is_informed else np.full(len(gold), -1)
    is_solved = np.any([find_solvable_items(control, gold, null_losses) for control in controls], axis=0)
    table = pl.DataFrame(
        {
            "row": rows,
            "label": [names[code] for code in gold],
            "predicted": [names[code] for code in full.argmax(axis=1)],
            "information": information,
            "shortcut_information": compute_pointwise_information(null_losses, control_losses),
            "nll": full_losses,
            "nll_shortcuts": control_losses,
            "shortcut_solvable": is_solved,
            "suspected_label": [names[code] if code >= 0 else None for code in suggested],
        },
        schema_overrides={"suspected_label": pl.String},
    )
    return table.sort("row")


def suggest_labels(probabilities: Array, codes: Array) -> Array:
    """Return the label that each item more probably has, or -1 if its own is not doubted (confident learning).

    A label j is confident if its probability reaches the mean that items labelled j get for it; an item is doubted
    when its most probable confident label is another than its own, and its own is not confident.

    >>> table = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.05, 0.95], [0.02, 0.98]])
    >>> suggest_labels(table, np.array([0, 0, 1, 1, 0])).tolist()
    [-1, -1, -1, -1, 1]
    """
    labels = np.unique(codes)
    thresholds = np.full(probabilities.shape[1], np.inf)
    thresholds[labels] = [probabilities[codes == label, label].mean() for label in labels]
    is_confident = probabilities >= thresholds
    best = np.where(is_confident, probabilities, -1.0).argmax(axis=1)
    own = is_confident[np.arange(len(codes)), codes]
    is_doubted = is_confident.any(axis=1) & (best != codes) & ~own
    return np.where(is_doubted, best, -1)
