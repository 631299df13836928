"""A domain classifier: how well a linear model tells from which part a text comes."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array

MAX_ROWS = 1000
N_FOLDS = 5


def measure_domain_accuracy(
    vectors: Array, part: Array, reference: Array, rng: np.random.Generator, n_permutations: int = 100
) -> tuple[float, Array]:
    """Return the cross-validated accuracy of a linear classifier between two row sets, and that of permuted ones.

    At most 1,000 rows of each, as many of one as of the other; least squares with a small ridge, 5 folds. The
    permutations shuffle the sides of these rows. nan if a side has fewer than 5 rows.
    """
    rows, sides = _draw_balanced(part, reference, rng)
    if len(rows) < 2 * N_FOLDS:
        return np.nan, np.full(n_permutations, np.nan)
    targets = np.column_stack([sides, *(rng.permutation(sides) for _ in range(n_permutations))])
    features = _standardise(vectors[rows])
    n_correct = np.zeros(targets.shape[1])
    for fold in np.array_split(rng.permutation(len(rows)), N_FOLDS):
        train = np.setdiff1d(np.arange(len(rows)), fold)
        means = targets[train].mean(axis=0)
        weights = _fit_ridge(features[train], targets[train] - means)
        n_correct += (np.sign(features[fold] @ weights + 1e-300) == targets[fold]).sum(axis=0)
    accuracies = n_correct / len(rows)
    return float(accuracies[0]), accuracies[1:]


def compute_a_distance(accuracy: Array) -> Array:
    """Return 2 (1 − 2 error): 2 if the sides are always distinguished, 0 for guessing, below 0 for worse than guessing.

    >>> float(compute_a_distance(np.array(0.75)))
    1.0
    """
    return np.asarray(2 * (1 - 2 * (1 - accuracy)))


def _draw_balanced(part: Array, reference: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    n = min(int(part.sum()), int(reference.sum()), MAX_ROWS)
    chosen = [rng.permutation(np.flatnonzero(side))[:n] for side in (part, reference)]
    return np.concatenate(chosen), np.repeat([1.0, -1.0], n)


def _standardise(vectors: Array) -> Array:
    deviations = vectors.std(axis=0)
    return np.asarray((vectors - vectors.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0))


def _fit_ridge(features: Array, targets: Array) -> Array:
    gram = features.T @ features + np.eye(features.shape[1])
    return np.asarray(np.linalg.solve(gram, features.T @ targets))
