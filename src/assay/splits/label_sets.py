"""Iterative stratification: rows with several labels, each of which is to be as frequent everywhere."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array, Values


def stratify_label_sets(
    labels: Values, separator: str, shares: Array, groups: Array | None, rng: np.random.Generator
) -> Array:
    """Return the side (0…k−1) of every row, so that each label has its share on every side.

    The rarest label goes first; each of its rows goes to the side that lacks most of the label, then most rows. If
    there are no groups, a few rows then change sides so that each has its exact size, floor or ceiling.

    >>> sides = stratify_label_sets(["a|b", "a", "b", "a|b"], "|", np.array([0.5, 0.5]), None, np.random.default_rng(0))
    >>> sorted(np.bincount(sides).tolist())
    [2, 2]
    """
    n = len(labels)
    units = np.arange(n) if groups is None else groups
    table = _count_labels(labels, separator, units)
    sizes = np.bincount(units).astype(float)
    lacking, space = np.outer(table.sum(axis=0), shares), _share_rows(n, shares, rng, exact=groups is None)
    left, remaining = table.sum(axis=0), np.ones(len(sizes), dtype=bool)
    sides = np.zeros(len(sizes), dtype=np.int64)
    while remaining.any():
        open_labels = np.flatnonzero(left > 0)
        label = open_labels[left[open_labels].argmin()] if len(open_labels) else None
        chosen = np.flatnonzero(remaining & (table[:, label] > 0)) if label is not None else np.flatnonzero(remaining)
        for unit in rng.permutation(chosen).tolist():
            need = space if label is None else lacking[label]
            best = np.flatnonzero(need >= need.max() - 1e-9)
            side = int(best[space[best].argmax()])
            sides[unit], remaining[unit] = side, False
            lacking[:, side] -= table[unit]
            space[side] -= sizes[unit]
            left = left - table[unit]
    if groups is None:
        _balance_sizes(sides, table, lacking, space)
    return np.asarray(sides[units])


def _balance_sizes(sides: Array, table: Array, lacking: Array, space: Array) -> None:
    """Move rows from sides with too many to sides with too few, those first whose labels balance best."""
    while space.max() >= 0.5:
        source, target = int(space.argmin()), int(space.argmax())
        rows = np.flatnonzero(sides == source)
        surplus = lacking[:, source] - lacking[:, target]  # negative if the source has more than its share
        row = rows[(table[rows] @ (surplus + 1)).argmin()]
        sides[row] = target
        lacking[:, source] += table[row]
        lacking[:, target] -= table[row]
        space[source] += 1
        space[target] -= 1


def _count_labels(labels: Values, separator: str, units: Array) -> Array:
    """Count, for every unit, its rows with each label; a missing label is one more label."""
    sets = [["None"] if label is None else label.split(separator) for label in labels]
    names = sorted({name for row in sets for name in row})
    codes = {name: code for code, name in enumerate(names)}
    table = np.zeros((int(units.max()) + 1, len(names)))
    for unit, row in zip(units.tolist(), sets, strict=True):
        table[unit, [codes[name] for name in row]] += 1
    return table


def _share_rows(n: int, shares: Array, rng: np.random.Generator, *, exact: bool) -> Array:
    """Return how many rows every side shall have; whole numbers if sizes can be exact."""
    rows = n * shares
    if not exact:
        return np.asarray(rows)
    whole = np.floor(rows + 1e-9)
    order = np.lexsort([rng.permutation(len(rows)), -(rows - whole).round(9)])
    whole[order[: round(n - whole.sum())]] += 1
    return np.asarray(whole)
