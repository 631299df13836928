"""Vectors on two sides of a cut: sliced Wasserstein distance and maximum mean discrepancy."""

from __future__ import annotations

import numpy as np

from assay.splits.comparison.cuts import Cuts

N_DIRECTIONS = 50
N_FEATURES = 256


class SlicedWasserstein:
    """The 1-D Wasserstein distance of two sides, averaged over directions drawn at random.

    Rows are sorted once a direction; a cut then costs a running sum: ∫ |F_A − F_B|.
    """

    def __init__(self, vectors: np.ndarray, rng: np.random.Generator, n_directions: int = N_DIRECTIONS) -> None:
        directions = rng.standard_normal((vectors.shape[1], n_directions))
        seen = vectors @ (directions / np.linalg.norm(directions, axis=0))
        self.order = np.ascontiguousarray(np.argsort(seen, axis=0, kind="stable").T)
        self.steps = np.ascontiguousarray(np.diff(np.take_along_axis(seen, self.order.T, axis=0), axis=0).T)

    def __call__(self, cuts: Cuts) -> np.ndarray:
        """Return the distance of every cut."""
        from assay.splits.comparison._kernels import areas_between

        return np.asarray(areas_between(_signed_weights(cuts), self.order, self.steps))


class MeanDiscrepancy:
    """The maximum mean discrepancy of two sides under a Gaussian kernel, by random Fourier features.

    The bandwidth is the median distance between rows (1,000 drawn). The estimate is the distance between the
    sides' mean features, so it is above 0 for equal distributions too: read it beside its null.
    """

    def __init__(self, vectors: np.ndarray, rng: np.random.Generator, n_features: int = N_FEATURES) -> None:
        from scipy.spatial.distance import pdist

        sample = vectors[rng.permutation(len(vectors))[:1000]]
        distances = pdist(sample)
        bandwidth = float(np.median(distances[distances > 0])) if (distances > 0).any() else 1.0
        angles = vectors @ (rng.standard_normal((vectors.shape[1], n_features)) / bandwidth)
        self.features = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(n_features)

    def __call__(self, cuts: Cuts) -> np.ndarray:
        """Return the discrepancy of every cut."""
        return np.asarray(np.linalg.norm(_signed_weights(cuts) @ self.features, axis=1))


def _signed_weights(cuts: Cuts) -> np.ndarray:
    """Return 1/n for rows of one side and −1/m for rows of the other, so that sums are differences of means."""
    here, there = cuts.here.sum(axis=1, keepdims=True), cuts.there.sum(axis=1, keepdims=True)
    return np.asarray(cuts.here / here - cuts.there / there)
