"""Held-out loss as a line in accuracy, and what a better model's loss would be (Zhu et al. 2021, §5.1, Figure 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.errors import AssayError
from assay.statistics import Interval, tails
from assay.views.results import Result

MIN_MODELS = 4


@dataclass(frozen=True)
class AccuracyLossLine(Result):
    """loss = intercept + slope · accuracy, fitted by least squares over models of one dataset.

    `correlation` is Pearson's, `residual_std` the standard deviation of losses around the line (n − 2), `spread` the
    sum of squared distances of the accuracies from their mean.
    """

    slope: float
    intercept: float
    correlation: float
    residual_std: float
    n_models: int
    accuracy_mean: float
    accuracy_max: float
    spread: float

    def predict_loss(self, accuracy: float, confidence: float = 0.95) -> Interval:
        """Return the loss expected of one more model with this accuracy, with its prediction interval (Student's t).

        The interval widens with the distance from the accuracies that were fitted. Losses cannot be negative.
        """
        from scipy.stats import t

        value = self.intercept + self.slope * accuracy
        leverage = 1 + 1 / self.n_models + (accuracy - self.accuracy_mean) ** 2 / self.spread
        reach = float(t.ppf(tails(confidence)[1], self.n_models - 2)) * self.residual_std * math.sqrt(leverage)
        low, value, high = (max(0.0, end) for end in (value - reach, value, value + reach))
        return Interval(value, low, high, confidence, "prediction interval of the line, Student's t")

    def extrapolate_information(self, accuracy: float, control_loss: float, confidence: float = 0.95) -> Interval:
        """Return the TSI that a model with this accuracy would show: the control's loss minus the loss expected."""
        loss = self.predict_loss(accuracy, confidence)
        value, low, high = (control_loss - end for end in (loss.value, loss.high, loss.low))
        return Interval(value, low, high, confidence, loss.method)


def fit_accuracy_loss(accuracies: Sequence[float], losses: Sequence[float]) -> AccuracyLossLine:
    """Fit held-out loss (nats) as a line in accuracy (a share) over several models or training sizes of one dataset.

    >>> line = fit_accuracy_loss([0.6, 0.7, 0.8, 0.9], [0.7, 0.6, 0.5, 0.4])
    >>> round(line.slope, 6), round(line.predict_loss(0.95).value, 6)
    (-1.0, 0.35)
    """
    x, y = np.asarray(accuracies, dtype=float), np.asarray(losses, dtype=float)
    if len(x) != len(y):
        raise AssayError(f"there are {len(x)} accuracies and {len(y)} losses.")
    if len(x) < MIN_MODELS or np.ptp(x) == 0:
        raise AssayError(f"a line needs at least {MIN_MODELS} models with different accuracies; there are {len(x)}.")
    slope, intercept = (float(value) for value in np.polyfit(x, y, 1))
    residuals = y - intercept - slope * x
    return AccuracyLossLine(
        slope=slope,
        intercept=intercept,
        correlation=float(np.corrcoef(x, y)[0, 1]) if np.ptp(y) > 0 else math.nan,
        residual_std=float(np.sqrt((residuals**2).sum() / (len(x) - 2))),
        n_models=len(x),
        accuracy_mean=float(x.mean()),
        accuracy_max=float(x.max()),
        spread=float(((x - x.mean()) ** 2).sum()),
    )
