"""How the page shows the forecast."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.checks.base import CHECKS
from assay.checks.forecast.results import ForecastEvidence
from assay.views.blocks import Block, Fact, Table, make_fact


def forecast_facts(forecast: ForecastEvidence) -> Iterator[Fact]:
    """Yield the forecast values."""
    level = 100 * forecast.lambda_var.confidence
    method = (
        f"A regression on the features of the data, fitted on datasets of known λ; {level:.0f}% prediction interval."
    )
    yield from make_fact("Spread of scores, forecast (λ_var)", forecast.lambda_var, method)
    yield from make_fact("Spread times headroom, forecast (λ_sva)", forecast.lambda_sva, method)
    if forecast.out_of_range:
        names = ", ".join(map(name_feature, forecast.outside)) or "all features taken together"
        yield Fact(
            "Out of range", "do not rely on it", f"No dataset behind the forecast resembles this one in: {names}."
        )


def forecast_tables(forecast: ForecastEvidence) -> Iterator[Table]:
    """Yield the features that move the forecast most."""
    rows = [[name_feature(row.feature), format_number(row.value), f"× {row.factor:.2f}"] for row in forecast.drivers]
    method = "What each feature multiplies 1 + λ_sva by, compared with a typical dataset."
    if rows:
        yield Table("What drives the forecast", ["feature", "value", "factor"], rows, method)


def name_feature(feature: str) -> str:
    """Write the name of a feature in words.

    >>> name_feature("train.label_balance")
    'train: label balance'
    """
    return feature.replace(".", ": ").replace("_", " ")


@CHECKS["forecast"].view
def show_forecast(forecast: ForecastEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from forecast_facts(forecast)
    yield from forecast_tables(forecast)
