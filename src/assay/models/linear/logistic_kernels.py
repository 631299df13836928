"""Loops of logistic regression: the loss, products with the Gram matrix, and the direction of L-BFGS.

Arrays over the items have one row per item and a last row for the intercepts, and one column per class; a binary
model has a single column, the log-odds of its second class.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.loops import compile_loop
from assay.models.linear.lanes import N_LANES, add_to_rows, sum_products, sum_rows

Floats = NDArray[np.float64]
_CONTRACT = {"contract"}  # multiply and add in one instruction if there is one


class Features(NamedTuple):
    """A matrix of items × features by column: column c has the entries from `ends[c]` to `ends[c + 1]`.

    Columns of a single item are summed up for each item instead: their squares in `squares`, their largest absolute
    value in `largest`.
    """

    ends: NDArray[np.int64]
    rows: NDArray[Any]
    values: Floats
    squares: Floats
    largest: Floats


class StepHistory(NamedTuple):
    """The last steps and changes of the gradient, as coefficients and as images, and 1 / (step · change)."""

    steps: Floats
    step_images: Floats
    changes: Floats
    change_images: Floats
    scales: Floats


@compile_loop
def collect_features(
    ends: NDArray[np.integer], rows: NDArray[np.integer], values: Floats, n_rows: int, kept_rows: NDArray[np.integer]
) -> Features:
    """Set the columns of a single item of a CSC matrix apart; `kept_rows` is filled with the rows of the others."""
    sizes = ends[1:] - ends[:-1]
    kept_ends, kept_values = np.zeros(sizes.size + 1, np.int64), np.empty(rows.size)
    squares, largest = np.zeros(n_rows), np.zeros(n_rows)
    n_kept = filled = 0
    for column in range(sizes.size):
        if sizes[column] == 1:
            row, value = rows[ends[column]], values[ends[column]]
            squares[row] += value * value
            largest[row] = max(largest[row], abs(value))
        elif sizes[column] > 1:
            for at in range(ends[column], ends[column + 1]):
                kept_rows[filled], kept_values[filled] = rows[at], values[at]
                filled += 1
            n_kept += 1
            kept_ends[n_kept] = filled
    return Features(kept_ends[: n_kept + 1], kept_rows[:filled], kept_values[:filled], squares, largest)


@compile_loop
def multiply_gram_one(features: Features, coefficients: Floats, image: Floats) -> float:
    """Write X Xᵀ c, the image of the weights Xᵀ c, for one class; return the largest absolute weight."""
    ends, rows, values, squares, largest = features
    source, target = coefficients.ravel(), image.ravel()
    top = 0.0
    for row in range(squares.size):
        target[row] = squares[row] * source[row]
        top = max(top, largest[row] * abs(source[row]))
    for column in range(ends.size - 1):
        start, stop = ends[column], ends[column + 1]
        # Four sums do not wait for each other. Vector instructions, which sums in any order would allow, are slower.
        a = b = c = d = 0.0
        at = start
        while at + 4 <= stop:
            a += values[at] * source[rows[at]]
            b += values[at + 1] * source[rows[at + 1]]
            c += values[at + 2] * source[rows[at + 2]]
            d += values[at + 3] * source[rows[at + 3]]
            at += 4
        while at < stop:
            a += values[at] * source[rows[at]]
            at += 1
        weight = (a + b) + (c + d)
        top = max(top, abs(weight))
        for at in range(start, stop):
            target[rows[at]] += values[at] * weight
    return top


@compile_loop
def multiply_gram_many(
    features: Features, coefficients: Floats, image: Floats, lanes: Floats, sums: Floats, width: tuple[float, ...]
) -> float:
    """Write X Xᵀ c, the image of the weights Xᵀ c, for several classes; return the largest absolute weight.

    `lanes` and `sums` are space for four or eight classes, one row per item; `width` is FEW or MANY accordingly.
    """
    ends, rows, values, squares, largest = features
    n_rows, n_classes, n_lanes = squares.size, coefficients.shape[1], len(width)
    weights = np.zeros((1, n_lanes))
    top = 0.0
    for first in range(0, n_classes, n_lanes):
        n_used = min(n_lanes, n_classes - first)
        for row in range(n_rows):
            for lane in range(n_lanes):
                coefficient = coefficients[row, first + lane] if lane < n_used else 0.0
                lanes[row, lane], sums[row, lane] = coefficient, squares[row] * coefficient
                top = max(top, largest[row] * abs(coefficient))
        for column in range(ends.size - 1):
            sum_rows(lanes, rows, values, ends[column], ends[column + 1], weights, width)
            for lane in range(n_lanes):
                top = max(top, abs(weights[0, lane]))
            add_to_rows(sums, rows, values, ends[column], ends[column + 1], weights, width)
        for row in range(n_rows):
            for lane in range(n_used):
                image[row, first + lane] = sums[row, lane]
    return top


@compile_loop
def measure_loss_one(
    image: Floats, direction: Floats, step: float, codes: NDArray[np.int64], shares: Floats, residuals: Floats
) -> tuple[float, float]:
    """Return the mean log loss of a binary model at a step, and its slope; write the derivatives by item."""
    n_rows = codes.size
    value = slope = total = 0.0
    for row in range(n_rows):
        change = direction[row, 0] + direction[n_rows, 0]
        score = image[row, 0] + image[n_rows, 0] + step * change
        small = math.exp(-abs(score))
        value += shares[row] * (max(score, 0.0) - codes[row] * score + math.log1p(small))
        probability = 1 / (1 + small) if score >= 0 else small / (1 + small)
        residuals[row, 0] = shares[row] * (probability - codes[row])
        slope += residuals[row, 0] * change
        total += residuals[row, 0]
    residuals[n_rows, 0] = total
    return value, slope


@compile_loop
def measure_loss_many(
    image: Floats, direction: Floats, step: float, codes: NDArray[np.int64], shares: Floats, residuals: Floats
) -> tuple[float, float]:
    """Return the mean log loss of a softmax model at a step, and its slope; write the derivatives by item."""
    n_rows, n_classes = codes.size, image.shape[1]
    value = slope = 0.0
    residuals[n_rows] = 0.0
    for row in range(n_rows):
        top = -np.inf
        for code in range(n_classes):
            change = direction[row, code] + direction[n_rows, code]
            residuals[row, code] = image[row, code] + image[n_rows, code] + step * change
            top = max(top, residuals[row, code])
        gold, total = residuals[row, codes[row]], 0.0
        for code in range(n_classes):
            residuals[row, code] = math.exp(residuals[row, code] - top)
            total += residuals[row, code]
        value += shares[row] * (math.log(total) + top - gold)
        for code in range(n_classes):
            residual = shares[row] * (residuals[row, code] / total - (code == codes[row]))
            residuals[row, code] = residual
            residuals[n_rows, code] += residual
            slope += residual * (direction[row, code] + direction[n_rows, code])
    return value, slope


@compile_loop(fastmath=_CONTRACT)
def dot(a: Floats, b: Floats) -> float:
    """Return the sum of products, on one thread whatever a library would use, and the same on every processor."""
    first, second = a.ravel(), b.ravel()
    total = np.zeros((1, N_LANES))
    n_whole = first.size - first.size % N_LANES
    sum_products(first, second, n_whole, total)
    sums = total.ravel()
    for place in range(n_whole, first.size):
        sums[place - n_whole] += first[place] * second[place]
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))


@compile_loop
def find_descent_direction(
    history: StepHistory,
    slots: NDArray[np.int64],
    scale: float,
    gradient: Floats,
    image: Floats,
    direction: Floats,
    direction_image: Floats,
) -> None:
    """Write minus the inverse Hessian estimate times the gradient (L-BFGS), as coefficients and as image.

    `slots` lists the places of the history from the oldest to the newest; `scale` multiplies the first estimate.
    """
    shares = np.zeros(slots.size)
    direction[:] = -gradient
    direction_image[:] = -image
    for number in range(slots.size - 1, -1, -1):
        slot = slots[number]
        shares[number] = history.scales[slot] * dot(history.step_images[slot], direction)
        _add(direction, -shares[number], history.changes[slot])
        _add(direction_image, -shares[number], history.change_images[slot])
    direction *= scale
    direction_image *= scale
    for number in range(slots.size):
        slot = slots[number]
        share = shares[number] - history.scales[slot] * dot(history.change_images[slot], direction)
        _add(direction, share, history.steps[slot])
        _add(direction_image, share, history.step_images[slot])


@compile_loop
def move(step: float, point: Floats, image: Floats, direction: Floats, direction_image: Floats) -> None:
    """Add a step along a direction to a point, and its image to the image of the point."""
    for row in range(point.shape[0]):
        for column in range(point.shape[1]):
            point[row, column] += step * direction[row, column]
            image[row, column] += step * direction_image[row, column]


@compile_loop
def remember_step(
    history: StepHistory,
    slot: int,
    step: float,
    direction: Floats,
    direction_image: Floats,
    gradients: tuple[Floats, Floats],
    images: tuple[Floats, Floats],
) -> None:
    """Write a step along a direction and the change of the gradient from before to after it, with their images."""
    for row in range(direction.shape[0]):
        for column in range(direction.shape[1]):
            history.steps[slot, row, column] = step * direction[row, column]
            history.step_images[slot, row, column] = step * direction_image[row, column]
            history.changes[slot, row, column] = gradients[1][row, column] - gradients[0][row, column]
            history.change_images[slot, row, column] = images[1][row, column] - images[0][row, column]


@compile_loop(fastmath=_CONTRACT)
def _add(target: Floats, factor: float, other: Floats) -> None:
    changed, source = target.ravel(), other.ravel()
    for place in range(changed.size):
        changed[place] += factor * source[place]
