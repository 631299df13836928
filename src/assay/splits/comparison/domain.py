"""A domain classifier: how well a linear model tells from which side a text comes."""

from __future__ import annotations

import numpy as np

N_ROWS = 1000
N_FOLDS = 5


def domain_accuracy(
    vectors: np.ndarray,
    here: np.ndarray,
    there: np.ndarray,
    rng: np.random.Generator,
    n_permutations: int = 100,
) -> tuple[float, np.ndarray]:
    """Return the cross-validated accuracy of a linear classifier between two sides, and of permuted sides.

    At most 1,000 rows a side, as many of each; least squares with a small ridge, 5 folds. The permutations shuffle
    the sides of these rows, all in one product. nan where a side has fewer than 5 rows.
    """
    rows, sides = _balanced(here, there, rng)
    if len(rows) < 2 * N_FOLDS:
        return np.nan, np.full(n_permutations, np.nan)
    targets = np.column_stack([sides, *(rng.permutation(sides) for _ in range(n_permutations))])
    features = _standardised(vectors[rows])
    right = np.zeros(targets.shape[1])
    for fold in np.array_split(rng.permutation(len(rows)), N_FOLDS):
        train = np.setdiff1d(np.arange(len(rows)), fold)
        means = targets[train].mean(axis=0)
        weights = _ridge(features[train], targets[train] - means)
        right += (np.sign(features[fold] @ weights + 1e-300) == targets[fold]).sum(axis=0)
    accuracies = right / len(rows)
    return float(accuracies[0]), accuracies[1:]


def a_distance(accuracy: np.ndarray | float) -> np.ndarray | float:
    """Return 2 (1 − 2 error): 2 for sides told apart always, 0 for guessing, below 0 for worse than guessing.

    >>> a_distance(0.75)
    1.0
    """
    return 2 * (1 - 2 * (1 - accuracy))


def _balanced(here: np.ndarray, there: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    n = min(int(here.sum()), int(there.sum()), N_ROWS)
    chosen = [rng.permutation(np.flatnonzero(side))[:n] for side in (here, there)]
    return np.concatenate(chosen), np.repeat([1.0, -1.0], n)


def _standardised(vectors: np.ndarray) -> np.ndarray:
    spread = vectors.std(axis=0)
    return np.asarray((vectors - vectors.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _ridge(features: np.ndarray, targets: np.ndarray) -> np.ndarray:
    gram = features.T @ features + np.eye(features.shape[1])
    return np.asarray(np.linalg.solve(gram, features.T @ targets))
