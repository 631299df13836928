"""λ forecast from the data alone."""

from __future__ import annotations

from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.forecast import Forecast, forecast_discrimination
from assay.forecast.view import show_forecast


@check(
    "forecast",
    Forecast,
    order=100,
    title="Forecast",
    question="How well will it tell systems apart, predicted from the data alone?",
    topic="ranking",
    weight=0.5,
    tab="systems",
    views=(show_forecast,),
)
def measure_forecast(benchmark: Benchmark) -> CheckOutcome:
    """Forecast λ from the features of the labelled rows."""
    return CheckOutcome(forecast_discrimination(benchmark.classes.data, random_state=benchmark.settings.random_state))
