"""Logistic regression with an L2 penalty on sparse features, for text: many more features than items.

The weights are always a combination Xᵀ a of the items' features. L-BFGS therefore runs on the coefficients a and the
images X Xᵀ a, which have one entry per item, not one per feature: an iteration costs one pass over the features, and
trying a step costs none. Starting point, line search and stopping rule are the same as in scikit-learn's `lbfgs`, so
that both stop at the same weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.models.linear.line_search import LineStep, search_step

TOLERANCE = 1e-4  # of the largest derivative of the mean loss
_MEMORY = 10  # steps that the estimate of the Hessian is made from
_MIN_DECREASE = 64 * float(np.finfo(float).eps)


@dataclass(frozen=True)
class LogisticFit:
    """The weights (features × classes) and intercepts of a fit; one column, the log-odds, for two classes."""

    weights: Array
    intercepts: Array
    n_iterations: int
    converged: bool


def fit_logistic(
    features: csc_array,
    codes: Array,
    n_classes: int,
    *,
    C: float = 1.0,
    item_weights: Array | None = None,
    max_iter: int = 1000,
    tolerance: float = TOLERANCE,
) -> LogisticFit:
    """Minimise C · Σ log loss + ½ ‖weights‖²; softmax for three classes or more. Intercepts are not penalised.

    `features` is a CSC matrix of items × features, `codes` numbers the classes from 0. The fit ends when no derivative
    of the mean loss is above `tolerance`.
    """
    if not C > 0:
        raise UsageError(f"must be above 0, not {C}.", option="C")
    problem = _Problem(features, codes, n_classes, C, item_weights)
    n_iterations, converged = problem.minimize(max_iter, tolerance)
    return LogisticFit(features.T @ problem.point[:-1], problem.point[-1].copy(), n_iterations, converged)


class _Problem:
    """The objective and the state of its minimisation: the point and its image, and the history of L-BFGS."""

    def __init__(self, features: csc_array, codes: Array, n_classes: int, C: float, item_weights: Array | None) -> None:
        from assay.models.linear.lanes import FEW, MANY, make_lanes
        from assay.models.linear.logistic_kernels import StepHistory, collect_features

        n_rows, n_columns = features.shape[0], 1 if n_classes == 2 else n_classes
        weights = np.ones(n_rows) if item_weights is None else np.asarray(item_weights, np.float64)
        self.codes = np.asarray(codes, np.int64)
        self.shares = weights / weights.sum()
        self.penalty = 1 / (C * weights.sum())
        self.is_binary = n_classes == 2
        kept_rows = np.empty(features.nnz, np.uint16 if n_rows <= 1 << 16 else np.int32)
        self.features = collect_features(features.indptr, features.indices, features.data, n_rows, kept_rows)
        shape = (n_rows + 1, n_columns)
        self.point, self.image = np.zeros(shape), np.zeros(shape)
        self.direction, self.direction_image = np.zeros(shape), np.zeros(shape)
        self.residuals = np.zeros(shape)
        width = FEW if n_columns <= len(FEW) else MANY
        self.lanes = () if self.is_binary else (*(make_lanes(n_rows, len(width)) for _ in range(2)), width)
        steps, step_images, changes, change_images = (np.zeros((_MEMORY, *shape)) for _ in range(4))
        self.history = StepHistory(steps, step_images, changes, change_images, np.zeros(_MEMORY))

    def minimize(self, max_iter: int, tolerance: float) -> tuple[int, bool]:
        """Run L-BFGS to the end; return the number of iterations and whether it converged."""
        from assay.models.linear.logistic_kernels import dot, find_descent_direction, move

        value = self._measure(0.0, 0.0, 0.0)[0]
        gradient, image, largest = self._differentiate()
        slots: list[int] = []
        scale, n_iterations = 1.0, 0
        while largest > tolerance and n_iterations < max_iter:
            find_descent_direction(
                self.history, np.array(slots, np.int64), scale, gradient, image, self.direction, self.direction_image
            )
            start = LineStep(0.0, value, dot(gradient, self.direction_image))
            trial = self._search(start, is_first=n_iterations == 0)
            if trial is None:
                if not slots:
                    return n_iterations, False
                slots, scale = [], 1.0
                continue
            move(trial.step, self.point, self.image, self.direction, self.direction_image)
            previous, previous_image = gradient, image
            gradient, image, largest = self._differentiate()
            n_iterations += 1
            if value - trial.value <= _MIN_DECREASE * max(abs(value), abs(trial.value), 1.0):
                return n_iterations, True
            value = trial.value
            slots, scale = self._remember(slots, scale, start, trial, (previous, gradient), (previous_image, image))
        return n_iterations, largest <= tolerance

    def _measure(self, step: float, linear: float, quadratic: float) -> tuple[float, float]:
        """Return the objective and its slope at a step, less the penalty at step 0; keep the items' derivatives."""
        from assay.models.linear.logistic_kernels import measure_loss_many, measure_loss_one

        measure = measure_loss_one if self.is_binary else measure_loss_many
        value, slope = measure(self.image, self.direction_image, step, self.codes, self.shares, self.residuals)
        penalty = step * linear + step * step * quadratic / 2
        return value + self.penalty * penalty, slope + self.penalty * (linear + step * quadratic)

    def _search(self, start: LineStep, is_first: bool) -> LineStep | None:
        """Search a step along the direction; None if there is none, or the direction leads upwards."""
        from assay.models.linear.logistic_kernels import dot

        if start.slope >= 0:
            return None
        norm, linear, quadratic = (
            dot(a[:-1], b[:-1])
            for a, b in (
                (self.point, self.image),
                (self.point, self.direction_image),
                (self.direction, self.direction_image),
            )
        )

        def measure(step: float) -> tuple[float, float]:
            value, slope = self._measure(step, linear, quadratic)
            return value + self.penalty * norm / 2, slope

        first_step = 1 / math.sqrt(dot(self.direction, self.direction_image)) if is_first else 1.0
        return search_step(measure, start, first_step)

    def _differentiate(self) -> tuple[Array, Array, float]:
        """Return the gradient as coefficients and as image, and the largest absolute derivative."""
        from assay.models.linear.logistic_kernels import multiply_gram_many, multiply_gram_one

        gradient, image = self.penalty * self.point, np.empty_like(self.point)
        gradient[-1] = 0.0
        gradient += self.residuals
        multiply = multiply_gram_one if self.is_binary else multiply_gram_many
        largest = multiply(self.features, gradient, image, *self.lanes)
        image[-1] = gradient[-1]
        return gradient, image, max(largest, float(np.abs(gradient[-1]).max()))

    def _remember(
        self,
        slots: list[int],
        scale: float,
        start: LineStep,
        trial: LineStep,
        gradients: tuple[Array, Array],
        images: tuple[Array, Array],
    ) -> tuple[list[int], float]:
        """Add a step and the change of the gradient to the history, unless the function hardly curves along it."""
        from assay.models.linear.logistic_kernels import dot, remember_step

        product = (trial.slope - start.slope) * trial.step
        if product <= np.finfo(float).eps * -start.slope * trial.step:
            return slots, scale
        history, slot = self.history, slots[0] if len(slots) == _MEMORY else len(slots)
        remember_step(history, slot, trial.step, self.direction, self.direction_image, gradients, images)
        history.scales[slot] = 1 / product
        return [*slots[-_MEMORY + 1 :], slot], product / dot(history.changes[slot], history.change_images[slot])
