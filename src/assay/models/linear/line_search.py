"""The line search of Moré and Thuente (1994), with the constants of L-BFGS-B."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

_DECREASE = 1e-3  # of the slope at 0, at least
_CURVATURE = 0.9  # the slope must shrink to this share
_MIN_WIDTH = 0.1  # of the bracket, relative to its upper end
_MAX_STEP = 1e10
_MAX_TRIALS = 50


class LineStep(NamedTuple):
    """A step, the function's value there and its slope."""

    step: float
    value: float
    slope: float

    def tilt(self, slope: float) -> LineStep:
        """Return the trial of the function minus a line through 0 of this slope."""
        return LineStep(self.step, self.value - self.step * slope, self.slope - slope)


def search_step(function: Callable[[float], tuple[float, float]], start: LineStep, step: float) -> LineStep | None:
    """Find a step with sufficient decrease and a smaller slope; the last call of `function` is at that step.

    `function` returns value and slope at a step; `start` is the trial at step 0, at which the slope is negative. None
    if no step is found.

    >>> search_step(lambda step: ((step - 3) ** 2, 2 * (step - 3)), LineStep(0.0, 9.0, -6.0), 1.0)
    LineStep(step=1.0, value=4.0, slope=-4.0)
    """
    best = other = start
    low, high = 0.0, 5 * step
    width = previous_width = math.inf
    bracketed, is_first_stage = False, True
    for _ in range(_MAX_TRIALS):
        trial = LineStep(step, *function(step))
        bound = start.value + step * _DECREASE * start.slope
        decreased = trial.value <= bound
        if decreased and abs(trial.slope) <= -_CURVATURE * start.slope:
            return trial
        if bracketed and (step <= low or step >= high or high - low <= _MIN_WIDTH * high):
            return trial
        is_first_stage = is_first_stage and not (decreased and trial.slope >= 0)
        # Until a step decreases enough, a function with the required decrease taken out is minimised instead.
        tilt = _DECREASE * start.slope if is_first_stage and trial.value <= best.value and not decreased else 0.0
        best, other, step, bracketed = _narrow(
            best.tilt(tilt), other.tilt(tilt), trial.tilt(tilt), bracketed, low, high
        )
        best, other = best.tilt(-tilt), other.tilt(-tilt)
        if bracketed:
            if abs(other.step - best.step) >= 0.66 * previous_width:
                step = best.step + 0.5 * (other.step - best.step)
            previous_width, width = width, abs(other.step - best.step)
            low, high = min(best.step, other.step), max(best.step, other.step)
        else:
            low, high = step + 1.1 * (step - best.step), step + 4 * (step - best.step)
        step = min(max(step, 0.0), _MAX_STEP)
        if bracketed and (step <= low or step >= high or high - low <= _MIN_WIDTH * high):
            step = best.step
    return None


def _narrow(
    best: LineStep, other: LineStep, trial: LineStep, bracketed: bool, low: float, high: float
) -> tuple[LineStep, LineStep, float, bool]:
    """Return the ends of the interval with a minimum, the next step, and whether the ends enclose the minimum."""
    if trial.value > best.value:  # too far: the minimum is between
        cubic, quadratic = _minimize_cubic(best, trial), _minimize_parabola(best, trial)
        is_near = abs(cubic - best.step) <= abs(quadratic - best.step)
        return best, trial, cubic if is_near else cubic + (quadratic - cubic) / 2, True
    secant = _secant(best, trial)
    if trial.slope * best.slope < 0:  # the slope changed its sign
        cubic = _minimize_cubic(best, trial)
        return trial, best, _farther(cubic, secant, trial.step), True
    forward = trial.step > best.step
    if abs(trial.slope) < abs(best.slope):
        cubic = _extrapolate_cubic(best, trial, high if forward else low)
        if not bracketed:
            return trial, other, min(max(_farther(cubic, secant, trial.step), low), high), False
        step = cubic if abs(cubic - trial.step) < abs(secant - trial.step) else secant
        limit = trial.step + 0.66 * (other.step - trial.step)
        return trial, other, min(limit, step) if forward else max(limit, step), True
    if bracketed:
        return trial, other, _minimize_cubic(trial, other), True
    return trial, other, high if forward else low, False


def _farther(one: float, other: float, origin: float) -> float:
    return one if abs(one - origin) > abs(other - origin) else other


def _minimize_parabola(a: LineStep, b: LineStep) -> float:
    """Return the minimum of the parabola through both values with the slope at a."""
    return a.step + a.slope / ((a.value - b.value) / (b.step - a.step) + a.slope) / 2 * (b.step - a.step)


def _secant(a: LineStep, b: LineStep) -> float:
    """Return where the line through both slopes is 0, or the step of b if the slopes are equal."""
    return b.step + b.slope / (b.slope - a.slope) * (a.step - b.step) if a.slope != b.slope else b.step


def _minimize_cubic(a: LineStep, b: LineStep) -> float:
    """Return the minimum of the cubic through both values with both slopes."""
    theta, gamma = _cubic_terms(a, b)
    gamma = gamma if b.step > a.step else -gamma
    return a.step + (b.step - a.step) * ((gamma - a.slope) + theta) / (((gamma - a.slope) + gamma) + b.slope)


def _extrapolate_cubic(a: LineStep, b: LineStep, limit: float) -> float:
    """Return the minimum of the cubic beyond b, or the limit if it has none there."""
    theta, gamma = _cubic_terms(a, b)
    gamma = -gamma if b.step > a.step else gamma
    ratio = ((gamma - b.slope) + theta) / ((gamma + (a.slope - b.slope)) + gamma)
    return b.step + ratio * (a.step - b.step) if ratio < 0 and gamma != 0 else limit


def _cubic_terms(a: LineStep, b: LineStep) -> tuple[float, float]:
    theta = 3 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    scale = max(abs(theta), abs(a.slope), abs(b.slope))
    return theta, scale * math.sqrt(max(0.0, (theta / scale) ** 2 - a.slope / scale * (b.slope / scale)))
