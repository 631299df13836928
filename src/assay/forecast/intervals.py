"""Margins of a forecast: how far λ lies from its prediction on families of data the predictor has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.views.results import Result


@dataclass(frozen=True)
class Margins(Result):
    """How far log(1 + λ) lies below and above its prediction, for families of data that were not in training.

    The margins contain `confidence` of the sub-datasets of a family, for a share `family_share` of families.
    """

    low: float
    high: float
    confidence: float
    n_families: int
    family_share: float = 0.8

    def add_to(self, predicted: Array) -> tuple[Array, Array]:
        """Return both ends of the intervals around predictions, never below 0.

        >>> low, high = Margins(-0.5, 0.5, 0.8, 13).add_to(np.array([3.0]))
        >>> low.round(2).tolist(), high.round(2).tolist()
        ([1.43], [5.59])
        """
        middle = np.log1p(predicted)
        return np.maximum(np.expm1(middle + self.low), 0.0), np.maximum(np.expm1(middle + self.high), 0.0)
