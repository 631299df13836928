"""Features by name, and the value of a feature."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import OWN
from assay.base.registry import Registry
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.features.labelled_texts import LabelledTexts


@dataclass(frozen=True)
class FeatureValue(Result):
    """One feature of some texts: exact, or from a sample with its interval, or nan with the reason."""

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    reason: str | None = field(default=None, metadata=OWN)


Feature = Callable[["LabelledTexts"], FeatureValue]
FEATURES: Registry[Feature] = Registry("feature")


def undefined_value(reason: str) -> FeatureValue:
    """Return the value of a feature that cannot be measured, with the reason."""
    return FeatureValue(math.nan, reason=reason)


def exact_mean(values: Iterable[float]) -> float:
    """Return the mean, rounded once, so that it does not depend on the order of the values; nan without values.

    >>> exact_mean([0.1, 0.2, 0.3]) == exact_mean([0.3, 0.1, 0.2])
    True
    """
    numbers = values if hasattr(values, "__len__") else list(values)
    return math.fsum(numbers) / len(numbers) if len(numbers) else math.nan  # type: ignore[arg-type]
