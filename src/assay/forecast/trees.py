"""Boosted regression trees as plain arrays: prediction and SHAP values with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial

import numpy as np

from assay.base.arrays import Array

MISSING_ZERO, MISSING_NAN = 1, 2
ZERO_RANGE = 1e-35  # as LightGBM counts zeros
ARRAYS = ("roots", "feature", "threshold", "missing", "default_left", "left", "right", "value", "count")


@dataclass(frozen=True, eq=False, repr=False)
class Trees:
    """The nodes of all trees in one set of arrays, tree after tree, each from its root on; a leaf has feature -1.

    Node i sends a row left where `feature[i] <= threshold[i]`. A missing value counts as 0, or, where `missing[i]`
    says that zeros (1) or nan (2) are missing, goes to the side that `default_left[i]` names. `value` is a leaf's
    contribution, `count` the training rows that reached a node.
    """

    roots: Array
    feature: Array
    threshold: Array
    missing: Array
    default_left: Array
    left: Array
    right: Array
    value: Array
    count: Array

    def __repr__(self) -> str:
        return f"Trees({len(self.roots)} trees, {len(self.leaves):,} leaves)"

    @property
    def leaves(self) -> Array:
        """Return the numbers of the leaves."""
        return np.flatnonzero(self.feature < 0)

    @property
    def expected_value(self) -> float:
        """Return the mean prediction over the training rows."""
        leaves = self.leaves
        roots = self.roots[np.searchsorted(self.roots, leaves, side="right") - 1]
        return float((self.value[leaves] * self.count[leaves] / self.count[roots]).sum())

    def predict(self, X: Array) -> Array:
        """Return the sum of all trees for each row of features."""
        rows = np.arange(len(X))[:, None]
        nodes = np.broadcast_to(self.roots, (len(X), len(self.roots)))
        while (is_split := self.feature[nodes] >= 0).any():
            goes_left = self._goes_left(X[rows, self.feature[nodes]], nodes)
            nodes = np.where(is_split, np.where(goes_left, self.left[nodes], self.right[nodes]), nodes)
        total = np.zeros(len(X))
        for values in self.value[nodes].T:  # one tree after the other, as LightGBM adds them
            total += values
        return total

    def explain(self, x: Array) -> Array:
        """Return the SHAP value of each feature: how much it moves the prediction away from `expected_value`.

        Every leaf is a game of the features on its path, in which an absent feature follows both branches by the share
        of training rows that took each (the path-dependent form of Lundberg and Lee).
        """
        splits = np.flatnonzero(self.feature >= 0)
        goes_left = np.zeros(len(self.feature), dtype=bool)
        goes_left[splits] = self._goes_left(x[self.feature[splits]], splits)
        paths = self._paths
        present = np.ones_like(paths.share)
        is_off = goes_left[paths.step_node] != paths.step_left
        present[paths.step_leaf[is_off], paths.step_slot[is_off]] = 0.0
        gains = _shapley_gains(paths.share, present) * self.value[self.leaves][:, None]
        contributions = np.zeros(len(x))
        is_used = paths.feature >= 0
        np.add.at(contributions, paths.feature[is_used], gains[is_used])
        return contributions

    def _goes_left(self, values: Array, nodes: Array) -> Array:
        missing, is_nan = self.missing[nodes], np.isnan(values)
        filled = np.where(is_nan & (missing != MISSING_NAN), 0.0, values)
        is_zero = np.abs(filled) <= ZERO_RANGE
        is_missing = ((missing == MISSING_ZERO) & is_zero) | ((missing == MISSING_NAN) & is_nan)
        with np.errstate(invalid="ignore"):
            return np.where(is_missing, self.default_left[nodes], filled <= self.threshold[nodes])

    @cached_property
    def _paths(self) -> _Paths:
        return _trace_paths(self)


@dataclass(frozen=True)
class _Paths:
    """The paths to all leaves; the splits of one path on one feature share a slot.

    `feature` and `share` have a row per leaf and a column per slot: the feature (-1 if the slot is empty), and the
    share of training rows that follow the path at its splits. Each step of a path is a node, a side, a leaf and a slot.
    """

    feature: Array
    share: Array
    step_node: Array
    step_left: Array
    step_leaf: Array
    step_slot: Array


def _trace_paths(trees: Trees) -> _Paths:
    numbers = {int(node): number for number, node in enumerate(trees.leaves)}
    paths: dict[int, list[tuple[int, bool]]] = {}
    stack: list[tuple[int, list[tuple[int, bool]]]] = [(int(root), []) for root in trees.roots]
    while stack:
        node, path = stack.pop()
        if trees.feature[node] < 0:
            paths[numbers[node]] = path
            continue
        stack.append((int(trees.left[node]), [*path, (node, True)]))
        stack.append((int(trees.right[node]), [*path, (node, False)]))
    slots = {leaf: list(dict.fromkeys(int(trees.feature[node]) for node, _ in path)) for leaf, path in paths.items()}
    shape = (len(paths), max((len(features) for features in slots.values()), default=0))
    feature, share = np.full(shape, -1), np.ones(shape)
    steps: list[tuple[int, bool, int, int]] = []
    for leaf, path in paths.items():
        feature[leaf, : len(slots[leaf])] = slots[leaf]
        for node, is_left in path:
            slot = slots[leaf].index(int(trees.feature[node]))
            child = trees.left[node] if is_left else trees.right[node]
            share[leaf, slot] *= trees.count[child] / trees.count[node]
            steps.append((node, is_left, leaf, slot))
    columns = np.array(steps, dtype=np.int64).reshape(-1, 4).T
    return _Paths(feature, share, columns[0], columns[1].astype(bool), columns[2], columns[3])


def _shapley_gains(share: Array, present: Array) -> Array:
    """Return the Shapley value of every slot of every leaf, for a leaf of value 1.

    With the slots S of a path known and the others averaged over, the path is followed with probability
    Π_S present · Π_others share. Empty slots, if both are 1, are players that never change anything.
    """
    n_leaves, n_slots = share.shape
    gains = np.zeros_like(share)
    weights = [factorial(k) * factorial(n_slots - 1 - k) / factorial(n_slots) for k in range(n_slots)]
    for slot in range(n_slots):
        # Coefficient k: the sum over all sets of k other slots that are known.
        sums = np.zeros((n_leaves, n_slots))
        sums[:, 0] = 1.0
        for degree, other in enumerate([number for number in range(n_slots) if number != slot], start=1):
            shifted = sums[:, :degree] * present[:, other, None]
            sums[:, : degree + 1] *= share[:, other, None]
            sums[:, 1 : degree + 1] += shifted
        gains[:, slot] = (present[:, slot] - share[:, slot]) * (sums @ np.array(weights))
    return gains
