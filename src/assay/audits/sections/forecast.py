"""λ forecast from the data alone."""

from __future__ import annotations

from assay.audits.benchmark import Benchmark
from assay.audits.evidence.forecast import Driver, ForecastEvidence
from assay.audits.sections.base import Measurement, section
from assay.forecast import forecast_discrimination
from assay.statistics import Interval


@section("forecast", ForecastEvidence, weight=0.5)
def measure_forecast(benchmark: Benchmark) -> Measurement:
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
    return Measurement(evidence)
