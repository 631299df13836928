"""λ forecast from the data alone."""

from __future__ import annotations

from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.forecast.results import Driver, ForecastEvidence
from assay.forecast import forecast_discrimination
from assay.statistics import Interval


@check(
    "forecast",
    ForecastEvidence,
    order=100,
    title="Forecast",
    question="How well will it tell systems apart, predicted from the data alone?",
    topic="ranking",
    weight=0.5,
    tab="systems",
)
def measure_forecast(benchmark: Benchmark) -> CheckOutcome:
    """Forecast λ from the features of the labelled rows."""
    result = forecast_discrimination(benchmark.classes.data, random_state=benchmark.settings.random_state)
    var = (result.lambda_var, result.lambda_var_low, result.lambda_var_high)
    sva = (result.lambda_sva, result.lambda_sva_low, result.lambda_sva_high)
    evidence = ForecastEvidence(
        lambda_var=Interval(*var, result.confidence, "conformal"),
        lambda_sva=Interval(*sva, result.confidence, "conformal"),
        out_of_range=result.out_of_range,
        outside=tuple(result.outside),
        drivers=tuple(Driver(row.feature, row.value, row.factor) for row in result.drivers),
        n_train=result.n_train,
        n_test=result.n_test,
        notes=tuple(result.notes),
    )
    return CheckOutcome(evidence)
