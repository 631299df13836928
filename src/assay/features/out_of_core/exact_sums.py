"""Sums of floats without rounding, so that partial sums give the same total in any order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MANTISSA_BITS = 53
_LOW_BITS = 26


@dataclass(frozen=True)
class ExactSum:
    """The sum of n floats: whole numbers by the power of two that they are multiples of."""

    n: int = 0
    multiples: dict[int, int] | None = None

    @classmethod
    def from_values(cls, values: NDArray[np.float64]) -> ExactSum:
        """Add up finite values.

        >>> ExactSum.from_values(np.array([0.1] * 10)).mean()
        0.1
        """
        fractions, exponents = np.frexp(values)
        whole = np.ldexp(fractions, _MANTISSA_BITS).astype(np.int64)
        multiples = {}
        for exponent in np.unique(exponents).tolist():
            chosen = whole[exponents == exponent]
            high = int((chosen >> _LOW_BITS).sum())
            low = int((chosen & ((1 << _LOW_BITS) - 1)).sum())
            multiples[exponent - _MANTISSA_BITS] = (high << _LOW_BITS) + low
        return cls(len(values), multiples)

    def __add__(self, other: ExactSum) -> ExactSum:
        multiples = dict(self.multiples or {})
        for exponent, multiple in (other.multiples or {}).items():
            multiples[exponent] = multiples.get(exponent, 0) + multiple
        return ExactSum(self.n + other.n, multiples)

    def total(self) -> float:
        """Return the sum, rounded once."""
        return float(sum((multiple * Fraction(2) ** e for e, multiple in (self.multiples or {}).items()), Fraction(0)))

    def mean(self) -> float:
        """Return the mean, nan without values."""
        return self.total() / self.n if self.n else float("nan")


def sum_repeated(values: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Return the sum of values that occur several times, rounded once.

    >>> sum_repeated(np.array([0.1, 0.5]), np.array([10, 1]))
    1.5
    """
    pairs: Any = zip(values.tolist(), counts.tolist(), strict=True)
    return float(sum((Fraction(value) * count for value, count in pairs), Fraction(0)))
