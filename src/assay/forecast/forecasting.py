"""Forecast λ of a dataset that no system was trained on yet: `assay forecast`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np

from assay.base.arrays import Array
from assay.base.entry_points import entry_point
from assay.base.marks import NAME, OWN
from assay.data import Dataset
from assay.forecast.evidence import read_evidence
from assay.forecast.features import describe_dataset
from assay.forecast.predictor import PREDICTOR_FEATURES, RANGE_FEATURES, Predictor, read_predictor
from assay.forecast.sampling import draw_sample
from assay.inputs import take_data
from assay.kinds import check_text_labels
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.tasks import run_tasks
from assay.views.blocks import Block, Sentence
from assay.views.results import Result
from assay.views.values import Interval
from assay.wording.numbers import format_interval

N_DRIVERS = 5
CONFIDENCE = 0.8  # of the intervals


@dataclass(frozen=True)
class Driver(Result):
    """A feature of the data, its value, and the factor by which it multiplies 1 + λ_sva."""

    feature: str = field(metadata=OWN)
    value: float
    factor: float


@dataclass(frozen=True)
class Forecast(Result):
    """λ_var and λ_sva expected of four models (CNN, LSTM, LSTM with attention, small transformer) on a dataset.

    Intervals contain about 80% of the datasets of families that are not in the evidence, of single families less.
    `percentile` places λ_var among the evidence, `percentile_sva` λ_sva. `outside` names features beyond the range of
    the evidence.
    """

    data: str = field(metadata=NAME)
    lambda_var: Interval
    lambda_sva: Interval
    percentile: float
    percentile_sva: float
    out_of_range: bool
    outside: tuple[str, ...] = field(metadata=OWN)
    drivers: list[Driver]
    n_train: int
    n_test: int
    features: dict[str, float] = field(default_factory=dict, repr=False, compare=False, metadata=OWN)
    notes: tuple[str, ...] = field(default=(), repr=False, metadata=OWN)

    def __repr__(self) -> str:
        var, sva = format_interval(self.lambda_var, "rounded:2"), format_interval(self.lambda_sva, "rounded:1")
        return f"Forecast('{self.data}': lambda_var={var}, lambda_sva={sva}, out_of_range={self.out_of_range})"

    def blocks(self) -> Iterator[Block]:
        """Yield the forecast, what drives it, and the verdict."""
        from assay.forecast.view import show_forecast, write_verdict

        yield from show_forecast(self)
        yield Sentence(write_verdict(self), is_verdict=True)


@dataclass(frozen=True)
class Forecasts(Result):
    """The forecasts of several datasets."""

    _table: ClassVar[str] = "forecasts"

    forecasts: list[Forecast]

    @property
    def notes(self) -> list[str]:
        """Return the notes on all datasets."""
        return [f"{forecast.data}: {note}" for forecast in self.forecasts for note in forecast.notes]

    def blocks(self) -> Iterator[Block]:
        """Yield the forecasts, the most discriminating first, what drives them, and the verdicts."""
        from assay.forecast.view import show_forecasts

        yield from show_forecasts(self.forecasts)


@entry_point(ReadingArguments)
def forecast_discrimination(
    data: DataSource, *, random_state: int = 0, **reading: Unpack[ReadingArguments]
) -> Forecast:
    """Predict how well a labelled dataset will tell systems apart, from at most 1,800 training and 1,000 test rows.

    λ depends on the size of the training set, so the forecast is for a set of that size. `data` is a `Dataset` or
    anything `assay.read` takes.
    """
    dataset = check_text_labels(take_data(data, reading)).sort_rows()
    sample = draw_sample(dataset, random_state)
    features = describe_dataset(sample.texts, sample.labels, sample.train, sample.test, sides=sample.sides)
    sizes = (len(sample.train), len(sample.test))
    return forecast_from_features(dataset.name, features, read_predictor(), sizes, tuple(sample.notes))


def run_forecasts(
    datasets: Sequence[Dataset], *, random_state: int = 0, n_jobs: int = 1, backend: str | None = None
) -> list[Forecast]:
    """Forecast several datasets, in parallel if `n_jobs` is above 1."""
    tasks = [(data, random_state) for data in datasets]
    forecasts: list[Forecast] = run_tasks(_forecast_one, tasks, n_jobs=n_jobs, backend=backend)
    return forecasts


def _forecast_one(data: Dataset, random_state: int) -> Forecast:
    return forecast_discrimination(data, random_state=random_state)


def forecast_from_features(
    name: str, features: dict[str, float], predictor: Predictor, sizes: tuple[int, int], notes: tuple[str, ...] = ()
) -> Forecast:
    """Turn measured features into a forecast."""
    x, ranged = (np.array([features[name] for name in names]) for names in (PREDICTOR_FEATURES, RANGE_FEATURES))
    values: dict[str, Any] = {}
    evidence = read_evidence()
    for target, percentile in (("lambda_var", "percentile"), ("lambda_sva", "percentile_sva")):
        predicted = predictor.predict(target, x[None, :])
        low, high = predictor.add_margins(target, x[None, :], predicted)
        values[target] = Interval(float(predicted[0]), float(low[0]), float(high[0]), CONFIDENCE, "conformal")
        values[percentile] = 100 * float(np.mean(evidence.target(target) <= predicted[0]))
    outside = tuple(predictor.ranges.find_outside(ranged))
    return Forecast(
        data=name,
        out_of_range=bool(outside) or predictor.ranges.is_far(ranged),
        outside=outside,
        drivers=_find_drivers(x, predictor.compute_factors("lambda_sva", x)),
        n_train=sizes[0],
        n_test=sizes[1],
        features=features,
        notes=notes,
        **values,
    )


def _find_drivers(x: Array, factors: Array) -> list[Driver]:
    """Return the features that move the forecast most, up or down."""
    order = np.argsort(-np.abs(np.log(factors)), kind="stable")[:N_DRIVERS]
    return [Driver(PREDICTOR_FEATURES[n], float(x[n]), float(factors[n])) for n in order]
