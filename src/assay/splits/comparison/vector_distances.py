"""Distances between the vectors of two parts: sliced Wasserstein distance and maximum mean discrepancy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.splits.comparison.pairs import PartPairs

N_DIRECTIONS = 50
N_FEATURES = 256


@dataclass(frozen=True, eq=False)
class SlicedWasserstein:
    """The 1-D Wasserstein distance of two parts, averaged over random directions.

    Rows are sorted once per direction; a pair then costs a running sum: ∫ |F_A − F_B|.
    """

    order: Array
    steps: Array

    @classmethod
    def prepare(cls, vectors: Array, rng: np.random.Generator, n_directions: int = N_DIRECTIONS) -> SlicedWasserstein:
        """Draw the directions and sort the rows along each."""
        directions = rng.standard_normal((vectors.shape[1], n_directions))
        projected = vectors @ (directions / np.linalg.norm(directions, axis=0))
        order = np.ascontiguousarray(np.argsort(projected, axis=0, kind="stable").T)
        steps = np.ascontiguousarray(np.diff(np.take_along_axis(projected, order.T, axis=0), axis=0).T)
        return cls(order, steps)

    def measure(self, weights: Array) -> Array:
        """Return the distance of every pair, from the weights of the rows in each."""
        from assay.splits.comparison.wasserstein_kernels import measure_areas

        return np.asarray(measure_areas(weights, self.order, self.steps))


@dataclass(frozen=True, eq=False)
class MeanDiscrepancy:
    """The maximum mean discrepancy of two parts under a Gaussian kernel, by random Fourier features.

    The bandwidth is the median distance between rows (of 1,000 drawn). The estimate is the distance between the mean
    features of the parts, so it is above 0 for equal distributions too: read it next to its null.
    """

    features: Array

    @classmethod
    def prepare(cls, vectors: Array, rng: np.random.Generator, n_features: int = N_FEATURES) -> MeanDiscrepancy:
        """Estimate the bandwidth and compute the features of all rows."""
        from scipy.spatial.distance import pdist

        sample = vectors[rng.permutation(len(vectors))[:1000]]
        distances = pdist(sample)
        bandwidth = float(np.median(distances[distances > 0])) if (distances > 0).any() else 1.0
        angles = vectors @ (rng.standard_normal((vectors.shape[1], n_features)) / bandwidth)
        return cls(np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(n_features))

    def measure(self, weights: Array) -> Array:
        """Return the discrepancy of every pair, from the weights of the rows in each."""
        return np.asarray(np.linalg.norm(weights @ self.features, axis=1))


def weigh_rows(pairs: PartPairs) -> Array:
    """Return 1/n for rows of the part and −1/m for rows of the reference, so that sums are differences of means."""
    n_parts, n_references = (rows.sum(axis=1, keepdims=True) for rows in (pairs.parts, pairs.references))
    return np.asarray(pairs.parts / n_parts - pairs.references / n_references)
