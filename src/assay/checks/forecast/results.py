"""What the forecast section predicted from the data alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import OWN
from assay.statistics import Interval
from assay.views.results import Result


@dataclass(frozen=True)
class Driver(Result):
    """A feature and what it multiplies 1 + λ_sva by, compared with a typical dataset."""

    feature: str = field(metadata=OWN)
    value: float
    factor: float


@dataclass(frozen=True)
class ForecastEvidence(Result):
    """λ_var and λ_sva forecast from the features of the data."""

    lambda_var: Interval
    lambda_sva: Interval
    out_of_range: bool
    outside: tuple[str, ...] = field(metadata=OWN)
    drivers: tuple[Driver, ...]
    n_train: int
    n_test: int
    notes: tuple[str, ...] = field(default=(), metadata=OWN)
